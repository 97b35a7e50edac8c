package io.magpie.algorithms.mesh.refine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.mesh.DelaunayTriangulation;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.PlanarGraph;
import io.magpie.algorithms.mesh.PlanarGraph.Region;
import io.magpie.algorithms.mesh.refine.RefinementOptions.Synchronization;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Refinement keeps each triangle within the area bound of its region. */
class RegionsOfMeshTest {
  /** Every way to refine, on each kind of device that is here. */
  static Stream<Arguments> ways() {
    return Stream.of(Synchronization.values())
        .flatMap(way -> Refinements.devices().stream().map(on -> Arguments.of(way, on)));
  }

  private static RefinementOptions by(Synchronization way) {
    return RefinementOptions.defaults().withSynchronization(way).withMinimumAngle(25);
  }

  /** A square of side 4 and one in it, of side 2, with these regions. */
  static PlanarGraph.Builder nestedSquares(Region... regions) {
    return PlanarGraph.builder(new double[] {0, 0, 4, 0, 4, 4, 0, 4, 1, 1, 3, 1, 3, 3, 1, 3})
        .segments(new int[] {0, 1, 1, 2, 2, 3, 3, 0, 4, 5, 5, 6, 6, 7, 7, 4}, null)
        .regions(List.of(regions));
  }

  private static double largest(Mesh mesh, double attribute) {
    double largest = 0;
    for (int t = 0; t < mesh.triangles(); t++) {
      if (mesh.triangleAttribute(t, 0) == attribute) {
        largest = Math.max(largest, area(mesh, t));
      }
    }
    return largest;
  }

  private static double area(Mesh mesh, int t) {
    int a = mesh.corner(t, 0);
    int b = mesh.corner(t, 1);
    int c = mesh.corner(t, 2);
    return ((mesh.x(b) - mesh.x(a)) * (mesh.y(c) - mesh.y(a))
            - (mesh.y(b) - mesh.y(a)) * (mesh.x(c) - mesh.x(a)))
        / 2;
  }

  @ParameterizedTest
  @MethodSource("ways")
  void eachRegionHasItsOwnBound(Synchronization way, String device) {
    Mesh input =
        DelaunayTriangulation.of(
            nestedSquares(new Region(0.5, 0.5, 7, 1), new Region(2, 2, 8, 0.1)).build());
    Mesh mesh = Refinements.run(device, input, by(way)).mesh();
    assertTrue(largest(mesh, 7) > 0.2 && largest(mesh, 7) <= 1, () -> "" + largest(mesh, 7));
    assertTrue(largest(mesh, 8) > 0.02 && largest(mesh, 8) <= 0.1, () -> "" + largest(mesh, 8));
    assertEquals(0, largest(mesh, 0)); // no triangle is outside of both
  }

  @ParameterizedTest
  @MethodSource("ways")
  void theBoundOfAllTrianglesHoldsToo(Synchronization way, String device) {
    Mesh input = DelaunayTriangulation.of(nestedSquares(new Region(2, 2, 8, 0.1)).build());
    Mesh mesh = Refinements.run(device, input, by(way).withMaximumArea(0.5)).mesh();
    assertTrue(largest(mesh, 0) > 0.1 && largest(mesh, 0) <= 0.5, () -> "" + largest(mesh, 0));
    assertTrue(largest(mesh, 8) <= 0.1, () -> "" + largest(mesh, 8));
    Mesh finer = Refinements.run(device, input, by(way).withMaximumArea(0.05)).mesh();
    assertTrue(largest(finer, 8) <= 0.05, () -> "" + largest(finer, 8));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void twoTrianglesAreTwoRegions(Synchronization way, String device) {
    Mesh input =
        DelaunayTriangulation.of(
            PlanarGraph.builder(new double[] {0, 0, 1, 0, 1, 1, 0, 1})
                .segments(new int[] {0, 1, 1, 2, 2, 3, 3, 0, 0, 2}, null)
                .regions(List.of(new Region(0.7, 0.3, 1, 0.2), new Region(0.3, 0.7, 2, -1)))
                .build());
    assertEquals(2, input.triangles());
    Mesh mesh = Refinements.run(device, input, by(way)).mesh();
    assertTrue(largest(mesh, 1) <= 0.2, () -> "" + largest(mesh, 1));
    assertTrue(largest(mesh, 2) > 0, () -> "" + largest(mesh, 2));
  }

  @Test
  void boundsMayDifferByAMillion() {
    Mesh input =
        DelaunayTriangulation.of(
            PlanarGraph.builder(
                    new double[] {0, 0, 4000, 0, 4000, 4000, 0, 4000, 1, 1, 3, 1, 3, 3, 1, 3})
                .segments(new int[] {0, 1, 1, 2, 2, 3, 3, 0, 4, 5, 5, 6, 6, 7, 7, 4}, null)
                .regions(List.of(new Region(2000, 2000, 1, 0.05e6), new Region(2, 2, 2, 0.05)))
                .build());
    for (Synchronization way : Synchronization.values()) {
      Mesh mesh = Refinements.run("cpu:4", input, by(way)).mesh();
      assertTrue(largest(mesh, 1) > 1e4, () -> "" + largest(mesh, 1));
      assertTrue(largest(mesh, 2) <= 0.05, () -> "" + largest(mesh, 2));
    }
  }

  /** At a small angle no area is excused. */
  @ParameterizedTest
  @MethodSource("ways")
  void boundsHoldAtSharpAngles(Synchronization way, String device) {
    Mesh input =
        RefinementInputs.withBounds(RefinementInputs.withRegions(RefinementInputs.wedge(5)), 1e-3);
    RefinementResult result = Refinements.run(device, input, by(way));
    assertTrue(result.report().excused() > 0, () -> result.report().toString());
    assertTrue(largest(result.mesh(), 0) <= 1e-3, () -> "" + largest(result.mesh(), 0));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void regionsEndAtHoles(Synchronization way, String device) {
    Mesh input =
        DelaunayTriangulation.of(
            nestedSquares(new Region(0.5, 0.5, 7, 0.25)).holes(new double[] {2, 2}).build());
    Mesh mesh = Refinements.run(device, input, by(way)).mesh();
    assertEquals(
        12, IntStream.range(0, mesh.triangles()).mapToDouble(t -> area(mesh, t)).sum(), 1e-12);
    assertTrue(largest(mesh, 7) <= 0.25, () -> "" + largest(mesh, 7));
  }

  /** A mesh made by hand from triangles and regions says what it lacks. */
  @Test
  void areasOfRegionsMustBeBoundsOfTriangles() {
    Mesh input = DelaunayTriangulation.of(nestedSquares().build());
    PlanarGraph graph = nestedSquares(new Region(2, 2, 8, 0.1)).build();
    Mesh plain = Mesh.builder(graph, input.corners()).build();
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> Refinements.run("cpu:1", plain, RefinementOptions.defaults()));
    assertEquals(
        "the region at 2.0 2.0 bounds areas, but the mesh was built without: refine its"
            + " boundedByRegions()",
        refused.getMessage());
    Mesh mesh =
        Refinements.run("cpu:1", plain.boundedByRegions(), RefinementOptions.defaults()).mesh();
    assertEquals(0, mesh.triangleAttributes());
    double[] inside = new double[mesh.triangles()];
    for (int t = 0; t < mesh.triangles(); t++) {
      inside[t] = mesh.areaBound(t) == 0.1 ? area(mesh, t) : 0;
    }
    assertEquals(4, Arrays.stream(inside).sum(), 1e-12);
    assertTrue(Arrays.stream(inside).allMatch(area -> area <= 0.1));
  }
}
