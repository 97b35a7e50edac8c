package io.magpie.examples.cli.options;

import java.util.Locale;

/** Where a graph lies while it is worked on. */
public enum Engine {
  /** In memory and on the device, all of it. */
  MEMORY,
  /** Nowhere: its edges come in chunks. */
  STREAM,
  /** The same, by several devices at once. */
  GPUS,
  /** In the partitions of a job of Apache Spark, by a jar of its own. */
  SPARK;

  /** Whether edges come in chunks. */
  public boolean streams() {
    return this == STREAM || this == GPUS;
  }

  /** As it is given. */
  public String option() {
    return "--engine " + name().toLowerCase(Locale.ROOT);
  }
}
