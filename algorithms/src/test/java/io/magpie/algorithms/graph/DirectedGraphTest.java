package io.magpie.algorithms.graph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.FileFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DirectedGraphTest {
  /** 0 to 1 (5), 1 to itself (0), 1 to 0 (6), 3 to 1 twice (2147483647, 4); 2 is isolated. */
  private static final DirectedGraph SMALL =
      DirectedGraph.of(
          new int[] {0, 1, 3, 3, 5}, new int[] {1, 1, 0, 1, 1}, new int[] {5, 0, 6, 2147483647, 4});

  @TempDir Path folder;

  private Path file(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content);
  }

  @Test
  void countsAndLists() {
    assertEquals(4, SMALL.vertices());
    assertEquals(5, SMALL.arcs());
    assertEquals(2, SMALL.outDegree(3));
    assertEquals(0, SMALL.outDegree(2));
    assertTrue(SMALL.weighted());
    assertEquals(6, SMALL.weight(2));
    assertEquals(1, SMALL.withoutWeights().weight(2));
    assertEquals("DirectedGraph[vertices=4, arcs=5, weighted]", SMALL.toString());
    assertEquals(
        "DirectedGraph[vertices=4, arcs=5, unweighted]", SMALL.withoutWeights().toString());
  }

  @Test
  void floatsInPlaceOfInts() {
    float[] weights = {0.5f, -0f, 0.25f, Float.MAX_VALUE, Float.MIN_VALUE};
    DirectedGraph graph = SMALL.withWeights(weights);
    assertEquals(WeightType.FLOAT, graph.weightType());
    assertArrayEquals(
        new float[] {0.5f, 0, 0.25f, Float.MAX_VALUE, Float.MIN_VALUE}, graph.floatWeights());
    assertEquals(Float.MAX_VALUE, graph.exactWeight(3));
    assertThrows(IllegalStateException.class, graph::weights);
    assertThrows(IllegalStateException.class, () -> graph.weight(0));
    assertThrows(IllegalStateException.class, SMALL::floatWeights);
    assertThrows(IllegalStateException.class, SMALL.withoutWeights()::floatWeights);
    assertEquals("DirectedGraph[vertices=4, arcs=5, float weights]", graph.toString());
    assertEquals(graph.sorted(), graph.transposed().transposed().sorted());
    assertEquals(
        Float.MIN_VALUE,
        graph.sorted().exactWeight(3),
        "parallel arcs by weight: bits are ordered");
    assertNotEquals(SMALL, graph);
    assertNotEquals(graph, graph.withWeights(new float[5]));
    // Floats of the same bits as these ints.
    DirectedGraph alike = SMALL.withWeights(new float[] {0, Float.MIN_VALUE, 0, 0, 0});
    DirectedGraph ints =
        DirectedGraph.of(SMALL.offsets(), SMALL.neighbors(), new int[] {0, 1, 0, 0, 0});
    assertNotEquals(ints.fingerprint(), alike.fingerprint());
    assertEquals(alike.fingerprint(), alike.sorted().fingerprint());
  }

  @ParameterizedTest
  @ValueSource(floats = {-1, -Float.MIN_VALUE, Float.NaN, Float.POSITIVE_INFINITY})
  void floatsThatAreNoLengthsAreRefused(float weight) {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> SMALL.withWeights(new float[] {0, 1, weight, 2, 3}));
    assertTrue(e.getMessage().contains(Float.toString(weight)), e::getMessage);
    assertTrue(e.getMessage().matches(".*(arc 2|\\[2\\]).*"), e::getMessage);
    boolean finite = Float.isFinite(weight);
    assertEquals(!finite, e.getMessage().endsWith("; leave the arc out"), e::getMessage);
  }

  @Test
  void floatsAreDrawnAsOfUndirectedGraphs() {
    WeightRange range = WeightRange.parse("float:0.5..2");
    Graph undirected = GraphGenerators.generate("grid:5,weights=none");
    assertEquals(
        DirectedGraph.of(undirected.withWeights(7, range)),
        DirectedGraph.of(undirected).withWeights(7, range));
    assertThrows(IllegalArgumentException.class, () -> SMALL.withWeights(new float[] {1, 2, 3, 4}));
  }

  /** In place of the other direction, which {@link Graph#of} asks for. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1    |        | offsets must have at least one entry, the first one 0",
        "0 2 1 | 0     | offsets must ascend, but offsets[1]=2 is followed by 1",
        "0 1  | 0 0    | the last offset, 1, must be the number of neighbors, 2",
        "0 1  | 1      | neighbors[0]=1 is not a vertex: there are 1"
      })
  void brokenArraysAreRefused(String offsets, String neighbors, String message) {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> DirectedGraph.of(numbers(offsets), numbers(neighbors), null));
    assertEquals(message, e.getMessage());
  }

  @Test
  void negativeWeightsAreRefused() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> DirectedGraph.of(new int[] {0, 1}, new int[1], new int[] {-3}));
    assertEquals("weights[0]=-3 is negative", e.getMessage());
  }

  private static int[] numbers(String text) {
    return text == null
        ? new int[0]
        : Arrays.stream(text.split(" ")).mapToInt(Integer::parseInt).toArray();
  }

  /** An arc as source, target, weight. */
  private static List<List<Integer>> arcs(DirectedGraph graph, boolean turned) {
    List<List<Integer>> arcs = new ArrayList<>();
    for (int v = 0; v < graph.vertices(); v++) {
      for (int a = graph.offsets()[v]; a < graph.offsets()[v + 1]; a++) {
        int w = graph.neighbors()[a];
        arcs.add(turned ? List.of(w, v, graph.weight(a)) : List.of(v, w, graph.weight(a)));
      }
    }
    arcs.sort(
        Comparator.<List<Integer>>comparingInt(arc -> arc.get(0))
            .thenComparing(arc -> arc.get(1))
            .thenComparing(arc -> arc.get(2)));
    return arcs;
  }

  @Test
  void transposingTurnsEveryArc() {
    Random random = new Random(3);
    for (int round = 0; round < 20; round++) {
      GraphBuilder builder = new GraphBuilder(9, round % 2 == 0);
      for (int i = 0; i < 3 * round; i++) {
        builder.addArc(random.nextInt(9), random.nextInt(9), random.nextInt(4));
      }
      DirectedGraph graph = builder.buildDirected();
      DirectedGraph transposed = graph.transposed();
      assertEquals(arcs(graph, true), arcs(transposed, false));
      assertEquals(graph.sorted(), transposed.transposed().sorted());
      assertEquals(graph.weighted(), transposed.weighted());
    }
  }

  @Test
  void anUndirectedGraphSharesItsArrays() {
    Graph graph = GraphGenerators.generate("random:n=50,m=200,weights=1..9");
    DirectedGraph directed = DirectedGraph.of(graph);
    assertSame(graph.offsets(), directed.offsets());
    assertSame(graph.neighbors(), directed.neighbors());
    assertSame(graph.weights(), directed.weights());
    assertEquals(directed.sorted(), directed.transposed().sorted());
    assertEquals(
        DirectedGraph.of(graph.withWeights(4, 2, 8)),
        directed.withoutWeights().withWeights(4, 2, 8));
  }

  @Test
  void fingerprintsTellArcsApartAndNotTheirOrder() {
    DirectedGraph shuffled =
        DirectedGraph.of(
            SMALL.offsets(), new int[] {1, 0, 1, 1, 1}, new int[] {5, 6, 0, 4, 2147483647});
    assertEquals(SMALL.fingerprint(), shuffled.fingerprint());
    assertEquals(SMALL.sorted(), shuffled.sorted());
    assertNotEquals(SMALL, shuffled);
    assertNotEquals(SMALL.fingerprint(), SMALL.transposed().fingerprint());
    assertNotEquals(SMALL.fingerprint(), SMALL.withoutWeights().fingerprint());
    Graph undirected = GraphGenerators.generate("path:9");
    assertNotEquals(undirected.fingerprint(), DirectedGraph.of(undirected).fingerprint());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a.gr  | p sp 4 5;a 1 2 5;a 2 2 0;a 2 1 6;a 4 2 2147483647;a 4 2 4",
        "a.wel | # Nodes: 4 Edges: 5;0 1 5;1 1 0;1 0 6;3 1 2147483647;3 1 4",
        "a.txt | 0 1 5;1 1 0;1 0 6;3 1 2147483647;3 1 4",
        "a.mtx | %%MatrixMarket matrix coordinate integer general;4 4 5;1 2 5;2 2 0;2 1 6;4 2"
            + " 2147483647;4 2 4"
      })
  void filesOfArcsGiveTheseArcs(String name, String lines) throws IOException {
    Path file = file(name, lines.replace(';', '\n') + "\n");
    assertEquals(SMALL, GraphFormats.readDirected(file));
    assertEquals(
        SMALL.withoutWeights(),
        GraphFormats.readDirected(file, ReadOptions.defaults().withUnitWeights(true)));
    // What undirected readers give is what it was: every edge in both directions.
    assertEquals(9, arcs(DirectedGraph.of(GraphFormats.read(file)), false).size());
    FileFormatException e =
        assertThrows(
            FileFormatException.class,
            () ->
                GraphFormats.readDirected(
                    file, ReadOptions.defaults().withSymmetry(Symmetry.REQUIRE)));
    assertTrue(e.getMessage().contains("has no arc in the other direction"), e.getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.egr", "a.mpg", "a.gr", "a.graph", "a.mtx", "a.wel", "a.txt"})
  void writtenGraphsComeBackAsTheirArcs(String name) throws IOException {
    Graph graph =
        GraphGenerators.generate("random:n=30,m=70,weights=1..9").sorted(); // no self-loops
    Path file = folder.resolve(name);
    GraphFormats.write(graph, file);
    DirectedGraph read = GraphFormats.readDirected(file);
    // Lists of edges have each once, and say nothing of the other direction.
    boolean once = name.endsWith("el") || name.endsWith("txt");
    assertEquals(once ? 70 : 140, read.arcs());
    assertEquals(
        DirectedGraph.of(graph).fingerprint(),
        once ? DirectedGraph.of(GraphFormats.read(file)).fingerprint() : read.fingerprint());
  }

  /** Every arc once, in its order: parallel ones, self-loops, and vertices without any. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a.gr  | p sp 4 5;a 1 2 5;a 2 2 0;a 2 1 6;a 4 2 2147483647;a 4 2 4",
        "a.wel | # Nodes: 4 Edges: 5;0 1 5;1 1 0;1 0 6;3 1 2147483647;3 1 4",
        "a.txt | # Nodes: 4 Edges: 5;0 1 5;1 1 0;1 0 6;3 1 2147483647;3 1 4",
        "b.txt | # Nodes: 4 Edges: 5;0 1;1 1;1 0;3 1;3 1",
        "b.el  | # Nodes: 4 Edges: 5;0 1;1 1;1 0;3 1;3 1",
        "a.mtx | %%MatrixMarket matrix coordinate integer general;4 4 5;1 2 5;2 2 0;2 1 6;4 2"
            + " 2147483647;4 2 4",
        "b.mtx | %%MatrixMarket matrix coordinate pattern general;4 4 5;1 2;2 2;2 1;4 2;4 2"
      })
  void textFormatsListEveryArc(String name, String lines) throws IOException {
    DirectedGraph graph = name.startsWith("a") ? SMALL : SMALL.withoutWeights();
    Path file = folder.resolve(name);
    GraphFormats.write(graph, file);
    assertEquals(lines.replace(';', '\n') + "\n", Files.readString(file).replace('\t', ' '), name);
    assertEquals(graph, GraphFormats.readDirected(file));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.egr", "a.mpg", "a.gr.gz", "a.mtx.xz", "A.WEL"})
  void binaryAndCompressedFilesHoldEveryArc(String name) throws IOException {
    Path file = folder.resolve(name);
    GraphFormats.write(SMALL, file);
    assertEquals(SMALL, GraphFormats.readDirected(file));
  }

  /** Also where each arc has its other direction: what was meant is what is read. */
  @Test
  void directedSnapshotsAreNotReadAsUndirectedGraphs() throws IOException {
    Path file = folder.resolve("a.mpg");
    for (DirectedGraph graph :
        List.of(
            SMALL, SMALL.withoutWeights(), DirectedGraph.of(GraphGenerators.generate("path:3")))) {
      GraphFormats.write(graph, file);
      assertEquals(graph, GraphFormats.readDirected(file));
      FileFormatException e =
          assertThrows(FileFormatException.class, () -> GraphFormats.read(file));
      assertTrue(
          e.getMessage()
              .contains("a directed graph, expected an undirected one (give it by" + " --digraph"),
          e.getMessage());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a.graph | true  | is directed, and the format lists edges without a direction (use .gr, .mtx,"
            + " .wel, .txt, .egr or .mpg)",
        "a.graph | false | is directed, and the format lists edges without a direction (use .mtx, .el,"
            + " .txt, .egr or .mpg)",
        "a.gr    | false | is directed and has no weights, which the arcs of .gr must have (use .mtx,"
            + " .el, .txt, .egr or .mpg, or draw weights)",
        "a.gr    | float | has float weights, and the format has whole numbers only (use .mtx, .wel, .txt"
            + " or .mpg)",
        "a.egr   | float | has float weights, and those of .egr are ints (use .mtx, .wel, .txt or .mpg)",
        "a.el    | true  | has weights, which .el cannot hold (use .wel or .txt)",
        "a.wel   | false | has no weights, which .wel must have (use .el or .txt)"
      })
  void formatsRefuseWhatTheyCannotHold(String name, String weighted, String problem) {
    Path file = folder.resolve(name);
    DirectedGraph graph =
        switch (weighted) {
          case "true" -> SMALL;
          case "float" -> SMALL.withWeights(new float[5]);
          default -> SMALL.withoutWeights();
        };
    WeightType type = graph.weighted() ? graph.weightType() : null;
    for (Executable each :
        List.<Executable>of(
            () -> GraphFormats.write(graph, file),
            () -> GraphFormats.requireWritable(new GraphBuilder(0, type).buildDirected(), file))) {
      assertEquals(
          file + ": the graph " + problem,
          assertThrows(IllegalArgumentException.class, each).getMessage());
    }
    assertThrows(
        FileFormatException.class, () -> GraphFormats.write(SMALL, folder.resolve("a.csv")));
    assertEquals(0, folder.toFile().list().length);
  }

  @Test
  void undirectedFormatsGiveBothDirections() throws IOException {
    Path file = file("a.gr", "p tw 3 2\n1 2\n3 3\n");
    assertEquals(
        DirectedGraph.of(new int[] {0, 1, 2, 3}, new int[] {1, 0, 2}, null),
        GraphFormats.readDirected(file));
    Path metis = file("a.graph", "2 1\n2\n\n");
    assertThrows(FileFormatException.class, () -> GraphFormats.readDirected(metis));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "random:40,m=90,directed,weights=1..5 | random:n=40,m=90,directed,seed=1,weights=1..5",
        "rmat:6,edges=200,directed,seed=3     | rmat:scale=6,edges=200,a=0.57,b=0.19,c=0.19,"
            + "directed,seed=3,weights=max",
        "web:90,m=300,directed                | web:n=90,m=300,cap=255,exponent=2.1,local=0.75,"
            + "directed,seed=1,weights=max",
        "rmat:n=70,edges=300,directed         | rmat:n=70,edges=300,a=0.57,b=0.19,c=0.19,"
            + "directed,seed=1,weights=max",
        "rmat:6,directed,a=.45,b=.15,c=.15    | rmat:scale=6,edges=1024,a=.45,b=.15,c=.15,directed,"
            + "seed=1,weights=max"
      })
  void directedGeneratorsGiveOneArcForEachEdge(String spec, String complete) {
    GraphGenerator generator = GraphGenerators.parse(spec);
    assertTrue(generator.isDirected());
    assertEquals(complete, generator.spec());
    DirectedGraph graph = generator.generateDirected();
    assertEquals(graph, GraphGenerators.parse(complete).generateDirected());

    Graph both = GraphGenerators.generate(spec.replace(",directed", ""));
    assertEquals(both.edges(), graph.arcs());
    GraphBuilder builder = new GraphBuilder(graph.vertices(), true);
    for (List<Integer> arc : arcs(graph, false)) {
      builder.addEdge(arc.get(0), arc.get(1), arc.get(2));
    }
    assertEquals(both.fingerprint(), builder.build().fingerprint());
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, generator::generate);
    assertTrue(e.getMessage().contains("leave out 'directed'"), e.getMessage());
  }

  @Test
  void theFlagIsThatOfSomeKinds() {
    GraphGenerator undirected = GraphGenerators.parse("grid:4");
    assertTrue(undirected.isWeighted());
    assertFalse(undirected.with("weights", "none").isWeighted());
    assertFalse(undirected.isDirected());
    assertEquals(DirectedGraph.of(undirected.generate()), undirected.generateDirected());
    for (String[] wrong :
        new String[][] {
          {"grid:4,directed", "'directed' has no name"},
          {"random:9,directed=1", "'directed' takes no value"},
          {"random:9,directed,directed", "'directed' is given twice"},
          {"random:directed", "'n' is missing"}
        }) {
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> GraphGenerators.parse(wrong[0]));
      assertTrue(e.getMessage().contains(wrong[1]), e.getMessage());
    }
    assertTrue(
        GraphGenerators.usage().contains("random:n=..,m=..,directed,seed=..,weights=.."),
        GraphGenerators.usage()::toString);
  }

  @Test
  void theBuilderKeepsArcsAndDoublesEdges() {
    DirectedGraph graph =
        new GraphBuilder(3, false).addArc(0, 1, 1).addArc(0, 1, 1).addEdge(1, 2).buildDirected();
    assertArrayEquals(new int[] {0, 2, 3, 4}, graph.offsets());
    // Edges go before arcs in each list.
    assertArrayEquals(new int[] {1, 1, 2, 1}, graph.neighbors());
  }
}
