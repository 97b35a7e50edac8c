package io.magpie.examples.cli.options;

import java.util.Locale;

/** Where a graph lies while it is worked on. */
public enum Engine {
  /** In memory and on the device, all of it. */
  MEMORY,
  /** Nowhere: its edges come in chunks. */
  STREAM,
  /** The same, by several devices at once. */
  GPUS;

  /** Whether edges come in chunks. */
  public boolean streams() {
    return this != MEMORY;
  }

  /** As it is given. */
  public String option() {
    return "--engine " + name().toLowerCase(Locale.ROOT);
  }
}
