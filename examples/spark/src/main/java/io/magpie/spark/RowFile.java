package io.magpie.spark;

import java.io.IOException;
import java.util.List;
import java.util.Map;
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

/** Writes rows of numbers as Parquet, a row group at a time. */
final class RowFile implements AutoCloseable {
  /** Rows of a group: what is held in memory, and what a task reads at least. */
  static final int GROUP = 1 << 20;

  /** Takes a value of a row. */
  @FunctionalInterface
  interface Cell {
    void put(RecordConsumer to, int row);
  }

  /**
   * A column, which has a value in each row.
   *
   * @param cell gives the value of a row, of the column's type
   */
  record Column(String name, PrimitiveTypeName type, Cell cell) {
    static Column of(String name, int[] values) {
      return new Column(name, PrimitiveTypeName.INT32, (to, row) -> to.addInteger(values[row]));
    }

    static Column of(String name, long[] values) {
      return new Column(name, PrimitiveTypeName.INT64, (to, row) -> to.addLong(values[row]));
    }

    static Column of(String name, float[] values) {
      return new Column(name, PrimitiveTypeName.FLOAT, (to, row) -> to.addFloat(values[row]));
    }

    static Column of(String name, double[] values) {
      return new Column(name, PrimitiveTypeName.DOUBLE, (to, row) -> to.addDouble(values[row]));
    }
  }

  private final ParquetWriter<Integer> writer;

  /**
   * Opens a file, which must not be there.
   *
   * @param name of what a row is
   * @param columns in their order
   * @param about what the footer says besides, by name
   * @param group rows of a row group
   */
  RowFile(
      Path path,
      Configuration configuration,
      String name,
      List<Column> columns,
      Map<String, String> about,
      int group)
      throws IOException {
    OutputFile file = HadoopOutputFile.fromPath(path, configuration);
    writer = new Builder(file, new Support(name, columns, about), group).build();
  }

  /**
   * Writes a row.
   *
   * @param row what columns know it by
   */
  void write(int row) throws IOException {
    writer.write(row);
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }

  private static final class Builder extends ParquetWriter.Builder<Integer, Builder> {
    private final Support support;

    Builder(OutputFile file, Support support, int group) {
      super(file);
      this.support = support;
      withCompressionCodec(CompressionCodecName.UNCOMPRESSED);
      withRowGroupRowCountLimit(group);
    }

    @Override
    protected Builder self() {
      return this;
    }

    @Override
    protected WriteSupport<Integer> getWriteSupport(Configuration configuration) {
      return support;
    }
  }

  /** Writes a row by its columns. */
  @SuppressWarnings("deprecation") // what is to replace init(Configuration) calls it
  private static final class Support extends WriteSupport<Integer> {
    private final String name;
    private final List<Column> columns;
    private final Map<String, String> about;
    private RecordConsumer to;

    Support(String name, List<Column> columns, Map<String, String> about) {
      this.name = name;
      this.columns = columns;
      this.about = about;
    }

    @Override
    public WriteContext init(Configuration configuration) {
      Types.MessageTypeBuilder schema = Types.buildMessage();
      columns.forEach(column -> schema.required(column.type).named(column.name));
      MessageType type = schema.named(name);
      return new WriteContext(type, about);
    }

    @Override
    public void prepareForWrite(RecordConsumer consumer) {
      to = consumer;
    }

    @Override
    public void write(Integer row) {
      to.startMessage();
      for (int i = 0; i < columns.size(); i++) {
        Column column = columns.get(i);
        to.startField(column.name, i);
        column.cell.put(to, row);
        to.endField(column.name, i);
      }
      to.endMessage();
    }
  }
}
