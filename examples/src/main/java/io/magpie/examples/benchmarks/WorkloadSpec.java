package io.magpie.examples.benchmarks;

import io.magpie.algorithms.DecimalText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The text that names a benchmark and its parameters: {@code bank:accounts=1M,transactions=4M}. A
 * benchmark takes its parameters one after the other, each with a default; then it is known which
 * there are, and what was given besides them is refused.
 *
 * <p>Every benchmark has {@code contention}, which chooses defaults, and {@code seed}.
 */
final class WorkloadSpec {
  /** How much transactions get in each other's way where no parameter says so. */
  enum Contention {
    LOW,
    MEDIUM,
    HIGH
  }

  private static final String CONTENTION = "contention";
  private static final String SEED = "seed";

  private final String text;
  private final String name;
  private final Map<String, String> given = new LinkedHashMap<>();
  private final Map<String, String> taken = new LinkedHashMap<>();
  private final Contention contention;

  WorkloadSpec(String text) {
    this.text = text;
    int colon = text.indexOf(':');
    name = (colon < 0 ? text : text.substring(0, colon)).toLowerCase(Locale.ROOT);
    String rest = colon < 0 ? "" : text.substring(colon + 1);
    for (String part : rest.isEmpty() ? new String[0] : rest.split(",", -1)) {
      int equals = part.indexOf('=');
      if (equals < 1) {
        throw bad("'" + part + "' is no NAME=VALUE");
      }
      if (given.put(part.substring(0, equals), part.substring(equals + 1)) != null) {
        throw bad("'" + part.substring(0, equals) + "' is given twice");
      }
    }
    contention = contention(given.get(CONTENTION));
  }

  private Contention contention(String value) {
    if (value == null) {
      return Contention.LOW;
    }
    for (Contention each : Contention.values()) {
      if (value.equals(each.name().toLowerCase(Locale.ROOT))) {
        return each;
      }
    }
    throw bad(CONTENTION + "=" + value + ": expected low, medium or high");
  }

  /** The benchmark's name, in small letters. */
  String name() {
    return name;
  }

  /** One of these defaults, as the preset of contention says. */
  String byContention(String low, String medium, String high) {
    return switch (contention) {
      case LOW -> low;
      case MEDIUM -> medium;
      case HIGH -> high;
    };
  }

  /** Takes a count. */
  int count(String parameter, String byDefault, long least, long most) {
    String value = given.getOrDefault(parameter, byDefault);
    try {
      long count = DecimalText.count(parameter + "=" + value, value, least, most);
      taken.put(parameter, Long.toString(count));
      return Math.toIntExact(count);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("workload '" + text + "': " + e.getMessage(), e);
    }
  }

  /** Takes a share in percent. */
  int percent(String parameter, String byDefault) {
    return count(parameter, byDefault, 0, 100);
  }

  /** Takes a decimal number. */
  double decimal(String parameter, String byDefault, double least, double most) {
    String value = given.getOrDefault(parameter, byDefault);
    if (DecimalText.isNumber(value)) {
      double number = Double.parseDouble(value);
      if (number >= least && number <= most) {
        taken.put(parameter, value);
        return number;
      }
    }
    throw bad(parameter + "=" + value + ": expected a number from " + least + " to " + most);
  }

  /** Takes one of some words, the first by default. */
  String word(String parameter, String... words) {
    String value = given.getOrDefault(parameter, words[0]);
    if (!List.of(words).contains(value)) {
      throw bad(parameter + "=" + value + ": expected " + String.join(" or ", words));
    }
    taken.put(parameter, value);
    return value;
  }

  /** Takes the seed, 1 by default. */
  long seed() {
    String value = given.getOrDefault(SEED, "1");
    try {
      if (!DecimalText.isWhole(value)) {
        throw new NumberFormatException(value);
      }
      long seed = Long.parseLong(value);
      taken.put(SEED, Long.toString(seed));
      return seed;
    } catch (NumberFormatException e) {
      throw bad(SEED + "=" + value + ": expected a whole number of 64 bits");
    }
  }

  /** Refuses what was given and not taken: a benchmark takes all of its parameters. */
  void requireAllTaken() {
    List<String> names = new ArrayList<>(taken.keySet());
    names.add(CONTENTION);
    for (String parameter : given.keySet()) {
      if (!names.contains(parameter)) {
        throw bad(
            "'"
                + parameter
                + "' is no parameter of "
                + name
                + "; expected one of "
                + String.join(", ", names));
      }
    }
  }

  /** The parameters taken, in the form that is parsed; what the preset chose is among them. */
  String complete() {
    List<String> all = new ArrayList<>();
    taken.forEach((parameter, value) -> all.add(parameter + "=" + value));
    return name + ":" + String.join(",", all);
  }

  /** The parameters taken, with their values: what help shows. */
  Map<String, String> taken() {
    return Map.copyOf(taken);
  }

  /** An error in one line. */
  IllegalArgumentException bad(String problem) {
    return new IllegalArgumentException("workload '" + text + "': " + problem);
  }
}
