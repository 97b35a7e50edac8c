package io.magpie.examples.cli.output;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;

/** Version and source revision of what runs. */
public final class BuildInfo implements CommandLine.IVersionProvider {
  /** Property: the folder of the clone or of the bundle; the launchers set it. */
  public static final String HOME = "magpie.home";

  /** Property: the command that started Magpie, as it was called; the launchers set it. */
  public static final String COMMAND = "magpie.command";

  private static final String UNKNOWN = "unknown";

  private static final String VERSION = load();

  /** By home: each command asks for it as it is made, and so does each output. */
  private static final Map<String, String> REVISIONS = new ConcurrentHashMap<>();

  private static String load() {
    Properties properties = new Properties();
    try (InputStream in = BuildInfo.class.getResourceAsStream("build.properties")) {
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty("version");
  }

  /** The command that started Magpie, as a user can give it again. */
  public static String command() {
    return System.getProperty(COMMAND, "magpie");
  }

  /** Magpie's version, from the build. */
  public static String version() {
    return VERSION;
  }

  /**
   * The source revision: what {@code git describe} says of the clone, with {@code -dirty} if it was
   * changed; in a bundle what it was built from; {@code unknown} elsewhere.
   */
  public static String revision() {
    String home = System.getProperty(HOME);
    return home == null ? UNKNOWN : REVISIONS.computeIfAbsent(home, BuildInfo::revision);
  }

  private static String revision(String home) {
    try {
      Path file = Path.of(home, "REVISION");
      if (Files.isRegularFile(file)) {
        return Files.readString(file).strip();
      }
      if (Files.exists(Path.of(home, ".git"))) {
        Process git =
            new ProcessBuilder("git", "-C", home, "describe", "--always", "--dirty", "--abbrev=12")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (git.waitFor(10, TimeUnit.SECONDS) && git.exitValue() == 0 && !said.isBlank()) {
          return said.strip();
        }
      }
    } catch (IOException e) {
      return UNKNOWN;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return UNKNOWN;
  }

  @Override
  public String[] getVersion() {
    return new String[] {
      "magpie " + VERSION,
      "revision " + revision(),
      "Java " + Runtime.version() + ", " + System.getProperty("java.vm.name")
    };
  }
}
