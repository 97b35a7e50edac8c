package io.magpie.algorithms.internal.forest;

import io.magpie.algorithms.graph.Graph;
import java.util.Arrays;

/** Canonical arcs of the edges of a forest that are given by arcs of either direction. */
public final class CanonicalArcs {
  private CanonicalArcs() {}

  /**
   * Replaces each arc that leads to a smaller vertex by the other direction of an edge of equal end
   * points and weight. O(vertices + arcs); a forest has at most one edge between two vertices.
   *
   * @param graph the graph
   * @param arcs arcs of a forest, ascending
   * @return canonical arcs, ascending
   */
  public static int[] of(Graph graph, int[] arcs) {
    int[] offsets = graph.offsets();
    int[] neighbors = graph.neighbors();
    int vertices = graph.vertices();
    int[] result = new int[arcs.length];
    int done = 0;
    // For each smaller end point a chain of the arcs that lead to it.
    int[] first = new int[vertices];
    Arrays.fill(first, -1);
    int[] next = new int[arcs.length];
    int[] sources = new int[arcs.length];
    for (int i = 0, source = 0; i < arcs.length; i++) {
      while (offsets[source + 1] <= arcs[i]) {
        source++;
      }
      int target = neighbors[arcs[i]];
      if (target > source) {
        result[done++] = arcs[i];
      } else {
        sources[i] = source;
        next[i] = first[target];
        first[target] = i;
      }
    }
    int[] wanted = new int[vertices];
    Arrays.fill(wanted, -1);
    for (int v = 0; v < vertices; v++) {
      if (first[v] < 0) {
        continue;
      }
      for (int i = first[v]; i >= 0; i = next[i]) {
        wanted[sources[i]] = i;
      }
      for (int a = offsets[v]; a < offsets[v + 1]; a++) {
        int i = wanted[neighbors[a]];
        if (i >= 0 && graph.compareWeights(a, arcs[i]) == 0) {
          result[done++] = a;
          wanted[neighbors[a]] = -1;
        }
      }
    }
    if (done != arcs.length) {
      throw new IllegalStateException(
          (arcs.length - done)
              + " chosen arcs have no other direction; were the arrays of "
              + graph
              + " written to?");
    }
    Arrays.sort(result);
    return result;
  }
}
