package io.magpie.algorithms.partition;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.algorithms.partition.PartitionOptions.Contraction;
import io.magpie.algorithms.partition.PartitionOptions.Effort;
import io.magpie.algorithms.partition.PartitionOptions.Refinement;
import io.magpie.stm.KernelModule;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Refinement where vertices have many arcs. The simulator cuts them from 24 on, or from four for
 * each part; the processor from 4096 on.
 */
class HubTest {
  private static final List<String> SIMULATED =
      List.of("sim:1:1", "sim:2:4", "sim:3:6", "sim:0:32");

  /** Graphs with hubs; `wheel` is a star whose leaves are a cycle, `K(a,b)` complete bipartite. */
  private static Graph graph(String spec) {
    if (spec.startsWith("wheel:")) {
      int n = Integer.parseInt(spec.substring(6));
      GraphBuilder builder = new GraphBuilder(n, true);
      for (int v = 1; v < n; v++) {
        builder.addEdge(0, v, 1 + v % 5);
        builder.addEdge(v, v == n - 1 ? 1 : v + 1, 3);
      }
      return withVertexWeights(builder.build(), 3);
    }
    if (spec.startsWith("K(")) {
      String[] sides = spec.substring(2, spec.length() - 1).split(",");
      int a = Integer.parseInt(sides[0]);
      int b = Integer.parseInt(sides[1]);
      GraphBuilder builder = new GraphBuilder(a + b, true);
      for (int u = 0; u < a; u++) {
        for (int v = 0; v < b; v++) {
          builder.addEdge(u, a + v, (u + v) % 7);
        }
      }
      return withVertexWeights(builder.build(), 2);
    }
    return GraphGenerators.generate(spec);
  }

  private static Graph withVertexWeights(Graph graph, int most) {
    int[] weights = new Random(7).ints(graph.vertices(), 1, most + 1).toArray();
    return Graph.of(graph.offsets(), graph.neighbors(), graph.weights(), weights);
  }

  /** The processor walks over these vertices by one thread: what it finds is the reference. */
  @ParameterizedTest
  @ValueSource(strings = "star:150,weights=1..9")
  void piecesOfHubsGiveTheSamePartsAsOneThread(String spec) {
    Graph graph = graph(spec);
    for (int parts : List.of(2, 7)) {
      for (Effort effort : List.of(Effort.FAST, Effort.DEFAULT)) {
        PartitionOptions options =
            PartitionOptions.of(parts)
                .withImbalance(0.1)
                .withEffort(effort)
                .withRefinement(Refinement.ATOMIC_FREE)
                .withContraction(Contraction.SORT);
        int[] expected = partition("cpu:4", graph, options);
        for (String device : SIMULATED) {
          assertArrayEquals(
              expected, partition(device, graph, options), () -> device + " by " + options);
        }
      }
    }
  }

  @Tag("slow")
  @ParameterizedTest
  @ValueSource(
      strings = {"wheel:120", "K(5,60)", "K(30,40)", "rmat:scale=7,edges=1500,weights=1..9"})
  void piecesOfOtherHubsGiveTheSamePartsAsOneThread(String spec) {
    piecesOfHubsGiveTheSamePartsAsOneThread(spec);
  }

  private static int[] partition(String device, Graph graph, PartitionOptions options) {
    return GraphPartitioner.run(PartitionVariants.device(device), graph, options, 30).parts();
  }

  @ParameterizedTest
  @EnumSource(Refinement.class)
  void everyRefinementKeepsItsPromisesAtHubs(Refinement refinement) {
    assertPromises("K(4,50)", refinement);
  }

  @Tag("slow")
  @ParameterizedTest
  @EnumSource(Refinement.class)
  void everyRefinementKeepsItsPromisesAtOtherHubs(Refinement refinement) {
    assertPromises("star:n=120,weights=1..9", refinement);
    assertPromises("wheel:100", refinement);
    assertPromises("rmat:scale=6,edges=700,weights=none", refinement);
  }

  private static void assertPromises(String spec, Refinement refinement) {
    Graph graph = graph(spec);
    for (PartitionOptions options : PartitionVariants.all(6)) {
      if (options.refinement() != refinement || options.effort() != Effort.FAST) {
        continue;
      }
      for (String device : PartitionVariants.devices()) {
        PartitionResult result =
            GraphPartitioner.run(
                PartitionVariants.device(device), graph, options.withImbalance(0.1), 40);
        String what = spec + " on " + device + " by " + options;
        assertEquals(List.of(), PartitionVerifier.verify(result), what);
        assertTrue(result.feasible(), what);
        PartitionReport report = result.report().orElseThrow();
        assertTrue(report.deviceBytes() <= report.deviceBudget(), what);
      }
    }
  }

  /** On the processor too, from 4096 arcs on, and the same with any number of threads. */
  @ParameterizedTest
  @ValueSource(strings = {"star:9000,weights=none", "wheel:5000"})
  void processorsCutGreatHubs(String spec) {
    Graph graph = graph(spec);
    PartitionOptions options =
        PartitionOptions.of(8).withRefinement(Refinement.ATOMIC_FREE).withImbalance(0.03);
    PartitionResult one = GraphPartitioner.run(PartitionVariants.device("cpu:1"), graph, options);
    PartitionResult four = GraphPartitioner.run(PartitionVariants.device("cpu:4"), graph, options);
    assertArrayEquals(one.parts(), four.parts());
    assertEquals(List.of(), PartitionVerifier.verify(four));
    assertTrue(
        four.report().orElseThrow().phases().stream()
            .anyMatch(phase -> phase.name().equals("settle_hubs") && phase.launches() > 0));
  }

  /**
   * Two hubs that are joined by a heavy edge and each wish the other's part, leaves around them.
   */
  @ParameterizedTest
  @EnumSource(
      value = Refinement.class,
      names = {"STM", "STM_RESERVED"})
  void adjacentHubsDoNotChangePlacesAfterTransactions(Refinement refinement) {
    int leaves = 30;
    GraphBuilder builder = new GraphBuilder(2 * (leaves + 1), true);
    int[] parts = new int[2 * (leaves + 1)];
    for (int v = 0; v < parts.length; v++) {
      parts[v] = v % 2;
      builder.addEdge(v % 2, v, v < 2 ? 0 : 1);
    }
    builder.addEdge(0, 1, 100);
    Graph graph = builder.build();
    PartitionOptions options = PartitionOptions.of(2).withImbalance(1).withRefinement(refinement);
    for (String spec : SIMULATED) {
      DeviceMemory memory = new DeviceMemory(PartitionVariants.device(spec));
      try (KernelModule module = memory.device().load(Coarsening.MODULE);
          DeviceGraph onDevice = DeviceGraph.copyOf(memory, graph);
          Population population =
              new Population(
                  memory,
                  new Launches(module, options.phaseTimes(), options.stm()),
                  options,
                  Balance.of(graph, 2, 1))) {
        population.start(onDevice, null, 2, parts);
        Population.Outcome outcome =
            population.refine(new Population.Stamina(8, 1, 0.25f, 0.25f), graph.vertices(), 0)[0];
        assertEquals(100, outcome.firstCut());
        assertTrue(outcome.cut() <= leaves, () -> spec + ": " + outcome);
      }
    }
  }

  /** Whatever they wish, and whatever they think that it is worth. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "K(30,40)",
        "wheel:60",
        "complete:40,weights=1..9",
        "rmat:scale=6,edges=900,weights=1..9"
      })
  void hubsMoveThatLoseNothingOnceBetterMovesAreDone(String spec) {
    Graph given = graph(spec);
    Graph graph = given.vertexWeights() == null ? withVertexWeights(given, 3) : given;
    int moves = 0;
    int refused = 0;
    for (String device : SIMULATED) {
      for (int seed = 0; seed < 12; seed++) {
        int parts = 2 + seed % 3;
        try (HubRounds round =
            new HubRounds(PartitionVariants.device(device), graph, parts, new Random(seed))) {
          int[] before = round.parts();
          int[] expected = before.clone();
          for (int v : round.hubs()) {
            if (round.wish(v) >= 0 && supposedGain(graph, round, before, v) >= 0) {
              expected[v] = round.wish(v);
              moves++;
            } else {
              refused++;
            }
          }
          String what = spec + " on " + device + ", seed " + seed;
          assertArrayEquals(expected, round.move(), what);
          assertArrayEquals(weights(graph, parts, expected), round.partWeights(), what);
        }
      }
    }
    assertTrue(moves > 0 && refused > 0, moves + " moves, " + refused + " refused");
  }

  private static long supposedGain(Graph graph, HubRounds round, int[] parts, int v) {
    long gain = 0;
    for (int a = graph.offsets()[v]; a < graph.offsets()[v + 1]; a++) {
      int u = graph.neighbors()[a];
      int by = Integer.compare(round.worth(u), round.worth(v));
      boolean before = round.wish(u) >= 0 && (by > 0 || (by == 0 && u < v));
      int there = before ? round.wish(u) : parts[u];
      if (u != v) {
        gain += there == round.wish(v) ? graph.weight(a) : there == parts[v] ? -graph.weight(a) : 0;
      }
    }
    return gain;
  }

  private static int[] weights(Graph graph, int parts, int... part) {
    int[] weights = new int[parts];
    for (int v = 0; v < part.length; v++) {
      weights[part[v]] += graph.vertexWeights()[v];
    }
    return weights;
  }
}
