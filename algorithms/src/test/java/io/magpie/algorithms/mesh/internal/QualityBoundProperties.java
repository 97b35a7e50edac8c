package io.magpie.algorithms.mesh.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Scale;

/** The bounds hold to the last bit: compared with exact rational arithmetic. */
class QualityBoundProperties {
  private static BigDecimal exact(double value) {
    return new BigDecimal(value);
  }

  /** Whether the angle at a is below the bound, by exact arithmetic. */
  private static boolean below(
      double degrees, double ax, double ay, double bx, double by, double cx, double cy) {
    double cosine = Math.cos(Math.toRadians(degrees));
    double sine = Math.sin(Math.toRadians(degrees));
    double bound = cosine * cosine + 2e-10 * sine * sine;
    BigDecimal ux = exact(bx).subtract(exact(ax));
    BigDecimal uy = exact(by).subtract(exact(ay));
    BigDecimal vx = exact(cx).subtract(exact(ax));
    BigDecimal vy = exact(cy).subtract(exact(ay));
    BigDecimal dot = ux.multiply(vx).add(uy.multiply(vy));
    BigDecimal lengths = ux.pow(2).add(uy.pow(2)).multiply(vx.pow(2).add(vy.pow(2)));
    return dot.signum() > 0 && dot.pow(2).compareTo(exact(bound).multiply(lengths)) > 0;
  }

  private static boolean sharp(
      double degrees, double ax, double ay, double bx, double by, double cx, double cy) {
    return below(degrees, ax, ay, bx, by, cx, cy)
        || below(degrees, bx, by, cx, cy, ax, ay)
        || below(degrees, cx, cy, ax, ay, bx, by);
  }

  @Property
  void agreesWithExactArithmetic(
      @ForAll @DoubleRange(min = 0, max = 60) @Scale(15) double degrees,
      @ForAll @DoubleRange(min = -1e16, max = 1e16) @Scale(15) double ax,
      @ForAll @DoubleRange(min = -1e16, max = 1e16) @Scale(15) double ay,
      @ForAll @DoubleRange(min = -1e16, max = 1e16) @Scale(15) double bx,
      @ForAll @DoubleRange(min = -1e16, max = 1e16) @Scale(15) double by,
      @ForAll @DoubleRange(min = -1e16, max = 1e16) @Scale(15) double cx,
      @ForAll @DoubleRange(min = -1e16, max = 1e16) @Scale(15) double cy) {
    assertEquals(
        sharp(degrees, ax, ay, bx, by, cx, cy),
        new QualityBound(degrees, 0).tooSharp(ax, ay, bx, by, cx, cy));
  }

  /** A triangle within rounding of what still passes, of any size: which side it is on is exact. */
  @Property
  void isExactAtTheBound(
      @ForAll @DoubleRange(min = 5, max = 59) @Scale(15) double degrees,
      @ForAll @DoubleRange(min = 0.3, max = 0.999) @Scale(15) double ratio,
      @ForAll @DoubleRange(min = 0, max = 360) @Scale(15) double direction,
      @ForAll @IntRange(min = -180, max = 180) int exponent,
      @ForAll @IntRange(min = -3, max = 3) int ulps) {
    double scale = Math.scalb(1.0, exponent);
    double bx = scale * Math.cos(Math.toRadians(direction));
    double by = scale * Math.sin(Math.toRadians(direction));
    double passing =
        direction + degrees - Math.toDegrees(1e-10 * Math.tan(Math.toRadians(degrees)));
    double cx = scale * ratio * Math.cos(Math.toRadians(passing));
    double cy = scale * ratio * Math.sin(Math.toRadians(passing));
    double moved = cy + ulps * Math.ulp(cy);
    assertEquals(
        sharp(degrees, 0, 0, bx, by, cx, moved),
        new QualityBound(degrees, 0).tooSharp(0, 0, bx, by, cx, moved));
  }

  @Property
  void doesNotDependOnTheOrderOfCorners(
      @ForAll @DoubleRange(min = -1, max = 1) @Scale(15) double x,
      @ForAll @DoubleRange(min = -1, max = 1) @Scale(15) double y) {
    QualityBound bound = new QualityBound(30, 0.25);
    boolean sharp = bound.tooSharp(0, 0, 1, 0, x, y);
    assertEquals(sharp, bound.tooSharp(1, 0, x, y, 0, 0));
    assertEquals(sharp, bound.tooSharp(x, y, 0, 0, 1, 0));
    assertEquals(sharp, bound.tooSharp(1, 0, 0, 0, x, y));
  }

  @Property
  void areasAreExact(
      @ForAll @DoubleRange(min = 0.1, max = 10) @Scale(15) double x,
      @ForAll @DoubleRange(min = 0.1, max = 10) @Scale(15) double y,
      @ForAll @IntRange(min = -3, max = 3) int ulps) {
    // The triangle has an area of x y / 2 but for rounding of the bound.
    double bound = x * y / 2 + ulps * Math.ulp(x * y / 2);
    boolean larger = exact(x).multiply(exact(y)).compareTo(exact(2 * bound)) > 0;
    assertEquals(larger, new QualityBound(0, bound).tooLarge(0, 0, x, 0, 0, y));
  }

  @Example
  void acceptsAnAngleThatEqualsTheBound() {
    assertFalse(new QualityBound(45, 0).tooSharp(0, 0, 3, 0, 0, 3));
    // At 45 degrees by 1e-10 in radians, 5.7e-9 degrees.
    assertFalse(new QualityBound(45 + 5.6e-9, 0).tooSharp(0, 0, 3, 0, 0, 3));
    assertTrue(new QualityBound(45 + 5.8e-9, 0).tooSharp(0, 0, 3, 0, 0, 3));
    assertFalse(new QualityBound(0, 0.5).tooLarge(0, 0, 1, 0, 0, 1));
    assertTrue(new QualityBound(0, Math.nextDown(0.5)).tooLarge(0, 0, 1, 0, 0, 1));
  }

  @Example
  void hasNoBoundsAtZero() {
    QualityBound none = new QualityBound(0, 0);
    assertFalse(none.tooSharp(0, 0, 1e16, 0, 1e16, 1));
    assertFalse(none.tooLarge(0, 0, 1e16, 0, 0, 1e16));
  }
}
