package io.magpie.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.examples.cli.output.OutputException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Folders of results that several jobs want, or that cannot be cleaned up. */
class OutputFolderTest {
  private static final String THEIRS = "part-00000.parquet";

  @TempDir private Path root;

  private final StringWriter warnings = new StringWriter();

  @AfterEach
  void nothingIsPlanned() {
    ContestedFileSystem.plan(() -> {}, true);
  }

  private OutputFolder open() {
    return open("forest");
  }

  private OutputFolder open(String name) {
    Configuration configuration = new Configuration();
    configuration.set("fs.contested.impl", ContestedFileSystem.class.getName());
    String given = "contested:" + root.resolve(name);
    return new OutputFolder(given, configuration, new PrintWriter(warnings, true));
  }

  /** What an attempt writes. */
  private static String attempt(OutputFolder folder, String text) throws IOException {
    String file = folder.attempts() + "/1.parquet";
    Files.writeString(Path.of(URI.create(file).getPath()), text);
    return file;
  }

  private static void complete(OutputFolder folder, String file) {
    folder.complete(Map.of(OutputFolder.PART, file), new LinkedHashMap<>());
  }

  private List<String> names(String folder) throws IOException {
    try (Stream<Path> files = Files.list(root.resolve(folder))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void aResultIsThePartAndTheManifest() throws IOException {
    try (OutputFolder folder = open()) {
      String other = folder.attempts() + "/2.parquet";
      Files.writeString(Path.of(URI.create(other).getPath()), "of an attempt not taken");
      complete(folder, attempt(folder, "mine"));
    }
    assertEquals(List.of("forest"), names(""));
    assertEquals(List.of("_manifest.json", "part-00000.parquet"), names("forest"));
    assertEquals("mine", Files.readString(root.resolve("forest/part-00000.parquet")));
    assertEquals("", warnings.toString());
  }

  @Test
  void ofTwoJobsTheFirstThatIsDoneHasTheFolder() throws IOException {
    try (OutputFolder one = open();
        OutputFolder other = open()) {
      complete(one, attempt(one, "first"));
      String second = attempt(other, "second");
      OutputException refused = assertThrows(OutputException.class, () -> complete(other, second));
      assertTrue(refused.getMessage().contains("is there already"), refused.getMessage());
    }
    assertEquals(List.of("forest"), names(""));
    assertEquals("first", Files.readString(root.resolve("forest/part-00000.parquet")));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aFolderThatComesAtTheLastMomentIsLeftAsItIs(boolean isFolder) throws IOException {
    Path theirs = root.resolve("forest");
    ContestedFileSystem.plan(
        () ->
            Files.writeString(
                isFolder ? Files.createDirectory(theirs).resolve(THEIRS) : theirs, "theirs"),
        true);
    try (OutputFolder folder = open()) {
      String file = attempt(folder, "mine");
      assertThrows(OutputException.class, () -> complete(folder, file));
    }
    assertEquals(List.of("forest"), names(""));
    assertEquals("theirs", Files.readString(isFolder ? theirs.resolve(THEIRS) : theirs));
    if (isFolder) {
      assertEquals(List.of(THEIRS), names("forest"));
    }
  }

  /** Which is what Hadoop does when a process is ended, as by SIGTERM. */
  @Test
  void whatAProcessThatIsEndedHasBegunGoes() throws IOException {
    OutputFolder folder = open();
    attempt(folder, "not taken");
    folder.system().close();
    assertEquals(List.of(), names(""));
  }

  @Test
  void withoutAResultTheFoldersThatWereMadeForItGo() throws IOException {
    Files.createDirectory(root.resolve("mine"));
    try (OutputFolder folder = open("mine/a/b/forest")) {
      attempt(folder, "not taken");
    }
    assertEquals(List.of("mine"), names(""));
    assertEquals(List.of(), names("mine"));
  }

  @Test
  void foldersOfAResultOrOfOthersStay() throws IOException {
    try (OutputFolder folder = open("a/b/forest")) {
      complete(folder, attempt(folder, "mine"));
    }
    assertEquals(List.of("forest"), names("a/b"));
    try (OutputFolder folder = open("c/d/forest")) {
      attempt(folder, "not taken");
      Files.writeString(root.resolve("c/theirs"), "theirs");
    }
    assertEquals(List.of("theirs"), names("c"));
  }

  /** Of the folders above some can be made before one cannot. */
  @Test
  void foldersThatCannotBeMadeLeaveNoneAbove() throws IOException {
    String tooLong = "n".repeat(300);
    assertThrows(OutputException.class, () -> open("a/b/" + tooLong + "/forest"));
    assertEquals(List.of(), names(""));
  }

  @Test
  void whatCannotBeRemovedIsAWarning() throws IOException {
    try (OutputFolder folder = open()) {
      complete(folder, attempt(folder, "mine"));
      ContestedFileSystem.plan(() -> {}, false);
    }
    assertEquals(List.of("_manifest.json", "part-00000.parquet"), names("forest"));
    assertTrue(
        warnings
            .toString()
            .matches("(?s)magpie: warning: .*attempts-.*the disk is read-only; remove it\\R"),
        warnings.toString());
  }
}
