package io.magpie.algorithms.mesh.refine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.mesh.DelaunayTriangulation;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.PlanarGraph;
import io.magpie.algorithms.mesh.io.TriangleFormat;
import io.magpie.algorithms.mesh.io.TriangleFormat.Constraint;
import io.magpie.algorithms.mesh.refine.RefinementOptions.Synchronization;
import io.magpie.algorithms.mesh.refine.RefinementReport.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Refinement keeps triangles within area bounds that differ where no segment is between. */
class SingleBoundsTest {
  private static final double NONE = Double.POSITIVE_INFINITY;

  /** A grid of unit squares, each cut in two. */
  private static Mesh grid(int side) {
    double[] points = new double[2 * (side + 1) * (side + 1)];
    for (int i = 0; i < points.length / 2; i++) {
      points[2 * i] = i % (side + 1);
      points[2 * i + 1] = i / (side + 1);
    }
    return DelaunayTriangulation.of(PlanarGraph.of(points));
  }

  private static double[] none(Mesh mesh) {
    double[] bounds = new double[mesh.triangles()];
    Arrays.fill(bounds, NONE);
    return bounds;
  }

  /** One triangle in the middle of others that may be large: it is refined, they hardly are. */
  @ParameterizedTest
  @EnumSource
  void aBoundHoldsWhereItsTriangleLies(Synchronization way) {
    Mesh mesh = grid(9);
    double[] bounds = none(mesh);
    int middle = 0;
    for (int t = 0; t < mesh.triangles(); t++) {
      middle = isInMiddle(mesh, t) ? t : middle;
    }
    bounds[middle] = 1e-3;
    Mesh input = mesh.toBuilder().areaBounds(bounds).build();
    RefinementOptions options =
        RefinementOptions.defaults().withMinimumAngle(20).withSynchronization(way);
    Mesh refined = Refinements.run("cpu:4", input, options).mesh();
    double within = 0;
    int large = 0;
    for (int t = 0; t < refined.triangles(); t++) {
      double area = area(refined, t);
      if (refined.areaBound(t) == 1e-3) {
        within += area;
        assertTrue(area <= 1e-3, area + " of triangle " + t);
      } else {
        assertEquals(NONE, refined.areaBound(t));
        large += area >= 0.4 ? 1 : 0;
      }
    }
    assertEquals(0.5, within, 0.05);
    assertTrue(
        large >= 120, large + " triangles of the grid's size are left of " + mesh.triangles());
  }

  private static boolean isInMiddle(Mesh mesh, int t) {
    boolean inMiddle = true;
    for (int k = 0; k < 3; k++) {
      int v = mesh.corner(t, k);
      inMiddle &= mesh.x(v) >= 4 && mesh.x(v) <= 5 && mesh.y(v) >= 4 && mesh.y(v) <= 5;
    }
    return inMiddle;
  }

  private static double area(Mesh mesh, int t) {
    int a = mesh.corner(t, 0);
    int b = mesh.corner(t, 1);
    int c = mesh.corner(t, 2);
    return ((mesh.x(b) - mesh.x(a)) * (mesh.y(c) - mesh.y(a))
            - (mesh.y(b) - mesh.y(a)) * (mesh.x(c) - mesh.x(a)))
        / 2;
  }

  /** What is asked for last, in a later pass, also counts where refinement stops early. */
  @Test
  void whatIsLeftIsCounted() {
    Mesh mesh = grid(3);
    double[] bounds = none(mesh);
    bounds[mesh.triangles() / 2] = 1e-4;
    Mesh input = mesh.toBuilder().areaBounds(bounds).build();
    for (int most = 16; most < 400; most += 37) {
      RefinementResult result =
          Refinements.run("cpu:1", input, RefinementOptions.defaults().withMaximumVertices(most));
      assertEquals(Outcome.VERTEX_LIMIT, result.report().outcome());
      assertTrue(result.report().badLeft() > 0, result.report()::toString);
    }
  }

  static Stream<Arguments> waysOnDevices() {
    return Stream.of("cpu:1", "cpu:4", "sim:2:4")
        .flatMap(
            device ->
                Arrays.stream(Synchronization.values()).map(way -> Arguments.of(device, way)));
  }

  /** In every way to refine, exactly so many are inserted; what is left is counted. */
  @ParameterizedTest
  @MethodSource("waysOnDevices")
  void insertionsAreCountedOverAllPasses(String device, Synchronization way) {
    Mesh mesh = grid(3);
    double[] bounds = none(mesh);
    bounds[mesh.triangles() / 2] = 1e-3;
    Mesh input = mesh.toBuilder().areaBounds(bounds).build();
    RefinementOptions options = RefinementOptions.defaults().withSynchronization(way);
    long needed = Refinements.run(device, input, options).report().inserted();
    for (int most : new int[] {0, 1, 2, (int) needed / 2}) {
      RefinementReport report =
          Refinements.run(device, input, options.withMaximumSteinerPoints(most)).report();
      assertEquals(Outcome.VERTEX_LIMIT, report.outcome(), report::toString);
      assertEquals(most, report.inserted(), report::toString);
      assertTrue(report.badLeft() > 0, report::toString);
    }
    RefinementOptions more = options.withMaximumSteinerPoints(10 * (int) needed);
    assertEquals(Outcome.FINISHED, Refinements.run(device, input, more).report().outcome());
    RefinementOptions both = more.withMaximumVertices(input.vertices() + 3);
    assertEquals(3, Refinements.run(device, input, both).report().inserted());
  }

  /** A square whose region asks for small triangles, which were not asked for when it was read. */
  @Test
  void regionsThatWereNotReadDoNotCount(@TempDir Path folder) throws IOException {
    Path base = folder.resolve("r");
    Files.writeString(folder.resolve("r.node"), "4 2\n0 0 0\n1 4 0\n2 4 4\n3 0 4\n");
    Files.writeString(folder.resolve("r.ele"), "2 3\n0 0 1 2\n1 2 3 0\n");
    Files.writeString(folder.resolve("r.poly"), "0 2\n1\n0 0 1\n0\n1\n0 1 2 7 0.1\n");
    Mesh without = TriangleFormat.readMesh(base, EnumSet.of(Constraint.SEGMENTS));
    RefinementOptions options = RefinementOptions.defaults();
    assertEquals(0, Refinements.run("cpu:1", without, options).report().inserted());
    assertTrue(
        Refinements.run("cpu:1", TriangleFormat.readMesh(base), options).report().inserted() > 0);
  }

  @Test
  void boundsThatDifferAtSegmentsOnlyAreThoseOfRegions() {
    Mesh mesh = DelaunayTriangulation.of(PlanarGraph.of(new double[] {0, 0, 1, 0, 1, 1, 0, 1}));
    assertFalse(mesh.hasSingleAreaBounds());
    assertTrue(mesh.toBuilder().areaBounds(new double[] {1, 2}).build().hasSingleAreaBounds());
    assertFalse(mesh.toBuilder().areaBounds(new double[] {2, 2}).build().hasSingleAreaBounds());
    Mesh cut =
        DelaunayTriangulation.of(
            PlanarGraph.of(
                new double[] {0, 0, 1, 0, 1, 1, 0, 1}, new int[] {0, 1, 1, 2, 2, 3, 3, 0, 0, 2}));
    assertFalse(cut.toBuilder().areaBounds(new double[] {1, 2}).build().hasSingleAreaBounds());
  }

  /** Holes, small angles, circles and whatever else refinement may meet. */
  @ParameterizedTest
  @MethodSource("kinds")
  void boundsHoldInEveryKindOfMesh(String kind, Synchronization way) {
    Mesh mesh = RefinementInputs.all().get(kind);
    double all = 0;
    for (int t = 0; t < mesh.triangles(); t++) {
      all += area(mesh, t);
    }
    double[] bounds = none(mesh);
    for (int t = 0; t < bounds.length; t += 2) {
      bounds[t] = all / (20 + 100 * (t % 5));
    }
    RefinementOptions options =
        RefinementOptions.defaults().withMinimumAngle(20).withSynchronization(way);
    Mesh input = mesh.toBuilder().areaBounds(bounds).build();
    RefinementReport report = Refinements.run("cpu:4", input, options).report();
    assertEquals(Outcome.FINISHED, report.outcome(), report::toString);
  }

  static Stream<Arguments> kinds() {
    return RefinementInputs.all().keySet().stream()
        .flatMap(
            kind ->
                Stream.of(Synchronization.TRANSACTIONS, Synchronization.TWO_STAGES)
                    .map(way -> Arguments.of(kind, way)));
  }

  /** Beyond a notch, a straight walk leaves the domain. */
  @Test
  void trianglesAreFoundBeyondNotches() {
    Mesh comb =
        DelaunayTriangulation.of(
            PlanarGraph.of(
                new double[] {
                  0, 0, 5, 0, 5, 4, 4, 4, 4, 1, 3, 1, 3, 4, 2, 4, 2, 1, 1, 1, 1, 4, 0, 4
                },
                new int[] {
                  0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 0
                }));
    double[] bounds = new double[comb.triangles()];
    Arrays.setAll(bounds, t -> 0.05 + 0.01 * t);
    Refinements.run(
        "cpu:4", comb.toBuilder().areaBounds(bounds).build(), RefinementOptions.defaults());
  }
}
