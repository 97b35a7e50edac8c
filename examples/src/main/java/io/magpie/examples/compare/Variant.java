package io.magpie.examples.compare;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** A value for each of an algorithm's choices that has an effect. */
public final class Variant {
  private final Map<String, String> values;

  private Variant(Map<String, String> values) {
    this.values = Collections.unmodifiableMap(values);
  }

  /**
   * The variant with the given values and defaults for the rest. What has no effect beside the
   * others is left out, so that variants which differ only there are equal.
   *
   * @param choices the algorithm's choices
   * @param given values by name
   * @throws IllegalArgumentException if a name or value is unknown
   */
  public static Variant of(List<Choice> choices, Map<String, String> given) {
    for (String name : given.keySet()) {
      choice(choices, name);
    }
    Map<String, String> values = new LinkedHashMap<>();
    for (Choice choice : choices) {
      String value = given.getOrDefault(choice.name(), choice.byDefault());
      choice.check(value);
      if (choice.hasEffectWith(values)) {
        values.put(choice.name(), value);
      }
    }
    return new Variant(values);
  }

  /**
   * All combinations of the values that are listed.
   *
   * @param choices the algorithm's choices
   * @param terms each {@code name=value[,value...]}, {@code name=all} or {@code all} alone
   * @return different variants, those of the first values first
   * @throws IllegalArgumentException if a term is malformed, or a name or value is unknown
   */
  public static List<Variant> combinations(List<Choice> choices, Collection<String> terms) {
    Map<String, List<String>> listed = new LinkedHashMap<>();
    if (terms.contains("all")) { // of the rest
      choices.stream()
          .filter(choice -> choice.kind() == Choice.Kind.LISTED)
          .forEach(choice -> listed.put(choice.name(), choice.values()));
    }
    Set<String> names = new HashSet<>();
    for (String term : terms) {
      int equals = term.indexOf('=');
      if (!names.add(equals < 1 ? term : term.substring(0, equals))) {
        throw new IllegalArgumentException(
            (equals < 1 ? term : term.substring(0, equals))
                + " is given twice; list its values in one, as in name=value,value");
      }
      if (term.equals("all")) {
        continue;
      }
      if (equals < 1) {
        throw new IllegalArgumentException(
            "variant '"
                + term
                + "': expected name=value,..., with a name of "
                + choices.stream().map(Choice::name).collect(Collectors.joining(", ")));
      } else {
        Choice choice = choice(choices, term.substring(0, equals));
        String values = term.substring(equals + 1);
        listed.put(
            choice.name(), values.equals("all") ? choice.values() : List.of(values.split(",", -1)));
      }
    }
    List<Map<String, String>> combinations = new ArrayList<>();
    combinations.add(Map.of());
    for (Map.Entry<String, List<String>> each : listed.entrySet()) {
      List<Map<String, String>> longer = new ArrayList<>();
      for (Map<String, String> begun : combinations) {
        for (String value : each.getValue()) {
          Map<String, String> more = new LinkedHashMap<>(begun);
          more.put(each.getKey(), value);
          longer.add(more);
        }
      }
      combinations = longer;
    }
    Set<Variant> variants = new LinkedHashSet<>();
    combinations.forEach(values -> variants.add(of(choices, values)));
    for (String term : terms) {
      if (!term.endsWith("all")) {
        requireEffect(choices, term, variants);
      }
    }
    return List.copyOf(variants);
  }

  /** Refuses a value that was asked for and has no effect in any variant. */
  private static void requireEffect(List<Choice> choices, String term, Set<Variant> variants) {
    String name = term.substring(0, term.indexOf('='));
    for (String value : term.substring(name.length() + 1).split(",", -1)) {
      if (variants.stream().noneMatch(variant -> value.equals(variant.get(name)))) {
        throw new IllegalArgumentException(
            name + "=" + value + " has no effect: expected " + choice(choices, name).onlyWith());
      }
    }
  }

  private static Choice choice(List<Choice> choices, String name) {
    return choices.stream()
        .filter(choice -> choice.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "variant option '"
                        + name
                        + "': expected one of "
                        + choices.stream().map(Choice::name).collect(Collectors.joining(", "))));
  }

  /** The values by name, in the order of the choices. */
  public Map<String, String> values() {
    return values;
  }

  /** The value of a choice; null if it has no effect here. */
  public String get(String name) {
    return values.get(name);
  }

  /**
   * Short names: for each variant the values of those choices in which they differ.
   *
   * @param variants of one algorithm
   * @return a name for each, in their order; the first choice's if there is but one variant
   */
  public static List<String> labels(List<Variant> variants) {
    Set<String> differing = new LinkedHashSet<>();
    for (Variant variant : variants) {
      for (Variant other : variants) {
        variant.values.forEach(
            (name, value) -> {
              if (other.values.containsKey(name) && !other.values.get(name).equals(value)) {
                differing.add(name);
              }
            });
      }
    }
    List<String> labels = new ArrayList<>();
    for (Variant variant : variants) {
      String label =
          variant.values.entrySet().stream()
              .filter(each -> differing.contains(each.getKey()))
              .map(Variant::label)
              .collect(Collectors.joining(" "));
      labels.add(label.isEmpty() ? label(variant.values.entrySet().iterator().next()) : label);
    }
    return labels;
  }

  /** A value that says by itself what it is, or with its name. */
  private static String label(Map.Entry<String, String> value) {
    return value.getValue().matches("[\\d.]+|on|off") ? value.toString() : value.getValue();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Variant variant && values.equals(variant.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  @Override
  public String toString() {
    return values.entrySet().stream().map(Object::toString).collect(Collectors.joining(","));
  }
}
