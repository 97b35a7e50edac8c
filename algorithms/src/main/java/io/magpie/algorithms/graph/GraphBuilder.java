package io.magpie.algorithms.graph;

import io.magpie.algorithms.internal.OrderedBits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Collects edges in any order and makes a {@link Graph} of them by counting.
 *
 * <p>Memory: 8 bytes for each edge or arc given (12 with weights, 16 with long and double ones)
 * until {@link #build} has copied it, in pieces that are released one by one, besides the graph
 * itself. Time: O(vertices + edges). Lists keep the order in which edges were given. Not for use by
 * several threads at once.
 */
public final class GraphBuilder {
  // Small enough that no piece is "humongous" to the G1 collector at any heap size.
  private static final int PIECE = 1 << 15;

  private final boolean growing;
  private int vertices;
  private final boolean widening;
  private WeightType type;
  private int stride;
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
   * @param weighted whether edges have weights, which are ints
   * @throws GraphTooLargeException when there are too many vertices
   */
  public GraphBuilder(int vertices, boolean weighted) {
    this(vertices, weighted ? WeightType.INT : null);
  }

  /**
   * A builder of a graph without edges so far.
   *
   * @param vertices the number of vertices, 0 to {@link Graph#MAX_VERTICES}
   * @param weights the type of the edges' weights; null if they have none
   * @throws GraphTooLargeException when there are too many vertices
   */
  public GraphBuilder(int vertices, WeightType weights) {
    this(vertices, weights, false);
  }

  private GraphBuilder(int vertices, WeightType type, boolean widening) {
    if (vertices < 0) {
      throw new IllegalArgumentException("vertices=" + vertices + " is negative");
    }
    if (vertices > Graph.MAX_VERTICES) {
      throw new GraphTooLargeException("vertices", vertices, Graph.MAX_VERTICES);
    }
    this.vertices = vertices;
    this.type = type;
    this.stride = stride(type);
    this.widening = widening;
    this.growing = false;
  }

  /**
   * A builder of a graph that has as many vertices as its edges name: one more than the largest.
   *
   * @param weighted whether edges have weights, which are ints
   */
  public GraphBuilder(boolean weighted) {
    this(weighted ? WeightType.INT : null, false);
  }

  private GraphBuilder(WeightType type, boolean widening) {
    this.type = type;
    this.stride = stride(type);
    this.widening = widening;
    this.growing = true;
  }

  /**
   * A builder for a file.
   *
   * @param vertices how many there are; -1 for as many as the edges name
   * @param weights how weights are read; null for none
   */
  static GraphBuilder reading(int vertices, FileWeights weights) {
    WeightType type = weights == null ? null : weights.type();
    boolean widening = weights == FileWeights.ANY;
    return vertices < 0
        ? new GraphBuilder(type, widening)
        : new GraphBuilder(vertices, type, widening);
  }

  private static int stride(WeightType type) {
    return type == null ? 2 : type.isWide() ? 4 : 3;
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
   * @param weight a number that the builder's type of weights holds; not stored when the graph is
   *     unweighted
   * @return this
   * @throws IllegalArgumentException when an end point is out of range, or the type does not hold
   *     the weight exactly
   * @throws GraphTooLargeException when there are too many arcs
   */
  public GraphBuilder addEdge(int u, int v, int weight) {
    return addedEdge(u, v, key(u, v, weight));
  }

  /**
   * Adds an undirected edge with a long as its weight; see {@link #addEdge(int, int, int)}.
   *
   * @param u one end point
   * @param v the other
   * @param weight a number that the builder's type of weights holds
   * @return this
   */
  public GraphBuilder addEdge(int u, int v, long weight) {
    return addedEdge(u, v, key(u, v, weight));
  }

  /**
   * Adds an undirected edge with a float as its weight; see {@link #addEdge(int, int, int)}.
   *
   * @param u one end point
   * @param v the other
   * @param weight a finite number that the builder's type of weights holds; -0.0 is 0.0
   * @return this
   */
  public GraphBuilder addEdge(int u, int v, float weight) {
    return addedEdge(u, v, key(u, v, weight));
  }

  /**
   * Adds an undirected edge with a double as its weight; see {@link #addEdge(int, int, int)}.
   *
   * @param u one end point
   * @param v the other
   * @param weight a finite number that the builder's type of weights holds; -0.0 is 0.0
   * @return this
   */
  public GraphBuilder addEdge(int u, int v, double weight) {
    return addedEdge(u, v, key(u, v, weight));
  }

  /**
   * Adds one direction of an edge; the other is to be added too, or is made up for as {@link
   * #build(Symmetry)} is told.
   *
   * @param from the source
   * @param to the target
   * @param weight a number that the builder's type of weights holds; not stored when the graph is
   *     unweighted
   * @return this
   * @throws IllegalArgumentException when an end point is out of range, or the type does not hold
   *     the weight exactly
   * @throws GraphTooLargeException when there are too many arcs
   */
  public GraphBuilder addArc(int from, int to, int weight) {
    return addedArc(from, to, key(from, to, weight));
  }

  /**
   * Adds one direction of an edge with a long as its weight; see {@link #addArc(int, int, int)}.
   *
   * @param from the source
   * @param to the target
   * @param weight a number that the builder's type of weights holds
   * @return this
   */
  public GraphBuilder addArc(int from, int to, long weight) {
    return addedArc(from, to, key(from, to, weight));
  }

  /**
   * Adds one direction of an edge with a float as its weight; see {@link #addArc(int, int, int)}.
   *
   * @param from the source
   * @param to the target
   * @param weight a finite number that the builder's type of weights holds; -0.0 is 0.0
   * @return this
   */
  public GraphBuilder addArc(int from, int to, float weight) {
    return addedArc(from, to, key(from, to, weight));
  }

  /**
   * Adds one direction of an edge with a double as its weight; see {@link #addArc(int, int, int)}.
   *
   * @param from the source
   * @param to the target
   * @param weight a finite number that the builder's type of weights holds; -0.0 is 0.0
   * @return this
   */
  public GraphBuilder addArc(int from, int to, double weight) {
    return addedArc(from, to, key(from, to, weight));
  }

  /** The same with the {@linkplain ArcWeights key} of a weight. */
  GraphBuilder addedEdge(int u, int v, long key) {
    check(u, v);
    count(u == v ? 1 : 2);
    edgeFill = append(edgePieces, edgeFill, u, v, key);
    return this;
  }

  private GraphBuilder addedArc(int from, int to, long key) {
    check(from, to);
    count(1);
    arcFill = append(arcPieces, arcFill, from, to, key);
    return this;
  }

  /** The key of a whole number in the type of weights, which a file's number may widen. */
  private long key(int u, int v, long weight) {
    if (type == null
        || type == WeightType.LONG
        || type == WeightType.INT && weight == (int) weight) {
      return weight;
    }
    if (widening) {
      if (type == WeightType.INT) {
        widen(WeightType.LONG);
        return weight;
      }
      return OrderedBits.of((double) weight);
    }
    return held(ArcWeights.keyIn(type, weight), u, v, weight);
  }

  /** The same of a number that may have a fraction; one of a file makes all weights doubles. */
  private long key(int u, int v, double weight) {
    if (type == null) {
      return 0;
    }
    if (!Double.isFinite(weight)) {
      throw new IllegalArgumentException(
          edge(u, v)
              + ": its weight "
              + weight
              + " is not a finite number; leave out edges that must not be chosen");
    }
    if (widening && type != WeightType.DOUBLE) {
      widen(WeightType.DOUBLE); // even if it is whole: the file's number may not have been
    }
    return held(ArcWeights.keyIn(type, weight), u, v, weight);
  }

  private long held(Long key, int u, int v, Number weight) {
    if (key == null) {
      throw new IllegalArgumentException(
          edge(u, v)
              + ": its weight "
              + weight
              + " is no "
              + type
              + ", the type of this builder's weights");
    }
    return key;
  }

  private static String edge(int u, int v) {
    return "edge " + u + " to " + v;
  }

  /** Gives all weights so far another type, of 64 bits; doubles are the nearest ones. */
  private void widen(WeightType wider) {
    edgeFill = widen(edgePieces, edgeFill, wider);
    arcFill = widen(arcPieces, arcFill, wider);
    type = wider;
    stride = stride(wider);
  }

  private int widen(List<int[]> pieces, int fill, WeightType wider) {
    int next = stride(wider);
    for (int p = 0; p < pieces.size(); p++) {
      int[] from = pieces.get(p);
      int[] to = new int[PIECE * next];
      for (int i = 0, j = 0; i < from.length; i += stride, j += next) {
        long key = storedKey(from, i);
        store(
            to,
            j,
            from[i],
            from[i + 1],
            wider,
            wider == WeightType.DOUBLE ? OrderedBits.of((double) key) : key);
      }
      pieces.set(p, to);
    }
    return fill / stride * next;
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

  private void check(int u, int v) {
    if (growing) {
      int largest = Math.max(u, v);
      if (largest >= Graph.MAX_VERTICES) {
        throw new GraphTooLargeException("vertices", largest + 1L, Graph.MAX_VERTICES);
      }
      atLeast(largest + 1);
    }
    if (u < 0 || u >= vertices || v < 0 || v >= vertices) {
      throw new IllegalArgumentException(edge(u, v) + ": vertices are 0 to " + (vertices - 1));
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

  private int append(List<int[]> pieces, int fill, int u, int v, long key) {
    if (pieces.isEmpty() || fill == PIECE * stride) {
      pieces.add(new int[PIECE * stride]);
      fill = 0;
    }
    store(pieces.get(pieces.size() - 1), fill, u, v, type, key);
    return fill + stride;
  }

  private static void store(int[] piece, int at, int u, int v, WeightType type, long key) {
    piece[at] = u;
    piece[at + 1] = v;
    if (type != null) {
      piece[at + 2] = (int) key;
      if (type.isWide()) {
        piece[at + 3] = (int) (key >> 32);
      }
    }
  }

  private long storedKey(int[] piece, int at) {
    return type.isWide()
        ? (long) piece[at + 3] << 32 | Integer.toUnsignedLong(piece[at + 2])
        : piece[at + 2];
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
   * @throws IllegalArgumentException when weights are not ints or floats, 0 or more
   */
  public DirectedGraph buildDirected() {
    Symmetrizer.Arcs given = given();
    return DirectedGraph.trusted(given);
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
    ArcWeights weights = type == null ? null : ArcWeights.of(type, (int) arcs);
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
      List<int[]> pieces,
      int lastFill,
      boolean both,
      int[] next,
      int[] neighbors,
      ArcWeights weights) {
    for (int p = 0; p < pieces.size(); p++) {
      int[] piece = pieces.get(p);
      int fill = p == pieces.size() - 1 ? lastFill : piece.length;
      for (int i = 0; i < fill; i += stride) {
        int u = piece[i];
        int v = piece[i + 1];
        int position = next[u]++;
        neighbors[position] = v;
        if (weights != null) {
          weights.setKey(position, storedKey(piece, i));
        }
        if (both && u != v) {
          position = next[v]++;
          neighbors[position] = u;
          if (weights != null) {
            weights.setKey(position, storedKey(piece, i));
          }
        }
      }
      pieces.set(p, null);
    }
    pieces.clear();
  }
}
