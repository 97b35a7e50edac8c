package io.magpie.examples.cli.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.AbstractList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

  /** Neither is replaced while the other is being written. */
  @Test
  void filesOfOneStateTakeTheirPlacesTogether() throws IOException {
    Path first = Files.writeString(folder.resolve("first"), "before");
    Path second = Files.writeString(folder.resolve("second"), "before");
    List<String> watching =
        new AbstractList<>() {
          @Override
          public String get(int line) {
            try {
              return Files.readString(first) + ", " + Files.readString(second);
            } catch (IOException e) {
              throw new AssertionError(e);
            }
          }

          @Override
          public int size() {
            return 1;
          }
        };
    Map<OutputFile, List<String>> files = new LinkedHashMap<>();
    files.put(OutputFile.at(first), watching);
    files.put(OutputFile.at(second), watching);
    OutputFile.writeTogether(files);
    assertEquals("before, before\n", Files.readString(first));
    assertEquals("before, before\n", Files.readString(second));
    assertEquals(List.of("first", "second"), names());
  }

  @Test
  void noneIsReplacedWhereOneCannotBeWritten() throws IOException {
    Path inner = Files.createDirectory(folder.resolve("inner"));
    Map<OutputFile, List<String>> files = new LinkedHashMap<>();
    Path kept = Files.writeString(folder.resolve("kept"), "before");
    files.put(OutputFile.at(kept), List.of("after"));
    files.put(OutputFile.at(inner.resolve("lost")), List.of("lost"));
    Files.delete(inner);
    OutputException e = assertThrows(OutputException.class, () -> OutputFile.writeTogether(files));
    assertTrue(e.getMessage().contains("lost: cannot be written"), e.getMessage());
    assertEquals("before", Files.readString(kept));
    assertEquals(List.of("kept"), names());
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

  @Test
  void whatMustNotBeReplacedIsToldBeforeTheWork() throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("link.txt"), Path.of("nowhere.txt"));
    OutputException e = assertThrows(OutputException.class, () -> OutputFile.at(link));
    assertEquals(link + ": is a link that leads nowhere; name another", e.getMessage());
    e = assertThrows(OutputException.class, () -> OutputFile.at(Path.of("/dev/stdout")));
    assertEquals("/dev/stdout: is no place for a file; name another", e.getMessage());
    e = assertThrows(OutputException.class, () -> OutputFile.at(folder));
    assertEquals(folder + ": is a folder; name a file", e.getMessage());
  }
}
