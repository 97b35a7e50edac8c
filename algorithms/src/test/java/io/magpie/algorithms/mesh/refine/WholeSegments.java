package io.magpie.algorithms.mesh.refine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.Splitting;
import io.magpie.algorithms.mesh.refine.RefinementOptions.Insertion;
import io.magpie.algorithms.mesh.refine.RefinementReport.Outcome;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Says whether segments that are to stay whole did, and whether only they kept work undone. */
final class WholeSegments {
  /** Relative to a triangle's circumradius: by how much rounding may misplace its circumcenter. */
  private static final double ROUNDING = 1e-6;

  private final Mesh mesh;
  private final RefinementOptions options;

  /** Vertices that were inserted on segments. */
  private final Set<Integer> splitters = new HashSet<>();

  private WholeSegments(Mesh input, Mesh mesh, RefinementOptions options) {
    this.mesh = mesh;
    this.options = options;
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
    if (ended && result.report().options().insertion() == Insertion.CIRCUMCENTER) {
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

  /** Of each triangle that is clearly bad, the circumcenter lies beyond a segment or near to it. */
  private void checkTriangles(Set<List<Integer>> kept) {
    for (int i = 0; i < mesh.triangles(); i++) {
      int t = i;
      double ux = mesh.x(mesh.corner(t, 1)) - mesh.x(mesh.corner(t, 0));
      double uy = mesh.y(mesh.corner(t, 1)) - mesh.y(mesh.corner(t, 0));
      double vx = mesh.x(mesh.corner(t, 2)) - mesh.x(mesh.corner(t, 0));
      double vy = mesh.y(mesh.corner(t, 2)) - mesh.y(mesh.corner(t, 0));
      double uu = ux * ux + uy * uy;
      double vv = vx * vx + vy * vy;
      double ww = (vx - ux) * (vx - ux) + (vy - uy) * (vy - uy);
      double shortest = Math.sqrt(Math.min(uu, Math.min(vv, ww)));
      double twice = ux * vy - uy * vx;
      double radius = Math.sqrt(uu) * Math.sqrt(vv) * Math.sqrt(ww) / (2 * twice);
      double angle = Math.toDegrees(Math.asin(Math.min(1, shortest / (2 * radius))));
      boolean large = options.maximumArea() > 0 && twice > 2 * options.maximumArea() * 1.001;
      if (!large && angle > options.minimumAngle() - 1e-3 || mayBeExcused(t)) {
        continue;
      }
      double x = mesh.x(mesh.corner(t, 0)) + (vy * uu - uy * vv) / (2 * twice);
      double y = mesh.y(mesh.corner(t, 0)) + (ux * vv - vx * uu) / (2 * twice);
      assertTrue(
          kept.stream().anyMatch(edge -> isInTheWay(t, x, y, ROUNDING * radius, edge)),
          () -> "triangle " + t + " with a circumcenter at " + x + " " + y + " was left");
    }
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
}
