package io.magpie.examples.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.graph.GraphTooLargeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GraphFileKindTest {
  /** Lines {@code U-V}, or with weights {@code U-V:W}. */
  private static final class Dashes extends GraphFileKind {
    private final String line;

    Dashes(String line) {
      super("dashes", "Edges with dashes.");
      this.line = line;
    }

    @Override
    protected Graph read(Path file) throws IOException {
      return edges(file, line, "two vertices, as in '3-5'");
    }
  }

  private static final Dashes PLAIN = new Dashes("(-?\\d+)-(\\d+)");
  private static final Dashes WEIGHTED = new Dashes("(\\d+)-(\\d+):(-?\\d+)");

  @TempDir Path folder;

  private Graph read(GraphFileKind kind, String text) throws IOException {
    Path file = Files.writeString(folder.resolve("edges.txt"), text);
    GraphInput input = (GraphInput) kind.parse(file.toString());
    assertEquals(file.toString(), input.description());
    assertFalse(input.generated());
    assertEquals(List.of(file), input.filesRead());
    assertEquals(
        List.of(file),
        input.adjusted(new GraphAdjustments(null, "1..9", GraphAdjustments.READING)).filesRead());
    return input.graph();
  }

  @Test
  void aLineIsAnEdge() throws IOException {
    assertEquals(
        new GraphBuilder(6, false).addEdge(0, 5).addEdge(3, 3).addEdge(0, 5).build(),
        read(PLAIN, "0-5\n3-3\r\n0-5"));
    assertEquals(
        new GraphBuilder(3, true).addEdge(2, 1, 7).addEdge(1, 0, Integer.MAX_VALUE).build(),
        read(WEIGHTED, "2-1:7\n1-0:2147483647\n"));
    assertEquals(new GraphBuilder(0, false).build(), read(PLAIN, ""));
  }

  @Test
  void whatIsNoLineOrNoNumberOfAGraphIsNamed() {
    Map<String, Dashes> wrong =
        Map.of(
            "", PLAIN,
            "1;3", PLAIN,
            "-1-3", PLAIN,
            "1-2147483647", PLAIN,
            "1-4294967296", PLAIN,
            "1-3:-1", WEIGHTED,
            "1-3:2147483648", WEIGHTED,
            "1-3", WEIGHTED);
    wrong.forEach(
        (line, kind) -> {
          String right = kind == PLAIN ? "0-1\n" : "0-1:2\n";
          FileFormatException e =
              assertThrows(FileFormatException.class, () -> read(kind, right + line + "\n"), line);
          assertEquals(2, e.line());
          assertTrue(
              e.getMessage()
                  .endsWith(":2: found '" + line + "', expected two vertices, as in '3-5'"),
              e.getMessage());
        });
  }

  @Test
  void aLineIsShownCutAndPrintable() {
    Map<String, String> shown =
        Map.of(
            "1\u001b[2J\t\u00e9",
            "'1?[2J???'", // two bytes
            "7".repeat(60),
            "'" + "7".repeat(60) + "'",
            "7".repeat(61),
            "'" + "7".repeat(60) + "...'");
    shown.forEach(
        (line, quoted) -> {
          FileFormatException e =
              assertThrows(FileFormatException.class, () -> read(PLAIN, line + "\n"), quoted);
          assertEquals(quoted, e.token().orElseThrow());
        });
  }

  @Test
  void aGraphThatIsTooLargeIsToldByFileAndLine() {
    Path file = folder.resolve("edges.txt");
    int[] edge = {1, Graph.MAX_VERTICES};
    FileFormatException e =
        assertThrows(
            FileFormatException.class,
            () -> GraphFileKind.add(new GraphBuilder(false), edge, file, 7));
    assertEquals(7, e.line());
    assertEquals(file.toString(), e.file());
    assertTrue(
        e.getMessage().startsWith(file + ":7: found a graph that is too large: "), e.getMessage());
    assertEquals(GraphTooLargeException.class, e.getCause().getClass());
  }

  @Test
  void whatIsNoFileIsRefused() {
    GraphInput none = (GraphInput) PLAIN.parse(folder.resolve("none").toString());
    assertThrows(NoSuchFileException.class, none::graph);
    GraphInput ofFolder = (GraphInput) PLAIN.parse(folder.toString());
    assertEquals(
        folder + ": is a folder; name a file",
        assertThrows(InputException.class, ofFolder::graph).getMessage());
    assertThrows(IllegalArgumentException.class, () -> PLAIN.parse("folder/"));
    assertThrows(
        IllegalArgumentException.class, () -> read(new Dashes("(\\d+)"), "1\n"), "one group");
  }

  @Test
  void itTellsWhatItIs() {
    assertEquals("dashes", PLAIN.name());
    assertEquals("FILE", PLAIN.label());
    assertEquals("Edges with dashes.", PLAIN.description());
    assertEquals(GraphInput.class, PLAIN.type());
  }
}
