package io.magpie.algorithms.paths;

import io.magpie.algorithms.graph.DirectedGraph;
import io.magpie.algorithms.internal.Parallel;
import java.util.List;

/**
 * What the weights of a graph's arcs add up to.
 *
 * @param longestPath no shortest path is longer: the sum over all vertices of the longest arc that
 *     leaves each
 * @param total the sum of all weights
 * @param zeros whether there is an arc of length 0
 */
record LengthSums(long longestPath, long total, boolean zeros) {
  /** Of arcs that are as long as their weights. Cost: O(arcs) in parallel. */
  static LengthSums of(DirectedGraph graph) {
    if (!graph.weighted()) {
      return new LengthSums(graph.vertices(), graph.arcs(), false);
    }
    int[] offsets = graph.offsets();
    int[] weights = graph.weights();
    List<LengthSums> parts =
        Parallel.map(
            graph.vertices(),
            (from, to) -> {
              long path = 0;
              long sum = 0;
              boolean zero = false;
              for (int v = from; v < to; v++) {
                int most = 0;
                for (int a = offsets[v]; a < offsets[v + 1]; a++) {
                  most = Math.max(most, weights[a]);
                  sum += weights[a];
                  zero |= weights[a] == 0;
                }
                path += most;
              }
              return new LengthSums(path, sum, zero);
            });
    return new LengthSums(
        parts.stream().mapToLong(LengthSums::longestPath).sum(),
        parts.stream().mapToLong(LengthSums::total).sum(),
        parts.stream().anyMatch(LengthSums::zeros));
  }
}
