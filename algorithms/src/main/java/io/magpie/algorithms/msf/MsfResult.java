package io.magpie.algorithms.msf;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.internal.driver.ResultArray;
import io.magpie.algorithms.msf.MsfOptions.Objective;
import java.math.BigDecimal;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A minimum spanning forest: of every connected component a spanning tree, with the least total
 * weight; or a maximum one, with the largest.
 *
 * <p>An edge is named by its canonical arc (see {@link Graph}): the arc from the smaller end point
 * to the larger. Where weights are equal there may be several minimum forests; which one this is
 * may differ between options and runs, its weight does not.
 */
public final class MsfResult {
  private final int vertices;
  private final Supplier<Graph> graph;
  private final ArcSet chosen;
  private final ResultArray<int[]> labels;
  private final BigDecimal weight;
  private final Objective objective;
  private final MsfReport report;

  /** A result whose labels are in Java's memory; not copied. */
  MsfResult(
      Graph graph,
      ArcSet chosen,
      int[] labels,
      BigDecimal weight,
      Objective objective,
      MsfReport report) {
    this(graph.vertices(), () -> graph, chosen, ResultArray.of(labels), weight, objective, report);
  }

  /**
   * A result, not checked; see {@link MsfVerifier}.
   *
   * @param vertices how many there are
   * @param graph what it is a forest of, the same at each call
   * @param chosen the chosen edges' canonical arcs
   * @param labels for each vertex a vertex that stands for its component
   * @param weight the sum of the chosen edges' weights
   * @param objective what it is a forest of least, or of largest weight by
   * @param report how it was computed, or null
   */
  MsfResult(
      int vertices,
      Supplier<Graph> graph,
      ArcSet chosen,
      ResultArray<int[]> labels,
      BigDecimal weight,
      Objective objective,
      MsfReport report) {
    this.vertices = vertices;
    this.graph = Objects.requireNonNull(graph, "graph");
    this.chosen = Objects.requireNonNull(chosen, "chosen");
    this.labels = Objects.requireNonNull(labels, "labels");
    this.weight = Objects.requireNonNull(weight, "weight");
    this.objective = Objects.requireNonNull(objective, "objective");
    this.report = report;
  }

  /**
   * The graph. Of a {@linkplain io.magpie.algorithms.resident.ResidentGraph resident} one the first
   * call may have to copy it.
   *
   * @throws IllegalStateException if such a graph was closed before anything copied it
   */
  public Graph graph() {
    return graph.get();
  }

  /**
   * The canonical arcs of the chosen edges, ascending; not a copy. The first call may have to list
   * them, O(vertices + arcs): a device leaves a bit for each arc.
   */
  public int[] arcs() {
    return chosen.arcs();
  }

  /** The number of chosen edges: vertices less components. */
  public int edges() {
    return chosen.size();
  }

  /**
   * The end points of the chosen edges. Cost: O(vertices + edges).
   *
   * @return a new array: the e-th chosen edge joins entry {@code 2 e}, the smaller, and {@code 2 e
   *     + 1}
   */
  public int[] endpoints() {
    int[] arcs = arcs();
    int[] result = new int[Math.multiplyExact(2, arcs.length)];
    int[] offsets = graph().offsets();
    int[] neighbors = graph().neighbors();
    int source = 0;
    for (int e = 0; e < arcs.length; e++) {
      while (offsets[source + 1] <= arcs[e]) {
        source++;
      }
      result[2 * e] = source;
      result[2 * e + 1] = neighbors[arcs[e]];
    }
    return result;
  }

  /**
   * For each vertex a vertex of its component, the same for all of them; not a copy, unless they
   * stay {@linkplain io.magpie.algorithms.ResultArrays#onDevice on the device}. Which vertex stands
   * for a component is not determined.
   *
   * @throws IllegalStateException if they stay on the device and are first asked for when a later
   *     call has written to the array there, or it is closed
   */
  public int[] labels() {
    return labels.get();
  }

  /** The number of connected components; an isolated vertex is one. */
  public int components() {
    return vertices - edges();
  }

  /**
   * The sum of the chosen edges' weights, if it is a whole number of 64 bits, as that of ints
   * always is; an edge of an unweighted graph weighs 1.
   *
   * @throws ArithmeticException if it is another number; {@link #exactWeight()} is for all
   */
  public long weight() {
    try {
      return weight.longValueExact();
    } catch (ArithmeticException e) {
      throw new ArithmeticException(
          "the weight " + weight.doubleValue() + " is not a long; take exactWeight()");
    }
  }

  /**
   * The sum of the chosen edges' weights, whatever their type. No addition is rounded, so it is the
   * same for all forests of an objective; that of doubles may have some hundred digits. {@code
   * exactWeight().doubleValue()} is rounded once, and infinite if it is beyond all doubles.
   */
  public BigDecimal exactWeight() {
    return weight;
  }

  /** Whether it is a forest of least or of largest weight. */
  public Objective objective() {
    return objective;
  }

  /** How it was computed; empty for the sequential reference. */
  public Optional<MsfReport> report() {
    return Optional.ofNullable(report);
  }

  @Override
  public String toString() {
    return "MsfResult[vertices="
        + vertices
        + ", edges="
        + edges()
        + ", components="
        + components()
        + ", weight="
        + (weight.scale() <= 0 ? weight : (Number) weight.doubleValue())
        + "]";
  }

  /** Whether two results chose the same edges of the same graph. */
  boolean sameEdges(MsfResult other) {
    return chosen.hasSameAs(other.chosen);
  }
}
