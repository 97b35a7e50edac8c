package io.magpie.algorithms.components;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.Phase;
import io.magpie.algorithms.components.ComponentsOptions.Direction;
import io.magpie.algorithms.components.ComponentsOptions.EdgeOrder;
import io.magpie.algorithms.components.ComponentsOptions.Form;
import io.magpie.algorithms.components.ComponentsOptions.Output;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.internal.driver.GraphOnDevice;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceOutOfMemoryException;
import io.magpie.stm.simulator.Schedule;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectedComponentsTest {
  static Stream<Arguments> everything() {
    return Variants.devices().stream()
        .flatMap(device -> Variants.all().stream().map(options -> Arguments.of(device, options)));
  }

  private static void check(Graph graph, String device, ComponentsOptions options) {
    ComponentsResult result = ConnectedComponents.run(Variants.device(device), graph, options);
    assertEquals(
        List.of(),
        ComponentsVerifier.verify(result),
        () -> graph + " on " + device + ": " + options);
  }

  /**
   * All graphs of so many vertices, as components of one graph, so that all of them run at once.
   */
  private static Graph everySmallGraph(int size) {
    int pairs = size * (size - 1) / 2;
    GraphBuilder builder = new GraphBuilder((1 << pairs) * size, false);
    for (int code = 0; code < 1 << pairs; code++) {
      int bit = 0;
      for (int u = 0; u < size; u++) {
        for (int v = u + 1; v < size; v++, bit++) {
          if ((code >> bit & 1) != 0) {
            builder.addEdge(code * size + u, code * size + v);
          }
        }
      }
    }
    return builder.build();
  }

  @ParameterizedTest
  @MethodSource("everything")
  void everyGraphOfFourVertices(String device, ComponentsOptions options) {
    check(everySmallGraph(4), device, options);
  }

  @Test
  void everyGraphOfFiveVertices() {
    for (ComponentsOptions options : Variants.all()) {
      check(everySmallGraph(5), "cpu:4", options);
    }
  }

  static List<Graph> adversarial() {
    List<Graph> graphs = new ArrayList<>();
    graphs.add(new GraphBuilder(0, false).build());
    graphs.add(new GraphBuilder(1, false).build());
    graphs.add(new GraphBuilder(5, false).build());
    graphs.add(new GraphBuilder(1, false).addEdge(0, 0).addEdge(0, 0).build());
    graphs.add(new GraphBuilder(2, false).addEdge(0, 1).addEdge(1, 0).build());
    // Unsorted lists, the hub in the middle and at both ends, longer than any piece.
    for (int hub : new int[] {0, 350, 699}) {
      GraphBuilder builder = new GraphBuilder(700, false);
      for (int v = 699; v >= 0; v--) {
        if (v != hub) {
          builder.addEdge(hub, v).addEdge(v, hub).addEdge(v, v);
        }
      }
      graphs.add(builder.build());
    }
    // Two hubs that share no neighbor, joined by a path: no component that is half of the graph.
    GraphBuilder hubs = new GraphBuilder(900, false);
    for (int v = 2; v < 600; v++) {
      hubs.addEdge(v % 2 == 0 ? 599 : 0, v % 3 == 0 ? v : 2);
    }
    graphs.add(hubs.addEdge(700, 800).addEdge(800, 599).build());
    // A path whose vertices lie far apart, as deep as it is long.
    GraphBuilder path = new GraphBuilder(997, false);
    for (int i = 0; i + 1 < 997; i++) {
      path.addEdge((int) (i * 400L % 997), (int) ((i + 1) * 400L % 997));
    }
    graphs.add(path.build());
    GraphBuilder down = new GraphBuilder(998, false);
    for (int v = 997; v > 0; v--) {
      down.addEdge(v, v - 1);
    }
    graphs.add(down.build());
    return graphs;
  }

  @ParameterizedTest
  @MethodSource("everything")
  void adversarialGraphs(String device, ComponentsOptions options) {
    for (Graph graph : adversarial()) {
      check(graph, device, options);
    }
  }

  /** Searches over the lanes of a warp must not need a power of two. */
  @ParameterizedTest
  @ValueSource(strings = {"sim:0:3", "sim:5:24"})
  void warpsOfAnyWidth(String spec) {
    Graph random = GraphGenerators.generate("random:n=200,m=3000,seed=7");
    Graph sparse = GraphGenerators.generate("random:n=300,m=200,seed=8");
    for (Graph graph : List.of(random, sparse, adversarial().get(6), everySmallGraph(3))) {
      for (ComponentsOptions options : Variants.all()) {
        check(graph, spec, options);
      }
    }
  }

  @Test
  void longChainOnCpu() {
    Graph path = GraphGenerators.generate("path:n=300000");
    GraphBuilder far = new GraphBuilder(300_007, false);
    for (int i = 0; i + 1 < 300_007; i++) {
      far.addEdge((int) (i * 100_000L % 300_007), (int) ((i + 1) * 100_000L % 300_007));
    }
    for (Graph graph : List.of(path, far.build())) {
      for (ComponentsOptions options : Variants.all()) {
        check(graph, "cpu:4", options);
      }
    }
  }

  @Test
  void runsAgainOnTheSameInstance() {
    Graph graph = GraphGenerators.generate("random:n=3000,m=2800,seed=5");
    int[] expected = ComponentsReference.run(graph).labels();
    try (ConnectedComponents components =
        new ConnectedComponents(Variants.device("cpu:4"), graph)) {
      for (ComponentsOptions options : Variants.all()) {
        ComponentsResult result = components.run(options);
        assertArrayEquals(expected, result.labels(), options.toString());
        assertEquals(List.of(), ComponentsVerifier.verify(result), options.toString());
      }
    }
  }

  /** A list that was too short for its edges is made longer, and made again. */
  @ParameterizedTest
  @ValueSource(strings = {"cpu-checked:3", "sim:0:32"})
  void moreEdgesAreLeftThanExpected(String spec) {
    int half = 60;
    GraphBuilder builder = new GraphBuilder(2 * half, false);
    for (int first : new int[] {0, half}) {
      for (int v = first + 1; v < first + half; v++) { // what the sample has
        builder.addEdge(first, v);
      }
      for (int v = first + 1; v + 1 < first + half; v++) {
        builder.addEdge(v, v + 1);
      }
    }
    for (int u = 0; u < half; u++) {
      for (int v = half; v < 2 * half; v++) {
        builder.addEdge(u, v);
      }
    }
    Graph graph = builder.build();
    for (Output output : Output.values()) {
      ComponentsResult result =
          ConnectedComponents.run(
              Variants.device(spec),
              graph,
              ComponentsOptions.defaults().withForm(Form.TRANSACTIONAL).withOutput(output));
      assertEquals(List.of(), ComponentsVerifier.verify(result));
      ComponentsReport report = result.report().orElseThrow();
      assertEquals(
          List.of(2),
          report.phases().stream()
              .filter(phase -> phase.name().equals("list_heavy"))
              .map(Phase::launches)
              .toList(),
          report.toString());
    }
  }

  /**
   * The same where each vertex has so few arcs that a lane takes them, and no component has most.
   */
  @ParameterizedTest
  @ValueSource(strings = {"sim:0:32", "sim:2:4"})
  void moreEdgesOfFewAreLeftThanExpected(String spec) {
    int pairs = 700; // vertices 2 i and 2 i + 1, which the sample unites
    GraphBuilder builder = new GraphBuilder(2 * pairs, false);
    for (int i = 0; i < pairs; i++) {
      builder.addEdge(2 * i, 2 * i + 1);
      builder.addEdge(2 * i, 2 * i + 1);
    }
    for (int near = 1; near <= 3; near++) {
      for (int i = 0; i + near < pairs; i++) {
        builder.addEdge(2 * i, 2 * (i + near));
        builder.addEdge(2 * i + 1, 2 * (i + near) + 1);
      }
    }
    Graph graph = builder.build();
    ComponentsResult result =
        ConnectedComponents.run(
            Variants.device(spec),
            graph,
            ComponentsOptions.defaults().withForm(Form.TRANSACTIONAL));
    assertEquals(List.of(), ComponentsVerifier.verify(result));
    ComponentsReport report = result.report().orElseThrow();
    assertEquals(
        List.of(2),
        report.phases().stream()
            .filter(phase -> phase.name().equals("list_light"))
            .map(Phase::launches)
            .toList(),
        report.toString());
  }

  /** Where an array finds no memory to grow, the next run makes it anew. */
  @Test
  void runsAfterAnAllocationFailed() {
    Graph graph = GraphGenerators.generate("random:n=300,m=280,seed=5");
    int[] expected = ComponentsReference.run(graph).labels();
    try (ConnectedComponents components =
        new ConnectedComponents(Variants.device("cpu:4"), graph)) {
      for (ComponentsOptions options : Variants.all()) {
        components.run(options);
        for (String name :
            List.of(
                "flag", "parent", "leaf", "counts", "marks", "labels", "skip", "heavy", "count")) {
          assertThrows(
              DeviceOutOfMemoryException.class, () -> components.scratch().ints(name, 1L << 50));
        }
        assertArrayEquals(expected, components.run(options).labels(), options.toString());
      }
    }
  }

  /** What is timed is the same in all forms: none of them makes arrays while its time runs. */
  @ParameterizedTest
  @ValueSource(strings = {"cpu:4", "sim:0:32"})
  void arraysAreMadeBeforeTheTimeBegins(String device) {
    List<Graph> graphs = new ArrayList<>();
    graphs.add(new GraphBuilder(5, false).build());
    graphs.add(new GraphBuilder(1, false).addEdge(0, 0).addEdge(0, 0).build());
    graphs.add(adversarial().get(6)); // self-loops and parallel edges
    graphs.add(GraphGenerators.generate("random:n=300,m=400,seed=5"));
    graphs.add(GraphGenerators.generate("star:n=100"));
    for (Graph graph : graphs) {
      for (ComponentsOptions options : Variants.all()) {
        try (GraphOnDevice there =
            new GraphOnDevice(Variants.device(device), graph, "components")) {
          ComponentsForm form = ComponentsForm.of(new Trees(there, options));
          long before = there.scratch().memory().most();
          form.solve();
          assertEquals(before, there.scratch().memory().most(), graph + " by " + options);
        }
      }
    }
  }

  /** Greatest vertices for roots, and what is no vertex. */
  @Test
  void rootsAreNamedByLeastVertices() {
    int[] roots = {2, 4, 2, -1, 4, 6};
    assertEquals(2, ConnectedComponents.nameByLeast(roots));
    assertArrayEquals(new int[] {0, 1, 0, -1, 1, 6}, roots);
  }

  @Test
  void aClosedInstanceSaysSo() {
    ConnectedComponents components =
        new ConnectedComponents(Variants.device("cpu:4"), GraphGenerators.generate("path:n=9"));
    components.close();
    components.close();
    assertThrows(IllegalStateException.class, () -> components.run(ComponentsOptions.defaults()));
  }

  /** One commit for each edge of the forest that needed one, and none aborted on one thread. */
  @Test
  void reportsWhatItDid() {
    Graph graph = GraphGenerators.generate("road:n=5000");
    ComponentsResult result =
        ConnectedComponents.run(
            Variants.device("cpu:4"),
            graph,
            ComponentsOptions.defaults().withForm(Form.TRANSACTIONAL).withOutput(Output.FOREST));
    ComponentsReport report = result.report().orElseThrow();
    long commits = report.transactions().stream().mapToLong(each -> each.commits()).sum();
    long started = 0;
    for (int v = 0; v < graph.vertices(); v++) {
      started += graph.degree(v) > 0 && graph.neighbors()[(int) graph.offset(v)] < v ? 1 : 0;
    }
    assertEquals(graph.vertices() - result.components(), commits + started);
    assertTrue(report.hostMillis() >= report.solveMillis(), report.toString());
    assertTrue(
        report.phases().stream()
            .anyMatch(
                phase ->
                    phase.name().equals("unite_sampled")
                        && phase.rule() == Phase.Rule.TRANSACTIONAL
                        && phase.launches() == 2),
        report.toString());
    assertEquals(
        List.of(),
        ConnectedComponents.run(Variants.device("cpu:4"), graph, ComponentsOptions.defaults())
            .report()
            .orElseThrow()
            .transactions());
  }

  /** What its name says: no compare-exchange, no reduction, no other read-modify-write. */
  @Test
  void theAtomicFreeFormHasNoAtomicOperation() throws IOException {
    Pattern atomic =
        Pattern.compile(
            "\\b(cas|exch|add|and|or|min|max)_(rlx|acq|acqrel)_dev\\b|\\bred_|\\bappend\\(");
    for (String file : List.of("atomic_free_form.cuh", "union_find.cuh")) {
      assertFalse(atomic.matcher(source(file)).find(), file);
    }
    assertTrue(atomic.matcher(source("sampled_form.cuh")).find(), "it would be found");
  }

  private static String source(String file) throws IOException {
    String path = "META-INF/magpie/source/components/" + file;
    try (InputStream stream =
        ConnectedComponents.class.getClassLoader().getResourceAsStream(path)) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /**
   * Where one thread stores in the order of the edges, a hub joins all of its neighbors within a
   * few rounds, wherever it is among them. Where 32 lanes store at once, and the last of them
   * stays, so it does if the direction alternates or edges of one vertex store once.
   */
  @ParameterizedTest
  @ValueSource(strings = {"cpu:1", "sim:1:1", "sim:0:32"})
  void theAtomicFreeFormNeedsFewRounds(String device) {
    List<String> many = new ArrayList<>();
    for (ComponentsOptions options : Variants.all()) {
      boolean lastOfManyStays =
          device.endsWith(":32")
              && options.direction() == Direction.FIXED
              && options.list() != EdgeOrder.SORTED;
      if (options.form() == Form.ATOMIC_FREE && !lastOfManyStays) {
        for (int hub : new int[] {0, 1, 200, 398, 399}) {
          GraphBuilder star = new GraphBuilder(400, false);
          for (int v = 0; v < 400; v++) {
            star.addEdge(hub, v);
          }
          addIfMoreRounds(many, 5, star.build(), device, options);
        }
        addIfMoreRounds(many, 6, adversarial().get(6), device, options);
        addIfMoreRounds(many, 12, GraphGenerators.generate("road:n=2000"), device, options);
      }
    }
    assertEquals(List.of(), many);
  }

  private static void addIfMoreRounds(
      List<String> many, int bound, Graph graph, String device, ComponentsOptions options) {
    ComponentsResult result = ConnectedComponents.run(Variants.device(device), graph, options);
    int rounds = result.report().orElseThrow().rounds();
    if (rounds > bound) {
      many.add(rounds + " rounds on " + graph + " by " + options);
    }
  }

  /**
   * What alternating directions cost: where the winners of hooking are arbitrary, one direction
   * takes fewer rounds.
   */
  @ParameterizedTest
  @ValueSource(strings = {"cpu:1", "sim:3:32"})
  void oneDirectionNeedsFewerRoundsThanTwoInTurn(String device) {
    for (String spec : List.of("random:n=3000,m=3000", "random:n=3000,m=9000")) {
      for (int seed = 1; seed <= 3; seed++) {
        Graph graph = GraphGenerators.generate(spec + ",seed=" + seed);
        for (boolean sorted : new boolean[] {true, false}) {
          ComponentsOptions options =
              ComponentsOptions.defaults()
                  .withForm(Form.ATOMIC_FREE)
                  .withList(sorted ? EdgeOrder.SORTED : EdgeOrder.GIVEN);
          ComponentsOptions plain = sorted ? options : options.withSlots(false);
          int fixed = rounds(graph, device, plain.withDirection(Direction.FIXED));
          int alternating = rounds(graph, device, plain.withDirection(Direction.ALTERNATING));
          assertTrue(
              fixed < alternating, () -> fixed + " and " + alternating + " rounds on " + graph);
        }
      }
    }
  }

  private static int rounds(Graph graph, String device, ComponentsOptions options) {
    ComponentsResult result = ConnectedComponents.run(Variants.device(device), graph, options);
    return result.report().orElseThrow().rounds();
  }

  /** A shuffled list has the edges of the given one, of which few stay beside their neighbors. */
  @ParameterizedTest
  @ValueSource(strings = {"cpu-checked:3", "sim:0:32"})
  void aShuffledListHasTheSameEdgesInAnotherOrder(String device) {
    Graph graph = GraphGenerators.generate("rmat:n=300,edges=2000,seed=4");
    long[] given = list(graph, device, EdgeOrder.GIVEN);
    long[] shuffled = list(graph, device, EdgeOrder.SHUFFLED);
    long together = adjacent(given);
    assertTrue(together > given.length / 2, () -> together + " of " + given.length);
    long still = adjacent(shuffled);
    assertTrue(still < given.length / 10, () -> still + " of " + given.length);
    Arrays.sort(given);
    Arrays.sort(shuffled);
    assertArrayEquals(given, shuffled);
  }

  private static long[] list(Graph graph, String device, EdgeOrder order) {
    ComponentsOptions options =
        ComponentsOptions.defaults().withForm(Form.ATOMIC_FREE).withList(order);
    int edges = 0;
    for (int v = 0; v < graph.vertices(); v++) {
      for (int a = graph.offsets()[v]; a < graph.offsets()[v + 1]; a++) {
        edges += graph.neighbors()[a] > v ? 1 : 0;
      }
    }
    try (ConnectedComponents components = new ConnectedComponents(Variants.device(device), graph)) {
      assertEquals(List.of(), ComponentsVerifier.verify(components.run(options)));
      return components.scratch().longs("ends", edges).toArray();
    }
  }

  /** Neighbors in a list that share their smaller end, which is the upper half. */
  private static long adjacent(long[] edges) {
    return IntStream.range(1, edges.length)
        .filter(i -> edges[i] >>> 32 == edges[i - 1] >>> 32)
        .count();
  }

  /** Graphs of which one component, a complete graph of 128 vertices, has most of the arcs. */
  static Stream<Arguments> giants() {
    return Stream.of(
        Arguments.of("alone", giant(0, false)),
        Arguments.of("less than half of the vertices, the others isolated", giant(150, false)),
        Arguments.of("less than half of the vertices, the others a path", giant(300, true)));
  }

  private static Graph giant(int others, boolean path) {
    GraphBuilder builder = new GraphBuilder(128 + others, false);
    for (int u = 0; u < 128; u++) {
      for (int v = u + 1; v < 128; v++) {
        builder.addEdge(others + u, others + v);
      }
    }
    for (int v = 1; path && v < others; v++) {
      builder.addEdge(v - 1, v);
    }
    return builder.build();
  }

  /** Of a giant component few arcs are walked over: the simulator counts accesses. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("giants")
  void aGiantComponentIsSkipped(String shape, Graph graph) {
    long work = workBeyondTheSample(graph);
    assertTrue(0 < work && work < graph.arcs() / 4, () -> work + " accesses, " + graph);
  }

  /** What has most of the vertices, and few of the arcs, does not keep the others from it. */
  @Test
  void noComponentIsSkippedWithoutMostOfTheArcs() {
    GraphBuilder builder = new GraphBuilder(192 + 500, false);
    for (int first = 0; first < 192; first += 64) {
      for (int u = 0; u < 64; u++) {
        for (int v = u + 1; v < 64; v++) {
          builder.addEdge(first + u, first + v);
        }
      }
    }
    for (int v = 193; v < 692; v++) {
      builder.addEdge(v - 1, v);
    }
    Graph graph = builder.build();
    long work = workBeyondTheSample(graph);
    // One access to each arc, and two walks of two for one direction of each, not for both.
    assertTrue(
        graph.arcs() / 2 < work && work < 4L * graph.arcs(), () -> work + " accesses, " + graph);
  }

  /** Accesses of the pass over what the sample has left. */
  private static long workBeyondTheSample(Graph graph) {
    try (Device device = Device.open("sim:1:4")) {
      device.simulator().setSchedule(Schedule.roundRobin());
      device.simulator().setCounting(true);
      ComponentsReport report =
          ConnectedComponents.run(device, graph, ComponentsOptions.defaults())
              .report()
              .orElseThrow();
      return report.phases().stream()
          .filter(phase -> List.of("link_light", "link_heavy").contains(phase.name()))
          .mapToLong(phase -> phase.accesses().work())
          .sum();
    }
  }
}
