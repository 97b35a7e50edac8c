package io.magpie.algorithms.graph;

import io.magpie.algorithms.internal.SeededHash;

/**
 * A weight as a function of an edge's end points; must be symmetric and safe to call in parallel.
 */
@FunctionalInterface
interface EdgeWeight {
  /** The {@linkplain ArcWeights key} of the weight of the edges between {@code u} and {@code v}. */
  long of(int u, int v);

  /** The type of the weights. */
  default WeightType type() {
    return WeightType.INT;
  }

  /** Weights drawn from {@code min .. max}, the same for both orders of an edge's end points. */
  static EdgeWeight drawn(long seed, int min, int max) {
    long key = SeededHash.key(seed ^ 0x77656967687473L);
    long bound = (long) max - min + 1;
    return (u, v) -> {
      long pair = ((long) Math.min(u, v) << 32) | Math.max(u, v);
      return (long) min + SeededHash.below(SeededHash.draw(key, pair), bound);
    };
  }

  /** Weights drawn from a range of any type, the same for both orders of an edge's end points. */
  static EdgeWeight drawn(long seed, WeightRange range) {
    long key = SeededHash.key(seed ^ 0x77656967687473L);
    return new EdgeWeight() {
      @Override
      public long of(int u, int v) {
        long pair = ((long) Math.min(u, v) << 32) | Math.max(u, v);
        return range.key(SeededHash.draw(key, pair));
      }

      @Override
      public WeightType type() {
        return range.type();
      }
    };
  }
}
