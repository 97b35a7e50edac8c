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
 * neighbors()[a]} and weighs {@code weights()[a]}, 0 to 2^31 - 1. No arc implies another one: an
 * undirected edge is two arcs here, and parallel arcs, self-loops and isolated vertices are legal.
 * For an algorithm that walks against the arcs there is {@link #transposed()}.
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
  private final int[] weights;

  /** Wraps arrays known to be valid. */
  private DirectedGraph(int[] offsets, int[] neighbors, int[] weights) {
    this.offsets = offsets;
    this.neighbors = neighbors;
    this.weights = weights;
  }

  /**
   * A graph over the given arrays, which are not copied and must not be changed afterwards.
   *
   * @param offsets {@code vertices + 1} ascending arc indices, from 0 to the number of arcs
   * @param neighbors the target of each arc
   * @param weights the weight of each arc, 0 or more, or null
   * @return the graph
   * @throws IllegalArgumentException where an array breaks its description
   */
  public static DirectedGraph of(int[] offsets, int[] neighbors, int[] weights) {
    Graph.check(offsets, neighbors, null);
    Graph.checkCounts("weights", weights, neighbors.length, "arc");
    return new DirectedGraph(offsets, neighbors, weights);
  }

  /**
   * An undirected graph's arcs: two for each edge, one for each self-loop. Shares the arrays;
   * weights of vertices are left out.
   *
   * @param graph the undirected graph; its weights are ints, 0 or more, if it has any
   * @return the same arcs with the same indices
   * @throws IllegalArgumentException if it has other weights
   */
  public static DirectedGraph of(Graph graph) {
    return trusted(graph.inArrays());
  }

  /** A graph over arrays that the package itself has made valid. */
  static DirectedGraph trusted(int[] offsets, int[] neighbors, int[] weights) {
    return new DirectedGraph(offsets, neighbors, weights);
  }

  /** The same of arcs whose weights are checked, as they may be others. */
  static DirectedGraph trusted(Symmetrizer.Arcs arcs) {
    return new DirectedGraph(
        arcs.offsets(), arcs.neighbors(), Graph.counts(arcs.weights(), "a directed graph has"));
  }

  /** The arrays; for the package itself. */
  Symmetrizer.Arcs inArrays() {
    return new Symmetrizer.Arcs(offsets, neighbors, ArcWeights.of(weights));
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
   * The weights of all arcs, not a copy.
   *
   * @return one weight for each arc, or null when the graph is unweighted
   */
  public int[] weights() {
    return weights;
  }

  /**
   * Whether the arcs have weights.
   *
   * @return true when {@link #weights()} is not null
   */
  public boolean weighted() {
    return weights != null;
  }

  /**
   * The weight of an arc; 1 in an unweighted graph.
   *
   * @param arc an arc index
   * @return 0 to 2^31 - 1
   */
  public int weight(int arc) {
    return weights == null ? 1 : weights[arc];
  }

  /**
   * The graph with every arc turned around, of the same weight: its list of a vertex has the arcs
   * that enter the vertex here, ascending by their source and then by their index. Cost: O(vertices
   * + arcs) and a second copy of the arcs, at each call.
   *
   * @return a graph with its own arrays
   */
  public DirectedGraph transposed() {
    return trusted(Symmetrizer.transpose(offsets, neighbors, ArcWeights.of(weights)));
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
    return trusted(Symmetrizer.sorted(offsets, neighbors, ArcWeights.of(weights)));
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
                  part += SeededHash.mix(pair + (weights == null ? 0 : weights[a]));
                }
              }
              return part;
            });
    return SeededHash.mix(sum + SeededHash.at(weights == null ? 8 : 9, vertices()));
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
        && Arrays.equals(weights, graph.weights);
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
        + (weights == null ? ", unweighted]" : ", weighted]");
  }
}
