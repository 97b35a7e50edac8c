package io.magpie.algorithms;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AtomicFileTest {
  @TempDir Path folder;

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static void write(Path path, String text) throws IOException {
    try (AtomicFile file = new AtomicFile(path)) {
      file.channel().write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
      file.commit();
    }
  }

  private static void refused(Path path, String why) {
    FileSystemException e =
        assertThrows(FileSystemException.class, () -> new AtomicFile(path).close());
    assertEquals(path + ": " + why + "; name another", e.getMessage());
  }

  @Test
  void appearsWithItsCommitAndKeepsPermissions() throws IOException {
    Path path = Files.writeString(folder.resolve("a"), "before");
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-r-----"));
    try (AtomicFile file = new AtomicFile(path)) {
      file.channel().write(ByteBuffer.wrap(new byte[] {'x'}));
      assertEquals("before", Files.readString(path));
    }
    assertEquals("before", Files.readString(path));
    write(path, "after");
    assertEquals("after", Files.readString(path));
    assertEquals("rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
    assertEquals(List.of("a"), names());
  }

  /** What took the name meanwhile stays, and nothing of ours. */
  @Test
  void aCommitThatFailsLeavesNothing() throws IOException {
    Path path = folder.resolve("a");
    try (AtomicFile file = new AtomicFile(path)) {
      Files.createDirectories(path.resolve("full"));
      assertThrows(IOException.class, file::commit);
    }
    assertTrue(Files.isDirectory(path.resolve("full")));
    assertEquals(List.of("a"), names());
  }

  @Test
  void linksLeadToWhatIsReplaced() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "before");
    Path first = Files.createSymbolicLink(folder.resolve("first"), Path.of("file"));
    Path second = Files.createSymbolicLink(folder.resolve("second"), first);
    write(second, "after");
    assertEquals("after", Files.readString(file));
    assertTrue(Files.isSymbolicLink(first) && Files.isSymbolicLink(second));
    assertEquals(List.of("file", "first", "second"), names());
  }

  @Test
  void linksThatLeadNowhereAreRefused() throws IOException {
    refused(
        Files.createSymbolicLink(folder.resolve("dangling"), Path.of("none")),
        "is a link that leads nowhere");
    Path loop = folder.resolve("loop");
    refused(Files.createSymbolicLink(loop, loop), "is a link that leads nowhere");
    assertEquals(List.of("dangling", "loop"), names());
  }

  /** A device would be lost to all programs, and who reads a pipe would wait for ever. */
  @Test
  void whatIsNoRegularFileIsRefused() throws IOException, InterruptedException {
    Path pipe = folder.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    refused(pipe, "is no regular file");
    refused(folder, "is no regular file");
    Path device = Files.createSymbolicLink(folder.resolve("device"), Path.of("/dev/null"));
    refused(device, "is no place for a file");
    // It may lead to a file that something else is appending to.
    refused(Path.of("/dev/stdout"), "is no place for a file");
    refused(Path.of("/proc/self/fd/1"), "is no place for a file");
  }

  @Test
  void writeProtectedFilesAreRefused() throws IOException {
    Path path = Files.writeString(folder.resolve("a"), "before");
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("r--r--r--"));
    assumeFalse(Files.isWritable(path), "root may write all files");
    refused(path, "is write-protected");
  }
}
