package io.magpie.algorithms;

import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * Numbers as they are written in decimal. Java takes more for one: digits of other scripts, {@code
 * +5}, {@code 0x1p3}, {@code 1d}.
 */
public final class DecimalText {
  private static final Pattern WHOLE = Pattern.compile("-?[0-9]+");
  private static final Pattern NUMBER =
      Pattern.compile("-?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?");

  private DecimalText() {}

  /** Whether a text is a whole number, of whatever size, such as {@code -12}. */
  public static boolean isWhole(String text) {
    return WHOLE.matcher(text).matches();
  }

  /** Whether a text is a number, of whatever size, such as {@code -0.5e-3}. */
  public static boolean isNumber(String text) {
    return NUMBER.matcher(text).matches();
  }

  /**
   * The count that a text is: a whole number, behind which may stand {@code k}, {@code M} or {@code
   * G} for thousands, millions and thousand millions, such as {@code 200k}.
   *
   * @return empty if it is none, or has more than 64 bits
   */
  public static OptionalLong count(String text) {
    long unit =
        switch (text.isEmpty() ? ' ' : text.charAt(text.length() - 1)) {
          case 'k' -> 1_000;
          case 'M' -> 1_000_000;
          case 'G' -> 1_000_000_000;
          default -> 1;
        };
    String digits = unit == 1 ? text : text.substring(0, text.length() - 1);
    if (!isWhole(digits)) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(Math.multiplyExact(Long.parseLong(digits), unit));
    } catch (NumberFormatException | ArithmeticException e) { // too many digits
      return OptionalLong.empty();
    }
  }

  /**
   * Such a count within bounds.
   *
   * @param what is read, as the message shows it, such as "n=9"
   * @throws IllegalArgumentException if it is none, or out of bounds; the message is for users
   */
  public static long count(String what, String text, long min, long max) {
    OptionalLong count = count(text);
    if (count.isPresent() && count.getAsLong() >= min && count.getAsLong() <= max) {
      return count.getAsLong();
    }
    throw new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "%s: expected a whole number from %,d to %,d, which may end in k, M or G",
            what,
            min,
            max));
  }
}
