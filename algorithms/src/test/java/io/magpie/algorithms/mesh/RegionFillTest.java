package io.magpie.algorithms.mesh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.mesh.PlanarGraph.Region;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Regions reach up to the segments, and no farther. */
class RegionFillTest {
  private static final double NONE = Double.POSITIVE_INFINITY;

  /** A square of side 4 and one in it, of side 2, whose middle is a vertex if there is a ninth. */
  private static PlanarGraph.Builder squares(double... more) {
    double[] coordinates = {0, 0, 4, 0, 4, 4, 0, 4, 1, 1, 3, 1, 3, 3, 1, 3};
    double[] all = Arrays.copyOf(coordinates, 16 + more.length);
    System.arraycopy(more, 0, all, 16, more.length);
    return PlanarGraph.builder(all)
        .segments(new int[] {0, 1, 1, 2, 2, 3, 3, 0, 4, 5, 5, 6, 6, 7, 7, 4}, null);
  }

  private static Mesh triangulated(PlanarGraph.Builder graph, Region... regions) {
    return DelaunayTriangulation.of(graph.regions(List.of(regions)).build());
  }

  /** The area of all triangles that have an attribute, the last, and a bound. */
  private static Map<List<Double>, Double> areas(Mesh mesh) {
    Map<List<Double>, Double> areas = new TreeMap<>((a, b) -> a.toString().compareTo(b.toString()));
    for (int t = 0; t < mesh.triangles(); t++) {
      int a = mesh.corner(t, 0);
      int b = mesh.corner(t, 1);
      int c = mesh.corner(t, 2);
      double doubled =
          (mesh.x(b) - mesh.x(a)) * (mesh.y(c) - mesh.y(a))
              - (mesh.y(b) - mesh.y(a)) * (mesh.x(c) - mesh.x(a));
      double attribute = mesh.triangleAttribute(t, mesh.triangleAttributes() - 1);
      areas.merge(List.of(attribute, mesh.areaBound(t)), doubled / 2, Double::sum);
    }
    return areas;
  }

  @Test
  void withoutRegionsThereAreNoLabels() {
    Mesh mesh = triangulated(squares());
    assertEquals(0, mesh.triangleAttributes());
    assertFalse(mesh.hasAreaBounds());
    assertEquals(NONE, mesh.areaBound(0));
    assertSame(mesh, mesh.boundedByRegions());
  }

  @Test
  void whatIsOutsideOfARegionHasAttributeZeroAndNoBound() {
    Mesh mesh = triangulated(squares(), new Region(2, 2, 7, 0.5));
    assertEquals(1, mesh.triangleAttributes());
    assertEquals(Map.of(List.of(7.0, 0.5), 4.0, List.of(0.0, NONE), 12.0), areas(mesh));
  }

  @Test
  void regionsAreNested() {
    Mesh mesh = triangulated(squares(), new Region(2, 2, 7, 0.5), new Region(0.5, 2, 8, 3));
    assertEquals(Map.of(List.of(7.0, 0.5), 4.0, List.of(8.0, 3.0), 12.0), areas(mesh));
  }

  @Test
  void zeroAndLessAreNoBounds() {
    Mesh mesh = triangulated(squares(), new Region(2, 2, 7, 0), new Region(0.5, 2, 8, -1));
    assertFalse(mesh.hasAreaBounds());
    assertEquals(Map.of(List.of(7.0, NONE), 4.0, List.of(8.0, NONE), 12.0), areas(mesh));
    Mesh one = triangulated(squares(), new Region(2, 2, 7, -1), new Region(0.5, 2, 8, 3));
    assertTrue(one.hasAreaBounds());
    assertEquals(Map.of(List.of(7.0, NONE), 4.0, List.of(8.0, 3.0), 12.0), areas(one));
  }

  /** Of two points in one region the later counts, for bound and attribute, also if it has none. */
  @Test
  void theLastOfSeveralPointsCounts() {
    Region first = new Region(2, 2, 7, 0.5);
    Region second = new Region(2.5, 2.5, 8, 0.25);
    Region unbounded = new Region(1.5, 2.5, 9, 0);
    assertEquals(
        Map.of(List.of(8.0, 0.25), 4.0, List.of(0.0, NONE), 12.0),
        areas(triangulated(squares(), first, second)));
    assertEquals(
        Map.of(List.of(7.0, 0.5), 4.0, List.of(0.0, NONE), 12.0),
        areas(triangulated(squares(), second, first)));
    Mesh none = triangulated(squares(), first, second, unbounded);
    assertTrue(none.hasAreaBounds());
    assertEquals(Map.of(List.of(9.0, NONE), 4.0, List.of(0.0, NONE), 12.0), areas(none));
  }

  @Test
  void regionsEndAtHoles() {
    Mesh mesh = triangulated(squares().holes(new double[] {2, 2}), new Region(0.5, 0.5, 7, 1));
    assertEquals(Map.of(List.of(7.0, 1.0), 12.0), areas(mesh));
    assertRefused(
        squares().holes(new double[] {2, 2}),
        new Region(2, 2, 7, 1),
        "region 0 at 2.0 2.0 lies outside of the domain or in a hole: move its point inside, or"
            + " remove it");
  }

  /** A segment that ends within a region does not divide it. */
  @Test
  void regionsGoAroundSegments() {
    PlanarGraph.Builder graph =
        PlanarGraph.builder(new double[] {0, 0, 4, 0, 4, 4, 0, 4, 1, 2, 3, 2})
            .segments(new int[] {0, 1, 1, 2, 2, 3, 3, 0, 4, 5}, null);
    assertEquals(
        Map.of(List.of(7.0, 1.0), 16.0), areas(triangulated(graph, new Region(2, 1, 7, 1))));
    assertRefused(graph, new Region(2, 2, 7, 1), "region 0 at 2.0 2.0 lies on a segment");
    assertRefused(graph, new Region(3, 2, 7, 1), "region 0 at 3.0 2.0 lies on a segment");
  }

  @Test
  void aPointMayBeAVertexThatIsOnNoSegment() {
    Mesh mesh = triangulated(squares(2, 2), new Region(2, 2, 7, 0.5));
    assertEquals(Map.of(List.of(7.0, 0.5), 4.0, List.of(0.0, NONE), 12.0), areas(mesh));
  }

  @Test
  void aPointMayLieOnAnEdgeThatIsNoSegment() {
    Mesh mesh =
        triangulated(squares(), new Region(2.25, 2.25, 7, 0.5), new Region(1.75, 2.25, 8, 1));
    assertEquals(Map.of(List.of(8.0, 1.0), 4.0, List.of(0.0, NONE), 12.0), areas(mesh));
  }

  private static void assertRefused(PlanarGraph.Builder graph, Region region, String message) {
    RegionFaultException e =
        assertThrows(RegionFaultException.class, () -> triangulated(graph, region));
    assertTrue(e.getMessage().startsWith(message), e.getMessage());
    assertEquals(0, e.region());
  }

  @Test
  void pointsElsewhereAreRefused() {
    assertRefused(squares(), new Region(5, 2, 7, 1), "region 0 at 5.0 2.0 lies outside of the");
    assertRefused(
        squares().firstIndex(1), new Region(2, 9, 7, 0), "region 1 at 2.0 9.0 lies outside of");
    assertRefused(squares(), new Region(4, 2, 7, 1), "region 0 at 4.0 2.0 lies on a segment");
    assertRefused(squares(), new Region(2, 1, 7, 1), "region 0 at 2.0 1.0 lies on a segment");
    assertRefused(squares(), new Region(1, 1, 7, 1), "region 0 at 1.0 1.0 lies on a segment");
    assertRefused(
        squares(),
        new Region(1e-80, 2, 7, 1),
        "region 0 at 1.0E-80 2.0 lies outside of the range of");
  }

  @Test
  void withoutSegmentsTheHullIsOneRegion() {
    PlanarGraph.Builder graph = PlanarGraph.builder(new double[] {0, 0, 4, 0, 4, 4, 0, 4, 2, 1});
    assertEquals(
        Map.of(List.of(7.0, 0.5), 16.0), areas(triangulated(graph, new Region(2, 2, 7, 0.5))));
  }

  /** As after reading triangles: what they have stays, and only bounds come from regions. */
  @Test
  void boundsAloneLeaveAttributes() {
    Mesh mesh = triangulated(squares(), new Region(2, 2, 7, 0.5));
    double[] attributes = new double[2 * mesh.triangles()];
    for (int i = 0; i < attributes.length; i++) {
      attributes[i] = i;
    }
    Mesh plain =
        Mesh.builder(mesh.planarGraph(), mesh.corners()).triangleAttributes(2, attributes).build();
    assertFalse(plain.hasAreaBounds());
    Mesh bounded = plain.boundedByRegions();
    assertEquals(2, bounded.triangleAttributes());
    for (int t = 0; t < mesh.triangles(); t++) {
      assertEquals(mesh.areaBound(t), bounded.areaBound(t));
      assertEquals(2 * t + 1, bounded.triangleAttribute(t, 1));
    }
  }

  @Test
  void boundsFollowTheirTriangles() {
    Mesh mesh = triangulated(squares(2, 2), new Region(2, 2, 7, 0.5));
    int[] order = {8, 3, 1, 0, 2, 7, 6, 4, 5};
    Mesh renumbered = mesh.renumbered(order);
    assertEquals(areas(mesh), areas(renumbered));
    assertEquals(areas(mesh), areas(mesh.hilbertOrdered()));
  }

  @Test
  void boundsMustBePositive() {
    PlanarGraph graph = PlanarGraph.of(new double[] {0, 0, 1, 0, 0, 1});
    for (double bound : new double[] {0, -1, Double.NaN}) {
      Mesh.Builder builder = Mesh.builder(graph, new int[] {0, 1, 2});
      IllegalArgumentException e =
          assertThrows(
              IllegalArgumentException.class, () -> builder.areaBounds(new double[] {bound}));
      assertTrue(e.getMessage().startsWith("triangle 0 has the area bound " + bound));
    }
    Mesh.Builder builder = Mesh.builder(graph, new int[] {0, 1, 2});
    assertThrows(IllegalArgumentException.class, () -> builder.areaBounds(new double[2]));
    Mesh mesh = builder.areaBounds(new double[] {NONE}).build();
    assertTrue(mesh.hasAreaBounds());
    assertThrows(IndexOutOfBoundsException.class, () -> mesh.areaBound(1));
  }
}
