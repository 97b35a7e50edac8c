package io.magpie.algorithms.mesh.internal;

/**
 * A number of about 106 bits as the sum of a double and a correction that does not change it when
 * added in doubles.
 *
 * <p>Relative errors, without overflow and underflow and with u = 2^-53: {@link #difference} 0,
 * sums at most 3 u^2 + 13 u^3, products below 7 u^2. Method and bounds: M. Joldes, J.-M. Muller, V.
 * Popescu, "Tight and Rigorous Error Bounds for Basic Building Blocks of Double-Word Arithmetic",
 * ACM Transactions on Mathematical Software 44(2), 2017, algorithms 6 and 11.
 */
record DoubleDouble(double high, double low) {
  /** a - b. */
  static DoubleDouble difference(double a, double b) {
    return sum(a, -b);
  }

  private static DoubleDouble sum(double a, double b) {
    double rounded = a + b;
    double ofB = rounded - a;
    return new DoubleDouble(rounded, (a - (rounded - ofB)) + (b - ofB));
  }

  /** a + b for |a| >= |b| or a = 0. */
  private static DoubleDouble sumOfOrdered(double a, double b) {
    double rounded = a + b;
    return new DoubleDouble(rounded, b - (rounded - a));
  }

  DoubleDouble plus(DoubleDouble other) {
    DoubleDouble highs = sum(high, other.high);
    DoubleDouble lows = sum(low, other.low);
    DoubleDouble middle = sumOfOrdered(highs.high, highs.low + lows.high);
    return sumOfOrdered(middle.high, lows.low + middle.low);
  }

  DoubleDouble minus(DoubleDouble other) {
    return plus(new DoubleDouble(-other.high, -other.low));
  }

  DoubleDouble times(DoubleDouble other) {
    double product = high * other.high;
    double error = Math.fma(high, other.high, -product);
    double mixed = Math.fma(low, other.high, high * other.low);
    return sumOfOrdered(product, error + mixed);
  }
}
