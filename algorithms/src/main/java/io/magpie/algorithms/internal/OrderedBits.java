package io.magpie.algorithms.internal;

/** Numbers of floating point as integers of the same order: signed, of as many bits, and back. */
public final class OrderedBits {
  private OrderedBits() {}

  /** The place of a finite number among all; that of -0.0 is that of 0.0. */
  public static int of(float value) {
    int bits = Float.floatToRawIntBits(value + 0.0f);
    return bits ^ (bits >> 31 & Integer.MAX_VALUE);
  }

  /** The place of a finite number among all; that of -0.0 is that of 0.0. */
  public static long of(double value) {
    long bits = Double.doubleToRawLongBits(value + 0.0);
    return bits ^ (bits >> 63 & Long.MAX_VALUE);
  }

  /** The number of a place. */
  public static float toFloat(int place) {
    return Float.intBitsToFloat(place ^ (place >> 31 & Integer.MAX_VALUE));
  }

  /** The number of a place. */
  public static double toDouble(long place) {
    return Double.longBitsToDouble(place ^ (place >> 63 & Long.MAX_VALUE));
  }
}
