package io.magpie.algorithms.mesh.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HilbertOrderTest {
  @Test
  void theCurveVisitsEveryCellAndGoesFromCellToNeighbor() {
    for (int levels = 1; levels <= 6; levels++) {
      int side = 1 << levels;
      int[] cells = new int[side * side];
      Arrays.fill(cells, -1);
      for (int cell = 0; cell < side * side; cell++) {
        cells[(int) HilbertOrder.place(cell % side, cell / side, levels)] = cell;
      }
      for (int i = 1; i < cells.length; i++) {
        int columns = Math.abs(cells[i] % side - cells[i - 1] % side);
        int rows = Math.abs(cells[i] / side - cells[i - 1] / side);
        assertEquals(1, columns + rows, "step " + i + " of level " + levels);
      }
    }
  }

  @Test
  void pointsComeInTheOrderOfTheirCells() {
    Random random = new Random(7);
    int side = 32;
    double[] coordinates = new double[2 * 1000];
    for (int i = 0; i < coordinates.length; i++) {
      coordinates[i] = random.nextInt(side) + 0.5;
    }
    // The corners of the square, so that its quarters are those of the cells.
    coordinates[0] = 0;
    coordinates[1] = 0;
    coordinates[2] = side;
    coordinates[3] = side;
    int[] order = HilbertOrder.of(coordinates);
    long previous = -1;
    for (int v : order) {
      int column = Math.min(side - 1, (int) coordinates[2 * v]);
      int row = Math.min(side - 1, (int) coordinates[2 * v + 1]);
      long place = HilbertOrder.place(column, row, 5);
      assertTrue(place >= previous, "vertex " + v);
      previous = place;
    }
    Arrays.sort(order);
    for (int v = 0; v < order.length; v++) {
      assertEquals(v, order[v]);
    }
  }

  @Test
  void crowdsInACellAreOrderedToo() {
    // Each crowd is 1e-9 as wide as the one around it: far less than a cell.
    Random random = new Random(8);
    double[] coordinates = new double[2 * 4000];
    for (int v = 0; v < 4000; v++) {
      double width = Math.pow(1e-9, v % 4);
      coordinates[2 * v] = width * random.nextDouble();
      coordinates[2 * v + 1] = width * random.nextDouble();
    }
    int[] order = HilbertOrder.of(coordinates);
    double[] steps = new double[4];
    for (int i = 1; i < order.length; i++) {
      int u = order[i - 1];
      int v = order[i];
      if (u % 4 == v % 4) {
        double dx = coordinates[2 * u] - coordinates[2 * v];
        double dy = coordinates[2 * u + 1] - coordinates[2 * v + 1];
        steps[u % 4] += Math.hypot(dx, dy) / Math.pow(1e-9, u % 4);
      }
    }
    // A tour of n random points of a unit square takes about 0.9 sqrt(n), a random one 0.5 n.
    for (double each : steps) {
      assertTrue(each < 1.5 * Math.sqrt(1000), Arrays.toString(steps));
    }
  }

  @Test
  void extremeCoordinatesDoNoHarm() {
    double[] coordinates = new double[2 * 500];
    for (int i = 0; i < coordinates.length; i++) {
      coordinates[i] = i % 3 == 0 ? Double.MAX_VALUE : i % 3 == 1 ? -Double.MAX_VALUE : i;
    }
    assertEquals(500, Arrays.stream(HilbertOrder.of(coordinates)).distinct().count());
    Arrays.fill(coordinates, 3);
    coordinates[0] = Math.nextUp(3.0);
    int[] order = HilbertOrder.of(coordinates);
    assertEquals(0, order[499]);
  }

  @Test
  void equalPointsKeepTheirOrder() {
    assertArrayEquals(new int[] {}, HilbertOrder.of(new double[0]));
    assertArrayEquals(new int[] {0}, HilbertOrder.of(new double[] {3, 4}));
    assertArrayEquals(new int[] {0, 1, 2}, HilbertOrder.of(new double[] {3, 4, 3, 4, 3, 4}));
  }
}
