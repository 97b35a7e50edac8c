package io.magpie.algorithms.mesh;

import java.math.BigDecimal;

/** Signs by decimal arithmetic of unlimited precision: slow, and shares nothing with predicates. */
public final class ExactGeometry {
  private ExactGeometry() {}

  private static BigDecimal difference(double a, double b) {
    return new BigDecimal(a).subtract(new BigDecimal(b));
  }

  /** Twice the signed area of a triangle. */
  public static BigDecimal area(double[] xy, int a, int b, int c) {
    return difference(xy[2 * a], xy[2 * c])
        .multiply(difference(xy[2 * b + 1], xy[2 * c + 1]))
        .subtract(
            difference(xy[2 * a + 1], xy[2 * c + 1]).multiply(difference(xy[2 * b], xy[2 * c])));
  }

  /** 1 where a, b, c turn left, -1 right, 0 on a line. */
  public static int orientation(double[] xy, int a, int b, int c) {
    return area(xy, a, b, c).signum();
  }

  /** 1 where d is strictly inside the circle of the counter-clockwise triangle a b c, 0 on it. */
  public static int inCircle(double[] xy, int a, int b, int c, int d) {
    int[] corners = {a, b, c};
    BigDecimal[] x = new BigDecimal[3];
    BigDecimal[] y = new BigDecimal[3];
    for (int i = 0; i < 3; i++) {
      x[i] = difference(xy[2 * corners[i]], xy[2 * d]);
      y[i] = difference(xy[2 * corners[i] + 1], xy[2 * d + 1]);
    }
    BigDecimal sum = BigDecimal.ZERO;
    for (int i = 0; i < 3; i++) {
      int j = (i + 1) % 3;
      int k = (i + 2) % 3;
      BigDecimal lift = x[i].multiply(x[i]).add(y[i].multiply(y[i]));
      sum = sum.add(lift.multiply(x[j].multiply(y[k]).subtract(y[j].multiply(x[k]))));
    }
    return sum.signum();
  }

  /** Whether p lies on the segment from a to b, ends excluded. */
  public static boolean inside(double[] xy, int a, int b, int p) {
    if (orientation(xy, a, b, p) != 0) {
      return false;
    }
    int axis = xy[2 * a] == xy[2 * b] ? 1 : 0;
    double low = Math.min(xy[2 * a + axis], xy[2 * b + axis]);
    double high = Math.max(xy[2 * a + axis], xy[2 * b + axis]);
    return low < xy[2 * p + axis] && xy[2 * p + axis] < high;
  }

  /** Whether two segments have one common point, inside both. */
  public static boolean cross(double[] xy, int a, int b, int c, int d) {
    return orientation(xy, a, b, c) * orientation(xy, a, b, d) < 0
        && orientation(xy, c, d, a) * orientation(xy, c, d, b) < 0;
  }
}
