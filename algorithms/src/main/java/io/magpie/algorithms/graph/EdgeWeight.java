package io.magpie.algorithms.graph;

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
  static DrawnWeights drawn(long seed, int min, int max) {
    return drawn(seed, new WeightRange(WeightType.INT, min, max));
  }

  /** Weights drawn from a range of any type, the same for both orders of an edge's end points. */
  static DrawnWeights drawn(long seed, WeightRange range) {
    return new DrawnWeights(seed, range);
  }
}
