package io.magpie.algorithms.mesh.refine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.magpie.algorithms.mesh.Mesh;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class DomainRegionsTest {
  private static final double NONE = Double.POSITIVE_INFINITY;

  /** Triangles around the first vertex, a fan of less than half a turn. */
  private static Mesh.Builder fan(int triangles) {
    double[] coordinates = new double[2 * (triangles + 2)];
    int[] corners = new int[3 * triangles];
    for (int v = 1; v < triangles + 2; v++) {
      double angle = 3.0 * (v - 1) / triangles;
      coordinates[2 * v] = Math.cos(angle);
      coordinates[2 * v + 1] = Math.sin(angle);
    }
    for (int t = 0; t < triangles; t++) {
      corners[3 * t + 1] = t + 1;
      corners[3 * t + 2] = t + 2;
    }
    return Mesh.of(coordinates, corners).toBuilder();
  }

  @Test
  void trianglesOfTheSameLabelsHaveTheSameNumber() {
    Mesh mesh =
        fan(6)
            .triangleAttributes(1, new double[] {7, 7, 8, 7, 7, 7})
            .areaBounds(new double[] {1, 1, 1, 2, 1, NONE})
            .build();
    DomainRegions regions = new DomainRegions(mesh, 4);
    assertTrue(regions.any());
    assertArrayEquals(new int[] {0, 0, 1, 2, 0, 3}, regions.ofTriangles());
    assertArrayEquals(new double[] {1, 1, 2, NONE}, regions.bounds());
    assertArrayEquals(new double[] {8, 7}, regions.attributesIn(new int[] {1, 3}));
    assertArrayEquals(new double[] {1, NONE}, regions.boundsIn(new int[] {1, 3}));
    assertEquals(
        "triangles have more than 3 different attributes and area bounds",
        assertThrows(IllegalArgumentException.class, () -> new DomainRegions(mesh, 3))
            .getMessage());
  }

  @Test
  void trianglesWithoutLabelsHaveNoRegions() {
    DomainRegions regions = new DomainRegions(fan(2).build(), 4);
    assertFalse(regions.any());
    assertEquals(0, regions.ofTriangles().length);
    assertEquals(0, regions.bounds().length);
  }

  /** Neighbors mostly have the same: that must not cost objects for each triangle. */
  @Test
  void memoryIsThatOfTheNumbers() {
    int triangles = 20_000;
    double[] attributes = new double[2 * triangles];
    double[] bounds = new double[triangles];
    Arrays.fill(attributes, 0, triangles, 7);
    Arrays.fill(bounds, 0.5);
    Mesh mesh = fan(triangles).triangleAttributes(2, attributes).areaBounds(bounds).build();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long bytes = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) { // the first ones also load classes
      long before = threads.getCurrentThreadAllocatedBytes();
      int[] regions = new DomainRegions(mesh, 4).ofTriangles();
      bytes = Math.min(bytes, threads.getCurrentThreadAllocatedBytes() - before);
      assertEquals(1, regions[triangles - 1]);
    }
    assertTrue(bytes < 4 * triangles + 10_000, bytes + " bytes");
  }
}
