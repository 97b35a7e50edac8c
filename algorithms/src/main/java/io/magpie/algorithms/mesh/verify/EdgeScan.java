package io.magpie.algorithms.mesh.verify;

import io.magpie.algorithms.internal.Parallel;
import io.magpie.algorithms.mesh.internal.Predicates;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * Visits every edge of a triangulation once, as the corners of the triangles imply edges; the
 * adjacency in the arrays is only compared with what is found.
 *
 * <p>The sides of edges, one for each triangle on an edge, are put into a bucket for the smaller
 * end and sorted there by the other. O(triangles) time as long as few vertices have many edges, and
 * at most O(triangles log triangles); 12 bytes for each triangle and 4 for each vertex.
 *
 * <p>The corners and the ends of segments must be vertices. Neighbors and segments of edges that
 * are out of range or free are left to {@link IdScan}.
 */
final class EdgeScan {
  private static final int MOST_SIDES = Integer.MAX_VALUE - 8;

  private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);

  private final MeshArrays mesh;
  private final boolean delaunay;
  private final boolean turned;
  private final boolean[] carried;

  /** What the scan finds. */
  static final class Result {
    final Findings findings = new Findings();

    long edges;

    /** The sides of edges of one triangle, and behind them places for more. */
    private int[] boundarySides = new int[16];

    /** Edges of one triangle. */
    int boundary;

    /** The length of the shortest edge; infinite if there is none. */
    double shortest = Double.POSITIVE_INFINITY;

    int shortestFrom = -1;
    int shortestTo = -1;

    /**
     * The shortest edge, or distance of a corner from the segment that it faces, if that is less.
     */
    double feature = Double.POSITIVE_INFINITY;

    /** Segments that lie on an edge with their ends, by number. */
    boolean[] carried;

    /** The sides of the edges of one triangle. */
    int[] boundarySides() {
      return Arrays.copyOf(boundarySides, boundary);
    }

    private void addBoundary(int h) {
      if (boundary == boundarySides.length) {
        boundarySides = Arrays.copyOf(boundarySides, (int) Math.min(2L * boundary, MOST_SIDES));
      }
      boundarySides[boundary++] = h;
    }

    private void append(Result later) {
      findings.append(later.findings);
      edges += later.edges;
      if (boundarySides.length - boundary < later.boundary) {
        int more = Math.addExact(boundary, later.boundary);
        boundarySides = Arrays.copyOf(boundarySides, (int) Math.min(2L * more, MOST_SIDES));
      }
      System.arraycopy(later.boundarySides, 0, boundarySides, boundary, later.boundary);
      boundary += later.boundary;
      if (later.shortest < shortest) {
        shortest = later.shortest;
        shortestFrom = later.shortestFrom;
        shortestTo = later.shortestTo;
      }
      feature = Math.min(feature, later.feature);
    }
  }

  private EdgeScan(MeshArrays mesh, boolean delaunay, boolean turned) {
    this.mesh = mesh;
    this.delaunay = delaunay;
    this.turned = turned;
    this.carried = new boolean[mesh.segmentSlots()];
  }

  /**
   * Scans a mesh.
   *
   * @param mesh with valid ids
   * @param delaunay whether the Delaunay property is checked
   * @param turned whether there are triangles that are not counter-clockwise; the Delaunay property
   *     of their edges is not checked
   */
  static Result of(MeshArrays mesh, boolean delaunay, boolean turned) {
    return new EdgeScan(mesh, delaunay, turned).run();
  }

  private Result run() {
    int vertices = mesh.vertices();
    int[] fill = new int[vertices];
    int slots = mesh.triangleSlots();
    Parallel.forRanges(slots, (from, to) -> count(fill, from, to));
    int sum = 0;
    for (int v = 0; v < vertices; v++) {
      int sides = fill[v];
      fill[v] = sum;
      sum += sides;
    }
    int[] sides = new int[sum];
    Parallel.forRanges(slots, (from, to) -> distribute(fill, sides, from, to));
    // Now fill[v] is where the bucket of v ends.
    Result all = new Result();
    all.carried = carried;
    Parallel.map(vertices, (from, to) -> scan(fill, sides, from, to)).forEach(all::append);
    return all;
  }

  private void count(int[] counts, int from, int to) {
    for (int t = from; t < to; t++) {
      if (!mesh.freeTriangle(t)) {
        for (int h = 3 * t; h < 3 * t + 3; h++) {
          INTS.getAndAdd(counts, low(h), 1);
        }
      }
    }
  }

  private void distribute(int[] fill, int[] sides, int from, int to) {
    for (int t = from; t < to; t++) {
      if (!mesh.freeTriangle(t)) {
        for (int h = 3 * t; h < 3 * t + 3; h++) {
          sides[(int) INTS.getAndAdd(fill, low(h), 1)] = h;
        }
      }
    }
  }

  private int low(int h) {
    return Math.min(mesh.edgeStart(h), mesh.edgeEnd(h));
  }

  private Result scan(int[] bucketEnds, int[] sides, int from, int to) {
    Result result = new Result();
    long[] keys = new long[16];
    for (int v = from; v < to; v++) {
      int begin = v == 0 ? 0 : bucketEnds[v - 1];
      int size = bucketEnds[v] - begin;
      if (size > keys.length) {
        keys = new long[Math.max(size, 2 * keys.length)];
      }
      for (int i = 0; i < size; i++) {
        int h = sides[begin + i];
        long other = Math.max(mesh.edgeStart(h), mesh.edgeEnd(h));
        keys[i] = other << 32 | h;
      }
      Arrays.sort(keys, 0, size);
      int next;
      for (int i = 0; i < size; i = next) {
        next = i + 1;
        while (next < size && keys[next] >>> 32 == keys[i] >>> 32) {
          next++;
        }
        add(result, keys, i, next);
      }
    }
    return result;
  }

  /**
   * Adds an edge.
   *
   * @param keys the sides of edges in their low halves; the edge's are at from to to - 1
   */
  private void add(Result result, long[] keys, int from, int to) {
    int owners = to - from;
    int first = (int) keys[from];
    int second = owners == 1 ? -1 : (int) keys[from + 1];
    result.edges++;
    measure(result, first);
    for (int i = from; i < to; i++) {
      carry(result, (int) keys[i]);
    }
    if (owners > 2) {
      int third = (int) keys[from + 2];
      result.findings.add(
          MeshCheck.EDGES,
          () ->
              edge(first)
                  + " belongs to "
                  + owners
                  + " triangles, among them "
                  + first / 3
                  + ", "
                  + second / 3
                  + " and "
                  + third / 3);
    } else if (second < 0) {
      result.addBoundary(first);
      compare(result, first, -1);
      segment(result, first, first);
    } else if (mesh.edgeStart(first) == mesh.edgeStart(second)) {
      result.findings.add(
          MeshCheck.EDGES,
          () ->
              edge(first)
                  + " has the same direction in triangles "
                  + first / 3
                  + " and "
                  + second / 3);
    } else {
      compare(result, first, second);
      compare(result, second, first);
      segment(result, first, second);
      if (delaunay && mesh.segmentsOfEdges()[first] < 0 && mesh.segmentsOfEdges()[second] < 0) {
        checkDelaunay(result, first, second);
      }
    }
  }

  private void measure(Result result, int h) {
    int v = mesh.edgeStart(h);
    int w = mesh.edgeEnd(h);
    double length = mesh.distance(v, w);
    if (length < result.shortest) {
      result.shortest = length;
      result.shortestFrom = v;
      result.shortestTo = w;
    }
    result.feature = Math.min(result.feature, length);
  }

  /** The side h of an edge must have the triangle of the other side as its neighbor. */
  private void compare(Result result, int h, int other) {
    int expected = other < 0 ? -1 : other / 3;
    int found = mesh.neighbors()[h];
    if (found != expected && !mesh.danglingNeighbor(h)) {
      result.findings.add(
          MeshCheck.ADJACENCY,
          () ->
              "triangle "
                  + h / 3
                  + " has neighbor "
                  + found
                  + " across "
                  + edge(h)
                  + ", its corners imply "
                  + expected);
    }
  }

  /** Both sides of an edge must have the same segment, and one on the boundary, where h is g. */
  private void segment(Result result, int h, int g) {
    int s = mesh.segmentsOfEdges()[h];
    int r = mesh.segmentsOfEdges()[g];
    if (s != r && !mesh.danglingSegment(h) && !mesh.danglingSegment(g)) {
      result.findings.add(
          MeshCheck.ADJACENCY,
          () ->
              edge(h)
                  + " carries segment "
                  + s
                  + " in triangle "
                  + h / 3
                  + " and "
                  + r
                  + " in triangle "
                  + g / 3);
    } else if (s == -1 && g == h) {
      result.findings.add(
          MeshCheck.ADJACENCY,
          () -> edge(h) + " of triangle " + h / 3 + " is on the boundary and carries no segment");
    }
  }

  /** The segment on side h of an edge, if there is one, must have its ends. */
  private void carry(Result result, int h) {
    int s = mesh.segmentsOfEdges()[h];
    if (s == -1 || mesh.danglingSegment(h)) {
      return;
    }
    if (joins(s, mesh.edgeStart(h), mesh.edgeEnd(h))) {
      carried[s] = true;
      result.feature = Math.min(result.feature, height(h));
    } else {
      result.findings.add(
          MeshCheck.ADJACENCY,
          () ->
              edge(h)
                  + " of triangle "
                  + h / 3
                  + " carries "
                  + mesh.segmentText(s)
                  + ", which has other ends");
    }
  }

  private boolean joins(int s, int v, int w) {
    int start = mesh.segmentStart(s);
    int end = mesh.segmentEnd(s);
    return (start == v && end == w) || (start == w && end == v);
  }

  /**
   * The distance of the corner opposite edge h, if its nearest point there is no end of the edge.
   */
  private double height(int h) {
    int a = mesh.edgeStart(h);
    int b = mesh.edgeEnd(h);
    int c = mesh.corners()[h];
    double length = mesh.distance(a, b);
    double ux = (mesh.x(b) - mesh.x(a)) / length;
    double uy = (mesh.y(b) - mesh.y(a)) / length;
    double vx = mesh.x(c) - mesh.x(a);
    double vy = mesh.y(c) - mesh.y(a);
    double along = ux * vx + uy * vy;
    return along > 0 && along < length ? Math.abs(ux * vy - uy * vx) : Double.POSITIVE_INFINITY;
  }

  private void checkDelaunay(Result result, int h, int g) {
    if (turned && !(mesh.orientation(h / 3) > 0 && mesh.orientation(g / 3) > 0)) {
      return;
    }
    int a = mesh.corners()[h];
    int b = mesh.edgeStart(h);
    int c = mesh.edgeEnd(h);
    int d = mesh.corners()[g];
    double side =
        Predicates.inCircle(
            mesh.x(a), mesh.y(a), mesh.x(b), mesh.y(b), mesh.x(c), mesh.y(c), mesh.x(d), mesh.y(d));
    // What is out of the predicate's range gives NaN, which proves nothing.
    if (!(side <= 0)) {
      result.findings.add(
          MeshCheck.DELAUNAY,
          () ->
              "vertex "
                  + d
                  + " of triangle "
                  + g / 3
                  + " lies inside the circle of triangle "
                  + h / 3
                  + ", across "
                  + edge(h));
    }
  }

  private String edge(int h) {
    return "edge " + mesh.edgeStart(h) + "-" + mesh.edgeEnd(h);
  }
}
