package io.magpie.algorithms.mesh.refine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.SettingException;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.RefinementClaim;
import io.magpie.algorithms.mesh.TriangleAreaBound;
import io.magpie.algorithms.mesh.refine.RefinementOptions.Synchronization;
import io.magpie.algorithms.mesh.refine.RefinementReport.Outcome;
import io.magpie.algorithms.mesh.verify.MeshCheck;
import io.magpie.algorithms.mesh.verify.MeshVerification;
import io.magpie.algorithms.mesh.verify.MeshVerifier;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bounds on areas by a function of Java. */
class FunctionBoundsTest {
  private static final RefinementOptions OPTIONS =
      RefinementOptions.defaults().withMinimumAngle(20);

  /** Of the unit square; 400 times finer in a corner than in the opposite one. */
  private static final TriangleAreaBound GRADED =
      (ax, ay, bx, by, cx, cy) -> {
        double x = (ax + bx + cx) / 3;
        double y = (ay + by + cy) / 3;
        return 2e-5 + 4e-3 * (x * x + y * y);
      };

  private static Mesh square() {
    return RefinementInputs.triangulated(0, 0, 1, 0, 1, 1, 0, 1);
  }

  private static double area(Mesh mesh, int t) {
    int a = mesh.corner(t, 0);
    int b = mesh.corner(t, 1);
    int c = mesh.corner(t, 2);
    return ((mesh.x(b) - mesh.x(a)) * (mesh.y(c) - mesh.y(a))
            - (mesh.y(b) - mesh.y(a)) * (mesh.x(c) - mesh.x(a)))
        / 2;
  }

  private static double bound(TriangleAreaBound function, Mesh mesh, int t) {
    int a = mesh.corner(t, 0);
    int b = mesh.corner(t, 1);
    int c = mesh.corner(t, 2);
    return function.of(mesh.x(a), mesh.y(a), mesh.x(b), mesh.y(b), mesh.x(c), mesh.y(c));
  }

  private static int tooLarge(TriangleAreaBound function, Mesh mesh) {
    int found = 0;
    for (int t = 0; t < mesh.triangles(); t++) {
      found += area(mesh, t) > bound(function, mesh, t) ? 1 : 0;
    }
    return found;
  }

  /** As many triangles as the areas there ask for, and not as the smallest bound would. */
  @ParameterizedTest
  @EnumSource(Synchronization.class)
  void eachTriangleKeepsTheBoundOfItsPlace(Synchronization way) {
    for (String device : new String[] {"cpu:1", "cpu:4", "sim:1:4"}) {
      RefinementOptions options = OPTIONS.withSynchronization(way).withAreaBound(GRADED);
      RefinementResult result = Refinements.run(device, square(), options);
      Mesh mesh = result.mesh();
      assertEquals(Outcome.FINISHED, result.report().outcome());
      assertTrue(result.report().badBefore() > 0, "too large triangles are bad ones");
      assertEquals(0, tooLarge(GRADED, mesh));
      double least = 0;
      for (int t = 0; t < mesh.triangles(); t++) {
        least += area(mesh, t) / bound(GRADED, mesh, t);
      }
      assertTrue(mesh.triangles() < 3.5 * least, mesh.triangles() + " of " + least);
    }
  }

  @Test
  void aConstantIsAsMaxArea() {
    double area = 3e-4;
    TriangleAreaBound constant = (ax, ay, bx, by, cx, cy) -> area;
    Mesh one = Refinements.run("cpu:2", square(), OPTIONS.withMaximumArea(area)).mesh();
    Mesh other = Refinements.run("cpu:2", square(), OPTIONS.withAreaBound(constant)).mesh();
    assertEquals(0, tooLarge(constant, other));
    double ratio = (double) other.triangles() / one.triangles();
    assertTrue(ratio > 0.7 && ratio < 1.4, ratio + " of " + one.triangles());
  }

  /** By shape: no edge may be long in one direction; a test that says only yes or no. */
  @Test
  void aTestOfShapesIsABound() {
    TriangleAreaBound narrow =
        (ax, ay, bx, by, cx, cy) -> {
          double width = Math.max(ax, Math.max(bx, cx)) - Math.min(ax, Math.min(bx, cx));
          double area = ((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)) / 2;
          return width > 0.1 ? area / 2 : Double.POSITIVE_INFINITY;
        };
    RefinementResult result = Refinements.run("cpu:2", square(), OPTIONS.withAreaBound(narrow));
    assertEquals(Outcome.FINISHED, result.report().outcome());
    assertEquals(0, tooLarge(narrow, result.mesh()));
    assertTrue(result.mesh().triangles() > 200, result.report().toString());
  }

  /** Attributes and bounds of regions are kept, and hold too. */
  @Test
  void regionsKeepTheirAttributesAndBounds() {
    int bounded = 0;
    for (Map.Entry<String, Mesh> each : RefinementInputs.all().entrySet()) {
      Mesh mesh = each.getValue();
      double middle = (mesh.minX() + mesh.maxX()) / 2;
      double box = (mesh.maxX() - mesh.minX()) * (mesh.maxY() - mesh.minY());
      Mesh input = RefinementInputs.withBounds(RefinementInputs.withRegions(mesh), box / 200);
      if (mesh.triangles() == 0 || mesh.triangles() > 1_000 || input.hasSingleAreaBounds()) {
        continue;
      }
      bounded++;
      TriangleAreaBound left =
          (ax, ay, bx, by, cx, cy) ->
              (ax + bx + cx) / 3 < middle ? box / 500 : Double.POSITIVE_INFINITY;
      RefinementOptions options = OPTIONS.withAreaBound(left);
      Mesh refined = Refinements.run("cpu:2", input, options).mesh();
      assertEquals(0, tooLarge(left, refined), each.getKey());
    }
    assertTrue(bounded > 3, bounded + " inputs");
  }

  @Test
  void whereItStopsEarlyItCountsWhatIsTooLarge() {
    RefinementOptions options = OPTIONS.withAreaBound(GRADED).withMaximumVertices(100);
    RefinementResult result = Refinements.run("cpu:1", square(), options);
    assertEquals(Outcome.VERTEX_LIMIT, result.report().outcome());
    assertTrue(
        result.report().badLeft() >= tooLarge(GRADED, result.mesh()), result.report()::toString);
    assertTrue(tooLarge(GRADED, result.mesh()) > 0);
  }

  @Test
  void theVerifierHoldsTrianglesToTheFunction() {
    Mesh input = square();
    Mesh mesh = Refinements.run("cpu:1", input, OPTIONS.withMaximumArea(1e-3)).mesh();
    RefinementClaim claim = RefinementClaim.of(20).withMaximumArea(1e-3);
    assertTrue(MeshVerifier.verify(input, mesh, claim).passed());
    MeshVerification found = MeshVerifier.verify(input, mesh, claim.withAreaBound(GRADED));
    assertTrue(found.failures().contains(MeshCheck.QUALITY), found::toString);
    assertEquals(tooLarge(GRADED, mesh), found.bad());
  }

  @Test
  void nothingTooLargeChangesNothing() {
    Mesh input = RefinementInputs.generated("uniform:200");
    TriangleAreaBound wide = (ax, ay, bx, by, cx, cy) -> 1e9;
    Mesh one = Refinements.run("cpu:1", input, OPTIONS).mesh();
    Mesh other = Refinements.run("cpu:1", input, OPTIONS.withAreaBound(wide)).mesh();
    assertArrayEquals(one.corners(), other.corners());
    assertArrayEquals(one.coordinates(), other.coordinates());
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, Double.NaN})
  void whatIsNoBoundIsRefused(double value) {
    RefinementOptions options = OPTIONS.withAreaBound((ax, ay, bx, by, cx, cy) -> value);
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> MeshRefinement.run(Refinements.device("cpu:1"), square(), options));
    assertTrue(e.getMessage().endsWith(" is " + value + ": it must be above 0"), e.getMessage());
    assertTrue(e.getMessage().startsWith("the area bound of the triangle ("), e::getMessage);
  }

  @Test
  void whatTheFunctionThrowsComesThrough() {
    RefinementOptions options =
        OPTIONS.withAreaBound(
            (ax, ay, bx, by, cx, cy) -> {
              throw new UnsupportedOperationException("no such place");
            });
    UnsupportedOperationException e =
        assertThrows(
            UnsupportedOperationException.class,
            () -> MeshRefinement.run(Refinements.device("cpu:1"), square(), options));
    assertEquals("no such place", e.getMessage());
  }

  @Test
  void boundsOfSingleTrianglesAreRefused() {
    Mesh square = square();
    Mesh input = square.toBuilder().areaBounds(new double[] {1e-3, 2e-3}).build();
    assertTrue(input.hasSingleAreaBounds());
    RefinementOptions options = OPTIONS.withAreaBound(GRADED);
    SettingException e =
        assertThrows(
            SettingException.class,
            () -> MeshRefinement.run(Refinements.device("cpu:1"), input, options));
    assertEquals("area-bound", e.setting().name());
    assertFalse(OPTIONS.equals(options));
  }
}
