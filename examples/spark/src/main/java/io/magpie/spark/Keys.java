package io.magpie.spark;

/**
 * Weights of all types as whole numbers of 64 bits in the same order, as what partitions send. The
 * key of -0.0 is that of 0.0; only finite numbers have one.
 */
final class Keys {
  private Keys() {}

  static long of(float value) {
    int bits = Float.floatToRawIntBits(value + 0.0f);
    return bits ^ (bits >> 31 & Integer.MAX_VALUE);
  }

  static long of(double value) {
    long bits = Double.doubleToRawLongBits(value + 0.0);
    return bits ^ (bits >> 63 & Long.MAX_VALUE);
  }

  /** The key of a weight that a forest has. */
  static long of(Number weight) {
    if (weight instanceof Float value) {
      return of(value.floatValue());
    }
    return weight instanceof Double value ? of(value.doubleValue()) : weight.longValue();
  }

  static float toFloat(long key) {
    int place = (int) key;
    return Float.intBitsToFloat(place ^ (place >> 31 & Integer.MAX_VALUE));
  }

  static double toDouble(long key) {
    return Double.longBitsToDouble(key ^ (key >> 63 & Long.MAX_VALUE));
  }
}
