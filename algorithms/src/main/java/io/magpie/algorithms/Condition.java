package io.magpie.algorithms;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
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
    return new Condition(List.of(new Term<>(setting, values)));
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
        setting -> setting.name() + "=", values -> String.join("|", values), Condition::inVariants);
  }

  /** As command lines write it, such as {@code --matching stm or --refinement stm}. */
  public String onCommandLine() {
    return written(Setting::option, Condition::either, Condition::onCommandLine);
  }

  private static String either(List<String> values) {
    int last = values.size() - 1;
    return last == 0
        ? values.get(0)
        : String.join(", ", values.subList(0, last)) + " or " + values.get(last);
  }

  private String written(
      Function<Setting<?>, String> name,
      Function<List<String>, String> join,
      Function<Condition, String> condition) {
    return terms.stream()
        .map(
            term -> {
              Condition own = term.setting().condition();
              return name.apply(term.setting())
                  + join.apply(term.written())
                  + (own.terms.isEmpty() ? "" : " with " + condition.apply(own));
            })
        .collect(Collectors.joining(" or "));
  }

  @Override
  public String toString() {
    return terms.isEmpty() ? "always" : inVariants();
  }

  private record Term<V>(Setting<V> setting, List<V> values) {
    boolean holds(Options<?> options) {
      Predicate<V> listed = values::contains;
      return listed.test(options.get(setting)) && setting.condition().holds(options);
    }

    List<String> written() {
      return values.stream().map(setting::write).toList();
    }
  }
}
