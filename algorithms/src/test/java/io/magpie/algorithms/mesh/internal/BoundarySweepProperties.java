package io.magpie.algorithms.mesh.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.magpie.algorithms.mesh.ExactGeometry;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.PlanarGraph;
import io.magpie.algorithms.mesh.UncheckedMesh;
import io.magpie.algorithms.mesh.verify.MeshCheck;
import io.magpie.algorithms.mesh.verify.MeshVerification;
import io.magpie.algorithms.mesh.verify.MeshVerifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** The importer and the verifier each find out whether triangles overlap, as comparing all does. */
class BoundarySweepProperties {
  /** Some triangles between points of a small grid, such that none has an edge of another's. */
  private static List<int[]> triangles(double[] points, Random random) {
    List<int[]> triangles = new ArrayList<>();
    Set<Integer> directed = new HashSet<>();
    int n = points.length / 2;
    for (int i = 1 + random.nextInt(6); i > 0; i--) {
      int[] t = {random.nextInt(n), random.nextInt(n), random.nextInt(n)};
      if (ExactGeometry.orientation(points, t[0], t[1], t[2]) <= 0) {
        continue;
      }
      Set<Integer> edges = new HashSet<>();
      for (int k = 0; k < 3; k++) {
        edges.add(t[k] * n + t[(k + 1) % 3]);
      }
      if (edges.stream().noneMatch(directed::contains)) {
        directed.addAll(edges);
        triangles.add(t);
      }
    }
    return triangles;
  }

  /** Whether all of a triangle lies beyond an edge of another one, or on it. */
  private static boolean apart(double[] points, int[] t, int[] u) {
    for (int k = 0; k < 3; k++) {
      boolean beyond = true;
      for (int v : u) {
        beyond &= ExactGeometry.orientation(points, t[k], t[(k + 1) % 3], v) <= 0;
      }
      if (beyond) {
        return true;
      }
    }
    return false;
  }

  private static boolean isMesh(double[] points, List<int[]> triangles) {
    for (int[] t : triangles) {
      for (int[] u : triangles) {
        if (t != u && !apart(points, t, u) && !apart(points, u, t)) {
          return false;
        }
        for (int k = 0; k < 3; k++) {
          for (int v : u) {
            if (ExactGeometry.inside(points, t[k], t[(k + 1) % 3], v)) {
              return false;
            }
          }
        }
      }
    }
    return true;
  }

  @Property(tries = 5000)
  void overlapsAreFound(@ForAll long seed) {
    Random random = new Random(seed);
    double[] points = new double[2 * (4 + random.nextInt(6))];
    Set<Integer> taken = new HashSet<>();
    for (int v = 0; v < points.length / 2; v++) {
      int place = random.nextInt(20);
      while (!taken.add(place)) {
        place = random.nextInt(20);
      }
      points[2 * v] = place % 5;
      points[2 * v + 1] = place / 5;
    }
    List<int[]> triangles = triangles(points, random);
    int[] corners = triangles.stream().flatMapToInt(Arrays::stream).toArray();
    Mesh mesh = UncheckedMesh.bounded(points, corners);
    boolean expected = isMesh(points, triangles);
    assertEquals(expected, imports(mesh.planarGraph(), corners), "by the importer");
    MeshVerification found = MeshVerifier.delaunay(mesh);
    assertEquals(!expected, found.failures().contains(MeshCheck.EDGES), found::toString);
  }

  private static boolean imports(PlanarGraph graph, int[] corners) {
    try {
      Mesh.builder(graph, corners).build();
      return true;
    } catch (MeshFaultException e) {
      return false;
    }
  }
}
