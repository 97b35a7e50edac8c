package io.magpie.verification.testing;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A graph in compressed sparse row form: the arcs of vertex v are those from {@code offsets[v]} to
 * below {@code offsets[v + 1]}.
 */
public final class CsrGraph {
  private final int[] offsets;
  private final int[] neighbors;
  private final int[] weights;

  private CsrGraph(int[] offsets, int[] neighbors, int[] weights) {
    this.offsets = offsets;
    this.neighbors = neighbors;
    this.weights = weights;
  }

  /**
   * A graph of edges, each of them an arc in both directions; an edge from a vertex to itself is
   * one arc.
   *
   * @param edges for each its two ends and its weight
   * @throws IllegalArgumentException if an edge is not that, or an end is no vertex
   */
  public static CsrGraph ofEdges(int vertices, int[]... edges) {
    int[] offsets = new int[vertices + 1];
    for (int[] edge : edges) {
      check(vertices, edge);
      offsets[edge[0] + 1]++;
      offsets[edge[1] + 1] += edge[0] == edge[1] ? 0 : 1;
    }
    Arrays.parallelPrefix(offsets, Integer::sum);
    int[] next = offsets.clone();
    int[] neighbors = new int[offsets[vertices]];
    int[] weights = new int[offsets[vertices]];
    for (int[] edge : edges) {
      for (int end = 0; end < (edge[0] == edge[1] ? 1 : 2); end++) {
        int arc = next[edge[end]]++;
        neighbors[arc] = edge[1 - end];
        weights[arc] = edge[2];
      }
    }
    return new CsrGraph(offsets, neighbors, weights);
  }

  private static void check(int vertices, int[] edge) {
    if (edge.length != 3
        || Math.min(edge[0], edge[1]) < 0
        || Math.max(edge[0], edge[1]) >= vertices) {
      throw new IllegalArgumentException(
          Arrays.toString(edge)
              + " is no edge: expected two vertices below "
              + vertices
              + " and a weight");
    }
  }

  /** How many vertices. */
  public int vertices() {
    return offsets.length - 1;
  }

  /** How many arcs. */
  public int arcs() {
    return neighbors.length;
  }

  /** For each vertex where its arcs begin, and the number of arcs. */
  public int[] offsets() {
    return offsets.clone();
  }

  /** For each arc the vertex that it leads to. */
  public int[] neighbors() {
    return neighbors.clone();
  }

  /** For each arc the vertex that it leads from. */
  public int[] sources() {
    int[] sources = new int[neighbors.length];
    for (int v = 0; v < vertices(); v++) {
      Arrays.fill(sources, offsets[v], offsets[v + 1], v);
    }
    return sources;
  }

  /** For each arc its weight. */
  public int[] weights() {
    return weights.clone();
  }

  /** The arrays by the names that fields for them have. */
  Map<String, int[]> members() {
    Map<String, int[]> members = new LinkedHashMap<>();
    members.put("offsets", offsets);
    members.put("neighbors", neighbors);
    members.put("sources", sources());
    members.put("weights", weights);
    return members;
  }

  /** The edges as {@link #ofEdges} takes them, as Java source. */
  String edges() {
    return IntStream.range(0, vertices())
        .boxed()
        .flatMap(
            v ->
                IntStream.range(offsets[v], offsets[v + 1])
                    .filter(arc -> v <= neighbors[arc])
                    .mapToObj(arc -> "{" + v + ", " + neighbors[arc] + ", " + weights[arc] + "}"))
        .collect(Collectors.joining(", ", "new int[][] {", "}"));
  }

  /** The vertices and the edges, as {@code 3 vertices, 0-1 (7), 1-2 (5)}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder().append(vertices()).append(" vertices");
    for (int v = 0; v < vertices(); v++) {
      for (int arc = offsets[v]; arc < offsets[v + 1]; arc++) {
        if (v <= neighbors[arc]) {
          text.append(", ").append(v).append('-').append(neighbors[arc]);
          text.append(" (").append(weights[arc]).append(')');
        }
      }
    }
    return text.toString();
  }
}
