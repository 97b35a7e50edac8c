package io.magpie.examples.compare;

import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * The algorithms that can be compared: every {@link Comparison} that a jar on the class path names
 * in {@code META-INF/services/io.magpie.examples.compare.Comparison}.
 */
public final class Comparisons {
  private Comparisons() {}

  /** All of them. */
  public static List<Comparison<?>> registered() {
    return ServiceLoader.load(Comparison.class).stream()
        .<Comparison<?>>map(ServiceLoader.Provider::get)
        .toList();
  }

  /** The one of a name. */
  public static Optional<Comparison<?>> named(String name) {
    return registered().stream().filter(each -> each.name().equals(name)).findFirst();
  }
}
