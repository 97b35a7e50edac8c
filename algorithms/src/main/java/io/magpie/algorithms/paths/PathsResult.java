package io.magpie.algorithms.paths;

import io.magpie.algorithms.graph.DirectedGraph;
import io.magpie.algorithms.paths.PathsOptions.Lengths;
import java.util.Objects;
import java.util.Optional;

/**
 * Shortest paths from one vertex, the source, to all vertices: how long they are, and, if that was
 * asked for, one of them each.
 *
 * <p>A distance is the sum of lengths of a path's arcs. Distances are determined by graph and
 * source; where several shortest paths lead to a vertex, its predecessor may differ between options
 * and runs.
 */
public final class PathsResult {
  /** The distance of a vertex that no path leads to; also its predecessor. */
  public static final int UNREACHED = -1;

  private final DirectedGraph graph;
  private final int source;
  private final Lengths lengths;
  private final long[] distances;
  private final int[] predecessors;
  private final PathsReport report;

  /**
   * A result, not checked; see {@link PathsVerifier}.
   *
   * @param graph what the paths lead through
   * @param source where they begin
   * @param lengths how long arcs are
   * @param distances one for each vertex; not copied
   * @param predecessors one for each vertex, or null; not copied
   * @param report how it was computed, or null
   */
  PathsResult(
      DirectedGraph graph,
      int source,
      Lengths lengths,
      long[] distances,
      int[] predecessors,
      PathsReport report) {
    this.graph = Objects.requireNonNull(graph, "graph");
    this.source = source;
    this.lengths = Objects.requireNonNull(lengths, "lengths");
    this.distances = Objects.requireNonNull(distances, "distances");
    this.predecessors = predecessors;
    this.report = report;
  }

  /** The graph. */
  public DirectedGraph graph() {
    return graph;
  }

  /** The vertex where all paths begin. */
  public int source() {
    return source;
  }

  /** How long arcs are. */
  public Lengths lengths() {
    return lengths;
  }

  /** The length of an arc: 1, or its weight. */
  public int length(int arc) {
    return lengths == Lengths.UNIT ? 1 : graph.weight(arc);
  }

  /** For each vertex its distance from the source, or {@link #UNREACHED}; not a copy. */
  public long[] distances() {
    return distances;
  }

  /**
   * For each vertex the one before it on a shortest path, for the source itself, or {@link
   * #UNREACHED}; not a copy; empty if predecessors were not asked for.
   */
  public Optional<int[]> predecessors() {
    return Optional.ofNullable(predecessors);
  }

  /** The number of vertices that a path leads to, the source among them. Cost: O(vertices). */
  public int reached() {
    int count = 0;
    for (long distance : distances) {
      count += distance == UNREACHED ? 0 : 1;
    }
    return count;
  }

  /** The largest distance of a vertex that is reached: 0 at least. Cost: O(vertices). */
  public long farthest() {
    long most = 0;
    for (long distance : distances) {
      most = Math.max(most, distance);
    }
    return most;
  }

  /**
   * A shortest path. Cost: the number of its vertices.
   *
   * @param target where it ends
   * @return its vertices from the source to the target, both included; empty if none leads there
   * @throws IllegalStateException if predecessors were not asked for
   */
  public int[] pathTo(int target) {
    Objects.checkIndex(target, distances.length);
    if (predecessors == null) {
      throw new IllegalStateException(
          "there are no predecessors; compute with predecessors=afterwards or with-distance");
    }
    if (predecessors[target] == UNREACHED) {
      return new int[0];
    }
    int vertices = 1;
    for (int v = target; v != source; v = predecessors[v]) {
      vertices++;
    }
    int[] path = new int[vertices];
    for (int v = target, i = vertices - 1; i >= 0; v = predecessors[v], i--) {
      path[i] = v;
    }
    return path;
  }

  /** How it was computed; empty for the sequential references. */
  public Optional<PathsReport> report() {
    return Optional.ofNullable(report);
  }

  @Override
  public String toString() {
    return "PathsResult[vertices="
        + distances.length
        + ", source="
        + source
        + ", lengths="
        + PathsOptions.LENGTHS.write(lengths)
        + ", reached="
        + reached()
        + ", farthest="
        + farthest()
        + "]";
  }
}
