package io.magpie.algorithms.mesh.internal;

import java.math.BigDecimal;

/**
 * Decides whether a triangle keeps a bound on its smallest angle and on its area.
 *
 * <p>An angle is below the bound if its squared sine is smaller than that of the bound, as computed
 * in double arithmetic, by more than a part of {@value #TIE}: at 30 degrees 3e-9 degrees. So angles
 * that are the bound but for the rounding of coordinates meet it, as in lattices, where the
 * triangles that were made instead would have the same angles, over and over. Given that number the
 * decision is exact: what doubles cannot decide within {@value #BAND} is decided by exact
 * arithmetic. Differences of coordinates may be zero or have any size from 1e-300 to 1e300, from
 * 1e-150 where there is a bound on areas.
 */
public final class QualityBound {
  private static final double BAND = 1e-12;

  /** By which part of its squared sine an angle that is the bound may be smaller. */
  public static final double TIE = 2e-10;

  /** Components within this range have products of four that neither overflow nor vanish. */
  private static final double LARGE = 0x1p200;

  private final double squaredCosine;
  private final double maximumArea;

  /**
   * @param minimumAngle in degrees, 0 to 60; 0 for none
   * @param maximumArea 0 for none
   */
  public QualityBound(double minimumAngle, double maximumArea) {
    double cosine = Math.cos(Math.toRadians(minimumAngle));
    double sine = Math.sin(Math.toRadians(minimumAngle));
    this.squaredCosine = cosine * cosine + TIE * sine * sine;
    this.maximumArea = maximumArea;
  }

  /** Whether an angle of the triangle is below the bound. */
  public boolean tooSharp(double ax, double ay, double bx, double by, double cx, double cy) {
    double size =
        Math.max(
            Math.max(Math.abs(bx - ax), Math.abs(by - ay)),
            Math.max(Math.abs(cx - ax), Math.abs(cy - ay)));
    double scale = size > LARGE || size < 1 / LARGE ? Math.scalb(1.0, -Math.getExponent(size)) : 1;
    double ux = (cx - bx) * scale;
    double uy = (cy - by) * scale;
    double vx = (ax - cx) * scale;
    double vy = (ay - cy) * scale;
    double wx = (bx - ax) * scale;
    double wy = (by - ay) * scale;
    double u = ux * ux + uy * uy;
    double v = vx * vx + vy * vy;
    double w = wx * wx + wy * wy;
    // The smallest angle is opposite the shortest edge.
    double dot;
    double lengths;
    if (u <= v && u <= w) {
      dot = vx * wx + vy * wy;
      lengths = v * w;
    } else if (v <= w) {
      dot = wx * ux + wy * uy;
      lengths = w * u;
    } else {
      dot = ux * vx + uy * vy;
      lengths = u * v;
    }
    double may = squaredCosine * lengths;
    double excess = dot * dot - may;
    return Math.abs(excess) > BAND * may
        ? excess > 0
        : exactlyTooSharp(exact(ax), exact(ay), exact(bx), exact(by), exact(cx), exact(cy));
  }

  private boolean exactlyTooSharp(
      BigDecimal ax, BigDecimal ay, BigDecimal bx, BigDecimal by, BigDecimal cx, BigDecimal cy) {
    BigDecimal[] u = {cx.subtract(bx), ax.subtract(cx), bx.subtract(ax)};
    BigDecimal[] v = {cy.subtract(by), ay.subtract(cy), by.subtract(ay)};
    BigDecimal bound = exact(squaredCosine);
    for (int k = 0; k < 3; k++) {
      int next = (k + 1) % 3;
      int last = (k + 2) % 3;
      BigDecimal dot = u[next].multiply(u[last]).add(v[next].multiply(v[last])).negate();
      BigDecimal lengths =
          u[next].pow(2).add(v[next].pow(2)).multiply(u[last].pow(2).add(v[last].pow(2)));
      if (dot.signum() > 0 && dot.pow(2).compareTo(bound.multiply(lengths)) > 0) {
        return true;
      }
    }
    return false;
  }

  /** Whether the area of the counter-clockwise triangle is above the bound. */
  public boolean tooLarge(double ax, double ay, double bx, double by, double cx, double cy) {
    return tooLarge(Double.POSITIVE_INFINITY, ax, ay, bx, by, cx, cy);
  }

  /** Whether it is above the bound or one of the triangle's own, positive infinity for none. */
  public boolean tooLarge(
      double ownMaximum, double ax, double ay, double bx, double by, double cx, double cy) {
    double maximum = maximumArea == 0 ? ownMaximum : Math.min(ownMaximum, maximumArea);
    if (maximum == Double.POSITIVE_INFINITY) {
      return false;
    }
    double left = (bx - ax) * (cy - ay);
    double right = (by - ay) * (cx - ax);
    double excess = left - right - 2 * maximum;
    if (Math.abs(excess) > BAND * (Math.abs(left) + Math.abs(right) + maximum)) {
      return excess > 0;
    }
    BigDecimal x = exact(ax);
    BigDecimal y = exact(ay);
    BigDecimal twice =
        exact(bx)
            .subtract(x)
            .multiply(exact(cy).subtract(y))
            .subtract(exact(by).subtract(y).multiply(exact(cx).subtract(x)));
    return twice.compareTo(exact(2 * maximum)) > 0;
  }

  private static BigDecimal exact(double value) {
    return new BigDecimal(value);
  }
}
