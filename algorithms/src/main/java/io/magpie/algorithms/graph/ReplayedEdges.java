package io.magpie.algorithms.graph;

import io.magpie.algorithms.internal.Parallel;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * Builds a graph from edges that can be computed twice: once to count degrees, once to place them,
 * so that nothing but the graph and 4 bytes for each vertex is in memory. Edges are computed in
 * parallel; sorting every list afterwards makes the result independent of the schedule.
 */
final class ReplayedEdges {
  /** What {@link Source#edge} returns where there is no edge. */
  static final long NONE = -1;

  private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);

  private ReplayedEdges() {}

  /** Edges as a pure function of their number. */
  @FunctionalInterface
  interface Source {
    /** Edge number {@code index} as {@link #pack packed} end points, or {@link #NONE}. */
    long edge(long index);
  }

  static long pack(int u, int v) {
    return ((long) u << 32) | v;
  }

  /** An unweighted graph of the edges {@code 0 .. candidates - 1}, lists in order of target. */
  static Graph build(int vertices, long candidates, Source source) {
    Symmetrizer.Arcs arcs = arcs(vertices, candidates, source, true);
    return Graph.trusted(arcs.offsets(), arcs.neighbors(), null, null);
  }

  /** The same edges as arcs from their first end point to their second. */
  static DirectedGraph buildDirected(int vertices, long candidates, Source source) {
    Symmetrizer.Arcs arcs = arcs(vertices, candidates, source, false);
    return DirectedGraph.trusted(arcs.offsets(), arcs.neighbors(), null);
  }

  private static Symmetrizer.Arcs arcs(int vertices, long candidates, Source source, boolean both) {
    // Entry v + 1 counts the arcs of v, then becomes the place of its next arc, which ends as the
    // place where the arcs of v + 1 begin.
    int[] offsets = new int[vertices + 1];
    Parallel.forLongRanges(
        candidates, (from, to) -> new Batch(source, both, offsets, null).run(from, to));
    long arcs = 0;
    for (int v = 0; v < vertices; v++) {
      int degree = offsets[v + 1];
      offsets[v + 1] = (int) arcs;
      arcs += degree;
      if (degree < 0 || arcs > Graph.MAX_ARCS) {
        throw new GraphTooLargeException("arcs", arcs, Graph.MAX_ARCS);
      }
    }
    int[] neighbors = new int[(int) arcs];
    Parallel.forLongRanges(
        candidates, (from, to) -> new Batch(source, both, offsets, neighbors).run(from, to));
    Parallel.forRanges(
        vertices,
        (from, to) -> {
          for (int v = from; v < to; v++) {
            sort(neighbors, offsets[v], offsets[v + 1]);
          }
        });
    return new Symmetrizer.Arcs(offsets, neighbors, null);
  }

  /**
   * One worker's pass over edges, some at a time. An atomic addition waits for its cache line and
   * for all stores before it; so the lines are loaded first, by reads that overlap, and targets are
   * stored afterwards, all at once.
   */
  private static final class Batch {
    private static final int EDGES = 512;

    private final Source source;
    private final boolean both;
    private final int[] offsets;
    private final int[] neighbors;
    private final int[] sources = new int[2 * EDGES];
    private final int[] targets = new int[2 * EDGES];
    private int arcs;

    @SuppressWarnings("unused") // Written only, so that the reads that it sums up are made.
    private int touched;

    /** Counts degrees where {@code neighbors} is null, otherwise places arcs. */
    Batch(Source source, boolean both, int[] offsets, int[] neighbors) {
      this.source = source;
      this.both = both;
      this.offsets = offsets;
      this.neighbors = neighbors;
    }

    void run(long from, long to) {
      for (long i = from; i < to; i++) {
        long edge = source.edge(i);
        if (edge != NONE) {
          int u = (int) (edge >>> 32);
          int v = (int) edge;
          add(u, v);
          if (both && u != v) {
            add(v, u);
          }
          if (arcs > 2 * EDGES - 2) {
            flush();
          }
        }
      }
      flush();
    }

    private void add(int from, int to) {
      sources[arcs] = from;
      targets[arcs] = to;
      arcs++;
    }

    private void flush() {
      // Races with other workers' additions, harmlessly: nothing depends on the values.
      int sum = 0;
      for (int i = 0; i < arcs; i++) {
        sum += offsets[sources[i] + 1];
      }
      touched = sum;
      for (int i = 0; i < arcs; i++) {
        sources[i] = (int) INTS.getAndAdd(offsets, sources[i] + 1, 1);
      }
      if (neighbors != null) {
        for (int i = 0; i < arcs; i++) {
          neighbors[sources[i]] = targets[i];
        }
      }
      arcs = 0;
    }
  }

  private static void sort(int[] values, int from, int to) {
    if (to - from > 32) {
      Arrays.sort(values, from, to);
      return;
    }
    for (int i = from + 1; i < to; i++) {
      int value = values[i];
      int j = i - 1;
      while (j >= from && values[j] > value) {
        values[j + 1] = values[j];
        j--;
      }
      values[j + 1] = value;
    }
  }
}
