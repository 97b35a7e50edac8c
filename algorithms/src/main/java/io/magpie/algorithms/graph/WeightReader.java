package io.magpie.algorithms.graph;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.internal.Tokenizer;
import java.io.IOException;
import java.math.BigDecimal;

/**
 * Takes the weights of edges from a text, as {@link FileWeights} say, and gives them to a builder.
 */
final class WeightReader {
  private static final String WHOLE = "a weight, a whole number";
  private static final String INTS = WHOLE + " from -2147483648 to 2147483647";
  private static final String LONGS = WHOLE + " from -2^63 to 2^63 - 1";
  private static final String FINITE = "a weight, a finite number such as 7, -2 or 0.5";

  private static final String LARGER = "read weights as any type, or as doubles";

  /** Digits of the largest long; a decimal of more before its point is none. */
  private static final int LONG_DIGITS = 19;

  private final Tokenizer in;
  private final FileWeights weights;
  private final boolean fractions;
  private boolean isWhole;
  private long whole;
  private double real;

  /**
   * @param fractions whether the format has weights with fractions
   */
  WeightReader(Tokenizer in, FileWeights weights, boolean fractions) {
    this.in = in;
    this.weights = weights;
    this.fractions = fractions;
  }

  /** Takes a weight. */
  void next() throws IOException {
    isWhole = true;
    if (weights == FileWeights.COUNTS) {
      whole = TextFormats.nextWeight(in);
      return;
    }
    whole = in.takeWhole();
    if (whole == Long.MIN_VALUE) {
      take();
    } else if (weights == FileWeights.FLOAT || weights == FileWeights.DOUBLE) {
      isWhole = false;
      if (weights == FileWeights.FLOAT) {
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
      throw beyond(text, expected, "fractions are for .mtx, .wel, .txt and .mpg");
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
    if (weights != FileWeights.FLOAT) { // whose nearest may not be that of the nearest double
      real = fractions ? any ? in.takeExactWholeOrFraction() : in.takeDecimal() : Double.NaN;
      if (!Double.isNaN(real)) {
        isWhole = any && real == Math.rint(real);
        whole = (long) real;
        return;
      }
    }
    String expected = fractions ? FINITE : WHOLE;
    String text = in.nextNumber(expected);
    BigDecimal value = TextFormats.decimal(text);
    if (value == null || !fractions && !isWrittenWhole(text)) {
      throw beyond(text, expected, null);
    }
    if (any && takeExactly(value)) {
      return;
    }
    isWhole = false;
    real = weights == FileWeights.FLOAT ? Float.parseFloat(text) : Double.parseDouble(text);
    if (Double.isInfinite(real)) {
      throw beyond(
          text,
          "a weight within the range of "
              + (weights == FileWeights.FLOAT ? WeightType.FLOAT : WeightType.DOUBLE),
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
