package io.magpie.examples.cli;

import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads numbers, and says in plain words what is wrong with what is none. */
final class NumberOption<N extends Number> implements ITypeConverter<N> {
  private static final String WHOLE = "a whole number";

  private final Function<String, N> parser;
  private final String expected;

  private NumberOption(Function<String, N> parser, String expected) {
    this.parser = parser;
    this.expected = expected;
  }

  /** Has a command line read its numbers so. */
  static void register(CommandLine line) {
    NumberOption<Integer> ints = new NumberOption<>(Integer::valueOf, WHOLE);
    line.registerConverter(int.class, ints);
    line.registerConverter(Integer.class, ints);
    NumberOption<Long> longs = new NumberOption<>(Long::valueOf, WHOLE);
    line.registerConverter(long.class, longs);
    line.registerConverter(Long.class, longs);
    NumberOption<Double> doubles = new NumberOption<>(Double::valueOf, "a number, such as 0.5");
    line.registerConverter(double.class, doubles);
    line.registerConverter(Double.class, doubles);
  }

  @Override
  public N convert(String value) {
    try {
      return parser.apply(value);
    } catch (NumberFormatException e) {
      if (expected.equals(WHOLE) && value.matches("[-+]?\\d+")) {
        throw new TypeConversionException("'" + value + "' is out of range");
      }
      throw new TypeConversionException("expected " + expected + ", but was '" + value + "'");
    }
  }
}
