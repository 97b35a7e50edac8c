package io.magpie.algorithms.mesh.verify;

import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.internal.Predicates;

/**
 * A triangulation as the arrays of a refiner hold it: unchecked, with free slots.
 *
 * @param coordinates of vertex v: x at 2v, y at 2v + 1
 * @param corners of triangle t: 3t, 3t + 1, 3t + 2, counter-clockwise; {@link #FREE} at 3t if the
 *     slot holds no triangle
 * @param neighbors across the edge opposite each corner, with the same indices; -1 on the boundary
 * @param segmentsOfEdges the segment on the edge opposite each corner, with the same indices; -1 if
 *     none
 * @param segmentEnds the two ends of segment s at 2s and 2s + 1; {@link #FREE} at 2s if the slot
 *     holds no segment
 * @param segmentOrigins the input segment that each segment is a part of
 * @param labels what triangles pass on
 */
record MeshArrays(
    double[] coordinates,
    int[] corners,
    int[] neighbors,
    int[] segmentsOfEdges,
    int[] segmentEnds,
    int[] segmentOrigins,
    TriangleLabels labels) {

  /** Marks a slot that holds nothing. */
  static final int FREE = -1;

  MeshArrays {
    if (coordinates.length % 2 != 0
        || corners.length % 3 != 0
        || neighbors.length != corners.length
        || segmentsOfEdges.length != corners.length
        || segmentEnds.length != 2 * segmentOrigins.length
        || labels.values().length != labels.attributes() * (corners.length / 3)
        || (labels.bounded() && labels.areaBounds().length != corners.length / 3)) {
      throw new IllegalArgumentException(
          "lengths do not fit: coordinates "
              + coordinates.length
              + ", corners "
              + corners.length
              + ", neighbors "
              + neighbors.length
              + ", segments of edges "
              + segmentsOfEdges.length
              + ", segment ends "
              + segmentEnds.length
              + ", origins "
              + segmentOrigins.length
              + ", attributes of triangles "
              + labels.values().length
              + ", area bounds "
              + labels.areaBounds().length);
    }
  }

  /** The arrays of a mesh: not copied where it has them. */
  static MeshArrays of(Mesh mesh) {
    int segments = mesh.segments();
    int[] ends = new int[2 * segments];
    int[] origins = new int[segments];
    for (int s = 0; s < segments; s++) {
      ends[2 * s] = mesh.segmentStart(s);
      ends[2 * s + 1] = mesh.segmentEnd(s);
      origins[s] = mesh.segmentOrigin(s);
    }
    return new MeshArrays(
        mesh.coordinates(),
        mesh.corners(),
        mesh.neighbors(),
        mesh.segmentsOfEdges(),
        ends,
        origins,
        TriangleLabels.of(mesh));
  }

  int vertices() {
    return coordinates.length / 2;
  }

  int triangleSlots() {
    return corners.length / 3;
  }

  int segmentSlots() {
    return segmentOrigins.length;
  }

  double x(int vertex) {
    return coordinates[2 * vertex];
  }

  double y(int vertex) {
    return coordinates[2 * vertex + 1];
  }

  boolean freeTriangle(int triangle) {
    return corners[3 * triangle] == FREE;
  }

  boolean freeSegment(int segment) {
    return segmentEnds[2 * segment] == FREE;
  }

  int segmentStart(int segment) {
    return segmentEnds[2 * segment];
  }

  int segmentEnd(int segment) {
    return segmentEnds[2 * segment + 1];
  }

  String segmentText(int segment) {
    return "segment " + segment + " (" + segmentStart(segment) + "-" + segmentEnd(segment) + ")";
  }

  /** Whether side h of an edge names a neighbor that is out of range or free. */
  boolean danglingNeighbor(int h) {
    int t = neighbors[h];
    return t != -1 && (t < 0 || t >= triangleSlots() || freeTriangle(t));
  }

  /** Whether side h of an edge names a segment that is out of range or free. */
  boolean danglingSegment(int h) {
    int s = segmentsOfEdges[h];
    return s != -1 && (s < 0 || s >= segmentSlots() || freeSegment(s));
  }

  /** Where edge {@code h = 3t + k} of triangle t starts, counter-clockwise. */
  int edgeStart(int h) {
    return corners[next(h)];
  }

  /** Where edge {@code h = 3t + k} of triangle t ends, counter-clockwise. */
  int edgeEnd(int h) {
    return corners[next(next(h))];
  }

  /** The exact sign of the orientation of triangle t: positive if it is counter-clockwise. */
  double orientation(int t) {
    int a = corners[3 * t];
    int b = corners[3 * t + 1];
    int c = corners[3 * t + 2];
    return Predicates.orient2d(x(a), y(a), x(b), y(b), x(c), y(c));
  }

  private static int next(int h) {
    return h % 3 == 2 ? h - 2 : h + 1;
  }

  /**
   * The distance of two vertices, if its square is neither too large nor too small for a double.
   */
  double distance(int v, int w) {
    double dx = x(v) - x(w);
    double dy = y(v) - y(w);
    return Math.sqrt(dx * dx + dy * dy);
  }
}
