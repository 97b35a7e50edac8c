package io.magpie.examples.report;

import io.magpie.examples.compare.Comparison;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How numbers are written. */
final class Numbers {
  /** Parts of a unit that three digits show as all of it. */
  private static final double ROUNDED = 0.9995;

  private Numbers() {}

  /** A time by its name in records, such as {@code total time} or {@code kernel time}. */
  static String time(String name) {
    return (name.equals(Comparison.Outcome.KERNELS) ? "kernel" : words(name)) + " time";
  }

  /** Milliseconds to about four digits. */
  static String millis(double value) {
    return String.format(
        Locale.ROOT,
        value < 1 ? "%.4f" : value < 10 ? "%.3f" : value < 100 ? "%.2f" : "%,.1f",
        value);
  }

  /** A number with commas; what is no whole one to seven digits. */
  static String plain(BigDecimal value) {
    BigDecimal bare = value.stripTrailingZeros();
    boolean large = bare.abs().compareTo(BigDecimal.valueOf(1000)) >= 0;
    return bare.scale() <= 0 || large
        ? String.format(Locale.ROOT, "%,d", bare.setScale(0, RoundingMode.HALF_EVEN).toBigInteger())
        : bare.round(new MathContext(7)).stripTrailingZeros().toPlainString();
  }

  /** A number for an axis: short, with k, M or G. */
  static String brief(double value) {
    double size = Math.abs(value);
    if (size >= ROUNDED * 1e9) {
      return digits(value / 1e9) + "G";
    }
    if (size >= ROUNDED * 1e6) {
      return digits(value / 1e6) + "M";
    }
    return size >= ROUNDED * 1e4 ? digits(value / 1e3) + "k" : digits(value);
  }

  private static String digits(double value) {
    return value == 0
        ? "0"
        : new BigDecimal(value).round(new MathContext(3)).stripTrailingZeros().toPlainString();
  }

  /** {@code forestWeight} as {@code forest weight}. */
  static String words(String name) {
    return name.replaceAll("([a-z])([A-Z])", "$1 $2").replace('_', ' ').toLowerCase(Locale.ROOT);
  }

  /** Such as {@code 1 run} or {@code 2,000 runs}. */
  static String counted(long count, String noun) {
    return String.format(Locale.ROOT, "%,d %s%s", count, noun, count == 1 ? "" : "s");
  }

  /** The same of a number as a record has it. */
  static String counted(String count, String noun) {
    return count + " " + noun + (count.equals("1") ? "" : "s");
  }

  /** A part of a hundred, for coordinates. */
  static String percent(double share) {
    return BigDecimal.valueOf(100 * share)
            .setScale(2, RoundingMode.HALF_UP)
            .stripTrailingZeros()
            .toPlainString()
        + "%";
  }

  /** The one in the middle; the mean of two where there are two. */
  static BigDecimal median(List<BigDecimal> values) {
    List<BigDecimal> sorted = new ArrayList<>(values);
    sorted.sort(null);
    int size = sorted.size();
    BigDecimal upper = sorted.get(size / 2);
    return size % 2 == 1
        ? upper
        : sorted.get(size / 2 - 1).add(upper).divide(BigDecimal.valueOf(2), MathContext.UNLIMITED);
  }
}
