package io.magpie.algorithms.internal;

/** Turns decimal numbers into doubles where that takes few operations. */
final class Decimals {
  /** All powers of ten that are doubles. */
  private static final double[] POWERS = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22
  };

  /** More than the relative error of the correction, which is a few times 2^-53. */
  private static final double DOUBT = 0x1p-50;

  private Decimals() {}

  /**
   * The double nearest to {@code significand * 10^exponent}, ties to even, or NaN where that is not
   * certain: outside exponents of -22 to 22, and very close to the middle between two doubles.
   *
   * <p>The significand is the sum of two doubles, and its high one is multiplied or divided by the
   * power with a remainder that is exact, so a result and a correction to it of small relative
   * error are at hand. Rounding is monotone: when the correction made a little larger and a little
   * smaller give the same sum, that sum is right.
   *
   * @param significand 0 to 10^18
   */
  static double scaled(long significand, int exponent) {
    double high = significand;
    if (exponent == 0 || significand == 0) {
      return high;
    }
    if (exponent < -22 || exponent > 22) {
      return Double.NaN;
    }
    double low = significand - (long) high;
    double result;
    double correction;
    if (exponent < 0) {
      double power = POWERS[-exponent];
      result = high / power;
      correction = (Math.fma(-result, power, high) + low) / power;
    } else {
      double power = POWERS[exponent];
      result = high * power;
      correction = Math.fma(low, power, Math.fma(high, power, -result));
    }
    double larger = result + correction * (1 + DOUBT);
    double smaller = result + correction * (1 - DOUBT);
    return larger == smaller ? larger : Double.NaN;
  }
}
