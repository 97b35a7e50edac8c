package io.magpie.examples.benchmarks;

import io.magpie.examples.input.Input;

/**
 * A benchmark to run.
 *
 * @param description the benchmark with all its parameters
 * @param seed by which its content is drawn
 * @param benchmark what makes the content
 */
record Workload(String description, long seed, Benchmark benchmark) implements Input {
  /**
   * The workload of a specification.
   *
   * @throws IllegalArgumentException if it is malformed
   */
  static Workload of(String text) {
    WorkloadSpec spec = new WorkloadSpec(text);
    long seed = spec.seed();
    Benchmark benchmark = Benchmarks.of(spec);
    return new Workload(spec.complete(), seed, benchmark);
  }

  @Override
  public boolean generated() {
    return true;
  }
}
