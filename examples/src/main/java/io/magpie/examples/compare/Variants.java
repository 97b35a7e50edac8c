package io.magpie.examples.compare;

import io.magpie.algorithms.DecimalText;
import io.magpie.algorithms.Options;
import io.magpie.algorithms.Setting;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Variants of an algorithm: its options, with other values of some settings. */
public final class Variants {
  private Variants() {}

  /**
   * Variants that were asked for.
   *
   * @param possible different ones, those of the first values first
   * @param impossible those whose values contradict each other, as they were asked for, with the
   *     reason
   */
  public record Combinations<O>(List<O> possible, Map<String, String> impossible) {}

  /**
   * All combinations of the values that are listed, over the defaults. What has no effect with the
   * others is left as it is, so that variants which differ only there are one.
   *
   * @param defaults the algorithm's options
   * @param terms each {@code name=value[,value...]}, {@code name=all} or {@code all} alone
   * @throws IllegalArgumentException if a term is malformed, if a name or value is unknown or has
   *     no effect, or if all values are asked of a setting that lists none
   */
  public static <O extends Options<O>> Combinations<O> combinations(
      O defaults, Collection<String> terms) {
    Map<String, List<Object>> listed = listed(defaults, terms);
    List<Map<String, Object>> combinations = List.of(Map.of());
    for (Map.Entry<String, List<Object>> each : listed.entrySet()) {
      List<Map<String, Object>> longer = new ArrayList<>();
      for (Map<String, Object> begun : combinations) {
        for (Object value : each.getValue()) {
          Map<String, Object> more = new LinkedHashMap<>(begun);
          more.put(each.getKey(), value);
          longer.add(more);
        }
      }
      combinations = longer;
    }
    Set<O> possible = new LinkedHashSet<>();
    Map<String, String> impossible = new LinkedHashMap<>();
    Map<String, Set<Object>> effective = new LinkedHashMap<>();
    for (Map<String, Object> values : combinations) {
      try {
        possible.add(over(defaults, values, effective));
      } catch (IllegalArgumentException e) {
        impossible.put(written(defaults, values), e.getMessage());
      }
    }
    if (impossible.isEmpty()) {
      requireEffect(defaults, terms, listed, effective);
    }
    return new Combinations<>(List.copyOf(possible), impossible);
  }

  /**
   * The defaults with other values, as they are written.
   *
   * @param terms {@code name=value}, with one value each
   * @throws IllegalArgumentException if a term is malformed or unknown, or values contradict each
   *     other
   */
  public static <O extends Options<O>> O variant(O defaults, Collection<String> terms) {
    Map<String, Object> values = new LinkedHashMap<>();
    listed(defaults, terms).forEach((name, list) -> values.put(name, list.get(0)));
    return over(defaults, values, new LinkedHashMap<>());
  }

  /** Values by the name of their setting: a call of settings() may make each of them anew. */
  private static Map<String, List<Object>> listed(Options<?> defaults, Collection<String> terms) {
    Map<String, List<Object>> listed = new LinkedHashMap<>();
    if (terms.contains("all")) { // of the rest
      defaults.settings().stream()
          .filter(setting -> setting.written() && setting.listed())
          .forEach(setting -> listed.put(setting.name(), List.copyOf(setting.all())));
    }
    Set<String> names = new HashSet<>();
    for (String term : terms) {
      int equals = term.indexOf('=');
      String name = equals < 1 ? term : term.substring(0, equals);
      if (!names.add(name)) {
        throw new IllegalArgumentException(
            name + " is given twice; list its values in one, as in name=value,value");
      }
      if (equals < 1 && !term.equals("all")) {
        throw new IllegalArgumentException(
            "variant '" + term + "': expected name=value,..., with a name of " + names(defaults));
      }
      if (equals >= 1) {
        Setting<?> setting = setting(defaults, name);
        listed.put(name, values(setting, term.substring(equals + 1)));
      }
    }
    return listed;
  }

  private static <V> List<Object> values(Setting<V> setting, String written) {
    if (written.equals("all")) {
      if (!setting.listed() && setting.all().size() == 1) {
        throw new IllegalArgumentException(
            setting.name()
                + "=all: it has no list of values; name some, as in "
                + example(setting));
      }
      return List.copyOf(setting.all());
    }
    List<Object> values = new ArrayList<>();
    for (String each : written.split(",", -1)) {
      try {
        V value = setting.parse(each);
        setting.check(value);
        values.add(value);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            setting.name() + "=" + each + ": expected " + setting.allowed(), e);
      }
    }
    return values;
  }

  /** The default of a number, and another value. */
  private static <V> String example(Setting<V> setting) {
    String first = setting.write(setting.byDefault());
    return Stream.of("2", "0.5", "1")
        .filter(other -> !other.equals(first) && takes(setting, other))
        .findFirst()
        .map(other -> setting.name() + "=" + first + "," + other)
        .orElse(setting.name() + "=" + first);
  }

  private static <V> boolean takes(Setting<V> setting, String text) {
    try {
      setting.check(setting.parse(text));
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** The defaults with those values that have an effect, which are noted. */
  private static <O extends Options<O>> O over(
      O defaults, Map<String, Object> values, Map<String, Set<Object>> effective) {
    O variant = defaults;
    for (Setting<?> setting : defaults.settings()) {
      Object value = values.get(setting.name());
      if (value != null && variant.hasEffect(setting)) {
        variant = with(variant, setting, value);
        effective.computeIfAbsent(setting.name(), name -> new HashSet<>()).add(value);
      }
    }
    return variant;
  }

  @SuppressWarnings("unchecked") // parsed by the setting
  private static <O extends Options<O>, V> O with(O options, Setting<V> setting, Object value) {
    return options.with(setting, (V) value);
  }

  /** Refuses a value that was asked for and has no effect in any variant. */
  private static void requireEffect(
      Options<?> defaults,
      Collection<String> terms,
      Map<String, List<Object>> listed,
      Map<String, Set<Object>> effective) {
    for (String term : terms) {
      if (term.equals("all") || term.endsWith("=all")) {
        continue;
      }
      Setting<?> setting = setting(defaults, term.substring(0, term.indexOf('=')));
      for (Object value : listed.get(setting.name())) {
        if (!effective.getOrDefault(setting.name(), Set.of()).contains(value)) {
          throw new IllegalArgumentException(
              setting.name()
                  + "="
                  + written(setting, value)
                  + " has no effect: expected "
                  + setting.condition().inVariants());
        }
      }
    }
  }

  private static Setting<?> setting(Options<?> options, String name) {
    return options.settings().stream()
        .filter(setting -> setting.written() && setting.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "variant option '" + name + "': expected one of " + names(options)));
  }

  private static String names(Options<?> options) {
    return options.settings().stream()
        .filter(Setting::written)
        .map(Setting::name)
        .collect(Collectors.joining(", "));
  }

  private static String written(Options<?> options, Map<String, Object> values) {
    return values.entrySet().stream()
        .map(
            each -> each.getKey() + "=" + written(setting(options, each.getKey()), each.getValue()))
        .collect(Collectors.joining(","));
  }

  @SuppressWarnings("unchecked") // parsed by the setting
  private static <V> String written(Setting<V> setting, Object value) {
    return setting.write((V) value);
  }

  /**
   * Short names: for each variant the values of those settings in which they differ, each with its
   * setting's name where it does not say by itself what it is.
   *
   * @param variants of one algorithm
   * @return a name for each, in their order; the first setting's if there is but one variant, and
   *     {@code default} where no setting has an effect
   */
  public static List<String> labels(List<? extends Options<?>> variants) {
    List<Map<String, String>> written = variants.stream().map(Options::written).toList();
    Map<String, String> first = new LinkedHashMap<>();
    Set<String> differing = new HashSet<>();
    Map<String, Set<String>> owners = new HashMap<>();
    for (Map<String, String> variant : written) {
      variant.forEach(
          (name, value) -> {
            owners.computeIfAbsent(value, absent -> new HashSet<>()).add(name);
            if (!first.computeIfAbsent(name, absent -> value).equals(value)) {
              differing.add(name);
            }
          });
    }
    return written.stream().map(variant -> label(variant, differing, owners)).toList();
  }

  private static String label(
      Map<String, String> variant, Set<String> differing, Map<String, Set<String>> owners) {
    String label =
        variant.entrySet().stream()
            .filter(each -> differing.contains(each.getKey()))
            .map(each -> label(each, owners))
            .collect(Collectors.joining(" "));
    return label.isEmpty()
        ? variant.entrySet().stream().findFirst().map(each -> label(each, owners)).orElse("default")
        : label;
  }

  /** A value that says by itself what it is, or with its name. */
  private static String label(Map.Entry<String, String> value, Map<String, Set<String>> owners) {
    String text = value.getValue();
    boolean alone =
        owners.get(text).size() == 1
            && !DecimalText.isNumber(text)
            && !text.matches("on|off|default");
    return alone ? text : value.toString();
  }
}
