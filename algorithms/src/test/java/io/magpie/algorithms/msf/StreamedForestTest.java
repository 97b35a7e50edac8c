package io.magpie.algorithms.msf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.Phase;
import io.magpie.algorithms.TestDevices;
import io.magpie.algorithms.graph.GeneratedEdges;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.msf.EdgeSource.Edge;
import io.magpie.algorithms.msf.MsfOptions.Filter;
import io.magpie.algorithms.msf.MsfOptions.Merge;
import io.magpie.algorithms.msf.MsfOptions.Objective;
import io.magpie.algorithms.msf.MsfOptions.Traversal;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.parallel.Primitives;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Forests of edges in chunks: against forests in memory, at the limits, and what is refused. */
class StreamedForestTest {
  private static final MsfOptions LOCK_FREE = MsfOptions.defaults().withMerge(Merge.ATOMIC);

  private static Device cpu() {
    return Variants.device("cpu:4");
  }

  private static EdgeSource edges(int vertices, Edge... edges) {
    return EdgeSource.of(vertices, WeightType.INT, List.of(edges).iterator());
  }

  @ParameterizedTest
  @CsvSource({
    "'random:n=3000,m=20k,weights=1..50', 1000",
    "'random:n=3000,m=20k,weights=float:-1..1', 20000",
    "'random:n=3000,m=20k,weights=long:-4611686018427387904..4611686018427387904', 1000",
    "'random:n=3000,m=20k,weights=long:-3..3', 20000",
    "'rmat:scale=11,edges=30k,weights=double:-1..1', 7777",
    "'rmat:scale=11,edges=30k,weights=none', 7777",
    "'road:n=3000', 500",
    "'path:n=3000,weights=1..1', 100",
    "'star:n=3000', 1500"
  })
  void choosesTheEdgesOfTheForestInMemory(String spec, int chunk) {
    Graph graph = GraphGenerators.generate(spec);
    MsfResult reference = KruskalReference.run(graph);
    long[] expected = Arrays.stream(reference.arcs()).asLongStream().toArray();
    for (MsfOptions options :
        List.of(
            MsfOptions.defaults().withFilter(Filter.OFF),
            MsfOptions.defaults().withFilter(Filter.ON),
            LOCK_FREE.withFilter(Filter.OFF),
            LOCK_FREE.withFilter(Filter.ON))) {
      NumberedForest forest = StreamedForest.run(cpu(), EdgeSource.of(graph), options, chunk);
      assertArrayEquals(expected, forest.numbers());
      assertEquals(0, reference.exactWeight().compareTo(forest.exactWeight()));
      assertEquals(reference.components(), forest.components());
    }
  }

  @Test
  void longWaysToRootsTakeSeveralPasses() {
    // Ascending weights along a path: every vertex is hooked to the one before it.
    Edge[] path = new Edge[5000];
    for (int v = 0; v < path.length; v++) {
      path[v] = new Edge(v, v, v + 1, v);
    }
    for (MsfOptions options :
        List.of(MsfOptions.defaults(), LOCK_FREE, LOCK_FREE.withFilter(Filter.ON))) {
      for (String device : List.of("cpu:4", "sim:2:4")) {
        int chunk = 3000;
        NumberedForest forest =
            StreamedForest.run(
                Variants.device(device), edges(path.length + 1, path), options, chunk);
        assertEquals(path.length, forest.edges());
        assertEquals(1, forest.components());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "random:n=2000,m=9000,weights=1..9",
        "random:n=2000,m=9000,weights=float:-1..1",
        "rmat:scale=10,edges=9000",
        "rmat:n=1000,edges=9000,weights=none",
        "rmat:scale=10,edges=9000,weights=double:-1..1",
        "random:n=2000,m=9000,weights=long:1..1000000000000"
      })
  void generatedEdgesAreThoseOfTheGraph(String spec) {
    Graph graph = GraphGenerators.generate(spec);
    EdgeSource source = generated(spec);
    NumberedForest forest = StreamedForest.run(cpu(), source, LOCK_FREE, 2500);
    MsfResult reference = KruskalReference.run(graph);
    assertEquals(0, reference.exactWeight().compareTo(forest.exactWeight()));
    assertEquals(reference.components(), forest.components());
    assertEquals(4, forest.report().orElseThrow().chunks());
    assertEquals(9000, forest.report().orElseThrow().edges());
    assertEquals(List.of(), StreamVerifier.verify(forest, generated(spec)));
  }

  private static EdgeSource generated(String spec) {
    GeneratedEdges edges = GeneratedEdges.parse(spec);
    return EdgeChunk.isWide(edges.weightType()) ? EdgeSource.inJava(edges) : EdgeSource.of(edges);
  }

  @Test
  void graphsWithoutEdgesOrVertices() {
    for (int vertices : new int[] {0, 1, 5}) {
      NumberedForest forest = StreamedForest.run(cpu(), edges(vertices), MsfOptions.defaults());
      assertEquals(0, forest.edges());
      assertEquals(vertices, forest.components());
      assertEquals("0", forest.exactWeight().toPlainString());
      assertEquals(List.of(), StreamVerifier.verify(forest, edges(vertices)));
    }
  }

  @Test
  void chunksOfOneEdge() {
    EdgeSource source =
        edges(
            3,
            new Edge(5, 0, 0, -9),
            new Edge(6, 0, 1, 7),
            new Edge(1L << 40, 1, 0, 7),
            new Edge(1L << 60, 2, 1, Integer.MIN_VALUE),
            new Edge(Long.MAX_VALUE, 0, 1, 6));
    NumberedForest forest = StreamedForest.run(cpu(), source, MsfOptions.defaults(), 1);
    assertArrayEquals(new long[] {1L << 60, Long.MAX_VALUE}, forest.numbers());
    assertEquals((long) Integer.MIN_VALUE + 6, forest.exactWeight().longValueExact());
    assertEquals(5, forest.report().orElseThrow().chunks());
  }

  /** The formula of {@link StreamedForest} tells the bytes but for a constant. */
  @Test
  void memoryIsThatOfForestAndChunkNotOfTheStream() {
    for (MsfOptions options :
        List.of(LOCK_FREE, LOCK_FREE.withFilter(Filter.OFF), MsfOptions.defaults())) {
      long constant = bytesBesides(1000, 60_000, 500, options);
      assertTrue(constant > 0 && constant < 200_000, () -> constant + " bytes");
      assertEquals(constant, bytesBesides(1000, 20_000, 500, options));
      assertEquals(constant, bytesBesides(1100, 20_000, 500, options));
      assertEquals(constant, bytesBesides(1000, 20_000, 600, options));
      assertEquals(constant, bytesBesides(300, 20_000, 2000, options));
      assertEquals(constant, bytesBesides(16_000, 20_000, 500, options));
      assertEquals(constant, bytesBesides(16_000, 4000, 500, options));
    }
    assertEquals(24 * 999 + 8 * 1000, report("random:n=1000,m=4000", LOCK_FREE, 500).stateBytes());
    EdgeSource wide =
        EdgeSource.inJava(GeneratedEdges.parse("random:n=1000,m=4000,weights=double:0..1"));
    assertEquals(
        (24 + 16) * 999 + 8 * 1000,
        StreamedForest.run(cpu(), wide, LOCK_FREE, 500).report().orElseThrow().stateBytes());
  }

  /** Bytes that the formula does not tell, but for those of primitives. */
  private static long bytesBesides(long n, long m, int c, MsfOptions options) {
    long f = Math.min(n - 1, m);
    long r = Math.max(c, Math.min(4 * n, m));
    long l = Math.max(c, Math.max(n / 8 + 1, 64));
    boolean transactions = options.merge() == Merge.STM;
    long formula =
        16 * (f + r)
            + (transactions
                ? 20 * n + 32 * l + 8 * Math.min(n, l)
                : 8 * n + Math.max(8 * f, 32 * l))
            + 8 * Math.max(c, l)
            + 12L * c;
    int most = (int) f;
    assertEquals(
        formula + 4 * (f + r) + 8L * c,
        StreamingForest.bytes((int) n, WeightType.INT, most, c, (int) r, options, true));
    assertEquals(
        formula, StreamingForest.bytes((int) n, WeightType.INT, most, c, (int) r, options, false));
    StreamReport report = report("random:n=" + n + ",m=" + m, options, c);
    return report.deviceBytes() - formula - primitivesBytes((int) Math.max(c, l));
  }

  private static StreamReport report(String spec, MsfOptions options, int chunk) {
    EdgeSource source = EdgeSource.of(GeneratedEdges.parse(spec));
    return StreamedForest.run(cpu(), source, options, chunk).report().orElseThrow();
  }

  /** What packing so many edges needs. */
  private static long primitivesBytes(int edges) {
    long[] most = {0};
    Device device = cpu();
    Primitives primitives = Primitives.of(device);
    try (Primitives.MemoryWatch watch = primitives.watchMemory(bytes -> most[0] = bytes);
        DeviceArray<int[]> flags = device.ints(edges);
        DeviceArray<int[]> positions = device.ints(edges)) {
      primitives.pack(null, flags, positions);
    }
    return most[0];
  }

  @Test
  void aChunkThatLosesCostsOnePass() {
    // A path of light edges, then heavy ones: each chunk of these is looked at once.
    Edge[] edges = new Edge[9000];
    for (int e = 0; e < edges.length; e++) {
      edges[e] = e < 999 ? new Edge(e, e, e + 1, 1) : new Edge(e, e % 1000, (3 * e + 1) % 1000, 2);
    }
    NumberedForest forest = StreamedForest.run(cpu(), edges(1000, edges), LOCK_FREE, 1000);
    assertEquals(998, forest.numbers()[998]);
    StreamReport report = forest.report().orElseThrow();
    assertEquals(9, report.chunks());
    assertEquals(9, launches(report, "test_edges"));
    assertEquals(2, launches(report, "take_edges")); // as many make the first forest
    assertEquals(2, launches(report, "mark_chosen")); // after these, and at the end
  }

  private static int launches(StreamReport report, String phase) {
    return report.phases().stream()
        .filter(each -> each.name().equals(phase))
        .mapToInt(Phase::launches)
        .sum();
  }

  @Test
  void wrongEdgesOfDevicesAreNamed() {
    assertRefusedOnDevice("edge number 8 joins 0 and 3; of 3 vertices", new Edge(8, 0, 3, 1));
    assertRefusedOnDevice("edge number 8 joins -1 and 2; of 3", new Edge(8, -1, 2, 1));
    assertRefusedOnDevice("edge number -7 is negative", new Edge(-7, 0, 1, 1));
    assertRefusedOnDevice(
        "edge number 3 comes after number 3", new Edge(3, 0, 1, 1), new Edge(3, 1, 2, 1));
    for (float weight : new float[] {Float.NaN, Float.NEGATIVE_INFINITY}) {
      Edge[] edges = {new Edge(0, 0, 1, 1f), new Edge(1, 0, 1, weight), new Edge(2, 0, 1, weight)};
      EdgeSource source = EdgeSource.of(2, WeightType.FLOAT, List.of(edges).iterator());
      assertMessage(
          "edge number 1 weighs " + weight,
          () -> StreamedForest.run(cpu(), new CopiedEdges(source), MsfOptions.defaults(), 9));
    }
    assertEquals(List.of(), cpu().leaks());
  }

  private static void assertRefusedOnDevice(String message, Edge... edges) {
    EdgeSource source = new CopiedEdges(edges(3, edges));
    assertMessage(message, () -> StreamedForest.run(cpu(), source, MsfOptions.defaults(), 1));
  }

  @Test
  void listsOfAFewEdgesAtATimeGiveTheSame() {
    // 20,000 vertices with lists of 2,501 entries: many ranges of keys, some of which are halved,
    // as all weights are the same in the first half of the edges.
    Graph graph = GraphGenerators.generate("random:n=20k,m=50k,weights=1..3");
    MsfResult reference = KruskalReference.run(graph);
    long[] expected = Arrays.stream(reference.arcs()).asLongStream().toArray();
    for (MsfOptions options :
        List.of(LOCK_FREE, LOCK_FREE.withFilter(Filter.ON), MsfOptions.defaults())) {
      NumberedForest forest = StreamedForest.run(cpu(), EdgeSource.of(graph), options, 2000);
      assertArrayEquals(expected, forest.numbers());
    }
  }

  /**
   * Light edges of 500 vertices, then a path to 3,500 others: of the first range behind the light
   * ones, which may have more edges than lists of 501 entries hold, all of the path find no room.
   */
  @Test
  void whatFoundNoRoomForgetsNoEdgeThatWasChosen() {
    int vertices = 4000;
    Edge[] edges = new Edge[10_500];
    for (int e = 0; e < edges.length; e++) {
      edges[e] =
          e < 499
              ? new Edge(e, e, e + 1, e % 7)
              : e < 7000
                  ? new Edge(e, e * 31 % 500, e * 17 % 499, e % 10)
                  : new Edge(e, e - 6501, e - 6500, 100);
    }
    for (MsfOptions options : List.of(LOCK_FREE, MsfOptions.defaults())) {
      NumberedForest forest =
          StreamedForest.run(cpu(), edges(vertices, edges), options.withFilter(Filter.ON), 400);
      assertEquals(vertices - 1, forest.edges());
      assertEquals(List.of(), StreamVerifier.verify(forest, edges(vertices, edges)));
    }
  }

  /**
   * A path of 1,024 vertices whose components join in pairs at each level: as many nodes as a tree
   * can have, of which lists of 129 entries hold 516. Then edges as heavy as the path between their
   * ends, none of which is kept, and a few lighter ones.
   */
  @ParameterizedTest
  @ValueSource(strings = {"cpu:2", "cpu-checked:3", "sim:5:4"})
  void treesWithAsManyNodesAsThereCanBeFit(String device) {
    int vertices = 1024;
    Edge[] edges = new Edge[8000];
    for (int e = 0; e < edges.length; e++) {
      int u = e < vertices - 1 ? e : e * 7919 % vertices;
      int v = e < vertices - 1 ? e + 1 : (u + 1 + e % (vertices - 1)) % vertices;
      int lighter = e < edges.length - 20 ? 0 : 1;
      edges[e] = new Edge(e, u, v, heaviestOfPath(Math.min(u, v), Math.max(u, v)) - lighter);
    }
    for (MsfOptions options : List.of(LOCK_FREE, MsfOptions.defaults())) {
      NumberedForest forest =
          StreamedForest.run(
              Variants.device(TestDevices.compiled(device)),
              edges(vertices, edges),
              options.withFilter(Filter.ON),
              100);
      assertEquals(vertices - 1, forest.edges());
      assertEquals(List.of(), StreamVerifier.verify(forest, edges(vertices, edges)));
      // After as many edges as make the first forest, and at the end.
      assertEquals(2, launches(forest.report().orElseThrow(), "mark_chosen"));
    }
  }

  /** A path whose weights descend: each vertex is joined to the next one, so ways are long. */
  @ParameterizedTest
  @ValueSource(strings = {"cpu:1", "cpu-checked:2", "sim:5:4"})
  void nodesOfALongWayAreFlattened(String device) {
    int vertices = 1500;
    Edge[] edges = new Edge[5000];
    for (int e = 0; e < edges.length; e++) {
      edges[e] =
          e < vertices - 1
              ? new Edge(e, e, e + 1, vertices - e)
              : new Edge(e, e % vertices, e * 7919 % vertices, vertices + e % 3);
    }
    NumberedForest forest =
        StreamedForest.run(
            Variants.device(TestDevices.compiled(device)), edges(vertices, edges), LOCK_FREE, 1000);
    assertEquals(vertices - 2, forest.numbers()[vertices - 2]);
    assertEquals(List.of(), StreamVerifier.verify(forest, edges(vertices, edges)));
    assertTrue(launches(forest.report().orElseThrow(), "flatten_nodes") > 0);
  }

  /** The heaviest edge between two vertices of a path whose edges weigh the zeros they end in. */
  private static int heaviestOfPath(int from, int to) {
    int heaviest = 0;
    for (int v = from + 1; v <= to; v++) {
      heaviest = Math.max(heaviest, Integer.numberOfTrailingZeros(v));
    }
    return heaviest;
  }

  @Test
  void wrongEdgesAreNamed() {
    assertRefused("edge number 3 comes after number 3", new Edge(3, 0, 1, 1), new Edge(3, 1, 2, 1));
    assertRefused("edge number -1 is negative", new Edge(-1, 0, 1, 1));
    assertRefused("edge number 8 joins 0 and 3; of 3 vertices", new Edge(8, 0, 3, 1));
    assertRefused("edge number 8 joins -1 and 2; of 3 vertices", new Edge(8, -1, 2, 1));
    assertRefused("edge number 4 has the weight 1.5, which is no int", new Edge(4, 0, 1, 1.5));
    EdgeSource infinite =
        EdgeSource.of(
            2, WeightType.FLOAT, List.of(new Edge(2, 0, 1, Float.POSITIVE_INFINITY)).iterator());
    assertMessage(
        "edge number 2 weighs Infinity",
        () -> StreamedForest.run(cpu(), infinite, MsfOptions.defaults(), 2));
  }

  private static void assertRefused(String message, Edge... edges) {
    assertMessage(
        message, () -> StreamedForest.run(cpu(), edges(3, edges), MsfOptions.defaults(), 1));
  }

  private static void assertMessage(String begin, org.junit.jupiter.api.function.Executable run) {
    String message = assertThrows(IllegalArgumentException.class, run).getMessage();
    assertTrue(message.startsWith(begin), message);
  }

  @Test
  void whatCannotBeStreamedIsRefused() {
    assertMessage(
        "edges that devices compute have weights of type int or float, got long",
        () -> EdgeSource.of(GeneratedEdges.parse("random:n=5,m=9,weights=long:0..1")));
    MsfOptions options = MsfOptions.defaults();
    assertMessage(
        "edges in chunks need traversal=edge",
        () -> StreamedForest.run(cpu(), edges(2), options.withTraversal(Traversal.VERTEX)));
    assertMessage(
        "a chunk of a graph of 2 vertices has 1 to 2147483646 edges, got 0",
        () -> StreamedForest.run(cpu(), edges(2), options, 0));
    NumberedForest least = StreamedForest.run(cpu(), edges(2, new Edge(0, 0, 1, 5)), options);
    NumberedForest other = StreamedForest.run(cpu(), edges(2, new Edge(0, 0, 1, 6)), options);
    assertMessage(
        "two forests have different edges of number 0",
        () -> StreamedForest.merge(cpu(), least, other, options));
    assertMessage(
        "a forest for the objective MINIMUM cannot be merged for MAXIMUM",
        () -> StreamedForest.merge(cpu(), least, least, options.withObjective(Objective.MAXIMUM)));
    assertMessage(
        "a forest of 2 vertices",
        () ->
            StreamedForest.merge(
                cpu(), least, StreamedForest.run(cpu(), edges(3), options), options));
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void doublesThatAreNotFiniteAreNamed(double weight) {
    Edge[] edges = {
      new Edge(0, 0, 1, Double.MAX_VALUE),
      new Edge(1, 1, 2, -Double.MAX_VALUE),
      new Edge(1L << 40, 2, 0, weight),
      new Edge(1L << 41, 2, 0, weight)
    };
    for (int chunk : new int[] {1, 2, 100}) {
      EdgeSource source = EdgeSource.of(3, WeightType.DOUBLE, List.of(edges).iterator());
      assertMessage(
          "edge number 1099511627776 weighs " + weight + ", which is not a finite number",
          () -> StreamedForest.run(cpu(), source, MsfOptions.defaults(), chunk));
    }
  }

  /** A source that fails when it is asked for its second chunk. */
  @Test
  void whatASourceThrowsIsThrown() {
    EdgeSource failing =
        new EdgeSource() {
          private int calls;

          @Override
          public int vertices() {
            return 2;
          }

          @Override
          public WeightType weightType() {
            return WeightType.INT;
          }

          @Override
          public void next(EdgeChunk chunk) {
            if (calls++ == 1) {
              throw new java.io.UncheckedIOException(new java.io.IOException("lost"));
            }
            chunk.add(0, 0, 1, 1);
          }
        };
    assertThrows(
        java.io.UncheckedIOException.class,
        () -> StreamedForest.run(cpu(), failing, MsfOptions.defaults()));
    assertEquals(List.of(), cpu().leaks());
  }

  @Test
  void aSourceThatGivesMoreThanItSaidIsRefused() {
    assertMessage(
        "a source of at most 3 edges has given 4",
        () -> StreamedForest.run(cpu(), pathThatSays(3, 3), MsfOptions.defaults(), 2));
    assertMessage(
        "a source of at most 1 edges has given 2",
        () -> StreamedForest.run(cpu(), pathThatSays(1, 9), MsfOptions.defaults(), 9));
    assertMessage(
        "a source says that it has at most -2 edges; expected 0 or more, or -1",
        () -> StreamedForest.run(cpu(), pathThatSays(-2, -2), MsfOptions.defaults(), 2));
  }

  /** A source of 5 edges that says at first how many it has, and something else after some came. */
  private static EdgeSource pathThatSays(long first, long later) {
    return new EdgeSource() {
      private volatile int given;

      @Override
      public int vertices() {
        return 9;
      }

      @Override
      public WeightType weightType() {
        return WeightType.INT;
      }

      @Override
      public long edges() {
        return given == 0 ? first : later;
      }

      @Override
      public void next(EdgeChunk chunk) {
        int next = given;
        for (; next < 5 && !chunk.isFull(); next++) {
          chunk.add(next, next, next + 1, 1);
        }
        given = next;
      }
    };
  }

  /** A source that waits for edges that do not come must not keep back why a computation ends. */
  @Test
  void aSourceThatWaitsIsInterrupted() {
    CountDownLatch waits = new CountDownLatch(1);
    AtomicBoolean interrupted = new AtomicBoolean();
    Iterator<Edge> oneEdge =
        new Iterator<>() {
          private boolean given;

          @Override
          public boolean hasNext() {
            if (given) {
              waits.countDown();
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                interrupted.set(true);
              }
            }
            return !given;
          }

          @Override
          public Edge next() {
            given = true;
            return new Edge(0, 0, 1, 1);
          }
        };
    assertTimeoutPreemptively(
        Duration.ofMinutes(1),
        () -> {
          try (ChunkReader reader = new ChunkReader(EdgeSource.of(2, WeightType.INT, oneEdge), 1)) {
            assertEquals(1, reader.next().size());
            waits.await();
          }
        });
    assertTrue(interrupted.get());
  }

  @Test
  void theVerifierSeesEachFault() {
    Edge[] all = {
      new Edge(0, 0, 1, 3), new Edge(1, 1, 2, 3), new Edge(2, 0, 2, 3), new Edge(4, 3, 4, 1)
    };
    // Right: 0, 1 and 4.
    assertFault("edge number 1 joins 1 and 2 and weighs 3; the forest joins", all, 0, 2, 3);
    assertFault("edge number 1 joins 1 and 2, which the forest does not connect", all, 0, 3);
    assertFault("edge number 2 closes a cycle", all, 0, 1, 2, 3);
    Edge[] without = {all[0], all[1], all[2]};
    NumberedForest right = forest(all, 0, 1, 3);
    assertEquals(List.of(), StreamVerifier.verify(right, edges(5, all)));
    assertEquals(
        List.of("no edge of number 4, which was chosen, came"),
        StreamVerifier.verify(right, edges(5, without)));
    Edge[] heavier = {all[0], new Edge(1, 1, 2, 2), all[2], all[3]};
    assertTrue(
        StreamVerifier.verify(right, edges(5, heavier))
            .get(0)
            .startsWith("edge number 1 joins 1 and 2 and weighs 2, the chosen one"));
    right.labels()[2] = 2;
    assertEquals(
        List.of("vertex 2 has label 2, others of its component 0"),
        StreamVerifier.verify(right, edges(5, all)));
    right.labels()[2] = 3;
    assertEquals(
        List.of("the label of vertex 2, 3, is not a vertex of its component"),
        StreamVerifier.verify(right, edges(5, all)));
  }

  private static void assertFault(String begin, Edge[] all, int... chosen) {
    List<String> wrong = StreamVerifier.verify(forest(all, chosen), edges(5, all));
    assertEquals(1, wrong.size(), wrong::toString);
    assertTrue(wrong.get(0).startsWith(begin), wrong::toString);
  }

  /** A forest of 5 vertices with labels as if it connected what edges 0, 1 and 4 do. */
  private static NumberedForest forest(Edge[] all, int... chosen) {
    List<Edge> edges = Arrays.stream(chosen).mapToObj(e -> all[e]).toList();
    int[] labels = new int[5];
    Arrays.setAll(labels, v -> v);
    for (Edge edge : edges) {
      int from = labels[edge.target()];
      int to = labels[edge.source()];
      Arrays.setAll(labels, v -> labels[v] == from ? to : labels[v]);
    }
    return new NumberedForest(
        edges.stream().mapToLong(Edge::number).toArray(),
        edges.stream().mapToInt(Edge::source).toArray(),
        edges.stream().mapToInt(Edge::target).toArray(),
        new WeightPlaces(
            WeightType.INT,
            edges.stream().mapToInt(edge -> edge.weight().intValue()).toArray(),
            null),
        labels,
        Objective.MINIMUM,
        null);
  }
}
