package io.magpie.algorithms.partition;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.Phase;
import io.magpie.algorithms.RealData;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.graph.GraphFormats;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.algorithms.internal.driver.Scratch;
import io.magpie.algorithms.partition.Coarsenings.Step;
import io.magpie.algorithms.partition.PartitionOptions.Candidates;
import io.magpie.algorithms.partition.PartitionOptions.Contraction;
import io.magpie.algorithms.partition.PartitionOptions.Matching;
import io.magpie.algorithms.partition.PartitionOptions.Rating;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.KernelModule;
import io.magpie.stm.Policy;
import io.magpie.stm.parallel.Primitives;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Coarsening of graphs of known shapes, by every way of matching and contracting. */
class CoarseningTest {
  private static final PartitionOptions OPTIONS = PartitionOptions.of(3);
  private static final int NO_BOUND = Integer.MAX_VALUE;

  static List<String> devices() {
    return Coarsenings.devices();
  }

  static Stream<Arguments> variants() {
    return devices().stream()
        .flatMap(
            device ->
                Arrays.stream(Matching.values())
                    .flatMap(
                        matching ->
                            Arrays.stream(Contraction.values())
                                .map(contraction -> Arguments.of(device, matching, contraction))));
  }

  static Stream<Arguments> matchings() {
    return devices().stream()
        .flatMap(
            device ->
                Arrays.stream(Matching.values()).map(matching -> Arguments.of(device, matching)));
  }

  private static List<Step> run(String device, String graph, PartitionOptions options) {
    return Coarsenings.run(device, GraphGenerators.generate(graph), options, NO_BOUND, null);
  }

  @ParameterizedTest
  @MethodSource("variants")
  void graphsOfEveryShapeAreCoarsened(String device, Matching matching, Contraction contraction) {
    PartitionOptions options = OPTIONS.withMatching(matching).withContraction(contraction);
    for (String graph :
        List.of(
            "grid:rows=17,columns=12,weights=none",
            "rmat:scale=7,edges=900,weights=1..9",
            "road:300,weights=none",
            "path:100,weights=1..3",
            "star:90,weights=none",
            "complete:24,weights=none",
            "random:n=120,m=40,weights=none")) {
      List<Step> levels = run(device, graph, options);
      assertTrue(levels.size() >= 4, () -> graph + ": " + Coarsenings.counts(levels));
    }
  }

  @ParameterizedTest
  @MethodSource("variants")
  void verticesOfDifferentPartsStayApart(
      String device, Matching matching, Contraction contraction) {
    PartitionOptions options = OPTIONS.withMatching(matching).withContraction(contraction);
    for (String graph :
        List.of("grid:rows=9,columns=14,weights=none", "star:200,weights=none", "rmat:6")) {
      Graph input = GraphGenerators.generate(graph).withoutWeights();
      int[] parts = new Random(4).ints(input.vertices(), 0, 3).toArray();
      List<Step> levels = Coarsenings.run(device, input, options, NO_BOUND, parts);
      assertTrue(levels.size() >= 2, () -> graph + ": " + Coarsenings.counts(levels));
    }
  }

  /** Leaves of a part are paired with each other, not with whatever comes next. */
  @ParameterizedTest
  @MethodSource("devices")
  void starsShrinkWithinParts(String device) {
    Graph star = GraphGenerators.generate("star:1000,weights=none");
    int[] parts = new Random(4).ints(1000, 0, 3).toArray();
    List<Step> levels = Coarsenings.run(device, star, OPTIONS, NO_BOUND, parts);
    assertTrue(levels.get(0).counts().alone() <= 3, () -> levels.get(0).counts().toString());
  }

  /** The worked example of the thesis, section 4.2.1. */
  @ParameterizedTest
  @MethodSource("devices")
  void pairsAreNumberedAsInTheThesis(String spec) {
    Device device = Coarsenings.device(spec);
    try (KernelModule module = device.load(Coarsening.MODULE);
        Scratch scratch = new Scratch(new DeviceMemory(device));
        DeviceArray<int[]> match = device.copyOf(3, 1, 6, 0, 5, 4, 2);
        DeviceArray<int[]> map = device.ints(7);
        DeviceArray<int[]> members = device.ints(4)) {
      new RowContraction(
              new Launches(module, OPTIONS.phaseTimes(), OPTIONS.stm()),
              Primitives.of(device),
              scratch,
              Contraction.HASH)
          .map(7, match, map, members);
      assertArrayEquals(new int[] {0, 1, 2, 0, 3, 3, 2}, map.toArray());
      assertArrayEquals(new int[] {0, 1, 2, 4}, members.toArray());
    }
  }

  @ParameterizedTest
  @MethodSource("devices")
  void starsShrinkByHalf(String device) {
    List<MatchCounts> levels = Coarsenings.counts(run(device, "star:1000,weights=none", OPTIONS));
    assertEquals(new MatchCounts(1000, levels.get(0).rounds(), 2, 998, 0, 0), levels.get(0));
    for (MatchCounts level : levels) {
      assertTrue(level.alone() <= 1, levels::toString);
    }
    assertEquals(10, levels.size(), "down to one vertex");
  }

  @ParameterizedTest
  @MethodSource("devices")
  void verticesWithoutNeighborsArePaired(String device) {
    Graph graph = Graph.of(new int[65], new int[0], null);
    List<MatchCounts> levels =
        Coarsenings.counts(Coarsenings.run(device, graph, OPTIONS, NO_BOUND, null));
    assertEquals(6, levels.size());
    assertEquals(new MatchCounts(64, 1, 0, 64, 0, 0), levels.get(0));
  }

  /** Every vertex of one side has the same eight neighbors on the other. */
  @ParameterizedTest
  @MethodSource("devices")
  void twinsArePaired(String device) {
    GraphBuilder builder = new GraphBuilder(108, false);
    for (int u = 0; u < 100; u++) {
      for (int v = 0; v < 8; v++) {
        builder.addEdge(u, 100 + v);
      }
    }
    MatchCounts first =
        Coarsenings.run(device, builder.build(), OPTIONS, NO_BOUND, null).get(0).counts();
    assertEquals(new MatchCounts(108, first.rounds(), 16, 0, 92, 0), first);
  }

  /** Twins but for one neighbor each of its own; all neighbors are too heavy to be matched with. */
  @ParameterizedTest
  @MethodSource("devices")
  void relativesArePaired(String device) {
    int n = 60;
    GraphBuilder builder = new GraphBuilder(2 * n + 1, true);
    int[] vertexWeights = new int[2 * n + 1];
    for (int v = 0; v < n; v++) {
      builder.addEdge(v, n + v, 1);
      builder.addEdge(v, 2 * n, 5);
      vertexWeights[v] = 1;
      vertexWeights[n + v] = 100;
    }
    vertexWeights[2 * n] = 100;
    Graph graph = builder.vertexWeights(vertexWeights).build();

    MatchCounts first = Coarsenings.run(device, graph, OPTIONS, 50, null).get(0).counts();

    assertEquals(new MatchCounts(2 * n + 1, first.rounds(), 0, 0, 0, n), first);
  }

  /** Too many neighbors for twins, and neighbors of too many for relatives, but for hubs. */
  @ParameterizedTest
  @MethodSource("devices")
  void relativesMeetOverHubs(String device) {
    int hubs = 65;
    int n = 1000;
    GraphBuilder builder = new GraphBuilder(hubs + n, false);
    for (int v = 0; v < n; v++) {
      for (int hub = 0; hub < hubs; hub++) {
        builder.addEdge(v, n + hub);
      }
    }
    List<MatchCounts> levels =
        Coarsenings.counts(Coarsenings.run(device, builder.build(), OPTIONS, 64, null));
    MatchCounts first = levels.get(0);
    assertEquals(new MatchCounts(hubs + n, first.rounds(), 2 * hubs, 0, 0, n - hubs - 1), first);
    assertEquals(1, first.alone());
  }

  /** On a path whose edges weigh 9 and 1 alternately. */
  @ParameterizedTest
  @MethodSource("matchings")
  void heavyEdgesAreMatched(String device, Matching matching) {
    Graph path = byTurns(200, 9, 1);
    for (Candidates candidates : Candidates.values()) {
      for (Rating rating : List.of(Rating.HEAVY_EDGE, Rating.LIGHT_VERTICES)) {
        Step first =
            Coarsenings.run(
                    device,
                    path,
                    OPTIONS.withMatching(matching).withCandidates(candidates).withRating(rating),
                    NO_BOUND,
                    null)
                .get(0);
        int heavy = Arrays.stream(first.coarse().weights()).filter(w -> w == 9).sum() / 18;
        int light = Arrays.stream(first.coarse().weights()).filter(w -> w == 1).sum() / 2;
        if (matching == Matching.PROPOSALS || matching == Matching.STM) {
          assertEquals(List.of(0, 99), List.of(heavy, light), "edges left of each weight");
        }
        // Elsewhere a word may look taken that is given back later.
        assertTrue(heavy < light, heavy + " edges of weight 9 are left, and " + light + " of 1");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("devices")
  void randomPairsDoNotMindWeights(String device) {
    Step first =
        Coarsenings.run(
                device, byTurns(200, 9, 1), OPTIONS.withRating(Rating.RANDOM), NO_BOUND, null)
            .get(0);
    int heavy = Arrays.stream(first.coarse().weights()).filter(w -> w == 9).sum() / 18;
    assertTrue(heavy > 20, heavy + " of 100 edges of weight 9 are left");
  }

  private static Graph byTurns(int vertices, int one, int other) {
    GraphBuilder builder = new GraphBuilder(vertices, true);
    for (int v = 0; v + 1 < vertices; v++) {
      builder.addEdge(v, v + 1, v % 2 == 0 ? one : other);
    }
    return builder.build();
  }

  /** In paths of three, the middle one is matched with the lighter end. */
  @ParameterizedTest
  @MethodSource("devices")
  void lightVerticesAreMatched(String device) {
    int paths = 50;
    GraphBuilder builder = new GraphBuilder(3 * paths, true);
    int[] vertexWeights = new int[3 * paths];
    for (int p = 0; p < paths; p++) {
      builder.addEdge(3 * p, 3 * p + 1, 4);
      builder.addEdge(3 * p + 1, 3 * p + 2, 4);
      vertexWeights[3 * p] = 5;
      vertexWeights[3 * p + 1] = 2;
      vertexWeights[3 * p + 2] = 1;
    }
    Graph graph = builder.vertexWeights(vertexWeights).build();
    Step first = Coarsenings.run(device, graph, OPTIONS, NO_BOUND, null).get(0);
    assertArrayEquals(
        IntStream.range(0, 3 * paths).map(v -> v / 3 * 2 + (v % 3 + 1) / 2).toArray(), first.map());
  }

  /** Edges ever heavier: everyone wants the next one, who wants the one after. */
  @ParameterizedTest
  @MethodSource("devices")
  void takenCandidatesLeaveVerticesAlone(String device) {
    GraphBuilder builder = new GraphBuilder(100, true);
    for (int v = 0; v < 99; v++) {
      builder.addEdge(v, v + 1, v + 1);
    }
    Graph graph = builder.build();
    PartitionOptions options = OPTIONS.withRating(Rating.HEAVY_EDGE);
    MatchCounts free = Coarsenings.run(device, graph, options, NO_BOUND, null).get(0).counts();
    assertEquals(List.of(12, 24), List.of(free.rounds(), free.byNeighbor()));
    List<Step> any =
        Coarsenings.run(device, graph, options.withCandidates(Candidates.ANY), NO_BOUND, null);
    assertEquals(2, any.get(0).counts().byNeighbor(), "only the last two want each other");
  }

  @ParameterizedTest
  @MethodSource("matchings")
  void verticesThatAreTooHeavyTogetherStayApart(String device, Matching matching) {
    PartitionOptions options = OPTIONS.withMatching(matching);
    Graph clique = GraphGenerators.generate("complete:20,weights=none");
    assertEquals(List.of(), Coarsenings.run(device, clique, options, 1, null));
    List<Step> levels = Coarsenings.run(device, clique, options, 4, null);
    assertTrue(
        Arrays.stream(levels.get(levels.size() - 1).coarse().vertexWeights())
            .allMatch(w -> w <= 4));
  }

  @ParameterizedTest
  @MethodSource("devices")
  void thereIsNoCoarserGraphOfNoVertices(String device) {
    Graph empty = Graph.of(new int[1], new int[0], null);
    assertEquals(List.of(), Coarsenings.run(device, empty, OPTIONS, NO_BOUND, null));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "grid:rows=40,columns=31,weights=none",
        "rmat:scale=9,edges=3000,weights=1..5",
        "star:700,weights=none",
        "knn:500,weights=none"
      })
  void proposalsDoNotDependOnTheDevice(String spec) {
    Graph graph = GraphGenerators.generate(spec);
    for (boolean parted : new boolean[] {false, true}) {
      int[] parts = parted ? new Random(1).ints(graph.vertices(), 0, 3).toArray() : null;
      List<Step> expected = Coarsenings.run("cpu-checked:1", graph, OPTIONS, 60, parts);
      for (String device : devices()) {
        for (Contraction contraction : Contraction.values()) {
          PartitionOptions options = OPTIONS.withContraction(contraction).withPhaseTimes(false);
          List<Step> actual = Coarsenings.run(device, graph, options, 60, parts);
          assertEquals(Coarsenings.counts(expected), Coarsenings.counts(actual), device);
          for (int level = 0; level < expected.size(); level++) {
            assertArrayEquals(expected.get(level).map(), actual.get(level).map(), device);
          }
        }
      }
    }
  }

  @Test
  void seedsGiveDifferentPairs() {
    String grid = "grid:rows=20,columns=20,weights=none";
    int[] one = run("cpu-checked:1", grid, OPTIONS.withSeed(1)).get(0).map();
    int[] two = run("cpu-checked:1", grid, OPTIONS.withSeed(2)).get(0).map();
    assertNotEquals(Arrays.toString(one), Arrays.toString(two));
  }

  @ParameterizedTest
  @EnumSource(names = {"HAND_OFF", "PRIORITY_RULE"})
  void transactionsMatch(Policy policy) {
    assertMatches(policy);
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"HAND_OFF", "PRIORITY_RULE"})
  @Tag("comparisons")
  void transactionsOfOtherPoliciesMatch(Policy policy) {
    assertMatches(policy);
  }

  private static void assertMatches(Policy policy) {
    PartitionOptions options =
        OPTIONS.withMatching(Matching.STM).withStm(OPTIONS.stm().withPolicy(policy));
    List<Step> levels = run("cpu-checked:4", "knn:2000,weights=none", options);
    assertTrue(levels.size() >= 8, () -> Coarsenings.counts(levels).toString());
  }

  @ParameterizedTest
  @MethodSource("devices")
  void whatWasDoneIsReported(String spec) {
    Device device = Coarsenings.device(spec);
    Graph graph = GraphGenerators.generate("star:300,weights=none");
    PartitionOptions options = OPTIONS.withMatching(Matching.STM);
    DeviceMemory memory = new DeviceMemory(device);
    try (KernelModule module = device.load(Coarsening.MODULE);
        DeviceGraph fine = DeviceGraph.copyOf(memory, graph);
        Coarsening coarsening = new Coarsening(memory, module, Primitives.of(device), options)) {
      Coarsening.Coarser coarser = coarsening.coarsen(fine, NO_BOUND, 0);
      memory.free(coarser.map());
      coarser.graph().close();

      List<Phase> phases = coarsening.launches().phases();
      Phase matched =
          phases.stream().filter(phase -> phase.name().equals("match_pair")).findFirst().get();
      assertEquals(Phase.Rule.TRANSACTIONAL, matched.rule());
      assertEquals(1, matched.commits());
      assertEquals(coarser.counts().rounds(), matched.launches());
      assertEquals(matched.launches(), coarsening.launches().transactions().size());
      for (String name : List.of("propose", "key_leaves", "sort", "insert_arcs", "scan")) {
        assertTrue(
            phases.stream().anyMatch(phase -> phase.name().equals(name) && phase.millis() >= 0),
            () -> name + " in " + phases);
      }
      assertTrue(coarser.millis() >= 0);
      fine.close();
      assertTrue(memory.held() >= 4L * fine.arcs() * 2, "working arrays are kept");
      assertTrue(memory.most() >= memory.held() + 4L * (2 * 300 + 1 + 2 * 598));
      coarsening.close();
      assertEquals(0, memory.held());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"4elt", "delaunay_n15"})
  void meshesShrinkAlmostByHalf(String name) throws IOException {
    Graph graph = GraphFormats.read(RealData.file("graphs/" + name + ".graph.gz"));
    int bound = 3 * graph.vertices() / 2048;
    for (Matching matching : Matching.values()) {
      List<Step> levels =
          Coarsenings.run("cpu-checked:4", graph, OPTIONS.withMatching(matching), bound, null);
      int before = graph.vertices();
      for (Step level : levels) {
        int after = level.coarse().vertices();
        if (after > 2048) {
          assertTrue(after <= 0.6 * before, () -> Coarsenings.counts(levels).toString());
        }
        before = after;
      }
    }
  }
}
