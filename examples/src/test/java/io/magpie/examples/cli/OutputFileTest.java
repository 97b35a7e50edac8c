package io.magpie.examples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.partition.PartitionFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
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

  @Test
  void aLinkStaysAndWhatItLeadsToIsReplaced() throws IOException {
    Path inner = Files.createDirectory(folder.resolve("inner"));
    Path file = Files.writeString(inner.resolve("result.txt"), "before");
    Path link = Files.createSymbolicLink(folder.resolve("link.txt"), file);
    OutputFile.at(link).writeLines(List.of("after"));
    assertTrue(Files.isSymbolicLink(link));
    assertEquals("after\n", Files.readString(file));
    assertEquals(List.of("inner", "link.txt"), names());
  }

  /** A device would be lost to all programs, and who reads a pipe would wait for ever. */
  @Test
  void whatIsNoRegularFileIsNotReplaced() throws IOException, InterruptedException {
    Path pipe = folder.resolve("pipe.part");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    OutputException e = assertThrows(OutputException.class, () -> OutputFile.at(pipe));
    assertEquals(pipe + ": is no regular file; name another", e.getMessage());
    IOException fromLibrary =
        assertThrows(IOException.class, () -> PartitionFormat.write(new int[] {0}, pipe));
    assertEquals(e.getMessage(), fromLibrary.getMessage());
    assertTrue(Files.readAttributes(pipe, BasicFileAttributes.class).isOther());
    assertEquals(List.of("pipe.part"), names());
  }
}
