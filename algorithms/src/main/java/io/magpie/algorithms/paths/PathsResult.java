package io.magpie.algorithms.paths;

import io.magpie.algorithms.graph.DirectedGraph;
import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.paths.PathsOptions.Lengths;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/**
 * Shortest paths from one vertex, the source, to all vertices: how long they are, and, if that was
 * asked for, one of them each.
 *
 * <p>A distance is the sum of lengths of a path's arcs: a long, or, of weights that are floats, a
 * double. Of a double each addition is rounded, in the order of the path from its source, and the
 * distance is the least sum of all paths. So distances are determined by graph and source; where
 * several shortest paths lead to a vertex, its predecessor may differ between options and runs.
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

  /** Lengths, where they are floats; otherwise null. */
  private final float[] floats;

  /**
   * A result, not checked; see {@link PathsVerifier}.
   *
   * @param graph what the paths lead through
   * @param source where they begin
   * @param lengths how long arcs are
   * @param distances one for each vertex, or the bits of one that is a double; not copied
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
    this.floats = floating() ? graph.floatWeights() : null;
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

  /**
   * Whether distances are doubles, sums of weights that are floats: {@link #doubleDistances()} has
   * them, and not {@link #distances()}.
   */
  public boolean floating() {
    return lengths == Lengths.WEIGHTS && graph.weightType() == WeightType.FLOAT;
  }

  /**
   * The length of an arc: 1, or its weight.
   *
   * @throws IllegalStateException if lengths are floats; {@link #exactLength} is for all
   */
  public int length(int arc) {
    return lengths == Lengths.UNIT ? 1 : graph.weight(arc);
  }

  /** The length of an arc, 1 or its weight: an Integer or a Float. */
  public Number exactLength(int arc) {
    return lengths == Lengths.UNIT ? (Number) 1 : graph.exactWeight(arc);
  }

  /**
   * For each vertex its distance from the source, or {@link #UNREACHED}; not a copy.
   *
   * @throws IllegalStateException if distances are {@linkplain #floating() doubles}
   */
  public long[] distances() {
    if (floating()) {
      throw new IllegalStateException("the distances are doubles; see doubleDistances()");
    }
    return distances;
  }

  /**
   * For each vertex its distance from the source, which is a double; infinite where no path leads.
   * Cost: O(vertices), 8 bytes for each.
   *
   * @return a new array
   * @throws IllegalStateException if distances are {@linkplain #floating() longs}
   */
  public double[] doubleDistances() {
    if (!floating()) {
      throw new IllegalStateException("the distances are longs; see distances()");
    }
    double[] result = new double[distances.length];
    Arrays.setAll(result, v -> real(distances[v]));
    return result;
  }

  /**
   * The distance of a vertex as a Long, or as a Double where distances are {@linkplain #floating()
   * doubles}. If no path leads there, {@link #UNREACHED} as a Long, or infinity as a Double.
   */
  public Number exactDistance(int vertex) {
    return number(distances[vertex]);
  }

  private Number number(long distance) {
    return floating() ? (Number) real(distance) : (Number) distance;
  }

  private static double real(long bits) {
    return bits == UNREACHED ? Double.POSITIVE_INFINITY : Double.longBitsToDouble(bits);
  }

  /**
   * For each vertex a whole number that stands for its distance, or {@link #UNREACHED}: a long for
   * itself, a {@linkplain #floating() double} for its bits, which are ordered as distances are; not
   * a copy.
   */
  public long[] orderedDistances() {
    return distances;
  }

  /** What stands so for the distance at the end of an arc, by that at its beginning. */
  long behind(long distance, int arc) {
    return floats == null
        ? distance + length(arc)
        : Double.doubleToRawLongBits(Double.longBitsToDouble(distance) + floats[arc]);
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

  /**
   * The largest distance of a vertex that is reached: 0 at least. Cost: O(vertices).
   *
   * @throws IllegalStateException if distances are {@linkplain #floating() doubles}; {@link
   *     #exactFarthest} is for all
   */
  public long farthest() {
    return most(distances());
  }

  /** The same as a Long, or as a Double where distances are {@linkplain #floating() doubles}. */
  public Number exactFarthest() {
    return number(most(distances));
  }

  private static long most(long[] distances) {
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
        + exactFarthest()
        + "]";
  }
}
