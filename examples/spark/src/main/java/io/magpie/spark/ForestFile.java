package io.magpie.spark;

import io.magpie.algorithms.msf.NumberedForest;
import java.io.IOException;
import java.util.HashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.hadoop.util.HadoopOutputFile;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Types;

/** Writes a forest as Parquet: columns id, src, dst and weight, in ascending order of id. */
final class ForestFile {
  private final NumberedForest forest;

  ForestFile(NumberedForest forest) {
    this.forest = forest;
  }

  void write(Path path, Configuration configuration) throws IOException {
    OutputFile file = HadoopOutputFile.fromPath(path, configuration);
    try (ParquetWriter<Integer> writer = new Builder(file).build()) {
      for (int edge = 0; edge < forest.edges(); edge++) {
        writer.write(edge);
      }
    }
  }

  private MessageType schema() {
    return Types.buildMessage()
        .required(PrimitiveTypeName.INT64)
        .named("id")
        .required(PrimitiveTypeName.INT32)
        .named("src")
        .required(PrimitiveTypeName.INT32)
        .named("dst")
        .required(
            switch (forest.weightType()) {
              case INT -> PrimitiveTypeName.INT32;
              case LONG -> PrimitiveTypeName.INT64;
              case FLOAT -> PrimitiveTypeName.FLOAT;
              case DOUBLE -> PrimitiveTypeName.DOUBLE;
            })
        .named("weight")
        .named("forest");
  }

  private final class Builder extends ParquetWriter.Builder<Integer, Builder> {
    Builder(OutputFile file) {
      super(file);
      withCompressionCodec(CompressionCodecName.UNCOMPRESSED);
    }

    @Override
    protected Builder self() {
      return this;
    }

    @Override
    protected WriteSupport<Integer> getWriteSupport(Configuration configuration) {
      return new Support();
    }
  }

  /** Writes an edge by its place in the forest. */
  @SuppressWarnings("deprecation") // what is to replace init(Configuration) calls it
  private final class Support extends WriteSupport<Integer> {
    private RecordConsumer to;

    @Override
    public WriteContext init(Configuration configuration) {
      return new WriteContext(schema(), new HashMap<>());
    }

    @Override
    public void prepareForWrite(RecordConsumer consumer) {
      to = consumer;
    }

    @Override
    public void write(Integer edge) {
      to.startMessage();
      to.startField("id", 0);
      to.addLong(forest.numbers()[edge]);
      to.endField("id", 0);
      to.startField("src", 1);
      to.addInteger(forest.sources()[edge]);
      to.endField("src", 1);
      to.startField("dst", 2);
      to.addInteger(forest.targets()[edge]);
      to.endField("dst", 2);
      to.startField("weight", 3);
      Number weight = forest.weight(edge);
      switch (forest.weightType()) {
        case INT -> to.addInteger(weight.intValue());
        case LONG -> to.addLong(weight.longValue());
        case FLOAT -> to.addFloat(weight.floatValue());
        case DOUBLE -> to.addDouble(weight.doubleValue());
      }
      to.endField("weight", 3);
      to.endMessage();
    }
  }
}
