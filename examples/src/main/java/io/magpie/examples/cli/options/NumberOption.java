package io.magpie.examples.cli.options;

import io.magpie.algorithms.DecimalText;
import java.util.function.Function;
import java.util.function.Predicate;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads numbers as they are {@linkplain DecimalText written in decimal}, and says in plain words
 * what is wrong with what is none.
 */
final class NumberOption<N extends Number> implements ITypeConverter<N> {
  private static final String WHOLE = "a whole number";

  private final Function<String, N> parser;
  private final Predicate<String> form;
  private final String expected;

  private NumberOption(Function<String, N> parser, Predicate<String> form, String expected) {
    this.parser = parser;
    this.form = form;
    this.expected = expected;
  }

  /** Has a command line read its numbers so. */
  static void register(CommandLine line) {
    NumberOption<Integer> ints = new NumberOption<>(Integer::valueOf, DecimalText::isWhole, WHOLE);
    line.registerConverter(int.class, ints);
    line.registerConverter(Integer.class, ints);
    NumberOption<Long> longs = longs();
    line.registerConverter(long.class, longs);
    line.registerConverter(Long.class, longs);
    NumberOption<Double> doubles =
        new NumberOption<>(Double::valueOf, DecimalText::isNumber, "a number, such as 0.5");
    line.registerConverter(double.class, doubles);
    line.registerConverter(Double.class, doubles);
  }

  static NumberOption<Long> longs() {
    return new NumberOption<>(Long::valueOf, DecimalText::isWhole, WHOLE);
  }

  @Override
  public N convert(String value) {
    if (!form.test(value)) {
      throw new TypeConversionException("expected " + expected + ", but was '" + value + "'");
    }
    try {
      return parser.apply(value);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("'" + value + "' is out of range");
    }
  }
}
