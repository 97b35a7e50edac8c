package io.magpie.algorithms.partition;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.internal.Parallel;
import java.util.Arrays;

/**
 * A graph's weights in units in which their totals are below 2^31, so that words of 32 bits hold
 * every sum that a search on a device forms. Where they are so anyway the units are 1, and this is
 * the graph itself.
 *
 * <p>Vertex weights are rounded up: parts that keep {@link #balance} keep the graph's, as long as
 * that is as even as whole units allow. Edge weights are rounded to the nearest unit, but not to 0.
 * A search by them finds parts; cut and weights of these are to be counted by {@link #graph} again.
 *
 * @param graph the graph with those weights; null where all weights are 1 and it is on the device
 * @param balance what its parts may weigh, in units
 * @param vertexUnit what a vertex weighs that weighs 1 there
 * @param edgeUnit the same of edges
 */
record CoarseUnits(Graph graph, Balance balance, long vertexUnit, long edgeUnit) {
  private static final long MOST = Integer.MAX_VALUE;

  /**
   * Rounds a graph's weights. Their totals are below 2^62: there are less than 2^31 vertices, and
   * less than 2^30 edges, of less than 2^31 each.
   *
   * @param asked its balance
   */
  static CoarseUnits of(Graph graph, Balance asked) {
    long edges = (graph.arcs() + 1L) / 2;
    long vertexUnit = unit(asked.weight(), graph.vertices());
    long edgeUnit = unit(weightOfArcs(graph) / 2, edges);
    if (vertexUnit == 1 && edgeUnit == 1) {
      return new CoarseUnits(graph, asked, 1, 1);
    }
    int[] weights = graph.weights();
    if (edgeUnit > 1) {
      weights = rounded(weights, edgeUnit, edgeUnit / 2);
    }
    int[] vertexWeights = graph.vertexWeights();
    Balance balance = asked;
    if (vertexUnit > 1) {
      vertexWeights = rounded(vertexWeights, vertexUnit, vertexUnit - 1);
      balance = balance(asked, vertexWeights, vertexUnit);
    }
    Graph rounded = Graph.of(graph.offsets(), graph.neighbors(), weights, vertexWeights);
    return new CoarseUnits(rounded, balance, vertexUnit, edgeUnit);
  }

  /** Of a graph without weights, whose totals are the numbers of its vertices and edges. */
  static CoarseUnits ofOnes(Balance balance) {
    return new CoarseUnits(null, balance, 1, 1);
  }

  /** The least unit in which a total is below 2^31, though each of so many may be rounded up. */
  private static long unit(long total, long count) {
    return total <= MOST ? 1 : (total + MOST - count - 1) / (MOST - count);
  }

  private static int[] rounded(int[] weights, long unit, long added) {
    int[] result = new int[weights.length];
    Parallel.forRanges(
        weights.length,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            long whole = (weights[i] + added) / unit;
            result[i] = (int) (weights[i] == 0 ? 0 : Math.max(1, whole));
          }
        });
    return result;
  }

  private static Balance balance(Balance asked, int[] weights, long unit) {
    long sum = 0;
    long heaviest = 0;
    for (int w : weights) {
      sum += w;
      heaviest = Math.max(heaviest, w);
    }
    if (asked.limits().isEmpty()) {
      long least = Math.max(heaviest, Balance.limit(sum, asked.parts(), 0));
      long limit = Math.max(least, asked.limit() / unit);
      return new Balance(sum, asked.parts(), asked.imbalance(), limit);
    }
    long most = heaviest;
    long[] limits = asked.shares().targets(sum, asked.parts());
    Arrays.setAll(
        limits,
        p -> {
          long least = asked.limit(p) == asked.limit() ? Math.max(most, limits[p]) : limits[p];
          return Math.max(least, asked.limit(p) / unit);
        });
    return Balance.of(sum, asked.parts(), asked.imbalance(), asked.shares(), limits);
  }

  /** Of both directions of all edges, self-loops aside. */
  private static long weightOfArcs(Graph graph) {
    int[] weights = graph.weights();
    if (weights == null) {
      return graph.arcs();
    }
    return Parallel.sum(
        graph.vertices(),
        (from, to) -> {
          long sum = 0;
          for (int v = from; v < to; v++) {
            for (int a = graph.offsets()[v]; a < graph.offsets()[v + 1]; a++) {
              sum += graph.neighbors()[a] == v ? 0 : weights[a];
            }
          }
          return sum;
        });
  }

  /** Whether weights are as they were. */
  boolean exact() {
    return vertexUnit == 1 && edgeUnit == 1;
  }

  /** The weight of the edges of a graph that lead from one part to another. */
  static long cut(Graph graph, int... parts) {
    return Parallel.sum(
            graph.vertices(),
            (from, to) -> {
              long sum = 0;
              for (int v = from; v < to; v++) {
                for (int a = graph.offsets()[v]; a < graph.offsets()[v + 1]; a++) {
                  sum += parts[graph.neighbors()[a]] == parts[v] ? 0 : graph.weight(a);
                }
              }
              return sum;
            })
        / 2;
  }
}
