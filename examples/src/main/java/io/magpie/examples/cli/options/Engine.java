package io.magpie.examples.cli.options;

/** Where a graph lies while it is worked on. */
public enum Engine {
  /** In memory and on the device, all of it. */
  MEMORY,
  /** Nowhere: its edges come in chunks. */
  STREAM
}
