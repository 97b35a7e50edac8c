package io.magpie.algorithms.components;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.Schedules;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.stm.Device;
import io.magpie.stm.simulator.Schedule;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/**
 * Every variant on every device finds the components of any graph, and a forest that spans them.
 */
class ComponentsProperties {
  @Property(tries = 150, shrinking = ShrinkingMode.BOUNDED)
  void generatedGraphs(
      @ForAll("specs") String spec,
      @ForAll("variants") ComponentsOptions options,
      @ForAll("devices") String device) {
    check(GraphGenerators.generate(spec), options, Variants.device(device));
  }

  @Property(tries = 200, shrinking = ShrinkingMode.BOUNDED)
  void arbitraryMultigraphs(
      @ForAll("multigraphs") Graph graph,
      @ForAll("variants") ComponentsOptions options,
      @ForAll("devices") String device) {
    check(graph, options, Variants.device(device));
  }

  /** Whatever the interleaving, and whatever a relaxed load may still see. */
  @Property(tries = 120, shrinking = ShrinkingMode.BOUNDED)
  void anySchedule(
      @ForAll("multigraphs") Graph graph,
      @ForAll("variants") ComponentsOptions options,
      @ForAll("schedules") Schedule schedule,
      @ForAll("simulators") String simulator) {
    Device device = Variants.device(simulator);
    device.simulator().setSchedule(schedule);
    try {
      check(graph, options, device);
    } finally {
      device.simulator().setSchedule(null);
    }
  }

  @Property(tries = 100, shrinking = ShrinkingMode.BOUNDED)
  void theReferenceAgreesWithJgrapht(@ForAll("multigraphs") Graph graph) {
    ComponentsResult reference = ComponentsReference.run(graph);
    assertArrayEquals(Oracle.labels(graph), reference.labels());
    assertEquals(List.of(), ComponentsVerifier.verify(reference));
    ComponentsResult labels = ComponentsReference.run(graph, ComponentsOptions.Output.LABELS);
    assertArrayEquals(reference.labels(), labels.labels());
    assertEquals(reference.components(), labels.components());
    assertTrue(labels.forest().isEmpty());
  }

  private static void check(Graph graph, ComponentsOptions options, Device device) {
    ComponentsResult result = ConnectedComponents.run(device, graph, options);
    assertEquals(List.of(), ComponentsVerifier.verify(result), () -> result + " by " + options);
    assertArrayEquals(Oracle.labels(graph), result.labels());
    assertArrayEquals(ComponentsReference.run(graph).labels(), result.labels());
    assertEquals(options.output() == ComponentsOptions.Output.FOREST, result.forest().isPresent());
  }

  @Provide
  Arbitrary<ComponentsOptions> variants() {
    return Arbitraries.of(Variants.all());
  }

  @Provide
  Arbitrary<String> devices() {
    return Arbitraries.of(Variants.devices());
  }

  @Provide
  Arbitrary<String> simulators() {
    return Arbitraries.of("sim:3:1", "sim:3:4", "sim:3:32");
  }

  @Provide
  Arbitrary<Schedule> schedules() {
    return Schedules.any();
  }

  @Provide
  Arbitrary<String> specs() {
    Arbitrary<String> kinds =
        Arbitraries.oneOf(
            sizes(2, 300).flatMap(n -> sizes(0, 6 * n).map(m -> "random:n=" + n + ",m=" + m)),
            Combinators.combine(sizes(1, 8), sizes(1, 900))
                .as((scale, m) -> "rmat:scale=" + scale + ",edges=" + m),
            Combinators.combine(sizes(1, 20), sizes(1, 20))
                .as((rows, columns) -> "grid:rows=" + rows + ",columns=" + columns),
            sizes(1, 400).map(n -> "road:n=" + n),
            Combinators.combine(sizes(1, 300), sizes(1, 40))
                .as((n, cap) -> "web:n=" + n + ",cap=" + cap),
            sizes(7, 200).map(n -> "knn:n=" + n),
            sizes(1, 300).map(n -> "rgg:n=" + n),
            sizes(1, 300).map(n -> "star:n=" + n),
            sizes(1, 300).map(n -> "path:n=" + n),
            sizes(1, 30).map(n -> "complete:n=" + n));
    return Combinators.combine(kinds, sizes(1, 1000)).as((kind, seed) -> kind + ",seed=" + seed);
  }

  /** Self-loops, parallel edges, isolated vertices, several components, hubs with any number. */
  @Provide
  Arbitrary<Graph> multigraphs() {
    return Combinators.combine(
            sizes(0, 80), sizes(0, 200), Arbitraries.of(false, true), Arbitraries.longs())
        .as(ComponentsProperties::multigraph);
  }

  private static Graph multigraph(int vertices, int edges, boolean hubs, long seed) {
    Random random = new Random(seed);
    GraphBuilder builder = new GraphBuilder(vertices, false);
    int[] hub = {random.nextInt(Math.max(1, vertices)), random.nextInt(Math.max(1, vertices))};
    for (int e = 0; e < (vertices == 0 ? 0 : edges); e++) {
      int u = hubs ? hub[random.nextInt(2)] : random.nextInt(vertices);
      builder.addEdge(u, random.nextInt(8) == 0 ? u : random.nextInt(vertices));
    }
    return builder.build();
  }

  private static Arbitrary<Integer> sizes(int least, int most) {
    return Arbitraries.integers().between(least, most);
  }
}
