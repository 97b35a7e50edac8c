package io.magpie.spark;

import io.magpie.examples.input.EdgeFormat;
import java.io.PrintWriter;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;

/** What {@code magpie convert --out} writes where the name ends in {@code .parquet}. */
public final class ParquetFormat implements EdgeFormat {
  /** For the service loader. */
  public ParquetFormat() {}

  @Override
  public String suffix() {
    return ".parquet";
  }

  @Override
  public Target open(Path out, PrintWriter warnings) {
    SparkLog.quieten();
    Configuration configuration = new Configuration();
    OutputFolder folder = OutputFolder.local(out, configuration, warnings);
    return new EdgeFolder(folder, configuration, EdgeFolder.ROWS, RowFile.GROUP);
  }
}
