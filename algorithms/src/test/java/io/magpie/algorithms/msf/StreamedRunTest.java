package io.magpie.algorithms.msf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.Phase;
import io.magpie.algorithms.graph.GeneratedEdges;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.algorithms.msf.EdgeSource.Edge;
import io.magpie.algorithms.msf.MsfOptions.Merge;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceOutOfMemoryException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the parts of a stream need of memory, and how one takes over what another one has. */
class StreamedRunTest {
  private static final long PLENTY = 1L << 40;
  private static final int MOST_ROOM = Integer.MAX_VALUE;

  /** What {@link StreamedForest} says comes on top of its formula. */
  private static final long CONSTANT = 200_000;

  /** Of that, what a forest of several ranges of weights takes. */
  private static final long SAMPLE = 8 << 14;

  /** Those of graphs that have no other number of them. */
  private static final int VERTICES = 1000;

  private static ScarceMemory memory(long bytes) {
    return new ScarceMemory(Variants.device("cpu:2"), bytes);
  }

  /** That of another device than {@link #memory}. */
  private static ScarceMemory otherMemory() {
    return new ScarceMemory(Variants.device("cpu:4"), PLENTY);
  }

  /** A run that has read these edges, and is ready to merge. */
  private static StreamedRun read(ScarceMemory memory, int chunk, int room, EdgeSource source) {
    MsfOptions options = MsfOptions.defaults().withMerge(Merge.ATOMIC);
    StreamedRun run = new StreamedRun(memory, options, chunk, room, 1);
    run.read(source, known(source), null);
    run.settle();
    return run;
  }

  private static long known(EdgeSource source) {
    return source.edges() == EdgeSource.UNKNOWN ? Long.MAX_VALUE : source.edges();
  }

  private static NumberedForest forest(StreamedRun run, EdgeSource source) {
    return run.forest(
        new UpcomingForest(source.vertices(), source.weightType()), System.nanoTime());
  }

  private static int launches(StreamedRun run, String kernel) {
    return launches(run.report(0, 0), kernel);
  }

  private static int launches(StreamReport report, String kernel) {
    return report.phases().stream()
        .filter(phase -> phase.name().equals(kernel))
        .mapToInt(Phase::launches)
        .sum();
  }

  /** All edges behind the first forest are needless, so that its tree is what the run ends with. */
  @Test
  void oneWithATreeTakesOverNothing() {
    int vertices = 100;
    List<Edge> ring = new ArrayList<>();
    for (int e = 0; e < 5000; e++) {
      ring.add(new Edge(e, e % vertices, (e + 1) % vertices, 1));
    }
    EdgeSource edges = EdgeSource.of(vertices, WeightType.INT, ring.iterator());
    EdgeSource none = EdgeSource.of(vertices, WeightType.INT, List.<Edge>of().iterator());
    try (StreamedRun run = read(memory(PLENTY), ring.size(), 0, edges);
        StreamedRun empty = read(otherMemory(), ring.size(), 0, none)) {
      run.merge(empty);
      NumberedForest forest = forest(run, edges);
      assertArrayEquals(new int[vertices], forest.labels());
      assertEquals(vertices - 1, forest.edges());
    }
  }

  @Test
  void roomLeavesWhatElseIsNeeded() {
    EdgeSource source =
        EdgeSource.inJava(GeneratedEdges.parse("random:n=20000,m=100000,weights=1..1000"));
    int n = source.vertices();
    int chunk = 1000;
    long formula =
        20 * (n - 1 + chunk) + 8 * n + 8 * (n - 1) + 8 * (n / 8 + 1) + 20 * chunk; // with gaps
    try (StreamedRun run = read(memory(formula + CONSTANT), chunk, MOST_ROOM, source)) {
      assertEquals(100_000, run.report(0, 0).edges());
    }
  }

  /**
   * What {@link StreamedForest} promises: the bytes of a vertex, beside chunks of a quarter as many
   * edges and more, and beside chunks of few.
   */
  @ParameterizedTest
  @CsvSource({
    "cpu:2, ATOMIC, 1..1000, 24, 33",
    "cpu:2, ATOMIC, float:0..1, 24, 33",
    "cpu:2, ATOMIC, double:0..1, 48, 57",
    "cpu:2, STM, 1..1000, 36, 42",
    "cpu:2, STM, long:0..9, 60, 66",
    "sim:7:4, ATOMIC, 1..1000, 24, 33",
    "sim:7:4, ATOMIC, double:0..1, 48, 57",
    "sim:7:4, STM, 1..1000, 36, 42",
    "sim:7:4, STM, double:0..1, 60, 66"
  })
  void aVertexTakesWhatIsPromised(
      String device, Merge merge, String weights, int beside, int besideFew) {
    int few = 800;
    int many = 1600;
    assertEquals(
        beside * (many - few),
        mostBytes(device, merge, weights, many, 400) - mostBytes(device, merge, weights, few, 400));
    assertEquals(
        besideFew * (many - few),
        mostBytes(device, merge, weights, many, 64) - mostBytes(device, merge, weights, few, 64));
  }

  /** The most that a run with room for a chunk has at a time. */
  private static long mostBytes(
      String device, Merge merge, String weights, int vertices, int chunk) {
    GeneratedEdges edges =
        GeneratedEdges.parse("random:n=" + vertices + ",m=4000,weights=" + weights);
    ScarceMemory memory = new ScarceMemory(Variants.device(device), PLENTY);
    MsfOptions options = MsfOptions.defaults().withMerge(merge);
    try (StreamedRun run = new StreamedRun(memory, options, chunk, 0, 1)) {
      EdgeSource source = EdgeSource.inJava(edges);
      run.read(source, known(source), null);
      assertEquals(List.of(), StreamVerifier.verify(forest(run, source), EdgeSource.inJava(edges)));
      return memory.mostHeld();
    }
  }

  /** With the least that may be allowed there are many forests, with more there are fewer. */
  @ParameterizedTest
  @CsvSource({
    "cpu:2, ATOMIC, 1..1000",
    "cpu:2, ATOMIC, float:0..1",
    "cpu:2, ATOMIC, double:0..1",
    "cpu:2, STM, 1..1000",
    "cpu:2, STM, long:0..9",
    "sim:7:4, ATOMIC, 1..1000",
    "sim:7:4, STM, double:0..1"
  })
  void aRunHoldsNoMoreThanItIsAllowed(String device, Merge merge, String weights) {
    GeneratedEdges edges = GeneratedEdges.parse("random:n=10000,m=60000,weights=" + weights);
    MsfOptions options = MsfOptions.defaults().withMerge(merge);
    for (int chunk : new int[] {1000, 4000}) {
      long least = StreamedForest.leastMemory(EdgeSource.inJava(edges), options, chunk, 1);
      NumberedForest free = allowed(device, edges, options, chunk, PLENTY);
      assertTrue(deviceBytes(free) > least, "there is nothing to spare");
      int forests = Integer.MAX_VALUE;
      for (long memory : new long[] {least, least + 12 * least / 100, deviceBytes(free) * 2}) {
        NumberedForest forest = allowed(device, edges, options, chunk, memory);
        assertTrue(
            deviceBytes(forest) <= memory, () -> deviceBytes(forest) + " bytes of " + memory);
        assertArrayEquals(free.numbers(), forest.numbers());
        int made = launches(forest.report().orElseThrow(), "mark_chosen");
        assertTrue(made <= forests, made + " forests after " + forests);
        forests = made;
        if (memory == least && !EdgeChunk.isWide(edges.weightType())) {
          assertTrue(deviceBytes(forest) > least - StreamingForest.FEW_BYTES, "that is not least");
        }
      }
      assertEquals(launches(free.report().orElseThrow(), "mark_chosen"), forests);
      Exception refused =
          assertThrows(
              IllegalArgumentException.class,
              () -> allowed(device, edges, options, chunk, least - 1));
      assertTrue(
          refused.getMessage().contains("at least " + least + " bytes"), refused::getMessage);
    }
  }

  private static NumberedForest allowed(
      String device, GeneratedEdges edges, MsfOptions options, int chunk, long memory) {
    return StreamedForest.run(
        Variants.device(device), EdgeSource.inJava(edges), options, chunk, memory);
  }

  private static long deviceBytes(NumberedForest forest) {
    return forest.report().orElseThrow().deviceBytes();
  }

  /** Each device has its chunks, and one takes over what the others keep. */
  @ParameterizedTest
  @ValueSource(strings = {"1..1000", "double:0..1"})
  void severalDevicesHoldNoMoreThanTheyAreAllowed(String weights) {
    GeneratedEdges edges = GeneratedEdges.parse("random:n=10000,m=60000,weights=" + weights);
    MsfOptions options = MsfOptions.defaults().withMerge(Merge.ATOMIC);
    List<Device> devices =
        List.of(Variants.device("cpu:1"), Variants.device("cpu:2"), Variants.device("cpu:4"));
    int chunk = 800;
    EdgeSource source = EdgeSource.inJava(edges);
    long least = StreamedForest.leastMemory(source, options, chunk, devices.size());
    NumberedForest free = StreamedForest.run(devices, source, options, chunk);
    assertTrue(deviceBytes(free) > least, "there is nothing to spare");
    for (long memory : new long[] {least, least + least / 2, 4 * deviceBytes(free)}) {
      NumberedForest forest =
          StreamedForest.run(devices, EdgeSource.inJava(edges), options, chunk, memory);
      assertTrue(deviceBytes(forest) <= memory, () -> deviceBytes(forest) + " bytes of " + memory);
      assertArrayEquals(free.numbers(), forest.numbers());
    }
    Exception refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> StreamedForest.run(devices, source, options, chunk, least - 1));
    assertTrue(refused.getMessage().contains("at least " + least + " bytes"), refused::getMessage);
  }

  /** That numbers have gaps is known only when they come. */
  @Test
  void highHalvesOfNumbersMustBeAllowedToo() {
    int chunk = 20_000; // so that they are more than what the least leaves for small arrays
    List<Edge> edges = edges(0, 8000, 2);
    MsfOptions options = MsfOptions.defaults();
    long least = StreamedForest.leastMemory(source(edges), options, chunk, 1);
    Device device = Variants.device("cpu:2");
    Exception refused =
        assertThrows(
            DeviceOutOfMemoryException.class,
            () -> StreamedForest.run(device, source(edges), options, chunk, least));
    assertTrue(
        refused.getMessage().contains("within the " + least + " bytes that the run may hold"),
        refused::getMessage);
    long enough = least + 4 * (VERTICES - 1 + chunk) + 8 * chunk;
    NumberedForest forest = StreamedForest.run(device, source(edges), options, chunk, enough);
    assertTrue(deviceBytes(forest) <= enough, () -> deviceBytes(forest) + " bytes of " + enough);
    assertEquals(List.of(), StreamVerifier.verify(forest, source(edges)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1..1000", "float:0..1", "long:0..9", "double:0..1"})
  void mergesInPartsThatMemoryHolds(String weights) {
    Graph graph = GraphGenerators.generate("random:n=3000,m=20000,seed=8,weights=" + weights);
    int wide = EdgeChunk.isWide(graph.weightType()) ? 1 : 0;
    int chunk = 200;
    // Of two rooms, with all the memory that there is use for, and with the least.
    int least = (16 - 4 * wide) * (2999 + chunk) + (12 - 4 * wide) * chunk;
    assertEquals(1, merges(graph, chunk, MOST_ROOM, PLENTY));
    assertTrue(merges(graph, chunk, MOST_ROOM, least) > 10);
    assertTrue(merges(graph, chunk, 0, PLENTY) > 1);
    assertTrue(merges(graph, chunk, 0, least) > 1);
  }

  @Test
  void mergesInSmallPartsWhereMemoryIsShortAndIsRefusedWithLess() {
    Graph graph = GraphGenerators.generate("random:n=1000,m=16000,seed=8");
    int chunk = 160;
    int least = 16 * 999 + 28 * 10;
    assertTrue(merges(graph, chunk, 0, least) > 30);
    Exception refused =
        assertThrows(
            DeviceOutOfMemoryException.class, () -> merges(graph, chunk, 0, least - 16 * 300));
    assertTrue(
        refused.getMessage().contains("taking over 10 edges of another forest"),
        refused::getMessage);
  }

  /** Numbers of one follow each other, and those of the other one have gaps. */
  @Test
  void highHalvesOfNumbersComeOutOfTheMemoryThatPartsAreCutFor() {
    int chunk = 160;
    int highs = 4 * (VERTICES - 1 + chunk);
    int least = 16 * (VERTICES - 1) + 28 * 10;
    List<Edge> ofOne = edges(0, 8000, 1);
    List<Edge> ofOther = edges(8000, 8000, 2);
    ScarceMemory memory = memory(PLENTY);
    try (StreamedRun run = read(memory, chunk, 0, source(ofOne));
        StreamedRun other = read(otherMemory(), chunk, 0, source(ofOther))) {
      memory.leave(highs + least);
      run.merge(other);
      assertTrue(launches(run, "place_merged") > 90);
      memory.leave(PLENTY);
      assertForest(run, ofOne, ofOther);
    }
    try (StreamedRun run = read(memory, chunk, 0, source(ofOne));
        StreamedRun other = read(otherMemory(), chunk, 0, source(ofOther))) {
      memory.leave(least);
      assertThrows(DeviceOutOfMemoryException.class, () -> run.merge(other));
    }
  }

  /** A large first part, beside few edges, leaves less for those beside what it has brought. */
  @Test
  void partsShrinkAsEdgesComeTogether() {
    int chunk = 160;
    List<Edge> ofOne = edges(0, 100, 1);
    List<Edge> ofOther = edges(100, 8000, 1);
    ScarceMemory memory = memory(PLENTY);
    try (StreamedRun run = read(memory, chunk, 0, source(ofOne));
        StreamedRun other = read(otherMemory(), chunk, 0, source(ofOther))) {
      memory.leave(SAMPLE + 16 * (VERTICES - 1) + 28 * 10);
      run.merge(other);
      assertTrue(launches(run, "place_merged") > 3);
      memory.leave(PLENTY);
      assertForest(run, ofOne, ofOther);
    }
  }

  @Test
  void arraysOfOneMergeServeTheNext() {
    int chunk = 800;
    List<Edge> ofOne = edges(0, 300, 1);
    List<Edge> ofSecond = edges(300, 300, 1);
    List<Edge> ofThird = edges(600, 300, 1);
    ScarceMemory memory = memory(PLENTY);
    ScarceMemory thirdMemory = new ScarceMemory(Variants.device("cpu:1"), PLENTY);
    try (StreamedRun run = read(memory, chunk, 0, source(ofOne));
        StreamedRun second = read(otherMemory(), chunk, 0, source(ofSecond));
        StreamedRun third = read(thirdMemory, chunk, 0, source(ofThird))) {
      memory.leave(SAMPLE + 28 * 900 * 8 / 7 + 28 * 8);
      run.merge(second);
      run.merge(third);
      assertEquals(2, launches(run, "place_merged"));
      assertEquals(0, launches(run, "mark_chosen")); // as all edges fit
      memory.leave(PLENTY);
      assertForest(run, ofOne, ofSecond, ofThird);
    }
  }

  /** One that has sorted a chunk has to sort all edges in the end, with what merging has left. */
  @Test
  void mergingLeavesTheMemoryThatSortingNeeds() {
    GeneratedEdges generated =
        GeneratedEdges.parse("random:n=200000,m=1000000,weights=double:0..1");
    EdgeSource source = EdgeSource.inJava(generated);
    MsfOptions options = MsfOptions.defaults().withMerge(Merge.ATOMIC);
    int chunk = 20_000;
    long least = StreamedRun.leastBytes(source, source.edges(), options, chunk, 2);
    DeviceMemory memory = new DeviceMemory(Variants.device("cpu:2"), least);
    SharedEdges edges = new SharedEdges(source, source.edges());
    try (StreamedRun run = new StreamedRun(memory, options, chunk, 0, 2);
        StreamedRun other = new StreamedRun(otherMemory(), options, chunk, 0, 2)) {
      run.read(new Half(edges.reader(), 1), source.edges(), null);
      other.read(edges.reader(), source.edges(), null);
      run.settle();
      other.settle();
      run.merge(other);
      NumberedForest forest = forest(run, source);
      assertEquals(List.of(), StreamVerifier.verify(forest, EdgeSource.inJava(generated)));
    }
    assertTrue(memory.most() <= least, () -> memory.most() + " bytes of " + least);
  }

  /** Random edges, whose numbers are so far apart. */
  private static List<Edge> edges(long first, int count, int step) {
    Random random = new Random(first);
    List<Edge> edges = new ArrayList<>();
    for (int e = 0; e < count; e++) {
      int from = random.nextInt(VERTICES);
      edges.add(new Edge(first + (long) step * e, from, random.nextInt(VERTICES), e % 97));
    }
    return edges;
  }

  private static EdgeSource source(List<Edge> edges) {
    return EdgeSource.of(VERTICES, WeightType.INT, edges.iterator());
  }

  @SafeVarargs
  private static void assertForest(StreamedRun run, List<Edge>... parts) {
    List<Edge> all = Stream.of(parts).flatMap(List::stream).toList();
    assertEquals(List.of(), StreamVerifier.verify(forest(run, source(all)), source(all)));
  }

  /** Merges two of which each has half of the edges, and tells in how many parts. */
  private static int merges(Graph graph, int chunk, int room, long bytes) {
    EdgeSource source = EdgeSource.of(graph);
    ScarceMemory memory = memory(PLENTY);
    SharedEdges edges = new SharedEdges(source, source.edges());
    try (StreamedRun run = read(memory, chunk, room, new Half(edges.reader(), 50));
        StreamedRun other = read(otherMemory(), chunk, room, edges.reader())) {
      memory.leave(bytes);
      run.merge(other);
      memory.leave(PLENTY);
      assertArrayEquals(
          Arrays.stream(KruskalReference.run(graph).arcs()).asLongStream().toArray(),
          forest(run, source).numbers());
      return launches(run, "place_merged");
    }
  }

  /** The first chunks of a source. */
  private static final class Half implements EdgeSource {
    private final EdgeSource all;
    private int chunks;

    Half(EdgeSource all, int chunks) {
      this.all = all;
      this.chunks = chunks;
    }

    @Override
    public int vertices() {
      return all.vertices();
    }

    @Override
    public WeightType weightType() {
      return all.weightType();
    }

    @Override
    public long edges() {
      return all.edges();
    }

    @Override
    public void next(EdgeChunk chunk) {
      if (chunks-- > 0) {
        all.next(chunk);
      }
    }
  }
}
