package io.magpie.examples.compare;

import io.magpie.algorithms.graph.DirectedGraph;
import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.paths.PathsOptions.Lengths;
import io.magpie.algorithms.paths.PathsResult;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Distances on all processors of the host, without a device, as in ports of LonestarGPU to Cilk
 * Plus: in each round the vertices whose distance has changed relax their arcs, and each thread
 * lists the vertices that come nearer; their lists make the next round's.
 */
final class HostPaths {
  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);

  /** Vertices that a thread takes at a time. */
  private static final int CHUNK = 128;

  private final int[] offsets;
  private final int[] neighbors;
  private final int[] weights;
  private final float[] floats;
  private final long[] distances;

  /** For each vertex the last round that listed it. */
  private final int[] listed;

  private HostPaths(DirectedGraph graph, Lengths lengths) {
    offsets = graph.offsets();
    neighbors = graph.neighbors();
    boolean weighted = lengths == Lengths.WEIGHTS && graph.weighted();
    boolean real = graph.weightType() == WeightType.FLOAT;
    weights = weighted && !real ? graph.weights() : null;
    floats = weighted && real ? graph.floatWeights() : null;
    distances = new long[graph.vertices()];
    listed = new int[graph.vertices()];
  }

  /**
   * Finds the distances from a vertex. Memory: 12 bytes for each vertex, and 8 for each that a
   * round lists.
   *
   * @param graph the graph, with weights if they are the lengths
   * @param source where paths begin
   * @param lengths how long arcs are
   * @return for each vertex its distance, {@link PathsResult#UNREACHED} if there is no path; of
   *     weights that are floats the bits of a double, as by {@link PathsResult#orderedDistances()}
   */
  static long[] distances(DirectedGraph graph, int source, Lengths lengths) {
    HostPaths paths = new HostPaths(graph, lengths);
    Arrays.fill(paths.distances, Long.MAX_VALUE);
    paths.distances[source] = 0;
    int[] nearer = {source};
    for (int round = 1; nearer.length > 0; round++) {
      nearer = paths.relax(nearer, round);
    }
    for (int v = 0; v < paths.distances.length; v++) {
      if (paths.distances[v] == Long.MAX_VALUE) {
        paths.distances[v] = PathsResult.UNREACHED;
      }
    }
    return paths.distances;
  }

  private int[] relax(int[] vertices, int round) {
    int[][] lists =
        IntStream.rangeClosed(0, vertices.length / CHUNK)
            .parallel()
            .mapToObj(chunk -> relax(vertices, chunk, round))
            .toArray(int[][]::new);
    int length = Arrays.stream(lists).mapToInt(list -> list.length).sum();
    int[] nearer = new int[length];
    int end = 0;
    for (int[] list : lists) {
      System.arraycopy(list, 0, nearer, end, list.length);
      end += list.length;
    }
    return nearer;
  }

  /** Relaxes the arcs of a part of the vertices, and lists those that come nearer. */
  private int[] relax(int[] vertices, int chunk, int round) {
    IntStream.Builder nearer = IntStream.builder();
    int begin = chunk * CHUNK;
    int end = begin + Math.min(CHUNK, vertices.length - begin);
    for (int i = begin; i < end; i++) {
      int v = vertices[i];
      long distance = (long) LONGS.getVolatile(distances, v);
      for (int a = offsets[v]; a < offsets[v + 1]; a++) {
        int w = neighbors[a];
        if (lower(w, behind(distance, a)) && (int) INTS.getAndSet(listed, w, round) != round) {
          nearer.add(w);
        }
      }
    }
    return nearer.build().toArray();
  }

  private long behind(long distance, int arc) {
    return floats == null
        ? distance + (weights == null ? 1 : weights[arc])
        : Double.doubleToRawLongBits(Double.longBitsToDouble(distance) + floats[arc]);
  }

  /** Whether an offer is below a vertex's distance, which it then replaces. */
  private boolean lower(int vertex, long offer) {
    long distance = (long) LONGS.getVolatile(distances, vertex);
    while (offer < distance) {
      long found = (long) LONGS.compareAndExchange(distances, vertex, distance, offer);
      if (found == distance) {
        return true;
      }
      distance = found;
    }
    return false;
  }
}
