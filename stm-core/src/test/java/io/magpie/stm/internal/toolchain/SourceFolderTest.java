package io.magpie.stm.internal.toolchain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceFolderTest {
  @TempDir Path folder;

  @BeforeEach
  void write() throws IOException {
    Files.writeString(folder.resolve("a.cu"), "a");
    Files.writeString(Files.createDirectory(folder.resolve("parts")).resolve("b.cuh"), "b");
  }

  @Test
  void everyNameAndEachContentCount() throws IOException {
    String first = SourceFolder.hash(folder);
    assertNotNull(first);
    assertEquals(first, SourceFolder.hash(folder));
    Files.writeString(folder.resolve("parts/b.cuh"), "c");
    String second = SourceFolder.hash(folder);
    assertNotEquals(first, second);
    Files.move(folder.resolve("parts/b.cuh"), folder.resolve("b.cuh"));
    assertNotEquals(second, SourceFolder.hash(folder));
    Files.move(folder.resolve("b.cuh"), folder.resolve("parts/b.cuh"));
    Files.writeString(folder.resolve("parts/b.cuh"), "b");
    assertEquals(first, SourceFolder.hash(folder));
  }

  @Test
  void aLinkLeadsOut() throws IOException {
    Files.createSymbolicLink(folder.resolve("link.cuh"), folder.resolve("a.cu"));
    assertNull(SourceFolder.hash(folder));
  }

  @Test
  void whatAsksForFilesDependsOnMore() throws IOException {
    Files.writeString(folder.resolve("parts/b.cuh"), "#if __has_include(\"../../config.h\")");
    assertNull(SourceFolder.hash(folder));
  }

  @Test
  void largeFoldersAreNotRead() throws IOException {
    for (int i = 0; i < 190; i++) {
      Files.writeString(folder.resolve(i + ".h"), "");
    }
    assertNotNull(SourceFolder.hash(folder));
    for (int i = 190; i < 200; i++) {
      Files.writeString(folder.resolve(i + ".h"), "");
    }
    assertNull(SourceFolder.hash(folder));
  }

  @Test
  void norAreLargeFiles() throws IOException {
    Files.write(folder.resolve("data.inc"), new byte[(4 << 20) + 1]);
    assertNull(SourceFolder.hash(folder));
  }

  @Test
  void otherFilesAreNotRead() throws IOException {
    String first = SourceFolder.hash(folder);
    Files.write(folder.resolve("graph.el"), new byte[(4 << 20) + 1]);
    assertEquals(first, SourceFolder.hash(folder));
  }

  @Test
  void whatCannotBeReadIsNotKnown() {
    assertNull(SourceFolder.hash(folder.resolve("none")));
  }
}
