package io.magpie.algorithms.partition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.partition.PartitionOptions.Contraction;
import io.magpie.algorithms.partition.PartitionOptions.Matching;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Coarsening of graphs of known shapes, by every way of matching and contracting. */
class CoarseningTest {
  private static final PartitionOptions OPTIONS = PartitionOptions.of(2);

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

  private static List<MatchCounts> run(String device, String graph, PartitionOptions options) {
    return Coarsenings.run(
        device, GraphGenerators.generate(graph), options, Integer.MAX_VALUE, null);
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
      List<MatchCounts> levels = run(device, graph, options);
      assertTrue(levels.size() >= 4, () -> graph + ": " + levels);
    }
  }

  @ParameterizedTest
  @MethodSource("devices")
  void starsShrinkByHalf(String device) {
    List<MatchCounts> levels = run(device, "star:1000,weights=none", OPTIONS);
    for (MatchCounts level : levels) {
      assertTrue(level.alone() <= 1, () -> "alone in " + levels);
    }
    assertEquals(new MatchCounts(1000, levels.get(0).rounds(), 2, 998, 0, 0), levels.get(0));
    assertEquals(10, levels.size(), "down to one vertex");
  }

  @ParameterizedTest
  @MethodSource("devices")
  void verticesWithoutNeighborsArePaired(String device) {
    Graph graph = Graph.of(new int[65], new int[0], null);
    List<MatchCounts> levels = Coarsenings.run(device, graph, OPTIONS, Integer.MAX_VALUE, null);
    assertEquals(6, levels.size());
    assertEquals(new MatchCounts(64, 1, 0, 64, 0, 0), levels.get(0));
  }

  /** Every vertex of one side has the same eight neighbors on the other. */
  @ParameterizedTest
  @MethodSource("devices")
  void twinsArePaired(String device) {
    List<MatchCounts> levels =
        Coarsenings.run(device, bipartite(100, 8), OPTIONS, Integer.MAX_VALUE, null);
    MatchCounts first = levels.get(0);
    assertEquals(16, first.byNeighbor());
    assertEquals(0, first.byLeaf());
    assertEquals(92, first.byTwin());
    assertEquals(0, first.alone());
  }

  /** Twins but for one neighbor each of its own, which is too heavy to be matched with. */
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

    MatchCounts first = Coarsenings.run(device, graph, OPTIONS, 50, null).get(0);

    assertEquals(new MatchCounts(2 * n + 1, first.rounds(), 0, 0, 0, n), first);
  }

  private static Graph bipartite(int left, int right) {
    GraphBuilder builder = new GraphBuilder(left + right, false);
    for (int u = 0; u < left; u++) {
      for (int v = 0; v < right; v++) {
        builder.addEdge(u, left + v);
      }
    }
    return builder.build();
  }
}
