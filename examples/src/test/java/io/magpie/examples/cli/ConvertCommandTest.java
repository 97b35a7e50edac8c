package io.magpie.examples.cli;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Graphs in another format: what is refused, and how. */
class ConvertCommandTest {
  @TempDir Path folder;

  private Path generated(String spec, String name) {
    Path file = folder.resolve(name);
    CommandRun.of("generate", spec, "--out", file.toString()).expect(ExitStatus.OK);
    return file;
  }

  private CommandRun converted(String engine, Path from, Path to) {
    return CommandRun.of(
        "convert", "--engine", engine, "--graph", from.toString(), "--out", to.toString());
  }

  /** Also where the damage is seen only when most of the output has been written. */
  @ParameterizedTest
  @ValueSource(strings = {"memory", "stream"})
  void aDamagedFileIsBadInput(String engine) throws IOException {
    Path copy = folder.resolve("copy.mpe");
    for (String name : new String[] {"a.mpe", "a.mpg"}) {
      Path file = generated("random:n=500,m=3000", name);
      byte[] bytes = Files.readAllBytes(file);
      bytes[bytes.length - 1] ^= 1; // of the checksum
      Files.write(file, bytes);
      CommandRun run = converted(engine, file, copy).expect(ExitStatus.BAD_INPUT);
      assertTrue(run.err().startsWith("magpie convert: " + file + ": found checksum"), run.err());
      assertFalse(run.err().contains("cannot be written"), run.err());
      assertFalse(Files.exists(copy));
    }
  }
}
