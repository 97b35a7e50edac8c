package io.magpie.algorithms.mesh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Triangulations against their definition, by brute force in exact arithmetic. */
class DelaunayTriangulationProperties {
  private static final Pattern CROSSING =
      Pattern.compile("segment (\\d+) from [^;]*? crosses segment (\\d+) from");

  record Point(double x, double y) {}

  @Property(tries = 400)
  void noCircleHoldsAVertex(@ForAll("points") double[] xy) {
    int n = xy.length / 2;
    if (onOneLine(xy)) {
      assertRefused(
          "all " + n + " vertices lie on one line; add one that does not", PlanarGraph.of(xy));
      return;
    }
    Mesh mesh = DelaunayTriangulation.of(PlanarGraph.of(xy));
    for (int t = 0; t < mesh.triangles(); t++) {
      for (int v = 0; v < n; v++) {
        int sign =
            ExactGeometry.inCircle(xy, mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2), v);
        assertTrue(sign <= 0, "vertex " + v + " in the circle of triangle " + t);
      }
    }
    assertCovers(mesh, hullArea(xy));
    assertEquals(n, usedVertices(mesh).size());
    assertEquals(2 * n - 2 - mesh.segments(), mesh.triangles());
    for (int s = 0; s < mesh.segments(); s++) {
      assertEquals(1, mesh.segmentMarker(s));
    }
  }

  @Property(tries = 500)
  void segmentsBecomeEdgesOrCrossEachOther(@ForAll("graphs") PlanarGraph graph) {
    double[] xy = graph.coordinates();
    if (onOneLine(xy)) {
      assertRefused(
          "all " + graph.vertices() + " vertices lie on one line; add one that does not", graph);
      return;
    }
    if (anyCrossing(graph)) {
      IllegalArgumentException refusal =
          assertThrows(
              IllegalArgumentException.class, () -> DelaunayTriangulation.ofConvexHull(graph));
      Matcher named = CROSSING.matcher(refusal.getMessage());
      List<int[]> pairs = new ArrayList<>();
      while (named.find()) {
        int s = Integer.parseInt(named.group(1));
        int r = Integer.parseInt(named.group(2));
        assertTrue(crossAwayFromVertices(graph, s, r), refusal.getMessage());
        pairs.add(new int[] {s, r});
      }
      if (pairs.size() < 10) {
        assertAllAreNamed(graph, pairs, refusal.getMessage());
      }
      return;
    }
    Mesh mesh = DelaunayTriangulation.ofConvexHull(graph);
    assertCovers(mesh, hullArea(xy));
    assertEquals(graph.vertices(), usedVertices(mesh).size());
    assertConstrainedDelaunay(mesh);
    assertParts(graph, mesh);
  }

  /** Of segments on one line any may be named. */
  private static void assertAllAreNamed(PlanarGraph graph, List<int[]> pairs, String message) {
    for (int s = 0; s < graph.segments(); s++) {
      for (int r = 0; r < s; r++) {
        int one = s;
        int other = r;
        assertTrue(
            !crossAwayFromVertices(graph, s, r)
                || pairs.stream()
                    .anyMatch(
                        pair ->
                            onOneLine(graph, one, pair[0]) && onOneLine(graph, other, pair[1])
                                || onOneLine(graph, one, pair[1])
                                    && onOneLine(graph, other, pair[0])),
            () -> one + " and " + other + " cross: " + message);
      }
    }
  }

  private static boolean onOneLine(PlanarGraph graph, int s, int r) {
    double[] xy = graph.coordinates();
    int a = graph.segmentStart(s);
    int b = graph.segmentEnd(s);
    return ExactGeometry.orientation(xy, a, b, graph.segmentStart(r)) == 0
        && ExactGeometry.orientation(xy, a, b, graph.segmentEnd(r)) == 0;
  }

  @Property(tries = 400)
  void theDomainIsWhatSegmentsEncloseLessHoles(
      @ForAll("graphs") PlanarGraph graph, @ForAll("holes") double[] holes) {
    double[] xy = graph.coordinates();
    if (onOneLine(xy) || anyCrossing(graph)) {
      return;
    }
    Mesh hull = DelaunayTriangulation.ofConvexHull(graph);
    // Its parts of segments, but not the sides of the hull that were added.
    int parts = 0;
    while (parts < hull.segments() && onASegment(graph, hull, parts)) {
      parts++;
    }
    int[] group = groups(hull, parts, graph.segments() > 0);
    for (int i = 0; i < holes.length; i += 2) {
      int t = triangleAround(hull, holes[i], holes[i + 1]);
      if (t >= 0) {
        int gone = group[t];
        for (int u = 0; u < group.length; u++) {
          group[u] = group[u] == gone ? -1 : group[u];
        }
      }
    }
    PlanarGraph pierced =
        PlanarGraph.builder(xy).segments(graph.segmentEnds(), null).holes(holes).build();
    Set<Set<Integer>> expected = new HashSet<>();
    for (int t = 0; t < group.length; t++) {
      if (group[t] >= 0) {
        expected.add(Set.of(hull.corner(t, 0), hull.corner(t, 1), hull.corner(t, 2)));
      }
    }
    if (expected.isEmpty()) {
      assertRefused(
          "nothing is left inside: the segments enclose nothing, or the holes are everywhere",
          pierced);
      return;
    }
    Mesh mesh = DelaunayTriangulation.of(pierced);
    Set<Set<Integer>> found = new HashSet<>();
    for (int t = 0; t < mesh.triangles(); t++) {
      found.add(Set.of(mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2)));
    }
    assertEquals(expected, found);
    assertAdjacency(mesh);
  }

  private static void assertRefused(String message, PlanarGraph graph) {
    assertEquals(
        message,
        assertThrows(IllegalArgumentException.class, () -> DelaunayTriangulation.of(graph))
            .getMessage());
  }

  /** The adjacency is the one that is found from nothing, and the areas add up. */
  private static void assertCovers(Mesh mesh, BigDecimal area) {
    assertAdjacency(mesh);
    BigDecimal sum = BigDecimal.ZERO;
    for (int t = 0; t < mesh.triangles(); t++) {
      BigDecimal each =
          ExactGeometry.area(
              mesh.coordinates(), mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2));
      assertEquals(1, each.signum(), "triangle " + t);
      sum = sum.add(each);
    }
    assertEquals(0, area.compareTo(sum));
  }

  private static void assertAdjacency(Mesh mesh) {
    Mesh again = Mesh.builder(mesh.planarGraph(), mesh.corners()).build();
    assertArrayEquals(again.neighbors(), mesh.neighbors());
    assertArrayEquals(again.segmentsOfEdges(), mesh.segmentsOfEdges());
  }

  /** Every edge without a segment is locally Delaunay, so the triangulation is constrained so. */
  private static void assertConstrainedDelaunay(Mesh mesh) {
    for (int t = 0; t < mesh.triangles(); t++) {
      for (int k = 0; k < 3; k++) {
        int across = mesh.neighbor(t, k);
        if (across >= 0 && mesh.segment(t, k) < 0) {
          for (int corner = 0; corner < 3; corner++) {
            assertTrue(
                ExactGeometry.inCircle(
                        mesh.coordinates(),
                        mesh.corner(t, 0),
                        mesh.corner(t, 1),
                        mesh.corner(t, 2),
                        mesh.corner(across, corner))
                    <= 0,
                "triangles " + t + " and " + across);
          }
        }
      }
    }
  }

  /** Parts follow in the order of segments, and along each from its start; then comes the hull. */
  private static void assertParts(PlanarGraph graph, Mesh mesh) {
    double[] xy = graph.coordinates();
    Set<Set<Integer>> seen = new HashSet<>();
    int next = 0;
    for (int s = 0; s < graph.segments(); s++) {
      int a = graph.segmentStart(s);
      int b = graph.segmentEnd(s);
      List<Integer> on = new ArrayList<>();
      for (int v = 0; v < graph.vertices(); v++) {
        if (ExactGeometry.inside(xy, a, b, v)) {
          on.add(v);
        }
      }
      // By coordinates as they are: distances of neighbors may round to the same number.
      double right = Math.signum(xy[2 * b] - xy[2 * a]);
      double up = Math.signum(xy[2 * b + 1] - xy[2 * a + 1]);
      on.sort(
          Comparator.<Integer>comparingDouble(v -> right * xy[2 * v])
              .thenComparingDouble(v -> up * xy[2 * v + 1]));
      on.add(b);
      int from = a;
      for (int to : on) {
        if (seen.add(Set.of(from, to))) {
          assertEquals(from, mesh.segmentStart(next));
          assertEquals(to, mesh.segmentEnd(next));
          assertEquals(graph.segmentMarker(s), mesh.segmentMarker(next));
          next++;
        }
        from = to;
      }
    }
    for (; next < mesh.segments(); next++) {
      assertTrue(seen.add(Set.of(mesh.segmentStart(next), mesh.segmentEnd(next))));
      assertEquals(1, mesh.segmentMarker(next));
    }
  }

  private static boolean onOneLine(double[] xy) {
    for (int v = 2; v < xy.length / 2; v++) {
      if (ExactGeometry.orientation(xy, 0, 1, v) != 0) {
        return false;
      }
    }
    return true;
  }

  private static boolean crossAwayFromVertices(PlanarGraph graph, int s, int r) {
    double[] xy = graph.coordinates();
    int a = graph.segmentStart(s);
    int b = graph.segmentEnd(s);
    int c = graph.segmentStart(r);
    int d = graph.segmentEnd(r);
    return ExactGeometry.cross(xy, a, b, c, d)
        && IntStream.range(0, graph.vertices())
            .noneMatch(v -> ExactGeometry.inside(xy, a, b, v) && ExactGeometry.inside(xy, c, d, v));
  }

  private static boolean anyCrossing(PlanarGraph graph) {
    return IntStream.range(0, graph.segments())
        .anyMatch(s -> IntStream.range(0, s).anyMatch(r -> crossAwayFromVertices(graph, s, r)));
  }

  private static boolean onASegment(PlanarGraph graph, Mesh mesh, int part) {
    double[] xy = graph.coordinates();
    int u = mesh.segmentStart(part);
    int v = mesh.segmentEnd(part);
    return IntStream.range(0, graph.segments())
        .anyMatch(
            s -> {
              int a = graph.segmentStart(s);
              int b = graph.segmentEnd(s);
              return (u == a || u == b || ExactGeometry.inside(xy, a, b, u))
                  && (v == a || v == b || ExactGeometry.inside(xy, a, b, v));
            });
  }

  /** Triangles by what they can reach without crossing the first segments; -1 for the outside. */
  private static int[] groups(Mesh mesh, int parts, boolean open) {
    int[] group = IntStream.range(0, mesh.triangles()).toArray();
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int t = 0; t < group.length; t++) {
        for (int k = 0; k < 3; k++) {
          int segment = mesh.segment(t, k);
          if (segment >= 0 && segment < parts) {
            continue;
          }
          int across = mesh.neighbor(t, k);
          int other = across >= 0 ? group[across] : open ? -1 : group[t];
          if (other < group[t]) {
            group[t] = other;
            changed = true;
          }
        }
      }
    }
    return group;
  }

  /** The triangle that holds a place in its interior. */
  private static int triangleAround(Mesh mesh, double x, double y) {
    int n = mesh.vertices();
    double[] xy = Arrays.copyOf(mesh.coordinates(), 2 * n + 2);
    xy[2 * n] = x;
    xy[2 * n + 1] = y;
    for (int t = 0; t < mesh.triangles(); t++) {
      int inside = 0;
      for (int k = 0; k < 3; k++) {
        inside += ExactGeometry.orientation(xy, mesh.corner(t, k), mesh.corner(t, (k + 1) % 3), n);
      }
      if (inside == 3) {
        return t;
      }
    }
    return -1;
  }

  private static Set<Integer> usedVertices(Mesh mesh) {
    Set<Integer> used = new HashSet<>();
    for (int each : mesh.corners()) {
      used.add(each);
    }
    return used;
  }

  /** Twice the area of the convex hull, by gift wrapping. */
  private static BigDecimal hullArea(double[] xy) {
    int n = xy.length / 2;
    int first = 0;
    for (int v = 1; v < n; v++) {
      if (xy[2 * v] < xy[2 * first]
          || (xy[2 * v] == xy[2 * first] && xy[2 * v + 1] < xy[2 * first + 1])) {
        first = v;
      }
    }
    BigDecimal area = BigDecimal.ZERO;
    int at = first;
    do {
      int next = at == 0 ? 1 : 0;
      for (int v = 0; v < n; v++) {
        if (v != at && v != next) {
          int sign = ExactGeometry.orientation(xy, at, next, v);
          if (sign < 0 || (sign == 0 && ExactGeometry.inside(xy, at, v, next))) {
            next = v;
          }
        }
      }
      area = area.add(ExactGeometry.area(xy, first, at, next));
      at = next;
    } while (at != first);
    return area;
  }

  /** On coarse grids, where most points are cocircular and collinear; some moved by an ulp. */
  @Provide
  Arbitrary<double[]> points() {
    Arbitrary<Double> scales = Arbitraries.of(1.0, 0.1, 1e16, 1e-9);
    return Combinators.combine(
            Arbitraries.integers().between(1, 12), scales, Arbitraries.of(0, 0, 1, 2))
        .flatAs(
            (side, scale, ulps) -> {
              Arbitrary<Double> coordinate =
                  Combinators.combine(
                          Arbitraries.integers().between(0, side),
                          Arbitraries.integers().between(-ulps, ulps))
                      .as((i, move) -> i * scale + move * Math.ulp(Math.max(1, i) * scale));
              return Combinators.combine(coordinate, coordinate)
                  .as(Point::new)
                  .list()
                  .uniqueElements()
                  .ofMinSize(3)
                  .ofMaxSize(Math.min(30, (side + 1) * (side + 1)));
            })
        .map(list -> list.stream().flatMapToDouble(p -> DoubleStream.of(p.x, p.y)).toArray());
  }

  /** With segments between any vertices, of which in most graphs none cross. */
  @Provide
  Arbitrary<PlanarGraph> graphs() {
    return points()
        .flatMap(
            xy -> {
              int n = xy.length / 2;
              Arbitrary<List<int[]>> segments =
                  Combinators.combine(
                          Arbitraries.integers().between(0, n - 1),
                          Arbitraries.integers().between(1, n - 1))
                      .as((a, turn) -> new int[] {a, (a + turn) % n})
                      .list()
                      .ofMaxSize(40);
              return Combinators.combine(segments, Arbitraries.of(8, 0, 0, 0))
                  .as((list, crossing) -> graph(xy, list, crossing));
            });
  }

  /** The segments that cross none before them; the first ones even if they do. */
  private static PlanarGraph graph(double[] xy, List<int[]> segments, int crossing) {
    List<int[]> kept = new ArrayList<>();
    for (int[] each : segments) {
      kept.add(each);
      PlanarGraph graph = graph(xy, kept);
      int last = kept.size() - 1;
      if (last >= crossing
          && IntStream.range(0, last).anyMatch(s -> crossAwayFromVertices(graph, s, last))) {
        kept.remove(last);
      }
    }
    return graph(xy, kept);
  }

  private static PlanarGraph graph(double[] xy, List<int[]> segments) {
    int[] ends = segments.stream().flatMapToInt(IntStream::of).toArray();
    int[] markers = IntStream.range(0, segments.size()).map(s -> s + 2).toArray();
    return PlanarGraph.builder(xy).segments(ends, markers).build();
  }

  /** Away from nearly all lines through grid points. */
  @Provide
  Arbitrary<double[]> holes() {
    return Arbitraries.integers()
        .between(0, 12)
        .map(i -> i + 0.2371)
        .list()
        .ofMaxSize(4)
        .map(
            list -> {
              double[] xy = new double[list.size() / 2 * 2];
              for (int i = 0; i < xy.length; i++) {
                xy[i] = list.get(i) + (i % 2) * 0.31;
              }
              return xy;
            });
  }
}
