package io.magpie.algorithms.mesh.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.magpie.algorithms.TestDevices;
import io.magpie.algorithms.mesh.DelaunayTriangulation;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.PlanarGraph;
import java.math.BigDecimal;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class TriangleTreeProperties {
  /**
   * On a lattice of small numbers nothing is rounded, and points often lie on edges and corners.
   */
  @Property(tries = 300)
  void findsWhatALookAtEachTriangleDoes(
      @ForAll @IntRange(min = 3, max = 200) int points, @ForAll Random random) {
    double[] coordinates = new double[2 * points];
    for (int i = 0; i < points; i++) {
      coordinates[2 * i] = i / 15 + (i % 15 == 0 ? 0 : random.nextInt(16) / 32.0);
      coordinates[2 * i + 1] = i % 15;
    }
    Mesh mesh;
    try {
      mesh = DelaunayTriangulation.of(PlanarGraph.of(coordinates));
    } catch (IllegalArgumentException e) { // all on one line
      return;
    }
    TriangleTree tree = new TriangleTree(MeshArrays.of(mesh));
    for (int i = 0; i < (TestDevices.FULL ? 100 : 20); i++) {
      double x = random.nextInt(16 * 32) / 32.0 - 1;
      double y = random.nextInt(16 * 32) / 32.0 - 1;
      Set<Integer> found = new TreeSet<>();
      tree.anyHolds(
          x,
          y,
          t -> {
            if (holds(mesh, t, x, y)) {
              found.add(t);
            }
            return false;
          });
      Set<Integer> expected = new TreeSet<>();
      for (int t = 0; t < mesh.triangles(); t++) {
        int only = t;
        if (holds(mesh, t, x, y)) {
          expected.add(t);
        }
        assertEquals(holds(mesh, t, x, y), tree.anyHolds(x, y, each -> each == only));
      }
      assertEquals(expected, found);
    }
  }

  private static boolean holds(Mesh mesh, int t, double x, double y) {
    for (int k = 0; k < 3; k++) {
      int from = mesh.corner(t, k);
      int to = mesh.corner(t, (k + 1) % 3);
      BigDecimal turn =
          minus(mesh.x(to), mesh.x(from))
              .multiply(minus(y, mesh.y(from)))
              .subtract(minus(mesh.y(to), mesh.y(from)).multiply(minus(x, mesh.x(from))));
      if (turn.signum() < 0) {
        return false;
      }
    }
    return true;
  }

  private static BigDecimal minus(double a, double b) {
    return new BigDecimal(a).subtract(new BigDecimal(b));
  }
}
