package io.magpie.algorithms;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A condition on settings: when another setting has an effect, or what a value needs. */
public final class Condition {
  /** Holds always. */
  public static final Condition ALWAYS = new Condition(List.of());

  private final List<Term<?>> terms;

  private Condition(List<Term<?>> terms) {
    this.terms = terms;
  }

  static <V> Condition of(Setting<V> setting, List<V> values) {
    return new Condition(List.of(new Term<>(setting, values, true)));
  }

  static <V> Condition except(Setting<V> setting, V value) {
    return new Condition(List.of(new Term<>(setting, List.of(value), false)));
  }

  /** Holds if this or the other holds. */
  public Condition or(Condition other) {
    Objects.requireNonNull(other, "other");
    return new Condition(Stream.concat(terms.stream(), other.terms.stream()).toList());
  }

  /** Whether it holds for some options. A setting that has no effect itself has no value here. */
  public boolean holds(Options<?> options) {
    return terms.isEmpty() || terms.stream().anyMatch(term -> term.holds(options));
  }

  /**
   * As variants write it, such as {@code matching=stm or refinement=stm|stm-reserved}; with the
   * condition of a setting that has one behind it: {@code policy=hand_off with merge=stm}.
   */
  public String inVariants() {
    return written(
        Setting::name, setting -> "=", values -> String.join("|", values), Condition::inVariants);
  }

  /** As command lines write it, such as {@code --matching stm or --refinement stm}. */
  public String onCommandLine() {
    return written(
        Setting::option, Setting::beforeValue, Condition::either, Condition::onCommandLine);
  }

  private static String either(List<String> values) {
    int last = values.size() - 1;
    return last == 0
        ? values.get(0)
        : String.join(", ", values.subList(0, last)) + " or " + values.get(last);
  }

  private String written(
      Function<Setting<?>, String> name,
      Function<Setting<?>, String> is,
      Function<List<String>, String> join,
      Function<Condition, String> condition) {
    return terms.stream()
        .map(
            term -> {
              Condition own = term.setting().condition();
              return name.apply(term.setting())
                  + (term.among() ? is.apply(term.setting()) : " other than ")
                  + join.apply(term.written())
                  + (own.terms.isEmpty() ? "" : " with " + condition.apply(own));
            })
        .collect(Collectors.joining(" or "));
  }

  /**
   * What JSON Schema says of an object with the values of settings if it holds.
   *
   * @param fields the settings that the object has, each by the name of its field
   * @param value gives a value as it is there
   * @return empty if the object does not tell
   */
  Optional<Map<String, Object>> schema(Map<String, Setting<?>> fields, Written value) {
    List<Map<String, Object>> any = new ArrayList<>();
    for (Term<?> term : terms) {
      Map<String, Object> one = term.schema(fields, value);
      if (one == null) {
        return Optional.empty();
      }
      any.add(one);
    }
    return Optional.of(any.size() == 1 ? any.get(0) : Map.of("anyOf", any));
  }

  /** How a setting's value is written in an object. */
  interface Written {
    <V> Object value(Setting<V> setting, V value);
  }

  @Override
  public String toString() {
    return terms.isEmpty() ? "always" : inVariants();
  }

  /** That a setting's value is among some, or that it is none of them. */
  private record Term<V>(Setting<V> setting, List<V> values, boolean among) {
    boolean holds(Options<?> options) {
      return isMet(options.get(setting)) && setting.condition().holds(options);
    }

    private boolean isMet(V value) {
      return values.contains(value) == among;
    }

    /** Null if no field has its setting. */
    Map<String, Object> schema(Map<String, Setting<?>> fields, Written written) {
      for (Map.Entry<String, Setting<?>> each : fields.entrySet()) {
        if (each.getValue().name().equals(setting.name())) {
          List<Object> listed = values.stream().map(v -> written.value(setting, v)).toList();
          Map<String, Object> schema = new LinkedHashMap<>();
          Map<String, Object> listing = Map.of("enum", listed);
          schema.put("properties", Map.of(each.getKey(), among ? listing : Map.of("not", listing)));
          boolean isToldIfItCounts = each.getValue().condition() == setting.condition();
          if (isToldIfItCounts || !isMet(setting.byDefault())) {
            schema.put("required", List.of(each.getKey()));
          }
          return schema;
        }
      }
      return null;
    }

    List<String> written() {
      return values.stream().map(setting::write).toList();
    }
  }
}
