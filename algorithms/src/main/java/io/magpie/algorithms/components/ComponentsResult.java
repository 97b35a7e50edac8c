package io.magpie.algorithms.components;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.internal.driver.ResultArray;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The connected components of a graph: for each vertex the least vertex that it is connected to,
 * itself perhaps; and, if it was asked for, the edges of a spanning forest.
 *
 * <p>An edge is named by its canonical arc (see {@link Graph}): the arc from the smaller end point
 * to the larger. Labels are the same whatever the options and the run; which of several spanning
 * forests it is may differ.
 */
public final class ComponentsResult {
  private final int vertices;
  private final Supplier<Graph> graph;
  private final ResultArray<int[]> labels;
  private final int components;
  private final int[] forest;
  private final ComponentsReport report;

  /**
   * A result, not checked; see {@link ComponentsVerifier}.
   *
   * @param graph whose components they are
   * @param labels for each vertex the least one of its component; not copied
   * @param components how many there are
   * @param forest the canonical arcs of a spanning forest, ascending, not copied; or null
   * @param report how it was computed, or null
   */
  ComponentsResult(
      Graph graph, int[] labels, int components, int[] forest, ComponentsReport report) {
    this(graph.vertices(), () -> graph, ResultArray.of(labels), components, forest, report);
  }

  /** The same whose graph and labels may be on the device until they are asked for. */
  ComponentsResult(
      int vertices,
      Supplier<Graph> graph,
      ResultArray<int[]> labels,
      int components,
      int[] forest,
      ComponentsReport report) {
    this.vertices = vertices;
    this.graph = Objects.requireNonNull(graph, "graph");
    this.labels = Objects.requireNonNull(labels, "labels");
    this.components = components;
    this.forest = forest;
    this.report = report;
  }

  /**
   * The graph; one that was on the device is copied to Java's memory by the first call for it.
   *
   * @throws IllegalStateException if it was on the device, was never copied, and is closed
   */
  public Graph graph() {
    return graph.get();
  }

  /**
   * For each vertex the least vertex of its component; not a copy, unless they stay {@linkplain
   * io.magpie.algorithms.ResultArrays#onDevice on the device}.
   *
   * @throws IllegalStateException if they stay on the device and are first asked for when a later
   *     call has written to the array there, or it is closed
   */
  public int[] labels() {
    return labels.get();
  }

  /** The number of connected components; an isolated vertex is one. */
  public int components() {
    return components;
  }

  /**
   * The number of vertices of the largest component; 0 without any. Cost: O(vertices). Of a result
   * whose labels are no vertices, which a verifier refuses, it has no meaning, and may throw {@link
   * IndexOutOfBoundsException}.
   */
  public int largest() {
    int[] sizes = new int[vertices];
    int largest = 0;
    for (int label : labels()) {
      largest = Math.max(largest, ++sizes[label]);
    }
    return largest;
  }

  /**
   * The canonical arcs of the edges of a spanning forest, ascending, vertices less components in
   * number; not a copy. Empty unless {@link ComponentsOptions.Output#FOREST} was asked for.
   */
  public Optional<int[]> forest() {
    return Optional.ofNullable(forest);
  }

  /** How it was computed; empty for the sequential reference. */
  public Optional<ComponentsReport> report() {
    return Optional.ofNullable(report);
  }

  @Override
  public String toString() {
    return "ComponentsResult[vertices="
        + vertices
        + ", components="
        + components
        + (forest == null ? "" : ", forest edges=" + forest.length)
        + "]";
  }
}
