package io.magpie.algorithms.mesh.refine;

import io.magpie.algorithms.mesh.ExactGeometry;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.refine.RefinementOptions.Overlap;
import io.magpie.algorithms.mesh.refine.RefinementReport.Round;
import io.magpie.stm.Device;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Whether a step filled a maximal set of cavities that do not overlap, from the meshes before and
 * after it alone: cavities are found again, in exact arithmetic, from what they are defined by.
 * Vertices are inserted at circumcenters, and no segments meet at sharp angles.
 */
final class MaximalSetCheck {
  /** Triangles of the largest cavity that takes part. */
  private static final int USUAL = 24;

  /** Of an angle, in degrees: within it the device may think otherwise. */
  private static final double TIE = 1e-6;

  private final Mesh before;
  private final double angle;
  private final Overlap overlap;
  private final double[] xy; // with room for a point that is not inserted
  private final BitSet gone = new BitSet();
  private final BitSet reached = new BitSet(); // gone, or next to such a triangle

  private MaximalSetCheck(Mesh before, double angle, Overlap overlap) {
    this.before = before;
    this.angle = angle;
    this.overlap = overlap;
    this.xy = Arrays.copyOf(before.coordinates(), 2 * before.vertices() + 2);
  }

  /** Refines, and says what is wrong with the first step with which anything is. */
  static Optional<String> complaint(
      Device device, Mesh input, RefinementOptions options, Map<String, String> defines) {
    return complaint(device, input, options, options.overlap(), defines);
  }

  /** The same for sets that are held to another definition of what overlaps. */
  static Optional<String> complaint(
      Device device,
      Mesh input,
      RefinementOptions options,
      Overlap overlap,
      Map<String, String> defines) {
    Steps steps = new Steps(input, options.minimumAngle(), overlap);
    try (RefinementRun run = new RefinementRun(device, input, options, defines, steps::ended)) {
      steps.run = run;
      run.run(System.nanoTime(), null);
    }
    return Optional.ofNullable(steps.complaint);
  }

  /** Follows a refinement. */
  private static final class Steps {
    private final double angle;
    private final Overlap overlap;
    private Mesh last;
    private int number;
    private RefinementRun run;
    private String complaint;

    Steps(Mesh input, double angle, Overlap overlap) {
      this.last = input;
      this.angle = angle;
      this.overlap = overlap;
    }

    void ended(Round round) {
      if (complaint != null) {
        return;
      }
      Mesh now = mesh(round);
      if (!round.large()) {
        number++;
        String found = new MaximalSetCheck(last, angle, overlap).judge(now, round);
        complaint = found == null ? null : "step " + number + ": " + found;
      }
      last = now;
    }

    private Mesh mesh(Round round) {
      DeviceMesh there = run.mesh();
      int triangles = there.triangleCapacity(); // transactions use the first of them
      int vertices = there.vertexCapacity();
      if (!round.large()) {
        int[] tallies = run.tallies().toArray();
        triangles = tallies[run.kernels().triangles];
        vertices = tallies[run.kernels().vertices];
      }
      return new MeshDownload(there, triangles, vertices, null).finish().mesh();
    }
  }

  private String judge(Mesh after, Round round) {
    if (after.vertices() - before.vertices() != round.inserted()) {
      return "not as many vertices as it counts: " + round;
    }
    Set<List<Integer>> kept = new HashSet<>();
    for (int t = 0; t < after.triangles(); t++) {
      kept.add(key(after, t));
    }
    for (int t = 0; t < before.triangles(); t++) {
      if (!kept.contains(key(before, t))) {
        gone.set(t);
        reached.set(t);
        for (int k = 0; k < 3; k++) {
          if (before.neighbor(t, k) >= 0) {
            reached.set(before.neighbor(t, k));
          }
        }
      }
    }
    String found = overlapping(after);
    return found == null ? missing() : found;
  }

  private static List<Integer> key(Mesh mesh, int t) {
    return List.of(mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2)).stream()
        .sorted()
        .toList();
  }

  /** Two new vertices whose cavities overlap. */
  private String overlapping(Mesh after) {
    for (int t = 0; t < after.triangles(); t++) {
      Set<Integer> own = newVertices(after, t);
      Set<Integer> all = new HashSet<>(own);
      for (int k = 0; k < 3; k++) {
        int next = after.neighbor(t, k);
        if (next >= 0 && (!own.isEmpty() || overlap == Overlap.NEIGHBORHOODS)) {
          all.addAll(newVertices(after, next));
        }
      }
      if (all.size() > 1) {
        return "the cavities of vertices " + all + " overlap";
      }
    }
    return null;
  }

  private Set<Integer> newVertices(Mesh after, int t) {
    Set<Integer> found = new HashSet<>();
    for (int k = 0; k < 3; k++) {
      if (after.corner(t, k) >= before.vertices()) {
        found.add(after.corner(t, k));
      }
    }
    return found;
  }

  /** An item that could have been done in the same step. */
  private String missing() {
    for (int t = 0; t < before.triangles(); t++) {
      if (gone.get(t)) {
        continue;
      }
      if (smallestAngle(t) < angle - TIE && !isTaken(t)) {
        return "bad triangle " + key(before, t) + " overlaps nothing";
      }
      for (int k = 0; k < 3; k++) {
        if (isFixed(t, k) && encroaches(before.corner(t, k), t, k) && !isSplitTaken(t, k)) {
          return "segment " + k + " of triangle " + key(before, t) + " overlaps nothing";
        }
      }
    }
    return null;
  }

  private double smallestAngle(int t) {
    double smallest = 180;
    for (int k = 0; k < 3; k++) {
      int at = before.corner(t, k);
      double ux = x(before.corner(t, (k + 1) % 3)) - x(at);
      double uy = y(before.corner(t, (k + 1) % 3)) - y(at);
      double vx = x(before.corner(t, (k + 2) % 3)) - x(at);
      double vy = y(before.corner(t, (k + 2) % 3)) - y(at);
      double between = Math.atan2(Math.abs(ux * vy - uy * vx), ux * vx + uy * vy);
      smallest = Math.min(smallest, Math.toDegrees(between));
    }
    return smallest;
  }

  /** Whether the cavity of a bad triangle, or of a segment in its way, overlaps the step's. */
  private boolean isTaken(int t) {
    int a = before.corner(t, 0);
    double ux = x(before.corner(t, 1)) - x(a);
    double uy = y(before.corner(t, 1)) - y(a);
    double vx = x(before.corner(t, 2)) - x(a);
    double vy = y(before.corner(t, 2)) - y(a);
    double uu = ux * ux + uy * uy;
    double vv = vx * vx + vy * vy;
    double area = 2 * (ux * vy - uy * vx);
    int center = point(x(a) + (vy * uu - uy * vv) / area, y(a) + (ux * vv - vx * uu) / area);
    List<int[]> inTheWay = new ArrayList<>();
    if (overlaps(cavity(center, List.of(t), inTheWay))) {
      return true; // or what led to a segment in its way does
    }
    for (int[] edge : inTheWay) {
      if (isSplitTaken(edge[0], edge[1])) {
        return true;
      }
    }
    return false;
  }

  /** Whether the cavity of a segment's midpoint overlaps the step's. */
  private boolean isSplitTaken(int t, int k) {
    int from = before.corner(t, (k + 1) % 3);
    int to = before.corner(t, (k + 2) % 3);
    int middle = point(x(from) + (x(to) - x(from)) / 2, y(from) + (y(to) - y(from)) / 2);
    List<Integer> both = new ArrayList<>(List.of(t));
    if (before.neighbor(t, k) >= 0) {
      both.add(before.neighbor(t, k));
    }
    return overlaps(cavity(middle, both, new ArrayList<>()));
  }

  private boolean overlaps(List<Integer> cavity) {
    if (cavity.size() > USUAL) {
      return true; // it takes no part
    }
    BitSet taken = overlap == Overlap.NEIGHBORHOODS ? reached : gone;
    for (int t : cavity) {
      if (taken.get(t)) {
        return true;
      }
      for (int k = 0; k < 3; k++) {
        if (before.neighbor(t, k) >= 0 && taken.get(before.neighbor(t, k))) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * The triangles whose circumcircles a point is in and which can be reached from some of them
   * without crossing a segment.
   *
   * @param inTheWay receives the segments that the point is beyond, or in whose circle it is
   */
  private List<Integer> cavity(int point, List<Integer> from, List<int[]> inTheWay) {
    BitSet seen = new BitSet();
    from.forEach(seen::set);
    ArrayDeque<Integer> open = new ArrayDeque<>(from);
    List<Integer> cavity = new ArrayList<>();
    while (!open.isEmpty()) {
      int t = open.remove();
      cavity.add(t);
      for (int k = 0; k < 3; k++) {
        int next = before.neighbor(t, k);
        int a = before.corner(t, (k + 1) % 3);
        int b = before.corner(t, (k + 2) % 3);
        if (isFixed(t, k)) {
          if (encroaches(point, t, k) || ExactGeometry.orientation(xy, a, b, point) <= 0) {
            inTheWay.add(new int[] {t, k});
          }
        } else if (!seen.get(next)
            && ExactGeometry.inCircle(
                    xy,
                    before.corner(next, 0),
                    before.corner(next, 1),
                    before.corner(next, 2),
                    point)
                > 0) {
          seen.set(next);
          open.add(next);
        }
      }
    }
    return cavity;
  }

  private boolean isFixed(int t, int k) {
    return before.neighbor(t, k) < 0 || before.segment(t, k) >= 0;
  }

  /** Whether a point is inside the circle that has edge k of a triangle as its diameter. */
  private boolean encroaches(int point, int t, int k) {
    int a = before.corner(t, (k + 1) % 3);
    int b = before.corner(t, (k + 2) % 3);
    return (x(a) - x(point)) * (x(b) - x(point)) + (y(a) - y(point)) * (y(b) - y(point)) < 0;
  }

  /** A point that is no vertex, until the next one. */
  private int point(double x, double y) {
    xy[2 * before.vertices()] = x;
    xy[2 * before.vertices() + 1] = y;
    return before.vertices();
  }

  private double x(int vertex) {
    return xy[2 * vertex];
  }

  private double y(int vertex) {
    return xy[2 * vertex + 1];
  }
}
