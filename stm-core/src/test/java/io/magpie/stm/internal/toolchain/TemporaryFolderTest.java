package io.magpie.stm.internal.toolchain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Temporary folders are this user's alone, and go with their process, however it ends. */
class TemporaryFolderTest {
  private static final String KIND = "kind-";
  private static final String NUMBER = "0123456789abcdef";

  @TempDir Path parent;

  private List<Path> left() throws IOException {
    try (var files = Files.list(parent)) {
      return files.toList();
    }
  }

  @Test
  void aFolderIsPrivateAndGoesWhenItIsClosed() throws IOException {
    try (TemporaryFolder folder = TemporaryFolder.in(parent, KIND);
        TemporaryFolder another = TemporaryFolder.in(parent, KIND)) {
      assertNotEquals(folder.path(), another.path());
      assertTrue(folder.path().startsWith(parent.toRealPath()), folder.path()::toString);
      assertEquals(
          "rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.path())));
      Files.createDirectories(folder.path().resolve("below/below"));
      Files.createSymbolicLink(folder.path().resolve("link"), parent);
    }
    assertEquals(List.of(), left());
  }

  @Test
  void whereOthersCanReplaceItNoneIsMade() throws IOException {
    Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwxrwxrwx"));

    assertThrows(PrivateFolder.NotPrivateException.class, () -> TemporaryFolder.in(parent, KIND));

    assertEquals(List.of(), left());
  }

  /** A process with a folder, which waits to be ended. */
  static final class Waiting {
    public static void main(String[] arguments) throws Exception {
      System.out.println(TemporaryFolder.in(Path.of(arguments[0]), arguments[1]).path());
      Thread.sleep(Long.MAX_VALUE);
    }

    final Process process;
    final Path folder;

    Waiting(Path parent, String kind) throws IOException {
      process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  System.getProperty("java.class.path"),
                  Waiting.class.getName(),
                  parent.toString(),
                  kind)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      try (BufferedReader said = process.inputReader()) {
        folder = Path.of(said.readLine());
      }
    }
  }

  @Test
  void itGoesWithAProcessThatIsToldToEnd() throws Exception {
    Waiting told = new Waiting(parent, KIND);
    Files.createFile(told.folder.resolve("file"));

    told.process.destroy();
    told.process.waitFor();

    assertEquals(List.of(), left());
  }

  @Test
  void whatAKilledProcessLeftGoesWithTheNextOfItsKind() throws Exception {
    Waiting killed = new Waiting(parent, KIND);
    Files.createFile(killed.folder.resolve("file"));
    Waiting ofAnotherKind = new Waiting(parent, KIND + "another-");
    Waiting alive = new Waiting(parent, KIND);
    try {
      for (Waiting each : List.of(killed, ofAnotherKind)) {
        each.process.destroyForcibly().waitFor();
        assertTrue(Files.exists(each.folder));
      }

      TemporaryFolder.in(parent, KIND).close();

      assertFalse(Files.exists(killed.folder));
      assertTrue(Files.exists(ofAnotherKind.folder), "its kind is another");
      assertTrue(Files.exists(alive.folder), "its process lives");
      assertEquals(4, left().size(), "two folders and their locks");
    } finally {
      alive.process.destroyForcibly().waitFor();
    }
  }

  @Test
  void whatSomebodyElseMadeStays() throws IOException {
    Path folder = Files.createDirectory(parent.resolve(KIND + NUMBER), PrivateFolder.ONLY_OWNER);
    Path lock =
        Files.createFile(parent.resolve(KIND + NUMBER + ".lock"), PrivateFolder.ONLY_OWNER_READS);

    PrivateFolderTest.give(folder, 1001);
    TemporaryFolder.in(parent, KIND).close();
    assertTrue(Files.exists(folder), "a folder under a name of ours");

    PrivateFolderTest.give(folder, 0);
    PrivateFolderTest.give(lock, 1001);
    TemporaryFolder.in(parent, KIND).close();
    assertTrue(Files.exists(folder), "a lock");

    PrivateFolderTest.give(lock, 0);
    TemporaryFolder.in(parent, KIND).close();
    assertEquals(List.of(), left(), "both are ours");
  }
}
