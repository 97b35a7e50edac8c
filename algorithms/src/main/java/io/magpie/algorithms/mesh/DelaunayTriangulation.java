package io.magpie.algorithms.mesh;

import io.magpie.algorithms.internal.SeededHash;
import io.magpie.algorithms.mesh.internal.HilbertOrder;
import io.magpie.algorithms.mesh.internal.Predicates;

/**
 * Triangulates planar straight-line graphs: the constrained Delaunay triangulation of the domain
 * that their segments enclose, or of the convex hull where there are none.
 *
 * <p><b>Method.</b> Points are numbered along a Hilbert curve and inserted one by one in rounds of
 * about eight times as many points each, drawn at random, in the order of the curve within each
 * round (Amenta, Choi, Rote, Incremental constructions con BRIO, 2003); then the segments. All
 * decisions are by exact signs, so no input is too degenerate. The result is the same every time.
 *
 * <p><b>Cost.</b> O(n log n) expected for n points, O(n) in practice, on the calling thread: about
 * 0.4 s for a million points. Memory in addition to the mesh: 41 bytes for each triangle, 16 more
 * with segments, and 29 bytes for each vertex.
 */
public final class DelaunayTriangulation {
  private static final int NONE = Triangulation.NONE;
  private static final int BOUNDARY_MARKER = 1;

  /** One in 2^3 points of a round is left to an earlier one. */
  private static final int ROUND_BITS = 3;

  private static final long ROUND_KEY = SeededHash.key(0);

  private final PlanarGraph graph;
  private final int n;

  /** The vertices along the curve. Below, points are numbered by their index in it. */
  private final int[] vertices;

  /** The points, and after them the holes. */
  private final double[] points;

  private Triangulation mesh;
  private SegmentInsertion segments;
  private boolean[] outside;

  private DelaunayTriangulation(PlanarGraph graph) {
    this.graph = graph;
    n = graph.vertices();
    if (n > Triangulation.MAX_POINTS) {
      throw new IllegalArgumentException(
          n + " vertices: expected at most " + Triangulation.MAX_POINTS);
    }
    vertices = HilbertOrder.of(graph.coordinates());
    points = new double[2 * (n + graph.holes())];
    for (int p = 0; p < n; p++) {
      points[2 * p] = graph.x(vertices[p]);
      points[2 * p + 1] = graph.y(vertices[p]);
      requireExact("vertex ", vertices[p], p);
    }
    for (int hole = 0; hole < graph.holes(); hole++) {
      int p = n + hole;
      points[2 * p] = graph.holeX(hole);
      points[2 * p + 1] = graph.holeY(hole);
      requireExact("hole ", hole, p);
    }
  }

  private void requireExact(String what, int number, int p) {
    if (!Predicates.isExactFor(points[2 * p]) || !Predicates.isExactFor(points[2 * p + 1])) {
      throw new IllegalArgumentException(
          what
              + text(number, p)
              + ": expected coordinates that are 0 or of magnitude 2^-204 to 2^250: move or scale"
              + " everything");
    }
  }

  /**
   * Triangulates what the segments enclose, less the holes; without segments, the convex hull.
   *
   * <p>Vertices keep their numbers, markers and attributes; those outside the domain have no
   * triangles. Triangles are numbered along a Hilbert curve through the vertices. A segment is cut
   * at each vertex that lies exactly on it; its parts take its marker and are numbered in the order
   * of segments and along each from its start. What two segments share belongs to the first one;
   * what lies outside the domain is dropped. Edges of the boundary without a segment, then, get one
   * of marker 1. A hole outside the domain changes nothing.
   *
   * <p>If there are regions, triangles have an attribute, that of their {@link PlanarGraph.Region},
   * and if one of these has an area, {@linkplain Mesh#areaBound bounds on their areas}.
   *
   * @param graph no two vertices at one place, no segments that cross
   * @return the mesh
   * @throws IllegalArgumentException when there are less than three vertices or more than 2^27 - 8,
   *     all lie on one line, two coincide, two segments cross, a hole lies on a vertex or segment,
   *     a region lies outside the domain or on a segment, which is a {@link RegionFaultException},
   *     a coordinate is neither 0 nor of magnitude 2^-204 to 2^250, or nothing is enclosed; the
   *     message numbers them as {@link PlanarGraph#firstIndex()} says, and names ten pairs at most
   *     of vertices at one place, or of segments that cross, and where
   */
  public static Mesh of(PlanarGraph graph) {
    return of(graph, graph.segments() == 0);
  }

  /**
   * Triangulates the convex hull of all vertices, less the holes, whatever the segments enclose;
   * otherwise as {@link #of}.
   *
   * @param graph no two vertices at one place, no segments that cross
   * @return the mesh
   * @throws IllegalArgumentException as {@link #of}
   */
  public static Mesh ofConvexHull(PlanarGraph graph) {
    return of(graph, true);
  }

  private static Mesh of(PlanarGraph graph, boolean wholeHull) {
    DelaunayTriangulation work = new DelaunayTriangulation(graph);
    work.insertPoints();
    work.insertSegments();
    work.removeOutside(wholeHull);
    return work.result();
  }

  private String text(int number, int p) {
    return number + graph.firstIndex() + " at " + points[2 * p] + " " + points[2 * p + 1];
  }

  private boolean atOnePlace(int p, int q) {
    return points[2 * p] == points[2 * q] && points[2 * p + 1] == points[2 * q + 1];
  }

  private void insertPoints() {
    if (n < 3) {
      throw new IllegalArgumentException(
          (n == 1 ? "1 vertex" : n + " vertices") + ": a triangulation needs at least three");
    }
    int[] order = rounds();
    int a = order[0];
    int b = order[1];
    if (atOnePlace(a, b)) {
      throw GraphFaults.duplicates(graph);
    }
    int third = 2;
    double side = 0;
    while (third < n && side == 0) {
      side = sign(a, b, order[third++]);
    }
    if (side == 0) {
      throw new IllegalArgumentException(
          "all " + n + " vertices lie on one line; add one that does not");
    }
    int c = order[--third];
    order[third] = order[2];
    mesh = side > 0 ? new Triangulation(points, n, a, b, c) : new Triangulation(points, n, b, a, c);
    for (int i = 3; i < n; i++) {
      if (mesh.insert(order[i]) != NONE) {
        throw GraphFaults.duplicates(graph);
      }
    }
  }

  private double sign(int p, int q, int r) {
    return Predicates.orient2d(
        points[2 * p],
        points[2 * p + 1],
        points[2 * q],
        points[2 * q + 1],
        points[2 * r],
        points[2 * r + 1]);
  }

  /** The points, round by round: the last round has most of them. */
  private int[] rounds() {
    int rounds = 64 / ROUND_BITS + 1;
    byte[] round = new byte[n];
    int[] next = new int[rounds + 1];
    for (int p = 0; p < n; p++) {
      round[p] =
          (byte)
              (rounds - 1 - Long.numberOfLeadingZeros(SeededHash.draw(ROUND_KEY, p)) / ROUND_BITS);
      next[round[p] + 1]++;
    }
    for (int r = 0; r < rounds; r++) {
      next[r + 1] += next[r];
    }
    int[] order = new int[n];
    for (int p = 0; p < n; p++) {
      order[next[round[p]]++] = p;
    }
    return order;
  }

  private void insertSegments() {
    if (graph.segments() == 0) {
      return;
    }
    int[] pointOf = new int[n];
    for (int p = 0; p < n; p++) {
      pointOf[vertices[p]] = p;
    }
    segments = new SegmentInsertion(mesh, n);
    for (int s = 0; s < graph.segments(); s++) {
      int obstacle =
          segments.insert(pointOf[graph.segmentStart(s)], pointOf[graph.segmentEnd(s)], s);
      if (obstacle != NONE) {
        throw GraphFaults.crossings(graph, segments, pointOf, s);
      }
    }
  }

  private int part(int h) {
    return segments == null ? NONE : segments.part(h);
  }

  /** Finds the triangles outside the domain: spreads from its outer side and the holes. */
  private void removeOutside(boolean wholeHull) {
    outside = new boolean[mesh.triangles()];
    // Each triangle waits once at most.
    int[] pending = new int[outside.length];
    int waiting = 0;
    for (int t = 0; t < outside.length; t++) {
      outside[t] = mesh.isGhost(t);
      if (outside[t] && !wholeHull) {
        pending[waiting++] = t;
      }
    }
    for (int hole = 0; hole < graph.holes(); hole++) {
      int t = triangleOfHole(hole);
      if (!outside[t]) {
        outside[t] = true;
        pending[waiting++] = t;
      }
    }
    while (waiting > 0) {
      int t = pending[--waiting];
      for (int h = 8 * t; h < 8 * t + 3; h++) {
        int across = mesh.twin(h) >> 3;
        if (!outside[across] && part(h) == NONE) {
          outside[across] = true;
          pending[waiting++] = across;
        }
      }
    }
  }

  private int triangleOfHole(int hole) {
    int p = n + hole;
    int t = mesh.locate(p);
    if (!mesh.isGhost(t)) {
      int lines = 0;
      boolean barred = false;
      for (int h = 8 * t; h < 8 * t + 3; h++) {
        if (mesh.orientation(mesh.start(h), mesh.end(h), p) == 0) {
          lines++;
          barred |= part(h) != NONE;
        }
      }
      if (barred || lines > 1) {
        throw new IllegalArgumentException(
            "hole "
                + text(hole, p)
                + " lies on "
                + (lines > 1 ? "a vertex" : "a segment")
                + ": put it inside the hole");
      }
    }
    return t;
  }

  private Mesh result() {
    int[] numbers = numberTriangles();
    int count = 0;
    for (int number : numbers) {
      count += number == NONE ? 0 : 1;
    }
    if (count == 0) {
      throw new IllegalArgumentException(
          "nothing is left inside: the segments enclose nothing, or the holes are everywhere");
    }
    int[] corners = new int[3 * count];
    int[] neighbors = new int[3 * count];
    int[] segmentsOfEdges = new int[3 * count];
    boolean[] used = new boolean[segments == null ? 0 : segments.parts()];
    int bare = 0;
    for (int t = 0; t < numbers.length; t++) {
      if (numbers[t] == NONE) {
        continue;
      }
      for (int k = 0; k < 3; k++) {
        int h = 8 * t + k;
        int at = 3 * numbers[t] + k;
        corners[at] = vertices[mesh.apex(h)];
        neighbors[at] = numbers[mesh.twin(h) >> 3];
        int part = part(h);
        segmentsOfEdges[at] = part;
        if (part != NONE) {
          used[part] = true;
        } else if (neighbors[at] == NONE) {
          bare++;
        }
      }
    }
    return withSegments(corners, neighbors, segmentsOfEdges, used, bare);
  }

  /** Numbers what is left by the first of a triangle's corners along the curve. */
  private int[] numberTriangles() {
    int[] next = new int[n + 1];
    int[] numbers = new int[outside.length];
    for (int t = 0; t < numbers.length; t++) {
      if (!outside[t]) {
        next[first(t) + 1]++;
      }
    }
    for (int p = 0; p < n; p++) {
      next[p + 1] += next[p];
    }
    for (int t = 0; t < numbers.length; t++) {
      numbers[t] = outside[t] ? NONE : next[first(t)]++;
    }
    return numbers;
  }

  private int first(int t) {
    return Math.min(mesh.apex(8 * t), Math.min(mesh.apex(8 * t + 1), mesh.apex(8 * t + 2)));
  }

  /** Numbers the parts of segments that are used, then the bare edges of the boundary. */
  private Mesh withSegments(
      int[] corners, int[] neighbors, int[] segmentsOfEdges, boolean[] used, int bare) {
    int[] numbers = new int[used.length];
    int count = 0;
    for (int part = 0; part < used.length; part++) {
      numbers[part] = used[part] ? count++ : NONE;
    }
    int[] ends = new int[2 * (count + bare)];
    int[] markers = new int[count + bare];
    for (int part = 0; part < used.length; part++) {
      if (used[part]) {
        ends[2 * numbers[part]] = vertices[segments.partStart(part)];
        ends[2 * numbers[part] + 1] = vertices[segments.partEnd(part)];
        markers[numbers[part]] = graph.segmentMarker(segments.partSegment(part));
      }
    }
    for (int at = 0; at < corners.length; at++) {
      if (segmentsOfEdges[at] != NONE) {
        segmentsOfEdges[at] = numbers[segmentsOfEdges[at]];
      } else if (neighbors[at] == NONE) {
        int k = at % 3;
        ends[2 * count] = corners[at - k + (k + 1) % 3];
        ends[2 * count + 1] = corners[at - k + (k + 2) % 3];
        markers[count] = BOUNDARY_MARKER;
        segmentsOfEdges[at] = count++;
      }
    }
    boolean marked = bare > 0 || graph.hasSegmentMarkers();
    return RegionFill.triangulated(
        Mesh.builder(graph.withSegments(ends, marked ? markers : null), corners)
            .adjacency(neighbors, segmentsOfEdges)
            .build());
  }
}
