package io.magpie.examples.compare;

import io.magpie.examples.input.Registered;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.function.Consumer;

/**
 * The algorithms that can be compared: every {@link Comparison} that a jar on the class path names
 * in {@code META-INF/services/io.magpie.examples.compare.Comparison}.
 */
public final class Comparisons {
  private static final String NOUN = "comparison";

  private Comparisons() {}

  /**
   * All of them.
   *
   * @throws ServiceConfigurationError if one cannot be loaded, has no name, or has that of another;
   *     the message names their classes
   */
  public static List<Comparison<?>> registered() {
    return typed(Registered.all(Comparison.class, List.of(), NOUN, Comparison::name));
  }

  /**
   * The same, but for those that cannot be used.
   *
   * @param broken takes what is wrong with each of these
   */
  public static List<Comparison<?>> usable(Consumer<ServiceConfigurationError> broken) {
    return typed(Registered.usable(Comparison.class, List.of(), NOUN, Comparison::name, broken));
  }

  @SuppressWarnings("rawtypes")
  private static List<Comparison<?>> typed(List<Comparison> all) {
    return all.stream().<Comparison<?>>map(each -> each).toList();
  }

  /** The one of a name. */
  public static Optional<Comparison<?>> named(String name) {
    return registered().stream().filter(each -> each.name().equals(name)).findFirst();
  }
}
