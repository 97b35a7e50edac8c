package io.magpie.examples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputFileTest {
  @TempDir Path folder;

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void aFailureInTheMiddleLeavesWhatWasThere() throws IOException {
    Path path = folder.resolve("result.txt");
    Files.writeString(path, "before");
    OutputException e =
        assertThrows(
            OutputException.class,
            () ->
                OutputFile.at(path)
                    .write(
                        out -> {
                          out.write(new byte[1 << 20]);
                          throw new IOException("No space left on device");
                        }));
    assertTrue(e.getMessage().contains("result.txt: cannot be written: No space"), e.getMessage());
    assertEquals("before", Files.readString(path));
    assertEquals(List.of("result.txt"), names());
  }

  @Test
  void replacesWhatWasThere() throws IOException {
    Path path = folder.resolve("result.txt");
    Files.writeString(path, "before");
    OutputFile.at(path).writeLines(List.of("after", "it"));
    assertEquals("after\nit\n", Files.readString(path));
    assertEquals(List.of("result.txt"), names());
  }
}
