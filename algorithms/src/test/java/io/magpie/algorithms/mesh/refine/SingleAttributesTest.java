package io.magpie.algorithms.mesh.refine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.mesh.DelaunayTriangulation;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.PlanarGraph;
import io.magpie.algorithms.mesh.PlanarGraph.Region;
import io.magpie.algorithms.mesh.refine.RefinementOptions.Synchronization;
import io.magpie.algorithms.mesh.refine.RefinementReport.Outcome;
import io.magpie.algorithms.mesh.verify.MeshCheck;
import io.magpie.algorithms.mesh.verify.MeshVerification;
import io.magpie.algorithms.mesh.verify.MeshVerifier;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Refinement keeps attributes where they are, also where no segment separates them. */
class SingleAttributesTest {
  private static final RefinementOptions OPTIONS =
      RefinementOptions.defaults().withMinimumAngle(30).withMaximumArea(0.002);

  /** Two unit squares side by side, of attributes 7 and 8, in a grid without a segment between. */
  private static Mesh twoMaterials() {
    double[] points = new double[2 * 11 * 5];
    for (int i = 0; i < points.length / 2; i++) {
      points[2 * i] = i % 11 * 0.2;
      points[2 * i + 1] = i / 11 * 0.25;
    }
    Mesh grid = DelaunayTriangulation.of(PlanarGraph.of(points));
    double[] attributes = new double[grid.triangles()];
    Arrays.setAll(attributes, t -> centroidX(grid, t) < 1 ? 7 : 8);
    return grid.toBuilder().triangleAttributes(1, attributes).build();
  }

  private static double centroidX(Mesh mesh, int t) {
    return (mesh.x(mesh.corner(t, 0)) + mesh.x(mesh.corner(t, 1)) + mesh.x(mesh.corner(t, 2))) / 3;
  }

  private static double area(Mesh mesh, int t) {
    int a = mesh.corner(t, 0);
    int b = mesh.corner(t, 1);
    int c = mesh.corner(t, 2);
    return ((mesh.x(b) - mesh.x(a)) * (mesh.y(c) - mesh.y(a))
            - (mesh.y(b) - mesh.y(a)) * (mesh.x(c) - mesh.x(a)))
        / 2;
  }

  static Stream<Arguments> waysOnDevices() {
    return Refinements.devices().stream()
        .flatMap(
            device ->
                Arrays.stream(Synchronization.values()).map(way -> Arguments.of(device, way)));
  }

  @ParameterizedTest
  @MethodSource("waysOnDevices")
  void materialsStayOnTheirSides(String device, Synchronization way) {
    Mesh input = twoMaterials();
    assertTrue(input.hasSingleTriangleAttributes());
    Mesh mesh = Refinements.run(device, input, OPTIONS.withSynchronization(way)).mesh();
    double left = 0;
    double across = 0;
    for (int t = 0; t < mesh.triangles(); t++) {
      double x = centroidX(mesh, t);
      double attribute = mesh.triangleAttribute(t, 0);
      if (Math.abs(x - 1) > 1e-9) {
        assertEquals(x < 1 ? 7 : 8, attribute, "triangle " + t + " at " + x);
      }
      left += attribute == 7 ? area(mesh, t) : 0;
      across += reachesAcross(mesh, t) ? area(mesh, t) : 0;
    }
    assertTrue(across < 0.1, "area " + across + " is on both sides");
    assertEquals(1, left, across + 1e-9);
  }

  private static boolean reachesAcross(Mesh mesh, int t) {
    boolean left = false;
    boolean right = false;
    for (int k = 0; k < 3; k++) {
      left |= mesh.x(mesh.corner(t, k)) < 1;
      right |= mesh.x(mesh.corner(t, k)) > 1;
    }
    return left && right;
  }

  /** A square cut in two, of which nothing told that one half had become the other's. */
  @Test
  void aSquaresHalvesAreBothKept() {
    Mesh square = DelaunayTriangulation.of(PlanarGraph.of(new double[] {0, 0, 1, 0, 1, 1, 0, 1}));
    Mesh input = square.toBuilder().triangleAttributes(1, new double[] {7, 8}).build();
    RefinementResult result = Refinements.run("cpu:1", input, OPTIONS);
    Mesh mesh = result.mesh();
    double seven = 0;
    for (int t = 0; t < mesh.triangles(); t++) {
      seven += mesh.triangleAttribute(t, 0) == 7 ? area(mesh, t) : 0;
    }
    assertEquals(0.5, seven, 0.05);
    double[] all = new double[mesh.triangles()];
    Arrays.fill(all, 8);
    Mesh lost = mesh.toBuilder().triangleAttributes(1, all).build();
    MeshVerification found = MeshVerifier.verify(input, lost, result.report().claim());
    assertEquals(List.of(MeshCheck.BOUNDARY), found.failures(), found::toString);
  }

  /** What is inserted before a limit is reached has the attributes of its place too. */
  @Test
  void attributesAreKeptWhereRefinementStopsEarly() {
    for (int most = 60; most < 300; most += 60) {
      RefinementResult result =
          Refinements.run("cpu:4", twoMaterials(), OPTIONS.withMaximumVertices(most));
      assertEquals(Outcome.VERTEX_LIMIT, result.report().outcome());
    }
  }

  /** Bounds go with regions, attributes with places. */
  @Test
  void boundsOfRegionsHoldBesideAttributesOfPlaces() {
    double[] points = {0, 0, 2, 0, 4, 0, 4, 2, 2, 2, 0, 2, 1, 1, 3, 1};
    int[] segments = {0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 0, 1, 4};
    PlanarGraph graph =
        PlanarGraph.builder(points)
            .segments(segments, null)
            .regions(List.of(new Region(1, 1.5, 0, 0.01), new Region(3, 1.5, 0, 0.2)))
            .build();
    Mesh mesh = DelaunayTriangulation.of(graph);
    double[] attributes = new double[mesh.triangles()];
    Arrays.setAll(attributes, t -> t % 3);
    Mesh input = mesh.toBuilder().triangleAttributes(1, attributes).build();
    assertFalse(input.hasSingleAreaBounds());
    assertTrue(input.hasSingleTriangleAttributes());
    Mesh refined =
        Refinements.run("cpu:4", input, RefinementOptions.defaults().withMinimumAngle(25)).mesh();
    for (int t = 0; t < refined.triangles(); t++) {
      assertEquals(centroidX(refined, t) < 2 ? 0.01 : 0.2, refined.areaBound(t), "triangle " + t);
    }
  }

  static Stream<Arguments> kinds() {
    return RefinementInputs.all().keySet().stream()
        .flatMap(
            kind ->
                Stream.of(Synchronization.TRANSACTIONS, Synchronization.TWO_STAGES)
                    .map(way -> Arguments.of(kind, way)));
  }

  /** Holes, small angles, circles and whatever else refinement may meet. */
  @ParameterizedTest
  @MethodSource("kinds")
  void attributesAreKeptInEveryKindOfMesh(String kind, Synchronization way) {
    Mesh mesh = RefinementInputs.all().get(kind);
    double[] attributes = new double[mesh.triangles()];
    Arrays.setAll(attributes, t -> t % 3);
    Mesh input = mesh.toBuilder().triangleAttributes(1, attributes).build();
    RefinementOptions options =
        RefinementOptions.defaults().withMinimumAngle(20).withSynchronization(way);
    RefinementReport report = Refinements.run("cpu:4", input, options).report();
    assertEquals(Outcome.FINISHED, report.outcome(), report::toString);
  }

  /** The host fills the first cavities, in a copy of the mesh. */
  @Test
  void attributesAreKeptInLargeCavities() {
    int n = 1500;
    double[] points = new double[2 * n];
    for (int i = 0; i < n; i++) {
      points[2 * i] = Math.cos(2 * Math.PI * i / n);
      points[2 * i + 1] = Math.sin(2 * Math.PI * i / n);
    }
    Mesh mesh = DelaunayTriangulation.of(PlanarGraph.of(points));
    double[] attributes = new double[mesh.triangles()];
    Arrays.setAll(attributes, t -> centroidX(mesh, t) < 0 ? 7 : 8);
    Mesh input = mesh.toBuilder().triangleAttributes(1, attributes).build();
    Refinements.run(
        Refinements.device("cpu:4"), input, RefinementOptions.defaults(), CavityRooms.CAPACITY);
  }

  @Test
  void attributesThatDifferAtSegmentsOnlyAreThoseOfRegions() {
    double[] corners = {0, 0, 1, 0, 1, 1, 0, 1};
    Mesh mesh = DelaunayTriangulation.of(PlanarGraph.of(corners));
    assertFalse(mesh.hasSingleTriangleAttributes());
    assertTrue(withAttributes(mesh, 7, 1, 7, 2).hasSingleTriangleAttributes());
    assertFalse(withAttributes(mesh, 7, 1, 7, 1).hasSingleTriangleAttributes());
    Mesh cut =
        DelaunayTriangulation.of(PlanarGraph.of(corners, new int[] {0, 1, 1, 2, 2, 3, 3, 0, 0, 2}));
    assertFalse(withAttributes(cut, 7, 1, 7, 2).hasSingleTriangleAttributes());
  }

  private static Mesh withAttributes(Mesh mesh, double... values) {
    return mesh.toBuilder().triangleAttributes(2, values).build();
  }
}
