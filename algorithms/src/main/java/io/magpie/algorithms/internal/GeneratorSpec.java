package io.magpie.algorithms.internal;

import io.magpie.algorithms.DecimalText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The text that names a generated input: a kind, a colon and parameters, {@code
 * random:n=1000,m=5000,seed=7}. The value of the kind's first parameter may stand alone, and so
 * does the name of a flag, which has no value: {@code random:1000,directed}. Counts may end in
 * {@code k}, {@code M} or {@code G} (thousand, million, thousand million).
 *
 * <p>Taking the parameters one after the other builds the complete text, defaults included.
 */
public final class GeneratorSpec {
  private static final String SEED = "seed";

  private final String text;
  private final String kind;
  private final String usage;
  private final Set<String> flags;
  private final Map<String, String> given = new LinkedHashMap<>();
  private final StringBuilder complete;
  private char separator = ':';
  private long seed = 1;

  /**
   * Takes a text apart.
   *
   * @param noun what is generated, for messages
   * @param kinds the kinds with the names of their parameters, the positional one first
   * @param common the names of parameters of every kind, besides {@code seed}
   * @throws IllegalArgumentException when the kind or the name of a parameter is unknown, or a
   *     parameter is given twice or without a name
   */
  public GeneratorSpec(
      String text, String noun, Map<String, List<String>> kinds, List<String> common) {
    this(text, noun, kinds, common, Set.of());
  }

  /**
   * The same for kinds some of whose parameters are flags.
   *
   * @param flags the names of parameters that have no value
   */
  public GeneratorSpec(
      String text,
      String noun,
      Map<String, List<String>> kinds,
      List<String> common,
      Set<String> flags) {
    this.text = text;
    this.flags = flags;
    int colon = text.indexOf(':');
    kind = (colon < 0 ? text : text.substring(0, colon)).toLowerCase(Locale.ROOT);
    List<String> names = kinds.get(kind);
    if (names == null) {
      throw new IllegalArgumentException(
          "generator '"
              + text
              + "': '"
              + kind
              + "' is no kind of "
              + noun
              + "; expected one of "
              + String.join(", ", kinds.keySet()));
    }
    usage = usage(kind, names, common, flags);
    complete = new StringBuilder(kind);
    String rest = colon < 0 ? "" : text.substring(colon + 1);
    boolean first = true;
    for (String part : rest.isEmpty() ? new String[0] : rest.split(",", -1)) {
      int equals = part.indexOf('=');
      boolean flag = flags.contains(part) && names.contains(part);
      if (equals < 0 && !first && !flag) {
        throw bad("'" + part + "' has no name; only the first value may stand alone");
      }
      String name = flag ? part : equals < 0 ? names.get(0) : part.substring(0, equals);
      if (!flag && flags.contains(name) && names.contains(name)) {
        throw bad("'" + name + "' takes no value");
      }
      if (!names.contains(name) && !name.equals(SEED) && !common.contains(name)) {
        throw bad("'" + name + "' is no parameter of " + kind);
      }
      if (given.put(name, flag ? "" : part.substring(equals + 1)) != null) {
        throw bad("'" + name + "' is given twice");
      }
      first = false;
    }
  }

  private GeneratorSpec(GeneratorSpec other, String name, String value) {
    text = other.text;
    kind = other.kind;
    usage = other.usage;
    flags = other.flags;
    complete = new StringBuilder(kind);
    given.putAll(other.given);
    if (given.put(name, value) != null) {
      throw bad("'" + name + "' is given twice");
    }
  }

  /**
   * The same with one more parameter, of which none is taken yet.
   *
   * @throws IllegalArgumentException if it was given already
   */
  public GeneratorSpec with(String name, String value) {
    return new GeneratorSpec(this, name, value);
  }

  /** Whether a parameter was given. */
  public boolean has(String name) {
    return given.containsKey(name);
  }

  /** One line for each kind, for help texts. */
  public static List<String> usage(Map<String, List<String>> kinds, List<String> common) {
    return usage(kinds, common, Set.of());
  }

  /** The same for kinds some of whose parameters are flags. */
  public static List<String> usage(
      Map<String, List<String>> kinds, List<String> common, Set<String> flags) {
    return kinds.entrySet().stream()
        .map(each -> usage(each.getKey(), each.getValue(), common, flags))
        .toList();
  }

  private static String usage(
      String kind, List<String> parameters, List<String> common, Set<String> flags) {
    StringBuilder line = new StringBuilder(kind).append(':');
    parameters.forEach(
        parameter -> line.append(parameter).append(flags.contains(parameter) ? "," : "=..,"));
    line.append(SEED).append("=..");
    common.forEach(parameter -> line.append(',').append(parameter).append("=.."));
    return line.toString();
  }

  /** The kind, in small letters. */
  public String kind() {
    return kind;
  }

  /** The parameters taken so far, in the form that is parsed. */
  public String complete() {
    return complete.toString();
  }

  /** The seed as it was taken; 1 before that. */
  public long takenSeed() {
    return seed;
  }

  /** Takes the seed, 1 by default. */
  public long seed() {
    String value = text(SEED, "1");
    try {
      seed = whole(value);
      return seed;
    } catch (NumberFormatException e) {
      throw bad("seed=" + value + ": expected a whole number of 64 bits");
    }
  }

  /** Takes a count; {@code byDefault} is null where there must be one. */
  public long integer(String name, String byDefault, long min, long max) {
    long value = ahead(name, byDefault, min, max);
    append(name, Long.toString(value));
    return value;
  }

  /**
   * Reads a count that is taken later, as the default of one that is taken before depends on it.
   */
  public long ahead(String name, String byDefault, long min, long max) {
    return number(name, given(name, byDefault), min, max);
  }

  /** Takes a real number; {@code byDefault} is null where there must be one. */
  public double real(String name, String byDefault, double min, double max) {
    return real(name, byDefault, min, max, "");
  }

  /**
   * The same.
   *
   * @param why what the range comes from, to be added to it in messages
   */
  public double real(String name, String byDefault, double min, double max, String why) {
    String value = text(name, byDefault);
    if (DecimalText.isNumber(value)) {
      double result = Double.parseDouble(value);
      if (result >= min && result <= max) {
        return result;
      }
    }
    throw bad(name + "=" + value + ": expected a number from " + min + " to " + max + why);
  }

  /** Takes a value as it is; {@code byDefault} is null where there must be one. */
  public String text(String name, String byDefault) {
    String value = given(name, byDefault);
    append(name, value);
    return value;
  }

  /**
   * Reads the name of values that are taken one by one, and so leaves it out of the complete text.
   *
   * @param names the names that there are
   */
  public String choice(String name, String byDefault, List<String> names) {
    String value = given(name, byDefault);
    if (!names.contains(value)) {
      throw bad(name + "=" + value + ": expected " + String.join(" or ", names));
    }
    return value;
  }

  /** Takes a flag: whether it was given. */
  public boolean flag(String name) {
    boolean set = given.containsKey(name);
    if (set) {
      complete.append(separator).append(name);
      separator = ',';
    }
    return set;
  }

  /** Reads a count with its unit, the value of a parameter or a part of it. */
  public long number(String name, String value, long min, long max) {
    try {
      return DecimalText.count(name + "=" + value, value, min, max);
    } catch (IllegalArgumentException e) {
      throw bad(e.getMessage());
    }
  }

  private static long whole(String digits) {
    if (!DecimalText.isWhole(digits)) {
      throw new NumberFormatException(digits);
    }
    return Long.parseLong(digits);
  }

  private String given(String name, String byDefault) {
    String value = given.getOrDefault(name, byDefault);
    if (value == null) {
      throw bad("'" + name + "' is missing");
    }
    return value;
  }

  private void append(String name, String value) {
    complete.append(separator).append(name).append('=').append(value);
    separator = ',';
  }

  /** An error in one line that names the text and says what the kind takes. */
  public IllegalArgumentException bad(String problem) {
    return unsuitable(problem + ". Expected " + usage);
  }

  /** The same where another kind is needed, so that what this one takes does not matter. */
  public IllegalArgumentException unsuitable(String problem) {
    return new IllegalArgumentException("generator '" + text + "': " + problem);
  }
}
