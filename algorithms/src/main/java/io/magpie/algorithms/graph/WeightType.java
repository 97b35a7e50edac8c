package io.magpie.algorithms.graph;

import java.util.Locale;

/**
 * What the weights of a graph's arcs are. Every finite value of the type may be a weight, negative
 * ones included. There is no NaN, for it has no place in an order, and there are no infinities, for
 * sums with one are of no use: an edge that must not be chosen is left out of the graph. -0.0 is
 * 0.0.
 */
public enum WeightType {
  /** Whole numbers of 32 bits. */
  INT,
  /** Whole numbers of 64 bits. */
  LONG,
  /** Binary floating point of 32 bits. */
  FLOAT,
  /** Binary floating point of 64 bits. */
  DOUBLE;

  /** Whether weights may have fractions. */
  public boolean isFloating() {
    return this == FLOAT || this == DOUBLE;
  }

  /** Whether a weight has 64 bits, not 32. */
  boolean isWide() {
    return this == LONG || this == DOUBLE;
  }

  /** The name in lower case, as in Java's {@code int}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
