package io.magpie.algorithms.msf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.Phase;
import io.magpie.algorithms.TestDevices;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.msf.MsfOptions.Discovery;
import io.magpie.algorithms.msf.MsfOptions.Filter;
import io.magpie.algorithms.msf.MsfOptions.Merge;
import io.magpie.algorithms.msf.MsfOptions.Reads;
import io.magpie.algorithms.msf.MsfOptions.Traversal;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.DeviceOutOfMemoryException;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelModule;
import io.magpie.stm.MagpieException;
import io.magpie.stm.StmOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MinimumSpanningForestTest {
  /** Kernels and regions that run a series of rounds in one launch. */
  private static final Set<String> TOGETHER =
      Set.of("unite_exclusively", "merge_rounds", "merge_rounds_unvalidated");

  static Stream<Arguments> everything() {
    return Variants.devices().stream()
        .flatMap(device -> Variants.all().stream().map(options -> Arguments.of(device, options)));
  }

  static Stream<MsfOptions> variants() {
    return Variants.all().stream();
  }

  /** All graphs of up to four vertices with edge weights out of few, packed into one graph. */
  private static Graph everySmallGraph(int size, int weights) {
    int pairs = size * (size - 1) / 2;
    int count = 1;
    for (int i = 0; i < pairs; i++) {
      count *= weights + 1;
    }
    GraphBuilder builder = new GraphBuilder(count * size, true);
    for (int code = 0; code < count; code++) {
      int rest = code;
      for (int u = 0; u < size; u++) {
        for (int v = u + 1; v < size; v++, rest /= weights + 1) {
          if (rest % (weights + 1) != 0) {
            builder.addEdge(code * size + u, code * size + v, rest % (weights + 1));
          }
        }
      }
    }
    return builder.build();
  }

  /** The graphs are components of one graph, so that all of them run at once. */
  @ParameterizedTest
  @MethodSource("everything")
  void everyGraphOfFourVertices(String device, MsfOptions options) {
    check(everySmallGraph(4, 2), device, options);
  }

  @ParameterizedTest
  @MethodSource("variants")
  void everyGraphOfFiveVertices(MsfOptions options) {
    check(everySmallGraph(5, 2), "cpu:4", options);
  }

  static List<Graph> adversarial() {
    List<Graph> graphs = new ArrayList<>();
    graphs.add(new GraphBuilder(0, true).build());
    graphs.add(new GraphBuilder(1, true).build());
    graphs.add(new GraphBuilder(5, true).build());
    graphs.add(new GraphBuilder(1, true).addEdge(0, 0, 3).addEdge(0, 0, 0).build());
    graphs.add(new GraphBuilder(2, true).addEdge(0, 1, 0).addEdge(1, 0, 0).build());
    graphs.add(
        new GraphBuilder(3, true)
            .addEdge(0, 1, Integer.MAX_VALUE)
            .addEdge(2, 1, Integer.MAX_VALUE)
            .addEdge(0, 2, Integer.MAX_VALUE)
            .build());
    // Unsorted lists, the hub in the middle and at both ends, longer than any piece.
    for (int hub : new int[] {0, 350, 699}) {
      GraphBuilder builder = new GraphBuilder(700, true);
      for (int v = 699; v >= 0; v--) {
        if (v != hub) {
          builder.addEdge(hub, v, 1 + v % 3).addEdge(v, hub, 1 + v % 3).addEdge(v, v, 0);
        }
      }
      graphs.add(builder.build());
    }
    // Chains that choose in one direction: as deep as the graph is long.
    for (boolean up : new boolean[] {true, false}) {
      GraphBuilder builder = new GraphBuilder(2000, true);
      for (int v = 0; v + 1 < 2000; v++) {
        builder.addEdge(v, v + 1, up ? v : 2000 - v);
      }
      graphs.add(builder.build());
    }
    // A cycle of equal weights: keys, not weights, keep it from closing.
    GraphBuilder cycle = new GraphBuilder(999, true);
    for (int v = 0; v < 999; v++) {
      cycle.addEdge(v, (v + 1) % 999, 5);
    }
    graphs.add(cycle.build());
    graphs.add(ringOfPairs(50));
    graphs.add(chainOfPairs(300, true));
    graphs.add(chainOfPairs(300, false));
    return graphs;
  }

  /** The components of round two choose in one direction: ways too long for one pass. */
  private static Graph chainOfPairs(int pairs, boolean up) {
    GraphBuilder builder = new GraphBuilder(2 * pairs, true);
    for (int pair = 0; pair < pairs; pair++) {
      builder.addEdge(2 * pair, 2 * pair + 1, 0);
      if (pair + 1 < pairs) {
        builder.addEdge(2 * pair + 1, 2 * pair + 2, 1 + (up ? pair : pairs - pair));
      }
    }
    return builder.build();
  }

  /**
   * Pairs of vertices, v and its mirror image, light edges within and equal heavy ones around: in
   * round two each pair's first arc leads to the next pair, and the choices are one long cycle.
   */
  private static Graph ringOfPairs(int pairs) {
    GraphBuilder builder = new GraphBuilder(2 * pairs, true);
    for (int v = 0; v < pairs; v++) {
      builder.addEdge(v, 2 * pairs - 1 - v, 1);
      builder.addEdge(v, 2 * pairs - 1 - (v + 1) % pairs, 9);
    }
    return builder.build();
  }

  @ParameterizedTest
  @CsvSource({"3, 2", "4, 2", "5, 3", "64, 6", "65, 7"})
  void longCyclesOfChoicesAreFollowedAroundAndBroken(int pairs, int passes) {
    MsfOptions options = MsfOptions.defaults().withTraversal(Traversal.CYCLE);
    Graph graph = ringOfPairs(pairs);
    for (String device : Variants.devices()) {
      MsfResult result = MinimumSpanningForest.run(Variants.device(device), graph, options);
      assertEquals(List.of(), MsfVerifier.verify(result));
      MsfReport report = result.report().orElseThrow();
      int followed =
          report.phases().stream()
              .filter(phase -> phase.name().equals("follow"))
              .findFirst()
              .orElseThrow()
              .launches();
      assertEquals(2, report.rounds(), "pairs, then all");
      assertEquals(1 + passes, followed, device);
    }
  }

  /**
   * Cycles of four components, with and without ways that lead there: passes end when all lead back
   * to where they began, long before they are as long as there are components.
   */
  @Test
  void manyShortCyclesOfChoicesAreFollowedAroundAndBroken() {
    int rings = 40;
    GraphBuilder builder = new GraphBuilder(12 * rings, true);
    for (int ring = 0; ring < rings; ring++) {
      int from = 12 * ring;
      Graph one = ringOfPairs(4);
      for (int v = 0; v < one.vertices(); v++) {
        for (int a = one.offsets()[v]; a < one.offsets()[v + 1]; a++) {
          int x = one.neighbors()[a];
          if (v < x) {
            builder.addEdge(from + v, from + x, one.weights()[a]);
          }
        }
      }
      // Two pairs that choose a way to the cycle, of which the second is two steps long.
      builder.addEdge(from + 8, from + 9, 1).addEdge(from + 10, from + 11, 1);
      if (ring % 2 == 0) {
        builder.addEdge(from + ring % 8, from + 8, 10).addEdge(from + 9, from + 10, 11);
      }
    }
    Graph graph = builder.build();
    MsfOptions options = MsfOptions.defaults().withTraversal(Traversal.CYCLE);
    for (String device : Variants.devices()) {
      MsfResult result = MinimumSpanningForest.run(Variants.device(device), graph, options);
      assertEquals(List.of(), MsfVerifier.verify(result));
      MsfReport report = result.report().orElseThrow();
      int followed =
          report.phases().stream()
              .filter(phase -> phase.name().equals("follow"))
              .findFirst()
              .orElseThrow()
              .launches();
      assertEquals(2, report.rounds(), "pairs, then rings");
      assertEquals(1 + 3 + 1, followed, device + ": pairs, cycles, and that nothing is left");
    }
  }

  @ParameterizedTest
  @MethodSource("everything")
  void adversarialGraphs(String device, MsfOptions options) {
    for (Graph graph : adversarial()) {
      if (device.startsWith("sim") && graph.vertices() > 999) {
        continue;
      }
      check(graph, device, options);
    }
  }

  /** Searches over the lanes of a warp must not need a power of two. */
  @ParameterizedTest
  @ValueSource(strings = {"sim:0:3", "sim:5:24"})
  void warpsOfAnyWidth(String spec) {
    Graph random = GraphGenerators.generate("random:n=200,m=3000,weights=1..50,seed=7");
    List<Graph> graphs = List.of(random, adversarial().get(7), everySmallGraph(3, 2));
    for (Graph graph : graphs) {
      for (Traversal traversal : Traversal.values()) {
        MsfOptions options = MsfOptions.defaults().withTraversal(traversal);
        check(graph, spec, options);
        if (options.hasEffect(MsfOptions.MERGE)) {
          check(graph, spec, options.withMerge(Merge.ATOMIC));
        }
      }
    }
  }

  /** Where an array finds no memory to grow, the next run makes it anew. */
  @Test
  void runsAfterAnAllocationFailed() {
    Graph graph = GraphGenerators.generate("random:n=300,m=900,seed=5");
    try (MinimumSpanningForest forest =
        new MinimumSpanningForest(Variants.device("cpu:4"), graph)) {
      MsfResult expected = forest.run(MsfOptions.defaults());
      for (String name : List.of("flag", "parent", "counters")) {
        assertThrows(DeviceOutOfMemoryException.class, () -> forest.scratch().ints(name, 1L << 50));
        assertEquals(expected.weight(), forest.run(MsfOptions.defaults()).weight());
      }
    }
  }

  /** A worklist is as long as the shorter of its two arrays; what goes beyond is only counted. */
  @ParameterizedTest
  @ValueSource(strings = {"cpu-checked:2", "sim:0:32"})
  void entriesBeyondTheShorterArrayAreDropped(String spec) {
    int entries = 40;
    long[] ends = LongStream.range(0, entries).map(e -> 2 * e << 32 | 2 * e + 1).toArray();
    Device device = Variants.device(TestDevices.compiled(spec));
    for (int[] rooms : new int[][] {{64, 10}, {10, 64}}) {
      try (KernelModule module = device.load("msf");
          DeviceArray<long[]> from = device.copyOf(ends);
          DeviceArray<long[]> keys = device.copyOf(LongStream.range(0, entries).toArray());
          DeviceArray<int[]> parent = device.copyOf(IntStream.range(0, 2 * entries).toArray());
          DeviceArray<long[]> best = device.longs(2 * entries);
          DeviceArray<long[]> nextEnds = device.longs(rooms[0]);
          DeviceArray<long[]> nextKeys = device.longs(rooms[1]);
          DeviceArray<int[]> counters = device.ints(2L * module.intConstant("record_words"))) {
        int length = module.intConstant("record_length");
        counters.set(length, entries);
        module
            .kernel("compact")
            .run(
                entries,
                new Fields()
                    .set("round", 0)
                    .set("ends", from)
                    .set("keys", keys)
                    .set(
                        "components",
                        new Fields()
                            .set("parent", parent)
                            .set("edge_of", parent) // not needed
                            .set("best", best))
                    .set("next_ends", nextEnds)
                    .set("next_keys", nextKeys)
                    .set("counters", counters));
        int next = module.intConstant("record_words");
        assertEquals(entries, counters.getInt(next + length));
        assertEquals(0, counters.getInt(next + module.intConstant("record_unfinished")));
      }
    }
  }

  /** Where nearly all edges are as light, more than there is room for are light. */
  @ParameterizedTest
  @MethodSource("everything")
  void listsThatAreTooShortAreMadeAgain(String device, MsfOptions options) {
    if (options.traversal() != Traversal.EDGE || options.filter() == Filter.OFF) {
      return;
    }
    GraphBuilder builder = new GraphBuilder(100, true);
    for (int u = 0; u < 100; u++) {
      for (int v = u + 1; v < 100; v++) {
        builder.addEdge(u, v, v == u + 1 && u % 2 == 0 ? 0 : 5);
      }
    }
    MsfResult result = Variants.run(device, builder.build(), options).orElseThrow();
    assertEquals(List.of(), MsfVerifier.verify(result));
    List<Phase> phases = result.report().orElseThrow().phases();
    int built =
        phases.stream()
            .filter(phase -> phase.name().equals("build"))
            .mapToInt(Phase::launches)
            .sum();
    boolean together = phases.stream().anyMatch(phase -> TOGETHER.contains(phase.name()));
    assertEquals(
        together ? 4 : 3,
        built,
        "twice for the light edges, once for the others, and once more for these if no look came"
            + " before");
  }

  /** As after a run that found memory for a longer list, but not for the next one. */
  @ParameterizedTest
  @ValueSource(strings = {"sim:1:4", "sim:2:32"})
  void theNextListIsAsLongAsAnEarlierRunLeftTheFirst(String spec) {
    GraphBuilder builder = new GraphBuilder(100, true);
    for (int u = 0; u < 100; u++) {
      for (int v = u + 1; v < 100; v++) {
        // Pairs, then fours: most edges are still there after the first round of the list.
        builder.addEdge(u, v, v > u + 1 || u % 4 == 3 ? 5 : u % 2);
      }
    }
    Graph graph = builder.build();
    for (Merge merge : List.of(Merge.ATOMIC, Merge.STM)) {
      try (MinimumSpanningForest forest = new MinimumSpanningForest(Variants.device(spec), graph)) {
        forest.scratch().longsFrom("ends0", 5000);
        forest.scratch().longsFrom("keys0", 5000);
        MsfResult result =
            forest.run(
                MsfOptions.defaults()
                    .withTraversal(Traversal.EDGE)
                    .withFilter(Filter.ON)
                    .withMerge(merge));
        assertEquals(List.of(), MsfVerifier.verify(result));
        int built =
            result.report().orElseThrow().phases().stream()
                .filter(phase -> phase.name().equals("build"))
                .mapToInt(Phase::launches)
                .sum();
        assertEquals(2, built, "the light edges and the others, none of them again");
      }
    }
  }

  @Test
  void longChainOnCpu() {
    for (Graph graph : adversarial()) {
      if (graph.vertices() == 2000) {
        for (MsfOptions options : Variants.all()) {
          check(graph, "cpu:4", options);
        }
      }
    }
    GraphBuilder builder = new GraphBuilder(300_000, true);
    for (int v = 0; v + 1 < 300_000; v++) {
      builder.addEdge(v, v + 1, 300_000 - v);
    }
    Graph graph = builder.build();
    check(graph, "cpu:4", MsfOptions.defaults());
    check(graph, "cpu:4", MsfOptions.defaults().withMerge(Merge.ATOMIC));
  }

  /** Whatever the interleaving, the same weight. */
  @Test
  void seededSchedules() {
    Graph graph = GraphGenerators.generate("random:n=60,m=150,weights=1..4,seed=3");
    MsfResult reference = KruskalReference.run(graph);
    for (int seed = 1; seed <= 12; seed++) {
      try (Device device = Device.open("sim:" + seed + ":" + (seed % 3 == 0 ? 32 : 4))) {
        for (Traversal traversal : Traversal.values()) {
          MsfOptions options = MsfOptions.defaults().withTraversal(traversal);
          MsfResult result = MinimumSpanningForest.run(device, graph, options);
          assertEquals(List.of(), MsfVerifier.verify(result, reference), "seed " + seed);
        }
      }
    }
  }

  @Test
  void runsAgainOnTheSameInstance() {
    Graph graph = GraphGenerators.generate("random:n=3000,m=30000,seed=5");
    MsfResult reference = KruskalReference.run(graph);
    try (MinimumSpanningForest forest =
        new MinimumSpanningForest(Variants.device("cpu:4"), graph)) {
      for (MsfOptions options : Variants.all()) {
        Variants.run("cpu:4", forest, options)
            .ifPresent(
                result ->
                    assertEquals(
                        List.of(), MsfVerifier.verify(result, reference), options.toString()));
      }
    }
  }

  /** With unique weights the forest is unique, so the edges must agree, not only the weight. */
  @Test
  void uniqueForestsAgreeEdgeByEdge() {
    GraphBuilder builder = new GraphBuilder(500, true);
    java.util.Random random = new java.util.Random(11);
    for (int e = 0; e < 3000; e++) {
      builder.addEdge(random.nextInt(500), random.nextInt(500), 7 * e);
    }
    Graph graph = builder.build();
    int[] expected = KruskalReference.run(graph).arcs();
    for (String device : Variants.devices()) {
      for (MsfOptions options : Variants.all()) {
        if (options.phaseTimes() || !device.startsWith("sim")) {
          Variants.run(device, graph, options)
              .ifPresent(
                  result ->
                      assertArrayEquals(expected, result.arcs(), () -> device + " " + options));
        }
      }
    }
  }

  /**
   * Each leaf finds its edge from its own end; the hub's list is searched by one thread or by all.
   */
  @ParameterizedTest
  @ValueSource(ints = {31, 32, 33, 200})
  void canonicalArcsOfHubs(int leaves) {
    GraphBuilder builder = new GraphBuilder(leaves + 1, true);
    for (int v = leaves; v >= 1; v--) {
      builder.addEdge(0, v, 3 * v);
      builder.addEdge(0, v, 3 * v + 1);
    }
    Graph graph = builder.build();
    int[] expected = KruskalReference.run(graph).arcs();
    for (String device : Variants.devices()) {
      MsfResult result =
          MinimumSpanningForest.run(Variants.device(device), graph, MsfOptions.defaults());
      assertArrayEquals(expected, result.arcs(), device);
    }
  }

  /** Who is larger is told by sizes that every union adds up. */
  @Test
  void sizesOfComponentsAddUp() {
    MsfOptions options = MsfOptions.defaults().withTraversal(Traversal.COMPONENT_SPACE);
    Graph graph = GraphGenerators.generate("random:n=400,m=380,weights=1..9,seed=4");
    for (String device : Variants.devices()) {
      try (MinimumSpanningForest forest =
          new MinimumSpanningForest(Variants.device(device), graph)) {
        MsfResult result = forest.run(options);
        int[] expected = new int[graph.vertices()];
        for (int label : result.labels()) {
          expected[label]++;
        }
        int[] sizes = forest.scratch().ints("size", graph.vertices()).toArray();
        for (int v = 0; v < expected.length; v++) {
          assertEquals(result.labels()[v] == v ? expected[v] : 0, expected[v]);
          if (expected[v] > 0) {
            assertEquals(expected[v], sizes[v], device + ", component of " + v);
          }
        }
        long commits =
            result.report().orElseThrow().transactions().stream().mapToLong(r -> r.commits()).sum();
        assertEquals(result.edges(), commits, "one commit for each chosen edge");
      }
    }
  }

  @Test
  void reportsWhatItDid() {
    Graph graph = GraphGenerators.generate("road:n=5000");
    MsfResult result =
        MinimumSpanningForest.run(Variants.device("cpu:4"), graph, MsfOptions.defaults());
    MsfReport report = result.report().orElseThrow();
    long commits = report.transactions().stream().mapToLong(r -> r.commits()).sum();
    assertEquals(result.edges(), commits, "one commit for each chosen edge");
    assertTrue(report.rounds() > 1 && report.rounds() < 30, report.toString());
    assertTrue(report.hostMillis() >= report.solveMillis(), report.toString());
    assertTrue(
        report.phases().stream()
            .anyMatch(
                phase ->
                    phase.name().equals("merge_nominated")
                        && phase.rule() == Phase.Rule.TRANSACTIONAL
                        && phase.launches() == report.rounds() - 1),
        report.toString());
    int[] endpoints = result.endpoints();
    assertEquals(2 * result.edges(), endpoints.length);
    for (int e = 0; e < result.edges(); e++) {
      assertEquals(graph.source(result.arcs()[e]), endpoints[2 * e]);
      assertTrue(endpoints[2 * e] < endpoints[2 * e + 1]);
    }
  }

  @Test
  void contradictionsAreRejectedByName() {
    MsfOptions options = MsfOptions.defaults();
    assertRejected("discovery=atomic-free", () -> options.withDiscovery(Discovery.ATOMIC_FREE));
    assertRejected(
        "filter=on", () -> options.withTraversal(Traversal.VERTEX).withFilter(Filter.ON));
    String validated =
        "reads=unvalidated needs merge=stm with traversal=vertex|edge: no other form has a variant"
            + " without validation";
    MsfOptions unvalidated = options.withReads(Reads.UNVALIDATED);
    MsfOptions space = options.withTraversal(Traversal.COMPONENT_SPACE);
    assertRejected(validated, () -> unvalidated.withMerge(Merge.ATOMIC));
    assertRejected(validated, () -> space.withReads(Reads.UNVALIDATED));
    MsfOptions cycle = options.withTraversal(Traversal.CYCLE);
    assertRejected("merge=atomic needs traversal=vertex|edge", () -> cycle.withMerge(Merge.ATOMIC));
    assertRejected("reads=unvalidated", () -> cycle.withReads(Reads.UNVALIDATED));
    assertRejected("filter=on", () -> cycle.withFilter(Filter.ON));
    assertRejected("discovery=atomic-free", () -> cycle.withDiscovery(Discovery.ATOMIC_FREE));
  }

  @Test
  void boundOfAttemptsIsReported() {
    Graph star = GraphGenerators.generate("star:n=20000,weights=1..1");
    MsfOptions options =
        MsfOptions.defaults()
            .withTraversal(Traversal.VERTEX)
            .withStm(StmOptions.defaults().withMaxAttempts(1));
    // Either nobody was in anybody's way, or the items that were are named: never a wrong forest.
    try {
      check(star, "cpu:4", options);
    } catch (io.magpie.stm.UnfinishedItemsException e) {
      assertTrue(e.getMessage().contains("merge_vertices"), e.getMessage());
    }
  }

  /**
   * Whenever a run of many rounds in one launch is canceled, there is a forest or an error that
   * says so; and the next run has all that it needs.
   */
  @ParameterizedTest
  @ValueSource(strings = {"sim:1:4", "sim:2:32"})
  void aCanceledRunOfManyRoundsIsAnError(String spec) throws InterruptedException {
    Graph graph = GraphGenerators.generate("random:n=1500,m=4000,weights=1..9,seed=8");
    MsfOptions options = MsfOptions.defaults().withTraversal(Traversal.EDGE);
    try (Device device = Device.open(spec);
        MinimumSpanningForest forest = new MinimumSpanningForest(device, graph)) {
      AtomicBoolean ended = new AtomicBoolean();
      Thread impatient =
          new Thread(
              () -> {
                while (!ended.get()) {
                  device.cancelRun();
                  LockSupport.parkNanos(100_000);
                }
              });
      impatient.start();
      String reason = "";
      while (reason.isEmpty()) { // until it was canceled
        try {
          assertEquals(List.of(), MsfVerifier.verify(forest.run(options)));
        } catch (MagpieException e) {
          reason = e.getMessage();
        }
      }
      ended.set(true);
      impatient.join();
      assertTrue(reason.contains("the run was canceled"), reason);
      MsfResult next = forest.run(options);
      assertEquals(List.of(), MsfVerifier.verify(next));
      List<Phase> phases = next.report().orElseThrow().phases();
      assertTrue(
          phases.stream().anyMatch(phase -> phase.name().equals("merge_rounds")), phases::toString);
    }
  }

  private static void assertRejected(String named, Runnable combination) {
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, combination::run);
    assertTrue(e.getMessage().startsWith(named), e.getMessage());
  }

  private static void check(Graph graph, String device, MsfOptions options) {
    Variants.run(device, graph, options)
        .ifPresent(
            result ->
                assertEquals(
                    List.of(),
                    MsfVerifier.verify(result),
                    () -> graph + " on " + device + " by " + options));
  }

  @Test
  void aClosedForestAllocatesNothing() {
    try (Device device = Device.open("cpu:1")) {
      MinimumSpanningForest forest =
          new MinimumSpanningForest(device, GraphGenerators.generate("path:10"));
      forest.close();
      assertThrows(IllegalStateException.class, () -> forest.run(MsfOptions.defaults()));
      assertTrue(device.leaks().isEmpty());
      forest.close();
    }
  }
}
