package io.magpie.examples.benchmarks;

/** A benchmark with its parameters. */
interface Benchmark {
  /** What a run begins with, drawn by the seed. */
  Instance generate();
}
