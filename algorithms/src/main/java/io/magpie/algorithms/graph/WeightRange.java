package io.magpie.algorithms.graph;

import io.magpie.algorithms.internal.OrderedBits;
import io.magpie.algorithms.internal.SeededHash;
import java.util.Locale;
import java.util.Objects;

/**
 * Weights to be drawn uniformly: whole numbers of a range, or floating-point numbers of an
 * interval, which are least + u (largest - least) with u drawn from 0 to 1 - 2^-53 in steps of
 * 2^-53, rounded. In texts such as {@code long:-5..5000000000} and {@code double:0..1}.
 *
 * @param type the type of the weights
 * @param least the least weight, an Integer, Long, Float or Double as the type says; the
 *     constructor takes any of the four whose number the type holds
 * @param largest the largest weight, the same, no less than {@code least}
 */
public record WeightRange(WeightType type, Number least, Number largest) {
  /**
   * Checks the ends, and makes them numbers of the type.
   *
   * @throws IllegalArgumentException if an end is no number of the type, or the range is empty
   */
  public WeightRange {
    Objects.requireNonNull(type, "type cannot be null");
    long first = place(type, least);
    long last = place(type, largest);
    if (first > last) {
      throw new IllegalArgumentException(
          "weights from " + least + " to " + largest + " are an empty range");
    }
    least = number(type, first);
    largest = number(type, last);
  }

  private static Number number(WeightType type, long key) {
    return switch (type) {
      case INT -> (Number) (int) key;
      case LONG -> (Number) key;
      case FLOAT -> (Number) OrderedBits.toFloat((int) key);
      case DOUBLE -> (Number) OrderedBits.toDouble(key);
    };
  }

  /** The key of an end. */
  private static long place(WeightType type, Number end) {
    Long key = null;
    if (end instanceof Float || end instanceof Double) {
      if (Double.isFinite(end.doubleValue())) {
        key = ArcWeights.keyIn(type, end.doubleValue());
      }
    } else if (end instanceof Integer || end instanceof Long) {
      key = ArcWeights.keyIn(type, end.longValue());
    }
    if (key == null) {
      throw new IllegalArgumentException(end + " is no weight of type " + type);
    }
    return key;
  }

  /** Whether a text names a type of weights, as those that {@link #parse} takes do. */
  public static boolean namesType(String text) {
    return text.indexOf(':') >= 0;
  }

  /**
   * The range of a text: a type, a colon and the ends with two dots between them.
   *
   * @param text such as {@code double:-0.5..0.5}
   * @return the range
   * @throws IllegalArgumentException if there is no such type, an end is none of its numbers, or
   *     the range is empty
   */
  public static WeightRange parse(String text) {
    int colon = text.indexOf(':');
    int dots = text.indexOf("..", colon + 1);
    try {
      WeightType type =
          WeightType.valueOf(text.substring(0, Math.max(0, colon)).toUpperCase(Locale.ROOT));
      return new WeightRange(
          type, end(type, text.substring(colon + 1, dots)), end(type, text.substring(dots + 2)));
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new IllegalArgumentException(
          "weights '"
              + text
              + "': expected TYPE:L..H with a TYPE of int, long, float and double, and numbers L <="
              + " H of that type",
          e);
    }
  }

  private static Number end(WeightType type, String text) {
    if (!text.matches("[-+0-9.eE]+")) {
      throw new NumberFormatException(text);
    }
    return switch (type) {
      case INT -> Integer.valueOf(text);
      case LONG -> Long.valueOf(text);
      case FLOAT -> Float.valueOf(text);
      case DOUBLE -> Double.valueOf(text);
    };
  }

  /** The key of the weight that a random number draws. */
  long key(long random) {
    if (type.isFloating()) {
      double u = SeededHash.unit(random);
      // In two products, as the difference of the ends may be more than a double holds.
      double drawn = least.doubleValue() * (1 - u) + largest.doubleValue() * u;
      double inside = Math.max(least.doubleValue(), Math.min(largest.doubleValue(), drawn));
      return type == WeightType.FLOAT ? OrderedBits.of((float) inside) : OrderedBits.of(inside);
    }
    if (type == WeightType.INT) { // as EdgeWeight draws ints from 0
      long bound = largest.longValue() - least.longValue() + 1;
      return least.intValue() + SeededHash.below(random, bound);
    }
    long count = largest.longValue() - least.longValue() + 1; // unsigned; 0 is 2^64
    return count == 0 ? random : least.longValue() + high(random, count);
  }

  /** The upper 64 bits of the product of two unsigned numbers. */
  private static long high(long a, long b) {
    return Math.multiplyHigh(a, b) + ((a >> 63) & b) + ((b >> 63) & a);
  }

  /** The text that {@link #parse} reads. */
  @Override
  public String toString() {
    return type + ":" + least + ".." + largest;
  }
}
