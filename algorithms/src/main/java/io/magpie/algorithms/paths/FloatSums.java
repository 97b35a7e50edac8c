package io.magpie.algorithms.paths;

import io.magpie.algorithms.graph.DirectedGraph;
import io.magpie.algorithms.internal.Parallel;

/**
 * What the weights of a graph's arcs, which are floats, add up to.
 *
 * @param longestPath no shortest path is longer, however sums are rounded: somewhat more than the
 *     sum over all vertices of the longest arc that leaves each
 * @param total the sum of all weights, rounded
 * @param least the least weight; infinite if there are no arcs
 */
record FloatSums(double longestPath, double total, double least) {
  /** More than all sums of fewer than 2^31 doubles are off, in proportion. */
  private static final double ROUNDED = 1 + 0x1p-20;

  private static final FloatSums NONE = new FloatSums(0, 0, Double.POSITIVE_INFINITY);

  /** Of arcs that are as long as their weights. Cost: O(arcs) in parallel. */
  static FloatSums of(DirectedGraph graph) {
    int[] offsets = graph.offsets();
    float[] weights = graph.floatWeights();
    FloatSums all =
        Parallel.map(
                graph.vertices(),
                (from, to) -> {
                  double path = 0;
                  double sum = 0;
                  double least = Double.POSITIVE_INFINITY;
                  for (int v = from; v < to; v++) {
                    float most = 0;
                    for (int a = offsets[v]; a < offsets[v + 1]; a++) {
                      most = Math.max(most, weights[a]);
                      sum += weights[a];
                      least = Math.min(least, weights[a]);
                    }
                    path += most;
                  }
                  return new FloatSums(path, sum, least);
                })
            .stream()
            .reduce(NONE, FloatSums::plus); // in the order of the pieces, which are always the same
    return new FloatSums(all.longestPath * ROUNDED, all.total, all.least);
  }

  private FloatSums plus(FloatSums other) {
    return new FloatSums(
        longestPath + other.longestPath, total + other.total, Math.min(least, other.least));
  }

  /** Whether a distance may be the same before and after an arc: of length 0, or too short. */
  boolean mayBeLevel() {
    return least <= Math.ulp(longestPath) / 2;
  }
}
