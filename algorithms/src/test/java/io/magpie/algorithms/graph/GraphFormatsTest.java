package io.magpie.algorithms.graph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.internal.ByteSink;
import io.magpie.algorithms.internal.ByteSource;
import io.magpie.algorithms.internal.Compression;
import io.magpie.algorithms.internal.SeededHash;
import io.magpie.algorithms.internal.Tokenizer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

class GraphFormatsTest {
  /** The byte order mark of UTF-8, as bytes. */
  private static final String MARK = "\u00ef\u00bb\u00bf";

  private static final ReadOptions COUNTS = ReadOptions.defaults().withWeights(FileWeights.COUNTS);

  private static final Graph WEIGHTED =
      new GraphBuilder(4, true).addEdge(0, 1, 5).addEdge(1, 1, 0).addEdge(3, 1, 2147483647).build();
  private static final Graph UNWEIGHTED = WEIGHTED.withoutWeights();

  @TempDir Path folder;

  private Path file(String name, String content) throws IOException {
    return file(name, content.getBytes(StandardCharsets.ISO_8859_1));
  }

  private Path file(String name, byte[] content) throws IOException {
    return Files.write(folder.resolve(name), content);
  }

  static Stream<Arguments> wellFormed() {
    return Stream.of(
        Arguments.of(
            "a.gr",
            "p sp 4 5\na 1 2 5\na 2 1 5\na 2 2 0\na 2 4 2147483647\na 4 2 2147483647\n",
            WEIGHTED),
        Arguments.of(
            "one-direction.gr", "p sp 4 3\na 1 2 5\na 2 2 0\na 4 2 2147483647\n", WEIGHTED),
        Arguments.of(
            "A.GR",
            "c text\r\n\r\np\tsp  4 3\r\nc a 9 9 9\r\n a 1\t2 +5\r\na 2 2 00\r\na 4 2 2147483647",
            WEIGHTED),
        Arguments.of("pace.gr", "c\np tw 4 3\n1 2\nc between\n2 2\n4 2\n", UNWEIGHTED),
        Arguments.of("none.gr", "p sp 0 0", new GraphBuilder(0, true).build()),
        Arguments.of("a.graph", "4 3 1\n2 5\n1 5 2 0 4 2147483647\n\n2 2147483647\n", WEIGHTED),
        Arguments.of(
            "b.graph",
            "% c\n\n4 3 001 1 \n2 5\n% c\n1 5 2 0 4 2147483647\n\n2 2147483647\n\n% end",
            WEIGHTED),
        Arguments.of("c.graph", "4 3\n2\n1 2 4\n\n2", UNWEIGHTED),
        Arguments.of(
            "d.graph",
            "2 1 11\n7 2 3\n0 1 3\n",
            new GraphBuilder(2, true).addEdge(0, 1, 3).vertexWeights(new int[] {7, 0}).build()),
        Arguments.of(
            "e.graph",
            "3 1 10 1\n7 2\n0 1\n9\n",
            new GraphBuilder(3, false).addEdge(0, 1).vertexWeights(new int[] {7, 0, 9}).build()),
        Arguments.of("isolated.graph", "3 0\n\n\n\n", new GraphBuilder(3, false).build()),
        Arguments.of(
            "a.mtx",
            "%%MatrixMarket matrix coordinate integer symmetric\n"
                + "% c\n\n"
                + "4 4 3\n"
                + "2 1 5\n"
                + "2 2 0\n"
                + "4 2 2147483647\n",
            WEIGHTED),
        Arguments.of(
            "b.mtx",
            "%%matrixmarket MATRIX Coordinate Real General\n"
                + "4 4 5\n"
                + "1 2 5\n"
                + "2 1 5.0e0\n"
                + "2 2 -0.0\n"
                + "2 4 2147483647\n"
                + "4 2 2.147483647e+9\n",
            WEIGHTED),
        Arguments.of(
            "c.mtx",
            "%%MatrixMarket matrix coordinate pattern general\n4 4 3\n1 2\n2 2\n2 4\n",
            UNWEIGHTED),
        Arguments.of("a.el", "# text\n0 1\n1\t1\n3 1\n", UNWEIGHTED),
        Arguments.of("both.el", "0 1\n1 0\n1 1\n3 1\n1 3\n", UNWEIGHTED),
        Arguments.of("a.wel", "0 1 5\n1 1 0\n3 1 2147483647", WEIGHTED),
        Arguments.of("a.txt", "# Nodes: 4 Edges: 3\n% also\n0 1\n1 1\n3 1\n", UNWEIGHTED),
        Arguments.of("b.txt", "0 1 5\n1 1 0\n3 1 2147483647\n", WEIGHTED),
        Arguments.of("isolated.txt", "# Nodes: 3\tEdges: 0\n", new GraphBuilder(3, false).build()));
  }

  @ParameterizedTest
  @MethodSource("wellFormed")
  void wellFormedTextIsRead(String name, String content, Graph expected) throws IOException {
    assertEquals(expected.sorted(), GraphFormats.read(file(name, content)).sorted());
  }

  @Test
  void symmetricArcsKeepTheOrderOfTheFile() throws IOException {
    Graph graph = GraphFormats.read(file("a.gr", "p sp 3 4\na 1 3 8\na 1 2 9\na 2 1 9\na 3 1 8\n"));
    assertArrayEquals(new int[] {2, 1, 0, 0}, graph.neighbors());
  }

  @Test
  void scaledRealWeightsAreRounded() throws IOException {
    Path file =
        file(
            "a.mtx",
            "%%MatrixMarket matrix coordinate real symmetric\n"
                + "3 3 3\n"
                + "2 1 0.126\n"
                + "3 1 1.5e2\n"
                + "3 2 0\n");
    Graph graph = GraphFormats.read(file, ReadOptions.defaults().withWeightScale(100));
    assertArrayEquals(new int[] {13, 15000, 13, 0, 15000, 0}, graph.sorted().weights());
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.wel", "a.txt"})
  void weightsOfEdgeListsAreScaled(String name) throws IOException {
    Path file = file(name, "0 1 0.126\n0 2 15\n1 2 -2.5e-1\n");
    ReadOptions scaled = ReadOptions.defaults().withWeightScale(10);
    assertArrayEquals(
        new int[] {1, 150, 1, -2, 150, -2}, GraphFormats.read(file, scaled).sorted().weights());
    FileFormatException negative =
        assertThrows(
            FileFormatException.class,
            () -> GraphFormats.read(file, scaled.withWeights(FileWeights.COUNTS)));
    assertEquals(
        file
            + ":3: found '-2.5e-1', expected a weight from 0 to 2147483647 when multiplied by 10.0"
            + " and rounded",
        negative.getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    "a.gr, 'p sp 2 1\na 1 2 5\n', 0",
    "a.graph, '2 1 1\n2 5\n1 5\n', 0",
    "a.el, '0 1\n', 0",
    "a.egr, '', 0",
    "a.mpg, '', 0",
    "a.txt, '0 1\n', 1",
    "a.mtx, '%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 5\n', 1",
    "a.mtx, '%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n', 1"
  })
  void aScaleWithoutRealWeightsIsRefused(String name, String content, long line)
      throws IOException {
    Path file = file(name, content);
    FileFormatException e =
        assertThrows(
            FileFormatException.class,
            () -> GraphFormats.read(file, ReadOptions.defaults().withWeightScale(10)));
    assertEquals(Optional.of("leave out the weight scale (--weight-scale)"), e.remedy());
    assertEquals(line, e.line());
  }

  @Test
  void integerMatricesTellHowToHaveFractions() throws IOException {
    Path file =
        file("a.mtx", "%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 -3.0\n");
    for (FileWeights weights : List.of(FileWeights.ANY, FileWeights.DOUBLE)) {
      FileFormatException e =
          assertThrows(
              FileFormatException.class,
              () -> GraphFormats.read(file, ReadOptions.defaults().withWeights(weights)));
      assertEquals(Optional.of("declare the matrix 'real' in line 1"), e.remedy());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "a.gr, 'p sp 2 1\na 1 2 5\n'",
    "a.graph, '2 1 1\n2 5\n1 5\n'",
    "a.wel, '0 1 5\n'",
    "a.txt, '# a comment\n0 1 5\n'",
    "a.mtx, '%%MatrixMarket matrix coordinate integer symmetric\n2 2 1\n2 1 5\n'"
  })
  void byteOrderMarksAreSkipped(String name, String content) throws IOException {
    Graph graph = GraphFormats.read(file(name, MARK + content));
    assertArrayEquals(new int[] {5, 5}, graph.weights());
    Path twice = file(name, MARK + MARK + content);
    assertThrows(FileFormatException.class, () -> GraphFormats.read(twice));
    Path alone = file(name, MARK);
    FileFormatException e = assertThrows(FileFormatException.class, () -> GraphFormats.read(alone));
    assertTrue(e.getMessage().contains("an empty file"), e::getMessage);
  }

  @Test
  void pipesCannotBeRenamed() {
    FileFormatException e =
        assertThrows(FileFormatException.class, () -> GraphFormats.read(Path.of("/dev/stdin")));
    assertEquals(Optional.of("give the format, as in --format wel"), e.remedy());
  }

  @Test
  void labelsAreNumberedInOrderOfAppearance() throws IOException {
    Path file = file("a.txt", "9223372036854775807 7\n7 100\n9223372036854775807 100\n");
    Graph graph = GraphFormats.read(file, ReadOptions.defaults().withRelabel(true));
    assertEquals(
        new GraphBuilder(3, false).addEdge(0, 1).addEdge(1, 2).addEdge(0, 2).build().sorted(),
        graph.sorted());
  }

  @Test
  void manyLabelsAreNumberedInOrderOfAppearance() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int v = 0; v < 5000; v++) {
      text.append(SeededHash.mix(v) >>> 1)
          .append(' ')
          .append(SeededHash.mix(v + 1) >>> 1)
          .append('\n');
    }
    Graph graph =
        GraphFormats.read(file("a.el", text.toString()), ReadOptions.defaults().withRelabel(true));
    assertEquals(GraphGenerators.generate("path:5001,weights=none"), graph.sorted());
  }

  @Test
  void numbersAndLettersMayStraddleTheBuffer() throws IOException {
    String body = "p sp 4 3\na 1 2 5\na 2 2 0\na 4 2 2147483647\n";
    for (int shift = 0; shift <= body.length() + 1; shift++) {
      String comment = "c" + "x".repeat((1 << 16) - 2 - shift) + "\n";
      Graph graph = GraphFormats.read(file("shift.gr", comment + body));
      assertEquals(WEIGHTED.sorted(), graph.sorted(), "shifted by " + shift);
    }
  }

  @Test
  void severalCompressedMembersAreOneFile() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (String part : new String[] {"0 1\n1 ", "1\n3 1\n"}) {
      try (OutputStream out = new GZIPOutputStream(bytes)) {
        out.write(part.getBytes(StandardCharsets.US_ASCII));
      }
    }
    assertEquals(
        UNWEIGHTED.sorted(), GraphFormats.read(file("a.el.gz", bytes.toByteArray())).sorted());
  }

  static Stream<Arguments> malformed() {
    String weight = "a weight, a whole number from 0 to 2147483647";
    String grHeader = "a header 'p sp VERTICES ARCS' or 'p tw VERTICES EDGES'";
    String banner = "'%%MatrixMarket matrix coordinate pattern|integer|real general|symmetric'";
    String mtx = "%%MatrixMarket matrix coordinate ";
    String lines = "the file may be truncated; correct the header if the lines are right";
    return Stream.of(
        // name, content, what follows the file's path in the message
        bad("a.gr", "", ": found an empty file, expected " + grHeader),
        bad("a.gr", "c only\n", ":1: found the end of the file, expected " + grHeader),
        bad("a.gr", "a 1 2 3\n", ":1: found 'a', expected " + grHeader),
        bad("a.gr", "problem sp 1 1\n", ":1: found 'problem', expected " + grHeader),
        bad("a.gr", "p edge 3 3\n", ":1: found 'edge', expected " + grHeader),
        bad(
            "a.gr",
            "p sp 3\n",
            ":1: found the end of the line, expected the number of arcs, 0 to 2147483639"),
        bad("a.gr", "p sp 3 3 3\n", ":1: found '3', expected the end of the line after the header"),
        bad(
            "a.gr",
            "p sp -3 3\n",
            ":1: found '-3', expected the number of vertices, 0 to 2147483638"),
        bad(
            "a.gr",
            "p sp 2147483639 3\n",
            ":1: found '2147483639', expected the number of vertices, 0 to 2147483638"),
        bad(
            "a.gr",
            "p sp 3 99999999999999999999\n",
            ":1: found '99999999999999999999', expected the number of arcs, 0 to 2147483639 (take its"
                + " edges in chunks, by --engine stream)"),
        bad(
            "a.mtx",
            "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 3000000000\n2 1\n",
            ":2: found '3000000000', expected the number of entries, 0 to 2147483639 (take its"
                + " edges in chunks, by --engine stream)"),
        bad(
            "a.gr",
            "p sp 3 2\na 1 2 5\n",
            ":2: found the end of the file after 1 arcs, expected 2 arcs as the header says ("
                + lines
                + ")"),
        bad(
            "a.gr",
            "p sp 3 1\na 1 2 5\na 2 1 5\n",
            ":3: found more arcs, expected 1 arcs as the header says (correct the header if the"
                + " lines are right)"),
        bad("a.gr", "p sp 3 1\na 1 4 5\n", ":2: found '4', expected a vertex, 1 to 3"),
        bad("a.gr", "p sp 3 1\na 0 1 5\n", ":2: found '0', expected a vertex, 1 to 3"),
        bad("a.gr", "p sp 0 1\na 1 1 5\n", ":2: found '1', expected no vertex, as there are none"),
        bad("a.gr", "p sp 3 1\na 1 x2 5\n", ":2: found 'x2', expected a vertex, 1 to 3"),
        bad("a.gr", "p sp 3 1\na 1 2\n", ":2: found the end of the line, expected " + weight),
        bad("a.gr", "p sp 3 1\na 1 2 -5\n", ":2: found '-5', expected " + weight),
        bad("a.gr", "p sp 3 1\na 1 2 2147483648\n", ":2: found '2147483648', expected " + weight),
        bad("a.gr", "p sp 3 1\na 1 2 1.5\n", ":2: found '1.5', expected " + weight),
        bad("a.gr", "p sp 3 1\na 1 2 NaN\n", ":2: found 'NaN', expected " + weight),
        bad(
            "a.gr",
            "p sp 3 1\na 1 2 5 6\n",
            ":2: found '6', expected the end of the line after the weight"),
        bad("a.gr", "p sp 3 1\n1 2 5\n", ":2: found '1', expected an arc line 'a FROM TO WEIGHT'"),
        bad(
            "a.gr",
            "p sp 3 1\narc 1 2 5\n",
            ":2: found 'arc', expected an arc line 'a FROM TO WEIGHT'"),
        bad(
            "a.gr",
            "p tw 3 1\n1 2 5\n",
            ":2: found '5', expected the end of the line after the edge"),
        bad(
            "a.gr",
            "p tw 3 2\n1 2\n",
            ":2: found the end of the file after 1 edges, expected 2 edges as the header says ("
                + lines
                + ")"),
        bad(
            "a.gr",
            "p sp 3 1\na 1 2 \u0001\u00ff" + "9".repeat(50) + "\n",
            ":2: found '??" + "9".repeat(38) + "...', expected " + weight),
        bad(
            "a.graph",
            "",
            ": found an empty file, expected a header 'VERTICES EDGES [FORMAT [CONSTRAINTS]]'"),
        bad(
            "a.graph",
            "% c\n",
            ":1: found the end of the file, expected a header 'VERTICES EDGES [FORMAT"
                + " [CONSTRAINTS]]'"),
        bad("a.graph", "x 3\n", ":1: found 'x', expected the number of vertices, 0 to 2147483638"),
        bad(
            "a.graph",
            "2\n",
            ":1: found the end of the line, expected the number of edges, 0 to 2147483639"),
        bad(
            "a.graph",
            "2 1 2\n",
            ":1: found '2', expected a format of up to three digits 0 or 1: vertex sizes, vertex"
                + " weights, edge weights"),
        bad(
            "a.graph",
            "2 1 100\n",
            ":1: found '100', expected a format without vertex sizes: 0, 1, 10 or 11"),
        bad(
            "a.graph",
            "2 1 10 2\n",
            ":1: found '2', expected at most one weight for each vertex (constraints 1)"),
        bad(
            "a.graph",
            "2 1 0 1 5\n",
            ":1: found '5', expected the end of the line after the header"),
        bad(
            "a.graph",
            "2 1\n2\n",
            ":2: found the end of the file after the lines of 1 vertices, expected 2 lines, one for"
                + " each vertex (the file may be truncated)"),
        bad(
            "a.graph",
            "2 1\n2\n1\n1\n",
            ":4: found '1', expected the end of the line after the line of the last vertex"),
        bad("a.graph", "2 1\n2\n3\n", ":3: found '3', expected a vertex, 1 to 2"),
        bad("a.graph", "2 1 1\n2 4\n1\n", ":3: found the end of the line, expected " + weight),
        bad(
            "a.graph",
            "2 1 10\n4 2\n\n",
            ":3: found the end of the line, expected a vertex weight, a whole number from 0 to"
                + " 2147483647"),
        bad(
            "a.graph",
            "2 1 10\n4 2\n-4 1\n",
            ":3: found '-4', expected a vertex weight, a whole number from 0 to 2147483647"),
        bad(
            "a.graph",
            "4 2\n2\n3\n4\n1\n",
            ":5: found the arc from vertex 1 to vertex 2 has no arc in the other direction, expected"
                + " every edge in the lists of both its end points, with the same weight (add what"
                + " is missing; an edge list, .el or .wel, is completed when it is read)"),
        bad(
            "a.graph",
            "2 1 1\n2 5\n1 7\n",
            ":3: found the arc from vertex 1 to vertex 2 of weight 5 has no arc in the other"
                + " direction, expected every edge in the lists of both its end points, with the"
                + " same weight (add what is missing; an edge list, .el or .wel, is completed when"
                + " it is read)"),
        bad(
            "a.graph",
            "2 2\n2\n1\n",
            ":3: found 2 entries in the lists, expected two for each of 2 edges as the header says"
                + " (one for a self-loop) (correct the header if the lists are right)"),
        bad(
            "a.graph",
            "2 1\n2 1\n1\n",
            ":3: found 3 entries in the lists, 1 of them self-loops, expected two for each of 1"
                + " edges as the header says (one for a self-loop) (correct the header if the lists"
                + " are right)"),
        bad("a.mtx", "", ": found an empty file, expected " + banner),
        bad("a.mtx", "3 3 3\n", ":1: found '3', expected %%matrixmarket in " + banner),
        bad(
            "a.mtx",
            "%%MatrixMarket matrix array real general\n",
            ":1: found 'array', expected coordinate in " + banner),
        bad(
            "a.mtx",
            mtx + "complex general\n",
            ":1: found 'complex', expected pattern or integer or real in " + banner),
        bad(
            "a.mtx",
            mtx + "real skew-symmetric\n",
            ":1: found 'skew-symmetric', expected general or symmetric in " + banner),
        bad("a.mtx", mtx + "real\n", ":1: found the end of the line, expected " + banner),
        bad(
            "a.mtx",
            mtx + "pattern general\n% c\n",
            ":2: found the end of the file, expected a line 'ROWS COLUMNS ENTRIES'"),
        bad(
            "a.mtx",
            mtx + "pattern general\n3 4 1\n",
            ":2: found 3 rows and 4 columns, expected a square matrix, one row and one column for"
                + " each vertex"),
        bad(
            "a.mtx",
            mtx + "pattern general\n3 3 1\n1 2 3\n",
            ":3: found '3', expected the end of the line after the entry"),
        bad(
            "a.mtx",
            mtx + "pattern general\n3 3 1\n0 2\n",
            ":3: found '0', expected a vertex, 1 to 3"),
        bad(
            "a.mtx",
            mtx + "pattern general\n3 3 2\n1 2\n",
            ":3: found the end of the file after 1 entries, expected 2 entries as the header says ("
                + lines
                + ")"),
        bad(
            "a.mtx",
            mtx + "pattern general\n3 3 0\n1 2\n",
            ":3: found more entries, expected 0 entries as the header says (correct the header if"
                + " the lines are right)"),
        bad(
            "a.mtx",
            mtx + "pattern symmetric\n3 3 1\n1 2\n",
            ":3: found row 1, column 2, expected an entry on or below the diagonal, as the matrix"
                + " is symmetric (declare the matrix general if it lists both triangles)"),
        bad(
            "a.mtx",
            mtx + "integer general\n3 3 1\n1 2 -1\n",
            ":3: found '-1', expected " + weight),
        bad(
            "a.mtx",
            mtx + "real general\n3 3 1\n1 2 1.5\n",
            ":3: found '1.5', expected "
                + weight
                + " (give a weight scale (--weight-scale) to multiply weights by before rounding, or, for"
                + " shortest paths, read them as floats (--weight-type float))"),
        bad(
            "a.mtx",
            mtx + "real general\n3 3 1\n1 2 -1.5\n",
            ":3: found '-1.5', expected " + weight),
        bad("a.mtx", mtx + "real general\n3 3 1\n1 2 NaN\n", ":3: found 'NaN', expected " + weight),
        bad(
            "a.mtx",
            mtx + "real general\n3 3 1\n1 2 1e999\n",
            ":3: found '1e999', expected " + weight),
        bad(
            "a.mtx",
            mtx + "real general\n3 3 1\n1 2 1e-e\n",
            ":3: found '1e-e', expected " + weight),
        bad(
            "a.mtx",
            mtx + "real general\n3 3 1\n1 2 1e10\n",
            ":3: found '1e10', expected "
                + weight
                + " (give a weight scale (--weight-scale) to multiply weights by before rounding, or, for"
                + " shortest paths, read them as floats (--weight-type float))"),
        bad(
            "a.el",
            "",
            ": found an empty file, expected lines 'FROM TO' or a comment (write a graph without"
                + " edges as the comment '# Nodes: N Edges: 0')"),
        bad(
            "a.el",
            "0 1\n0\n",
            ":2: found the end of the line, expected a vertex, a whole number from 0 to"
                + " 2147483637"),
        bad(
            "a.el",
            "0 1 5\n",
            ":1: found '5', expected the end of the line after the edge (weighted lists have the"
                + " suffix .wel or .txt)"),
        bad(
            "a.el",
            "0 -1\n",
            ":1: found '-1', expected a vertex, a whole number from 0 to 2147483637"),
        bad(
            "a.el",
            "0 3000000000\n",
            ":1: found '3000000000', expected a vertex, a whole number from 0 to 2147483637"
                + " (relabel the vertices while reading)"),
        bad(
            "a.el",
            "0,1\n",
            ":1: found '0,1', expected a vertex, a whole number from 0 to 2147483637"),
        bad(
            "a.el",
            "# Nodes: 2 Edges: 2\n0 1\n",
            ":2: found the end of the file after 1 edges, expected 2 edges as the comment says (the"
                + " file may be truncated; remove the comment if the lines are right)"),
        bad(
            "a.el",
            "# Nodes: many\n0 1\n",
            ":1: found 'many', expected the number of vertices, 0 to 2147483638"),
        bad("a.wel", "0 1 5\n0 2\n", ":2: found the end of the line, expected " + weight),
        bad(
            "a.txt",
            "0 1\n0 2 5\n",
            ":2: found '5', expected the end of the line after the edge, as the first line has no"
                + " weight"),
        bad("a.txt", "0 1 5\n0 2\n", ":2: found the end of the line, expected " + weight),
        bad(
            "a.graph.gz",
            "3 3\n",
            ": found damaged compressed data: no gzip magic number where a member must begin,"
                + " expected a complete gzip file (fetch or compress it again; a file that is not"
                + " compressed must not be named .gz)"),
        bad(
            "a.graph.xz",
            "3 3\n1\n1\n1\n1\n1\n1\n",
            ": found damaged compressed data: Input is not in the XZ format, expected a complete xz"
                + " file (fetch or compress it again; a file that is not compressed must not be"
                + " named .xz)"),
        bad(
            "a.gr.gz",
            "",
            ": found the end of the file inside the compressed data, expected a complete gzip file"
                + " (fetch or compress it again; a file that is not compressed must not be named"
                + " .gz)"),
        bad(
            "a.csv",
            "",
            ": found suffix '.csv', expected one of .gr, .graph, .mtx, .el, .wel, .txt, .egr, .mpg,"
                + " .mpe, alone or followed by .gz or .xz (rename the file to tell its format, or give"
                + " the format, as in --format wel)"),
        bad(
            "graph",
            "",
            ": found a name without suffix, expected one of .gr, .graph, .mtx, .el, .wel, .txt,"
                + " .egr, .mpg, .mpe, alone or followed by .gz or .xz (rename the file to tell its"
                + " format, or give the format, as in --format wel)"),
        bad(
            "a.gz",
            "",
            ": found a name without suffix, expected one of .gr, .graph, .mtx, .el, .wel, .txt,"
                + " .egr, .mpg, .mpe, alone or followed by .gz or .xz (rename the file to tell its"
                + " format, or give the format, as in --format wel)"));
  }

  private static Arguments bad(String name, String content, String message) {
    return Arguments.of(name, content, message);
  }

  @ParameterizedTest
  @MethodSource("malformed")
  void malformedTextIsExplained(String name, String content, String message) throws IOException {
    Path file = file(name, content);
    FileFormatException e =
        assertThrows(FileFormatException.class, () -> GraphFormats.read(file, COUNTS));
    assertEquals(file + message, e.getMessage());
    assertEquals(file.toString(), e.file());
    assertTrue(message.contains("expected " + e.expected()));
    assertEquals(message.startsWith(":") && !message.startsWith(": "), e.line() > 0);

    // By default only what is a number for a weight is read; all else is found at the same place.
    String found = message.substring(0, message.indexOf(", expected"));
    boolean fractions = name.endsWith("x") && content.contains("real");
    if (message.contains(", expected a weight, a whole number")
        && found.matches(":[0-9]+: found '-?[0-9]+" + (fractions ? "(\\.5|e10)?'" : "'"))) {
      assertEquals(1, GraphFormats.read(file).edges());
    } else {
      FileFormatException other =
          assertThrows(FileFormatException.class, () -> GraphFormats.read(file));
      assertTrue(other.getMessage().startsWith(file + found), other.getMessage());
      assertEquals(e.line(), other.line());
    }
  }

  @Test
  void partsOfTheMessageAreToldApart() throws IOException {
    Path file = file("a.el", "0 1\n0 3000000000\n");
    FileFormatException e = assertThrows(FileFormatException.class, () -> GraphFormats.read(file));
    assertEquals(2, e.line());
    assertEquals(Optional.of("'3000000000'"), e.token());
    assertEquals("a vertex, a whole number from 0 to 2147483637", e.expected());
    assertEquals(Optional.of("relabel the vertices while reading"), e.remedy());
  }

  /** Decimal as they are written: binary rounding would make some whole, and ties of others. */
  @ParameterizedTest
  @CsvSource({
    "0, 2147483646.99999990000, refused",
    "0, 2147483646.9999999, refused",
    "0, 1.00000000000000000000000001, refused",
    "0, 1e-999999999, refused",
    "0, -0.0, 0",
    "0, 20e-1, 2",
    "1, 0.5, 0",
    "1, 1.5, 2",
    "1, 0.50000000000000000000000001, 1",
    "1, 2147483647.5, refused",
    "1, 2147483647.4999999999999999, 2147483647",
    "1, -0.3, refused",
    "1e-5, 1e999999999, refused",
    "1e300, 0.5, refused",
    "1e300, 1e-300, 1",
    "1e300, 1e-999999999, 0",
    "100, 1.005, 100",
    "1000, 1.0015, 1002"
  })
  void realWeightsAreTakenExactly(double scale, String written, String weight) throws IOException {
    Path file =
        file("a.mtx", "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 " + written);
    ReadOptions options = COUNTS.withWeightScale(scale);
    if (weight.equals("refused")) {
      FileFormatException e =
          assertThrows(FileFormatException.class, () -> GraphFormats.read(file, options));
      assertEquals(Optional.of(Tokenizer.quote(written)), e.token());
    } else {
      assertEquals(Integer.parseInt(weight), GraphFormats.read(file, options).weights()[0]);
    }
  }

  @Test
  void theFormatCanBeGivenInPlaceOfTheName() throws IOException {
    for (String name : List.of("graph", "graph.gr", "graph.mtx.xz")) {
      for (String format : List.of("el", ".EL", "txt")) {
        Path file = file(name, "0 1\n1 1\n3 1\n");
        assertEquals(
            UNWEIGHTED.sorted(),
            GraphFormats.read(file, ReadOptions.defaults().withFormat(format)).sorted());
      }
    }
    Path packed = file("packed", bytes(WEIGHTED, "a.gr.xz"));
    ReadOptions options = ReadOptions.defaults().withFormat("gr.xz");
    assertEquals(WEIGHTED.sorted(), GraphFormats.read(packed, options).sorted());
    assertEquals(1, GraphFormats.firstVertex(packed, options));
    for (String format : List.of("", ".", "gz", ".gz", "csv", "gr.bz2", "a.gr", "gr.", "..gr")) {
      IllegalArgumentException e =
          assertThrows(
              IllegalArgumentException.class, () -> ReadOptions.defaults().withFormat(format));
      assertTrue(e.getMessage().endsWith(".gz or .xz, got '" + format + "'"), e.getMessage());
    }
  }

  /** A pipe has no size, cannot be sought, and is read once. */
  @ParameterizedTest
  @ValueSource(strings = {".gr", ".graph", ".mtx", ".wel", ".txt", ".egr", ".mpg", ".mpe"})
  void everyFormatComesThroughAPipe(String suffix) throws IOException, InterruptedException {
    Graph graph = GraphGenerators.generate("random:2000,m=6000");
    for (Compression compression : Compression.values()) {
      Path whole = folder.resolve("whole" + suffix + compression.suffix());
      GraphFormats.write(graph, whole);
      Path pipe = folder.resolve("pipe" + compression.suffix());
      assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
      Process writer =
          new ProcessBuilder("sh", "-c", "cat \"$0\" > \"$1\"", whole.toString(), pipe.toString())
              .start();
      ReadOptions options =
          ReadOptions.defaults().withFormat(suffix.substring(1) + compression.suffix());
      assertEquals(graph.sorted(), GraphFormats.read(pipe, options).sorted());
      assertEquals(0, writer.waitFor());
    }
  }

  /** A file of several members is one file: what is wrong with a later one is wrong with it. */
  @ParameterizedTest
  @ValueSource(strings = {".gr", ".graph", ".mtx", ".wel", ".txt", ".egr", ".mpg", ".mpe"})
  void aDamagedLaterMemberIsNoticed(String suffix) throws IOException {
    byte[] plain = bytes(GraphGenerators.generate("grid:9,weights=9"), "a" + suffix);
    byte[] whole = gzipped(plain);
    byte[] last = gzipped(new byte[0]);
    byte[] joined = Arrays.copyOf(whole, whole.length + last.length);
    System.arraycopy(last, 0, joined, whole.length, last.length);
    Path file = file("a" + suffix + ".gz", joined);
    GraphFormats.read(file);
    joined[whole.length + 1] ^= 1;
    Files.write(file, joined);
    assertThrows(FileFormatException.class, () -> GraphFormats.read(file));
  }

  /** The byte 0xff, which is -1 as a signed number, is not the end of a file. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        ".wel   | # Nodes: 3 Edges: 2~;0 1 5;1 2 7               | 1 | 2",
        ".txt   | # Nodes: 3~ Edges: 1;0 1                       | 1 | 3",
        ".el    | 0 1;1 2~                                       | 2 | 2",
        ".gr    | p sp 2 1;a~ 1 2 5                              | 2 | a",
        ".gr    | p sp 2 1~;a 1 2 5                              | 1 | 1",
        ".graph | 2 1;2~;1                                       | 2 | 2",
        ".mtx   | %%MatrixMarket matrix coordinate integer general;1 1 1;1 1 1~ | 3 | 1"
      })
  void aByteThatIsNoTextEndsNoWord(String suffix, String lines, int line, String word)
      throws IOException {
    byte[] plain =
        (lines.replace(';', '\n') + '\n')
            .replace('~', '\u00ff')
            .getBytes(StandardCharsets.ISO_8859_1);
    ByteArrayOutputStream xz = new ByteArrayOutputStream();
    try (OutputStream out = new XZOutputStream(xz, new LZMA2Options(1))) {
      out.write(plain);
    }
    for (Path file :
        List.of(
            file("a" + suffix, plain),
            file("a" + suffix + ".gz", gzipped(plain)),
            file("a" + suffix + ".xz", xz.toByteArray()))) {
      FileFormatException e =
          assertThrows(FileFormatException.class, () -> GraphFormats.read(file));
      assertEquals(line, e.line(), e::getMessage);
      assertTrue(e.getMessage().contains(": found '" + word + "?', expected "), e::getMessage);
    }
  }

  private static byte[] gzipped(byte[] plain) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(bytes)) {
      out.write(plain);
    }
    return bytes.toByteArray();
  }

  /** Its first 4096 characters are another number. */
  @Test
  void realWeightsTooLongToKeepAreRefused() throws IOException {
    Path file =
        file(
            "a.mtx",
            "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1."
                + "0".repeat(4094)
                + "e3\n");
    FileFormatException e =
        assertThrows(
            FileFormatException.class, () -> GraphFormats.read(file, ReadOptions.defaults()));
    assertTrue(e.getMessage().contains("' of more than 4096 characters"), e.getMessage());
  }

  @Test
  void scaledWeightOutOfRangeIsExplained() throws IOException {
    Path file =
        file("a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 12345678\n");
    FileFormatException e =
        assertThrows(
            FileFormatException.class,
            () -> GraphFormats.read(file, ReadOptions.defaults().withWeightScale(1000)));
    assertEquals(
        file
            + ":3: found '12345678', expected a weight from -2147483648 to 2147483647"
            + " when multiplied by 1000.0 and rounded (choose a smaller weight scale)",
        e.getMessage());
    assertThrows(
        IllegalArgumentException.class, () -> ReadOptions.defaults().withWeightScale(Double.NaN));
    assertThrows(IllegalArgumentException.class, () -> ReadOptions.defaults().withWeightScale(-1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"p sp 3 3\na 1 2 4\na 2 1 4\na 2 3 7\n", "p sp 3 1\na 2 3 7\n"})
  void missingDirectionIsExplainedWhereBothAreRequired(String content) throws IOException {
    Path file = file("a.gr", content);
    FileFormatException e =
        assertThrows(
            FileFormatException.class,
            () -> GraphFormats.read(file, ReadOptions.defaults().withSymmetry(Symmetry.REQUIRE)));
    assertTrue(
        e.getMessage()
            .endsWith(
                "found the arc from vertex 2 to vertex 3 of weight 7 has no arc in the other"
                    + " direction, expected both directions of every edge (read it with"
                    + " Symmetry.SYMMETRIZE)"),
        e::getMessage);
  }

  @Test
  void weightsThatDifferDoNotMatterWhereTheyAreLeftOut() throws IOException {
    Path file = file("a.graph", "2 1 1\n2 5\n1 7\n");
    assertEquals(
        new GraphBuilder(2, false).addEdge(0, 1).build(),
        GraphFormats.read(file, ReadOptions.defaults().withUnitWeights(true)));
  }

  @Test
  void countsBeyondTheHeapAreExplained() throws IOException {
    Path file = file("a.gr", "p sp 2147483638 0\n");
    FileFormatException e = assertThrows(FileFormatException.class, () -> GraphFormats.read(file));
    assertTrue(
        e.getMessage().startsWith(file + ": found a graph that is too large for the heap of "),
        e::getMessage);
  }

  private byte[] bytes(Graph graph, String name) throws IOException {
    Path file = folder.resolve(name);
    GraphFormats.write(graph, file);
    return Files.readAllBytes(file);
  }

  @Test
  void snapshotIsLaidOutAsDocumented() throws IOException {
    Graph graph =
        new GraphBuilder(2, true).addEdge(0, 1, 9).vertexWeights(new int[] {5, 6}).build();
    ByteBuffer bytes = ByteBuffer.wrap(bytes(graph, "a.mpg")).order(ByteOrder.LITTLE_ENDIAN);
    assertEquals(0x0a1a0a0d47504d89L, bytes.getLong(0));
    int[] words = new int[(bytes.capacity() - 8) / 4];
    bytes.position(8);
    bytes.asIntBuffer().get(words);
    CRC32C checksum = new CRC32C();
    checksum.update(bytes.array(), 0, bytes.capacity() - 4);
    assertArrayEquals(
        new int[] {
          0x01020304, 1, 3, 0, 2, 0, 2, 0, 0, 1, 2, 1, 0, 9, 9, 5, 6, (int) checksum.getValue()
        },
        words);
  }

  @Test
  void eclFileIsLaidOutAsDocumented() throws IOException {
    Graph graph = new GraphBuilder(2, true).addEdge(0, 1, 9).build();
    ByteBuffer bytes = ByteBuffer.wrap(bytes(graph, "a.egr")).order(ByteOrder.LITTLE_ENDIAN);
    int[] words = new int[bytes.capacity() / 4];
    bytes.asIntBuffer().get(words);
    assertArrayEquals(new int[] {2, 2, 0, 1, 2, 1, 0, 9, 9}, words);
  }

  @Test
  void arcsOfNoVertexInAnEclFileAreDropped() throws IOException {
    Path file = file("a.egr", words(2, 4, 0, 1, 2, 1, 0, 0, 0, 9, 9, 0, 0));
    assertEquals(new GraphBuilder(2, true).addEdge(0, 1, 9).build(), GraphFormats.read(file));
  }

  private static byte[] words(int... words) {
    ByteBuffer bytes = ByteBuffer.allocate(4 * words.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asIntBuffer().put(words);
    return bytes.array();
  }

  static Stream<Arguments> malformedEcl() {
    String wide = " (only the 32-bit variant of .egr is supported)";
    return Stream.of(
        bad(words(), "an empty file, expected the number of vertices"),
        bad(
            words(2),
            "the end of the file at byte 4, expected the number of arcs (the file may be"
                + " truncated)"),
        bad(words(-2, 2), "-2 vertices, expected 0 to 2147483638 vertices" + wide),
        bad(words(2, -2), "-2 arcs, expected 0 to 2147483639 arcs" + wide),
        bad(
            words(2, 2, 0, 1),
            "the end of the file at byte 16, expected offset 2 of 3 (the file may be truncated)"),
        bad(
            words(2, 2, 0, 3, 2, 1, 0),
            "offset 3 of vertex 1, expected offsets that ascend from 0 to the number of arcs, 2"
                + wide),
        bad(
            words(2, 2, 1, 1, 2, 1, 0),
            "offset 1 of vertex 0, expected offsets that ascend from 0 to the number of arcs, 2"
                + wide),
        bad(
            words(2, 0, 2, 0, 0, 0),
            "offset 2 of vertex 0, expected offsets that ascend from 0 to the number of arcs, 0"
                + wide),
        bad(
            words(2, 2, 0, 1, 2, 1),
            "the end of the file at byte 24, expected target of arc 1 of 2 (the file may be"
                + " truncated)"),
        bad(words(2, 2, 0, 1, 2, 1, 2), "target 2 of arc 1, expected a vertex, 0 to 1"),
        bad(words(2, 2, 0, 1, 2, 1, -1), "target -1 of arc 1, expected a vertex, 0 to 1"),
        bad(
            words(2, 2, 0, 1, 2, 1, 0, 5),
            "the end of the file at byte 32, expected weight of arc 1 of 2 (the file may be"
                + " truncated)"),
        bad(words(2, 2, 0, 1, 2, 1, 0, 5, -5), "weight -5 of arc 1, expected a weight, 0 or more"),
        bad(
            words(2, 2, 0, 1, 2, 1, 0, 5, 5, 5),
            "more bytes, expected the end of the file after the weights" + wide),
        bad(
            words(1, 2147483639, 0, 2147483639, 0),
            "the end of the file at byte 20, expected target of arc 1 of 2147483639 (the file may"
                + " be truncated)"));
  }

  private static Arguments bad(byte[] content, String message) {
    return Arguments.of(content, message);
  }

  @ParameterizedTest
  @MethodSource("malformedEcl")
  void malformedEclFileIsExplained(byte[] content, String message) throws IOException {
    Path file = file("a.egr", content);
    FileFormatException e =
        assertThrows(FileFormatException.class, () -> GraphFormats.read(file, COUNTS));
    assertEquals(file + ": found " + message, e.getMessage());
  }

  private String snapshotFault(byte[] content) throws IOException {
    Path file = file("bad.mpg", content);
    FileFormatException e = assertThrows(FileFormatException.class, () -> GraphFormats.read(file));
    assertTrue(e.getMessage().startsWith(file + ": found "), e::getMessage);
    return e.getMessage().substring((file + ": found ").length());
  }

  private static byte[] with(byte[] bytes, int at, int value) {
    byte[] result = bytes.clone();
    ByteBuffer.wrap(result).order(ByteOrder.LITTLE_ENDIAN).putInt(at, value);
    return result;
  }

  @Test
  void malformedSnapshotsAreExplained() throws IOException {
    byte[] good = bytes(new GraphBuilder(2, true).addEdge(0, 1, 9).build(), "good.mpg");
    assertEquals("an empty file, expected a Magpie snapshot", snapshotFault(new byte[0]));
    assertEquals(
        "another signature, expected that of a Magpie snapshot, 89 'MPG' 0d 0a 1a 0a",
        snapshotFault(with(good, 0, 7)));
    assertEquals(
        "another signature, expected that of a Magpie snapshot, 89 'MPG' 0d 0a 1a 0a",
        snapshotFault(Arrays.copyOf(good, 7)));
    assertEquals(
        "byte order mark 0x4030201, expected 0x01020304, little endian (the file is big endian;"
            + " write it again)",
        snapshotFault(with(good, 8, 0x04030201)));
    assertEquals(
        "byte order mark 0x5, expected 0x01020304, little endian", snapshotFault(with(good, 8, 5)));
    assertEquals(
        "version 2, expected version 1 (write it again, or use a newer Magpie)",
        snapshotFault(with(good, 12, 2)));
    assertEquals(
        "flags 0x21, reserved 0, expected flags 0 to 31, reserved 0 (write it again, or use a newer"
            + " Magpie)",
        snapshotFault(with(good, 16, 33)));
    assertEquals(
        "flags 0x8, expected weights (flag 1) where there is a type of weights (flags 8 and 16)",
        snapshotFault(with(good, 16, 8)));
    assertEquals(
        "a directed graph, expected an undirected one (give it by --digraph to a command that has"
            + " it; in Java, use GraphFormats.readDirected)",
        snapshotFault(with(good, 16, 5)));
    assertEquals(
        "4294967298 vertices, expected 0 to 2147483638 vertices", snapshotFault(with(good, 28, 1)));
    assertEquals(
        "-4294967294 arcs, expected 0 to 2147483639 arcs", snapshotFault(with(good, 36, -1)));
    assertEquals(
        "the end of the file at byte 71, expected the checksum (the file may be truncated)",
        snapshotFault(Arrays.copyOf(good, good.length - 1)));
    assertEquals(
        "more bytes, expected the end of the file after the checksum",
        snapshotFault(Arrays.copyOf(good, good.length + 1)));
  }

  @Test
  void snapshotsWithWrongOffsetsAreExplained() throws IOException {
    byte[] bytes = bytes(new GraphBuilder(2, true).addEdge(0, 1, 9).build(), "good.mpg");
    bytes = with(bytes, 48, 1);
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, 0, bytes.length - 4);
    assertEquals(
        "offset 1 of vertex 2, expected offsets that ascend from 0 to the number of arcs, 2",
        snapshotFault(with(bytes, bytes.length - 4, (int) checksum.getValue())));
  }

  @Test
  void everyFlippedBitOfASnapshotIsNoticed() throws IOException {
    byte[] good = bytes(new GraphBuilder(2, true).addEdge(0, 1, 9).build(), "good.mpg");
    for (int bit = 0; bit < 8 * good.length; bit++) {
      byte[] bad = good.clone();
      bad[bit / 8] ^= (byte) (1 << (bit % 8));
      snapshotFault(bad);
    }
  }

  @Test
  void everyTruncationIsNoticed() throws IOException {
    Graph graph = GraphGenerators.generate("grid:3,weights=100..999");
    for (String suffix : List.of(".gr", ".graph", ".mtx", ".wel", ".egr", ".mpg")) {
      for (Compression compression : Compression.values()) {
        String name = "cut" + suffix + compression.suffix();
        byte[] whole = bytes(graph, name);
        // Without compression a text file may lack its last line end and digits of its last
        // weight, an edge list all but its comment, and an .egr its weights: nothing tells.
        boolean plain = compression == Compression.NONE;
        boolean text = !suffix.equals(".egr") && !suffix.equals(".mpg");
        int shortest = plain && suffix.equals(".wel") ? "# Nodes: 9 Edges: 1".length() : 0;
        int longest = whole.length - (plain && text ? 3 : 0);
        for (int length = shortest; length < longest; length++) {
          if (plain && suffix.equals(".egr") && length == whole.length - 4 * graph.arcs()) {
            continue;
          }
          Path file = file(name, Arrays.copyOf(whole, length));
          int bytes = length;
          assertThrows(
              FileFormatException.class,
              () -> GraphFormats.read(file),
              () -> name + " cut to " + bytes + " of " + whole.length + " bytes");
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {".gz", ".xz"})
  void damagedCompressionIsNoticed(String suffix) throws IOException {
    byte[] whole = bytes(GraphGenerators.generate("random:20,m=60"), "a.mpg" + suffix);
    // Behind the header: that of gzip has bytes without meaning.
    for (int at = 12; at < whole.length; at++) {
      byte[] bad = whole.clone();
      bad[at] ^= 0x55;
      Path file = file("bad.mpg" + suffix, bad);
      assertThrows(FileFormatException.class, () -> GraphFormats.read(file), "byte " + at);
    }
  }

  @Test
  void otherEncoderSettingsAreRead() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new XZOutputStream(bytes, new LZMA2Options(6))) {
      out.write("0 1\n1 1\n3 1\n".getBytes(StandardCharsets.US_ASCII));
    }
    assertEquals(
        UNWEIGHTED.sorted(), GraphFormats.read(file("a.el.xz", bytes.toByteArray())).sorted());
  }

  @Test
  void absentFilesAreReportedByTheSystem() {
    assertThrows(NoSuchFileException.class, () -> GraphFormats.read(folder.resolve("absent.gr")));
    assertThrows(
        NoSuchFileException.class,
        () -> GraphFormats.write(WEIGHTED, folder.resolve("absent/a.gr")));
  }

  @Test
  void formatsRefuseWhatTheyCannotHold() {
    Graph vertexWeights = new GraphBuilder(1, false).vertexWeights(new int[] {3}).build();
    for (String suffix : List.of(".gr", ".mtx", ".el", ".txt", ".egr")) {
      Path file = folder.resolve("a" + suffix);
      assertEquals(
          file
              + ": the graph has weights of vertices, which only .graph and .mpg hold (drop them by"
              + " withoutVertexWeights)",
          assertThrows(
                  IllegalArgumentException.class, () -> GraphFormats.write(vertexWeights, file))
              .getMessage());
    }
    assertEquals(
        folder.resolve("a.el")
            + ": the graph has weights, which .el cannot hold (use .wel or .txt)",
        assertThrows(
                IllegalArgumentException.class,
                () -> GraphFormats.write(WEIGHTED, folder.resolve("a.el")))
            .getMessage());
    assertEquals(
        folder.resolve("a.wel")
            + ": the graph has no weights, which .wel must have (use .el or .txt)",
        assertThrows(
                IllegalArgumentException.class,
                () -> GraphFormats.write(UNWEIGHTED, folder.resolve("a.wel")))
            .getMessage());
    assertThrows(
        FileFormatException.class, () -> GraphFormats.write(WEIGHTED, folder.resolve("a.csv")));
    assertEquals(0, folder.toFile().list().length);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.gr", "a.gr.gz", "a.gr.xz"})
  void failureWhileWritingLeavesWhatWasThere(String name) throws IOException {
    Path file = file(name, "old");
    GraphFormat failing =
        new GraphFormat() {
          @Override
          public int firstVertex() {
            return 0;
          }

          @Override
          public <G> G read(ByteSource source, ReadOptions options, GraphForm<G> form) {
            throw new AssertionError();
          }

          @Override
          public void write(DirectedGraph graph, ByteSink out) {
            throw new UnsupportedOperationException();
          }

          @Override
          public void write(Graph graph, ByteSink out) throws IOException {
            for (int i = 0; i < 100_000; i++) {
              out.number(i);
            }
            throw new IOException("no space left");
          }
        };
    assertEquals(
        "no space left",
        assertThrows(IOException.class, () -> GraphFormats.write(WEIGHTED, file, failing))
            .getMessage());
    assertEquals("old", Files.readString(file));
    assertArrayEquals(new String[] {name}, folder.toFile().list());
  }

  @Test
  void writingReplacesAnOldFile() throws IOException {
    Path file = file("a.gr", "old");
    GraphFormats.write(UNWEIGHTED, file);
    assertEquals("p tw 4 3\n1 2\n2 2\n2 4\n", Files.readString(file));
    GraphFormats.write(WEIGHTED, file);
    assertEquals(
        "p sp 4 5\na 1 2 5\na 2 1 5\na 2 2 0\na 2 4 2147483647\na 4 2 2147483647\n",
        Files.readString(file));
    assertArrayEquals(new String[] {"a.gr"}, folder.toFile().list());
  }

  /** An arc to the vertex of the number is read, and one to the number before it is refused. */
  @ParameterizedTest
  @CsvSource({
    "a.gr, p sp 1 1|a 1 %d 5|",
    "a.graph, 1 1|%d|",
    "a.mtx, %%%%MatrixMarket matrix coordinate pattern general|1 1 1|1 %d|",
    "a.el, 0 %d|"
  })
  void theFirstVertexHasTheNumberThatItsFormatSays(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    String lines = text.replace('|', '\n');
    int first = GraphFormats.firstVertex(file, ReadOptions.defaults());
    Files.writeString(file, String.format(Locale.ROOT, lines, first));
    assertEquals(0, GraphFormats.read(file, ReadOptions.defaults()).neighbors()[0]);
    Files.writeString(file, String.format(Locale.ROOT, lines, first - 1));
    assertThrows(FileFormatException.class, () -> GraphFormats.read(file, ReadOptions.defaults()));
  }
}
