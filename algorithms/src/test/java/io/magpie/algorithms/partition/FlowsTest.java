package io.magpie.algorithms.partition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.partition.PartitionOptions.Effort;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What flows make of whole runs. */
class FlowsTest {
  private static final String DEVICE = "cpu:4";
  private static final String PHASE = "refine_by_flows";

  private static PartitionOptions options(int parts) {
    return PartitionOptions.of(parts).withEffort(Effort.ULTRA);
  }

  private static PartitionResult run(Graph graph, FixedVertices fixed, PartitionOptions options) {
    PartitionResult result =
        GraphPartitioner.run(PartitionVariants.device(DEVICE), graph, fixed, options, 100);
    assertEquals(List.of(), PartitionVerifier.verify(result), result::toString);
    return result;
  }

  private static long cuts(Graph graph, PartitionOptions options) {
    long sum = 0;
    for (int seed = 1; seed <= 2; seed++) {
      sum += run(graph, FixedVertices.NONE, options.withSeed(seed)).cut();
    }
    return sum;
  }

  @Test
  void flowsCutLess() {
    Graph graph = GraphGenerators.generate("grid3:16,weights=none");
    PartitionOptions options = options(8);
    long with = cuts(graph, options);
    long without = cuts(graph, options.withFlowVertices(0));
    assertTrue(with < without, with + ", without " + without);
  }

  /** On a graph so large the last flows still change something. */
  @Test
  @Tag("slow")
  void theResultTellsWhatTheLastFlowsLeave() {
    Graph graph = GraphGenerators.generate("grid:300,weights=none");
    for (int seed = 1; seed <= 2; seed++) {
      run(graph, FixedVertices.NONE, options(16).withSeed(seed));
    }
  }

  @Test
  void graphsOfMoreVerticesAreLeftOut() {
    Graph graph = GraphGenerators.generate("grid:30,weights=none");
    assertEquals(List.of(), flowItems(graph, options(4).withFlowVertices(0)));
    List<Long> small = flowItems(graph, options(4).withFlowVertices(899));
    List<Long> all = flowItems(graph, options(4).withFlowVertices(900));
    assertTrue(small.get(0) > 0 && small.get(0) < all.get(0), small + ", " + all);
  }

  private static List<Long> flowItems(Graph graph, PartitionOptions options) {
    PartitionReport report = run(graph, FixedVertices.NONE, options).report().orElseThrow();
    return report.phases().stream()
        .filter(phase -> phase.name().equals(PHASE))
        .map(phase -> phase.items())
        .toList();
  }

  /** Parts of three sizes, vertices that stay, and weights whose sums pass 2^31. */
  @Test
  void sharesFixedVerticesAndLargeWeightsAreKept() {
    Graph grid = GraphGenerators.generate("grid:40,weights=max");
    int[] weights = new Random(1).ints(grid.vertices(), 1 << 29, 1 << 30).toArray();
    Graph graph = Graph.of(grid.offsets(), grid.neighbors(), grid.weights(), weights);
    int[] given = new int[graph.vertices()];
    Arrays.setAll(given, v -> v % 97 == 0 ? v % 3 : -1);
    PartitionOptions options =
        options(3).withPartWeights(PartShares.parse("3:2:1")).withImbalance(0.1);
    PartitionResult result = run(graph, FixedVertices.of(given), options);
    for (int v = 0; v < given.length; v++) {
      assertTrue(given[v] < 0 || result.parts()[v] == given[v], "vertex " + v);
    }
  }
}
