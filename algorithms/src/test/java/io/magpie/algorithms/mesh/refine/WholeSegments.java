package io.magpie.algorithms.mesh.refine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.Splitting;
import io.magpie.algorithms.mesh.refine.RefinementOptions.Insertion;
import io.magpie.algorithms.mesh.refine.RefinementReport.Outcome;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Says whether segments that are to stay whole did, and whether only they kept work undone. */
final class WholeSegments {
  /** By how much rounding may misplace a point, relative to its distance from the triangle. */
  private static final double ROUNDING = 1e-6;

  /** Off-centers are a little nearer than where the angle at them is just the one asked. */
  private static final double NEARER = 0.95;

  /** Parts of an edge whose ends are looked at. */
  private static final int PLACES = 8;

  private final Mesh mesh;
  private final RefinementOptions options;

  /** Whether the input has angles that excuse triangles. */
  private final boolean excuses;

  /** Vertices that were inserted on segments. */
  private final Set<Integer> splitters = new HashSet<>();

  private WholeSegments(Mesh input, Mesh mesh, RefinementOptions options) {
    this.mesh = mesh;
    this.options = options;
    this.excuses = Refinements.hasSharpAngle(input);
    for (int s = 0; s < mesh.segments(); s++) {
      splitters.add(mesh.segmentStart(s));
      splitters.add(mesh.segmentEnd(s));
    }
    splitters.removeIf(v -> v < input.vertices());
  }

  static void check(Mesh input, RefinementResult result) {
    Splitting splitting = result.report().options().splitting();
    if (splitting == Splitting.ALL) {
      return;
    }
    Mesh mesh = result.mesh();
    Set<List<Integer>> kept = kept(input, splitting);
    assertEquals(kept, kept(mesh, splitting));
    assertEquals(input.segments() == kept.size(), mesh.segments() == kept.size());
    boolean ended =
        result.report().outcome() == Outcome.FINISHED
            || result.report().outcome() == Outcome.SEGMENTS_KEPT;
    if (ended) {
      new WholeSegments(input, mesh, result.report().options()).checkTriangles(kept);
    }
  }

  /** The two ends, the smaller number first, of edges that are not to be split. */
  private static Set<List<Integer>> kept(Mesh mesh, Splitting splitting) {
    Set<List<Integer>> kept = new HashSet<>();
    for (int t = 0; t < mesh.triangles(); t++) {
      for (int k = 0; k < 3; k++) {
        if (mesh.neighbor(t, k) < 0 || splitting == Splitting.NONE && mesh.segment(t, k) >= 0) {
          int a = mesh.corner(t, (k + 1) % 3);
          int b = mesh.corner(t, (k + 2) % 3);
          kept.add(List.of(Math.min(a, b), Math.max(a, b)));
        }
      }
    }
    return kept;
  }

  /**
   * Of each triangle that is clearly bad, the point that mends it has such a segment in its way.
   */
  private void checkTriangles(Set<List<Integer>> kept) {
    for (int i = 0; i < mesh.triangles(); i++) {
      int t = i;
      double[] squares = new double[3];
      double[] cotangents = new double[3];
      double twice = 0;
      for (int k = 0; k < 3; k++) {
        double ux = mesh.x(mesh.corner(t, (k + 1) % 3)) - mesh.x(mesh.corner(t, k));
        double uy = mesh.y(mesh.corner(t, (k + 1) % 3)) - mesh.y(mesh.corner(t, k));
        double vx = mesh.x(mesh.corner(t, (k + 2) % 3)) - mesh.x(mesh.corner(t, k));
        double vy = mesh.y(mesh.corner(t, (k + 2) % 3)) - mesh.y(mesh.corner(t, k));
        twice = ux * vy - uy * vx;
        cotangents[k] = (ux * vx + uy * vy) / twice;
        squares[k] = (vx - ux) * (vx - ux) + (vy - uy) * (vy - uy);
      }
      double largest = Arrays.stream(cotangents).max().orElseThrow();
      double angle = Math.toDegrees(Math.atan2(1, largest));
      boolean large = options.maximumArea() > 0 && twice > 2 * options.maximumArea() * 1.001;
      if (!large && (angle > options.minimumAngle() - 1e-3 || excuses && mayBeExcused(t))) {
        continue;
      }
      double shortest = Arrays.stream(squares).min().orElseThrow();
      boolean blocked = false;
      for (int k = 0; k < 3; k++) {
        if (squares[k] <= shortest * (1 + ROUNDING)) {
          blocked |= isBlocked(t, k, cotangents[k], kept);
        }
      }
      assertTrue(blocked, () -> "triangle " + t + " of corners " + corners(t) + " was left");
    }
  }

  private String corners(int t) {
    StringBuilder all = new StringBuilder();
    for (int k = 0; k < 3; k++) {
      int v = mesh.corner(t, k);
      all.append(k == 0 ? "" : ", ").append(mesh.x(v)).append(' ').append(mesh.y(v));
    }
    return all.toString();
  }

  /**
   * Whether the point on the perpendicular of its shortest edge k that mends it is blocked: where
   * all corners are equally far, or if that is nearer, where the edge is seen at the angle asked.
   */
  private boolean isBlocked(int t, int k, double cotangent, Set<List<Integer>> kept) {
    int a = mesh.corner(t, (k + 1) % 3);
    int b = mesh.corner(t, (k + 2) % 3);
    double dx = mesh.x(b) - mesh.x(a);
    double dy = mesh.y(b) - mesh.y(a);
    double height = cotangent / 2; // of the edge's length
    if (options.insertion() == Insertion.OFF_CENTER && options.minimumAngle() > 0) {
      double half = Math.toRadians(options.minimumAngle()) / 2;
      height = Math.min(height, NEARER / 2 / Math.tan(half));
    }
    double x = (mesh.x(a) + mesh.x(b)) / 2 - height * dy;
    double y = (mesh.y(a) + mesh.y(b)) / 2 + height * dx;
    double near = ROUNDING * (1 + Math.abs(height)) * Math.hypot(dx, dy);
    return kept.stream().anyMatch(edge -> isInTheWay(t, x, y, near, edge) && isSeen(t, edge));
  }

  /** Whether it lies between two segments, or two of its corners split some. */
  private boolean mayBeExcused(int t) {
    int edges = 0;
    int corners = 0;
    for (int k = 0; k < 3; k++) {
      edges += mesh.segment(t, k) >= 0 ? 1 : 0;
      corners += splitters.contains(mesh.corner(t, k)) ? 1 : 0;
    }
    return edges > 1 || corners > 1;
  }

  /** Whether an edge lies between a triangle and a point, or sees the point at a wide angle. */
  private boolean isInTheWay(int t, double x, double y, double near, List<Integer> edge) {
    double ax = mesh.x(edge.get(0)) - x;
    double ay = mesh.y(edge.get(0)) - y;
    double bx = mesh.x(edge.get(1)) - x;
    double by = mesh.y(edge.get(1)) - y;
    double a = Math.hypot(ax, ay);
    double b = Math.hypot(bx, by);
    double wide = -Math.cos(Math.toRadians(2 * options.minimumAngle()));
    if (ax * bx + ay * by < (wide + 1e-6) * a * b) {
      return true;
    }
    double cx =
        (mesh.x(mesh.corner(t, 0)) + mesh.x(mesh.corner(t, 1)) + mesh.x(mesh.corner(t, 2))) / 3 - x;
    double cy =
        (mesh.y(mesh.corner(t, 0)) + mesh.y(mesh.corner(t, 1)) + mesh.y(mesh.corner(t, 2))) / 3 - y;
    // The point, the origin here, and the centroid lie on different sides, or the point on it.
    double length = Math.hypot(bx - ax, by - ay);
    double here = (ax * by - ay * bx) / length;
    double there = ((ax - cx) * (by - cy) - (ay - cy) * (bx - cx)) / length;
    boolean crossed = here * there < 0 || Math.abs(here) < near;
    double first = (ax * cy - ay * cx) / Math.hypot(cx, cy);
    double second = (bx * cy - by * cx) / Math.hypot(cx, cy);
    return crossed && (first * second < 0 || Math.min(Math.abs(first), Math.abs(second)) < near);
  }

  /** Whether no other segment lies between some corner of a triangle and some place of an edge. */
  private boolean isSeen(int t, List<Integer> edge) {
    for (int k = 0; k < 3; k++) {
      int v = mesh.corner(t, k);
      for (int place = 0; place <= PLACES; place++) {
        double share = (double) place / PLACES;
        double x = (1 - share) * mesh.x(edge.get(0)) + share * mesh.x(edge.get(1));
        double y = (1 - share) * mesh.y(edge.get(0)) + share * mesh.y(edge.get(1));
        if (!isCut(mesh.x(v), mesh.y(v), x, y)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether a segment crosses a line, and not just at its ends. */
  private boolean isCut(double ax, double ay, double bx, double by) {
    for (int s = 0; s < mesh.segments(); s++) {
      double cx = mesh.x(mesh.segmentStart(s));
      double cy = mesh.y(mesh.segmentStart(s));
      double dx = mesh.x(mesh.segmentEnd(s));
      double dy = mesh.y(mesh.segmentEnd(s));
      double sizes = Math.hypot(bx - ax, by - ay) * Math.hypot(dx - cx, dy - cy) * ROUNDING;
      double c = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
      double d = (bx - ax) * (dy - ay) - (by - ay) * (dx - ax);
      double a = (dx - cx) * (ay - cy) - (dy - cy) * (ax - cx);
      double b = (dx - cx) * (by - cy) - (dy - cy) * (bx - cx);
      boolean apart = Math.min(Math.abs(c), Math.abs(d)) > sizes;
      boolean across = Math.min(Math.abs(a), Math.abs(b)) > sizes;
      if (apart && across && c > 0 != d > 0 && a > 0 != b > 0) {
        return true;
      }
    }
    return false;
  }
}
