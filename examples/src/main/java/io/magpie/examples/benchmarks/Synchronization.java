package io.magpie.examples.benchmarks;

/** How the items of a benchmark are kept apart. */
enum Synchronization {
  /** By transactions. */
  STM,
  /** By a lock for each datum, in ascending order. */
  LOCKS,
  /** By atomic operations that no item waits in. */
  LOCK_FREE
}
