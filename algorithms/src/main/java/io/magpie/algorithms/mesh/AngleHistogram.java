package io.magpie.algorithms.mesh;

import io.magpie.algorithms.internal.Parallel;
import java.util.Arrays;
import java.util.Locale;

/**
 * The angles of a mesh, in degrees: the extremes, and how many lie in each bin of {@value
 * #BIN_DEGREES} degrees, of all angles and of the smallest of each triangle.
 *
 * <p>A bin holds the angles from its lower bound to just below its upper one; double arithmetic, so
 * an angle within rounding of a bound may be counted on either side. A triangle without area has an
 * angle of 0. O(triangles) time in parallel.
 *
 * <p>Counts what is added to it; not for several threads at once.
 */
public final class AngleHistogram {
  /** The width of a bin. */
  public static final int BIN_DEGREES = 5;

  private static final int BINS = 180 / BIN_DEGREES;
  private static final int SMALLEST_BINS = 60 / BIN_DEGREES;
  private static final int LONGEST_BAR = 40;

  /** Minus the cotangents of the inner bounds of bins, which ascend. */
  private static final double[] BOUNDS = new double[BINS - 1];

  static {
    for (int i = 0; i < BOUNDS.length; i++) {
      double angle = Math.toRadians((i + 1) * BIN_DEGREES);
      BOUNDS[i] = -Math.cos(angle) / Math.sin(angle);
    }
  }

  private final long[] all = new long[BINS];
  private final long[] smallest = new long[SMALLEST_BINS];
  private long triangles;

  // The extremes as minus a cotangent, which ascends with the angle.
  private double least = Double.POSITIVE_INFINITY;
  private double greatest = Double.NEGATIVE_INFINITY;
  private int leastTriangle = -1;
  private int greatestTriangle = -1;

  /** Without any triangle. */
  public AngleHistogram() {}

  /** The angles of a mesh. */
  public static AngleHistogram of(Mesh mesh) {
    AngleHistogram angles = new AngleHistogram();
    Parallel.map(
            mesh.triangles(),
            (from, to) -> {
              AngleHistogram piece = new AngleHistogram();
              for (int t = from; t < to; t++) {
                int a = mesh.corner(t, 0);
                int b = mesh.corner(t, 1);
                int c = mesh.corner(t, 2);
                piece.add(t, mesh.x(a), mesh.y(a), mesh.x(b), mesh.y(b), mesh.x(c), mesh.y(c));
              }
              return piece;
            })
        .forEach(angles::append);
    return angles;
  }

  /**
   * Counts the angles of a triangle.
   *
   * @param triangle its number, for {@link #smallestAt} and {@link #largestAt}
   */
  public void add(int triangle, double ax, double ay, double bx, double by, double cx, double cy) {
    double ux = cx - bx;
    double uy = cy - by;
    double vx = ax - cx;
    double vy = ay - cy;
    double wx = bx - ax;
    double wy = by - ay;
    double cross = Math.abs(wx * vy - wy * vx);
    double a = slope(vx * wx + vy * wy, cross);
    double b = slope(wx * ux + wy * uy, cross);
    double c = slope(ux * vx + uy * vy, cross);
    double sharpest = Math.min(a, Math.min(b, c));
    double bluntest = Math.max(a, Math.max(b, c));
    triangles++;
    all[bin(a)]++;
    all[bin(b)]++;
    all[bin(c)]++;
    smallest[Math.min(bin(sharpest), SMALLEST_BINS - 1)]++;
    if (sharpest < least) {
      least = sharpest;
      leastTriangle = triangle;
    }
    if (bluntest > greatest) {
      greatest = bluntest;
      greatestTriangle = triangle;
    }
  }

  /** Minus the cotangent of an angle whose edges, one reversed, have these products. */
  private static double slope(double reversedDot, double cross) {
    return cross == 0 && reversedDot == 0 ? Double.NEGATIVE_INFINITY : reversedDot / cross;
  }

  private static int bin(double slope) {
    int found = Arrays.binarySearch(BOUNDS, slope);
    return found >= 0 ? found + 1 : -found - 1;
  }

  /** Adds the counts of other triangles, which come after those counted so far. */
  public void append(AngleHistogram later) {
    triangles += later.triangles;
    for (int i = 0; i < BINS; i++) {
      all[i] += later.all[i];
    }
    for (int i = 0; i < SMALLEST_BINS; i++) {
      smallest[i] += later.smallest[i];
    }
    if (later.least < least) {
      least = later.least;
      leastTriangle = later.leastTriangle;
    }
    if (later.greatest > greatest) {
      greatest = later.greatest;
      greatestTriangle = later.greatestTriangle;
    }
  }

  /** The number of triangles counted. */
  public long triangles() {
    return triangles;
  }

  /** The smallest angle in degrees; NaN if there is no triangle. */
  public double smallest() {
    return degrees(least);
  }

  /** The first triangle with the smallest angle; -1 if there is no triangle. */
  public int smallestAt() {
    return leastTriangle;
  }

  /** The largest angle in degrees; NaN if there is no triangle. */
  public double largest() {
    return degrees(greatest);
  }

  /** The first triangle with the largest angle; -1 if there is no triangle. */
  public int largestAt() {
    return greatestTriangle;
  }

  private double degrees(double slope) {
    return triangles == 0 ? Double.NaN : Math.toDegrees(Math.PI / 2 + Math.atan(slope));
  }

  /** How many angles lie in each bin; 36 numbers, whose sum is three times that of triangles. */
  public long[] allAngles() {
    return all.clone();
  }

  /** How many triangles have their smallest angle in each bin; 12 numbers. Of 60: the last bin. */
  public long[] smallestAngles() {
    return smallest.clone();
  }

  /** A table with a bar for each bin of the smallest angles. */
  @Override
  public String toString() {
    if (triangles == 0) {
      return "no triangles\n";
    }
    StringBuilder text =
        new StringBuilder(
            String.format(
                Locale.ROOT,
                "%,d triangles, angles from %.4f (triangle %d) to %.4f degrees (triangle %d)%n",
                triangles,
                smallest(),
                leastTriangle,
                largest(),
                greatestTriangle));
    text.append(String.format("%9s %14s %14s%n", "degrees", "all angles", "smallest"));
    long most = Arrays.stream(smallest).max().orElseThrow();
    for (int i = 0; i < BINS; i++) {
      text.append(
          String.format(
              Locale.ROOT, "%3d - %3d %,14d", i * BIN_DEGREES, (i + 1) * BIN_DEGREES, all[i]));
      if (i < SMALLEST_BINS) {
        int bar = (int) Math.ceil((double) LONGEST_BAR * smallest[i] / most);
        text.append(
            String.format(Locale.ROOT, " %,14d %s", smallest[i], "#".repeat(bar)).stripTrailing());
      }
      text.append(System.lineSeparator());
    }
    return text.toString();
  }
}
