package io.magpie.algorithms.mesh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.mesh.internal.HilbertOrder;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DelaunayTriangulationTest {
  /** The outline of a square of side 12 with a square notch of side 4 in its upper side. */
  private static final double[] NOTCHED = {0, 0, 12, 0, 12, 12, 8, 12, 8, 8, 4, 8, 4, 12, 0, 12};

  private static int[] loop(int first, int count) {
    int[] ends = new int[2 * count];
    for (int i = 0; i < count; i++) {
      ends[2 * i] = first + i;
      ends[2 * i + 1] = first + (i + 1) % count;
    }
    return ends;
  }

  private static double[] concat(double[]... parts) {
    return Arrays.stream(parts).flatMapToDouble(Arrays::stream).toArray();
  }

  private static int[] concat(int[]... parts) {
    return Arrays.stream(parts).flatMapToInt(Arrays::stream).toArray();
  }

  private static double[] square(double low, double high) {
    return new double[] {low, low, high, low, high, high, low, high};
  }

  private static double area(Mesh mesh) {
    double twice = 0;
    for (int t = 0; t < mesh.triangles(); t++) {
      int a = mesh.corner(t, 0);
      int b = mesh.corner(t, 1);
      int c = mesh.corner(t, 2);
      twice +=
          (mesh.x(b) - mesh.x(a)) * (mesh.y(c) - mesh.y(a))
              - (mesh.y(b) - mesh.y(a)) * (mesh.x(c) - mesh.x(a));
    }
    return twice / 2;
  }

  private static void assertAdjacency(Mesh mesh) {
    Mesh again = Mesh.builder(mesh.planarGraph(), mesh.corners()).build();
    assertArrayEquals(again.neighbors(), mesh.neighbors());
    assertArrayEquals(again.segmentsOfEdges(), mesh.segmentsOfEdges());
  }

  /** Counter-clockwise, and every edge without a segment locally Delaunay, in exact arithmetic. */
  private static void assertDelaunay(Mesh mesh) {
    double[] xy = mesh.coordinates();
    for (int t = 0; t < mesh.triangles(); t++) {
      int a = mesh.corner(t, 0);
      int b = mesh.corner(t, 1);
      int c = mesh.corner(t, 2);
      assertEquals(1, ExactGeometry.orientation(xy, a, b, c));
      for (int k = 0; k < 3; k++) {
        int across = mesh.neighbor(t, k);
        if (across > t && mesh.segment(t, k) < 0) {
          for (int corner = 0; corner < 3; corner++) {
            int d = mesh.corner(across, corner);
            assertTrue(ExactGeometry.inCircle(xy, a, b, c, d) <= 0, t + " and " + across);
          }
        }
      }
    }
  }

  private static void assertRefused(String message, PlanarGraph graph) {
    assertEquals(
        message,
        assertThrows(IllegalArgumentException.class, () -> DelaunayTriangulation.of(graph))
            .getMessage());
  }

  @Test
  void withoutSegmentsTheConvexHullIsTheDomain() {
    Mesh mesh = DelaunayTriangulation.of(PlanarGraph.of(NOTCHED));
    assertEquals(144, area(mesh));
    // The middle points of the upper side are on the hull.
    assertEquals(6, mesh.segments());
    assertEquals(2 * 8 - 2 - 6, mesh.triangles());
    assertAdjacency(mesh);
  }

  @Test
  void withSegmentsConcavitiesAreLeftOut() {
    PlanarGraph graph = PlanarGraph.of(NOTCHED, loop(0, 8));
    Mesh mesh = DelaunayTriangulation.of(graph);
    assertEquals(128, area(mesh));
    assertEquals(8, mesh.segments());
    assertEquals(6, mesh.triangles());
    assertArrayEquals(graph.segmentEnds(), mesh.planarGraph().segmentEnds());
    assertAdjacency(mesh);
    assertEquals(144, area(DelaunayTriangulation.ofConvexHull(graph)));
    assertEquals(9, DelaunayTriangulation.ofConvexHull(graph).segments());
  }

  @Test
  void holesAreLeftOutAndTheirVerticesStay() {
    double[] xy = concat(square(0, 10), square(2, 4), square(6, 9), new double[] {3, 3});
    PlanarGraph graph =
        PlanarGraph.builder(xy)
            .segments(concat(loop(0, 4), loop(4, 4), loop(8, 4)), null)
            .vertexMarkers(new int[] {9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 1, 2, 3})
            .holes(new double[] {2.5, 3, 8, 8, 50, 50})
            .build();
    Mesh mesh = DelaunayTriangulation.of(graph);
    assertEquals(100 - 4 - 9, area(mesh));
    assertEquals(13, mesh.vertices());
    assertEquals(3, mesh.vertexMarker(12));
    assertEquals(2 * 12 - 2 - 12 + 2 * 2, mesh.triangles());
    assertEquals(3, mesh.holes());
    assertAdjacency(mesh);
    assertDelaunay(mesh);
  }

  @Test
  void aHoleOfTwoRoomsWithADoorIsOneHole() {
    double[] xy = concat(square(0, 10), square(2, 8), new double[] {5, 2, 5, 5});
    int[] ends = concat(loop(0, 4), loop(4, 4), new int[] {8, 9});
    Mesh mesh =
        DelaunayTriangulation.of(
            PlanarGraph.builder(xy).segments(ends, null).holes(new double[] {3, 3}).build());
    assertEquals(100 - 36, area(mesh));
    // Vertex 8 cuts a side of the hole; the wall from there to 9 lies outside.
    assertEquals(9, mesh.segments());
  }

  @Test
  void segmentsAreCutAtVerticesThatLieOnThem() {
    double[] xy = {0, 0, 9, 9, 3, 3, 6, 6, 9, 0, 0, 9};
    int[] ends = {1, 0, 0, 3, 4, 5};
    Mesh mesh =
        DelaunayTriangulation.ofConvexHull(
            PlanarGraph.builder(xy).segments(Arrays.copyOf(ends, 4), new int[] {5, 6}).build());
    assertArrayEquals(
        new int[] {1, 3, 3, 2, 2, 0}, Arrays.copyOf(mesh.planarGraph().segmentEnds(), 6));
    assertEquals(5, mesh.segmentMarker(0));
    // What the second segment shares with the first belongs to the first.
    assertEquals(5, mesh.segmentMarker(2));
    assertEquals(1, mesh.segmentMarker(3));
    assertEquals(3 + 4, mesh.segments());
    assertRefused(
        "segment 2 from vertex 4 to 5 crosses segment 0 from vertex 1 to 0 near 4.5 4.5: put a vertex"
            + " where they cross and cut both there",
        PlanarGraph.of(xy, ends));
    // With a vertex there it is fine.
    double[] more = concat(xy, new double[] {4.5, 4.5});
    Mesh cut = DelaunayTriangulation.ofConvexHull(PlanarGraph.of(more, ends));
    assertEquals(4 + 2 + 4, cut.segments());
    assertDelaunay(cut);
  }

  @Test
  void anEdgeMayJutIntoWhatASegmentCrosses() {
    // Vertex 3 hangs on vertex 2 alone when all edges across the x axis are removed.
    double[] xy = {-10, 0, 10, 0, 0, 6, 0, 1, -9, 8, 9, 8, -4, -2, 4, -2, 0, -2.5};
    Mesh without = DelaunayTriangulation.of(PlanarGraph.of(xy));
    int uncrossed = 0;
    for (int t = 0; t < without.triangles(); t++) {
      for (int k = 0; k < 3; k++) {
        int other = without.corner(t, (k + 1) % 3);
        boolean at3 = without.corner(t, k) == 3;
        uncrossed += at3 && without.y(other) > 0 ? 1 : 0;
      }
    }
    assertEquals(1, uncrossed, "the case is as described");
    Mesh mesh = DelaunayTriangulation.ofConvexHull(PlanarGraph.of(xy, new int[] {0, 1}));
    assertEquals(0, mesh.segmentStart(0));
    assertEquals(1, mesh.segmentEnd(0));
    assertAdjacency(mesh);
    assertDelaunay(mesh);
    assertEquals(area(without), area(mesh), 1e-9);
  }

  @Test
  void longSegmentsThroughManyPoints() {
    Random random = new Random(11);
    int n = 3000;
    double[] xy = concat(random.doubles(2 * n).toArray(), square(-1, 2));
    int[] ends = concat(new int[] {n, n + 2}, loop(n, 4));
    Mesh mesh = DelaunayTriangulation.of(PlanarGraph.of(xy, ends));
    assertEquals(5, mesh.segments());
    assertEquals(9, area(mesh), 1e-12);
    assertAdjacency(mesh);
    assertDelaunay(mesh);
  }

  @Test
  void pointsOnACircleAndInAGrid() {
    int n = 2000;
    double[] xy = new double[2 * n];
    for (int v = 0; v < 1000; v++) {
      double angle = 2 * Math.PI * v / 1000;
      xy[2 * v] = 100 * Math.cos(angle);
      xy[2 * v + 1] = 100 * Math.sin(angle);
    }
    for (int v = 1000; v < n; v++) {
      xy[2 * v] = v % 40 - 20;
      xy[2 * v + 1] = (v - 1000) / 40 - 12;
    }
    Mesh mesh = DelaunayTriangulation.of(PlanarGraph.of(xy));
    assertAdjacency(mesh);
    assertDelaunay(mesh);
    assertEquals(2 * n - 2 - mesh.segments(), mesh.triangles());
  }

  @Test
  void trianglesFollowTheCurveAndRunsAgree() {
    Random random = new Random(3);
    double[] xy = random.doubles(2 * 5000, -1e16, 1e16).toArray();
    Mesh mesh = DelaunayTriangulation.of(PlanarGraph.of(xy));
    assertDelaunay(mesh);
    int[] ranks = new int[mesh.vertices()];
    int[] order = HilbertOrder.of(xy);
    for (int i = 0; i < order.length; i++) {
      ranks[order[i]] = i;
    }
    int previous = 0;
    for (int t = 0; t < mesh.triangles(); t++) {
      int first = ranks.length;
      for (int k = 0; k < 3; k++) {
        first = Math.min(first, ranks[mesh.corner(t, k)]);
      }
      assertTrue(first >= previous);
      previous = first;
    }
    assertArrayEquals(
        mesh.corners(), DelaunayTriangulation.of(PlanarGraph.of(xy.clone())).corners());
  }

  @Test
  void renumberingAlongTheCurveKeepsTheMesh() {
    double[] xy = concat(new Random(5).doubles(2 * 300, 1, 9).toArray(), square(0, 10));
    int n = xy.length / 2;
    double[] attributes = new double[n];
    int[] markers = new int[n];
    for (int v = 0; v < n; v++) {
      attributes[v] = v;
      markers[v] = -v;
    }
    PlanarGraph graph =
        PlanarGraph.builder(xy)
            .vertexAttributes(1, attributes)
            .vertexMarkers(markers)
            .segments(concat(new int[] {0, n - 1}, loop(n - 4, 4)), new int[] {7, 3, 4, 5, 6})
            .holes(new double[] {99, 99})
            .firstIndex(1)
            .build();
    Mesh plain = DelaunayTriangulation.of(graph);
    double[] values = new double[plain.triangles()];
    for (int t = 0; t < values.length; t++) {
      values[t] = t;
    }
    int[] origins = {4, 4, 2, 1, 0};
    Mesh mesh =
        Mesh.builder(plain.planarGraph(), plain.corners())
            .segmentOrigins(origins)
            .triangleAttributes(1, values)
            .build();
    Mesh ordered = mesh.hilbertOrdered();
    assertAdjacency(ordered);
    boolean[] seen = new boolean[mesh.triangles()];
    for (int t = 0; t < ordered.triangles(); t++) {
      int old = (int) ordered.triangleAttribute(t, 0);
      seen[old] = true;
      for (int k = 0; k < 3; k++) {
        int v = ordered.corner(t, k);
        int oldVertex = mesh.corner(old, k);
        assertEquals(oldVertex, ordered.attribute(v, 0));
        assertEquals(-oldVertex, ordered.vertexMarker(v));
        assertEquals(mesh.x(oldVertex), ordered.x(v));
        assertEquals(mesh.y(oldVertex), ordered.y(v));
        assertEquals(mesh.segment(old, k), ordered.segment(t, k));
      }
    }
    for (boolean each : seen) {
      assertTrue(each);
    }
    int[] identity = new int[n];
    for (int v = 0; v < n; v++) {
      identity[v] = v;
    }
    assertArrayEquals(identity, HilbertOrder.of(ordered.coordinates()));
    for (int s = 0; s < mesh.segments(); s++) {
      assertEquals(origins[s], ordered.segmentOrigin(s));
      assertEquals(mesh.segmentMarker(s), ordered.segmentMarker(s));
    }
    assertEquals(99, ordered.holeX(0));
    assertEquals(1, ordered.planarGraph().firstIndex());
    assertArrayEquals(ordered.corners(), ordered.hilbertOrdered().corners());
  }

  /** All of them, of which ten are named; not those that are cut at a vertex where they meet. */
  @Test
  void allCrossingsAreCounted() {
    int lines = 40;
    int across = 9;
    double[] xy = new double[4 * (lines + across) + 2];
    int[] ends = new int[2 * (lines + across)];
    Arrays.setAll(ends, i -> i);
    for (int i = 0; i < lines + across; i++) {
      double at = i < lines ? i - 19.5 : i - lines - 4; // no two cross at a vertex
      double far = 100 + i;
      double[] line =
          i < lines ? new double[] {at, -far, at, far} : new double[] {-far, at, far, at};
      System.arraycopy(line, 0, xy, 4 * i, 4);
    }
    String message = refusal(PlanarGraph.of(Arrays.copyOf(xy, 4 * (lines + across)), ends));
    assertTrue(message.startsWith("360 pairs of segments cross: segment "), message);
    assertTrue(message.contains("; and 350 more pairs: put a vertex"), message);
    xy[4 * (lines + across)] = 0.5; // where the segments 20 and 44 meet
    message = refusal(PlanarGraph.of(xy, ends));
    assertTrue(message.startsWith("359 pairs of segments cross: segment "), message);
  }

  /** Among those that cross others, too, a segment at a time. */
  @Test
  void segmentsThatAllCrossEachOtherAreCounted() {
    for (int n : new int[] {2, 3, 10}) {
      String message = refusal(diameters(n));
      long pairs = n * (n - 1) / 2;
      assertTrue(message.startsWith(n == 2 ? "segment " : pairs + " pairs of seg"), message);
      assertEquals(Math.min(pairs, 10), message.split(" crosses ", -1).length - 1);
    }
  }

  /** What would take hours to count is not counted. */
  @Test
  void manyCrossingsEndTheSearch() {
    PlanarGraph graph = diameters(50_000);
    String message = assertTimeoutPreemptively(Duration.ofMinutes(10), () -> refusal(graph));
    assertTrue(message.startsWith("at least 10 pairs of segments cross: segment "), message);
    assertTrue(message.contains("; no more were looked for: put a vertex"), message);
    assertEquals(10, message.split(" crosses ", -1).length - 1);
  }

  /** Segments across the unit circle, each of which crosses all others, away from the center. */
  private static PlanarGraph diameters(int n) {
    double[] xy = new double[4 * n];
    int[] ends = new int[2 * n];
    for (int i = 0; i < n; i++) {
      double from = Math.PI * i / n;
      double to = from + Math.PI * (1 + 0.4 * Math.sin(i) / n);
      double[] line = {Math.cos(from), Math.sin(from), Math.cos(to), Math.sin(to)};
      System.arraycopy(line, 0, xy, 4 * i, 4);
      ends[2 * i] = 2 * i;
      ends[2 * i + 1] = 2 * i + 1;
    }
    return PlanarGraph.of(xy, ends);
  }

  private static String refusal(PlanarGraph graph) {
    return assertThrows(IllegalArgumentException.class, () -> DelaunayTriangulation.of(graph))
        .getMessage();
  }

  @Test
  void badInputIsNamed() {
    assertRefused(
        "2 vertices: a triangulation needs at least three", PlanarGraph.of(new double[4]));
    assertRefused(
        "all 4 vertices lie on one line; add one that does not",
        PlanarGraph.of(new double[] {0, 0, 1, 1, 5, 5, -3, -3}));
    double[] twice = {0, 0, 1, 0, 0, 1, 5, 5, 1, 0};
    assertRefused("vertices 1 and 4 at 1.0 0.0 coincide: merge them first", PlanarGraph.of(twice));
    assertRefused(
        "vertices 2 and 5 at 1.0 0.0 coincide: merge them first",
        PlanarGraph.builder(twice).firstIndex(1).build());
    assertEquals(
        2, DelaunayTriangulation.of(PlanarGraph.of(twice).withoutDuplicates()).triangles());
    assertRefused(
        "vertices 0 and 1 at 0.0 0.0; 0 and 3 at -0.0 0.0; 2 and 4 at 1.0 0.0 coincide:"
            + " merge them first",
        PlanarGraph.of(new double[] {0, 0, 0, 0, 1, 0, -0.0, 0, 1, 0, 5, 5}));
    assertRefused(
        "vertex 3 at 1.0 -1.0E-70: expected coordinates that are 0 or of magnitude 2^-204 to 2^250:"
            + " move or scale everything",
        PlanarGraph.of(new double[] {0, 0, 1, 0, 0, 1, 1, -1e-70}));
    double[] xy = concat(square(0, 4), new double[] {2, 2});
    assertRefused(
        "hole 0 at 1.0E80 1.0: expected coordinates that are 0 or of magnitude 2^-204 to 2^250:"
            + " move or scale everything",
        PlanarGraph.builder(xy).segments(loop(0, 4), null).holes(new double[] {1e80, 1}).build());
    assertRefused(
        "hole 0 at 0.0 1.0 lies on a segment: put it inside the hole",
        PlanarGraph.builder(xy).segments(loop(0, 4), null).holes(new double[] {0, 1}).build());
    assertRefused(
        "hole 1 at 2.0 2.0 lies on a vertex: put it inside the hole",
        PlanarGraph.builder(xy)
            .segments(loop(0, 4), null)
            .holes(new double[] {9, 9, 2, 2})
            .build());
    String empty =
        "nothing is left inside: the segments enclose nothing, or the holes are everywhere";
    assertRefused(empty, PlanarGraph.of(xy, new int[] {0, 1, 1, 2, 2, 3}));
    assertRefused(
        empty,
        PlanarGraph.builder(xy).segments(loop(0, 4), null).holes(new double[] {1, 2}).build());
  }
}
