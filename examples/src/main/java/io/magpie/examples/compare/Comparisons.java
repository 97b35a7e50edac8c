package io.magpie.examples.compare;

import io.magpie.examples.input.Registered;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;

/**
 * The algorithms that can be compared: every {@link Comparison} that a jar on the class path names
 * in {@code META-INF/services/io.magpie.examples.compare.Comparison}.
 */
public final class Comparisons {
  private Comparisons() {}

  /**
   * All of them.
   *
   * @throws ServiceConfigurationError if one cannot be loaded, has no name, or has that of another;
   *     the message names their classes
   */
  public static List<Comparison<?>> registered() {
    return Registered.all(Comparison.class, List.of(), "comparison", Comparison::name).stream()
        .<Comparison<?>>map(each -> each)
        .toList();
  }

  /** The one of a name. */
  public static Optional<Comparison<?>> named(String name) {
    return registered().stream().filter(each -> each.name().equals(name)).findFirst();
  }
}
