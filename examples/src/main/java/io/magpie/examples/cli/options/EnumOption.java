package io.magpie.examples.cli.options;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads constants as they are written on command lines: small letters, {@code -} or {@code _}. */
public final class EnumOption<E extends Enum<E>> implements ITypeConverter<E> {
  private final Class<E> type;

  EnumOption(Class<E> type) {
    this.type = type;
  }

  @Override
  public E convert(String value) {
    try {
      return Enum.valueOf(type, value.toUpperCase(Locale.ROOT).replace('-', '_'));
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(
          "expected one of "
              + Arrays.stream(type.getEnumConstants())
                  .map(EnumOption::name)
                  .collect(Collectors.joining(", "))
              + " but was '"
              + value
              + "'");
    }
  }

  /** A constant as it is written on command lines. */
  public static String name(Enum<?> constant) {
    String name = constant.name().toLowerCase(Locale.ROOT);
    return constant instanceof io.magpie.stm.Policy ? name : name.replace('_', '-');
  }
}
