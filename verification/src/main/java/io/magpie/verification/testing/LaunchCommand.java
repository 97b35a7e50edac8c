package io.magpie.verification.testing;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;

/** What a failure's command begins with. */
final class LaunchCommand {
  /** Property: the command that started Magpie, as it was called; launchers set it. */
  private static final String COMMAND = "magpie.command";

  private static final Path IN_CLONE = Path.of("examples", "magpie");

  private LaunchCommand() {}

  /**
   * What runs Magpie: the command that started it; else the launcher of the clone that a file lies
   * in, or the present folder does; else {@code magpie}, which may be on the path.
   *
   * @param file named by the command: the launcher is absolute if it is, so that both are found
   *     from the same folders
   */
  static String near(Path file) {
    return near(
        file,
        Path.of("").toAbsolutePath(),
        System.getProperty(COMMAND),
        path -> Files.isRegularFile(path) && Files.isExecutable(path));
  }

  static String near(Path file, Path present, String known, Predicate<Path> isLauncher) {
    if (known != null) {
      return known;
    }
    for (Path from : List.of(present.resolve(file).normalize(), present)) {
      for (Path folder = from; folder != null; folder = folder.getParent()) {
        Path launcher = folder.resolve(IN_CLONE);
        if (isLauncher.test(launcher)) {
          return (file.isAbsolute() ? launcher : present.relativize(launcher)).toString();
        }
      }
    }
    return "magpie";
  }
}
