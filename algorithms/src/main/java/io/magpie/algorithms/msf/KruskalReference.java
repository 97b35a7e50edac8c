package io.magpie.algorithms.msf;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.msf.MsfOptions.Objective;
import java.math.BigDecimal;
import java.util.Arrays;

/**
 * Sequential Kruskal: the oracle of the other forms, and the time they have to beat on a processor.
 *
 * <p>Method: the canonical arcs are sorted by weight, then united in that order; union-find with
 * path halving, the larger root under the smaller. Ints are sorted by a radix sort of packed key
 * and arc (stable, 11 bits a pass, as many passes as the largest key needs): the key is the weight
 * itself for minimum forests if none is negative, otherwise its distance from the best weight.
 * Other weights are sorted as they are, by comparisons of their type in a merge sort, which is
 * stable too. Shares no code with the kernels, and does not use what devices compare in place of
 * weights. Time: O(vertices + arcs) but for the union-find's factor, and with comparisons that of
 * the sort; memory: 24 bytes for each edge with ints, 16 with other weights, 8 for each vertex.
 */
public final class KruskalReference {
  private static final int DIGIT = 11;
  private static final int BUCKETS = 1 << DIGIT;

  private KruskalReference() {}

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
    boolean ints = graph.weightType() == WeightType.INT;
    int best = ints ? best(graph, objective) : 0;
    long[] order = ints ? byKeys(graph, objective, best) : byComparisons(graph, objective);
    int vertices = graph.vertices();
    int[] neighbors = graph.neighbors();
    int[] parent = new int[vertices];
    for (int v = 0; v < vertices; v++) {
      parent[v] = v;
    }
    int[] sources = sources(graph);
    int[] arcs = new int[Math.min(order.length, Math.max(vertices - 1, 0))];
    int chosen = 0;
    long total = 0;
    for (int i = 0; i < order.length && chosen < arcs.length; i++) {
      int arc = (int) order[i];
      int u = find(parent, sources[arc]);
      int v = find(parent, neighbors[arc]);
      if (u != v) {
        parent[Math.max(u, v)] = Math.min(u, v);
        arcs[chosen++] = arc;
        total += order[i] >>> 32;
      }
    }
    arcs = Arrays.copyOf(arcs, chosen);
    Arrays.sort(arcs);
    // Parents are smaller than their children, so one ascending pass makes every parent a root.
    for (int v = 0; v < vertices; v++) {
      parent[v] = parent[parent[v]];
    }
    BigDecimal weight =
        ints
            ? BigDecimal.valueOf(
                (long) chosen * best + (objective == Objective.MINIMUM ? total : -total))
            : WeightSum.onThisThread(graph, arcs);
    return new MsfResult(graph, ArcSet.of(arcs), parent, weight, objective, null);
  }

  /** The int whose key is 0: the best weight, or 0 if a minimum forest's are all from 0. */
  private static int best(Graph graph, Objective objective) {
    int[] weights = graph.weights();
    boolean minimum = objective == Objective.MINIMUM;
    if (weights == null || weights.length == 0) {
      return minimum ? 0 : 1;
    }
    if (minimum && !graph.hasNegativeWeights()) {
      return 0;
    }
    int best = weights[0];
    for (int weight : weights) {
      best = minimum ? Math.min(best, weight) : Math.max(best, weight);
    }
    return best;
  }

  /**
   * The edges in the order of weights that are ints: key << 32 | canonical arc, where the key is
   * the distance from the best weight, an unsigned number of 32 bits.
   */
  private static long[] byKeys(Graph graph, Objective objective, int best) {
    int[] offsets = graph.offsets();
    int[] neighbors = graph.neighbors();
    int[] weights = graph.weights();
    long[] keys = new long[(int) graph.edges()];
    int count = 0;
    int allKeys = 0;
    for (int v = 0; v < graph.vertices(); v++) {
      for (int a = offsets[v]; a < offsets[v + 1]; a++) {
        if (neighbors[a] > v) {
          int weight = weights == null ? 1 : weights[a];
          int key = objective == Objective.MINIMUM ? weight - best : best - weight;
          allKeys |= key;
          keys[count++] = (long) key << 32 | a;
        }
      }
    }
    keys = count == keys.length ? keys : Arrays.copyOf(keys, count);
    return weights == null ? keys : sort(keys, allKeys);
  }

  /** The canonical arcs but self-loops, ascending. */
  private static int[] edges(Graph graph) {
    int[] offsets = graph.offsets();
    int[] neighbors = graph.neighbors();
    int[] edges = new int[(int) graph.edges()];
    int count = 0;
    for (int v = 0; v < graph.vertices(); v++) {
      for (int a = offsets[v]; a < offsets[v + 1]; a++) {
        if (neighbors[a] > v) {
          edges[count++] = a;
        }
      }
    }
    return Arrays.copyOf(edges, count);
  }

  /** Compares the weights of two arcs. */
  @FunctionalInterface
  private interface Comparison {
    int of(int arc, int other);
  }

  /** The canonical arcs in the order of an objective; of equal weights the lesser is first. */
  private static long[] byComparisons(Graph graph, Objective objective) {
    int[] edges = edges(graph);
    Comparison ascending =
        switch (graph.weightType()) {
          case INT -> throw new IllegalArgumentException("ints are sorted by keys");
          case LONG -> {
            long[] weights = graph.longWeights();
            yield (a, b) -> Long.compare(weights[a], weights[b]);
          }
          case FLOAT -> {
            float[] weights = graph.floatWeights();
            yield (a, b) -> weights[a] < weights[b] ? -1 : weights[a] > weights[b] ? 1 : 0;
          }
          case DOUBLE -> {
            double[] weights = graph.doubleWeights();
            yield (a, b) -> weights[a] < weights[b] ? -1 : weights[a] > weights[b] ? 1 : 0;
          }
        };
    Comparison order = objective == Objective.MINIMUM ? ascending : (a, b) -> ascending.of(b, a);
    return Arrays.stream(merged(edges, order)).asLongStream().toArray();
  }

  /** Stable merge sort, the runs twice as long in each pass. */
  private static int[] merged(int[] arcs, Comparison order) {
    int[] from = arcs;
    int[] to = new int[arcs.length];
    for (long run = 1; run < arcs.length; run *= 2) {
      for (long begin = 0; begin < arcs.length; begin += 2 * run) {
        int middle = (int) Math.min(arcs.length, begin + run);
        int end = (int) Math.min(arcs.length, begin + 2 * run);
        int left = (int) begin;
        int right = middle;
        for (int i = left; i < end; i++) {
          boolean takeLeft =
              left < middle && (right == end || order.of(from[left], from[right]) <= 0);
          to[i] = takeLeft ? from[left++] : from[right++];
        }
      }
      int[] swap = from;
      from = to;
      to = swap;
    }
    return from;
  }

  /** The source of each arc. */
  private static int[] sources(Graph graph) {
    int[] offsets = graph.offsets();
    int[] sources = new int[graph.neighbors().length];
    for (int v = 0; v < graph.vertices(); v++) {
      Arrays.fill(sources, offsets[v], offsets[v + 1], v);
    }
    return sources;
  }

  /** Stable radix sort by the upper halves, which have no bits but those of {@code all}. */
  private static long[] sort(long[] keys, int all) {
    int count = keys.length;
    long[] from = keys;
    long[] to = new long[keys.length];
    for (int shift = 32; shift < 64 && all >>> (shift - 32) != 0; shift += DIGIT) {
      int[] next = new int[BUCKETS + 1];
      for (int i = 0; i < count; i++) {
        next[(int) (from[i] >>> shift) & (BUCKETS - 1)]++;
      }
      int sum = 0;
      for (int b = 0; b < BUCKETS; b++) {
        int size = next[b];
        next[b] = sum;
        sum += size;
      }
      for (int i = 0; i < count; i++) {
        to[next[(int) (from[i] >>> shift) & (BUCKETS - 1)]++] = from[i];
      }
      long[] swap = from;
      from = to;
      to = swap;
    }
    return from;
  }

  private static int find(int[] parent, int v) {
    while (parent[v] != v) {
      parent[v] = parent[parent[v]];
      v = parent[v];
    }
    return v;
  }
}
