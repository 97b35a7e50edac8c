package io.magpie.algorithms.graph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.FileFormatException;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which types the weights of files get, and which weights are refused. */
class FileWeightsTest {
  private static final String REAL = "%%MatrixMarket matrix coordinate real symmetric\n";

  @TempDir Path folder;

  private Path file(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content);
  }

  private static ReadOptions as(FileWeights weights) {
    return ReadOptions.defaults().withWeights(weights);
  }

  /** The weights of the lines of an edge list, in their order, and the type. */
  private String read(String content, FileWeights weights) throws IOException {
    Graph graph = GraphFormats.read(file("a.wel", content), as(weights));
    StringBuilder text = new StringBuilder(graph.weightType().toString());
    for (int arc : graph.canonicalArcs()) {
      text.append(' ').append(graph.exactWeight(arc));
    }
    return text.toString();
  }

  @Test
  void theFirstTypeThatHoldsAllWeights() throws IOException {
    FileWeights any = FileWeights.ANY;
    assertEquals("int 3 -5", read("0 1 3\n0 2 -5\n", any));
    assertEquals("int 3 100", read("0 1 3.0\n0 2 1e2\n", any));
    assertEquals("int 0", read("0 1 -0.0\n", any));
    assertEquals("long 3 2147483648", read("0 1 3\n0 2 2147483648\n", any));
    assertEquals(
        "long -9223372036854775808 9223372036854775807",
        read("0 1 -9223372036854775808\n0 2 9223372036854775807\n", any));
    assertEquals("long -9007199254740993 1", read("0 1 -9007199254740993\n0 2 1\n", any));
    assertEquals("double 3.0 0.1", read("0 1 3\n0 2 0.1\n", any));
    assertEquals("double 0.1 3.0", read("0 1 0.1\n0 2 3\n", any));
    assertEquals("double 3.0 2.147483648E9 0.5", read("0 1 3\n0 2 2147483648\n0 3 .5\n", any));
    assertEquals("double " + 0x1p63 + " 1.0", read("0 1 9223372036854775808\n0 2 1\n", any));
    assertEquals("double 4.9E-324 0.0", read("0 1 4.9e-324\n0 2 1e-400\n", any));
  }

  /** What the number in the file is decides, not what the double nearest to it is. */
  @ParameterizedTest
  @CsvSource({
    "9007199254740993.0, long 9007199254740993",
    "9.0071992547409930e+15, long 9007199254740993",
    "9007199254740992.5, double 9.007199254740992E15",
    "1e18, long 1000000000000000000",
    "9223372036854775807.000, long 9223372036854775807",
    "-9223372036854775809, double -9.223372036854775808E18",
    "-9223372036854775808.0, long -9223372036854775808",
    "2147483647.00000001, double 2.147483647E9",
    "2147483647.000000, int 2147483647",
    "2147483648.0, long 2147483648",
    "0.99999999999999999, double 1.0",
    "1.00000000000000000000000000000000001, double 1.0",
    "1e-400, double 0.0",
    "1e-2000, double 0.0",
    "-0e-400, int 0",
    "1200e-2, int 12"
  })
  void theDecimalDecidesTheType(String written, String expected) throws IOException {
    String type = expected.substring(0, expected.indexOf(' '));
    String number = expected.substring(type.length() + 1);
    String shown = type.equals("double") ? Double.valueOf(number).toString() : number;
    assertEquals(type + " " + shown, read("0 1 " + written + "\n", FileWeights.ANY));
  }

  @ParameterizedTest
  @CsvSource({
    "LONG, 5, long 5",
    "FLOAT, 0.1, float 0.1",
    "FLOAT, 16777217, float 1.6777216E7",
    // Above the middle of two floats by less than doubles tell: the double nearest is the middle.
    "FLOAT, 1.00000005960464477539062500000000001, float 1.0000001",
    "DOUBLE, 7, double 7.0",
    "DOUBLE, 16777217, double 1.6777217E7",
    "DOUBLE, 9007199254740993, double 9.007199254740992E15",
    "INT, -2147483648, int -2147483648",
    "INT, 1.20e1, int 12",
    "INT, 0e40, int 0",
    "LENGTHS, 0.1, float 0.1",
    "LENGTHS, 7, float 7.0",
    "LENGTHS, -0.0, float 0.0",
    "LENGTHS, 1e-60, float 0.0",
    "LENGTHS, 3.4028235e38, float 3.4028235E38",
    "COUNTS, 7, int 7",
    "COUNTS, 7.0, int 7"
  })
  void aTypeThatIsAskedFor(FileWeights weights, String written, String expected)
      throws IOException {
    assertEquals(expected, read("0 1 " + written + "\n", weights));
  }

  @ParameterizedTest
  @CsvSource({
    "ANY, NaN, a finite number",
    "ANY, nan, a finite number",
    "ANY, Infinity, a finite number",
    "ANY, -inf, a finite number",
    "ANY, 1e999, within the range of double",
    "DOUBLE, -1e309, within the range of double",
    "DOUBLE, 0x1p3, a finite number",
    "FLOAT, 1e39, within the range of float",
    "LENGTHS, 1e39, within the range of float",
    "LENGTHS, NaN, a finite number from 0",
    "LENGTHS, -1, a finite number from 0",
    "LENGTHS, -1e-60, a finite number from 0",
    "INT, 2147483648, from -2147483648 to 2147483647",
    "INT, -3000000000, from -2147483648 to 2147483647",
    "INT, 0.5, from -2147483648 to 2147483647",
    "INT, 1e999999999, from -2147483648 to 2147483647",
    "LONG, 9223372036854775808, from -2^63 to 2^63 - 1",
    "LONG, 1.5, from -2^63 to 2^63 - 1",
    "COUNTS, -1, from 0 to 2147483647"
  })
  void othersAreRefusedWithTheirLine(FileWeights weights, String written, String expected)
      throws IOException {
    Path file = file("a.wel", "0 1 5\n0 2 " + written + "\n");
    FileFormatException e =
        assertThrows(FileFormatException.class, () -> GraphFormats.read(file, as(weights)));
    assertEquals(2, e.line());
    assertTrue(
        e.getMessage().startsWith(file + ":2: found '" + written + "', expected a weight"),
        e.getMessage());
    assertTrue(e.expected().contains(expected), e.getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    "a.gr, 'p sp 2 2\na 1 2 0.5\na 2 1 0.5\n', 2",
    "a.graph, '2 1 1\n2 0.5\n1 0.5\n', 2",
    "a.mtx, '%%MatrixMarket matrix coordinate integer symmetric\n2 2 1\n2 1 0.5\n', 3"
  })
  void formatsOfWholeNumbersRefuseFractions(String name, String content, long line)
      throws IOException {
    Path file = file(name, content);
    for (FileWeights weights : FileWeights.values()) {
      FileFormatException e =
          assertThrows(FileFormatException.class, () -> GraphFormats.read(file, as(weights)));
      assertEquals(line, e.line());
      assertTrue(e.getMessage().contains("a whole number"), e.getMessage());
    }
  }

  @Test
  void negativeAndLongWeightsOfFormatsOfWholeNumbers() throws IOException {
    Graph gr = GraphFormats.read(file("a.gr", "p sp 2 2\na 1 2 -5000000000\na 2 1 -5000000000\n"));
    assertArrayEquals(new long[] {-5000000000L, -5000000000L}, gr.longWeights());
    Graph metis = GraphFormats.read(file("a.graph", "2 1 1\n2 -3\n1 -3\n"));
    assertArrayEquals(new int[] {-3, -3}, metis.weights());
  }

  @Test
  void realMatricesKeepFractions() throws IOException {
    Path file = file("a.mtx", REAL + "3 3 2\n2 1 0.25\n3 1 -1e-3\n");
    assertArrayEquals(
        new double[] {0.25, -1e-3, 0.25, -1e-3}, GraphFormats.read(file).doubleWeights());
    FileFormatException counting =
        assertThrows(
            FileFormatException.class, () -> GraphFormats.read(file, as(FileWeights.COUNTS)));
    assertEquals(3, counting.line());
  }

  @Test
  void directedGraphsCount() throws IOException {
    Path file = file("a.wel", "0 1 5\n1 0 -5\n");
    FileFormatException e =
        assertThrows(FileFormatException.class, () -> GraphFormats.readDirected(file));
    assertEquals(2, e.line());
    for (FileWeights lengths : List.of(FileWeights.FLOAT, FileWeights.LENGTHS)) {
      FileFormatException negative =
          assertThrows(
              FileFormatException.class, () -> GraphFormats.readDirected(file, as(lengths)));
      assertEquals(2, negative.line());
    }
    for (FileWeights others : List.of(FileWeights.INT, FileWeights.LONG, FileWeights.DOUBLE)) {
      assertThrows(
          IllegalArgumentException.class, () -> GraphFormats.readDirected(file, as(others)));
    }
    Path fraction = file("b.wel", "0 1 0.5\n");
    FileFormatException half =
        assertThrows(FileFormatException.class, () -> GraphFormats.readDirected(fraction));
    assertTrue(half.remedy().orElseThrow().contains("(--weight-type float)"), half::getMessage);
    assertEquals(0.5f, GraphFormats.readDirected(fraction, as(FileWeights.LENGTHS)).exactWeight(0));
  }

  /** Written as floats are; snapshots are not rounded, and lengths in them not negative. */
  @ParameterizedTest
  @ValueSource(strings = {"a.wel", "a.txt", "a.mtx", "a.mpg", "a.txt.gz"})
  void directedFloatsComeBack(String name) throws IOException {
    DirectedGraph graph =
        GraphGenerators.parse("random:n=40,m=200,directed,weights=float:0..1").generateDirected();
    Path file = folder.resolve(name);
    GraphFormats.write(graph, file);
    assertEquals(graph, GraphFormats.readDirected(file, as(FileWeights.LENGTHS)));
    FileFormatException e =
        assertThrows(FileFormatException.class, () -> GraphFormats.readDirected(file));
    assertTrue(e.remedy().orElseThrow().contains("(--weight-type float)"), e::getMessage);
  }

  @Test
  void lengthsOfSnapshots() throws IOException {
    Path file = folder.resolve("a.mpg");
    GraphFormats.write(new GraphBuilder(2, WeightType.FLOAT).addEdge(0, 1, -0.5f).build(), file);
    FileFormatException e =
        assertThrows(
            FileFormatException.class, () -> GraphFormats.read(file, as(FileWeights.LENGTHS)));
    assertTrue(
        e.getMessage().contains("weight -0.5 of arc 0, expected a weight, 0 or more"),
        e::getMessage);
  }

  /** Of binary files, each remedy is followed, and leads to a graph; null where none would. */
  @ParameterizedTest
  @CsvSource({
    "DOUBLE, 0.5, a.mpg, COUNTS, float)",
    "FLOAT, 0.5, a.mpe, COUNTS, float)",
    "LONG, 2147483648, a.mpg, COUNTS, float)",
    "DOUBLE, 0.1, a.mpg, COUNTS, .mtx",
    "DOUBLE, 0.1, a.mpe, COUNTS, .mtx",
    "DOUBLE, 0.1, a.mpg, LENGTHS, .mtx",
    "DOUBLE, 0.1, a.mpe, LENGTHS, .mtx",
    "LONG, 2147483647, a.mpg, LENGTHS, counts)",
    "INT, 16777217, a.mpg, LENGTHS, counts)",
    "INT, 16777217, a.mpe, LENGTHS, .mtx",
    "INT, 16777217, a.egr, LENGTHS, counts)",
    "LONG, 4294967297, a.mpg, COUNTS, .mtx",
    "DOUBLE, 1e39, a.mpg, COUNTS,",
    "DOUBLE, 1e39, a.mpg, LENGTHS,",
    "DOUBLE, 1e39, a.mpe, LENGTHS,",
    "DOUBLE, -0.5, a.mpg, COUNTS,",
    "DOUBLE, -0.5, a.mpe, COUNTS,",
    "DOUBLE, -0.1, a.mpg, LENGTHS,"
  })
  void remediesForBinaryLengthsHelp(
      WeightType type, BigDecimal weight, String name, FileWeights wanted, String remedy)
      throws IOException {
    Path file = folder.resolve(name);
    GraphBuilder builder = new GraphBuilder(2, type);
    Graph graph =
        (type.isFloating()
                ? builder.addEdge(0, 1, weight.doubleValue())
                : builder.addEdge(0, 1, weight.longValueExact()))
            .build();
    GraphFormats.write(graph, file);
    FileFormatException e =
        assertThrows(FileFormatException.class, () -> GraphFormats.readDirected(file, as(wanted)));
    String told = e.remedy().orElse(null);
    assertEquals(remedy == null, told == null, told);
    if (remedy == null) {
      return;
    }
    assertTrue(told.contains(remedy), told);
    Path source = remedy.equals(".mtx") ? folder.resolve("a.mtx") : file;
    if (remedy.equals(".mtx")) {
      GraphFormats.write(GraphFormats.read(file), source);
    }
    FileWeights next = remedy.equals("counts)") ? FileWeights.COUNTS : FileWeights.LENGTHS;
    DirectedGraph read = GraphFormats.readDirected(source, as(next));
    assertEquals(2, read.arcs());
    Number expected = next == FileWeights.COUNTS ? (Number) weight.intValue() : weight.floatValue();
    assertEquals(expected, read.exactWeight(1));
  }

  @Test
  void aScaleNeedsCounts() {
    ReadOptions scaled = ReadOptions.defaults().withWeightScale(10);
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> scaled.withWeights(FileWeights.DOUBLE));
    assertTrue(e.getMessage().contains("weightScale"), e.getMessage());
  }

  @ParameterizedTest
  @EnumSource(WeightType.class)
  void snapshotsKnowTheType(WeightType type) throws IOException {
    Graph graph = new GraphBuilder(3, type).addEdge(0, 1, -7).addEdge(1, 2, 3).build();
    Path file = folder.resolve("a.mpg");
    GraphFormats.write(graph, file);
    assertEquals(graph, GraphFormats.read(file));
    Graph asDoubles = GraphFormats.read(file, as(FileWeights.DOUBLE));
    assertEquals(graph.withWeightType(WeightType.DOUBLE), asDoubles);
    FileFormatException e =
        assertThrows(
            FileFormatException.class, () -> GraphFormats.read(file, as(FileWeights.COUNTS)));
    assertTrue(e.getMessage().contains("-7"), e.getMessage());
  }

  /** Longer than what is read at once, and than the first array. */
  @ParameterizedTest
  @ValueSource(strings = {"long:-5000000000..5000000000", "float:-1..1", "double:-1..1"})
  void longSnapshots(String range) throws IOException {
    Graph graph = GraphGenerators.generate("random:n=2000,m=600000,weights=" + range);
    Path file = folder.resolve("a.mpg");
    GraphFormats.write(graph, file);
    assertEquals(graph, GraphFormats.read(file));
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length - 4 - 3));
    FileFormatException e = assertThrows(FileFormatException.class, () -> GraphFormats.read(file));
    assertEquals("weight of arc 1199999 of 1200000", e.expected());
  }

  @Test
  void snapshotsAreNotRounded() throws IOException {
    Path file = folder.resolve("a.mpg");
    GraphFormats.write(new GraphBuilder(2, WeightType.DOUBLE).addEdge(0, 1, 0.1).build(), file);
    FileFormatException e =
        assertThrows(
            FileFormatException.class, () -> GraphFormats.read(file, as(FileWeights.FLOAT)));
    assertTrue(e.getMessage().contains("weight 0.1 of arc 0"), e.getMessage());
    assertEquals(
        Optional.of(
            "weights of binary files are not rounded; read weights as any type (--weight-type any)"),
        e.remedy());
    GraphFormats.write(
        new GraphBuilder(2, WeightType.LONG).addEdge(0, 1, (1L << 53) + 1).build(), file);
    assertThrows(FileFormatException.class, () -> GraphFormats.read(file, as(FileWeights.DOUBLE)));
  }

  @Test
  void snapshotsWithoutFiniteWeightsAreRefused() throws IOException {
    Path file = folder.resolve("a.mpg");
    GraphFormats.write(new GraphBuilder(2, WeightType.DOUBLE).addEdge(0, 1, 0.5).build(), file);
    byte[] bytes = Files.readAllBytes(file);
    // The arcs' weights are before the checksum: an infinity has another exponent.
    bytes[bytes.length - 5] = 0x7f;
    bytes[bytes.length - 6] = (byte) 0xf0;
    Files.write(file, bytes);
    FileFormatException e = assertThrows(FileFormatException.class, () -> GraphFormats.read(file));
    assertTrue(e.getMessage().contains("weight Infinity of arc 1"), e.getMessage());
  }

  @ParameterizedTest
  @EnumSource(
      value = WeightType.class,
      names = {"FLOAT", "DOUBLE"})
  void formatsOfWholeNumbersRefuseToBeWritten(WeightType type) {
    Graph graph = new GraphBuilder(2, type).addEdge(0, 1, 1).build();
    for (String name : List.of("a.gr", "a.graph", "a.egr")) {
      IllegalArgumentException e =
          assertThrows(
              IllegalArgumentException.class,
              () -> GraphFormats.write(graph, folder.resolve(name)));
      assertTrue(e.getMessage().contains(type + " weights"), e.getMessage());
    }
  }

  @Test
  void eclFilesHaveNoLongs() {
    Graph graph = new GraphBuilder(2, WeightType.LONG).addEdge(0, 1, 1).build();
    assertThrows(
        IllegalArgumentException.class, () -> GraphFormats.write(graph, folder.resolve("a.egr")));
  }
}
