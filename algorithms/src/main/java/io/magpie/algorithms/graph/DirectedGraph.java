package io.magpie.algorithms.graph;

import io.magpie.algorithms.internal.Parallel;
import io.magpie.algorithms.internal.SeededHash;
import java.util.Arrays;
import java.util.Objects;

/**
 * A directed graph in compressed sparse row form, ready to be copied to a device: for each vertex
 * the arcs that leave it.
 *
 * <p>Vertices are {@code 0 .. vertices() - 1}. The arcs that leave vertex {@code v} have the
 * indices {@code offsets()[v] .. offsets()[v + 1] - 1}; arc {@code a} leads to {@code
 * neighbors()[a]}. Its weight is element {@code a} of {@link #weights()}, an int from 0, or of
 * {@link #floatWeights()}, a finite float from 0; {@link #weightType()} says which. No arc implies
 * another one: an undirected edge is two arcs here, and parallel arcs, self-loops and isolated
 * vertices are legal. For an algorithm that walks against the arcs there is {@link #transposed()}.
 *
 * <p>It comes from a file ({@link GraphFormats#readDirected}), from a generator whose specification
 * says {@code directed} ({@link GraphGenerator#generateDirected}), from arcs given one by one
 * ({@link GraphBuilder#buildDirected}), or from an undirected graph ({@link #of(Graph)}).
 *
 * <p><b>Limits.</b> Those of {@link Graph}: at most {@link Graph#MAX_ARCS} arcs and {@link
 * Graph#MAX_VERTICES} vertices. Memory: {@code 4 (vertices + 1) + 4 arcs} bytes, and {@code 4 arcs}
 * more when weighted.
 *
 * <p>The arrays are handed out without a copy, for bulk transfers; they must not be written to. A
 * graph whose arrays are left alone is immutable and may be shared by threads.
 */
public final class DirectedGraph {
  private final int[] offsets;
  private final int[] neighbors;
  private final ArcWeights weights;
  private final int[] ints; // the weights if they are ints

  /** Wraps arrays known to be valid. */
  private DirectedGraph(int[] offsets, int[] neighbors, ArcWeights weights) {
    this.offsets = offsets;
    this.neighbors = neighbors;
    this.weights = weights;
    this.ints =
        weights != null && weights.type() == WeightType.INT ? (int[]) weights.array() : null;
  }

  /**
   * A graph over the given arrays, which are not copied and must not be changed afterwards.
   *
   * @param offsets {@code vertices + 1} ascending arc indices, from 0 to the number of arcs
   * @param neighbors the target of each arc
   * @param weights the weight of each arc, 0 or more, or null; for floats there is {@link
   *     #withWeights(float[])}
   * @return the graph
   * @throws IllegalArgumentException where an array breaks its description
   */
  public static DirectedGraph of(int[] offsets, int[] neighbors, int[] weights) {
    Graph.check(offsets, neighbors, null);
    Graph.checkCounts("weights", weights, neighbors.length, "arc");
    return new DirectedGraph(offsets, neighbors, ArcWeights.of(weights));
  }

  /**
   * An undirected graph's arcs: two for each edge, one for each self-loop. Shares the arrays;
   * weights of vertices are left out.
   *
   * @param graph the undirected graph; its weights are ints or floats, 0 or more, if it has any
   * @return the same arcs with the same indices
   * @throws IllegalArgumentException if it has other weights
   */
  public static DirectedGraph of(Graph graph) {
    return trusted(graph.inArrays());
  }

  /** A graph over arrays that the package itself has made valid. */
  static DirectedGraph trusted(int[] offsets, int[] neighbors, int[] weights) {
    return new DirectedGraph(offsets, neighbors, ArcWeights.of(weights));
  }

  /** The same of arcs whose weights are checked, as they may be others. */
  static DirectedGraph trusted(Symmetrizer.Arcs arcs) {
    requireLengths(arcs.weights());
    return new DirectedGraph(arcs.offsets(), arcs.neighbors(), arcs.weights());
  }

  private static void requireLengths(ArcWeights weights) {
    if (weights == null) {
      return;
    }
    String needed =
        "a directed graph has int weights from 0 to 2147483647, or float weights from 0, and ";
    if (weights.type() != WeightType.INT && weights.type() != WeightType.FLOAT) {
      throw new IllegalArgumentException(
          needed + "these are " + weights.type() + "; give them as ints or floats");
    }
    if (weights.hasNegative()) {
      int arc = weights.firstNegative();
      throw new IllegalArgumentException(needed + "arc " + arc + " weighs " + weights.get(arc));
    }
  }

  /** The arrays; for the package itself. */
  Symmetrizer.Arcs inArrays() {
    return new Symmetrizer.Arcs(offsets, neighbors, weights);
  }

  /**
   * The number of vertices.
   *
   * @return 0 or more
   */
  public int vertices() {
    return offsets.length - 1;
  }

  /**
   * The number of arcs.
   *
   * @return 0 to {@link Graph#MAX_ARCS}
   */
  public int arcs() {
    return neighbors.length;
  }

  /**
   * The number of arcs that leave a vertex.
   *
   * @param vertex 0 to {@code vertices() - 1}
   * @return 0 or more
   */
  public int outDegree(int vertex) {
    return offsets[vertex + 1] - offsets[vertex];
  }

  /**
   * The offsets, not a copy.
   *
   * @return {@code vertices() + 1} arc indices, ascending from 0
   */
  public int[] offsets() {
    return offsets;
  }

  /**
   * The targets of all arcs, not a copy.
   *
   * @return one vertex for each arc
   */
  public int[] neighbors() {
    return neighbors;
  }

  /**
   * The type of the weights: {@link WeightType#INT}, as of an unweighted graph, or {@link
   * WeightType#FLOAT}.
   *
   * @return the type
   */
  public WeightType weightType() {
    return weights == null ? WeightType.INT : weights.type();
  }

  /**
   * The weights of all arcs, which are ints; not a copy.
   *
   * @return one weight for each arc, or null when the graph is unweighted
   * @throws IllegalStateException if they are of another {@link #weightType()}
   */
  public int[] weights() {
    return ints != null || weights == null ? ints : (int[]) array(WeightType.INT);
  }

  /**
   * The weights of all arcs, which are floats; not a copy.
   *
   * @return one weight for each arc, 0 or more, finite and not -0.0
   * @throws IllegalStateException if they are of another {@link #weightType()}
   */
  public float[] floatWeights() {
    return (float[]) array(WeightType.FLOAT);
  }

  private Object array(WeightType type) {
    if (weightType() != type) {
      throw new IllegalStateException(
          "the weights are " + weightType() + ", not " + type + "; see weightType()");
    }
    return weights.array();
  }

  /**
   * Whether the arcs have weights.
   *
   * @return true when they have
   */
  public boolean weighted() {
    return weights != null;
  }

  /**
   * The weight of an arc, which is an int; 1 in an unweighted graph.
   *
   * @param arc an arc index
   * @return 0 to 2^31 - 1
   * @throws IllegalStateException if weights are of another {@link #weightType()}; {@link
   *     #exactWeight} is for all
   */
  public int weight(int arc) {
    return ints != null ? ints[arc] : weights == null ? 1 : weights()[arc];
  }

  /**
   * The weight of an arc of a graph whose weights are of either type; 1 in an unweighted graph.
   *
   * @param arc an arc index
   * @return an Integer or Float, as {@link #weightType()} says
   */
  public Number exactWeight(int arc) {
    return weights == null ? (Number) 1 : weights.get(arc);
  }

  /**
   * The graph with every arc turned around, of the same weight: its list of a vertex has the arcs
   * that enter the vertex here, ascending by their source and then by their index. Cost: O(vertices
   * + arcs) and a second copy of the arcs, at each call.
   *
   * @return a graph with its own arrays
   */
  public DirectedGraph transposed() {
    return trusted(Symmetrizer.transpose(offsets, neighbors, weights));
  }

  /**
   * This graph with weights drawn uniformly from a range, by the hash that {@link
   * Graph#withWeights(long, int, int)} draws by: parallel arcs, and arcs in opposite directions,
   * weigh the same. Cost: O(arcs) in parallel, 4 bytes for each arc.
   *
   * @param seed the seed
   * @param min the least weight, 0 or more
   * @param max the largest weight, at least {@code min}
   * @return a graph that shares this one's structure
   * @throws IllegalArgumentException when the range is empty or negative
   */
  public DirectedGraph withWeights(long seed, int min, int max) {
    Graph.checkRange(min, max);
    return withWeights(EdgeWeight.drawn(seed, min, max));
  }

  /**
   * This graph with weights drawn uniformly from a range of ints or floats, by a hash as by {@link
   * #withWeights(long, int, int)}. Cost: O(arcs) in parallel, 4 bytes for each arc.
   *
   * @param seed the seed
   * @param range the weights' type and range, from 0
   * @return a graph that shares this one's structure
   * @throws IllegalArgumentException if the range is of another type, or has negative numbers
   */
  public DirectedGraph withWeights(long seed, WeightRange range) {
    requireLengths(range);
    return withWeights(EdgeWeight.drawn(seed, range));
  }

  /** Checks that a directed graph may have weights of a range. */
  static void requireLengths(WeightRange range) {
    if (range.type() != WeightType.INT && range.type() != WeightType.FLOAT
        || range.least().doubleValue() < 0) {
      throw new IllegalArgumentException(
          "weights "
              + range
              + ": those of a directed graph are ints or floats from 0; expected L..H or"
              + " float:L..H, with L from 0");
    }
  }

  /**
   * This graph with other weights, one for each arc, which are floats.
   *
   * @param weights one for each arc, 0 or more and finite; not copied, unless there is a -0.0,
   *     which becomes 0.0, and must not be changed afterwards
   * @return a graph that shares this one's structure
   * @throws IllegalArgumentException if there are more or fewer, or one is negative or not finite;
   *     the message has its index
   */
  public DirectedGraph withWeights(float[] weights) {
    Graph.requireLength("weights", weights.length, neighbors.length, "arc");
    ArcWeights lengths = ArcWeights.of(weights, "leave the arc out");
    return trusted(new Symmetrizer.Arcs(offsets, neighbors, lengths));
  }

  /** This graph with weights by a function of the end points. */
  DirectedGraph withWeights(EdgeWeight weight) {
    return trusted(
        new Symmetrizer.Arcs(offsets, neighbors, Graph.weightsOf(offsets, neighbors, weight)));
  }

  /**
   * This graph without weights.
   *
   * @return a graph that shares this one's structure
   */
  public DirectedGraph withoutWeights() {
    return new DirectedGraph(offsets, neighbors, null);
  }

  /**
   * The same graph with every list in ascending order of target, then weight: two graphs have the
   * same vertices and arcs exactly when their sorted forms are {@linkplain #equals equal}. Cost:
   * O(arcs) time and a second copy of the arcs.
   *
   * @return a graph with its own arrays of arcs
   */
  public DirectedGraph sorted() {
    return trusted(Symmetrizer.sorted(offsets, neighbors, weights));
  }

  /**
   * A hash of the vertices and arcs with their weights, to tell inputs apart in reports. Graphs of
   * equal {@linkplain #sorted() sorted forms} have equal fingerprints; different graphs have
   * different ones but for a chance of 2^-64, and none has that of an undirected graph but by such
   * a chance. Not made to withstand forgery. Cost: O(arcs) in parallel.
   *
   * @return 64 bits
   */
  public long fingerprint() {
    long sum =
        Parallel.sum(
            vertices(),
            (from, to) -> {
              long part = 0;
              for (int u = from; u < to; u++) {
                for (int a = offsets[u]; a < offsets[u + 1]; a++) {
                  long pair = SeededHash.draw(7, ((long) u << 32) | neighbors[a]);
                  part += SeededHash.mix(pair + (weights == null ? 0 : weights.key(a)));
                }
              }
              return part;
            });
    int kind = (weights == null ? 8 : 9) | weightType().ordinal() << 4; // int: as when it was alone
    return SeededHash.mix(sum + SeededHash.at(kind, vertices()));
  }

  /**
   * Equal when all arrays are: same vertices, and the same arcs in the same order.
   *
   * @param other what to compare with
   * @return whether it is a directed graph with equal arrays
   */
  @Override
  public boolean equals(Object other) {
    return other instanceof DirectedGraph graph
        && Arrays.equals(offsets, graph.offsets)
        && Arrays.equals(neighbors, graph.neighbors)
        && Objects.equals(weights, graph.weights);
  }

  @Override
  public int hashCode() {
    return Objects.hash(Arrays.hashCode(offsets), Arrays.hashCode(neighbors));
  }

  /** Counts only, for messages: the arrays may be large. */
  @Override
  public String toString() {
    return "DirectedGraph[vertices="
        + vertices()
        + ", arcs="
        + arcs()
        + (weights == null
            ? ", unweighted]"
            : weightType() == WeightType.INT ? ", weighted]" : ", " + weightType() + " weights]");
  }
}
