package io.magpie.algorithms;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
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

  /** Nobody else can look into what a private file is replaced by, at any time. */
  @Test
  void theTemporaryFileIsNeverWiderThanWhatItReplaces() throws IOException {
    Path path = Files.writeString(folder.resolve("a"), "before");
    for (String permissions : List.of("rw-------", "r--------", "rw-r-----", "rwxrwxrwx")) {
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
      if (Files.isWritable(path)) { // not so but for root without the second one
        try (AtomicFile file = new AtomicFile(path)) {
          Set<PosixFilePermission> now = Files.getPosixFilePermissions(temporary(path));
          assertTrue(PosixFilePermissions.fromString(permissions).containsAll(now), now.toString());
          file.commit();
        }
        assertEquals(
            permissions, PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
      }
    }
  }

  /** The one temporary file of a path. */
  private Path temporary(Path path) throws IOException {
    List<String> found =
        names().stream().filter(name -> !name.equals(path.getFileName().toString())).toList();
    assertEquals(1, found.size(), found.toString());
    String own = Pattern.quote("." + path.getFileName() + ".magpie-");
    assertTrue(found.get(0).matches(own + "[0-9a-f]{16}\\.tmp"), found.get(0));
    return folder.resolve(found.get(0));
  }

  @Test
  void aNameAsLongAsNamesMayBeCanBeWritten() throws IOException {
    Path path = folder.resolve("\u00e4".repeat(127));
    write(path, "it");
    write(path, "again");
    assertEquals("again", Files.readString(path));
    assertEquals(1, names().size());
  }

  /** A character of two Java characters is where the name is cut. */
  @Test
  void aLongNameIsCutBetweenCharacters() throws IOException {
    Path path = folder.resolve("a".repeat(198) + "\ud83d\ude00");
    write(path, "it");
    assertEquals("it", Files.readString(path));
    assertEquals(1, names().size());
  }

  /** Begins to write a file, and writes it if there is a second argument; else never ends. */
  static final class Writer {
    public static void main(String[] arguments) throws Exception {
      try (AtomicFile file = new AtomicFile(Path.of(arguments[0]))) {
        file.channel().write(ByteBuffer.wrap(new byte[9]));
        file.complete();
        System.out.println("begun");
        System.out.flush();
        if (arguments.length == 1) {
          Thread.sleep(Long.MAX_VALUE);
        }
        file.commit();
      }
    }
  }

  private static Process writer(String... arguments) throws Exception {
    return java(Writer.class, arguments);
  }

  private static Process java(Class<?> main, String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                classes(AtomicFile.class) + ":" + classes(AtomicFileTest.class),
                main.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static Path classes(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  @Test
  void whatAKilledWriterLeftIsRemovedByTheNextAndWhatALiveOneHasIsNot() throws Exception {
    Path path = Files.writeString(folder.resolve("a"), "before");
    String other = ".a.magpie-0123456789abcdef.tmp2";
    Files.writeString(folder.resolve(other), "other");
    Process writer = writer(path.toString());
    try {
      assertEquals("begun", writer.inputReader().readLine());
      List<String> during = names();
      assertEquals(3, during.size(), during.toString());
      write(path, "after");
      assertEquals(during, names(), "a live writer's file");
    } finally {
      writer.destroyForcibly().waitFor();
    }
    assertEquals(3, names().size(), "nothing is left behind to be removed");
    write(path, "again");
    assertEquals(List.of(other, "a"), names());
    assertEquals("again", Files.readString(path));
  }

  /** Writes to a file without end, or in its last work, or waits with one that is complete. */
  static final class EndedWriter {
    public static void main(String[] arguments) throws Exception {
      Path path = Path.of(arguments[0]);
      switch (arguments[1]) {
        case "writing" -> {
          try (AtomicFile file = new AtomicFile(path)) {
            writeForever(file);
          }
        }
        case "complete" -> {
          try (AtomicFile file = new AtomicFile(path)) {
            file.complete();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> finish(file)));
            begun();
            Thread.sleep(Long.MAX_VALUE);
          }
        }
        case "lasting" -> {
          try (AtomicFile file = AtomicFile.lasting(path)) {
            file.channel().write(ByteBuffer.wrap(new byte[9]));
            Runtime.getRuntime().addShutdownHook(new Thread(() -> finish(file)));
            begun();
            Thread.sleep(Long.MAX_VALUE);
          }
        }
        default -> {
          Runtime.getRuntime().addShutdownHook(new Thread(() -> replace(path)));
          begun();
          Thread.sleep(Long.MAX_VALUE);
        }
      }
    }

    private static void begun() {
      System.out.println("begun");
      System.out.flush();
    }

    private static void writeForever(AtomicFile file) throws IOException {
      file.channel().write(ByteBuffer.wrap(new byte[1 << 16]));
      begun();
      while (true) {
        file.channel().position(0).write(ByteBuffer.wrap(new byte[1 << 16]));
      }
    }

    /** After all that other threads do at the end. */
    private static void finish(AtomicFile file) {
      try {
        Thread.sleep(500);
        file.commit();
      } catch (IOException | InterruptedException e) {
        e.printStackTrace();
      }
    }

    private static void replace(Path path) {
      try {
        try (AtomicFile file = new AtomicFile(path)) {
          Thread.sleep(500);
          file.channel().write(ByteBuffer.wrap(new byte[9]));
          file.commit();
        }
      } catch (IOException | InterruptedException e) {
        e.printStackTrace();
      }
    }
  }

  /** The status of a process that got SIGTERM when it had begun. */
  private static int ended(Path path, String how) throws Exception {
    Process writer = java(EndedWriter.class, path.toString(), how);
    try {
      assertEquals("begun", writer.inputReader().readLine());
      writer.destroy(); // SIGTERM
      assertTrue(writer.waitFor(60, TimeUnit.SECONDS), "still there");
      return writer.exitValue();
    } finally {
      writer.destroyForcibly().waitFor();
    }
  }

  @Test
  void aWriterThatIsEndedInTheMidstOfItRemovesItsFile() throws Exception {
    Path path = Files.writeString(folder.resolve("a"), "before");
    assertEquals(143, ended(path, "writing"));
    assertEquals(List.of("a"), names());
    assertEquals("before", Files.readString(path));
  }

  /** Others of its group may have taken their places. */
  @Test
  void aCompleteFileOfAnEndedProcessMayTakeItsPlace() throws Exception {
    Path path = Files.writeString(folder.resolve("a"), "before");
    assertEquals(143, ended(path, "complete"));
    assertEquals(List.of("a"), names());
    assertEquals("", Files.readString(path));
  }

  @Test
  void theLastWorkOfAnEndedProcessIsDone() throws Exception {
    for (String how : List.of("lasting", "opened at the end")) {
      Path path = Files.writeString(folder.resolve("a"), "before");
      assertEquals(143, ended(path, how));
      assertEquals(List.of("a"), names(), how);
      assertEquals(9, Files.size(path), how);
    }
  }

  /** Closing a file drops all of a process's locks on it: its own files it does not open again. */
  @Test
  void aSecondWriterOfTheProcessLeavesTheLockOfTheFirst() throws Exception {
    Path path = folder.resolve("a");
    Path link = Files.createSymbolicLink(folder.resolve("link"), folder);
    try (AtomicFile first = new AtomicFile(path)) {
      write(link.resolve("a"), "second");
      assertEquals(0, writer(path.toString(), "to its end").waitFor());
      assertEquals(9, Files.size(path));
      first.commit();
    }
    assertEquals(0, Files.size(path));
    assertEquals(List.of("a", "link"), names());
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
