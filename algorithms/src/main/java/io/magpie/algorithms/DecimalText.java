package io.magpie.algorithms;

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
}
