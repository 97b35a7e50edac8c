package io.magpie.examples.cli;

import io.magpie.examples.compare.Comparisons;
import io.magpie.examples.input.Inputs;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceConfigurationError;

/** Tells failures of comparisons and input kinds that jars add from failures of Magpie itself. */
final class ForeignCode {
  /**
   * A comparison or an input kind.
   *
   * @param noun which of both
   * @param name on the command line
   * @param type its class
   */
  private record Service(String noun, String name, Class<?> type) {
    boolean has(StackTraceElement frame) {
      String name = frame.getClassName();
      return name.equals(type.getName()) || name.startsWith(type.getName() + "$");
    }

    @Override
    public String toString() {
      return noun + " '" + name + "' (" + type.getName() + ")";
    }
  }

  private ForeignCode() {}

  /**
   * Whose fault a failure is.
   *
   * @param arguments of the command line, which name what was asked for
   * @return what jars add, with its name and class, if the failure came out of its class, or out of
   *     another class of its jar; otherwise empty
   */
  static Optional<String> culprit(Throwable failure, List<String> arguments) {
    List<Service> services;
    try {
      services = services();
    } catch (ServiceConfigurationError e) { // then it has not been called either
      return Optional.empty();
    }
    List<StackTraceElement> frames = frames(failure);
    return frames.stream()
        .flatMap(frame -> services.stream().filter(each -> each.has(frame)))
        .findFirst()
        .or(() -> ofJar(frames, services, arguments))
        .map(Service::toString);
  }

  private static Optional<Service> ofJar(
      List<StackTraceElement> frames, List<Service> services, List<String> arguments) {
    for (StackTraceElement frame : frames) {
      Object jar = jar(frame.getClassName());
      List<Service> ofIt =
          services.stream().filter(each -> jar != null && jar.equals(jar(each.type()))).toList();
      if (!ofIt.isEmpty()) {
        return ofIt.stream()
            .filter(each -> arguments.contains(each.name()))
            .findFirst()
            .or(() -> Optional.of(ofIt.get(0)));
      }
    }
    return Optional.empty();
  }

  /** Those that do not come with Magpie. */
  private static List<Service> services() {
    List<Service> services = new ArrayList<>();
    Comparisons.registered()
        .forEach(each -> services.add(new Service("comparison", each.name(), each.getClass())));
    Inputs.kinds()
        .forEach(each -> services.add(new Service("input kind", each.name(), each.getClass())));
    Object own = jar(Magpie.class);
    services.removeIf(each -> Objects.equals(jar(each.type()), own));
    return services;
  }

  /** Where a failure and its causes came from, innermost first, up to the command line. */
  private static List<StackTraceElement> frames(Throwable failure) {
    List<StackTraceElement> frames = new ArrayList<>();
    for (Throwable each = failure; each != null; each = each.getCause()) {
      for (StackTraceElement frame : each.getStackTrace()) {
        if (frame.getClassName().equals(Magpie.class.getName())) {
          break;
        }
        frames.add(frame);
      }
    }
    return frames;
  }

  private static Object jar(String className) {
    try {
      ClassLoader loader = Thread.currentThread().getContextClassLoader();
      return jar(Class.forName(className, false, loader));
    } catch (ClassNotFoundException | LinkageError e) {
      return null;
    }
  }

  /** The place that a class was loaded from; null of Java's own. */
  private static Object jar(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    return source == null ? null : source.getLocation();
  }
}
