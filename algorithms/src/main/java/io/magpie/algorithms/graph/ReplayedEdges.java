package io.magpie.algorithms.graph;

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
    // Entry v + 1 counts the arcs of v, then becomes the place of its next arc, which ends as the
    // place where the arcs of v + 1 begin.
    int[] offsets = new int[vertices + 1];
    Parallel.forLongRanges(
        candidates,
        (from, to) -> {
          for (long i = from; i < to; i++) {
            long edge = source.edge(i);
            if (edge != NONE) {
              int u = (int) (edge >>> 32);
              int v = (int) edge;
              INTS.getAndAdd(offsets, u + 1, 1);
              if (u != v) {
                INTS.getAndAdd(offsets, v + 1, 1);
              }
            }
          }
        });
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
        candidates,
        (from, to) -> {
          for (long i = from; i < to; i++) {
            long edge = source.edge(i);
            if (edge != NONE) {
              int u = (int) (edge >>> 32);
              int v = (int) edge;
              neighbors[(int) INTS.getAndAdd(offsets, u + 1, 1)] = v;
              if (u != v) {
                neighbors[(int) INTS.getAndAdd(offsets, v + 1, 1)] = u;
              }
            }
          }
        });
    Parallel.forRanges(
        vertices,
        (from, to) -> {
          for (int v = from; v < to; v++) {
            sort(neighbors, offsets[v], offsets[v + 1]);
          }
        });
    return Graph.trusted(offsets, neighbors, null, null);
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
