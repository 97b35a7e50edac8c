package io.magpie.spark;

import io.magpie.algorithms.internal.OrderedBits;

/**
 * Weights of all types as whole numbers of 64 bits in the same order, as what partitions send. The
 * key of -0.0 is that of 0.0; only finite numbers have one.
 */
final class Keys {
  private Keys() {}

  static long of(float value) {
    return OrderedBits.of(value);
  }

  static long of(double value) {
    return OrderedBits.of(value);
  }

  /** The key of a weight that a forest has. */
  static long of(Number weight) {
    if (weight instanceof Float value) {
      return of(value.floatValue());
    }
    return weight instanceof Double value ? of(value.doubleValue()) : weight.longValue();
  }

  static float toFloat(long key) {
    return OrderedBits.toFloat((int) key);
  }

  static double toDouble(long key) {
    return OrderedBits.toDouble(key);
  }
}
