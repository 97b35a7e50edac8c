package io.magpie.algorithms.nbody;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.nbody.ForceBounds.Allowances;
import io.magpie.algorithms.nbody.HalvedCubes.Cell;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Bounds are those of their definition, and the tree is the same whoever makes it. */
class ForceBoundsTest {
  private static final NBodyOptions OPTIONS = NBodyOptions.defaults().withTheta(0.8);

  /** Rounding of double precision is beyond the digits that are compared. */
  @Test
  void theErrorOfCellsIsThatOfTheirDefinition() {
    for (String spec : new String[] {"plummer:200", "cube:90", "collision:150"}) {
      Bodies bodies = BodyGenerator.parse(spec).generate();
      Cell root = HalvedCubes.of(bodies).root();
      int[] all = IntStream.range(0, bodies.count()).toArray();
      Allowances found = ForceBounds.of(bodies, OPTIONS, root, all);
      for (int body : all) {
        double[] right = worst(bodies, body, root, true);
        String which = spec + ", body " + body;
        assertEquals(right[0], found.accelerations()[body], 1e-9 * right[0] + 1e-9, which);
        assertEquals(right[1], found.potentials()[body], 1e-9 * right[1] + 1e-9, which);
      }
      assertTrue(
          Arrays.stream(found.accelerations()).max().orElseThrow() > 1e-4, "cells stood for none");
    }
  }

  /**
   * The greatest error of the acceleration and of the potential that a cell, or cells inside it in
   * its place, can make.
   */
  private static double[] worst(Bodies bodies, int body, Cell cell, boolean isRoot) {
    double[] worst = new double[2];
    for (Cell inner : cell.cells) {
      if (inner != null) {
        double[] each = worst(bodies, body, inner, false);
        worst[0] += each[0];
        worst[1] += each[1];
      }
    }
    double[] at = {bodies.position(body, 0), bodies.position(body, 1), bodies.position(body, 2)};
    double distance =
        Math.hypot(
            Math.hypot(cell.center[0] - at[0], cell.center[1] - at[1]), cell.center[2] - at[2]);
    if (isRoot || distance <= cell.size / OPTIONS.theta() + cell.offset) {
      return worst;
    }
    double[] sum = new double[4];
    addAll(bodies, at, cell, sum);
    double[] one = new double[4];
    add(one, at, cell.center, cell.mass);
    double error = Math.hypot(Math.hypot(one[0] - sum[0], one[1] - sum[1]), one[2] - sum[2]);
    return new double[] {Math.max(worst[0], error), Math.max(worst[1], Math.abs(one[3] - sum[3]))};
  }

  private static void addAll(Bodies bodies, double[] at, Cell cell, double[] sum) {
    for (int octant = 0; octant < Octree.OCTANTS; octant++) {
      if (cell.cells[octant] != null) {
        addAll(bodies, at, cell.cells[octant], sum);
      } else if (cell.leaves[octant] != null) {
        for (int other : cell.leaves[octant]) {
          double[] place = {
            bodies.position(other, 0), bodies.position(other, 1), bodies.position(other, 2)
          };
          add(sum, at, place, bodies.mass(other));
        }
      }
    }
  }

  private static void add(double[] sum, double[] at, double[] place, double mass) {
    double squares = OPTIONS.softening() * OPTIONS.softening();
    for (int k = 0; k < 3; k++) {
      squares += (place[k] - at[k]) * (place[k] - at[k]);
    }
    for (int k = 0; k < 3; k++) {
      sum[k] += mass * (place[k] - at[k]) / Math.pow(squares, 1.5);
    }
    sum[3] -= mass / Math.sqrt(squares);
  }

  /** Of so many bodies that several threads make the tree. */
  @Test
  void theTreeIsTheSameToTheLastBitWhoeverMakesIt() {
    Bodies bodies = BodyGenerator.parse("plummer:20k").generate();
    Octree alone = HalvedCubes.bySelf(bodies).tree();
    Octree shared = HalvedCubes.of(bodies).tree();
    assertEquals(alone, shared);
    assertArrayEquals(alone.sums(), shared.sums());
    assertEquals(alone.cells(), HalvedCubes.of(bodies).root().cellCount);
    assertEquals(alone.leaves(), HalvedCubes.of(bodies).root().leafCount);
  }
}
