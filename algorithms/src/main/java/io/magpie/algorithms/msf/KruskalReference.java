package io.magpie.algorithms.msf;

import io.magpie.algorithms.graph.Graph;
import java.util.Arrays;

/**
 * Sequential Kruskal: the oracle of the other forms, and the time they have to beat on a processor.
 *
 * <p>Method: the canonical arcs are sorted by weight (a radix sort of packed weight and arc,
 * stable, 11 bits a pass, as many passes as the largest weight needs), then united in that order;
 * union-find with path halving, the larger root under the smaller. Shares no code with the kernels.
 * Time: O(vertices + arcs) but for the union-find's factor; memory: 24 bytes for each edge, 8 for
 * each vertex.
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
    int vertices = graph.vertices();
    int[] offsets = graph.offsets();
    int[] neighbors = graph.neighbors();
    int[] weights = graph.weights();

    // Weight << 32 | arc of each canonical arc but self-loops, and the arc's source beside it.
    int count = 0;
    long[] keys = new long[(int) Math.min(graph.edges(), Graph.MAX_ARCS)];
    int largest = 0;
    for (int v = 0; v < vertices; v++) {
      for (int a = offsets[v]; a < offsets[v + 1]; a++) {
        if (neighbors[a] > v) {
          int weight = weights == null ? 1 : weights[a];
          largest = Math.max(largest, weight);
          keys[count++] = (long) weight << 32 | a;
        }
      }
    }
    if (weights != null) {
      keys = sort(keys, count, largest);
    }

    int[] parent = new int[vertices];
    for (int v = 0; v < vertices; v++) {
      parent[v] = v;
    }
    int[] sources = sources(graph);
    int[] arcs = new int[Math.min(count, Math.max(vertices - 1, 0))];
    int chosen = 0;
    long total = 0;
    for (int i = 0; i < count && chosen < arcs.length; i++) {
      int arc = (int) keys[i];
      int u = find(parent, sources[arc]);
      int v = find(parent, neighbors[arc]);
      if (u != v) {
        parent[Math.max(u, v)] = Math.min(u, v);
        arcs[chosen++] = arc;
        total += keys[i] >>> 32;
      }
    }
    arcs = Arrays.copyOf(arcs, chosen);
    Arrays.sort(arcs);
    // Parents are smaller than their children, so one ascending pass makes every parent a root.
    for (int v = 0; v < vertices; v++) {
      parent[v] = parent[parent[v]];
    }
    return new MsfResult(graph, ArcSet.of(arcs), parent, total, null);
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

  /** Stable radix sort by the upper halves, which are at most {@code largest}. */
  private static long[] sort(long[] keys, int count, int largest) {
    long[] from = keys;
    long[] to = new long[keys.length];
    for (int shift = 32; shift < 64 && largest >>> (shift - 32) != 0; shift += DIGIT) {
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
