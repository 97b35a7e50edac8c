package io.magpie.stm.internal.toolchain;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Macros that a source is compiled with, besides those of its flavor. Immutable; equal if names and
 * values are.
 */
public final class Defines {
  /** None. */
  public static final Defines NONE = new Defines(new TreeMap<>());

  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final Pattern VALUE = Pattern.compile("[A-Za-z0-9_]*");

  /** How the macros begin that leave variants of regions out: see region.cuh. */
  private static final String LEAVES_OUT = "MAGPIE_ONLY_";

  /** The policy that regions are compiled for, and the one without it: see there. */
  private static final String POLICY = "MAGPIE_POLICY";

  private static final String DEFAULT_POLICY = "hand_off";

  /** With one of these and without {@link #POLICY} they are compiled for {@link #SHIPPED}. */
  private static final Set<String> ALL_POLICIES = Set.of("MAGPIE_ALL_POLICIES", "MAGPIE_MUTANTS");

  private static final Set<String> SHIPPED = Set.of(DEFAULT_POLICY, "priority_rule");

  private static final Pattern DEFINED_IN_SOURCE =
      Pattern.compile(
          "^[ \\t]*#[ \\t]*define[ \\t]+(" + String.join("|", ALL_POLICIES) + ")\\b",
          Pattern.MULTILINE);

  private final SortedMap<String, String> values;

  private Defines(SortedMap<String, String> values) {
    this.values = values;
  }

  /**
   * Macros by name.
   *
   * @param values values of letters, digits and underscores, or empty
   * @throws IllegalArgumentException if a name is not an identifier or a value has other characters
   */
  public static Defines of(Map<String, String> values) {
    values.forEach(
        (name, value) -> {
          if (!NAME.matcher(name).matches() || !VALUE.matcher(value).matches()) {
            throw new IllegalArgumentException(
                "define '"
                    + name
                    + "="
                    + value
                    + "': the name must be an identifier, the value letters, digits and"
                    + " underscores");
          }
        });
    return values.isEmpty() ? NONE : new Defines(new TreeMap<>(values));
  }

  /** Whether there are none. */
  public boolean isEmpty() {
    return values.isEmpty();
  }

  /**
   * The same without the macros that leave variants of regions out which are there by default: all
   * but those of other policies than the default one, and that of {@link #SHIPPED} as well if the
   * source or the macros ask for these.
   *
   * @param source the source's text
   */
  Defines whole(String source) {
    Map<String, String> whole = new TreeMap<>(values);
    whole.keySet().removeIf(name -> name.startsWith(LEAVES_OUT));
    boolean everyPolicy =
        values.keySet().stream().anyMatch(ALL_POLICIES::contains)
            || DEFINED_IN_SOURCE.matcher(source).find();
    if (!everyPolicy) {
      whole.remove(POLICY, DEFAULT_POLICY);
    } else if (SHIPPED.contains(whole.getOrDefault(POLICY, ""))) {
      whole.remove(POLICY);
    }
    return of(whole);
  }

  /** The policy that regions are compiled for; empty for those that are by default. */
  Optional<String> policy() {
    return Optional.ofNullable(values.get(POLICY));
  }

  /** The macros' names. */
  Set<String> names() {
    return values.keySet();
  }

  /** The compiler flags, in the order of names. */
  List<String> flags() {
    return values.entrySet().stream().map(each -> "-D" + text(each)).toList();
  }

  private static String text(Map.Entry<String, String> each) {
    return each.getKey() + "=" + each.getValue();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Defines that && values.equals(that.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  /** {@code A=1, B=}: in the order of names. */
  @Override
  public String toString() {
    return values.entrySet().stream().map(Defines::text).collect(Collectors.joining(", "));
  }
}
