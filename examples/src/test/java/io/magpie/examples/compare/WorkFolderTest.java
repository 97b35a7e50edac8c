package io.magpie.examples.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkFolderTest {
  @TempDir Path parent;

  /** A process that makes a folder, says which, and stays. */
  public static void main(String[] arguments) throws Exception {
    WorkFolder made = new WorkFolder(Path.of(arguments[0]), arguments[1]);
    Files.createDirectories(made.path().resolve("deep"));
    Files.writeString(made.path().resolve("deep/file"), "x");
    System.out.println(made.path());
    Thread.sleep(Long.MAX_VALUE);
  }

  private Process owner(String name) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx64m",
            "-cp",
            System.getProperty("java.class.path"),
            WorkFolderTest.class.getName(),
            parent.toString(),
            name)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  @Test
  void theFolderOfAKilledProcessGoesAtTheNextRun() throws Exception {
    Process process = owner("program");
    try (BufferedReader reader = process.inputReader()) {
      Path made = Path.of(reader.readLine());
      assertTrue(made.getFileName().toString().startsWith("magpie-program-"), made.toString());
      try (WorkFolder other = new WorkFolder(parent, "program")) {
        assertNotEquals(made, other.path());
        assertTrue(Files.exists(made.resolve("deep/file")), "its owner lives");
      }
      process.destroyForcibly().waitFor();
      assertTrue(Files.exists(made.resolve("deep/file")), "killed as it is, it removes nothing");
      new WorkFolder(parent, "another").close();
      assertTrue(Files.exists(made), "of another name");
      new WorkFolder(parent, "program").close();
      assertFalse(Files.exists(made), "its owner is dead");
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void foldersOfThisProcessStayUntilTheyAreClosed() throws IOException {
    WorkFolder first = new WorkFolder(parent, "program");
    WorkFolder second = new WorkFolder(parent, "program");
    assertTrue(Files.isDirectory(first.path()));
    Files.writeString(second.path().resolve("file"), "x");
    second.close();
    assertFalse(Files.exists(second.path()));
    assertTrue(Files.isDirectory(first.path()));
    first.close();
    try (var left = Files.list(parent)) {
      assertEquals(List.of(), left.toList());
    }
  }

  /** Such as one that another process is just making, or one that is no such folder at all. */
  @Test
  void whatHasNoOwnersFileIsLeftAlone() throws IOException {
    Path begun = Files.createDirectory(parent.resolve("magpie-program-1"));
    Path elsewhere = Files.createDirectory(parent.resolve("elsewhere"));
    Files.writeString(elsewhere.resolve(".owner"), "");
    Path link = Files.createSymbolicLink(parent.resolve("magpie-program-2"), elsewhere);
    new WorkFolder(parent, "program").close();
    assertTrue(Files.exists(begun));
    assertTrue(Files.exists(link));
    assertTrue(Files.exists(elsewhere.resolve(".owner")));
  }
}
