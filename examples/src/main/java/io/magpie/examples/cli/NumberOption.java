package io.magpie.examples.cli;

import java.math.BigInteger;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads numbers, and says in plain words what is wrong with what is none. */
final class NumberOption<N extends Number> implements ITypeConverter<N> {
  private final Function<String, N> parser;
  private final String expected;

  private NumberOption(Function<String, N> parser, String expected) {
    this.parser = parser;
    this.expected = expected;
  }

  /** Has a command line read its numbers so. */
  static void register(CommandLine line) {
    NumberOption<Integer> ints = new NumberOption<>(Integer::valueOf, whole(Integer.SIZE));
    line.registerConverter(int.class, ints);
    line.registerConverter(Integer.class, ints);
    NumberOption<Long> longs = new NumberOption<>(Long::valueOf, whole(Long.SIZE));
    line.registerConverter(long.class, longs);
    line.registerConverter(Long.class, longs);
    NumberOption<Double> doubles = new NumberOption<>(Double::valueOf, "a number, such as 0.5");
    line.registerConverter(double.class, doubles);
    line.registerConverter(Double.class, doubles);
  }

  private static String whole(int bits) {
    BigInteger end = BigInteger.ONE.shiftLeft(bits - 1);
    return String.format(
        "a whole number from %d to %d", end.negate(), end.subtract(BigInteger.ONE));
  }

  @Override
  public N convert(String value) {
    try {
      return parser.apply(value);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("expected " + expected + ", but was '" + value + "'");
    }
  }
}
