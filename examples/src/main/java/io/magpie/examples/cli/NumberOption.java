package io.magpie.examples.cli;

import java.util.function.Function;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads numbers as they are written in decimal, and says in plain words what is wrong with what is
 * none. Java takes more for one: digits of other scripts, {@code +5}, {@code 0x1p3}, {@code 1d}.
 */
final class NumberOption<N extends Number> implements ITypeConverter<N> {
  private static final String WHOLE = "a whole number";

  private static final Pattern INTEGER = Pattern.compile("-?[0-9]+");
  private static final Pattern DECIMAL =
      Pattern.compile("-?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?");

  private final Function<String, N> parser;
  private final Pattern form;
  private final String expected;

  private NumberOption(Function<String, N> parser, Pattern form, String expected) {
    this.parser = parser;
    this.form = form;
    this.expected = expected;
  }

  /** Has a command line read its numbers so. */
  static void register(CommandLine line) {
    NumberOption<Integer> ints = new NumberOption<>(Integer::valueOf, INTEGER, WHOLE);
    line.registerConverter(int.class, ints);
    line.registerConverter(Integer.class, ints);
    NumberOption<Long> longs = new NumberOption<>(Long::valueOf, INTEGER, WHOLE);
    line.registerConverter(long.class, longs);
    line.registerConverter(Long.class, longs);
    NumberOption<Double> doubles =
        new NumberOption<>(Double::valueOf, DECIMAL, "a number, such as 0.5");
    line.registerConverter(double.class, doubles);
    line.registerConverter(Double.class, doubles);
  }

  @Override
  public N convert(String value) {
    if (!form.matcher(value).matches()) {
      throw new TypeConversionException("expected " + expected + ", but was '" + value + "'");
    }
    try {
      return parser.apply(value);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("'" + value + "' is out of range");
    }
  }
}
