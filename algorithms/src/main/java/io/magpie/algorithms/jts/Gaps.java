package io.magpie.algorithms.jts;

import io.magpie.algorithms.mesh.DelaunayTriangulation;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.PlanarGraph;
import io.magpie.algorithms.mesh.internal.Predicates;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.LineString;
import org.locationtech.jts.geom.Polygon;

/**
 * Finds a point in each gap of polygons: a part of the plane that they enclose but do not cover.
 *
 * <p>The convex hull is triangulated. Starting outside, triangles are visited across their edges,
 * and each segment of a ring that is crossed adds a polygon to those that cover a triangle, or
 * takes one away. All decisions are by exact signs, so a gap that is narrower than the rounding of
 * coordinates is not taken for a part of a polygon. If no point with coordinates of doubles is
 * found inside, a gap gets none; its area is that of rounding.
 */
final class Gaps {
  /** Points to look at in a triangle. */
  private static final int TRIES = 100;

  /** Steps of a sequence that fills the unit square evenly, by the plastic number. */
  private static final double STEP_U = 0.7548776662466927;

  private static final double STEP_V = 0.5698402909980532;

  /** Of the convex hull; its edges that no segment lies on have segments with a marker. */
  private final Mesh mesh;

  /** Where the segments of each vertex begin among those of all vertices. */
  private final int[] firstSegment;

  private final int[] segmentsAt;

  /** How many more polygons cover the left side of each of the mesh's segments than its right. */
  private final int[] moreOnLeft;

  /** The triangles, gap by gap and polygon by polygon. */
  private final int[] order;

  private final boolean[] ordered;

  /** How many polygons cover each triangle, where known. */
  private final int[] covering;

  private final boolean[] known;

  /** Triangles across segments, which are known. */
  private final int[] pending;

  private int waiting;

  private Gaps(PlanarGraph graph) {
    mesh = DelaunayTriangulation.ofConvexHull(graph);
    firstSegment = new int[mesh.vertices() + 2];
    segmentsAt = new int[2 * mesh.segments()];
    moreOnLeft = new int[mesh.segments()];
    order = new int[mesh.triangles()];
    ordered = new boolean[order.length];
    covering = new int[order.length];
    known = new boolean[order.length];
    pending = new int[order.length];
    listSegments();
  }

  /**
   * The points.
   *
   * @param graph has the rings of the polygons among its segments, no duplicates, and no markers
   * @param polygons valid ones
   * @return x and y of each point in turn
   * @throws IllegalArgumentException when segments cross
   */
  static double[] points(PlanarGraph graph, List<Polygon> polygons) {
    Gaps gaps = new Gaps(graph);
    gaps.addSides(polygons);
    return gaps.points();
  }

  private void listSegments() {
    for (int s = 0; s < mesh.segments(); s++) {
      firstSegment[mesh.segmentStart(s) + 2]++;
      firstSegment[mesh.segmentEnd(s) + 2]++;
    }
    for (int v = 2; v < firstSegment.length; v++) {
      firstSegment[v] += firstSegment[v - 1];
    }
    for (int s = 0; s < mesh.segments(); s++) {
      segmentsAt[firstSegment[mesh.segmentStart(s) + 1]++] = s;
      segmentsAt[firstSegment[mesh.segmentEnd(s) + 1]++] = s;
    }
  }

  private int degree(int v) {
    return firstSegment[v + 1] - firstSegment[v];
  }

  private void addSides(List<Polygon> polygons) {
    Map<Coordinate, Integer> vertexAt = new HashMap<>();
    for (int v = 0; v < mesh.vertices(); v++) {
      vertexAt.put(place(mesh.x(v), mesh.y(v)), v);
    }
    for (Polygon polygon : polygons) {
      addSides(vertices(polygon.getExteriorRing(), vertexAt), 1);
      for (int hole = 0; hole < polygon.getNumInteriorRing(); hole++) {
        addSides(vertices(polygon.getInteriorRingN(hole), vertexAt), -1);
      }
    }
  }

  /** A key that is the same for 0 and -0. */
  private static Coordinate place(double x, double y) {
    return new Coordinate(x + 0.0, y + 0.0);
  }

  /** The vertices of a ring, each once unless it comes back; the last is not the first again. */
  private static int[] vertices(LineString ring, Map<Coordinate, Integer> vertexAt) {
    int[] vertices = new int[ring.getNumPoints()];
    int count = 0;
    for (int i = 0; i < vertices.length; i++) {
      Coordinate at = ring.getCoordinateN(i);
      int v = vertexAt.get(place(at.x, at.y));
      if (count == 0 || vertices[count - 1] != v) {
        vertices[count++] = v;
      }
    }
    return Arrays.copyOf(vertices, count - 1);
  }

  /** Adds a ring, inside which {@code moreInside} more polygons lie than outside. */
  private void addSides(int[] ring, int moreInside) {
    int lowest = 0;
    for (int i = 1; i < ring.length; i++) {
      if (isLower(ring[i], ring[lowest])) {
        lowest = i;
      }
    }
    int before = ring[(lowest + ring.length - 1) % ring.length];
    int after = ring[(lowest + 1) % ring.length];
    int left = turn(before, ring[lowest], after) > 0 ? moreInside : -moreInside;
    for (int i = 0; i < ring.length; i++) {
      addSide(ring[i], ring[(i + 1) % ring.length], left);
    }
  }

  private boolean isLower(int v, int than) {
    return mesh.y(v) < mesh.y(than) || (mesh.y(v) == mesh.y(than) && mesh.x(v) < mesh.x(than));
  }

  private double turn(int a, int b, int c) {
    return Predicates.orient2d(mesh.x(a), mesh.y(a), mesh.x(b), mesh.y(b), mesh.x(c), mesh.y(c));
  }

  /** Adds to what the mesh has in place of a segment, looking from ends with few segments. */
  private void addSide(int start, int end, int moreOnItsLeft) {
    int from = start;
    int to = end;
    int left = moreOnItsLeft;
    while (from != to) {
      if (degree(from) > degree(to)) {
        int other = from;
        from = to;
        to = other;
        left = -left;
      }
      int i = firstSegment[from];
      while (!leads(segmentsAt[i], from, to)) {
        i++;
      }
      int s = segmentsAt[i];
      moreOnLeft[s] += mesh.segmentStart(s) == from ? left : -left;
      from = otherEnd(s, from);
    }
  }

  private int otherEnd(int s, int v) {
    return mesh.segmentStart(s) == v ? mesh.segmentEnd(s) : mesh.segmentStart(s);
  }

  private boolean leads(int s, int from, int to) {
    int next = otherEnd(s, from);
    return next == to
        || (turn(from, to, next) == 0
            && Math.signum(mesh.x(next) - mesh.x(from)) == Math.signum(mesh.x(to) - mesh.x(from))
            && Math.signum(mesh.y(next) - mesh.y(from)) == Math.signum(mesh.y(to) - mesh.y(from)));
  }

  private double[] points() {
    DoubleStream.Builder points = DoubleStream.builder();
    int start = 0;
    while (!isOnHull(start)) {
      start++;
    }
    for (int k = 0; k < 3; k++) {
      if (mesh.neighbor(start, k) < 0) {
        learn(start, moreInside(start, k));
      }
    }
    int from = 0;
    while (waiting > 0) {
      int t = pending[--waiting];
      if (ordered[t]) {
        continue;
      }
      ordered[t] = true;
      order[from] = t;
      int to = from + 1;
      boolean open = false;
      for (int i = from; i < to; i++) {
        for (int k = 0; k < 3; k++) {
          int across = mesh.neighbor(order[i], k);
          if (across < 0) {
            open |= mesh.segmentMarker(mesh.segment(order[i], k)) != 0;
          } else if (mesh.segment(order[i], k) >= 0) {
            learn(across, covering[t] - moreInside(order[i], k));
          } else if (!ordered[across]) {
            learned(across, covering[t]);
            ordered[across] = true;
            order[to++] = across;
          }
        }
      }
      if (!open && covering[t] == 0) {
        addPoint(from, to, points);
      }
      from = to;
    }
    return points.build().toArray();
  }

  private boolean isOnHull(int t) {
    return mesh.neighbor(t, 0) < 0 || mesh.neighbor(t, 1) < 0 || mesh.neighbor(t, 2) < 0;
  }

  private void learn(int t, int count) {
    if (!known[t]) {
      learned(t, count);
      pending[waiting++] = t;
    }
  }

  private void learned(int t, int count) {
    known[t] = true;
    covering[t] = count;
  }

  /** How many more polygons cover a triangle than what is across an edge that is a segment. */
  private int moreInside(int t, int k) {
    int s = mesh.segment(t, k);
    return mesh.segmentStart(s) == mesh.corner(t, (k + 1) % 3) ? moreOnLeft[s] : -moreOnLeft[s];
  }

  /** Adds a point of one of the triangles, best of the largest. */
  private void addPoint(int from, int to, DoubleStream.Builder points) {
    int largest = from;
    for (int i = from + 1; i < to; i++) {
      if (area(order[i]) > area(order[largest])) {
        largest = i;
      }
    }
    boolean found = addPoint(order[largest], points);
    for (int i = from; i < to && !found; i++) {
      found = addPoint(order[i], points);
    }
  }

  private double area(int t) {
    int a = mesh.corner(t, 0);
    return turn(a, mesh.corner(t, 1), mesh.corner(t, 2));
  }

  private boolean addPoint(int t, DoubleStream.Builder points) {
    int a = mesh.corner(t, 0);
    int b = mesh.corner(t, 1);
    int c = mesh.corner(t, 2);
    double u = 1 / 3.0;
    double v = 1 / 3.0;
    for (int i = 0; i < TRIES; i++) {
      double x = mesh.x(a) + u * (mesh.x(b) - mesh.x(a)) + v * (mesh.x(c) - mesh.x(a));
      double y = mesh.y(a) + u * (mesh.y(b) - mesh.y(a)) + v * (mesh.y(c) - mesh.y(a));
      if (isInside(a, b, x, y) && isInside(b, c, x, y) && isInside(c, a, x, y)) {
        points.add(x).add(y);
        return true;
      }
      u = (u + STEP_U) % 1;
      v = (v + STEP_V) % 1;
      if (u + v > 1) {
        u = 1 - u;
        v = 1 - v;
      }
    }
    return false;
  }

  private boolean isInside(int from, int to, double x, double y) {
    return Predicates.isExactFor(x)
        && Predicates.isExactFor(y)
        && Predicates.orient2d(mesh.x(from), mesh.y(from), mesh.x(to), mesh.y(to), x, y) > 0;
  }
}
