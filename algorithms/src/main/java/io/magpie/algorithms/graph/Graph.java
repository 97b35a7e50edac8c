package io.magpie.algorithms.graph;

import io.magpie.algorithms.internal.Parallel;
import io.magpie.algorithms.internal.SeededHash;
import java.util.Arrays;
import java.util.Objects;

/**
 * An undirected graph in compressed sparse row form, ready to be copied to a device.
 *
 * <p>Vertices are {@code 0 .. vertices() - 1}. The arcs that leave vertex {@code v} have the
 * indices {@code offset(v) .. offset(v + 1) - 1}; arc {@code a} leads to {@code neighbors()[a]}.
 * Its weight is element {@code a} of an array of the graph's {@link WeightType}: {@link
 * #weights()}, {@link #longWeights()}, {@link #floatWeights()} or {@link #doubleWeights()}.
 *
 * <p><b>Both directions are stored.</b> An edge between two different vertices is two arcs, one in
 * each of their lists, of equal weight. A self-loop is <em>one</em> arc, from its vertex to itself.
 * So {@code arcs() = 2 * edges() - loops}. Parallel edges, self-loops, isolated vertices, several
 * components and equal weights are legal. Weights may be negative, and have fractions if their type
 * has; NaN and infinities are refused, and -0.0 is stored as 0.0. What needs whole numbers from 0,
 * such as partitioning and shortest paths, refuses graphs that have other weights.
 *
 * <p><b>Identity of an edge.</b> The <em>canonical arc</em> of an edge is the one whose source is
 * not greater than its target; a self-loop's only arc is canonical. Every edge has exactly one
 * canonical arc, so canonical arcs in ascending order number the edges ({@link #canonicalArcs()}).
 * Parallel edges are distinct edges with distinct canonical arcs. {@link #reverse(int)} leads from
 * an arc to the other arc of its edge: the k-th arc from u to v of weight w (in the order of u's
 * list) belongs to the k-th arc from v to u of weight w.
 *
 * <p><b>Limits.</b> At most {@value #MAX_ARCS} arcs and {@value #MAX_VERTICES} vertices, so that
 * offsets and arc indices take 4 bytes. Memory: {@code 4 (vertices + 1) + 4 arcs} bytes, and {@code
 * 4 arcs} more when weighted, 8 with long and double weights.
 *
 * <p>The arrays are handed out without a copy, for bulk transfers; they must not be written to. A
 * graph whose arrays are left alone is immutable and may be shared by threads.
 */
public final class Graph {
  /** The largest number of arcs: the longest Java array. */
  public static final int MAX_ARCS = Integer.MAX_VALUE - 8;

  /** The largest number of vertices: one less than {@link #MAX_ARCS}. */
  public static final int MAX_VERTICES = MAX_ARCS - 1;

  private final int[] offsets;
  private final int[] neighbors;
  private final ArcWeights weights;
  private final int[] ints; // the weights if they are ints
  private final int[] vertexWeights;
  private final long edges;

  /** Wraps arrays known to be valid. */
  private Graph(
      int[] offsets, int[] neighbors, ArcWeights weights, int[] vertexWeights, long edges) {
    this.offsets = offsets;
    this.neighbors = neighbors;
    this.weights = weights;
    this.ints =
        weights != null && weights.type() == WeightType.INT ? (int[]) weights.array() : null;
    this.vertexWeights = vertexWeights;
    this.edges = edges;
  }

  /**
   * A graph over the given arrays, which are not copied and must not be changed afterwards.
   *
   * @param offsets {@code vertices + 1} ascending arc indices, from 0 to the number of arcs
   * @param neighbors the target of each arc
   * @param weights the weight of each arc, or null; for weights of other types there are {@link
   *     #withWeights(long[])}, {@link #withWeights(float[])} and {@link #withWeights(double[])}
   * @param vertexWeights the weight of each vertex, 0 or more, or null
   * @return the graph
   * @throws IllegalArgumentException where an array breaks its description, or where some arc lacks
   *     its other direction (see {@link GraphBuilder} for data with one direction only)
   */
  public static Graph of(int[] offsets, int[] neighbors, int[] weights, int[] vertexWeights) {
    check(offsets, neighbors, vertexWeights);
    requireLength("weights", weights == null ? -1 : weights.length, neighbors.length, "arc");
    return symmetric(trusted(offsets, neighbors, ArcWeights.of(weights), vertexWeights));
  }

  /** A graph, if every arc has its other direction. */
  private static Graph symmetric(Graph graph) {
    if (!Symmetrizer.isSymmetric(graph.offsets, graph.neighbors, graph.weights)) {
      throw new IllegalArgumentException(
          Symmetrizer.describeFirstUnmatched(graph.offsets, graph.neighbors, graph.weights, 0)
              + "; build the graph by GraphBuilder with Symmetry.SYMMETRIZE to add what is"
              + " missing");
    }
    return graph;
  }

  /**
   * An unweighted graph or a weighted one, without vertex weights; see the four-argument form.
   *
   * @param offsets {@code vertices + 1} ascending arc indices
   * @param neighbors the target of each arc
   * @param weights the weight of each arc, or null
   * @return the graph
   */
  public static Graph of(int[] offsets, int[] neighbors, int[] weights) {
    return of(offsets, neighbors, weights, null);
  }

  /** A graph over arrays that the package itself has made valid and symmetric. */
  static Graph trusted(int[] offsets, int[] neighbors, ArcWeights weights, int[] vertexWeights) {
    if (weights != null) {
      weights.hasNegative(); // while a graph is made anyway
    }
    int vertices = offsets.length - 1;
    long edges =
        Parallel.sum(
            vertices,
            (from, to) -> {
              long count = 0;
              for (int v = from; v < to; v++) {
                for (int a = offsets[v]; a < offsets[v + 1]; a++) {
                  if (neighbors[a] >= v) {
                    count++;
                  }
                }
              }
              return count;
            });
    return new Graph(offsets, neighbors, weights, vertexWeights, edges);
  }

  static void check(int[] offsets, int[] neighbors, int[] vertexWeights) {
    Objects.requireNonNull(offsets, "offsets cannot be null");
    Objects.requireNonNull(neighbors, "neighbors cannot be null");
    if (offsets.length == 0 || offsets[0] != 0) {
      throw new IllegalArgumentException("offsets must have at least one entry, the first one 0");
    }
    int vertices = offsets.length - 1;
    for (int v = 0; v < vertices; v++) {
      if (offsets[v + 1] < offsets[v]) {
        throw new IllegalArgumentException(
            "offsets must ascend, but offsets["
                + v
                + "]="
                + offsets[v]
                + " is followed by "
                + offsets[v + 1]);
      }
    }
    if (offsets[vertices] != neighbors.length) {
      throw new IllegalArgumentException(
          "the last offset, "
              + offsets[vertices]
              + ", must be the number of neighbors, "
              + neighbors.length);
    }
    for (int a = 0; a < neighbors.length; a++) {
      if (neighbors[a] < 0 || neighbors[a] >= vertices) {
        throw new IllegalArgumentException(
            "neighbors[" + a + "]=" + neighbors[a] + " is not a vertex: there are " + vertices);
      }
    }
    checkCounts("vertexWeights", vertexWeights, vertices, "vertex");
  }

  /** Checks weights that cannot be negative; null is none. */
  static void checkCounts(String name, int[] weights, int expected, String unit) {
    if (weights == null) {
      return;
    }
    requireLength(name, weights.length, expected, unit);
    for (int i = 0; i < weights.length; i++) {
      if (weights[i] < 0) {
        throw new IllegalArgumentException(name + "[" + i + "]=" + weights[i] + " is negative");
      }
    }
  }

  /** Checks how many weights there are; -1 is that there are none. */
  static void requireLength(String name, int length, int expected, String unit) {
    if (length >= 0 && length != expected) {
      throw new IllegalArgumentException(
          name + " must have one entry per " + unit + ", " + expected + ", but has " + length);
    }
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
   * The number of arcs: two for each edge, one for each self-loop.
   *
   * @return 0 to {@link #MAX_ARCS}
   */
  public long arcs() {
    return neighbors.length;
  }

  /**
   * The number of undirected edges, self-loops included.
   *
   * @return 0 or more
   */
  public long edges() {
    return edges;
  }

  /**
   * Where the arcs of a vertex begin.
   *
   * @param vertex 0 to {@code vertices()}; the last one gives the number of arcs
   * @return the index of its first arc
   */
  public long offset(int vertex) {
    return offsets[vertex];
  }

  /**
   * The number of arcs that leave a vertex; a self-loop counts once.
   *
   * @param vertex 0 to {@code vertices() - 1}
   * @return 0 or more
   */
  public int degree(int vertex) {
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
   * The type of the weights; {@link WeightType#INT} of an unweighted graph, whose arcs weigh 1.
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
   * The weights of all arcs, which are longs; not a copy.
   *
   * @return one weight for each arc
   * @throws IllegalStateException if they are of another {@link #weightType()}
   */
  public long[] longWeights() {
    return (long[]) array(WeightType.LONG);
  }

  /**
   * The weights of all arcs, which are floats; not a copy.
   *
   * @return one weight for each arc, finite and not -0.0
   * @throws IllegalStateException if they are of another {@link #weightType()}
   */
  public float[] floatWeights() {
    return (float[]) array(WeightType.FLOAT);
  }

  /**
   * The weights of all arcs, which are doubles; not a copy.
   *
   * @return one weight for each arc, finite and not -0.0
   * @throws IllegalStateException if they are of another {@link #weightType()}
   */
  public double[] doubleWeights() {
    return (double[]) array(WeightType.DOUBLE);
  }

  private Object array(WeightType type) {
    if (weightType() != type) {
      throw new IllegalStateException(
          "the weights are "
              + weightType()
              + ", not "
              + type
              + "; see weightType(), and withWeightType for weights that fit another type");
    }
    if (weights == null) {
      throw new IllegalStateException("the graph has no weights");
    }
    return weights.array();
  }

  /** The arrays; for the package itself. */
  Symmetrizer.Arcs inArrays() {
    return new Symmetrizer.Arcs(offsets, neighbors, weights);
  }

  /**
   * Whether some arc has a weight less than 0. Found once, at the latest when it is first asked
   * for, by a pass over the weights in parallel.
   *
   * @return false if the graph is unweighted
   */
  public boolean hasNegativeWeights() {
    return weights != null && weights.hasNegative();
  }

  /**
   * Checks that weights are whole numbers from 0 to 2^31 - 1 of type int, as what counts with them
   * needs them. {@link #withWeightType} makes ints of such numbers of another type.
   *
   * @param who what needs them, such as {@code "partitioning needs"}
   * @throws IllegalArgumentException if they are others; the message names {@code who}
   */
  public void requireCounts(String who) {
    counts(weights, who);
  }

  /** The same of weights that may be null, which it gives as an array. */
  static int[] counts(ArcWeights weights, String who) {
    if (weights == null) {
      return null;
    }
    String needed = who + " int weights from 0 to 2147483647, and ";
    if (weights.type() != WeightType.INT) {
      throw new IllegalArgumentException(
          needed
              + "these are "
              + weights.type()
              + "; give them as ints if all are whole numbers of that range");
    }
    if (weights.hasNegative()) {
      int arc = weights.firstNegative();
      throw new IllegalArgumentException(needed + "arc " + arc + " weighs " + weights.get(arc));
    }
    return (int[]) weights.array();
  }

  /**
   * The weights of the vertices, not a copy.
   *
   * @return one weight for each vertex, or null when there are none
   */
  public int[] vertexWeights() {
    return vertexWeights;
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
   * @return its weight
   * @throws IllegalStateException if weights are of another {@link #weightType()}; {@link
   *     #exactWeight} is for all
   */
  public int weight(int arc) {
    return ints != null ? ints[arc] : weights == null ? 1 : weights()[arc];
  }

  /**
   * The weight of an arc of a graph whose weights are of any type; 1 in an unweighted graph.
   *
   * @param arc an arc index
   * @return an Integer, Long, Float or Double, as {@link #weightType()} says
   */
  public Number exactWeight(int arc) {
    return weights == null ? (Number) 1 : weights.get(arc);
  }

  /**
   * Compares the weights of two arcs; all are equal in an unweighted graph.
   *
   * @param arc an arc index
   * @param other another one
   * @return negative, 0 or positive if the first weighs less, the same or more
   */
  public int compareWeights(int arc, int other) {
    return weights == null ? 0 : Long.compare(weights.key(arc), weights.key(other));
  }

  /**
   * The vertex that an arc leaves. Cost: a binary search over the vertices.
   *
   * @param arc an arc index
   * @return its source
   */
  public int source(int arc) {
    Objects.checkIndex(arc, neighbors.length);
    int low = 0;
    int high = vertices() - 1;
    // The last vertex whose offset is not beyond the arc; vertices without arcs are skipped.
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (offsets[middle] <= arc) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /**
   * The other arc of an arc's edge; a self-loop's arc is its own. Cost: a binary search over the
   * vertices, and the degrees of both end points.
   *
   * @param arc an arc index
   * @return the arc in the other direction, of the same weight
   */
  public int reverse(int arc) {
    int u = source(arc);
    int v = neighbors[arc];
    if (u == v) {
      return arc;
    }
    int before = 0;
    for (int a = offsets[u]; a < arc; a++) {
      if (neighbors[a] == v && compareWeights(a, arc) == 0) {
        before++;
      }
    }
    for (int a = offsets[v]; a < offsets[v + 1]; a++) {
      if (neighbors[a] == u && compareWeights(a, arc) == 0 && before-- == 0) {
        return a;
      }
    }
    throw new IllegalStateException(
        "arc "
            + arc
            + " ("
            + u
            + " to "
            + v
            + ", weight "
            + exactWeight(arc)
            + ") has no other direction;"
            + " were the arrays of the graph written to?");
  }

  /**
   * The canonical arc of an arc's edge: the one from the smaller end point to the larger.
   *
   * @param arc an arc index
   * @return {@code arc} or {@code reverse(arc)}
   */
  public int canonicalArc(int arc) {
    return source(arc) <= neighbors[arc] ? arc : reverse(arc);
  }

  /**
   * The canonical arcs of all edges, ascending: entry e is edge number e. Cost: O(arcs); 4 bytes
   * for each edge.
   *
   * @return a new array of {@code edges()} arc indices
   */
  public int[] canonicalArcs() {
    int[] result = new int[(int) edges];
    int next = 0;
    for (int v = 0; v < vertices(); v++) {
      for (int a = offsets[v]; a < offsets[v + 1]; a++) {
        if (neighbors[a] >= v) {
          result[next++] = a;
        }
      }
    }
    return result;
  }

  /**
   * The ends of all edges: elements 2 e and 2 e + 1 are those of edge number e, the smaller one
   * first. Cost: O(arcs); 8 bytes for each edge.
   *
   * @return a new array of {@code 2 * edges()} vertices
   * @throws ArithmeticException if there are more edges than half of what an array holds
   */
  public int[] edgeEnds() {
    int[] ends = new int[Math.multiplyExact(2, Math.toIntExact(edges))];
    int next = 0;
    for (int v = 0; v < vertices(); v++) {
      for (int a = offsets[v]; a < offsets[v + 1]; a++) {
        if (neighbors[a] >= v) {
          ends[next++] = v;
          ends[next++] = neighbors[a];
        }
      }
    }
    return ends;
  }

  /**
   * This graph with weights drawn uniformly from {@code 1 .. max}; see {@link #withWeights(long,
   * int, int)}.
   *
   * @param seed the seed
   * @param max the largest weight, 1 or more
   * @return a graph that shares this one's structure
   */
  public Graph withWeights(long seed, int max) {
    return withWeights(seed, 1, max);
  }

  /**
   * This graph with weights drawn uniformly from a range. A weight is a hash of the seed and of the
   * edge's two end points, so both directions agree, parallel edges weigh the same, and the result
   * depends on nothing else. Cost: O(arcs) in parallel, 4 bytes for each arc.
   *
   * @param seed the seed
   * @param min the least weight, 0 or more
   * @param max the largest weight, at least {@code min}
   * @return a graph that shares this one's structure
   * @throws IllegalArgumentException when the range is empty or negative
   */
  public Graph withWeights(long seed, int min, int max) {
    checkRange(min, max);
    return withWeights(EdgeWeight.drawn(seed, min, max));
  }

  /**
   * This graph with weights drawn uniformly from a range of any type, by a hash as by {@link
   * #withWeights(long, int, int)}. Cost: O(arcs) in parallel, 4 or 8 bytes for each arc.
   *
   * @param seed the seed
   * @param range the weights' type and range
   * @return a graph that shares this one's structure
   */
  public Graph withWeights(long seed, WeightRange range) {
    return withWeights(EdgeWeight.drawn(seed, range));
  }

  /**
   * This graph with other weights, one for each arc; those of a graph's {@link #reverse} arcs must
   * be equal. Not copied, and must not be changed afterwards. Cost: O(arcs) in parallel.
   *
   * @param weights one for each arc
   * @return a graph that shares this one's structure
   * @throws IllegalArgumentException if there are more or fewer, or some arc lacks its other
   *     direction of equal weight
   */
  public Graph withWeights(int[] weights) {
    requireLength("weights", weights.length, neighbors.length, "arc");
    return withWeights(ArcWeights.of(weights));
  }

  /**
   * The same with longs.
   *
   * @param weights one for each arc
   * @return a graph that shares this one's structure
   * @throws IllegalArgumentException as {@link #withWeights(int[])}
   */
  public Graph withWeights(long[] weights) {
    requireLength("weights", weights.length, neighbors.length, "arc");
    return withWeights(ArcWeights.of(weights));
  }

  /**
   * The same with floats.
   *
   * @param weights one for each arc, finite; copied only if there is a -0.0, which becomes 0.0
   * @return a graph that shares this one's structure
   * @throws IllegalArgumentException as {@link #withWeights(int[])}, or if a weight is not finite;
   *     the message has its index
   */
  public Graph withWeights(float[] weights) {
    requireLength("weights", weights.length, neighbors.length, "arc");
    return withWeights(ArcWeights.of(weights));
  }

  /**
   * The same with doubles.
   *
   * @param weights one for each arc, finite; copied only if there is a -0.0, which becomes 0.0
   * @return a graph that shares this one's structure
   * @throws IllegalArgumentException as {@link #withWeights(int[])}, or if a weight is not finite;
   *     the message has its index
   */
  public Graph withWeights(double[] weights) {
    requireLength("weights", weights.length, neighbors.length, "arc");
    return withWeights(ArcWeights.of(weights));
  }

  private Graph withWeights(ArcWeights given) {
    return symmetric(trusted(offsets, neighbors, given, vertexWeights));
  }

  /**
   * This graph with the same weights in another type, none of them rounded. Cost: O(arcs).
   *
   * @param type the type
   * @return a graph that shares this one's structure; this one if there is nothing to convert
   * @throws IllegalArgumentException if the type does not hold a weight exactly; the message names
   *     the arc
   */
  public Graph withWeightType(WeightType type) {
    if (weights == null || weights.type() == type) {
      return this;
    }
    int outside = weights.firstOutside(type);
    if (outside >= 0) {
      throw new IllegalArgumentException(
          "arc " + outside + " weighs " + weights.get(outside) + ", which is no " + type);
    }
    return new Graph(offsets, neighbors, weights.as(type), vertexWeights, edges);
  }

  static void checkRange(int min, int max) {
    if (min < 0 || max < min) {
      throw new IllegalArgumentException(
          "weights " + min + ".." + max + ": expected 0 <= least <= largest <= 2147483647");
    }
  }

  /** This graph with weights by a symmetric function of the end points. */
  Graph withWeights(EdgeWeight weight) {
    ArcWeights drawn = weightsOf(offsets, neighbors, weight);
    drawn.hasNegative();
    return new Graph(offsets, neighbors, drawn, vertexWeights, edges);
  }

  /** A weight for each arc. */
  static ArcWeights weightsOf(int[] offsets, int[] neighbors, EdgeWeight weight) {
    ArcWeights result = ArcWeights.of(weight.type(), neighbors.length);
    Parallel.forRanges(
        offsets.length - 1,
        (from, to) -> {
          for (int v = from; v < to; v++) {
            for (int a = offsets[v]; a < offsets[v + 1]; a++) {
              result.setKey(a, weight.of(v, neighbors[a]));
            }
          }
        });
    return result;
  }

  /**
   * This graph without weights of arcs and vertices.
   *
   * @return a graph that shares this one's structure
   */
  public Graph withoutWeights() {
    return new Graph(offsets, neighbors, null, null, edges);
  }

  /**
   * This graph without weights of vertices; those of arcs stay.
   *
   * @return a graph that shares this one's structure
   */
  public Graph withoutVertexWeights() {
    return new Graph(offsets, neighbors, weights, null, edges);
  }

  /**
   * All vertices with some of the edges, and with their weights if they have any; weights of
   * vertices are left out. Cost: O(vertices + arcs of the result).
   *
   * @param arcs an arc of each edge, ascending by index
   * @return a graph with its own arrays
   * @throws IllegalArgumentException if an index is no arc's or is not larger than the one before
   */
  public Graph withEdges(int[] arcs) {
    GraphBuilder builder = new GraphBuilder(vertices(), weights == null ? null : weights.type());
    int source = 0;
    for (int i = 0; i < arcs.length; i++) {
      int arc = arcs[i];
      if (arc < 0 || arc >= neighbors.length || i > 0 && arc <= arcs[i - 1]) {
        throw new IllegalArgumentException(
            "arcs["
                + i
                + "]="
                + arc
                + (i == 0 ? "" : " after " + arcs[i - 1])
                + ": expected arcs from 0 to "
                + (neighbors.length - 1)
                + " that ascend");
      }
      while (offsets[source + 1] <= arc) {
        source++;
      }
      builder.addedEdge(source, neighbors[arc], weights == null ? 1 : weights.key(arc));
    }
    return builder.build();
  }

  /**
   * The same graph with every list in ascending order of target, then weight: two graphs have the
   * same vertices and edges exactly when their sorted forms are {@linkplain #equals equal}. Cost:
   * O(arcs) time and a second copy of the arcs.
   *
   * @return a graph with its own arrays of arcs
   */
  public Graph sorted() {
    Symmetrizer.Arcs arcs = Symmetrizer.sorted(offsets, neighbors, weights);
    return new Graph(arcs.offsets(), arcs.neighbors(), arcs.weights(), vertexWeights, edges);
  }

  /**
   * A hash of the vertices and edges with their weights, to tell inputs apart in reports. Graphs of
   * equal {@linkplain #sorted() sorted forms} have equal fingerprints, whatever file or order they
   * come from; different graphs have different ones but for a chance of 2^-64. Not made to
   * withstand forgery. Cost: O(arcs) in parallel.
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
                if (vertexWeights != null) {
                  part += SeededHash.mix(SeededHash.draw(1, u) + vertexWeights[u]);
                }
                for (int a = offsets[u]; a < offsets[u + 1]; a++) {
                  if (u <= neighbors[a]) {
                    long pair = SeededHash.draw(2, ((long) u << 32) | neighbors[a]);
                    part += SeededHash.mix(pair + (weights == null ? 0 : weights.key(a)));
                  }
                }
              }
              return part;
            });
    int kind =
        (weights == null ? 0 : 1)
            | (vertexWeights == null ? 0 : 2)
            | weightType().ordinal() << 4; // int: as when there were no others
    return SeededHash.mix(sum + SeededHash.at(3 + kind, vertices()));
  }

  /**
   * Equal when all arrays are: same vertices, and the same arcs in the same order.
   *
   * @param other what to compare with
   * @return whether it is a graph with equal arrays
   */
  @Override
  public boolean equals(Object other) {
    return other instanceof Graph graph
        && Arrays.equals(offsets, graph.offsets)
        && Arrays.equals(neighbors, graph.neighbors)
        && Objects.equals(weights, graph.weights)
        && Arrays.equals(vertexWeights, graph.vertexWeights);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(offsets) + Arrays.hashCode(neighbors);
  }

  /** Counts only, for messages: the arrays may be large. */
  @Override
  public String toString() {
    return "Graph[vertices="
        + vertices()
        + ", edges="
        + edges
        + ", arcs="
        + arcs()
        + (weights == null
            ? ", unweighted"
            : weightType() == WeightType.INT ? ", weighted" : ", " + weightType() + " weights")
        + (vertexWeights == null ? "]" : ", vertex weights]");
  }
}
