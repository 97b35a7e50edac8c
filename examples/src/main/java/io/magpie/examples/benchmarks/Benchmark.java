package io.magpie.examples.benchmarks;

/** A benchmark with its parameters. */
interface Benchmark {
  /** What a run begins with, drawn by the seed. */
  Instance generate();

  /** Whether its transactions store in {@code apply}: policies may refuse that. */
  default boolean storesInApply() {
    return false;
  }
}
