package io.magpie.algorithms.partition;

import io.magpie.algorithms.DecimalText;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * What share of a graph's weight each of its parts is to have. Shares are relative: {@code 1:2:1}
 * is the same as {@code 0.25:0.5:0.25}. A share bounds what a part may weigh from above, with the
 * imbalance that is allowed, and not from below; see {@link PartitionQuality#weightless}.
 * Immutable.
 */
public final class PartShares {
  /** All parts have the same share, however many there are. */
  public static final PartShares EVEN = new PartShares(new double[0], new BigInteger[0]);

  /** What is written for {@link #EVEN}. */
  private static final String EVEN_TEXT = "even";

  private static final String EXPECTED =
      "'even', or a number above 0 for each part, joined by ':', such as 1:2:1";

  private final double[] shares; // as they were given
  private final BigInteger[] units; // the same times a power of ten
  private final BigInteger sum; // of units

  private PartShares(double[] shares, BigInteger... units) {
    this.shares = shares;
    this.units = units;
    this.sum = Arrays.stream(units).reduce(BigInteger.ZERO, BigInteger::add);
  }

  /**
   * A share for each part. They are taken as the decimals that they are printed as, and divided by
   * their sum.
   *
   * @param shares one for each part, above 0 and finite
   * @throws IllegalArgumentException if there are none, or one is 0, negative, infinite or NaN; the
   *     message says which
   */
  public static PartShares of(double... shares) {
    if (shares.length == 0) {
      throw new IllegalArgumentException("no shares of parts; expected one for each part");
    }
    int scale = 0;
    for (int p = 0; p < shares.length; p++) {
      requireShare(p, shares[p], Double.toString(shares[p]));
      scale = Math.max(scale, BigDecimal.valueOf(shares[p]).scale());
    }
    BigInteger[] units = new BigInteger[shares.length];
    for (int p = 0; p < shares.length; p++) {
      units[p] = BigDecimal.valueOf(shares[p]).setScale(scale).unscaledValue();
    }
    return new PartShares(shares.clone(), units);
  }

  private static void requireShare(int part, double share, String shown) {
    if (!(share > 0 && share < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "the share of part " + part + " is " + shown + "; expected a number above 0");
    }
  }

  /**
   * Reads shares as {@link #toString} writes them.
   *
   * @throws IllegalArgumentException if the text is none, or as {@link #of}
   */
  static PartShares parse(String text) {
    if (text.equals(EVEN_TEXT)) {
      return EVEN;
    }
    String[] written = text.split(":", -1);
    double[] shares = new double[written.length];
    for (int p = 0; p < shares.length; p++) {
      if (!DecimalText.isNumber(written[p])) {
        throw new IllegalArgumentException("expected " + EXPECTED + ", but was '" + text + "'");
      }
      shares[p] = Double.parseDouble(written[p]);
      requireShare(p, shares[p], written[p]);
    }
    return of(shares);
  }

  /** What texts there are, as a message says it. */
  static String expected() {
    return EXPECTED;
  }

  /** Whether these are {@link #EVEN}. */
  public boolean even() {
    return shares.length == 0;
  }

  /** For how many parts these are; 0 if they are {@link #EVEN}, which are for any number. */
  public int count() {
    return shares.length;
  }

  /** The shares as they were given, one for each part, a copy; none if they are {@link #EVEN}. */
  public double[] toArray() {
    return shares.clone();
  }

  /**
   * What each part is to weigh: its share of a weight, rounded up.
   *
   * @param weight of all, 0 or more
   * @param parts how many there are
   * @throws IllegalArgumentException if these are not for so many parts
   */
  long[] targets(long weight, int parts) {
    requireCount(parts);
    long[] targets = new long[parts];
    if (even()) {
      Arrays.fill(targets, weight / parts + (weight % parts == 0 ? 0 : 1));
      return targets;
    }
    BigInteger all = BigInteger.valueOf(weight);
    for (int p = 0; p < parts; p++) {
      BigInteger[] share = units[p].multiply(all).divideAndRemainder(sum);
      targets[p] = share[0].longValueExact() + share[1].signum();
    }
    return targets;
  }

  /**
   * Checks for how many parts these are.
   *
   * @throws IllegalArgumentException if it is another number
   */
  void requireCount(int parts) {
    if (!even() && count() != parts) {
      throw new IllegalArgumentException(
          count()
              + (count() == 1 ? " share" : " shares")
              + " for "
              + parts
              + (parts == 1 ? " part" : " parts")
              + "; expected one share for each part");
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PartShares those && Arrays.equals(shares, those.shares);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(shares);
  }

  /** {@code even}, or the shares joined by {@code :}, such as {@code 1:2:1}. */
  @Override
  public String toString() {
    return even()
        ? EVEN_TEXT
        : Arrays.stream(shares)
            .mapToObj(share -> BigDecimal.valueOf(share).stripTrailingZeros())
            .map(
                share ->
                    share.scale() > -7 && share.scale() < 20
                        ? share.toPlainString()
                        : share.toString())
            .collect(Collectors.joining(":"));
  }
}
