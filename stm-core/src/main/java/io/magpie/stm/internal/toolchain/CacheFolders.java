package io.magpie.stm.internal.toolchain;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Where this user's cache may lie. What is asked for is the only choice; otherwise the first that
 * is private is taken. Never a folder that depends on the working directory.
 */
final class CacheFolders {
  /** Environment variable with the folder to use. */
  static final String VARIABLE = "MAGPIE_CACHE";

  /** System property with the folder to use; comes before the environment. */
  static final String PROPERTY = "magpie.cache";

  private CacheFolders() {}

  /** The choices of this process, in order; possibly none. */
  static List<Path> ofUser() {
    return choices(
        System.getProperty(PROPERTY), System.getenv(), System.getProperty("user.home", ""));
  }

  /**
   * The choices, in order.
   *
   * @param property the value of {@link #PROPERTY}, or null
   * @param userHome the home that the system knows of; another than {@code HOME} under sudo, and
   *     nonsense for a user whom the system does not know
   */
  static List<Path> choices(String property, Map<String, String> environment, String userHome) {
    for (String asked : new String[] {property, environment.get(VARIABLE)}) {
      if (asked != null && !asked.isBlank()) {
        return List.of(Path.of(asked));
      }
    }
    List<Path> choices = new ArrayList<>();
    add(choices, environment.get("XDG_CACHE_HOME"), "magpie");
    add(choices, environment.get("HOME"), ".cache/magpie");
    add(choices, userHome, ".cache/magpie");
    return choices;
  }

  private static void add(List<Path> choices, String home, String below) {
    if (home != null && Path.of(home).isAbsolute()) {
      Path folder = Path.of(home, below);
      if (!choices.contains(folder)) {
        choices.add(folder);
      }
    }
  }
}
