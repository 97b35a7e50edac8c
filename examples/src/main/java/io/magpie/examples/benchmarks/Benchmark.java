package io.magpie.examples.benchmarks;

import java.util.EnumSet;
import java.util.Set;

/** A benchmark with its parameters. */
interface Benchmark {
  /** What a run begins with, drawn by the seed. */
  Instance generate();

  /** The forms that it has; transactions always. */
  default Set<Synchronization> forms() {
    return EnumSet.of(Synchronization.STM);
  }

  /** The layouts that its transactions have; apart always. */
  default Set<Layout> layouts() {
    return EnumSet.of(Layout.APART);
  }

  /** Whether its transactions store in {@code apply}: policies may refuse that. */
  default boolean storesInApply() {
    return false;
  }
}
