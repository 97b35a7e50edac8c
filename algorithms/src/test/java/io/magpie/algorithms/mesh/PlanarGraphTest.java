package io.magpie.algorithms.mesh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PlanarGraphTest {
  private static void assertRefused(String message, Runnable build) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, build::run).getMessage());
  }

  @Test
  void partsAreOptional() {
    PlanarGraph points = PlanarGraph.of(new double[] {1, 2, -3, 5});
    assertEquals(2, points.vertices());
    assertEquals(0, points.segments());
    assertEquals(0, points.attributes());
    assertFalse(points.hasVertexMarkers());
    assertFalse(points.hasSegmentMarkers());
    assertEquals(0, points.vertexMarker(1));
    assertEquals(-3, points.minX());
    assertEquals(2, points.minY());
    assertEquals(1, points.maxX());
    assertEquals(5, points.maxY());
    assertEquals(0, points.firstIndex());
    assertTrue(points.regions().isEmpty());
    assertEquals(0, points.holes());
  }

  @Test
  void badPartsAreNamed() {
    assertRefused(
        "3 coordinates: expected an x and a y for each vertex",
        () -> PlanarGraph.of(new double[3]));
    assertRefused(
        "vertex 1 lies at 0.0 NaN, which is not finite",
        () -> PlanarGraph.of(new double[] {0, 0, 0, Double.NaN}));
    assertRefused(
        "vertex 1 lies at -Infinity 0.0, which is not finite",
        () ->
            PlanarGraph.builder(new double[] {Double.NEGATIVE_INFINITY, 0}).firstIndex(1).build());
    assertRefused(
        "segment 0 from vertex 0 to 2: both ends must be vertices; there are 2",
        () -> PlanarGraph.of(new double[4], new int[] {0, 2}));
    assertRefused(
        "segment 2 from vertex 2 to 2: its ends must be different",
        () ->
            PlanarGraph.builder(new double[4])
                .segments(new int[] {0, 1, 1, 1}, null)
                .firstIndex(1)
                .build());
    PlanarGraph.Builder builder = PlanarGraph.builder(new double[4]);
    assertRefused(
        "1 ends of segments: expected two for each segment",
        () -> builder.segments(new int[1], null));
    assertRefused(
        "2 markers of segments: expected 1", () -> builder.segments(new int[] {0, 1}, new int[2]));
    assertRefused("1 markers of vertices: expected 2", () -> builder.vertexMarkers(new int[1]));
    assertRefused(
        "3 attributes of vertices: expected 4", () -> builder.vertexAttributes(2, new double[3]));
    assertRefused(
        "1 coordinates of holes: expected an x and a y for each",
        () -> builder.holes(new double[1]));
    assertRefused(
        "Infinity among the holes: expected finite numbers",
        () -> builder.holes(new double[] {0, Double.POSITIVE_INFINITY}));
    assertRefused("first index 2: expected 0 or 1", () -> builder.firstIndex(2));
  }

  @Test
  void duplicatesAreMergedWithWhatBelongsToThem() {
    PlanarGraph graph =
        PlanarGraph.builder(new double[] {0, 0, 1, 0, -0.0, 0, 1, 1, 1, 0})
            .vertexMarkers(new int[] {10, 11, 12, 13, 14})
            .vertexAttributes(1, new double[] {0.5, 1.5, 2.5, 3.5, 4.5})
            .segments(new int[] {0, 2, 2, 4, 1, 0, 3, 4}, new int[] {20, 21, 22, 23})
            .holes(new double[] {7, 8})
            .firstIndex(1)
            .build();
    PlanarGraph merged = graph.withoutDuplicates();
    assertArrayEquals(new double[] {0, 0, 1, 0, 1, 1}, merged.coordinates());
    assertArrayEquals(new int[] {0, 1, 2, 1}, merged.segmentEnds());
    assertEquals(11, merged.vertexMarker(1));
    assertEquals(13, merged.vertexMarker(2));
    assertEquals(3.5, merged.attribute(2, 0));
    assertEquals(21, merged.segmentMarker(0));
    assertEquals(23, merged.segmentMarker(1));
    assertEquals(8, merged.holeY(0));
    assertEquals(1, merged.firstIndex());
    assertSame(merged, merged.withoutDuplicates());
  }
}
