package io.magpie.algorithms.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Collects edges in any order and makes a {@link Graph} of them by counting.
 *
 * <p>Memory: 8 bytes for each edge or arc given (12 with weights) until {@link #build} has copied
 * it, in pieces that are released one by one, beside the graph itself. Time: O(vertices + edges).
 * Lists keep the order in which edges were given. Not for use by several threads at once.
 */
public final class GraphBuilder {
  // Small enough that no piece is "humongous" to the G1 collector at any heap size.
  private static final int PIECE = 1 << 15;

  private final boolean growing;
  private int vertices;
  private final boolean weighted;
  private final int stride;
  private final List<int[]> edgePieces = new ArrayList<>();
  private final List<int[]> arcPieces = new ArrayList<>();
  private int edgeFill;
  private int arcFill;
  private long arcs;
  private int[] vertexWeights;
  private boolean built;

  /**
   * A builder of a graph without edges so far.
   *
   * @param vertices the number of vertices, 0 to {@link Graph#MAX_VERTICES}
   * @param weighted whether edges have weights
   * @throws GraphTooLargeException when there are too many vertices
   */
  public GraphBuilder(int vertices, boolean weighted) {
    if (vertices < 0) {
      throw new IllegalArgumentException("vertices=" + vertices + " is negative");
    }
    if (vertices > Graph.MAX_VERTICES) {
      throw new GraphTooLargeException("vertices", vertices, Graph.MAX_VERTICES);
    }
    this.vertices = vertices;
    this.weighted = weighted;
    this.stride = weighted ? 3 : 2;
    this.growing = false;
  }

  /**
   * A builder of a graph that has as many vertices as its edges name: one more than the largest.
   *
   * @param weighted whether edges have weights
   */
  public GraphBuilder(boolean weighted) {
    this.weighted = weighted;
    this.stride = weighted ? 3 : 2;
    this.growing = true;
  }

  /** Gives a growing graph at least so many vertices. */
  void atLeast(int least) {
    vertices = Math.max(vertices, least);
  }

  /**
   * Adds an undirected edge of weight 1; a self-loop where the end points are the same.
   *
   * @param u one end point
   * @param v the other
   * @return this
   */
  public GraphBuilder addEdge(int u, int v) {
    return addEdge(u, v, 1);
  }

  /**
   * Adds an undirected edge, a self-loop where the end points are the same.
   *
   * @param u one end point
   * @param v the other
   * @param weight 0 or more; not stored when the graph is unweighted
   * @return this
   * @throws IllegalArgumentException when an end point or the weight is out of range
   * @throws GraphTooLargeException when there are too many arcs
   */
  public GraphBuilder addEdge(int u, int v, int weight) {
    check(u, v, weight);
    count(u == v ? 1 : 2);
    edgeFill = append(edgePieces, edgeFill, u, v, weight);
    return this;
  }

  /**
   * Adds one direction of an edge; the other is to be added too, or is made up for as {@link
   * #build(Symmetry)} is told.
   *
   * @param from the source
   * @param to the target
   * @param weight 0 or more; not stored when the graph is unweighted
   * @return this
   * @throws IllegalArgumentException when an end point or the weight is out of range
   * @throws GraphTooLargeException when there are too many arcs
   */
  public GraphBuilder addArc(int from, int to, int weight) {
    check(from, to, weight);
    count(1);
    arcFill = append(arcPieces, arcFill, from, to, weight);
    return this;
  }

  /**
   * Sets the weights of the vertices.
   *
   * @param weights one for each vertex, 0 or more, not copied; or null for none
   * @return this
   */
  public GraphBuilder vertexWeights(int[] weights) {
    if (weights != null && weights.length != vertices) {
      throw new IllegalArgumentException(
          "expected one weight for each of " + vertices + " vertices, got " + weights.length);
    }
    vertexWeights = weights;
    return this;
  }

  private void check(int u, int v, int weight) {
    if (growing) {
      int largest = Math.max(u, v);
      if (largest >= Graph.MAX_VERTICES) {
        throw new GraphTooLargeException("vertices", largest + 1L, Graph.MAX_VERTICES);
      }
      atLeast(largest + 1);
    }
    if (u < 0 || u >= vertices || v < 0 || v >= vertices) {
      throw new IllegalArgumentException(
          "edge " + u + " to " + v + ": vertices are 0 to " + (vertices - 1));
    }
    if (weight < 0) {
      throw new IllegalArgumentException(
          "edge " + u + " to " + v + ": its weight " + weight + " is negative");
    }
    if (built) {
      throw new IllegalStateException("the graph has been built already");
    }
  }

  private void count(int more) {
    arcs += more;
    if (arcs > Graph.MAX_ARCS) {
      throw new GraphTooLargeException("arcs", arcs, Graph.MAX_ARCS);
    }
  }

  private int append(List<int[]> pieces, int fill, int u, int v, int weight) {
    if (pieces.isEmpty() || fill == PIECE * stride) {
      pieces.add(new int[PIECE * stride]);
      fill = 0;
    }
    int[] piece = pieces.get(pieces.size() - 1);
    piece[fill] = u;
    piece[fill + 1] = v;
    if (weighted) {
      piece[fill + 2] = weight;
    }
    return fill + stride;
  }

  /**
   * Makes the graph, symmetrized where arcs were given in one direction only; see {@link
   * #build(Symmetry)}.
   *
   * @return the graph
   */
  public Graph build() {
    return build(Symmetry.SYMMETRIZE);
  }

  /**
   * Makes the graph. Can be called once.
   *
   * @param symmetry what to do about {@linkplain #addArc arcs} without their other direction
   * @return the graph
   * @throws IllegalArgumentException under {@link Symmetry#REQUIRE}, naming the first such arc
   * @throws GraphTooLargeException when the arcs to be added are too many
   */
  public Graph build(Symmetry symmetry) {
    return build(symmetry, 0);
  }

  /** {@link #build(Symmetry)} with messages that count vertices from {@code base}. */
  Graph build(Symmetry symmetry, int base) {
    boolean onlyEdges = arcPieces.isEmpty();
    Symmetrizer.Arcs given = given();
    if (onlyEdges) {
      return Graph.trusted(given.offsets(), given.neighbors(), given.weights(), vertexWeights);
    }
    return Symmetrizer.graph(
        given.offsets(), given.neighbors(), given.weights(), vertexWeights, symmetry, base);
  }

  /**
   * Makes a directed graph of the arcs as they were given: one for each {@link #addArc}, one in
   * each direction for each {@link #addEdge}. Weights of vertices are left out. Can be called once,
   * in place of {@link #build}.
   *
   * @return the graph
   */
  public DirectedGraph buildDirected() {
    Symmetrizer.Arcs given = given();
    return DirectedGraph.trusted(given.offsets(), given.neighbors(), given.weights());
  }

  /** The arcs that were given, and both of each edge; the pieces are released. */
  private Symmetrizer.Arcs given() {
    if (built) {
      throw new IllegalStateException("the graph has been built already");
    }
    built = true;
    int[] offsets = new int[vertices + 1];
    countDegrees(edgePieces, edgeFill, true, offsets);
    countDegrees(arcPieces, arcFill, false, offsets);
    for (int v = 0; v < vertices; v++) {
      offsets[v + 1] += offsets[v];
    }
    int[] next = Arrays.copyOf(offsets, vertices);
    int[] neighbors = new int[(int) arcs];
    int[] weights = weighted ? new int[(int) arcs] : null;
    place(edgePieces, edgeFill, true, next, neighbors, weights);
    place(arcPieces, arcFill, false, next, neighbors, weights);
    return new Symmetrizer.Arcs(offsets, neighbors, weights);
  }

  private void countDegrees(List<int[]> pieces, int lastFill, boolean both, int[] offsets) {
    for (int p = 0; p < pieces.size(); p++) {
      int[] piece = pieces.get(p);
      int fill = p == pieces.size() - 1 ? lastFill : piece.length;
      for (int i = 0; i < fill; i += stride) {
        offsets[piece[i] + 1]++;
        if (both && piece[i] != piece[i + 1]) {
          offsets[piece[i + 1] + 1]++;
        }
      }
    }
  }

  private void place(
      List<int[]> pieces, int lastFill, boolean both, int[] next, int[] neighbors, int[] weights) {
    for (int p = 0; p < pieces.size(); p++) {
      int[] piece = pieces.get(p);
      int fill = p == pieces.size() - 1 ? lastFill : piece.length;
      for (int i = 0; i < fill; i += stride) {
        int u = piece[i];
        int v = piece[i + 1];
        int position = next[u]++;
        neighbors[position] = v;
        if (weighted) {
          weights[position] = piece[i + 2];
        }
        if (both && u != v) {
          position = next[v]++;
          neighbors[position] = u;
          if (weighted) {
            weights[position] = piece[i + 2];
          }
        }
      }
      pieces.set(p, null);
    }
    pieces.clear();
  }
}
