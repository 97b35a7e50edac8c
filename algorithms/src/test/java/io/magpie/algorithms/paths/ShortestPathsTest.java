package io.magpie.algorithms.paths;

import static java.util.function.Predicate.not;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.Phase;
import io.magpie.algorithms.TestDevices;
import io.magpie.algorithms.TransactionSettings;
import io.magpie.algorithms.graph.DirectedGraph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.algorithms.paths.PathsOptions.Balance;
import io.magpie.algorithms.paths.PathsOptions.Direction;
import io.magpie.algorithms.paths.PathsOptions.Drive;
import io.magpie.algorithms.paths.PathsOptions.Lengths;
import io.magpie.algorithms.paths.PathsOptions.Order;
import io.magpie.algorithms.paths.PathsOptions.Predecessors;
import io.magpie.algorithms.paths.PathsOptions.Sync;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.DeviceOutOfMemoryException;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelModule;
import io.magpie.stm.Policy;
import io.magpie.stm.StmObjects;
import io.magpie.stm.UnfinishedItemsException;
import io.magpie.stm.simulator.Schedule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShortestPathsTest {
  private static final PathsOptions DEFAULTS = PathsOptions.defaults();
  private static final PathsOptions WEIGHTS = DEFAULTS.withLengths(Lengths.WEIGHTS);
  private static final PathsOptions TRANSACTIONS =
      WEIGHTS.withPredecessors(Predecessors.WITH_DISTANCE).withSync(Sync.TRANSACTIONAL);

  /** 0 to 1 (4), 0 to 2 (1), 2 to 1 (2), 1 to 3 (0), 3 to 1 (0); 4 leads to 0 (1). */
  private static DirectedGraph small() {
    return new GraphBuilder(5, true)
        .addArc(0, 1, 4)
        .addArc(0, 2, 1)
        .addArc(2, 1, 2)
        .addArc(1, 3, 0)
        .addArc(3, 1, 0)
        .addArc(4, 0, 1)
        .buildDirected();
  }

  private static Device cpu() {
    return PathsVariants.device("cpu:4");
  }

  @Test
  void distancesPredecessorsAndPaths() {
    PathsResult hops = ShortestPaths.run(cpu(), small(), 0, DEFAULTS);
    assertArrayEquals(new long[] {0, 1, 1, 2, -1}, hops.distances());
    assertArrayEquals(new int[] {0, 0, 0, 1, -1}, hops.predecessors().orElseThrow());
    PathsResult nearest = ShortestPaths.run(cpu(), small(), 0, WEIGHTS);
    assertArrayEquals(new long[] {0, 3, 1, 3, -1}, nearest.distances());
    assertArrayEquals(new int[] {0, 2, 0, 1, -1}, nearest.predecessors().orElseThrow());
    assertArrayEquals(new int[] {0, 2, 1, 3}, nearest.pathTo(3));
    assertArrayEquals(new int[] {0}, nearest.pathTo(0));
    assertArrayEquals(new int[0], nearest.pathTo(4));
    assertEquals(4, nearest.reached());
    assertEquals(3, nearest.farthest());
    assertEquals(
        "PathsResult[vertices=5, source=0, lengths=weights, reached=4, farthest=3]",
        nearest.toString());
    PathsResult without =
        ShortestPaths.run(cpu(), small(), 0, WEIGHTS.withPredecessors(Predecessors.NONE));
    assertTrue(without.predecessors().isEmpty());
    assertThrows(IllegalStateException.class, () -> without.pathTo(3));
    assertThrows(IndexOutOfBoundsException.class, () -> nearest.pathTo(5));
  }

  /** Sums of 64 bits: 40 arcs of the greatest weight. */
  @ParameterizedTest
  @MethodSource("devices")
  void longPaths(String device) {
    DirectedGraph path =
        DirectedGraph.of(GraphGenerators.generate("path:41,weights=2147483647..2147483647"));
    for (PathsOptions options :
        List.of(
            WEIGHTS,
            WEIGHTS.withOrder(Order.NEAR_FAR),
            WEIGHTS.withOrder(Order.BINS),
            WEIGHTS.withOrder(Order.BINS).withDelta(1 << 20),
            TRANSACTIONS)) {
      PathsResult result = ShortestPaths.run(PathsVariants.device(device), path, 0, options);
      assertEquals(40 * 2147483647L, result.farthest());
      assertEquals(List.of(), PathsVerifier.verify(result));
    }
  }

  static List<String> devices() {
    return PathsVariants.devices();
  }

  @Test
  void oneCopyOfAGraphServesAllSourcesAndVariants() {
    DirectedGraph graph =
        GraphGenerators.parse("rmat:7,edges=600,directed,weights=0..9").generateDirected();
    try (ShortestPaths paths = new ShortestPaths(cpu(), graph)) {
      for (PathsOptions options : PathsVariants.all()) {
        int source = options.hashCode() & 127;
        PathsResult result = paths.run(source, options);
        PathsResult reference = PathsReference.run(graph, source, options.lengths());
        assertEquals(
            List.of(), PathsVerifier.verify(result, reference), () -> result + " by " + options);
      }
      paths.close();
      paths.close();
      IllegalStateException e =
          assertThrows(IllegalStateException.class, () -> paths.run(0, DEFAULTS));
      assertTrue(e.getMessage().contains("closed"));
    }
  }

  /**
   * Arcs enough for several pieces, which threads walk over at the same time. In plain builds each
   * variant takes two of the graphs, those of its turn.
   */
  @ParameterizedTest
  @CsvSource({
    "0, 'rmat:12,edges=60000,directed,weights=0..99'",
    "1, 'random:n=9000,m=50000,directed,weights=0..3'",
    "0, 'road:12000,weights=distance'",
    "1, 'star:30000,weights=1..9'"
  })
  void manyPieces(int turn, String spec) {
    DirectedGraph graph = GraphGenerators.parse(spec).generateDirected();
    int source = graph.neighbors()[graph.arcs() / 2];
    Map<Lengths, PathsResult> references = new EnumMap<>(Lengths.class);
    try (ShortestPaths paths = new ShortestPaths(cpu(), graph)) {
      for (PathsOptions options : TestDevices.FULL ? PathsVariants.all() : turns().get(turn)) {
        PathsResult reference =
            references.computeIfAbsent(
                options.lengths(), lengths -> PathsReference.run(graph, source, lengths));
        PathsResult result = paths.run(source, options);
        assertTrue(reference.reached() > 1000, reference::toString);
        assertEquals(
            List.of(), PathsVerifier.verify(result, reference), () -> result + " by " + options);
      }
    }
  }

  /** Each variant is of the turn in which more of its values have not met before. */
  private static List<List<PathsOptions>> turns() {
    List<List<PathsOptions>> turns = List.of(new ArrayList<>(), new ArrayList<>());
    List<Set<String>> met = List.of(new HashSet<>(), new HashSet<>());
    for (PathsOptions options : PathsVariants.all()) {
      List<String> pairs = pairs(options);
      long[] others = new long[2];
      for (int turn = 0; turn < 2; turn++) {
        others[turn] = pairs.stream().filter(not(met.get(turn)::contains)).count();
      }
      int turn =
          others[0] != others[1]
              ? (others[0] > others[1] ? 0 : 1)
              : (turns.get(0).size() <= turns.get(1).size() ? 0 : 1);
      turns.get(turn).add(options);
      met.get(turn).addAll(pairs);
    }
    return turns;
  }

  /** Each two values that meet in a variant. */
  private static List<String> pairs(PathsOptions options) {
    List<String> values = options.written().entrySet().stream().map(Map.Entry::toString).toList();
    return IntStream.range(0, values.size())
        .boxed()
        .flatMap(i -> values.subList(0, i).stream().map(each -> each + " with " + values.get(i)))
        .toList();
  }

  @Test
  void valuesThatMeetInSeveralVariantsMeetInBothTurns() {
    Map<String, Long> meetings =
        PathsVariants.all().stream()
            .flatMap(options -> pairs(options).stream())
            .collect(Collectors.groupingBy(pair -> pair, TreeMap::new, Collectors.counting()));
    meetings.values().removeIf(count -> count < 2);
    assertTrue(meetings.size() >= 200, meetings::toString);
    for (List<PathsOptions> turn : turns()) {
      Set<String> lacking = new TreeSet<>(meetings.keySet());
      turn.forEach(options -> lacking.removeAll(pairs(options)));
      assertEquals(Set.of(), lacking);
      assertTrue(turn.size() <= PathsVariants.all().size() * 2 / 3, () -> turn.size() + " of all");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 5})
  void aSourceThatIsNoVertexIsRefused(int source) {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> ShortestPaths.run(cpu(), small(), source, DEFAULTS));
    assertEquals(
        "source "
            + source
            + " is not a vertex of DirectedGraph[vertices=5, arcs=6, weighted]; expected 0 to 4",
        e.getMessage());
  }

  @Test
  void withoutVerticesThereIsNoSource() {
    DirectedGraph empty = new GraphBuilder(0, false).buildDirected();
    try (ShortestPaths paths = new ShortestPaths(cpu(), empty)) {
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> paths.run(0, DEFAULTS));
      assertTrue(e.getMessage().contains("without vertices there are no paths"), e.getMessage());
    }
  }

  /** A combination that is refused, and what the message names. */
  private record Refused(UnaryOperator<PathsOptions> change, String message) {}

  @Test
  void combinationsThatMakeNoSenseAreRefused() {
    for (Refused refused :
        List.of(
            new Refused(
                o -> o.withLengths(Lengths.WEIGHTS).withDirection(Direction.AUTO),
                "direction=auto needs lengths=unit and drive=data"),
            new Refused(
                o -> o.withDrive(Drive.TOPOLOGY).withDirection(Direction.AUTO),
                "direction=auto needs lengths=unit and drive=data"),
            new Refused(
                o -> o.withLengths(Lengths.WEIGHTS).withDirection(Direction.PULL),
                "direction=pull with lengths=weights needs drive=topology"),
            new Refused(o -> o.withOrder(Order.NEAR_FAR), "order=near-far needs lengths=weights"),
            new Refused(
                o ->
                    o.withLengths(Lengths.WEIGHTS)
                        .withDrive(Drive.TOPOLOGY)
                        .withOrder(Order.NEAR_FAR),
                "order=near-far needs lengths=weights, drive=data and direction=push"),
            new Refused(
                o ->
                    o.withLengths(Lengths.WEIGHTS)
                        .withOrder(Order.NEAR_FAR)
                        .withSync(Sync.ATOMIC_FREE),
                "order=near-far needs sync=atomic or sync=transactional"),
            new Refused(o -> o.withOrder(Order.BINS), "order=bins needs lengths=weights"),
            new Refused(
                o ->
                    o.withLengths(Lengths.WEIGHTS).withOrder(Order.BINS).withSync(Sync.ATOMIC_FREE),
                "order=bins needs sync=atomic or sync=transactional"),
            new Refused(
                o -> o.withLengths(Lengths.WEIGHTS).withDelta(5),
                "delta=5 has no effect with order=none; leave it out, or use order=near-far|bins"),
            new Refused(
                o -> o.withLengths(Lengths.WEIGHTS).withOrder(Order.BINS).withDelta(-1),
                "delta must be"),
            new Refused(
                o -> o.withDirection(Direction.PULL).withSync(Sync.ATOMIC_FREE),
                "sync has no effect with direction=pull"),
            new Refused(
                o -> o.withDirection(Direction.PULL).withBalance(Balance.SPLIT),
                "balance has no effect with direction=pull"),
            new Refused(
                o -> o.withBalance(Balance.VIRTUAL_SPLIT).withDirection(Direction.AUTO),
                "balance has no effect with direction=auto"),
            new Refused(
                o ->
                    o.withPredecessors(Predecessors.WITH_DISTANCE)
                        .withBalance(Balance.HEAVY)
                        .withSync(Sync.TRANSACTIONAL),
                "balance=heavy needs sync=atomic or atomic-free"),
            new Refused(
                o -> o.withDegreeBound(5), "degree-bound=5 has no effect with balance=pieces"),
            new Refused(
                o -> o.withBalance(Balance.NONE).withDegreeBound(5),
                "degree-bound=5 has no effect with balance=none; leave it out, or use"
                    + " balance=split|virtual-split|heavy"),
            new Refused(
                o -> o.withBalance(Balance.SPLIT).withDegreeBound(-1), "degree-bound must be"),
            new Refused(
                o -> o.withDirection(Direction.PULL).withLocalRounds(0),
                "local-rounds=0 needs sync=atomic, drive=data"),
            new Refused(
                o -> o.withLengths(Lengths.WEIGHTS).withOrder(Order.BINS).withLocalRounds(8),
                "local-rounds=8 needs sync=atomic, drive=data"),
            new Refused(
                o -> o.withSync(Sync.TRANSACTIONAL),
                "sync=transactional needs predecessors=with-distance"),
            new Refused(
                o ->
                    o.withLengths(Lengths.WEIGHTS)
                        .withPredecessors(Predecessors.WITH_DISTANCE)
                        .withSync(Sync.ATOMIC_FREE),
                "sync=atomic-free with lengths=weights needs predecessors=afterwards"))) {
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> refused.change.apply(DEFAULTS));
      assertTrue(e.getMessage().startsWith(refused.message), e.getMessage());
    }
    // Pushing, of length 1: 3 kinds of predecessors by 2 of synchronization in 5 balances, and
    // transactions under 2 policies; by weights 1 less, and in 2 orders 3 each. Pulling: 3 kinds
    // of predecessors; by levels from both ends as many as pushing, in one balance.
    int unit = (6 * 5 + 2) + 3 + (6 * 5 + 2) + 3 + 8;
    int weights = (5 * 5 + 2) + 3 + (5 * 5 + 2) + 2 * (3 * 5 + 2);
    assertEquals(unit + weights, PathsVariants.all().size());
  }

  @Test
  void everyKernelHasAVariantThatRunsIt() {
    Set<String> run = new TreeSet<>();
    // A long search, and one in which it pays to look from below.
    for (String spec :
        List.of(
            "path:70,weights=0..3",
            "random:n=90,m=1500,weights=0..3",
            "path:70,weights=float:0..3",
            "path:9,weights=float:0..0",
            "random:n=90,m=1500,weights=float:0..3")) {
      DirectedGraph graph = GraphGenerators.parse(spec).generateDirected();
      try (ShortestPaths paths = new ShortestPaths(PathsVariants.device("sim:0:32"), graph)) {
        for (PathsOptions options : PathsVariants.all()) {
          if (graph.weightType() == WeightType.FLOAT && packs(options)) {
            continue; // refused
          }
          // By default warps of a GPU alone go on by themselves, and they leave none to the others.
          for (PathsOptions each :
              options.mayGoOn()
                  ? List.of(options.withLocalRounds(0), options.withLocalRounds(3))
                  : List.of(options)) {
            paths.run(graph.neighbors()[0], each).report().orElseThrow().phases().stream()
                .map(Phase::name)
                .forEach(run::add);
          }
        }
      }
    }
    assertEquals(
        Set.of(
            "copy_distances",
            "count_buckets",
            "count_children",
            "count_degrees",
            "count_ranges",
            "count_ranges_float",
            "cut_vertices",
            "extend_predecessors",
            "extend_predecessors_float",
            "find_far_least",
            "find_predecessors",
            "find_predecessors_float",
            "find_slack",
            "find_slack_float",
            "largest_degree",
            "largest_in_buckets",
            "list_due",
            "list_taken",
            "measure_degrees",
            "propose_arcs",
            "propose_arcs_float",
            "pull_all",
            "pull_all_float",
            "pull_level",
            "relax_atomic",
            "relax_atomic_float",
            "relax_heavy_atomic",
            "relax_heavy_atomic_float",
            "relax_heavy_stores",
            "relax_heavy_stores_float",
            "relax_lanes_atomic",
            "relax_lanes_atomic_float",
            "relax_lanes_stores",
            "relax_lanes_stores_float",
            "relax_split_atomic",
            "relax_split_atomic_float",
            "relax_split_stores",
            "relax_split_stores_float",
            "relax_stores",
            "relax_stores_float",
            "relax_virtual_atomic",
            "relax_virtual_atomic_float",
            "relax_virtual_stores",
            "relax_virtual_stores_float",
            "scan_children",
            "search_atomic",
            "search_atomic_float",
            "search_local",
            "search_local_float",
            "search_stores",
            "search_stores_float",
            "sort_ranges",
            "sort_ranges_float",
            "split_far",
            "take_offer"),
        run);
  }

  /** Whether distances by weights share words with predecessors. */
  private static boolean packs(PathsOptions options) {
    return options.lengths() == Lengths.WEIGHTS
        && options.predecessors() == Predecessors.WITH_DISTANCE
        && options.sync() != Sync.TRANSACTIONAL;
  }

  private static List<PathsOptions> ofFloats() {
    return PathsVariants.all().stream()
        .filter(options -> options.lengths() == Lengths.WEIGHTS && !packs(options))
        .toList();
  }

  /** Sums as doubles: in the order of the path, and larger than any float. */
  @Test
  void sumsOfFloatsAreDoubles() {
    float most = Float.MAX_VALUE;
    DirectedGraph graph =
        new GraphBuilder(6, WeightType.FLOAT)
            .addArc(0, 1, 0.1f)
            .addArc(1, 2, 0.2f)
            .addArc(2, 3, most)
            .addArc(3, 4, most)
            .buildDirected();
    double near = (double) 0.1f + (double) 0.2f;
    double[] right = {0, 0.1f, near, near + most, near + most + most, Double.POSITIVE_INFINITY};
    for (PathsOptions options : ofFloats()) {
      PathsResult result = ShortestPaths.run(cpu(), graph, 0, options);
      assertArrayEquals(right, result.doubleDistances(), 0, options::toString);
      assertEquals(2.0 * most, result.exactFarthest());
      assertEquals((double) 0.1f, result.exactDistance(1));
      assertEquals(Double.POSITIVE_INFINITY, result.exactDistance(5));
      assertEquals(5, result.reached());
      assertThrows(IllegalStateException.class, result::distances);
      assertThrows(IllegalStateException.class, result::farthest);
    }
    PathsResult hops = ShortestPaths.run(cpu(), graph, 0, DEFAULTS);
    assertArrayEquals(new long[] {0, 1, 2, 3, 4, -1}, hops.distances());
    assertEquals(-1L, hops.exactDistance(5));
    assertThrows(IllegalStateException.class, hops::doubleDistances);
  }

  /** Beside 2^60 an arc of a thousandth is none: both directions are tight between 1 and 2. */
  @ParameterizedTest
  @MethodSource("devices")
  void arcsTooShortToCountMakeNoCycle(String device) {
    DirectedGraph graph =
        new GraphBuilder(4, WeightType.FLOAT)
            .addArc(2, 1, 1e-3f)
            .addArc(0, 3, 0x1p60f)
            .addArc(1, 2, 1e-3f)
            .addArc(3, 1, 1e-3f)
            .addArc(1, 3, 0f)
            .buildDirected();
    for (PathsOptions options : ofFloats()) {
      PathsResult result = ShortestPaths.run(PathsVariants.device(device), graph, 0, options);
      assertEquals(List.of(), PathsVerifier.verify(result), options::toString);
      assertArrayEquals(new double[] {0, 0x1p60, 0x1p60, 0x1p60}, result.doubleDistances());
      if (options.predecessors() != Predecessors.NONE) {
        assertArrayEquals(new int[] {0, 3, 1, 0}, result.predecessors().orElseThrow());
      }
    }
  }

  /** Levels among distances are looked for where there may be some, and not elsewhere. */
  @ParameterizedTest
  @CsvSource({"1, false", "0, true", "1e-7, false", "1e-16, true", "2.2204460492503131e-16, true"})
  void shortArcsThatMayBeLevel(float shortest, boolean level) {
    DirectedGraph graph =
        new GraphBuilder(3, WeightType.FLOAT)
            .addArc(0, 1, 2f)
            .addArc(1, 2, shortest)
            .buildDirected();
    assertEquals(level, FloatSums.of(graph).mayBeLevel());
    PathsReport report = ShortestPaths.run(cpu(), graph, 0, WEIGHTS).report().orElseThrow();
    assertEquals(
        level,
        report.phases().stream().anyMatch(each -> each.name().equals("extend_predecessors_float")));
  }

  @Test
  void aWidthWithAFractionIsForFloats() {
    PathsOptions half = WEIGHTS.withOrder(Order.BINS).withDelta(0.5);
    DeltaRangeException e =
        assertThrows(DeltaRangeException.class, () -> ShortestPaths.run(cpu(), small(), 0, half));
    assertEquals(
        "delta=0.5 is for float weights; these are ints, for which it must be a whole number up to"
            + " 2147483647",
        e.getMessage());
    assertThrows(
        DeltaRangeException.class,
        () -> ShortestPaths.run(cpu(), small(), 0, half.withDelta(0x1p31)));
    DirectedGraph floats = GraphGenerators.parse("grid:5,weights=float:0..1").generateDirected();
    assertEquals(0.5, ShortestPaths.run(cpu(), floats, 0, half).report().orElseThrow().delta());
  }

  /** The mean weight is 1/4, and the mean degree 4 at most; a width below all sums is raised. */
  @Test
  void widthsForFloats() {
    DirectedGraph graph =
        GraphGenerators.parse("grid:20,weights=float:0.25..0.25").generateDirected();
    PathsOptions bins = WEIGHTS.withOrder(Order.BINS);
    double degree = graph.arcs() / 400.0;
    assertEquals(
        32 * 0.25 / degree,
        ShortestPaths.run(cpu(), graph, 0, bins).report().orElseThrow().delta(),
        1e-12);
    PathsResult narrow = ShortestPaths.run(cpu(), graph, 0, bins.withDelta(Double.MIN_VALUE));
    double width = narrow.report().orElseThrow().delta();
    assertTrue(width >= 400 * 0.25 * 0x1p-50 && width < 0x1p-40, () -> "width " + width);
    assertEquals(List.of(), PathsVerifier.verify(narrow, PathsReference.dijkstra(graph, 0)));
  }

  @Test
  void floatsDoNotFitBesidePredecessors() {
    DirectedGraph graph = GraphGenerators.parse("grid:3,weights=float:0..1").generateDirected();
    PathsOptions packed = WEIGHTS.withPredecessors(Predecessors.WITH_DISTANCE);
    DistanceRangeException e =
        assertThrows(
            DistanceRangeException.class, () -> ShortestPaths.run(cpu(), graph, 0, packed));
    assertTrue(e.getMessage().contains("sums of float weights are doubles"), e.getMessage());
    PathsResult byArcs =
        ShortestPaths.run(cpu(), graph, 0, DEFAULTS.withPredecessors(Predecessors.WITH_DISTANCE));
    assertEquals(List.of(), PathsVerifier.verify(byArcs));
  }

  /** Levels that are looked for from below cost fewer accesses to memory, or it is of no use. */
  @Test
  void aWideFrontierIsLookedForFromBelow() {
    Device sim = PathsVariants.device("sim:1:4");
    DirectedGraph graph =
        GraphGenerators.parse("random:n=1500,m=30000,weights=none").generateDirected();
    PathsOptions options = DEFAULTS.withPredecessors(Predecessors.NONE);
    PathsReport auto;
    PathsReport push;
    sim.simulator().setSchedule(Schedule.roundRobin());
    sim.simulator().setCounting(true);
    try {
      auto =
          ShortestPaths.run(sim, graph, 0, options.withDirection(Direction.AUTO))
              .report()
              .orElseThrow();
      push = ShortestPaths.run(sim, graph, 0, options).report().orElseThrow();
    } finally {
      sim.simulator().setCounting(false);
      sim.simulator().setSchedule(null);
    }
    assertTrue(auto.pulled() > 0 && auto.pulled() < auto.rounds(), auto::toString);
    assertEquals(0, push.pulled());
    assertEquals(push.rounds(), auto.rounds());
    long pushed = accesses(push);
    long mixed = accesses(auto);
    assertTrue(0 < mixed && mixed < pushed / 2, mixed + " and " + pushed + " accesses");
  }

  /**
   * Of a path, whose frontiers are narrow, none is, and none at its end, where they fan out over
   * the few arcs that are left: all vertices would be asked.
   */
  @ParameterizedTest
  @EnumSource(
      value = Sync.class,
      names = {"ATOMIC", "TRANSACTIONAL"})
  void aNarrowFrontierIsNotLookedForFromBelow(Sync sync) {
    int length = 500;
    int leaves = 20;
    GraphBuilder builder = new GraphBuilder(length + leaves, true);
    for (int v = 1; v < length; v++) {
      builder.addArc(v - 1, v, 1).addArc(v, v - 1, 1);
    }
    for (int leaf = length; leaf < length + leaves; leaf++) {
      builder.addArc(length - 1, leaf, 1).addArc(leaf, length - 1, 1);
    }
    PathsOptions options =
        DEFAULTS
            .withDirection(Direction.AUTO)
            .withPredecessors(Predecessors.WITH_DISTANCE)
            .withSync(sync);
    PathsReport report =
        ShortestPaths.run(cpu(), builder.buildDirected(), 0, options).report().orElseThrow();
    assertEquals(0, report.pulled());
    assertEquals(length + 1, report.rounds());
  }

  /** As far as the threads that help are there; one has nobody to wait for. */
  @ParameterizedTest
  @ValueSource(strings = {"cpu:1", "cpu:2", "cpu:4"})
  void roundsShareALaunchOnProcessors(String spec) {
    Device device = PathsVariants.device(spec);
    // Frontiers for one thread, and for all.
    for (String graphSpec :
        List.of("grid:150,weights=1..30", "random:n=20k,m=100k,weights=1..30")) {
      DirectedGraph graph = GraphGenerators.parse(graphSpec).generateDirected();
      for (PathsOptions options :
          List.of(
              DEFAULTS,
              DEFAULTS.withDirection(Direction.AUTO),
              DEFAULTS.withSync(Sync.ATOMIC_FREE),
              WEIGHTS,
              WEIGHTS.withOrder(Order.NEAR_FAR).withDelta(20),
              WEIGHTS.withSync(Sync.ATOMIC_FREE))) {
        PathsResult result = ShortestPaths.run(device, graph, 0, options);
        assertEquals(
            List.of(),
            PathsVerifier.verify(result, PathsReference.run(graph, 0, options.lengths())),
            options::toString);
        PathsReport report = result.report().orElseThrow();
        assertTrue(report.rounds() > 3, report::toString);
        if (spec.equals("cpu:1")) {
          int launches =
              report.phases().stream()
                  .filter(phase -> phase.name().startsWith("search"))
                  .mapToInt(Phase::launches)
                  .sum();
          assertEquals(1, launches, report::toString);
        }
      }
    }
  }

  /**
   * In a complete graph the first arc that enters a vertex is from the source: others are spared.
   */
  @Test
  void lookingFromBelowEndsAtTheFirstArcThatWillDo() {
    Device sim = PathsVariants.device("sim:1:4");
    DirectedGraph graph = GraphGenerators.parse("complete:200,weights=none").generateDirected();
    PathsReport pull;
    sim.simulator().setSchedule(Schedule.roundRobin());
    sim.simulator().setCounting(true);
    try {
      pull =
          ShortestPaths.run(
                  sim,
                  graph,
                  0,
                  DEFAULTS.withDirection(Direction.PULL).withPredecessors(Predecessors.NONE))
              .report()
              .orElseThrow();
    } finally {
      sim.simulator().setCounting(false);
      sim.simulator().setSchedule(null);
    }
    long accesses = accesses(pull);
    // To have looked at it, each vertex accesses its word, its offsets and that arc, and lists.
    assertTrue(
        4 * graph.vertices() < accesses && accesses < 25 * graph.vertices(),
        accesses + " accesses, arcs: " + graph.arcs());
  }

  private static long accesses(PathsReport report) {
    return report.phases().stream().mapToLong(phase -> phase.accesses().work()).sum();
  }

  /** What the order is for: fewer distances that do not last. */
  @Test
  void nearFirstRelaxesLess() {
    DirectedGraph graph = GraphGenerators.parse("grid:60,weights=1..1000").generateDirected();
    Device one = PathsVariants.device("sim:1:1"); // in turn, so that numbers are always the same
    PathsResult none = ShortestPaths.run(one, graph, 0, WEIGHTS);
    for (Order order : List.of(Order.NEAR_FAR, Order.BINS)) {
      PathsResult near = ShortestPaths.run(one, graph, 0, WEIGHTS.withOrder(order));
      assertArrayEquals(none.distances(), near.distances());
      assertTrue(
          near.report().orElseThrow().arcs() < none.report().orElseThrow().arcs(),
          () -> near.report() + " and " + none.report());
    }
  }

  /** With ranges of one distance, and no arcs within a range, each vertex relaxes once. */
  @ParameterizedTest
  @MethodSource("devices")
  void binsOfOneDistanceAreDijkstrasAlgorithm(String device) {
    for (String spec :
        List.of(
            "random:n=300,m=1800,directed,weights=1..9",
            "random:n=300,m=1800,directed,weights=100..90000",
            "grid:12,weights=1..1000")) {
      DirectedGraph graph = GraphGenerators.parse(spec).generateDirected();
      PathsResult result =
          ShortestPaths.run(
              PathsVariants.device(device),
              graph,
              0,
              WEIGHTS.withOrder(Order.BINS).withDelta(1).withPredecessors(Predecessors.NONE));
      assertEquals(
          List.of(), PathsVerifier.verify(result, PathsReference.run(graph, 0, Lengths.WEIGHTS)));
      long arcs = 0;
      for (int v = 0; v < graph.vertices(); v++) {
        arcs += result.distances()[v] >= 0 ? graph.outDegree(v) : 0;
      }
      PathsReport report = result.report().orElseThrow();
      assertEquals(arcs, report.arcs(), report::toString);
      assertEquals(1, report.delta());
      // A round for each distance that a vertex with arcs has.
      long distances =
          IntStream.range(0, graph.vertices())
              .filter(v -> result.distances()[v] >= 0 && graph.outDegree(v) > 0)
              .mapToLong(v -> result.distances()[v])
              .distinct()
              .count();
      assertEquals(distances, report.rounds(), report::toString);
    }
  }

  /** One range that has all distances is no order. */
  @Test
  void oneRangeForAllIsNoOrder() {
    DirectedGraph graph = GraphGenerators.parse("grid:30,weights=1..1000").generateDirected();
    Device one = PathsVariants.device("cpu:1"); // in turn, so that numbers are always the same
    PathsReport none = ShortestPaths.run(one, graph, 0, WEIGHTS).report().orElseThrow();
    PathsReport bins =
        ShortestPaths.run(one, graph, 0, WEIGHTS.withOrder(Order.BINS).withDelta(1 << 30))
            .report()
            .orElseThrow();
    assertEquals(none.rounds(), bins.rounds());
    assertEquals(none.relaxations(), bins.relaxations());
    assertEquals(none.arcs(), bins.arcs());
    assertEquals(0, none.delta());
  }

  /** In long searches, where distances of levels may fall more than once. */
  @ParameterizedTest
  @ValueSource(strings = {"path:200,weights=0..9", "grid:24,weights=float:0..1", "road:700"})
  void warpsThatGoOnByThemselvesMissNothing(String spec) {
    DirectedGraph graph = GraphGenerators.parse(spec).generateDirected();
    List<PathsOptions> searches =
        List.of(
            DEFAULTS,
            DEFAULTS.withDirection(Direction.AUTO).withPredecessors(Predecessors.WITH_DISTANCE),
            WEIGHTS.withPredecessors(
                spec.contains("float") ? Predecessors.AFTERWARDS : Predecessors.WITH_DISTANCE),
            WEIGHTS.withOrder(Order.NEAR_FAR));
    for (String device : List.of("sim:1:4", "sim:0:32")) {
      try (ShortestPaths paths = new ShortestPaths(PathsVariants.device(device), graph)) {
        for (PathsOptions options : searches) {
          PathsResult reference = PathsReference.run(graph, 0, options.lengths());
          PathsReport before = null;
          for (int rounds : List.of(0, 1, 40)) {
            PathsResult result = paths.run(0, options.withLocalRounds(rounds));
            String by = device + ", " + options + ", " + rounds;
            assertEquals(List.of(), PathsVerifier.verify(result, reference), by);
            PathsReport report = result.report().orElseThrow();
            assertEquals(rounds, report.localRounds(), by);
            if (before != null && (spec.startsWith("path") || device.endsWith("32"))) {
              assertTrue(report.rounds() < before.rounds(), by + ": " + report);
            }
            if (before != null && spec.startsWith("path") && options.order() == Order.NONE) {
              assertEquals(before.arcs(), report.arcs(), by); // each arc once, whoever relaxes it
            }
            before = report;
          }
        }
      }
    }
  }

  /** By levels, pushing. */
  @Test
  void searchesThatAreShortOrHaveHubsDoNotGoOn() {
    Device device = PathsVariants.device("sim:0:32");
    PathsOptions options = DEFAULTS.withLocalRounds(4);
    for (String spec : List.of("path:32", "star:n=200", "grid:10")) {
      PathsReport report = report(device, spec, options);
      assertEquals(0, report.localRounds(), spec);
      assertEquals(Set.of("search_atomic"), searches(report), spec);
    }
    PathsReport report = report(device, "path:34", options);
    assertEquals(Set.of("search_atomic", "search_local"), searches(report));
    for (boolean each : List.of(true, false)) { // whether each launch is waited for
      report = report(device, "path:34", options.withPhaseTimes(each));
      assertEquals(4, report.localRounds());
      assertEquals(33, report.rounds(), "32, and one in which warps went on to the end");
    }
  }

  /** Those without any do not make a search less dense. */
  @Test
  void meansAreOfVerticesThatHaveArcs() {
    GraphBuilder builder = new GraphBuilder(10, true);
    builder.addArc(0, 1, 1);
    builder.addArc(0, 2, 1);
    builder.addArc(0, 3, 1);
    builder.addArc(7, 3, 1);
    DeviceMemory memory = new DeviceMemory(PathsVariants.device("cpu:1"));
    try (DeviceGraph graph = new DeviceGraph(memory, builder.buildDirected())) {
      graph.require(false, false);
      assertEquals(2, graph.meanArcs());
      assertEquals(3, graph.mostArcs());
    }
    try (DeviceGraph graph = new DeviceGraph(memory, new GraphBuilder(2, true).buildDirected())) {
      graph.require(false, false);
      assertEquals(0, graph.meanArcs());
      assertEquals(0, graph.mostArcs());
    }
  }

  private static PathsReport report(Device device, String spec, PathsOptions options) {
    DirectedGraph graph = GraphGenerators.parse(spec).generateDirected();
    return ShortestPaths.run(device, graph, 0, options).report().orElseThrow();
  }

  private static Set<String> searches(PathsReport report) {
    return report.phases().stream()
        .map(Phase::name)
        .filter(name -> name.startsWith("search"))
        .collect(Collectors.toSet());
  }

  /** A path before a random graph, in which it pays to look from below after 40 rounds. */
  @Test
  void searchesFromBothEndsKeepLevelsWithManyArcs() {
    int path = 40;
    int vertices = 1000;
    DirectedGraph random = GraphGenerators.parse("random:n=1000,m=9000").generateDirected();
    GraphBuilder builder = new GraphBuilder(path + vertices, true);
    for (int v = 0; v < path; v++) {
      builder.addArc(v, v + 1, 1);
    }
    for (int v = 0; v < vertices; v++) {
      for (int a = random.offsets()[v]; a < random.offsets()[v + 1]; a++) {
        builder.addArc(path + v, path + random.neighbors()[a], 1);
      }
    }
    DirectedGraph graph = builder.buildDirected();
    PathsOptions auto = DEFAULTS.withDirection(Direction.AUTO);
    Device device = PathsVariants.device("sim:0:32");
    PathsReport levels = ShortestPaths.run(device, graph, 0, auto).report().orElseThrow();
    assertTrue(levels.pulled() > 0, levels::toString);
    PathsReport local =
        ShortestPaths.run(device, graph, 0, auto.withLocalRounds(16)).report().orElseThrow();
    assertEquals(0, local.pulled(), "asked for, warps only push in a long search");
    assertTrue(local.arcs() > 2 * levels.arcs(), local::toString);
    for (Machine machine : Machine.values()) {
      int most = machine == Machine.CUDA ? 16 : 0;
      assertEquals(most, SearchSteps.localRounds(machine, Direction.PUSH, 1000));
      assertEquals(most, SearchSteps.localRounds(machine, Direction.AUTO, 8));
      assertEquals(0, SearchSteps.localRounds(machine, Direction.AUTO, 8.1));
      assertEquals(0, SearchSteps.localRounds(machine, Direction.PULL, 1));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"cpu:4", "cpu-checked:2", "sim:1:1"})
  void warpsOfOneLaneDoNotGoOn(String spec) {
    Device device = PathsVariants.device(TestDevices.compiled(spec));
    LocalRoundsException e =
        assertThrows(
            LocalRoundsException.class,
            () -> ShortestPaths.run(device, small(), 0, DEFAULTS.withLocalRounds(16)));
    assertEquals(
        "local-rounds=16 is for devices whose warps have several lanes, and those of "
            + device.description().spec()
            + " have one; leave it out, or use 0",
        e.getMessage());
    PathsResult without = ShortestPaths.run(device, small(), 0, DEFAULTS.withLocalRounds(0));
    assertEquals(0, without.report().orElseThrow().localRounds());
  }

  /** What a launch lists, in which distances fall twice, by warps that have no room for all. */
  @Test
  void warpsThatGoOnListNoVertexTwice() {
    int shared = 12;
    GraphBuilder builder = new GraphBuilder(2 + 2 * shared, true);
    for (int v = 0; v < shared; v++) {
      builder.addArc(0, 2 + v, 1).addArc(1, 2 + v, 1).addArc(2 + v, 2 + shared + v, 1);
    }
    DirectedGraph graph = builder.buildDirected();
    Device device = PathsVariants.device("sim:2:4");
    int again = 0;
    try (KernelModule module = device.load(DeviceGraph.MODULE)) {
      for (int seed = 0; seed < 40; seed++) {
        device.simulator().setSchedule(Schedule.randomWalk(seed));
        Listed launch = listedByOneLaunch(device, module, graph);
        List<Integer> listed = launch.vertices;
        assertEquals(new HashSet<>(listed).size(), listed.size(), () -> "twice: " + listed);
        again += launch.again ? 1 : 0;
      }
    } finally {
      device.simulator().setSchedule(null);
    }
    assertTrue(again > 10, again + " of 40 schedules let a distance fall twice");
  }

  /**
   * @param vertices in the list that a launch appended
   * @param again whether a distance fell twice in it
   */
  private record Listed(List<Integer> vertices, boolean again) {}

  /** Vertices 0 and 1 are the frontier, one for each of two warps, at distances 9 and 5. */
  private static Listed listedByOneLaunch(Device device, KernelModule module, DirectedGraph graph) {
    int n = graph.vertices();
    int records = module.intConstant("records");
    int words = module.intConstant("record_words");
    int size = module.intConstant("record_size");
    long[] start = new long[module.intConstant("total_count")];
    int[] offsets = graph.offsets();
    start[records + size] = 2L << 32 | offsets[2];
    start[records + module.intConstant("record_done")] = module.intConstant("task_push");
    start[records + module.intConstant("record_least")] = -1;
    start[records + module.intConstant("record_threshold")] = -1;
    long[] distances = new long[n];
    Arrays.fill(distances, -1);
    distances[0] = 9;
    distances[1] = 5;
    List<DeviceArray<?>> held = new ArrayList<>();
    try {
      DeviceArray<long[]> word = held(held, device.copyOf(distances));
      DeviceArray<int[]> list = held(held, device.ints(n + 1));
      DeviceArray<int[]> starts = held(held, device.ints(n + 1));
      DeviceArray<int[]> next = held(held, device.ints(2 * n));
      DeviceArray<int[]> nextStarts = held(held, device.ints(2 * n));
      DeviceArray<int[]> unused = held(held, device.ints(n + 1));
      DeviceArray<int[]> stamps = held(held, device.ints(n));
      DeviceArray<byte[]> marks = held(held, device.bytes(n));
      DeviceArray<long[]> totals = held(held, device.copyOf(start));
      list.set(1, 1);
      starts.set(1, offsets[1]);
      starts.set(2, offsets[2]);
      DeviceArray<int[]> arcs = held(held, device.copyOf(offsets));
      DeviceArray<int[]> neighbors = held(held, device.copyOf(graph.neighbors()));
      DeviceArray<int[]> weights = held(held, device.copyOf(graph.weights()));
      Fields entering =
          new Fields()
              .set("vertices", 0)
              .set("weighted", 0)
              .set("offsets", arcs)
              .set("neighbors", neighbors)
              .set("weights", weights);
      Fields search =
          new Fields()
              .set("vertex_count", n)
              .set("weighted", 0)
              .set("looks", module.intConstant("direction_push"))
              .set("slack", 0)
              .set("once", 1)
              .set("together", 1)
              .set("most_pieces", 2)
              .set("least_piece", 1)
              .set("local_rounds", 1)
              .set("delta", 0L)
              .set("offsets", arcs)
              .set("neighbors", neighbors)
              .set("weights", weights)
              .set(
                  "below",
                  new Fields()
                      .set("entering", entering)
                      .set("marks", new Fields().set("mark", marks)))
              .set("vertices", new Fields().set("word", word).set("shift", 0L))
              .set("list", list)
              .set("starts", starts)
              .set("next_list", next)
              .set("next_starts", nextStarts)
              .set("far", unused)
              .set("next_far", unused)
              .set("stamp", stamps)
              .set("in_far", unused)
              .set("totals", totals);
      module.kernel("search_local").run(8, new Fields().set("turn", 0).set("in", search));
      int count = (int) (totals.getLong(records + words + size) >>> 32);
      long fallen = Arrays.stream(word.toArray()).filter(d -> d != -1).count() - 2;
      return new Listed(
          Arrays.stream(next.toArray()).limit(count).boxed().toList(),
          totals.getLong(module.intConstant("relaxed")) > fallen);
    } finally {
      held.forEach(DeviceArray::close);
    }
  }

  private static <T extends DeviceArray<?>> T held(List<DeviceArray<?>> all, T array) {
    all.add(array);
    return array;
  }

  @Test
  void transactionsAreCounted() {
    DirectedGraph graph =
        GraphGenerators.parse("random:n=500,m=4000,directed,weights=1..50").generateDirected();
    PathsReport report = ShortestPaths.run(cpu(), graph, 0, TRANSACTIONS).report().orElseThrow();
    assertTrue(report.rounds() > 1, report::toString);
    assertEquals(1, report.transactions().size(), "all rounds together");
    long commits = report.transactions().get(0).commits();
    assertTrue(commits >= 499, report::toString);
    assertEquals(commits, report.relaxations());
    assertTrue(report.toString().contains("take_offer"), report.toString());
    assertFalse(report.toString().contains("relax_atomic"), report.toString());
  }

  /** Those that algorithms offer. */
  static List<Policy> policies() {
    return TransactionSettings.POLICY.all();
  }

  @Tag("slow") // the module is compiled for each of them
  @ParameterizedTest
  @MethodSource("policies")
  void everyPolicyWillDo(Policy policy) {
    DirectedGraph graph =
        GraphGenerators.parse("random:n=90,m=700,directed,weights=0..9").generateDirected();
    PathsResult reference = PathsReference.run(graph, 0, Lengths.WEIGHTS);
    for (String device : List.of("cpu:4", "sim:1:4")) {
      PathsOptions options =
          TRANSACTIONS.withStm(
              TRANSACTIONS.stm().withPolicy(policy).withTimeout(Duration.ofSeconds(60)));
      PathsResult result = ShortestPaths.run(PathsVariants.device(device), graph, 0, options);
      assertEquals(List.of(), PathsVerifier.verify(result, reference), device);
      assertEquals(policy, result.report().orElseThrow().transactions().get(0).options().policy());
    }
  }

  /** A word has 32 bits for a distance, of which the highest number stands for none. */
  @Test
  void distancesThatJustFitBesidePredecessors() {
    int most = Integer.MAX_VALUE;
    DirectedGraph line =
        new GraphBuilder(4, true)
            .addArc(0, 1, most)
            .addArc(1, 2, most)
            .addArc(2, 3, 0)
            .buildDirected();
    DirectedGraph longer =
        new GraphBuilder(4, true)
            .addArc(0, 1, most)
            .addArc(1, 2, most)
            .addArc(2, 3, 1)
            .buildDirected();
    for (PathsOptions options :
        List.of(
            WEIGHTS,
            WEIGHTS.withOrder(Order.NEAR_FAR),
            WEIGHTS.withOrder(Order.BINS),
            WEIGHTS.withDrive(Drive.TOPOLOGY).withDirection(Direction.PULL))) {
      PathsOptions packed = options.withPredecessors(Predecessors.WITH_DISTANCE);
      PathsResult farthest = ShortestPaths.run(cpu(), line, 0, packed);
      assertArrayEquals(
          new long[] {0, most, 0xfffffffeL, 0xfffffffeL}, farthest.distances(), packed::toString);
      assertArrayEquals(new int[] {0, 0, 1, 2}, farthest.predecessors().orElseThrow());
      DistanceRangeException e =
          assertThrows(
              DistanceRangeException.class, () -> ShortestPaths.run(cpu(), longer, 0, packed));
      assertTrue(e.getMessage().contains("may add up to 4294967295; use"), e.getMessage());
    }
    assertEquals(0xffffffffL, ShortestPaths.run(cpu(), longer, 0, TRANSACTIONS).farthest());
  }

  /** Refuses one allocation. */
  private static final class ScarceMemory extends DeviceMemory {
    /** Allocations before the one that fails. */
    private int left = -1;

    ScarceMemory(Device device) {
      super(device);
    }

    private void take(String what) {
      if (left-- == 0) {
        throw new DeviceOutOfMemoryException(what, device().description().spec(), 1, 0);
      }
    }

    @Override
    public DeviceArray<byte[]> bytes(long length) {
      take("byte array");
      return super.bytes(length);
    }

    @Override
    public DeviceArray<int[]> ints(long length) {
      take("int array");
      return super.ints(length);
    }

    @Override
    public DeviceArray<long[]> longs(long length) {
      take("long array");
      return super.longs(length);
    }

    @Override
    public DeviceArray<int[]> copyOf(int... values) {
      take("copy");
      return super.copyOf(values);
    }

    @Override
    public StmObjects objects(long count) {
      take("objects");
      return super.objects(count);
    }
  }

  static List<PathsOptions> allocating() {
    return List.of(
        DEFAULTS.withDirection(Direction.AUTO),
        WEIGHTS.withOrder(Order.NEAR_FAR),
        WEIGHTS.withOrder(Order.BINS),
        WEIGHTS.withOrder(Order.BINS).withDelta(1),
        WEIGHTS.withDrive(Drive.TOPOLOGY).withDirection(Direction.PULL),
        WEIGHTS.withBalance(Balance.SPLIT),
        WEIGHTS.withBalance(Balance.VIRTUAL_SPLIT),
        WEIGHTS.withBalance(Balance.HEAVY),
        WEIGHTS.withBalance(Balance.HEAVY).withDegreeBound(4),
        TRANSACTIONS);
  }

  /** Whichever allocation fails, nothing is lost by it, and the next computation is right. */
  @ParameterizedTest
  @MethodSource("allocating")
  void runsAfterAnAllocationFailed(PathsOptions options) {
    Device device = PathsVariants.device("cpu:1"); // frontiers grow in the same way every time
    DirectedGraph graph =
        GraphGenerators.parse("random:n=60,m=300,directed,weights=0..9").generateDirected();
    PathsResult reference = PathsReference.run(graph, 0, options.lengths());
    ScarceMemory ample = new ScarceMemory(device);
    long expected;
    try (ShortestPaths paths = new ShortestPaths(ample, graph)) {
      paths.run(0, options);
      expected = ample.held();
    }
    assertEquals(0, ample.held());
    int failures = 0;
    for (int allowed = 0, before = -1; failures != before; allowed++) {
      before = failures;
      ScarceMemory memory = new ScarceMemory(device);
      memory.left = allowed;
      try (ShortestPaths paths = new ShortestPaths(memory, graph)) {
        try {
          paths.run(0, options);
        } catch (DeviceOutOfMemoryException e) {
          failures++;
        }
        PathsResult result = paths.run(0, options);
        assertEquals(List.of(), PathsVerifier.verify(result, reference));
        assertEquals(expected, memory.held(), "after failure " + allowed);
      } catch (DeviceOutOfMemoryException e) {
        failures++;
      }
      assertEquals(0, memory.held(), "after failure " + allowed);
    }
    assertTrue(failures > 8, () -> "only a few allocations");
  }

  /** All offers to one vertex meet, and one attempt each is not enough. */
  @Test
  void runsAfterTransactionsDidNotFinish() {
    int leaves = 40;
    GraphBuilder builder = new GraphBuilder(leaves + 2, true);
    for (int v = 1; v <= leaves; v++) {
      builder.addArc(0, v, 1).addArc(v, leaves + 1, leaves + 1 - v);
    }
    DirectedGraph graph = builder.buildDirected();
    Device device = PathsVariants.device("sim:1:32");
    PathsOptions hasty =
        TRANSACTIONS.withStm(
            TRANSACTIONS.stm().withPolicy(Policy.PRIORITY_RULE).withMaxAttempts(1));
    try (ShortestPaths paths = new ShortestPaths(device, graph)) {
      for (int repeat = 0; repeat < 2; repeat++) {
        UnfinishedItemsException e =
            assertThrows(UnfinishedItemsException.class, () -> paths.run(0, hasty));
        assertTrue(e.report().unfinishedByAttempts() > 0, e.getMessage());
        PathsResult result = paths.run(0, TRANSACTIONS);
        assertEquals(
            List.of(), PathsVerifier.verify(result, PathsReference.run(graph, 0, Lengths.WEIGHTS)));
        assertEquals(2, result.distances()[leaves + 1]);
        assertEquals(leaves, result.predecessors().orElseThrow()[leaves + 1]);
      }
    }
  }

  /**
   * Distance and predecessor by two stores of a thread, between which others may come: some
   * schedule leaves a vertex with the distance of one offer and the predecessor of another.
   */
  @ParameterizedTest
  @Tag("slow")
  @ValueSource(strings = {"1..6", "float:0.1..0.6"})
  void twoStoresInPlaceOfATransactionAreNoticed(String weights) {
    DirectedGraph graph =
        GraphGenerators.parse("random:n=24,m=140,directed,weights=" + weights).generateDirected();
    try (Device faulty = Device.open("sim:1:4")) {
      faulty.define(DeviceGraph.MODULE, Map.of("MAGPIE_PATHS_TWO_STORES", "1"));
      Device right = PathsVariants.device("sim:1:4");
      int noticed = 0;
      try {
        for (int seed = 0; seed < 60; seed++) {
          faulty.simulator().setSchedule(Schedule.randomWalk(seed));
          right.simulator().setSchedule(Schedule.randomWalk(seed));
          List<String> wrong =
              PathsVerifier.verify(ShortestPaths.run(faulty, graph, seed % 24, TRANSACTIONS));
          noticed += wrong.isEmpty() ? 0 : 1;
          assertTrue(
              wrong.stream().allMatch(each -> each.contains("predecessor")), wrong::toString);
          assertEquals(
              List.of(),
              PathsVerifier.verify(ShortestPaths.run(right, graph, seed % 24, TRANSACTIONS)));
        }
      } finally {
        right.simulator().setSchedule(null);
      }
      assertTrue(noticed > 0);
    }
  }
}
