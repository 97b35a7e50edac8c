package com.example.matching;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.examples.cli.Magpie;
import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MatchingComparisonTest {
  /** A path of four vertices, whose middle edge has the smallest one. */
  private static final Graph PATH =
      new GraphBuilder(4, false).addEdge(1, 0).addEdge(0, 2).addEdge(2, 3).build();

  @TempDir Path folder;

  @Test
  void edgesOfVerticesWithFewGoFirst() {
    assertArrayEquals(new int[] {0, 1, 0, 2, 2, 3}, PATH.edgeEnds());
    assertArrayEquals(new int[] {0, 1, 2, 3, 0, 2}, Matching.sorted(PATH));
  }

  @Test
  void greedyTakesTheFirstThatIsFree() {
    assertArrayEquals(new int[] {1, 0, 3, 2}, Oracle.greedy(PATH));
    Graph star = new GraphBuilder(4, false).addEdge(0, 0).addEdge(3, 1).addEdge(3, 2).build();
    assertArrayEquals(new int[] {-1, 3, -1, 1}, Oracle.greedy(star));
  }

  @Test
  void mistakesAreFound() {
    assertEquals(Optional.empty(), Oracle.mistake(PATH, new int[] {1, 0, 3, 2}));
    assertEquals(Optional.empty(), Oracle.mistake(PATH, new int[] {2, -1, 0, -1}));
    assertEquals(
        Optional.of("an edge of 0 could be added"),
        Oracle.mistake(PATH, new int[] {-1, -1, -1, -1}));
    assertEquals(
        Optional.of("3, partner of 0, has another or no edge to it"),
        Oracle.mistake(PATH, new int[] {3, 2, 1, 0}));
    assertEquals(
        Optional.of("1, partner of 0, has another or no edge to it"),
        Oracle.mistake(PATH, new int[] {1, 2, 1, -1}));
    Graph loop = new GraphBuilder(1, false).addEdge(0, 0).build();
    assertEquals(
        Optional.of("0, partner of 0, has another or no edge to it"),
        Oracle.mistake(loop, new int[] {0}));
  }

  @Test
  void everyVariantIsVerifiedByTheCommandLine() throws IOException {
    Path file = Files.writeString(folder.resolve("path.csv"), "1,2\n0,1\n 2 , 3\n3,3\n");
    StringWriter said = new StringWriter();
    PrintWriter out = new PrintWriter(said);
    String words =
        "compare matching --devices sim:2 --variants order=all policy=hand_off,priority_rule --with greedy --repeats 1";
    String[] arguments = (words + " --input edges:" + file).split(" ");
    assertEquals(0, Magpie.run(out, out, arguments), said::toString);
    assertTrue(said.toString().contains("4 vertices, 4 edges"), said::toString);
    assertEquals(5, said.toString().lines().filter(line -> line.endsWith("  verified")).count());
  }

  /** By one line with file, line, what it says, and how to write it; with status 3. */
  @ParameterizedTest
  @ValueSource(strings = {"1;3", "1,-3", "1", "1,2,3", "", "1234567890,1"})
  void aLineThatIsNoEdgeIsRefused(String line) throws IOException {
    Path file = Files.writeString(folder.resolve("bad.csv"), "1,2\n" + line + "\n2,3\n");
    StringWriter said = new StringWriter();
    PrintWriter out = new PrintWriter(said);
    String words = "compare matching --devices sim:2 --repeats 1 --input edges:" + file;
    assertEquals(3, Magpie.run(out, out, words.split(" ")), said::toString);
    assertEquals(
        "magpie compare: "
            + file
            + ":2: found '"
            + line
            + "', expected two vertices, as in '3,5', of at most nine digits\n",
        said.toString());
  }

  /** Up to roundings, which machines may differ in. */
  @Test
  void theProgramDrawsWhatThePageShows() throws IOException {
    Path file = folder.resolve("matching.png");
    Matching.main("cpu:1", file.toString());
    BufferedImage made = ImageIO.read(file.toFile());
    BufferedImage shown = ImageIO.read(new File("matching.png"));
    assertEquals(shown.getWidth(), made.getWidth());
    assertEquals(shown.getHeight(), made.getHeight());
    int pixels = made.getWidth() * made.getHeight();
    long different =
        IntStream.range(0, pixels).filter(i -> color(shown, i) != color(made, i)).count();
    assertTrue(different <= pixels / 100, different + " of " + pixels + " pixels differ");
  }

  private static int color(BufferedImage image, int pixel) {
    return image.getRGB(pixel % image.getWidth(), pixel / image.getWidth());
  }
}
