package io.magpie.examples.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.examples.input.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExternalProgramTest {
  @TempDir Path folder;

  private Path script(String text) throws IOException {
    Path file = folder.resolve("program");
    Files.writeString(file, "#!/bin/sh\n" + text + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    return file;
  }

  @Test
  void runsInAFolderOfItsOwn() throws IOException {
    Path own;
    try (ExternalProgram program =
        new ExternalProgram("program", script("echo took $1 sec; pwd; echo x > made"))) {
      ExternalProgram.Output output = program.run(List.of("1.25"));
      own = program.folder();
      assertTrue(output.text().contains(own.toRealPath().toString()), output.text());
      assertTrue(Files.exists(own.resolve("made")));
      assertEquals(OptionalDouble.of(1.25), output.number(Pattern.compile("took ([0-9.]+) sec")));
      assertEquals(OptionalDouble.empty(), output.number(Pattern.compile("gave ([0-9.]+)")));
      assertTrue(output.millis() > 0);
    }
    assertFalse(Files.exists(own), "its files are gone");
  }

  @Test
  void aFailureSaysHowItEndedAndWhy() throws IOException {
    try (ExternalProgram program =
        new ExternalProgram("program", script("echo cannot do that >&2; exit 7"))) {
      InputException e = assertThrows(InputException.class, () -> program.run(List.of()));
      assertEquals("program ended with status 7: ...cannot do that", e.getMessage());
    }
    try (ExternalProgram program = new ExternalProgram("program", folder.resolve("missing"))) {
      assertThrows(InputException.class, () -> program.run(List.of()));
    }
  }

  @Test
  void whatIsNotOnThePathIsMissing() {
    assertTrue(ExternalProgram.find("sh").isPresent());
    assertTrue(ExternalProgram.find("no-program-of-this-name").isEmpty());
    Baseline baseline = Baseline.onPath("no-program-of-this-name", "nothing", "Nothing 1.0");
    assertEquals(
        "there is no no-program-of-this-name on PATH; install Nothing 1.0",
        baseline.missing().orElseThrow());
    assertTrue(Baseline.onPath("sh", "a shell", "a shell").missing().isEmpty());
  }
}
