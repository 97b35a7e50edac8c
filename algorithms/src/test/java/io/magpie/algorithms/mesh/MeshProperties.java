package io.magpie.algorithms.mesh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class MeshProperties {
  /** A directed edge. */
  record Edge(int from, int to) {
    Edge reversed() {
      return new Edge(to, from);
    }
  }

  private static Edge edge(Mesh mesh, int t, int k) {
    return new Edge(mesh.corner(t, (k + 1) % 3), mesh.corner(t, (k + 2) % 3));
  }

  /**
   * A grid with either diagonal in each cell, some triangles missing, in any order and rotation.
   */
  private static int[] corners(int rows, int columns, Random random) {
    List<int[]> triangles = new ArrayList<>();
    for (int row = 0; row + 1 < rows; row++) {
      for (int column = 0; column + 1 < columns; column++) {
        int a = row * columns + column;
        int b = a + 1;
        int c = b + columns;
        int d = a + columns;
        boolean rising = random.nextBoolean();
        triangles.add(rising ? new int[] {a, b, c} : new int[] {a, b, d});
        triangles.add(rising ? new int[] {a, c, d} : new int[] {b, c, d});
      }
    }
    triangles.removeIf(each -> random.nextInt(5) == 0);
    Collections.shuffle(triangles, random);
    int[] corners = new int[3 * triangles.size()];
    for (int t = 0; t < triangles.size(); t++) {
      int turn = random.nextInt(3);
      for (int k = 0; k < 3; k++) {
        corners[3 * t + k] = triangles.get(t)[(k + turn) % 3];
      }
    }
    return corners;
  }

  private static double[] coordinates(int rows, int columns) {
    double[] coordinates = new double[2 * rows * columns];
    for (int v = 0; v < rows * columns; v++) {
      coordinates[2 * v] = v % columns;
      coordinates[2 * v + 1] = v / columns;
    }
    return coordinates;
  }

  @Property(tries = 300)
  void adjacencyIsThatOfATableOfEdges(
      @ForAll @IntRange(min = 1, max = 7) int rows,
      @ForAll @IntRange(min = 1, max = 7) int columns,
      @ForAll Random random) {
    int[] corners = corners(rows, columns, random);
    Map<Edge, Integer> owners = new HashMap<>();
    List<Edge> given = new ArrayList<>();
    for (int t = 0; t < corners.length / 3; t++) {
      for (int k = 0; k < 3; k++) {
        Edge edge = new Edge(corners[3 * t + (k + 1) % 3], corners[3 * t + (k + 2) % 3]);
        owners.put(edge, t);
        if (random.nextInt(4) == 0 && !given.contains(edge) && !given.contains(edge.reversed())) {
          given.add(random.nextBoolean() ? edge : edge.reversed());
        }
      }
    }
    Collections.shuffle(given, random);
    int[] ends = given.stream().flatMapToInt(e -> IntStream.of(e.from, e.to)).toArray();
    Mesh mesh = Mesh.of(coordinates(rows, columns), corners, ends);

    Set<Integer> used = new HashSet<>();
    for (int t = 0; t < mesh.triangles(); t++) {
      for (int k = 0; k < 3; k++) {
        Edge edge = edge(mesh, t, k);
        assertEquals(owners.getOrDefault(edge.reversed(), -1), mesh.neighbor(t, k));
        int s = mesh.segment(t, k);
        if (s >= 0) {
          used.add(s);
          Edge segment = new Edge(mesh.segmentStart(s), mesh.segmentEnd(s));
          assertTrue(segment.equals(edge) || segment.equals(edge.reversed()));
          assertTrue(s < given.size() || mesh.neighbor(t, k) == -1);
        } else {
          assertTrue(mesh.neighbor(t, k) >= 0);
          assertTrue(!given.contains(edge) && !given.contains(edge.reversed()));
        }
      }
    }
    assertEquals(mesh.segments(), used.size());
    for (int s = 0; s < given.size(); s++) {
      assertEquals(given.get(s), new Edge(mesh.segmentStart(s), mesh.segmentEnd(s)));
    }
  }
}
