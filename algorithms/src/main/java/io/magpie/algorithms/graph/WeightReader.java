package io.magpie.algorithms.graph;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.internal.Tokenizer;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * Takes the weights of edges from a text, as {@link FileWeights} say, and gives them to a builder.
 */
final class WeightReader {
  private static final String WHOLE = "a weight, a whole number";
  private static final String INTS = WHOLE + " from -2147483648 to 2147483647";
  private static final String LONGS = WHOLE + " from -2^63 to 2^63 - 1";
  private static final String FINITE = "a weight, a finite number such as 7, -2 or 0.5";
  private static final String LENGTH = "a weight, a finite number from 0 such as 7 or 0.5";

  private static final String LARGER =
      "read weights as any type (--weight-type any), or as doubles (--weight-type double)";

  private static final String COUNTS = WHOLE + " from 0 to 2147483647";

  /** Digits of the largest int. */
  private static final int INT_DIGITS = 10;

  /** More than the exponent of any double, in tens. */
  private static final int MOST_MAGNITUDE = 400;

  /** Digits of the largest long; a decimal of more before its point is none. */
  private static final int LONG_DIGITS = 19;

  private final Tokenizer in;
  private final FileWeights weights;
  private final double scale;
  private boolean fractions = true;
  private String noFractions;
  private boolean isWhole;
  private long whole;
  private double real;

  /** Of a format whose weights may have fractions. */
  WeightReader(Tokenizer in, ReadOptions options) {
    this.in = in;
    this.weights = options.weights();
    this.scale = options.weightScale();
  }

  /**
   * From now on weights have no fractions.
   *
   * @param remedy what to do about one that has
   */
  void refuseFractions(String remedy) {
    fractions = false;
    noFractions = remedy;
  }

  /** Takes a weight. */
  void next() throws IOException {
    isWhole = true;
    if (scale > 0 && fractions) {
      takeScaled();
      return;
    }
    if (weights == FileWeights.COUNTS) {
      takeCount();
      return;
    }
    whole = in.takeWhole();
    if (whole == Long.MIN_VALUE) {
      take();
    } else if (weights.type().isFloating()) {
      isWhole = false;
      if (weights.fromZero() && whole < 0) {
        throw beyond(Long.toString(whole), LENGTH, null);
      }
      if (weights.type() == WeightType.FLOAT) {
        real = (float) whole;
      } else {
        real = (double) whole;
      }
    } else if (weights == FileWeights.INT && whole != (int) whole) {
      throw beyond(Long.toString(whole), INTS, LARGER);
    }
  }

  /** Has a whole number take the place of a weight in the text. */
  void set(long value) {
    isWhole = true;
    whole = value;
  }

  /** The narrowest type, of those that are tried in turn, that holds the weight that was taken. */
  WeightType type() {
    return !isWhole ? WeightType.DOUBLE : whole == (int) whole ? WeightType.INT : WeightType.LONG;
  }

  /** Puts the weight that was taken into an array, rounded if that is of doubles. */
  void put(WeightType type, Object array, int index) {
    switch (type) {
      case INT -> ((int[]) array)[index] = (int) whole;
      case LONG -> ((long[]) array)[index] = whole;
      case FLOAT -> ((float[]) array)[index] = isWhole ? (float) whole : (float) real;
      case DOUBLE -> ((double[]) array)[index] = isWhole ? (double) whole : real;
    }
  }

  /** Adds an arc of the weight that was taken. */
  void addArc(GraphBuilder builder, int from, int to) {
    if (isWhole) {
      builder.addArc(from, to, whole);
    } else {
      builder.addArc(from, to, real);
    }
  }

  /** Adds an edge of the weight that was taken. */
  void addEdge(GraphBuilder builder, int u, int v) {
    if (isWhole) {
      builder.addEdge(u, v, whole);
    } else {
      builder.addEdge(u, v, real);
    }
  }

  private void takeCount() throws IOException {
    if (!fractions) {
      whole = TextFormats.nextWeight(in);
      return;
    }
    whole = in.takeWhole();
    if (whole >= 0 && whole <= Integer.MAX_VALUE) {
      return;
    }
    String text = whole == Long.MIN_VALUE ? in.nextNumber(COUNTS) : Long.toString(whole);
    BigDecimal value = TextFormats.decimal(text);
    if (value == null || !takeExactly(value) || whole < 0 || whole > Integer.MAX_VALUE) {
      throw beyond(
          text,
          COUNTS,
          value != null && value.signum() > 0 && TextFormats.magnitude(value) <= MOST_MAGNITUDE
              ? "give a weight scale (--weight-scale) to multiply weights by before rounding, or, "
                  + TextFormats.FLOAT_LENGTHS
              : null);
    }
  }

  /** Takes a number as the int nearest to its product with the scale. */
  private void takeScaled() throws IOException {
    long least = weights == FileWeights.COUNTS ? 0 : Integer.MIN_VALUE;
    String expected =
        "a weight from " + least + " to 2147483647 when multiplied by " + scale + " and rounded";
    String text = in.nextNumber(expected);
    BigDecimal value = TextFormats.decimal(text);
    if (value == null || least == 0 && value.signum() < 0) {
      throw beyond(text, expected, null);
    }
    whole = nearest(scaled(value));
    if (whole < least || whole > Integer.MAX_VALUE) {
      throw beyond(text, expected, "choose a smaller weight scale");
    }
  }

  /** The product, with the scale as it is written, not as it is stored: a tenth is a tenth. */
  private BigDecimal scaled(BigDecimal value) {
    // Beyond that no scale changes what it is rounded to, and exponents might overflow.
    return Math.abs(TextFormats.magnitude(value)) > MOST_MAGNITUDE
        ? value
        : value.multiply(BigDecimal.valueOf(scale));
  }

  /** The nearest whole number, halves to the even one; the largest long where it is beyond ints. */
  private static long nearest(BigDecimal value) {
    long magnitude = TextFormats.magnitude(value);
    if (value.signum() == 0 || magnitude < 0) {
      return 0;
    }
    return magnitude > INT_DIGITS
        ? Long.MAX_VALUE
        : value.setScale(0, RoundingMode.HALF_EVEN).longValue();
  }

  private void take() throws IOException {
    if (weights == FileWeights.INT) {
      takeWhole(Integer.MIN_VALUE, Integer.MAX_VALUE, INTS);
    } else if (weights == FileWeights.LONG || weights == FileWeights.ANY && !fractions) {
      takeWhole(Long.MIN_VALUE, Long.MAX_VALUE, LONGS);
    } else {
      takeReal();
    }
  }

  private void takeWhole(long least, long most, String expected) throws IOException {
    String text = in.nextNumber(expected);
    BigDecimal value = TextFormats.decimal(text);
    if (value == null) {
      throw beyond(text, expected, null);
    }
    if (!fractions && !isWrittenWhole(text)) {
      throw beyond(text, expected, noFractions);
    }
    if (!takeExactly(value) || whole < least || whole > most) {
      throw beyond(text, expected, fractions || weights == FileWeights.INT ? LARGER : null);
    }
  }

  /** Takes a number, unless it has a fraction or is no long. */
  private boolean takeExactly(BigDecimal value) {
    if (value.signum() == 0) {
      whole = 0;
      return true;
    }
    if (TextFormats.magnitude(value) > LONG_DIGITS
        || value.stripTrailingZeros().scale() > 0
        || value.compareTo(BigDecimal.valueOf(Long.MIN_VALUE)) < 0
        || value.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
      return false;
    }
    whole = value.longValueExact();
    return true;
  }

  private void takeReal() throws IOException {
    boolean any = weights == FileWeights.ANY;
    boolean floats = weights.type() == WeightType.FLOAT;
    if (!floats) { // whose nearest may not be that of the nearest double
      real = fractions ? any ? in.takeExactWholeOrFraction() : in.takeDecimal() : Double.NaN;
      if (!Double.isNaN(real)) {
        isWhole = any && real == Math.rint(real);
        whole = (long) real;
        return;
      }
    }
    String expected = !fractions ? WHOLE : weights.fromZero() ? LENGTH : FINITE;
    String text = in.nextNumber(expected);
    BigDecimal value = TextFormats.decimal(text);
    if (value == null || !fractions && !isWrittenWhole(text)) {
      throw beyond(text, expected, value == null ? null : noFractions);
    }
    if (any && takeExactly(value)) {
      return;
    }
    isWhole = false;
    if (weights.fromZero() && value.signum() < 0) {
      throw beyond(text, expected, null);
    }
    real = floats ? Float.parseFloat(text) : Double.parseDouble(text);
    if (Double.isInfinite(real)) {
      throw beyond(
          text,
          "a weight within the range of " + (floats ? WeightType.FLOAT : WeightType.DOUBLE),
          null);
    }
  }

  private static boolean isWrittenWhole(String text) {
    return text.matches("[-+]?[0-9]+");
  }

  private FileFormatException beyond(String text, String expected, String remedy) {
    return in.error(Tokenizer.quote(text), expected, remedy);
  }
}
