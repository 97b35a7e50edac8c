package io.magpie.examples.input;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Function;

/** What jars on the class path register as services, each of a name of its own. */
public final class Registered {
  private Registered() {}

  /**
   * All services of a type that can be found.
   *
   * @param own those that come with Magpie without being registered, first
   * @param noun what a service is, such as "comparison"
   * @param name a service's name
   * @throws ServiceConfigurationError if one cannot be loaded, does not say its name, or has the
   *     name of another; the message names the classes
   */
  public static <S> List<S> all(
      Class<S> type, List<? extends S> own, String noun, Function<? super S, String> name) {
    Map<String, S> all = new LinkedHashMap<>();
    own.forEach(each -> all.put(name.apply(each), each));
    for (S each : ServiceLoader.load(type)) {
      String called = text(each, noun, "name", name);
      S other = all.putIfAbsent(called, each);
      if (other != null) {
        throw new ServiceConfigurationError(
            noun
                + " '"
                + called
                + "' of "
                + each.getClass().getName()
                + " has the same name as "
                + (own.contains(other)
                    ? "one of Magpie's own"
                    : "that of " + other.getClass().getName()));
      }
    }
    return new ArrayList<>(all.values());
  }

  /**
   * A text that a service says of itself.
   *
   * @param what which one
   * @throws ServiceConfigurationError if it is null or blank, or cannot be had
   */
  static <S> String text(S service, String noun, String what, Function<? super S, String> getter) {
    String text;
    try {
      text = getter.apply(service);
    } catch (RuntimeException | LinkageError e) { // the latter of a jar for another version
      throw new ServiceConfigurationError(
          noun + " " + service.getClass().getName() + " does not say its " + what + ": " + e, e);
    }
    if (text == null || text.isBlank()) {
      throw new ServiceConfigurationError(
          noun + " " + service.getClass().getName() + " has no " + what);
    }
    return text;
  }
}
