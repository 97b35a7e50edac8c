package io.magpie.stm.internal.toolchain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sources whose hash is known are looked at by the compiler only when the system has changed. */
class KeyNoteTest {
  private static final Instant LONG_AGO = Instant.now().minus(Duration.ofHours(1));

  @TempDir Path folder;
  private Path source;
  private Path header;
  private Path calls;
  private Toolchain toolchain;

  /** A source, a header of the system that it includes, and a compiler that notes its calls. */
  @BeforeEach
  void write() throws IOException {
    assumeTrue(Compiler.onPath("g++") != null, "needs g++");
    assumeTrue(!Compiler.searchesOtherFolders(), "needs an environment without include folders");
    header = Files.createDirectory(folder.resolve("system")).resolve("step.h");
    save("#define STEP 3\n", LONG_AGO);
    source = Files.createDirectory(folder.resolve("known")).resolve("step.cu");
    Files.writeString(
        source,
        "#include \""
            + header
            + "\"\nextern \"C\" __attribute__((visibility(\"default\"))) int step() { return STEP;"
            + " }\n");
    calls = folder.resolve("calls");
    Path compiler = folder.resolve("c++");
    Files.writeString(compiler, "#!/bin/sh\necho \"$*\" >> '" + calls + "'\nexec g++ \"$@\"\n");
    assertTrue(compiler.toFile().setExecutable(true));
    Files.setLastModifiedTime(compiler, FileTime.from(LONG_AGO));
    toolchain = Toolchain.discover(compiler.toString(), "none", null, "90", "75");
    assertTrue(toolchain.cxx().isPresent());
  }

  private void save(String text, Instant time) throws IOException {
    Files.writeString(header, text);
    Files.setLastModifiedTime(header, FileTime.from(time));
  }

  private Path build(String sources) {
    ArtifactCache cache = new ArtifactCache(folder.resolve("cache"));
    return new ModuleBuilder(toolchain, cache, List.of(), text -> {}, text -> {})
        .buildKnown(source, Flavor.CPU, Defines.NONE, sources);
  }

  /** How often the compiler is called for it. */
  private int callsFor(String sources) throws IOException {
    Files.deleteIfExists(calls);
    build(sources);
    return Files.exists(calls) ? Files.readAllLines(calls).size() : 0;
  }

  private Path note() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("cache"))) {
      List<Path> notes = files.filter(file -> file.toString().endsWith(".note")).toList();
      assertEquals(1, notes.size(), notes::toString);
      return notes.get(0);
    }
  }

  @Test
  void theSecondTimeNoCompilerRuns() throws IOException {
    Path first = build("a");
    assertEquals(0, callsFor("a"));
    assertEquals(first, build("a"));
    assertNotEquals(0, callsFor("b"), "other sources");
  }

  @Test
  void aNewHeaderOfTheSystemMeansAnotherArtifact() throws IOException {
    Path first = build("a");
    save("#define STEP 4\n", LONG_AGO.plusSeconds(1));
    Path second = build("a");
    assertNotEquals(first, second);
    assertEquals(0, callsFor("a"), "the note is renewed");
    save("#define STEP 3\n", LONG_AGO.plusSeconds(2));
    assertEquals(first, build("a"));
    Files.delete(header);
    save("#define STEP 5\n", LONG_AGO.plusSeconds(3));
    assertNotEquals(second, build("a"));
  }

  /** It might be written again within one tick of the file system's clock. */
  @Test
  void aHeaderThatHasJustChangedIsNotNoted() throws IOException {
    for (int tries = 0; tries < 20; tries++) {
      Instant saved = Instant.now();
      save("#define STEP 4\n", saved);
      build("a");
      boolean inTime = Duration.between(saved, Instant.now()).compareTo(KeyNote.UNSETTLED) < 0;
      int again = callsFor("a");
      if (inTime) {
        assertNotEquals(0, again);
        return;
      }
    }
    abort("each build took so long that the header was old before it was read");
  }

  @Test
  void aDamagedNoteIsNoNote() throws IOException {
    build("a");
    Path note = note();
    String text = Files.readString(note);
    String other = text.charAt(0) == '0' ? "1" : "0";
    for (String damaged :
        List.of(
            "",
            "\n",
            other + text.substring(1),
            text.substring(0, text.length() / 2),
            text.replace(" " + header + "\n", "/other\n"))) {
      Files.writeString(note, damaged);
      assertNull(KeyNote.read(note), damaged);
      assertNotEquals(0, callsFor("a"), "it is made again");
      assertEquals(text, Files.readString(note));
    }
  }

  @Test
  void aNoteUnderAnothersNameIsNoNote() throws IOException {
    build("a");
    Path note = note();
    Path other = note.resolveSibling("step-0." + Flavor.CPU.fileName() + ".note");
    Files.move(note, other, StandardCopyOption.REPLACE_EXISTING);
    assertNull(KeyNote.read(other));
  }

  @Test
  void aNoteThatOthersCanWriteIsNoNote() throws IOException {
    build("a");
    assertTrue(note().toFile().setWritable(true, false));
    assertNull(KeyNote.read(note()));
  }
}
