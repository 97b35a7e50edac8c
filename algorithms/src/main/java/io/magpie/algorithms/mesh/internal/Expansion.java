package io.magpie.algorithms.mesh.internal;

import java.util.Arrays;

/**
 * An exact sum of doubles and of products of two doubles. It is exact as long as nothing overflows
 * and no product has bits below 2^-1074.
 *
 * <p>It is kept as nonzero parts that do not overlap, by increasing magnitude. Method: J. R.
 * Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates",
 * Discrete & Computational Geometry 18, 1997, section 2: Grow-Expansion with elimination of zeros.
 */
final class Expansion {
  private double[] parts = new double[16];
  private int size;

  void clear() {
    size = 0;
  }

  /** The largest part, which has the sign of the sum; 0 if that is 0. */
  double leading() {
    return size == 0 ? 0 : parts[size - 1];
  }

  /** The sum, to a few last bits, with its sign. */
  double rounded() {
    double sum = 0;
    for (int i = 0; i < size; i++) {
      sum += parts[i]; // they grow in magnitude, and do not overlap
    }
    return sum;
  }

  void add(double term) {
    if (size == parts.length) {
      parts = Arrays.copyOf(parts, 2 * size);
    }
    double[] all = parts;
    double high = term;
    int kept = 0;
    for (int i = 0; i < size; i++) {
      double part = all[i];
      double sum = high + part;
      double ofPart = sum - high;
      double low = (high - (sum - ofPart)) + (part - ofPart);
      high = sum;
      if (low != 0) {
        all[kept++] = low;
      }
    }
    if (high != 0) {
      all[kept++] = high;
    }
    size = kept;
  }

  /** Adds a * b. */
  void addProduct(double a, double b) {
    double product = a * b;
    double error = Math.fma(a, b, -product);
    if (error != 0) {
      add(error);
    }
    add(product);
  }

  /** Adds a * b. */
  void addProduct(DoubleDouble a, DoubleDouble b) {
    if (a.low() != 0) {
      if (b.low() != 0) {
        addProduct(a.low(), b.low());
      }
      addProduct(a.low(), b.high());
    }
    if (b.low() != 0) {
      addProduct(a.high(), b.low());
    }
    addProduct(a.high(), b.high());
  }

  /** Adds a * b; none of the three may be another. */
  void addProduct(Expansion a, Expansion b) {
    for (int i = 0; i < a.size; i++) {
      for (int j = 0; j < b.size; j++) {
        addProduct(a.parts[i], b.parts[j]);
      }
    }
  }
}
