package io.magpie.verification.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LaunchCommandTest {
  private static final Set<Path> LAUNCHERS = Set.of(Path.of("/me/clone/examples/magpie"));

  private static String near(String file, String present, String known) {
    return LaunchCommand.near(Path.of(file), Path.of(present), known, LAUNCHERS::contains);
  }

  /** It is found from wherever the file is. */
  @ParameterizedTest
  @CsvSource({
    "examples/tutorial/a.cu, /me/clone, examples/magpie",
    "a.cu, /me/clone, examples/magpie",
    "../a.cu, /me/clone/examples/tutorial/target, ../../magpie",
    "../clone/a.cu, /me/project, ../clone/examples/magpie",
    "/me/clone/examples/tutorial/a.cu, /me/project, /me/clone/examples/magpie",
    "/me/project/a.cu, /me/clone/examples, /me/clone/examples/magpie",
    "a.cu, /me/project, magpie",
    "/me/project/a.cu, /me, magpie",
  })
  void theLauncherOfAClone(String file, String present, String command) {
    assertEquals(command, near(file, present, null));
  }

  @Test
  void whatStartedMagpieIsTaken() {
    assertEquals("bin/magpie", near("a.cu", "/me/clone", "bin/magpie"));
  }
}
