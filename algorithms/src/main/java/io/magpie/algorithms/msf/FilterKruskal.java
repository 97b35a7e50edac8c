package io.magpie.algorithms.msf;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.msf.MsfOptions.Objective;
import java.math.BigDecimal;
import java.util.Arrays;

/**
 * Sequential Filter-Kruskal (Osipov, Sanders and Singler, ALENEX 2009): on dense graphs the time to
 * beat on one processor.
 *
 * <p>Method: quicksort of the edges by weight, which finishes the lighter part, its unions
 * included, before it turns to the heavier one and then first drops the edges whose ends are united
 * by now. Parts of no more edges than there are vertices are sorted and united as a whole.
 * Union-find with path halving, the larger root under the smaller. Shares no code with the kernels.
 * Expected time with weights at random: O(edges + vertices log(vertices) log(edges / vertices)) but
 * for the union-find's factor; memory: 16 bytes for each edge, 8 for each vertex. For maximum
 * forests and weights that are not ints from 0, keys in the order of the weights are compared in
 * their place, which takes 4 bytes more for each arc, and where keys are ranks, a sort of the
 * weights and 20 bytes for each edge until it is done.
 */
public final class FilterKruskal {
  /** Edges that insertion sorts faster. */
  private static final int FEW = 24;

  private final Graph graph;
  private final Objective objective;
  private final int[] parent;
  private final int[] chosen;
  private int chosenCount;
  private long keySum;

  /** Key of the weight << 32 | arc of the canonical arcs but self-loops. */
  private final long[] keys;

  /** A vertex of each end's component, in two halves. */
  private final long[] ends;

  private FilterKruskal(Graph graph, Objective objective) {
    this.graph = graph;
    this.objective = objective;
    this.parent = new int[graph.vertices()];
    for (int v = 0; v < parent.length; v++) {
      parent[v] = v;
    }
    int most = (int) Math.min(graph.edges(), Graph.MAX_ARCS);
    this.keys = new long[most];
    this.ends = new long[most];
    this.chosen = new int[Math.min(most, Math.max(parent.length - 1, 0))];
  }

  /**
   * Computes a minimum spanning forest on the calling thread.
   *
   * @param graph any graph; edges of an unweighted one weigh 1
   * @return the forest: of equal weights, the edges of lesser canonical arc; without a report
   */
  public static MsfResult run(Graph graph) {
    return run(graph, Objective.MINIMUM);
  }

  /**
   * Computes a minimum or maximum spanning forest on the calling thread.
   *
   * @param graph any graph; edges of an unweighted one weigh 1
   * @param objective which of the two
   * @return the forest: of equal weights, the edges of lesser canonical arc; without a report
   */
  public static MsfResult run(Graph graph, Objective objective) {
    FilterKruskal run = new FilterKruskal(graph, objective);
    run.unite(0, run.list());
    return run.result();
  }

  /** Lists the edges; gives their number. */
  private int list() {
    int[] offsets = graph.offsets();
    int[] neighbors = graph.neighbors();
    int[] weights = WeightKeys.of(graph, objective);
    int count = 0;
    for (int v = 0; v < parent.length; v++) {
      for (int a = offsets[v]; a < offsets[v + 1]; a++) {
        if (neighbors[a] > v) {
          keys[count] = (long) (weights == null ? 1 : weights[a]) << 32 | a;
          ends[count++] = (long) v << 32 | neighbors[a];
        }
      }
    }
    return count;
  }

  private MsfResult result() {
    int[] arcs = Arrays.copyOf(chosen, chosenCount);
    Arrays.sort(arcs);
    // Parents are smaller than their children, so one ascending pass makes every parent a root.
    for (int v = 0; v < parent.length; v++) {
      parent[v] = parent[parent[v]];
    }
    BigDecimal weight =
        WeightKeys.areWeights(graph, objective)
            ? BigDecimal.valueOf(keySum)
            : WeightSum.onThisThread(graph, arcs);
    return new MsfResult(graph, ArcSet.of(arcs), parent, weight, objective, null);
  }

  /** Unites along the edges from..to-1, the lightest first. */
  private void unite(int from, int to) {
    int begin = from;
    int end = to;
    while (end - begin > Math.max(FEW, parent.length)) {
      int middle = split(begin, end);
      unite(begin, middle);
      begin = middle;
      end = filter(middle, end);
    }
    sort(begin, end);
    for (int e = begin; e < end && chosenCount < chosen.length; e++) {
      int u = find((int) (ends[e] >>> 32));
      int v = find((int) ends[e]);
      if (u != v) {
        parent[Math.max(u, v)] = Math.min(u, v);
        chosen[chosenCount++] = (int) keys[e];
        keySum += keys[e] >>> 32;
      }
    }
  }

  /** Moves the edges that still join two components to the front of their part; gives its end. */
  private int filter(int from, int to) {
    int kept = from;
    for (int e = from; e < to; e++) {
      int u = find((int) (ends[e] >>> 32));
      int v = find((int) ends[e]);
      if (u != v) {
        keys[kept] = keys[e];
        ends[kept++] = (long) u << 32 | v;
      }
    }
    return kept;
  }

  private int find(int vertex) {
    int v = vertex;
    while (parent[v] != v) {
      parent[v] = parent[parent[v]];
      v = parent[v];
    }
    return v;
  }

  /** Quicksort, the shorter part first. */
  private void sort(int from, int to) {
    int begin = from;
    int end = to;
    while (end - begin > FEW) {
      int middle = split(begin, end);
      if (middle - begin < end - middle) {
        sort(begin, middle);
        begin = middle;
      } else {
        sort(middle, end);
        end = middle;
      }
    }
    for (int e = begin + 1; e < end; e++) {
      long key = keys[e];
      long pair = ends[e];
      int at = e;
      for (; at > begin && keys[at - 1] > key; at--) {
        keys[at] = keys[at - 1];
        ends[at] = ends[at - 1];
      }
      keys[at] = key;
      ends[at] = pair;
    }
  }

  /**
   * Splits more than {@link #FEW} edges into lighter and heavier ones around a median of nine; keys
   * differ, so neither part is empty.
   *
   * @return where the heavier part begins
   */
  private int split(int from, int to) {
    int step = (to - from) / FEW;
    int center = (from + to) >>> 1;
    long pivot =
        median(
            median(keys[from], keys[from + step], keys[from + 2 * step]),
            median(keys[center - step], keys[center], keys[center + step]),
            median(keys[to - 1 - 2 * step], keys[to - 1 - step], keys[to - 1]));
    int i = from;
    int j = to - 1;
    while (true) {
      while (keys[i] < pivot) {
        i++;
      }
      while (keys[j] > pivot) {
        j--;
      }
      if (i >= j) {
        return Math.max(i, from + 1);
      }
      long key = keys[i];
      keys[i] = keys[j];
      keys[j] = key;
      long pair = ends[i];
      ends[i++] = ends[j];
      ends[j--] = pair;
    }
  }

  private static long median(long a, long b, long c) {
    return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
  }
}
