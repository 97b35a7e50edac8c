package io.magpie.algorithms.paths;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.Schedules;
import io.magpie.algorithms.TestDevices;
import io.magpie.algorithms.graph.DirectedGraph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.algorithms.paths.PathsOptions.Balance;
import io.magpie.algorithms.paths.PathsOptions.Lengths;
import io.magpie.algorithms.paths.PathsOptions.Predecessors;
import io.magpie.stm.Device;
import io.magpie.stm.simulator.Schedule;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tuple;

/** Every variant on every device finds shortest paths in any graph. */
class PathsProperties {
  private static final String[] WEIGHTS = {
    "0..1",
    "1..3",
    "7..7",
    "0..0",
    "1..1000000",
    "2147483646..2147483647",
    "none",
    "float:0..1",
    "float:0..0",
    "float:0.1..0.1",
    "float:0..1e-44",
    "float:1e-38..3e38",
    "float:3.4028235e38..3.4028235e38"
  };

  @Property(tries = 400, shrinking = ShrinkingMode.BOUNDED)
  void generatedGraphs(
      @ForAll("specs") String spec,
      @ForAll int source,
      @ForAll("variants") PathsOptions options,
      @ForAll("devices") String device) {
    check(GraphGenerators.parse(spec).generateDirected(), source, options, device);
  }

  @Property(tries = 660, shrinking = ShrinkingMode.BOUNDED)
  void arbitraryMultigraphs(
      @ForAll("multigraphs") DirectedGraph graph,
      @ForAll int source,
      @ForAll("variants") PathsOptions options,
      @ForAll("devices") String device) {
    check(graph, source, options, device);
  }

  /** Nodes have any number of arcs from 1 to the largest degree, under any schedule. */
  @Property(tries = 530, shrinking = ShrinkingMode.BOUNDED)
  void anyDegreeBound(
      @ForAll("multigraphs") DirectedGraph graph,
      @ForAll int source,
      @ForAll int place,
      @ForAll("bounded") PathsOptions options,
      @ForAll("simulators") String spec,
      @ForAll("schedules") Schedule schedule) {
    int bound = 1 + Math.floorMod(place, Math.max(1, SplitOracle.mostArcs(graph)));
    PathsOptions bounding = options.withDegreeBound(bound);
    check(graph, source, bounding, "cpu:4");
    Device device = PathsVariants.device(spec);
    device.simulator().setSchedule(schedule);
    try {
      check(graph, source, bounding, spec);
    } finally {
      device.simulator().setSchedule(null);
    }
  }

  /** Ranges of any width, so that few bins or many more than there are have vertices. */
  @Property(tries = 530, shrinking = ShrinkingMode.BOUNDED)
  void anyDelta(
      @ForAll("multigraphs") DirectedGraph graph,
      @ForAll int source,
      @ForAll("deltas") double delta,
      @ForAll("ordered") PathsOptions options,
      @ForAll("simulators") String spec,
      @ForAll("schedules") Schedule schedule) {
    // Any double will do for floats; ranges of ints are ints.
    boolean whole = graph.weightType() == WeightType.INT;
    PathsOptions ranged =
        options.withDelta(whole ? Math.min(Integer.MAX_VALUE, Math.ceil(delta)) : delta);
    check(graph, source, ranged, "cpu:4");
    if (TestDevices.FULL) {
      check(graph, source, ranged, "cpu-checked:2");
    }
    Device device = PathsVariants.device(spec);
    device.simulator().setSchedule(schedule);
    try {
      check(graph, source, ranged, spec);
    } finally {
      device.simulator().setSchedule(null);
    }
  }

  @Property(tries = 260, shrinking = ShrinkingMode.BOUNDED, edgeCases = EdgeCasesMode.NONE)
  void anySchedule(
      @ForAll("multigraphs") DirectedGraph graph,
      @ForAll("variants") PathsOptions options,
      @ForAll("simulators") String spec,
      @ForAll("schedules") Schedule schedule) {
    Device device = PathsVariants.device(spec);
    device.simulator().setSchedule(schedule);
    try {
      check(graph, 0, options, spec);
    } finally {
      device.simulator().setSchedule(null);
    }
  }

  /** Warps that go on by themselves from the first or second round on. */
  @Property(tries = 150, shrinking = ShrinkingMode.BOUNDED, edgeCases = EdgeCasesMode.NONE)
  void anyLocalRounds(
      @ForAll("longSearches") String graphSpec,
      @ForAll("searches") PathsOptions options,
      @ForAll("localRounds") int rounds,
      @ForAll boolean second,
      @ForAll("wide") String spec,
      @ForAll("schedules") Schedule schedule) {
    DirectedGraph graph = GraphGenerators.parse(graphSpec).generateDirected();
    if (packs(options) && graph.weightType() == WeightType.FLOAT) {
      return; // refused
    }
    Device device = PathsVariants.device(spec);
    device.simulator().setSchedule(schedule);
    try (ShortestPaths paths = new ShortestPaths(new DeviceMemory(device), graph, second ? 1 : 0)) {
      PathsResult result = paths.run(0, options.withLocalRounds(rounds));
      PathsResult reference = PathsReference.run(graph, 0, options.lengths());
      assertEquals(
          List.of(), PathsVerifier.verify(result, reference), () -> result + " by " + options);
      PathsReport report = result.report().orElseThrow();
      boolean hubs = SplitOracle.mostArcs(graph) > 2 * device.description().warpWidth();
      if (hubs || !second) {
        int expected = hubs || graph.outDegree(0) == 0 ? 0 : rounds;
        assertEquals(expected, report.localRounds(), report::toString);
      }
      if (report.pulled() == 0) {
        long arcs =
            IntStream.range(0, graph.vertices())
                .filter(v -> result.orderedDistances()[v] != PathsResult.UNREACHED)
                .map(graph::outDegree)
                .asLongStream()
                .sum();
        assertTrue(report.arcs() >= arcs, () -> report + ": of " + arcs + " arcs");
      }
    } finally {
      device.simulator().setSchedule(null);
    }
  }

  /** Graphs without hubs. */
  @Provide
  Arbitrary<String> longSearches() {
    Arbitrary<String> kinds =
        Arbitraries.oneOf(
            sizes(2, 300).map(n -> "road:n=" + n),
            Combinators.combine(sizes(1, 16), sizes(1, 16))
                .as((rows, columns) -> "grid:rows=" + rows + ",columns=" + columns),
            sizes(4, 200).flatMap(n -> sizes(n, 2 * n).map(m -> "random:n=" + n + ",m=" + m)));
    return Combinators.combine(
            kinds, Arbitraries.of("0..3", "1..1000", "none", "float:0..1"), sizes(1, 1000))
        .as((kind, weights, seed) -> kind + ",weights=" + weights + ",seed=" + seed);
  }

  @Provide
  Arbitrary<PathsOptions> searches() {
    return Arbitraries.of(PathsVariants.all().stream().filter(PathsOptions::mayGoOn).toList());
  }

  @Provide
  Arbitrary<Integer> localRounds() {
    return sizes(1, 25);
  }

  /** Whose warps have more than one lane. */
  @Provide
  Arbitrary<String> wide() {
    return Arbitraries.of("sim:1:4", "sim:2:4", "sim:1:24", "sim:1:32");
  }

  /** Three programs that share nothing. */
  @Property(tries = 150, shrinking = ShrinkingMode.BOUNDED)
  void referencesAgreeWithJgrapht(
      @ForAll("multigraphs") DirectedGraph graph, @ForAll int place, @ForAll Lengths lengths) {
    int source = Math.floorMod(place, graph.vertices());
    PathsResult reference = PathsReference.run(graph, source, lengths);
    assertArrayEquals(JGraphTPaths.distances(graph, source, lengths), reference.orderedDistances());
    assertEquals(List.of(), PathsVerifier.verify(reference));
    if (lengths == Lengths.UNIT) {
      assertArrayEquals(
          reference.distances(),
          PathsReference.dijkstra(graph.withoutWeights(), source).distances());
    }
  }

  private static void check(DirectedGraph graph, int place, PathsOptions options, String device) {
    int source = Math.floorMod(place, graph.vertices());
    // Predecessors beside distances need these to be small.
    boolean fits = graph.weightType() == WeightType.INT && longest(graph) < 0xffffffffL;
    if (packs(options) && !fits) {
      IllegalArgumentException e =
          assertThrows(
              IllegalArgumentException.class,
              () -> ShortestPaths.run(PathsVariants.device(device), graph, source, options));
      assertTrue(e.getMessage().contains("use predecessors=afterwards"), e.getMessage());
      return;
    }
    PathsResult result = ShortestPaths.run(PathsVariants.device(device), graph, source, options);
    PathsResult reference = PathsReference.run(graph, source, options.lengths());
    assertEquals(
        List.of(), PathsVerifier.verify(result, reference), () -> result + " by " + options);
    assertArrayEquals(
        JGraphTPaths.distances(graph, source, options.lengths()), result.orderedDistances());
    assertEquals(options.predecessors() != Predecessors.NONE, result.predecessors().isPresent());
    PathsReport report = result.report().orElseThrow();
    assertTrue(report.relaxations() >= result.reached() - 1, report::toString);
    checkNodes(graph, options, report);
  }

  /** Whether words have predecessors beside sums of weights. */
  private static boolean packs(PathsOptions options) {
    return options.predecessors() == Predecessors.WITH_DISTANCE
        && options.sync() != PathsOptions.Sync.TRANSACTIONAL
        && options.lengths() == Lengths.WEIGHTS;
  }

  private static void checkNodes(DirectedGraph graph, PathsOptions options, PathsReport report) {
    boolean bounded = options.hasEffect(PathsOptions.DEGREE_BOUND);
    int bound =
        options.degreeBound() > 0
            ? options.degreeBound()
            : bounded ? SplitOracle.fullestBucketsTop(graph) : 0;
    assertEquals(bound, report.degreeBound(), report::toString);
    assertEquals(
        bounded && options.balance() != Balance.HEAVY ? SplitOracle.extraNodes(graph, bound) : 0,
        report.extraNodes(),
        report::toString);
  }

  /** The longest arcs that leave each vertex, added up. */
  private static long longest(DirectedGraph graph) {
    return IntStream.range(0, graph.vertices())
        .mapToLong(
            v ->
                IntStream.range(graph.offsets()[v], graph.offsets()[v + 1])
                    .mapToLong(graph::weight)
                    .max()
                    .orElse(0))
        .sum();
  }

  @Provide
  Arbitrary<PathsOptions> variants() {
    return Arbitraries.of(PathsVariants.all());
  }

  @Provide
  Arbitrary<PathsOptions> bounded() {
    return Arbitraries.of(
        PathsVariants.all().stream()
            .filter(options -> options.hasEffect(PathsOptions.DEGREE_BOUND))
            .toList());
  }

  @Provide
  Arbitrary<PathsOptions> ordered() {
    return Arbitraries.of(
        PathsVariants.all().stream()
            .filter(options -> options.hasEffect(PathsOptions.DELTA))
            .toList());
  }

  @Provide
  Arbitrary<Double> deltas() {
    return Arbitraries.of(
        0.0,
        1.0,
        2.0,
        3.0,
        10.0,
        1000.0,
        0x1p26,
        (double) Integer.MAX_VALUE,
        Double.MIN_VALUE,
        1e-300,
        (double) 0.1f,
        0.1,
        0.3,
        1e-38,
        1e30,
        1e300,
        Double.MAX_VALUE);
  }

  @Provide
  Arbitrary<String> devices() {
    return Arbitraries.of(PathsVariants.devices());
  }

  @Provide
  Arbitrary<String> simulators() {
    return Arbitraries.of("sim:1:1", "sim:1:3", "sim:1:4", "sim:1:24", "sim:1:32");
  }

  @Provide
  Arbitrary<Schedule> schedules() {
    return Schedules.any();
  }

  @Provide
  Arbitrary<String> specs() {
    Arbitrary<String> kinds =
        Arbitraries.oneOf(
            sizes(2, 300)
                .flatMap(n -> sizes(0, 6 * n).map(m -> "random:n=" + n + ",m=" + m + ",directed")),
            sizes(2, 300).flatMap(n -> sizes(0, 3 * n).map(m -> "random:n=" + n + ",m=" + m)),
            Combinators.combine(sizes(1, 8), sizes(1, 900))
                .as((scale, m) -> "rmat:scale=" + scale + ",edges=" + m + ",directed"),
            Combinators.combine(sizes(1, 20), sizes(1, 20))
                .as((rows, columns) -> "grid:rows=" + rows + ",columns=" + columns),
            sizes(1, 400).map(n -> "road:n=" + n),
            Combinators.combine(sizes(1, 300), sizes(1, 40))
                .as((n, cap) -> "web:n=" + n + ",cap=" + cap + ",directed"),
            sizes(1, 300).map(n -> "star:n=" + n),
            sizes(1, 120).map(n -> "path:n=" + n),
            sizes(1, 30).map(n -> "complete:n=" + n));
    return Combinators.combine(kinds, Arbitraries.of(WEIGHTS), sizes(1, 1000))
        .as((kind, weights, seed) -> kind + ",weights=" + weights + ",seed=" + seed);
  }

  /**
   * Self-loops, parallel arcs, parts that are not reached, arcs of length 0, very long ones. One
   * graph in four has floats, of which most kernels are those of whole numbers.
   */
  @Provide
  Arbitrary<DirectedGraph> multigraphs() {
    Arbitrary<DirectedGraph> whole =
        Combinators.combine(sizes(1, 60), sizes(0, 250), sizes(0, 4), Arbitraries.longs())
            .as(PathsProperties::multigraph);
    Arbitrary<DirectedGraph> floats =
        Combinators.combine(
                sizes(1, 60), sizes(0, 250), Arbitraries.of(FLOATS), Arbitraries.longs())
            .as(PathsProperties::floats);
    return Arbitraries.frequencyOf(Tuple.of(3, whole), Tuple.of(1, floats));
  }

  /** Weights of one kind each, from those of which graphs are drawn. */
  private static final float[][] FLOATS = {
    {0},
    {0.1f}, // equal everywhere, and no sum of them exact
    {0, 1, Math.nextUp(1), 2}, // ties, and paths that differ in the last place
    {0, Float.MIN_VALUE, 2 * Float.MIN_VALUE, Float.MIN_NORMAL}, // denormals
    {1e-38f, 3e38f}, // the small ones change no sum that has a large one
    {0, 1, 0x1p-30f, 0x1p-53f, 0x1p-54f, 0x1p53f}, // halves of the last place of 1 and of others
    {Float.MAX_VALUE, Math.nextDown(Float.MAX_VALUE)},
    {0.1f, 0.2f, 0.3f, 0.7f} // multiples of widths of ranges, but for rounding
  };

  private static DirectedGraph floats(int vertices, int arcs, float[] weights, long seed) {
    Random random = new Random(seed);
    GraphBuilder builder = new GraphBuilder(vertices, WeightType.FLOAT);
    for (int a = 0; a < arcs; a++) {
      int u = random.nextInt(vertices);
      int v = random.nextInt(6) == 0 ? u : random.nextInt(vertices);
      builder.addArc(u, v, weights[random.nextInt(weights.length)]);
    }
    return builder.buildDirected();
  }

  private static DirectedGraph multigraph(int vertices, int arcs, int spread, long seed) {
    Random random = new Random(seed);
    GraphBuilder builder = new GraphBuilder(vertices, true);
    int[] bounds = {1, 2, 5, 1000, Integer.MAX_VALUE};
    for (int a = 0; a < arcs; a++) {
      int u = random.nextInt(vertices);
      int v = random.nextInt(6) == 0 ? u : random.nextInt(vertices);
      int weight = random.nextInt(bounds[spread]);
      builder.addArc(u, v, spread == 4 && random.nextBoolean() ? Integer.MAX_VALUE : weight);
    }
    return builder.buildDirected();
  }

  private static Arbitrary<Integer> sizes(int least, int most) {
    return Arbitraries.integers().between(least, most);
  }
}
