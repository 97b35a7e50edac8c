package io.magpie.algorithms.graph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.FileFormatException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Edges of files one by one: against graphs in memory, and what is refused. */
class FileEdgesTest {
  @TempDir private Path folder;

  /** An edge as it comes. */
  private record Edge(long number, int source, int target, Number weight) {}

  private static FileEdges open(Path file) throws IOException {
    return FileEdges.open(file, ReadOptions.defaults());
  }

  private static List<Edge> all(FileEdges edges, int room) throws IOException {
    int[] sources = new int[room];
    int[] targets = new int[room];
    ArcWeights weights = ArcWeights.of(edges.weightType(), room);
    long[] numbers = edges.consecutive() ? null : new long[room];
    List<Edge> result = new ArrayList<>();
    try (EdgePass pass = edges.pass()) {
      int taken;
      while ((taken = pass.next(sources, targets, weights.array(), numbers)) > 0) {
        for (int i = 0; i < taken; i++) {
          long number = numbers == null ? result.size() : numbers[i];
          result.add(new Edge(number, sources[i], targets[i], weights.get(i)));
        }
      }
    }
    return result;
  }

  private static Graph graphOf(FileEdges edges, int room) throws IOException {
    GraphBuilder builder =
        new GraphBuilder(edges.vertices(), edges.isWeighted() ? edges.weightType() : null);
    for (Edge edge : all(edges, room)) {
      switch (edges.weightType()) {
        case INT -> builder.addEdge(edge.source, edge.target, (int) edge.weight);
        case LONG -> builder.addEdge(edge.source, edge.target, (long) edge.weight);
        case FLOAT -> builder.addEdge(edge.source, edge.target, (float) edge.weight);
        case DOUBLE -> builder.addEdge(edge.source, edge.target, (double) edge.weight);
      }
    }
    return builder.build();
  }

  private Path written(Graph graph, String name) throws IOException {
    Path file = folder.resolve(name);
    GraphFormats.write(graph, file);
    return file;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "random:n=300,m=2k,weights=1..9",
        "random:n=300,m=2k,weights=long:-9000000000000000000..9000000000000000000",
        "random:n=300,m=2k,weights=float:-1..1",
        "random:n=300,m=2k,weights=double:-1..1",
        "rmat:scale=8,edges=3k,weights=none",
        "star:300",
        "path:300",
        "path:n=1,weights=none"
      })
  void edgesAreThoseOfTheGraphInMemory(String spec) throws IOException {
    Graph graph = GraphGenerators.generate(spec);
    List<String> names = new ArrayList<>(List.of("a.txt", "a.txt.gz", "a.mtx.xz", "a.mpe"));
    names.add(graph.weighted() ? "a.wel" : "a.el");
    if (!graph.weightType().isFloating() && !graph.weighted()) {
      names.add("a.gr");
    }
    for (String name : names) {
      Path file = written(graph, name);
      Graph inMemory = GraphFormats.read(file);
      FileEdges edges = open(file);
      if (graph.edges() > 0) { // else a text does not tell
        assertEquals(inMemory.weighted(), edges.isWeighted(), name);
        assertEquals(inMemory.weightType(), edges.weightType(), name);
      }
      assertEquals(graph.edges(), edges.most());
      for (int room : new int[] {1, 7, 100_000}) {
        assertEquals(inMemory.sorted(), graphOf(edges, room).sorted(), name);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "random:n=300,m=2k,weights=1..9",
        "random:n=300,m=2k,weights=double:-1..1",
        "rmat:scale=8,edges=3k,weights=none",
        "star:300",
        "path:n=1,weights=none"
      })
  void edgesOfASnapshotHaveTheNumbersOfCanonicalArcs(String spec) throws IOException {
    Graph graph = GraphGenerators.generate(spec);
    FileEdges edges = open(written(graph, "a.mpg"));
    assertFalse(edges.consecutive());
    int[] expected =
        Arrays.stream(graph.canonicalArcs())
            .filter(arc -> graph.source(arc) != graph.neighbors()[arc])
            .toArray();
    for (int room : new int[] {1, 7, 100_000}) {
      List<Edge> all = all(edges, room);
      assertArrayEquals(expected, all.stream().mapToInt(e -> (int) e.number).toArray());
      for (Edge edge : all) {
        int arc = (int) edge.number;
        assertEquals(graph.source(arc), edge.source);
        assertEquals(graph.neighbors()[arc], edge.target);
        if (graph.weightType() == WeightType.DOUBLE) {
          assertEquals(graph.doubleWeights()[arc], edge.weight);
        } else {
          assertEquals(graph.weighted() ? graph.weight(arc) : 1, edge.weight);
        }
      }
    }
  }

  @Test
  void arcsOfBothDirectionsComeTwiceFromTexts() throws IOException {
    Path file = Files.writeString(folder.resolve("a.gr"), "p sp 3 2\na 1 3 7\na 3 1 7\n");
    assertEquals(List.of(new Edge(0, 0, 2, 7), new Edge(1, 2, 0, 7)), all(open(file), 10));
  }

  @Test
  void labelsScalesAndDrawnWeightsAreThoseOfTheGraphInMemory() throws IOException {
    Path file = Files.writeString(folder.resolve("a.wel"), "900 7 0.25\n7 900000000000 1.5\n");
    ReadOptions options = ReadOptions.defaults().withRelabel(true).withWeightScale(2);
    FileEdges edges = FileEdges.open(file, options);
    assertEquals(3, edges.vertices());
    assertEquals(List.of(new Edge(0, 0, 1, 0), new Edge(1, 1, 2, 3)), all(edges, 1));

    Graph graph = GraphGenerators.generate("random:n=50,m=200,weights=none");
    WeightRange range = WeightRange.parse("double:-1..1");
    for (String name : List.of("b.el", "b.mpg", "b.mpe")) {
      FileEdges drawn = open(written(graph, name)).withWeights(7, range);
      Graph withoutLoops = graphOf(drawn, 64);
      assertEquals(graph.withWeights(7, range).sorted(), withoutLoops.sorted());
    }
  }

  @Test
  void unitWeightsLeaveWeightsOut() throws IOException {
    Graph graph = GraphGenerators.generate("random:n=50,m=200,weights=double:0..1");
    for (String name : List.of("a.wel", "a.mpg", "a.mpe", "a.mtx")) {
      ReadOptions options = ReadOptions.defaults().withUnitWeights(true);
      FileEdges edges = FileEdges.open(written(graph, name), options);
      assertFalse(edges.isWeighted());
      List<Edge> all = all(edges, 64);
      assertTrue(all.stream().allMatch(edge -> edge.weight.equals(1)), name);
      assertEquals(graph.edges(), all.size());
    }
  }

  @Test
  void anyEdgesAreWrittenOneByOne() throws IOException {
    for (String spec :
        List.of(
            "random:n=3000,m=200k,weights=1..9",
            "rmat:scale=10,edges=100k,weights=double:0..1",
            "rmat:scale=10,edges=100k,weights=none")) {
      GeneratedEdges generated = GeneratedEdges.parse(spec);
      Path file = folder.resolve("a.mpe");
      FileEdges.write(generated, file);
      FileEdges edges = open(file);
      assertEquals(generated.count(), edges.most());
      List<Edge> all = all(edges, 100_000);
      int[] sources = new int[100_000];
      int[] targets = new int[100_000];
      ArcWeights weights = ArcWeights.of(generated.weightType(), 100_000);
      generated.fill(7, 50_000, sources, targets, weights.array());
      for (int i = 0; i < 50_000; i += 997) {
        assertEquals(new Edge(i + 7L, sources[i], targets[i], weights.get(i)), all.get(i + 7));
      }
      Path copy = folder.resolve("copy.mpe");
      assertEquals(generated.count(), edges.write(copy));
      assertEquals(-1, Files.mismatch(file, copy));
    }
    Graph graph = GraphGenerators.generate("grid:20");
    Path copy = folder.resolve("grid.mpe");
    assertEquals(graph.edges(), open(written(graph, "grid.mpg")).write(copy));
    assertEquals(graph.sorted(), GraphFormats.read(copy).sorted());
  }

  @Test
  void edgeFilesAreLaidOutAsDocumented() throws IOException {
    Graph graph = new GraphBuilder(3, true).addEdge(0, 1, 9).addEdge(2, 2, -4).build();
    ByteBuffer bytes =
        ByteBuffer.wrap(Files.readAllBytes(written(graph, "a.mpe"))).order(ByteOrder.LITTLE_ENDIAN);
    assertEquals(0x0a1a0a0d45504d89L, bytes.getLong(0));
    int[] words = new int[(bytes.capacity() - 8) / 4];
    bytes.position(8);
    bytes.asIntBuffer().get(words);
    CRC32C checksum = new CRC32C();
    checksum.update(bytes.array(), 0, bytes.capacity() - 4);
    assertArrayEquals(
        new int[] {0x01020304, 1, 1, 0, 3, 0, 2, 0, 0, 1, 9, 2, 2, -4, (int) checksum.getValue()},
        words);
  }

  /** Each flipped bit is noticed, by a pass and in memory, and the message names the file. */
  @ParameterizedTest
  @ValueSource(strings = {".mpe", ".mpg"})
  void everyFlippedBitIsNoticed(String suffix) throws IOException {
    Graph graph =
        new GraphBuilder(3, WeightType.DOUBLE).addEdge(0, 1, 9.5).addEdge(1, 2, -0.25).build();
    byte[] good = Files.readAllBytes(written(graph, "good" + suffix));
    Path file = folder.resolve("bad" + suffix);
    for (int bit = 0; bit < 8 * good.length; bit++) {
      byte[] bad = good.clone();
      bad[bit / 8] ^= (byte) (1 << (bit % 8));
      Files.write(file, bad);
      for (int room : new int[] {1, 64}) {
        FileFormatException e =
            assertThrows(FileFormatException.class, () -> all(open(file), room), "bit " + bit);
        assertTrue(e.getMessage().startsWith(file + ": found "), e::getMessage);
      }
      assertThrows(FileFormatException.class, () -> GraphFormats.read(file));
    }
    for (int length = 0; length < good.length; length++) {
      Files.write(file, Arrays.copyOf(good, length));
      assertThrows(FileFormatException.class, () -> all(open(file), 64));
      assertThrows(FileFormatException.class, () -> GraphFormats.read(file));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "a.el, '0 1\n2 x\n', ':2: found ''x'', expected a vertex'",
    "a.wel, '0 1 5\n2 1 nan\n', ':2: found ''nan'', expected a weight, a finite number'",
    "a.gr, 'p sp 2 1\na 1 3 5\n', ':2: found ''3'', expected a vertex, 1 to 2'",
    "a.gr, 'p sp 2 2\na 1 2 5\n', ':2: found the end of the file after 1 arcs'",
    "a.gr, 'p sp 2 3000000000\na 1 2 5\n', ':2: found the end of the file after 1 arcs'",
    "a.gr, 'p tw 2 3000000000\n1 2\n', ':2: found the end of the file after 1 edges'",
    "a.mtx, '%%MatrixMarket matrix coordinate pattern symmetric\n2 2 3000000000\n2 1\n', ':3: found the end of the file after 1 entries'",
    "a.gr, 'p sp 2 99999999999999999999\n', ':1: found ''99999999999999999999'', expected the number of arcs, 0 to 72057594037927936'",
    "a.graph, '2 1\n2\n1\n', ': found .graph, which cannot be read edge by edge'",
    "a.egr, '', ': found .egr, which cannot be read edge by edge'",
    "a.mpg.gz, '', ': found '",
    "a.csv, '', ': found suffix ''.csv'''"
  })
  void faultsAreExplained(String name, String content, String begin) throws IOException {
    Path file = Files.writeString(folder.resolve(name), content);
    FileFormatException e = assertThrows(FileFormatException.class, () -> open(file));
    assertTrue(e.getMessage().startsWith(file + begin.substring(0, 2)), e::getMessage);
    assertTrue(e.getMessage().contains(begin), e::getMessage);
  }

  @Test
  void compressedBinaryFilesAndMissingDirectionsAreRefused() throws IOException {
    Graph graph = GraphGenerators.generate("grid:3");
    Path compressed = written(graph, "a.mpe.gz");
    assertTrue(
        assertThrows(FileFormatException.class, () -> open(compressed))
            .getMessage()
            .contains("found a compressed .mpe file, expected one that is not compressed"));
    assertEquals(graph.sorted(), GraphFormats.read(compressed).sorted());

    byte[] bytes =
        Files.readAllBytes(written(new GraphBuilder(3, true).addEdge(0, 1, 9).build(), "good.mpg"));
    ByteBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    words.putInt(words.capacity() - 8, 8); // the weight of one of the two arcs
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, 0, bytes.length - 4);
    words.putInt(words.capacity() - 4, (int) checksum.getValue());
    Path file = Files.write(folder.resolve("bad.mpg"), bytes);
    assertTrue(
        assertThrows(FileFormatException.class, () -> all(open(file), 4))
            .getMessage()
            .contains("found an arc without its other direction"));
  }

  @Test
  void bothDirectionsCannotBeRequired() throws IOException {
    Path file = Files.writeString(folder.resolve("a.wel"), "0 1 5\n1 0 5\n");
    ReadOptions options = ReadOptions.defaults().withSymmetry(Symmetry.REQUIRE);
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> FileEdges.open(file, options));
    assertTrue(e.getMessage().startsWith("symmetry=REQUIRE"), e::getMessage);
  }

  @Test
  void aFileThatChangesIsNoticed() throws IOException {
    Path text = Files.writeString(folder.resolve("a.wel"), "0 1 5\n");
    Path stored = written(GraphGenerators.generate("path:4"), "a.mpe");
    FileEdges ofText = open(text);
    FileEdges ofStored = open(stored);
    written(GraphGenerators.generate("path:5"), "a.mpe");
    assertThrows(FileFormatException.class, ofStored::pass);
    for (String content : List.of("0 1 5\n1 0 5\n", "0 2 5\n", "0 1 5000000000\n", "# none\n")) {
      Files.writeString(text, content);
      FileFormatException e =
          assertThrows(FileFormatException.class, () -> all(ofText, 10), content);
      assertTrue(e.getMessage().contains("found other edges than before"), e::getMessage);
    }
  }

  /** Also where all that is asked for is there, so that no edge is given beyond the known ones. */
  @Test
  void aTextThatGrowsIsNoticedBeforeItGivesMoreEdges() throws IOException {
    Path file = Files.writeString(folder.resolve("a.wel"), "0 1 5\n1 2 6\n");
    FileEdges edges = open(file);
    Files.writeString(file, "0 1 5\n1 2 6\n0 1 5\n1 2 6\n");
    int[] sources = new int[2];
    int[] targets = new int[2];
    int[] weights = new int[2];
    try (EdgePass pass = edges.pass()) {
      assertEquals(2, pass.next(sources, targets, weights, null));
      FileFormatException e =
          assertThrows(FileFormatException.class, () -> pass.next(sources, targets, weights, null));
      assertTrue(e.getMessage().contains("found other edges than before"), e::getMessage);
    }
  }

  /** What is wrong with the file that is read is told from what is wrong with the other. */
  @Test
  void faultsOfTheFileThatIsReadAreToldWhileAnotherIsWritten() throws IOException {
    Path file = written(GraphGenerators.generate("path:4"), "a.mpe");
    Path copy = folder.resolve("copy.mpe");
    FileEdges edges = open(file);
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length - 1] ^= 1; // of the checksum
    Files.write(file, bytes);
    UncheckedIOException damaged =
        assertThrows(UncheckedIOException.class, () -> edges.write(copy));
    assertTrue(
        damaged.getCause().getMessage().startsWith(file + ": found checksum"), damaged::getMessage);
    Files.delete(file);
    UncheckedIOException missing =
        assertThrows(UncheckedIOException.class, () -> edges.write(copy));
    assertEquals(NoSuchFileException.class, missing.getCause().getClass());
    assertFalse(Files.exists(copy));

    FileEdges whole = open(written(GraphGenerators.generate("path:4"), "b.mpe"));
    Path nowhere = folder.resolve("none").resolve("copy.mpe");
    assertThrows(NoSuchFileException.class, () -> whole.write(nowhere));
    Path other = folder.resolve("copy.mpg");
    assertThrows(FileFormatException.class, () -> whole.write(other));
  }

  /** A snapshot is read twice, as its number of edges is not known before. */
  @Test
  void otherEdgesThanWereCountedAreNotWritten() throws IOException {
    FileEdges edges = open(written(GraphGenerators.generate("path:4"), "a.mpg"));
    Path copy = folder.resolve("copy.mpe");
    for (long counted : new long[] {0, 2, 4}) {
      UncheckedIOException e =
          assertThrows(UncheckedIOException.class, () -> edges.write(copy, counted));
      assertTrue(
          e.getCause().getMessage().contains("found other edges than before"), e::getMessage);
      assertFalse(Files.exists(copy));
    }
    edges.write(copy, 3);
    assertEquals(3, open(copy).most());
  }

  /** By several threads and by one, for few edges. */
  @ParameterizedTest
  @ValueSource(ints = {200_000, 500})
  void anInterruptOrACloseEndsReading(int room) throws IOException {
    Path file = folder.resolve("a.mpe");
    FileEdges.write(GeneratedEdges.parse("random:n=3000,m=600k,weights=1..9"), file);
    FileEdges edges = open(file);
    int[] ends = new int[room];
    try (EdgePass pass = edges.pass()) {
      assertEquals(room, pass.next(ends, ends, new int[room], null));
      Thread.currentThread().interrupt();
      try {
        assertThrows(
            ClosedChannelException.class, () -> pass.next(ends, ends, new int[room], null));
      } finally {
        assertTrue(Thread.interrupted());
      }
    }
    EdgePass closed = edges.pass();
    assertEquals(room, closed.next(ends, ends, new int[room], null));
    closed.close();
    assertThrows(ClosedChannelException.class, () -> closed.next(ends, ends, new int[room], null));
  }
}
