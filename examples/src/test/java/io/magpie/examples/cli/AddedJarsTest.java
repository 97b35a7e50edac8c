package io.magpie.examples.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.examples.cli.options.AddedJars;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the user's own jars are that MAGPIE_CLASSPATH names and that are not there. */
class AddedJarsTest {
  private static final String MESSAGE =
      "MAGPIE_CLASSPATH names files that do not exist: /no/a.jar, /no/b/*; name jars and folders that"
          + " exist, joined by ':'";

  @ParameterizedTest
  @ValueSource(strings = {"compare mine --edges a.csv", "msf --generate path:9", ""})
  void areNamedBeforeAnythingElse(String words) {
    assertEquals(
        Optional.of(MESSAGE), Magpie.missingJars("/no/a.jar:/tmp::/no/b/*", words.split(" ")));
  }

  @Test
  void areLeftToTheDoctor() {
    assertEquals(Optional.empty(), Magpie.missingJars("/no/a.jar", "doctor", "--quick"));
    assertEquals(Optional.empty(), Magpie.missingJars("/no/a.jar", "--stacktrace", "doctor"));
    assertTrue(Magpie.missingJars("/no/a.jar", "run", "doctor").isPresent());
  }

  @ParameterizedTest
  @ValueSource(strings = {"--help", "-h", "--version", "-V", "compare --help"})
  void areNotInTheWayOfHelp(String words) {
    assertEquals(Optional.empty(), Magpie.missingJars("/no/a.jar", words.split(" ")));
  }

  @Test
  void areNoneWhereAllIsThere() {
    assertEquals(Optional.empty(), Magpie.missingJars(null, "devices"));
    assertEquals(Optional.empty(), Magpie.missingJars("", "devices"));
    assertEquals(Optional.empty(), Magpie.missingJars("/tmp:/tmp/*:", "devices"));
  }

  @Test
  void areWrongUsage() throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            "compare",
            "mine",
            "--edges",
            "a.csv");
    builder.environment().put(AddedJars.VARIABLE, "/no/a.jar:/no/b/*");
    Process process = builder.redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertTrue(process.waitFor(60, TimeUnit.SECONDS), "it hangs");

    assertEquals("magpie: " + MESSAGE + "\n", said.replaceAll("(?m)^Picked up .*\\R", ""));
    assertEquals(ExitStatus.USAGE.code(), process.exitValue());
  }
}
