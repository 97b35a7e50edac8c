package io.magpie.algorithms.partition;

import io.magpie.algorithms.graph.Graph;
import java.util.Arrays;
import java.util.Comparator;

/**
 * Moves vertices out of parts that are too heavy, one after the other, on the host: for the rare
 * partition that refinement did not bring to balance, as where no part may exceed the even weight.
 */
final class BalanceRepair {
  private final Graph graph;
  private final int[] part;
  private final long limit;
  private final long[] load;
  private final long[] joined;

  private BalanceRepair(Graph graph, int[] part, Balance balance) {
    this.graph = graph;
    this.part = part;
    this.limit = balance.limit();
    this.load = new long[balance.parts()];
    this.joined = new long[balance.parts()];
    for (int v = 0; v < part.length; v++) {
      load[part[v]] += weight(v);
    }
  }

  /**
   * Repairs a partition in place: of each part that is too heavy those vertices leave whose moves
   * cost least for their weight, to where they cost least and fit. Where all vertices weigh the
   * same the result is feasible.
   *
   * @return the weight of each part
   */
  static long[] repair(Graph graph, int[] part, Balance balance) {
    BalanceRepair repair = new BalanceRepair(graph, part, balance);
    for (int q = 0; q < repair.load.length; q++) {
      if (repair.load[q] > repair.limit) {
        repair.relieve(q);
      }
    }
    return repair.load;
  }

  private void relieve(int heavy) {
    int[] members = new int[part.length];
    double[] costs = new double[part.length];
    int count = 0;
    for (int v = 0; v < part.length; v++) {
      if (part[v] == heavy && weight(v) > 0) {
        join(v, 1);
        long most = 0;
        for (long a = graph.offset(v); a < graph.offset(v + 1); a++) {
          int q = part[graph.neighbors()[(int) a]];
          most = q == heavy ? most : Math.max(most, joined[q]);
        }
        costs[v] = (double) (joined[heavy] - most) / weight(v);
        join(v, -1);
        members[count++] = v;
      }
    }
    Integer[] order = Arrays.stream(members, 0, count).boxed().toArray(Integer[]::new);
    Arrays.sort(order, Comparator.comparingDouble(v -> costs[v]));
    for (int v : order) {
      if (load[heavy] <= limit) {
        return;
      }
      int to = target(v);
      if (to >= 0) {
        load[heavy] -= weight(v);
        load[to] += weight(v);
        part[v] = to;
      }
    }
  }

  /** The part with room that a vertex is most joined to, of those the lightest; -1 if none. */
  private int target(int v) {
    join(v, 1);
    int to = -1;
    for (int q = 0; q < load.length; q++) {
      if (q == part[v] || load[q] + weight(v) > limit) {
        continue;
      }
      if (to < 0 || joined[q] > joined[to] || (joined[q] == joined[to] && load[q] < load[to])) {
        to = q;
      }
    }
    join(v, -1);
    return to;
  }

  /** Adds the weight of a vertex's edges to each part, or takes it off again. */
  private void join(int v, int sign) {
    for (int a = (int) graph.offset(v); a < graph.offset(v + 1); a++) {
      if (graph.neighbors()[a] != v) {
        joined[part[graph.neighbors()[a]]] +=
            sign * (long) (graph.weighted() ? graph.weight(a) : 1);
      }
    }
  }

  private long weight(int v) {
    int[] weights = graph.vertexWeights();
    return weights == null ? 1 : weights[v];
  }
}
