package io.magpie.algorithms.mesh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AngleHistogramTest {
  /** A triangle with these two angles at the ends of an edge of length 1, and its mirror image. */
  private static AngleHistogram of(double left, double right, double scale) {
    double l = 1 / Math.tan(Math.toRadians(left));
    double r = 1 / Math.tan(Math.toRadians(right));
    double height = 1 / (l + r);
    double[] coordinates = {0, 0, 1, 0, l * height, height, l * height, -height};
    for (int i = 0; i < coordinates.length; i++) {
      coordinates[i] *= scale;
    }
    return AngleHistogram.of(Mesh.of(coordinates, new int[] {0, 1, 2, 1, 0, 3}));
  }

  @ParameterizedTest
  @ValueSource(doubles = {1, 1e-30, 1e16, 1e60})
  void countsAnglesOfAnySize(double scale) {
    AngleHistogram angles = of(22, 41, scale);
    assertEquals(2, angles.triangles());
    assertEquals(22, angles.smallest(), 1e-9);
    assertEquals(0, angles.smallestAt());
    assertEquals(117, angles.largest(), 1e-9);
    assertEquals(0, angles.largestAt());
    long[] all = new long[36];
    all[4] = 2;
    all[8] = 2;
    all[23] = 2;
    assertEquals(Arrays.toString(all), Arrays.toString(angles.allAngles()));
    assertEquals(
        Arrays.toString(Arrays.copyOf(new long[] {0, 0, 0, 0, 2}, 12)),
        Arrays.toString(angles.smallestAngles()));
  }

  @Test
  void resolvesAnglesNearTheEnds() {
    AngleHistogram thin = of(1e-7, 90, 1);
    assertEquals(1e-7, thin.smallest(), 1e-13);
    AngleHistogram flat = of(1e-5, 1e-5, 1);
    assertEquals(180 - 2e-5, flat.largest(), 1e-9);
  }

  @Test
  void putsTheBoundOfABinIntoTheUpperBin() {
    Mesh square = Mesh.of(new double[] {0, 0, 1, 0, 1, 1, 0, 1}, new int[] {0, 1, 2, 0, 2, 3});
    AngleHistogram angles = AngleHistogram.of(square);
    assertEquals(4, angles.allAngles()[45 / 5]);
    assertEquals(2, angles.allAngles()[90 / 5]);
  }

  @Test
  void knowsTheExtremeTrianglesOfMany() {
    double[] moved = Grid.coordinates(20);
    int[] corners = Grid.corners(20);
    moved[2 * corners[3 * 411]] += 0.25;
    Mesh mesh = Mesh.of(moved, corners);
    AngleHistogram angles = AngleHistogram.of(mesh);
    double[] smallest = new double[mesh.triangles()];
    for (int i = 0; i < smallest.length; i++) {
      smallest[i] = Double.POSITIVE_INFINITY;
      for (int c = 0; c < 3; c++) {
        int a = mesh.corner(i, c);
        int b = mesh.corner(i, (c + 1) % 3);
        int d = mesh.corner(i, (c + 2) % 3);
        double turn =
            Math.atan2(mesh.y(d) - mesh.y(a), mesh.x(d) - mesh.x(a))
                - Math.atan2(mesh.y(b) - mesh.y(a), mesh.x(b) - mesh.x(a));
        smallest[i] = Math.min(smallest[i], Math.toDegrees(turn < 0 ? turn + 2 * Math.PI : turn));
      }
    }
    double least = Arrays.stream(smallest).min().orElseThrow();
    assertTrue(least < 44);
    assertEquals(least, angles.smallest(), 1e-9);
    assertEquals(least, smallest[angles.smallestAt()], 1e-9);
    assertEquals(3L * mesh.triangles(), Arrays.stream(angles.allAngles()).sum());
    assertEquals(mesh.triangles(), Arrays.stream(angles.smallestAngles()).sum());
  }

  @Test
  void countsATriangleWithoutAreaAsZero() {
    AngleHistogram angles = new AngleHistogram();
    angles.add(3, 0, 0, 1, 1, 2, 2);
    assertEquals(0, angles.smallest());
    assertEquals(180, angles.largest(), 1e-12);
    assertEquals(3, angles.smallestAt());
  }

  @Test
  void hasNoExtremesWithoutTriangles() {
    AngleHistogram none = new AngleHistogram();
    assertTrue(Double.isNaN(none.smallest()) && Double.isNaN(none.largest()));
    assertEquals(-1, none.smallestAt());
    assertEquals(List.of("no triangles"), none.toString().lines().toList());
  }

  @Test
  void printsATable() {
    List<String> lines = of(22, 41, 1).toString().lines().toList();
    assertEquals(
        "2 triangles, angles from 22.0000 (triangle 0) to 117.0000 degrees (triangle 0)",
        lines.get(0));
    assertEquals(" 20 -  25              2              2 " + "#".repeat(40), lines.get(6));
    assertEquals(" 40 -  45              2              0", lines.get(10));
    assertEquals("115 - 120              2", lines.get(25));
    assertEquals(38, lines.size());
  }
}
