package io.magpie.algorithms.paths;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.Phase;
import io.magpie.algorithms.TestDevices;
import io.magpie.algorithms.graph.DirectedGraph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.algorithms.paths.PathsOptions.Balance;
import io.magpie.algorithms.paths.PathsOptions.Drive;
import io.magpie.algorithms.paths.PathsOptions.Lengths;
import io.magpie.algorithms.paths.PathsOptions.Order;
import io.magpie.algorithms.paths.PathsOptions.Predecessors;
import io.magpie.algorithms.paths.PathsOptions.Sync;
import io.magpie.stm.Device;
import io.magpie.stm.simulator.Schedule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Vertices of many arcs are split, or left to a second launch. */
class SplittingTest {
  private static final PathsOptions WEIGHTS =
      PathsOptions.defaults().withLengths(Lengths.WEIGHTS).withPhaseTimes(false);
  private static final PathsOptions SPLIT = WEIGHTS.withBalance(Balance.SPLIT);
  private static final List<Balance> BOUNDED =
      List.of(Balance.SPLIT, Balance.VIRTUAL_SPLIT, Balance.HEAVY);

  static List<String> devices() {
    return PathsVariants.devices();
  }

  /** Vertices of these degrees, whose arcs lead to the vertices behind them in turn. */
  private static DirectedGraph ofDegrees(int... degrees) {
    GraphBuilder builder = new GraphBuilder(degrees.length, true);
    for (int v = 0; v < degrees.length; v++) {
      for (int i = 0; i < degrees[v]; i++) {
        builder.addArc(v, (v + 1 + i) % degrees.length, i % 7);
      }
    }
    return builder.buildDirected();
  }

  private static PathsReport report(Device device, DirectedGraph graph, PathsOptions options) {
    PathsResult result = ShortestPaths.run(device, graph, 0, options);
    assertEquals(
        List.of(),
        PathsVerifier.verify(result, PathsReference.run(graph, 0, options.lengths())),
        () -> result + " by " + options);
    return result.report().orElseThrow();
  }

  /**
   * The first two rows are the bounds that Kumar and Vadhiyar found for largest degrees of 1181 and
   * 255; a degree that no vertex has is no bound.
   */
  @ParameterizedTest
  @CsvSource({
    "1181 119 118 117 3 3 3 0 0, 118, 11",
    "255 26 25 24 3 3 3 0 0, 25, 11",
    "100 7 7 7 7, 7, 14",
    "100 10 7 7 7, 10, 9",
    "100 11 11 7 7, 7, 16",
    "100 11 11 10 7, 10, 11",
    "5 5 5 5, 5, 0",
    "40 30 30 20 20 10 10, 10, 9",
    "10 0 0 0, 1, 9",
    "1 1 0 0, 1, 0",
    "0 0 0, 1, 0",
    "0, 1, 0"
  })
  void theHistogramChoosesTheLargestDegreeOfTheFullestBucket(
      String degrees, int bound, int extraNodes) {
    int[] parsed = Arrays.stream(degrees.split(" ")).mapToInt(Integer::parseInt).toArray();
    DirectedGraph graph = ofDegrees(parsed);
    assertEquals(bound, SplitOracle.fullestBucketsTop(graph));
    assertEquals(extraNodes, SplitOracle.extraNodes(graph, bound));
    for (String device : TestDevices.of(List.of("cpu:4"))) {
      for (Balance balance : BOUNDED) {
        PathsReport report =
            report(PathsVariants.device(device), graph, WEIGHTS.withBalance(balance));
        assertEquals(bound, report.degreeBound(), report::toString);
        assertEquals(balance == Balance.HEAVY ? 0 : extraNodes, report.extraNodes());
      }
    }
  }

  /** Enough vertices for several pieces of the histogram. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "rmat:13,edges=90000,directed",
        "random:n=30000,m=200000,directed",
        "road:12000",
        "star:20000"
      })
  void largeGraphsAreCountedInPieces(String spec) {
    DirectedGraph graph = GraphGenerators.parse(spec).generateDirected();
    int bound = SplitOracle.fullestBucketsTop(graph);
    for (String device : TestDevices.of(List.of("cpu:4", "sim:0:32"))) {
      PathsReport report = report(PathsVariants.device(device), graph, SPLIT);
      assertEquals(bound, report.degreeBound(), device);
      assertEquals(SplitOracle.extraNodes(graph, bound), report.extraNodes(), device);
    }
  }

  /** Shares of the arcs follow each other, differ by one at most, and none is above the bound. */
  @ParameterizedTest
  @MethodSource("devices")
  void nodesShareTheArcsOfTheirVertex(String spec) {
    DirectedGraph graph = ofDegrees(0, 17, 1, 0, 100, 5, 6, 7, 0, 0, 64, 1, 2, 3, 0);
    for (int bound : new int[] {1, 2, 3, 5, 7, 64, 99, 100, 101, Integer.MAX_VALUE}) {
      PathsOptions options = SPLIT.withDegreeBound(bound);
      try (DeviceGraph there =
          new DeviceGraph(new DeviceMemory(PathsVariants.device(spec)), graph)) {
        Splitting splitting =
            new Splitting(there, options, new Launches(there.module(), false, options.stm(), true));
        assertEquals(bound, splitting.bound());
        assertEquals(SplitOracle.extraNodes(graph, bound), splitting.extra());
        int[] first = splitting.first().toArray();
        int[] last = splitting.last().toArray();
        int[] parent = splitting.parent().toArray();
        int[] before = splitting.children().toArray();
        assertEquals(graph.vertices() + splitting.extra(), first.length);
        int child = 0;
        for (int v = 0; v < graph.vertices(); v++) {
          assertEquals(child, before[v]);
          List<Integer> nodes = new ArrayList<>(List.of(v));
          for (; child < splitting.extra() && parent[child] == v; child++) {
            nodes.add(graph.vertices() + child);
          }
          int degree = graph.outDegree(v);
          int expected = degree == 0 ? 1 : (int) ((degree + (long) bound - 1) / bound);
          assertEquals(expected, nodes.size(), "nodes of vertex " + v);
          int at = graph.offsets()[v];
          int least = Integer.MAX_VALUE;
          int most = 0;
          for (int node : nodes) {
            assertEquals(at, first[node]);
            at = last[node];
            least = Math.min(least, at - first[node]);
            most = Math.max(most, at - first[node]);
          }
          assertEquals(graph.offsets()[v + 1], at);
          assertTrue(most <= bound && most - least <= 1, least + " to " + most + " arcs");
        }
        assertEquals(splitting.extra(), child);
        assertEquals(child, before[graph.vertices()]);
      }
    }
  }

  /** Self-loops, parallel arcs, arcs of length 0 and of the greatest one, isolated vertices. */
  private static DirectedGraph knots() {
    GraphBuilder builder = new GraphBuilder(12, true);
    for (int i = 0; i < 9; i++) {
      builder.addArc(0, 0, i % 2).addArc(0, 1, Integer.MAX_VALUE - i).addArc(1, 2, i * 5 % 4);
      builder.addArc(2, i, 0).addArc(2, 1, Integer.MAX_VALUE).addArc(3, 4 + i % 5, i % 3);
    }
    return builder.addArc(8, 0, 0).addArc(10, 9, 1).buildDirected();
  }

  static List<DirectedGraph> shapes() {
    List<DirectedGraph> shapes = new ArrayList<>(List.of(knots()));
    for (String spec :
        List.of(
            "star:60,weights=0..9",
            "path:40,weights=max",
            "complete:13,weights=0..3",
            "grid:9,weights=1..9",
            "rmat:6,edges=500,directed,weights=0..99",
            "random:n=80,m=700,directed,weights=1..1000000")) {
      shapes.add(GraphGenerators.parse(spec).generateDirected());
    }
    return shapes;
  }

  /** Every way to relax, at bounds from one arc a lane to more than there are. */
  @ParameterizedTest
  @MethodSource("shapes")
  void distancesAreThoseOfTheReference(DirectedGraph graph) {
    int most = SplitOracle.mostArcs(graph);
    for (Lengths lengths : Lengths.values()) {
      for (Drive drive : Drive.values()) {
        for (Sync sync : List.of(Sync.ATOMIC, Sync.ATOMIC_FREE)) {
          for (int bound : new int[] {1, 2, Math.max(1, most - 1), most, most + 1}) {
            for (Balance balance : BOUNDED) {
              PathsOptions options =
                  WEIGHTS
                      .withLengths(lengths)
                      .withDrive(drive)
                      .withBalance(balance)
                      .withDegreeBound(bound)
                      .withSync(sync);
              for (String device : TestDevices.of(List.of("cpu:4", "sim:1:3", "sim:0:32"))) {
                PathsReport report = report(PathsVariants.device(device), graph, options);
                assertEquals(bound, report.degreeBound());
                assertEquals(
                    balance == Balance.HEAVY ? 0 : SplitOracle.extraNodes(graph, bound),
                    report.extraNodes());
              }
            }
          }
        }
      }
    }
  }

  /** A search by levels relaxes every arc of a vertex that is reached once, whoever does it. */
  @Test
  void everyBalanceRelaxesTheSameArcs() {
    DirectedGraph graph = GraphGenerators.parse("rmat:9,edges=6000,directed").generateDirected();
    int source = busiest(graph);
    PathsResult reference = PathsReference.breadthFirst(graph, source);
    long arcs = 0;
    for (int v = 0; v < graph.vertices(); v++) {
      arcs += reference.distances()[v] >= 0 ? graph.outDegree(v) : 0;
    }
    for (String device : TestDevices.of(List.of("cpu:4", "sim:1:4"))) {
      for (Balance balance : Balance.values()) {
        PathsOptions options = PathsOptions.defaults().withBalance(balance);
        if (BOUNDED.contains(balance)) {
          options = options.withDegreeBound(6);
        }
        PathsResult result =
            ShortestPaths.run(PathsVariants.device(device), graph, source, options);
        PathsReport report = result.report().orElseThrow();
        assertEquals(arcs, report.arcs(), () -> balance + " on " + device);
        assertEquals(reference.reached() - 1, report.relaxations());
        assertEquals(reference.farthest() + 1, report.rounds() + lastLevelIsEmpty(result));
      }
    }
  }

  /** Vertices that no arc leaves are not listed, so a level of such alone is no round. */
  private static int lastLevelIsEmpty(PathsResult result) {
    for (int v = 0; v < result.distances().length; v++) {
      if (result.distances()[v] == result.farthest() && result.graph().outDegree(v) > 0) {
        return 0;
      }
    }
    return 1;
  }

  private static int busiest(DirectedGraph graph) {
    int busiest = 0;
    for (int v = 1; v < graph.vertices(); v++) {
      busiest = graph.outDegree(v) > graph.outDegree(busiest) ? v : busiest;
    }
    return busiest;
  }

  private static Optional<Phase> phase(PathsReport report, String name) {
    return report.phases().stream().filter(each -> each.name().equals(name)).findFirst();
  }

  /** No vertex is heavy, or only the hub, or all that are reached. */
  @Test
  void aSecondLaunchTakesTheHeavyOnesOnly() {
    DirectedGraph star = GraphGenerators.parse("star:50,weights=1..9").generateDirected();
    int hub = busiest(star);
    PathsOptions options = WEIGHTS.withBalance(Balance.HEAVY);
    for (String device : TestDevices.of(List.of("cpu:4", "sim:1:4"))) {
      for (Drive drive : Drive.values()) {
        PathsReport none = run(device, star, hub, options.withDrive(drive).withDegreeBound(49));
        assertEquals(Optional.empty(), phase(none, "relax_heavy_atomic"), none::toString);
        PathsReport one = run(device, star, hub, options.withDrive(drive).withDegreeBound(48));
        assertTrue(phase(one, "relax_heavy_atomic").isPresent(), one::toString);
        assertTrue(phase(one, "relax_lanes_atomic").isPresent(), one::toString);
      }
      PathsReport once = run(device, star, hub, options.withDegreeBound(48));
      // In each round, as the host does not know in which ones there are any.
      assertEquals(once.rounds(), phase(once, "relax_heavy_atomic").orElseThrow().launches());
      assertEquals(Optional.empty(), phase(once, "count_degrees"), "nothing is to be prepared");
    }
  }

  private static PathsReport run(
      String device, DirectedGraph graph, int source, PathsOptions options) {
    PathsResult result = ShortestPaths.run(PathsVariants.device(device), graph, source, options);
    PathsResult reference = PathsReference.run(graph, source, options.lengths());
    assertEquals(List.of(), PathsVerifier.verify(result, reference), options::toString);
    return result.report().orElseThrow();
  }

  /**
   * Hubs on a path, some behind each other and some apart: a round's list of heavy vertices is
   * empty before it, whether the one before had any, or the one before that.
   */
  @Test
  void eachRoundListsItsOwnHeavyVertices() {
    int length = 24;
    int leaves = 6;
    GraphBuilder builder = new GraphBuilder(length * (1 + leaves), true);
    long arcs = 0;
    for (int v = 0; v + 1 < length; v++) {
      builder.addEdge(v, v + 1, 2);
      arcs += 2;
      if (v % 5 < 2 || v % 7 == 0) {
        for (int leaf = 0; leaf < leaves; leaf++) {
          builder.addEdge(v, length + v * leaves + leaf, 1);
          arcs += 2;
        }
      }
    }
    DirectedGraph path = DirectedGraph.of(builder.build());
    PathsOptions heavy = WEIGHTS.withBalance(Balance.HEAVY).withDegreeBound(3);
    for (String device : TestDevices.of(List.of("cpu:4", "sim:1:4"))) {
      for (Sync sync : List.of(Sync.ATOMIC, Sync.ATOMIC_FREE)) {
        PathsReport listed = run(device, path, 0, heavy.withSync(sync));
        // Each vertex relaxes once, in the round that its distance, twice its place, belongs to.
        assertEquals(arcs, listed.arcs(), listed::toString);
        run(device, path, 0, heavy.withSync(sync).withDrive(Drive.TOPOLOGY));
      }
    }
  }

  /** What it is for: no lane has a hub's arcs to itself, so the longest chain of accesses falls. */
  @ParameterizedTest
  @EnumSource(names = {"SPLIT", "VIRTUAL_SPLIT", "HEAVY"})
  void lanesFinishTogether(Balance balance) {
    Device sim = PathsVariants.device("sim:1:4");
    DirectedGraph star = GraphGenerators.parse("star:400,weights=none").generateDirected();
    PathsOptions options = PathsOptions.defaults().withPredecessors(Predecessors.NONE);
    long alone = span(sim, star, options.withBalance(Balance.NONE));
    long shared = span(sim, star, options.withBalance(balance).withDegreeBound(8));
    assertTrue(shared < alone / 4, shared + " and " + alone + " accesses one after another");
  }

  private static long span(Device sim, DirectedGraph graph, PathsOptions options) {
    sim.simulator().setSchedule(Schedule.roundRobin());
    sim.simulator().setCounting(true);
    try {
      PathsReport report =
          ShortestPaths.run(sim, graph, busiest(graph), options).report().orElseThrow();
      return report.phases().stream()
          .filter(phase -> phase.name().startsWith("relax"))
          .mapToLong(phase -> phase.accesses().span())
          .sum();
    } finally {
      sim.simulator().setCounting(false);
      sim.simulator().setSchedule(null);
    }
  }

  /** Of 10 vertices one has 30 arcs, which make 10 nodes of 3 arcs each. */
  @Test
  void moreNodesThanHaveNumbersAreRefused() {
    DirectedGraph graph = ofDegrees(30, 3, 3, 3, 3, 3, 3, 3, 3, 3);
    PathsOptions options = SPLIT.withDegreeBound(3);
    for (String device : TestDevices.of(List.of("cpu:4", "sim:1:4"))) {
      try (DeviceGraph there =
          new DeviceGraph(new DeviceMemory(PathsVariants.device(device)), graph)) {
        Launches launches = new Launches(there.module(), false, options.stm(), true);
        assertEquals(9, new Splitting(there, options, launches, 19).extra());
        NodeRangeException e =
            assertThrows(
                NodeRangeException.class, () -> new Splitting(there, options, launches, 18));
        assertEquals(
            "balance=split with degree-bound=3 would make 19 nodes of 10 vertices, but there may be"
                + " at most 18; use a larger degree-bound, or balance=virtual-split",
            e.getMessage());
        // What only counts them is not refused, as the message says.
        PathsOptions virtual = options.withBalance(Balance.VIRTUAL_SPLIT);
        assertEquals(9, new Splitting(there, virtual, launches, 18).extra());
      }
    }
  }

  /** Variants whose words hold predecessors, at one arc for each node. */
  static List<PathsOptions> packed() {
    List<PathsOptions> packed = new ArrayList<>();
    for (Lengths lengths : Lengths.values()) {
      for (Drive drive : Drive.values()) {
        PathsOptions options =
            SPLIT
                .withLengths(lengths)
                .withDrive(drive)
                .withDegreeBound(1)
                .withPredecessors(Predecessors.WITH_DISTANCE);
        packed.add(options);
        if (lengths == Lengths.UNIT) {
          packed.add(options.withSync(Sync.ATOMIC_FREE));
        } else if (drive == Drive.DATA) {
          packed.add(options.withOrder(Order.NEAR_FAR));
        }
      }
    }
    return packed;
  }

  /** Predecessors are vertices, whatever node offered the distance, and under any schedule. */
  @ParameterizedTest
  @MethodSource("packed")
  @Tag("slow") // compiles
  void predecessorsAreVertices(PathsOptions options) {
    int source = busiest(HUBS);
    try (Device faulty = Device.open("sim:1:4")) {
      faulty.define(DeviceGraph.MODULE, Map.of("MAGPIE_PATHS_NODES_AS_PREDECESSORS", "1"));
      Device right = PathsVariants.device("sim:1:4");
      try {
        for (int seed = 0; seed < 20; seed++) {
          Schedule schedule = Schedule.randomWalk(seed);
          schedule = seed % 2 == 0 ? schedule : schedule.withWeakMemory();
          right.simulator().setSchedule(schedule);
          run("sim:1:4", HUBS, source, options);
          faulty.simulator().setSchedule(schedule);
          PathsResult result = ShortestPaths.run(faulty, HUBS, source, options);
          List<String> wrong = PathsVerifier.verify(result);
          assertTrue(
              wrong.stream().anyMatch(each -> each.contains("no arc of the right length")),
              wrong::toString);
        }
      } finally {
        right.simulator().setSchedule(null);
      }
    }
  }

  private static final DirectedGraph HUBS =
      GraphGenerators.parse("random:n=24,m=140,directed,weights=1..6").generateDirected();

  private static int lightVertex(int bound) {
    for (int v = 0; v < HUBS.vertices(); v++) {
      if (HUBS.outDegree(v) > 0 && HUBS.outDegree(v) <= bound) {
        return v;
      }
    }
    throw new AssertionError("no vertex of so few arcs");
  }

  /** Children that are not told of their vertex's distance keep its arcs to themselves. */
  @ParameterizedTest
  @CsvSource({"MAGPIE_PATHS_STALE_CHILDREN, ATOMIC", "MAGPIE_PATHS_UNCOPIED_CHILDREN, ATOMIC_FREE"})
  @Tag("slow")
  void childrenThatAreNotToldAreNoticed(String fault, Sync sync) {
    try (Device faulty = Device.open("sim:1:4")) {
      faulty.define(DeviceGraph.MODULE, Map.of(fault, "1"));
      for (Lengths lengths : Lengths.values()) {
        for (Drive drive : Drive.values()) {
          PathsOptions options =
              SPLIT.withLengths(lengths).withDrive(drive).withSync(sync).withDegreeBound(4);
          if (sync == Sync.ATOMIC_FREE && drive == Drive.DATA && lengths == Lengths.WEIGHTS) {
            continue; // its last look at all arcs finds theirs again and again, so it would not end
          }
          int source = lightVertex(4);
          assertShorterPath(faulty, source, options);
          // What is not split has no children that it could forget.
          PathsOptions whole = options.withDegreeBound(SplitOracle.mostArcs(HUBS));
          assertEquals(
              List.of(), PathsVerifier.verify(ShortestPaths.run(faulty, HUBS, source, whole)));
          run("sim:1:4", HUBS, source, options);
        }
      }
    }
  }

  private static void assertShorterPath(Device faulty, int source, PathsOptions options) {
    List<String> wrong = PathsVerifier.verify(ShortestPaths.run(faulty, HUBS, source, options));
    assertTrue(
        wrong.stream().anyMatch(each -> each.contains("shorter path")),
        () -> wrong + " by " + options);
  }

  /** With atomics, too, the source's children are told by a copy. */
  @ParameterizedTest
  @EnumSource(Drive.class)
  @Tag("slow")
  void childrenOfTheSourceThatAreNotToldAreNoticed(Drive drive) {
    DirectedGraph star = GraphGenerators.parse("star:50,weights=1..9").generateDirected();
    PathsOptions options = SPLIT.withDrive(drive).withDegreeBound(4);
    int hub = busiest(star);
    try (Device faulty = Device.open("sim:1:4")) {
      faulty.define(DeviceGraph.MODULE, Map.of("MAGPIE_PATHS_UNCOPIED_CHILDREN", "1"));
      PathsResult result = ShortestPaths.run(faulty, star, hub, options);
      // 49 arcs in 13 nodes, of which the hub is the first.
      assertEquals(1 + 3, result.reached(), options::toString);
    }
    run("sim:1:4", star, hub, options);
  }
}
