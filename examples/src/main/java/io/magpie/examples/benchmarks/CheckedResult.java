package io.magpie.examples.benchmarks;

import java.util.Optional;

/**
 * What a run left, in Java's memory, together with the input. It is judged by Java code that shares
 * nothing with the regions.
 */
interface CheckedResult {
  /** What is wrong with it: the first violation of the benchmark's invariant that is found. */
  Optional<String> mistake();
}
