package com.example.matching;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.FileFormatException;
import io.magpie.examples.cli.Magpie;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MatchingComparisonTest {
  /** A path of four vertices, its middle edge first. */
  private static final Edges PATH = new Edges(4, new int[] {1, 0, 2}, new int[] {2, 1, 3});

  @TempDir Path folder;

  @Test
  void edgesOfVerticesWithFewGoFirst() {
    assertArrayEquals(new int[] {-1, 2, 1, -1}, PATH.greedy());
    assertArrayEquals(new int[] {1, 0, 3, 2}, PATH.byDegree().greedy());
  }

  @Test
  void mistakesAreFound() {
    assertEquals(Optional.empty(), PATH.mistake(new int[] {1, 0, 3, 2}));
    assertEquals(Optional.of("edge 1,2 could be added"), PATH.mistake(new int[] {-1, -1, -1, -1}));
    assertEquals(
        Optional.of("3, partner of 0, has another or no edge to it"),
        PATH.mistake(new int[] {3, 2, 1, 0}));
    assertEquals(
        Optional.of("1, partner of 0, has another or no edge to it"),
        PATH.mistake(new int[] {1, 2, 1, -1}));
  }

  @Test
  void everyVariantIsVerifiedByTheCommandLine() throws IOException {
    Path file = Files.writeString(folder.resolve("path.csv"), "1,2\n0,1\n 2 , 3\n3,3\n");
    assertVerified("edges:" + file, "4 vertices, 4 edges");
    assertVerified("ring:1k", "1,000 vertices, 1,000 edges");
  }

  private static void assertVerified(String input, String sizes) {
    StringWriter said = new StringWriter();
    PrintWriter out = new PrintWriter(said);
    String words =
        "compare matching --devices sim:2 --variants order=all policy=hand_off,priority_rule --with greedy --repeats 1";
    String[] arguments = (words + " --input " + input).split(" ");
    assertEquals(0, Magpie.run(out, out, arguments), said::toString);
    assertTrue(said.toString().contains(sizes), said::toString);
    assertEquals(5, said.toString().lines().filter(line -> line.endsWith("  verified")).count());
  }

  @Test
  void aRingThatIsTooSmallIsRefused() {
    String message =
        assertThrows(IllegalArgumentException.class, () -> new RingKind().parse("2")).getMessage();
    assertTrue(message.startsWith("vertices of a ring '2': expected a whole number"), message);
  }

  @Test
  void aLineThatIsNoEdgeIsNamed() throws IOException {
    Path file = Files.writeString(folder.resolve("bad.csv"), "1,2\n1;3\n");
    String message =
        assertThrows(FileFormatException.class, () -> new EdgeFile(file).graph()).getMessage();
    assertTrue(message.startsWith(file + ":2: found '1;3', expected two vertices"), message);
  }
}
