package io.magpie.examples.cli.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.examples.compare.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TerminalTest {
  @TempDir Path folder;

  private boolean isTerminal(String target) throws IOException {
    Path link = folder.resolve("2");
    Files.deleteIfExists(link);
    return Terminal.isTerminal(Files.createSymbolicLink(link, Path.of(target)));
  }

  @Test
  void aBarIsForTerminalsOnly() throws IOException {
    assertTrue(isTerminal("/dev/pts/3"));
    assertTrue(isTerminal("/dev/tty1"));
    assertFalse(isTerminal("/dev/null"));
    assertFalse(isTerminal("pipe:[12345]"));
    assertFalse(isTerminal("/home/tty/log"));
    assertFalse(Terminal.isTerminal(folder.resolve("none")));
    if (!Terminal.isTerminal(Path.of("/proc/self/fd/2"))) {
      assertEquals(Progress.NONE, Terminal.progress());
    }
  }
}
