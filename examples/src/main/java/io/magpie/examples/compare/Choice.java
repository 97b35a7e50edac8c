package io.magpie.examples.compare;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * One option of an algorithm that comparisons may vary.
 *
 * @param name its name, as on the command line
 * @param values what it may be, the default first; of a number only the default
 * @param kind what values it takes
 * @param least the least of its numbers, if it takes numbers; else 0
 * @param most the largest of them; else 0
 * @param onlyWith {@code name=value} of an earlier choice without which this one has no effect, or
 *     {@code name=value|value}; null if it always has
 * @param description what it decides, in a few words
 */
public record Choice(
    String name,
    List<String> values,
    Kind kind,
    int least,
    int most,
    String onlyWith,
    String description) {
  /** The largest number that any choice takes. */
  static final int MOST = 999_999_999;

  /** What values a choice takes. */
  public enum Kind {
    /** Those that are listed. */
    LISTED,
    /** Any whole number of a range within 0 to 999999999. */
    WHOLE,
    /** Any decimal number from 0 to 1. */
    SHARE
  }

  /** Checks that there is a default. */
  public Choice {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(kind, "kind");
    values = List.copyOf(values);
    if (values.isEmpty()) {
      throw new IllegalArgumentException("choice " + name + " has no values");
    }
  }

  /** A choice that always has an effect. */
  public static Choice of(String name, String description, String... values) {
    return new Choice(name, List.of(values), Kind.LISTED, 0, 0, null, description);
  }

  /** A choice among the constants of a type. */
  public static Choice of(String name, String description, Enum<?> byDefault) {
    Set<String> values = new LinkedHashSet<>();
    values.add(written(byDefault));
    for (Enum<?> each : byDefault.getDeclaringClass().getEnumConstants()) {
      values.add(written(each));
    }
    return new Choice(name, List.copyOf(values), Kind.LISTED, 0, 0, null, description);
  }

  static String written(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The constant that is written so, with {@code -} or {@code _}. */
  static <E extends Enum<E>> E constant(Class<E> type, String value) {
    return Enum.valueOf(type, value.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  /** A whole number that is not negative. */
  public static Choice number(String name, String description, long byDefault) {
    return number(name, description, byDefault, 0, MOST);
  }

  /** A whole number from {@code least} to {@code most}. */
  static Choice number(String name, String description, long byDefault, int least, int most) {
    return new Choice(
        name, List.of(Long.toString(byDefault)), Kind.WHOLE, least, most, null, description);
  }

  /** A share, from 0 to 1. */
  public static Choice share(String name, String description, double byDefault) {
    return new Choice(
        name, List.of(Double.toString(byDefault)), Kind.SHARE, 0, 1, null, description);
  }

  /** Whether it has an effect beside those values of earlier choices, by name. */
  boolean hasEffectWith(Map<String, String> values) {
    if (onlyWith == null) {
      return true;
    }
    int equals = onlyWith.indexOf('=');
    String value = values.get(onlyWith.substring(0, equals));
    return value != null && List.of(onlyWith.substring(equals + 1).split("\\|")).contains(value);
  }

  /** The same choice, without effect unless an earlier choice has a certain value. */
  public Choice onlyWith(String nameAndValue) {
    return new Choice(name, values, kind, least, most, nameAndValue, description);
  }

  /** The value that holds where none is given. */
  public String byDefault() {
    return values.get(0);
  }

  /** What is allowed, in words. */
  public String allowed() {
    return switch (kind) {
      case LISTED -> String.join(", ", values);
      case WHOLE, SHARE -> least + ".." + most;
    };
  }

  /**
   * Checks a value.
   *
   * @throws IllegalArgumentException if it is not allowed
   */
  public void check(String value) {
    boolean allowed =
        switch (kind) {
          case LISTED -> values.contains(value);
          case WHOLE ->
              value.matches("\\d{1,9}")
                  && Integer.parseInt(value) >= least
                  && Integer.parseInt(value) <= most;
          case SHARE -> value.matches("0?\\.\\d{1,9}|0|1|1\\.0{1,9}");
        };
    if (!allowed) {
      throw new IllegalArgumentException(name + "=" + value + ": expected " + allowed());
    }
  }
}
