package io.magpie.algorithms.mesh.refine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.mesh.Mesh;
import io.magpie.stm.KernelModule;
import org.junit.jupiter.api.Test;

class ProgressTest {
  private static final int SIDE = 320;

  /** A rectangle of width 1 in two triangles. */
  private static Mesh rectangle(double height) {
    return RefinementInputs.triangulated(0, 0, 1, 0, 1, height, 0, height);
  }

  @Test
  void featuresAreEdgesAndHeightsOverSegments() {
    assertEquals(1e-5, Progress.feature(rectangle(1e-5), 0));
    // An equilateral triangle of side 0.5.
    assertEquals(0.5, Progress.feature(rectangle(1), Math.sqrt(3) / 16), 1e-15);
    Mesh roof = RefinementInputs.triangulated(0, 0, 1, 0, 0.5, 0.01);
    assertEquals(0.01, Progress.feature(roof, 0), 1e-15);
  }

  /** More vertices than usual are no fault by themselves. */
  @Test
  void onlyShortEdgesAreEndless() {
    double[] points = new double[2 * SIDE * SIDE];
    for (int v = 0; v < SIDE * SIDE; v++) {
      points[2 * v] = v % SIDE / (double) SIDE;
      points[2 * v + 1] = v / SIDE / (double) SIDE;
    }
    Mesh grid = RefinementInputs.triangulated(points);
    try (KernelModule module = Refinements.device("cpu:1").load(MeshKernels.MODULE);
        DeviceMesh mesh =
            new DeviceMesh(module, grid, Double.POSITIVE_INFINITY, SegmentAngles.SHARP)) {
      int slots = grid.triangles();
      int vertices = grid.vertices();
      assertEquals(1.0 / SIDE, mesh.shortestEdge(slots, vertices), 1e-15);
      Progress coarse = new Progress(rectangle(1), 0);
      assertFalse(coarse.isEndless(50_000, mesh, slots, vertices), "so few were not looked at");
      assertTrue(coarse.isEndless(vertices, mesh, slots, vertices));
      assertFalse(coarse.isEndless(vertices + 1, mesh, slots, vertices), "not looked at again yet");
      assertTrue(coarse.isEndless(2 * vertices, mesh, slots, vertices));
      assertFalse(new Progress(rectangle(0.1), 0).isEndless(vertices, mesh, slots, vertices));
      Progress fine = new Progress(rectangle(1), 0.005);
      assertFalse(fine.isEndless(vertices, mesh, slots, vertices), "a bound on areas asks for it");
      Mesh half = halves(0.002);
      Progress inRegion = new Progress(half, 0);
      assertFalse(inRegion.isEndless(vertices, mesh, slots, vertices), "a region asks for it");
      assertTrue(new Progress(halves(1), 0).isEndless(vertices, mesh, slots, vertices));
    }
  }

  /** A bound on insertions may be large only to allow enough; a number of vertices is a wish. */
  @Test
  void onlyANumberOfVerticesAllowsShortEdges() {
    RefinementOptions options = RefinementOptions.defaults();
    Mesh mesh = rectangle(1);
    assertNotNull(Progress.of(mesh, options));
    assertNotNull(Progress.of(mesh, options.withMaximumSteinerPoints(1_000_000)));
    assertNull(Progress.of(mesh, options.withMaximumVertices(1_000_000)));
    assertNull(
        Progress.of(mesh, options.withMaximumVertices(1_000).withMaximumSteinerPoints(1_000_000)));
  }

  /** A unit square in two triangles; one has that bound. */
  private static Mesh halves(double bound) {
    Mesh square = rectangle(1);
    return Mesh.builder(square.planarGraph(), square.corners())
        .areaBounds(new double[] {bound, Double.POSITIVE_INFINITY})
        .build();
  }

  @Test
  void boundsAddUpToTriangles() {
    assertEquals(new AreaBounds(1, 0.5 / 0.01, 0.01), AreaBounds.of(halves(0.01), 0));
    assertEquals(new AreaBounds(1, 0.5 / 0.01 + 0.5 / 0.1, 0.01), AreaBounds.of(halves(0.01), 0.1));
    assertEquals(new AreaBounds(1, 1 / 0.001, 0.001), AreaBounds.of(halves(0.01), 0.001));
    assertEquals(new AreaBounds(1, 0, 0), AreaBounds.of(rectangle(1), 0));
  }
}
