package io.magpie.algorithms.mesh.internal;

/**
 * The two geometric predicates of Delaunay triangulations, and one of order along a line, with
 * exact signs.
 *
 * <p>The sign of a result is that of the exact determinant of the given doubles; its size is a
 * rough one, and 0 only where the determinant is. The sign is exact if every coordinate is 0 or of
 * magnitude 2^-204 to 2^250, about 4e-62 to 1.8e75. Larger coordinates, infinities and NaN give the
 * right sign or NaN; smaller ones can give a wrong sign.
 *
 * <p>The determinant is first computed in doubles and taken if it exceeds the bound on its error;
 * that of {@link #inCircle} then once more in pairs of doubles, which decides all but true ties and
 * what differs from one in the last of some hundred bits; otherwise it is computed exactly. Method
 * and first bounds: J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust
 * Geometric Predicates", Discrete & Computational Geometry 18, 1997, section 4.
 */
public final class Predicates {
  private static final double EPSILON = 0x1p-53;
  private static final double ORIENT2D_BOUND = (3 + 16 * EPSILON) * EPSILON;
  private static final double IN_CIRCLE_BOUND = (10 + 96 * EPSILON) * EPSILON;

  /**
   * For pairs of doubles: by the bounds of {@link DoubleDouble} the error is below 33 * 2^-106 of
   * the products' magnitudes, plus terms of higher order.
   */
  private static final double PAIRS_BOUND = 0x1p-100;

  /** The largest magnitude of a coordinate. */
  private static final double LARGEST = 0x1p250;

  /** The least magnitude of a coordinate other than 0. */
  private static final double LEAST = 0x1p-204;

  private Predicates() {}

  /** Whether signs are exact for points with such a coordinate. */
  public static boolean isExactFor(double coordinate) {
    double magnitude = Math.abs(coordinate);
    return magnitude <= LARGEST && (magnitude >= LEAST || magnitude == 0);
  }

  /**
   * Which way the points a, b, c turn: positive if counter-clockwise, negative if clockwise, 0 if
   * they lie on one line.
   */
  public static double orient2d(double ax, double ay, double bx, double by, double cx, double cy) {
    double left = (ax - cx) * (by - cy);
    double right = (ay - cy) * (bx - cx);
    double determinant = left - right;
    return sure(determinant, ORIENT2D_BOUND, Math.abs(left) + Math.abs(right))
        ? determinant
        : exactOrient2d(ax, ay, bx, by, cx, cy);
  }

  /**
   * Where d lies with respect to the circle through the counter-clockwise triangle a, b, c:
   * positive if inside, negative if outside, 0 if on it; the opposite for a clockwise one.
   */
  public static double inCircle(
      double ax, double ay, double bx, double by, double cx, double cy, double dx, double dy) {
    double adx = ax - dx;
    double ady = ay - dy;
    double bdx = bx - dx;
    double bdy = by - dy;
    double cdx = cx - dx;
    double cdy = cy - dy;
    double bc = bdx * cdy;
    double cb = bdy * cdx;
    double ca = cdx * ady;
    double ac = cdy * adx;
    double ab = adx * bdy;
    double ba = ady * bdx;
    double aLift = adx * adx + ady * ady;
    double bLift = bdx * bdx + bdy * bdy;
    double cLift = cdx * cdx + cdy * cdy;
    double determinant = aLift * (bc - cb) + bLift * (ca - ac) + cLift * (ab - ba);
    double magnitude =
        aLift * (Math.abs(bc) + Math.abs(cb))
            + bLift * (Math.abs(ca) + Math.abs(ac))
            + cLift * (Math.abs(ab) + Math.abs(ba));
    return sure(determinant, IN_CIRCLE_BOUND, magnitude)
        ? determinant
        : inCircleByPairs(magnitude, ax, ay, bx, by, cx, cy, dx, dy);
  }

  /**
   * The scalar product of the ways from a to b and from c to d: positive if the first leads forward
   * along the second, negative if backward, 0 if across.
   */
  public static double scalarProduct(
      double ax, double ay, double bx, double by, double cx, double cy, double dx, double dy) {
    double ofX = (bx - ax) * (dx - cx);
    double ofY = (by - ay) * (dy - cy);
    double sum = ofX + ofY;
    // The operations, and so the bound on their error, are those of orient2d.
    return sure(sum, ORIENT2D_BOUND, Math.abs(ofX) + Math.abs(ofY))
        ? sum
        : exactScalarProduct(ax, ay, bx, by, cx, cy, dx, dy);
  }

  private static double exactScalarProduct(
      double ax, double ay, double bx, double by, double cx, double cy, double dx, double dy) {
    if (!(inRange(ax, ay) && inRange(bx, by) && inRange(cx, cy) && inRange(dx, dy))) {
      return Double.NaN;
    }
    Expansion sum = new Expansion();
    sum.addProduct(DoubleDouble.difference(bx, ax), DoubleDouble.difference(dx, cx));
    sum.addProduct(DoubleDouble.difference(by, ay), DoubleDouble.difference(dy, cy));
    return sum.leading();
  }

  /**
   * Whether the sign of an approximate determinant is sure. It is not where the magnitude of its
   * products is infinite or NaN; where that is 0, all products are.
   */
  private static boolean sure(double determinant, double bound, double magnitude) {
    return Math.abs(determinant) > bound * magnitude || magnitude == 0;
  }

  private static double inCircleByPairs(
      double magnitude,
      double ax,
      double ay,
      double bx,
      double by,
      double cx,
      double cy,
      double dx,
      double dy) {
    DoubleDouble adx = DoubleDouble.difference(ax, dx);
    DoubleDouble ady = DoubleDouble.difference(ay, dy);
    DoubleDouble bdx = DoubleDouble.difference(bx, dx);
    DoubleDouble bdy = DoubleDouble.difference(by, dy);
    DoubleDouble cdx = DoubleDouble.difference(cx, dx);
    DoubleDouble cdy = DoubleDouble.difference(cy, dy);
    double determinant =
        inCircleTerm(adx, ady, bdx, bdy, cdx, cdy)
            .plus(inCircleTerm(bdx, bdy, cdx, cdy, adx, ady))
            .plus(inCircleTerm(cdx, cdy, adx, ady, bdx, bdy))
            .high();
    return sure(determinant, PAIRS_BOUND, magnitude)
        ? determinant
        : exactInCircle(ax, ay, bx, by, cx, cy, dx, dy);
  }

  /** (x^2 + y^2) (ux vy - uy vx). */
  private static DoubleDouble inCircleTerm(
      DoubleDouble x,
      DoubleDouble y,
      DoubleDouble ux,
      DoubleDouble uy,
      DoubleDouble vx,
      DoubleDouble vy) {
    DoubleDouble lift = x.times(x).plus(y.times(y));
    return lift.times(ux.times(vy).minus(uy.times(vx)));
  }

  /** {@link #orient2d} without the approximation: also the size is right to a few last bits. */
  public static double exactOrient2d(
      double ax, double ay, double bx, double by, double cx, double cy) {
    if (!(inRange(ax, ay) && inRange(bx, by) && inRange(cx, cy))) {
      return Double.NaN;
    }
    Expansion sum = new Expansion();
    sum.addProduct(DoubleDouble.difference(ax, cx), DoubleDouble.difference(by, cy));
    sum.addProduct(DoubleDouble.difference(cy, ay), DoubleDouble.difference(bx, cx));
    return sum.rounded();
  }

  /** {@link #inCircle} without the approximations. */
  static double exactInCircle(
      double ax, double ay, double bx, double by, double cx, double cy, double dx, double dy) {
    if (!(inRange(ax, ay) && inRange(bx, by) && inRange(cx, cy) && inRange(dx, dy))) {
      return Double.NaN;
    }
    double[] x = {ax, bx, cx};
    double[] y = {ay, by, cy};
    Expansion sum = new Expansion();
    Expansion lift = new Expansion();
    Expansion cross = new Expansion();
    for (int i = 0; i < 3; i++) {
      int j = (i + 1) % 3;
      int k = (i + 2) % 3;
      DoubleDouble fromX = DoubleDouble.difference(x[i], dx);
      DoubleDouble fromY = DoubleDouble.difference(y[i], dy);
      lift.clear();
      lift.addProduct(fromX, fromX);
      lift.addProduct(fromY, fromY);
      cross.clear();
      cross.addProduct(DoubleDouble.difference(x[j], dx), DoubleDouble.difference(y[k], dy));
      cross.addProduct(DoubleDouble.difference(dy, y[j]), DoubleDouble.difference(x[k], dx));
      sum.addProduct(lift, cross);
    }
    return sum.leading();
  }

  /** False for NaN too. */
  private static boolean inRange(double x, double y) {
    return Math.abs(x) <= LARGEST && Math.abs(y) <= LARGEST;
  }
}
