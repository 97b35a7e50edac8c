package io.magpie.examples.benchmarks;

import java.util.SplittableRandom;

/**
 * Ranks 1 to n, of which rank k is drawn with a probability in proportion to k^-s: with s = 0 all
 * alike, and the larger s, the more often the first ones.
 *
 * <p>Drawn exactly, without a table, by rejection-inversion (Hörmann and Derflinger: Rejection-
 * inversion to generate variates from monotone discrete distributions, TOMACS 6(3), 1996): a point
 * under the curve x^-s, rounded to the next rank, which is kept if the point lies in the part that
 * is the rank's. Takes about one draw.
 */
final class Zipf {
  private final int n;
  private final double s;
  private final double first;
  private final double last;
  private final double sure;

  /**
   * @param n ranks, at least 1
   * @param s from 0 to below 1
   */
  Zipf(int n, double s) {
    if (n < 1 || !(s >= 0 && s < 1)) {
      throw new IllegalArgumentException(
          "expected at least 1 rank and s from 0 to below 1, got " + n + " and " + s);
    }
    this.n = n;
    this.s = s;
    first = area(1.5) - 1;
    last = area(n + 0.5);
    sure = 2 - inverse(area(2.5) - height(2));
  }

  /** The integral of {@link #height} from 1. */
  private double area(double x) {
    return (Math.pow(x, 1 - s) - 1) / (1 - s);
  }

  private double inverse(double area) {
    return Math.pow(1 + (1 - s) * area, 1 / (1 - s));
  }

  private double height(double x) {
    return Math.pow(x, -s);
  }

  /** A rank. */
  int next(SplittableRandom random) {
    while (true) {
      double area = last + random.nextDouble() * (first - last);
      double x = inverse(area);
      int rank = (int) Math.max(1, Math.min(n, Math.round(x)));
      if (rank - x <= sure || area >= area(rank + 0.5) - height(rank)) {
        return rank;
      }
    }
  }
}
