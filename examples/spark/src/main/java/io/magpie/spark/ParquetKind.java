package io.magpie.spark;

import io.magpie.examples.input.GraphInput;
import io.magpie.examples.input.Input;
import io.magpie.examples.input.InputKind;

/**
 * The option {@code --parquet} of commands that take graphs: what jobs and {@code convert} read.
 */
public final class ParquetKind implements InputKind {
  /** For the service loader. */
  public ParquetKind() {}

  @Override
  public String name() {
    return "parquet";
  }

  @Override
  public Class<? extends Input> type() {
    return GraphInput.class;
  }

  @Override
  public String label() {
    return "PATH";
  }

  @Override
  public String description() {
    return "Parquet files of edges to read: one, or a folder of files *.parquet, as --engine spark"
        + " takes them and convert writes them, with columns src, dst and, if edges have weights,"
        + " weight.";
  }

  @Override
  public Input parse(String spec) {
    return new ParquetGraph(spec);
  }
}
