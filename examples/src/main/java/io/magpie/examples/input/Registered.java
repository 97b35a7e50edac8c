package io.magpie.examples.input;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What jars on the class path register as services, each of a name of its own. */
public final class Registered {
  /** Where a jar has a file for each type of service, with the names of classes. */
  private static final String SERVICES = "META-INF/services/";

  /** The variable by which the launchers add jars to the class path. */
  public static final String JARS = "MAGPIE_CLASSPATH";

  private Registered() {}

  /** What a service of the user's own needs to be found, for messages. */
  public static String needed(Class<?> type) {
    return "to add your own, put a jar that has " + SERVICES + type.getName() + " on " + added();
  }

  /** What says that something may be unknown because its jar is not there. */
  public static String whatMayBeAdded() {
    return "Kinds of input, algorithms and their options may come from jars on " + added() + ".";
  }

  /** The variable that names the jars, and what it names. */
  static String added() {
    String added = System.getenv(JARS);
    return JARS + (added == null || added.isEmpty() ? " (now not set)" : " (now: " + added + ")");
  }

  /**
   * All services of a type that can be found.
   *
   * @param own those that come with Magpie without being registered, first
   * @param noun what a service is, such as "comparison"
   * @param name a service's name
   * @throws ServiceConfigurationError if one cannot be loaded, does not say its name, or has the
   *     name of another; the message names the classes and their jars
   */
  public static <S> List<S> all(
      Class<S> type, List<? extends S> own, String noun, Function<? super S, String> name) {
    return usable(type, own, noun, name, Registered::fail);
  }

  /**
   * The same, but for those that cannot be used.
   *
   * @param broken takes what is wrong with each of these
   */
  public static <S> List<S> usable(
      Class<S> type,
      List<? extends S> own,
      String noun,
      Function<? super S, String> name,
      Consumer<ServiceConfigurationError> broken) {
    Map<String, S> all = new LinkedHashMap<>();
    own.forEach(each -> all.put(name.apply(each), each));
    for (S each : loaded(type, broken)) {
      try {
        String called = text(each, noun, "name", name);
        S other = all.putIfAbsent(called, each);
        if (other != null) {
          throw new ServiceConfigurationError(
              noun
                  + " '"
                  + called
                  + "' of "
                  + origin(each)
                  + " has the same name as "
                  + (own.contains(other) ? "one of Magpie's own" : "that of " + origin(other)));
        }
      } catch (ServiceConfigurationError e) {
        broken.accept(e);
      }
    }
    return new ArrayList<>(all.values());
  }

  /** For those who use all services or none. */
  static void fail(ServiceConfigurationError broken) {
    throw broken;
  }

  private static <S> List<S> loaded(Class<S> type, Consumer<ServiceConfigurationError> broken) {
    List<S> all = new ArrayList<>();
    Iterator<S> services = ServiceLoader.load(type).iterator();
    while (true) {
      boolean isAsked = false;
      try {
        if (!services.hasNext()) {
          return all;
        }
        isAsked = true;
        all.add(services.next());
      } catch (ServiceConfigurationError e) {
        broken.accept(unusable(type, e.getMessage(), e));
        if (!isAsked && e.getCause() instanceof IOException) {
          return all; // the class path cannot be read, now as next time
        }
      } catch (LinkageError e) { // such as a class of a newer Java's
        broken.accept(unusable(type, type.getName() + ": " + e, e));
      }
    }
  }

  private static ServiceConfigurationError unusable(Class<?> type, String why, Error e) {
    return new ServiceConfigurationError(why + registrar(type, why), e);
  }

  /**
   * Which jar registers a class that a failure names or that cannot be loaded, unless the failure
   * says so itself, as those of malformed service files do.
   */
  private static String registrar(Class<?> type, String failure) {
    ClassLoader loader =
        Objects.requireNonNullElse(
            Thread.currentThread().getContextClassLoader(), ClassLoader.getSystemClassLoader());
    try {
      for (URL file : Collections.list(loader.getResources(SERVICES + type.getName()))) {
        if (!failure.contains(file.toString())
            && providers(file).anyMatch(each -> names(failure, each) || !loads(each, loader))) {
          return ", registered in " + root(file, SERVICES + type.getName());
        }
      }
    } catch (IOException e) {
      return ""; // what failed first is what is told
    }
    return "";
  }

  /** The names of classes in a service file. */
  private static Stream<String> providers(URL file) throws IOException {
    URLConnection connection = file.openConnection();
    connection.setUseCaches(false); // which would keep the jar open
    try (InputStream in = connection.getInputStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(line -> line.replaceFirst("#.*", "").strip())
          .filter(name -> !name.isEmpty());
    }
  }

  private static boolean names(String text, String name) {
    return Pattern.compile("(?<![\\w.$])" + Pattern.quote(name) + "(?![\\w.$])")
        .matcher(text)
        .find();
  }

  private static boolean loads(String name, ClassLoader loader) {
    try {
      Class.forName(name, false, loader);
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  /** The jar or folder that has a file. */
  private static String root(URL file, String member) throws IOException {
    String text = file.toString();
    String root = text.substring(0, text.length() - member.length());
    return path(new URL(root.replaceFirst("^jar:", "").replaceFirst("!/$", "")));
  }

  private static String path(URL url) {
    try {
      return Path.of(url.toURI()).toString();
    } catch (URISyntaxException | IllegalArgumentException | FileSystemNotFoundException e) {
      return url.toString();
    }
  }

  /** A service's class, and the jar or folder that this is from. */
  public static String origin(Object service) {
    return service.getClass().getName() + jar(service).map(each -> " in " + each).orElse("");
  }

  /** The jar or folder that a service's class is from. */
  public static Optional<String> jar(Object service) {
    return Optional.ofNullable(service.getClass().getProtectionDomain().getCodeSource())
        .map(source -> path(source.getLocation()));
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
          noun + " " + origin(service) + " does not say its " + what + ": " + e, e);
    }
    if (text == null || text.isBlank()) {
      throw new ServiceConfigurationError(noun + " " + origin(service) + " has no " + what);
    }
    return text;
  }
}
