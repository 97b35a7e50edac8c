package io.magpie.examples.benchmarks;

/** Where the data of transactions lie. */
enum Layout {
  /** In an array of their own. */
  APART,
  /** In cells, next to the tracking words of their objects. */
  BESIDE
}
