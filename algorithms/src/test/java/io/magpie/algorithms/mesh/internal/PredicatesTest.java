package io.magpie.algorithms.mesh.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PredicatesTest {
  @Test
  void signsOfAPlainTriangle() {
    assertTrue(Predicates.orient2d(0, 0, 1, 0, 0, 1) > 0);
    assertTrue(Predicates.orient2d(0, 0, 0, 1, 1, 0) < 0);
    assertTrue(Predicates.inCircle(0, 0, 1, 0, 0, 1, 0.5, 0.5) > 0);
    assertTrue(Predicates.inCircle(0, 0, 1, 0, 0, 1, 1.5, 0.5) < 0);
    assertTrue(Predicates.inCircle(0, 0, 1, 0, 0, 1, 1, 1) == 0);
  }

  /** Neighboring points by a line: plain doubles misjudge most of them. */
  @Test
  void lastPlacesByADiagonal() {
    for (int i = 0; i < 64; i++) {
      for (int j = 0; j < 64; j++) {
        double x = 0.5 + i * 0x1p-53;
        double y = 0.5 + j * 0x1p-53;
        double actual = Predicates.orient2d(x, y, 12, 12, 24, 24);
        assertEquals(Double.compare(y, x), (int) Math.signum(actual), i + ", " + j);
      }
    }
  }

  @Test
  void theRangeIsClosed() {
    for (double v : new double[] {0, -0.0, 1, -0x1p250, 0x1p250, -0x1p-204, 0x1p-204}) {
      assertTrue(Predicates.isExactFor(v));
    }
    for (double v :
        new double[] {Math.nextUp(0x1p250), Math.nextDown(0x1p-204), -1 / 0.0, 0 / 0.0}) {
      assertFalse(Predicates.isExactFor(v));
    }
  }

  @Test
  void coincidentPointsAreOnEveryLineAndCircle() {
    for (double v : new double[] {0, 0.1, 1e16, -0x1p250, 0x1p-204}) {
      assertTrue(Predicates.orient2d(v, 3, v, 3, 0.7, 0.3) == 0);
      assertTrue(Predicates.orient2d(v, 3, 0.7, 0.3, v, 3) == 0);
      assertTrue(Predicates.inCircle(v, 3, 0.7, 0.3, 0.2, 0.9, v, 3) == 0);
      assertTrue(Predicates.inCircle(0.7, 0.3, 0.2, 0.9, v, 3, v, 3) == 0);
      assertTrue(Predicates.inCircle(v, 3, v, 3, 0.2, 0.9, 0.7, 0.3) == 0);
    }
  }

  /** A rectangle's corners are cocircular whatever its coordinates; the least change is seen. */
  @Test
  void rectanglesAndWhatDiffersFromThemInOnePlace() {
    double x0 = 0.1;
    double y0 = 0.3;
    double x1 = 12.7;
    double y1 = 1e7 / 3;
    assertTrue(Predicates.inCircle(x0, y0, x1, y0, x1, y1, x0, y1) == 0);
    assertTrue(Predicates.inCircle(x0, y0, x1, y0, x1, y1, Math.nextUp(x0), y1) > 0);
    assertTrue(Predicates.inCircle(x0, y0, x1, y0, x1, y1, Math.nextDown(x0), y1) < 0);
    assertTrue(Predicates.inCircle(x0, y0, x1, y0, x1, y1, x0, Math.nextUp(y1)) < 0);
    assertTrue(Predicates.inCircle(x0, y0, x1, y0, x1, y1, x0, Math.nextDown(y1)) > 0);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0x1p251, 1e100, 1e300, Double.MAX_VALUE, 1 / 0.0, Double.NaN})
  void beyondTheRangeASignIsRightOrThereIsNone(double large) {
    assertEquals(Double.NaN, Predicates.orient2d(0.1, 0.1, large, large, -large, -large));
    assertEquals(
        Double.NaN,
        Predicates.inCircle(-large, -large, large, -large, large, large, -large, large));
    assertFalse(Predicates.orient2d(0, 0, large, 0, 0, large) <= 0);
    assertFalse(Predicates.inCircle(-large, 0, large, 0, 0, large, 0, 0) <= 0);
    assertFalse(Predicates.inCircle(-large, 0, 0, 0, 0, large, large, 0) >= 0);
  }

  @Test
  void largerCoordinatesStillHaveClearSigns() {
    assertTrue(Predicates.orient2d(0, 0, 1e100, 0, 0, 1e100) > 0);
  }
}
