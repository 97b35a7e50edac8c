package io.magpie.algorithms.paths;

import io.magpie.algorithms.graph.DirectedGraph;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** What splitting vertices must give, from the definitions alone, vertex by vertex. */
final class SplitOracle {
  private SplitOracle() {}

  /** The sum over all vertices of more arcs than the bound of ceil(degree / bound) - 1. */
  static long extraNodes(DirectedGraph graph, int bound) {
    long extra = 0;
    for (int v = 0; v < graph.vertices(); v++) {
      for (long left = graph.outDegree(v) - (long) bound; left > 0; left -= bound) {
        extra++;
      }
    }
    return extra;
  }

  /** The largest degree of any vertex. */
  static int mostArcs(DirectedGraph graph) {
    return IntStream.range(0, graph.vertices()).map(graph::outDegree).max().orElse(0);
  }

  /**
   * The largest degree in the fullest of ten buckets, 1 at least: a bucket ends with the degrees
   * that are a whole number of tenths of the largest one.
   */
  static int fullestBucketsTop(DirectedGraph graph) {
    int most = mostArcs(graph);
    TreeMap<Integer, Integer> vertices = new TreeMap<>(); // by degree
    for (int v = 0; v < graph.vertices(); v++) {
      vertices.merge(graph.outDegree(v), 1, Integer::sum);
    }
    int bestCount = -1;
    int bestTop = 0;
    for (int tenth = 1; tenth <= 10; tenth++) {
      // Degrees d with most * (tenth - 1) < 10 * d <= most * tenth; the first bucket has 0, too.
      long above = tenth == 1 ? -1 : (long) most * (tenth - 1);
      int count = 0;
      int top = 0;
      for (var degree : vertices.entrySet()) {
        if (10L * degree.getKey() > above && 10L * degree.getKey() <= (long) most * tenth) {
          count += degree.getValue();
          top = degree.getKey();
        }
      }
      if (count > bestCount) {
        bestCount = count;
        bestTop = top;
      }
    }
    return Math.max(1, bestTop);
  }
}
