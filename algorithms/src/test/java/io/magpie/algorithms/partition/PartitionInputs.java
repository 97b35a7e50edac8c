package io.magpie.algorithms.partition;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.graph.GraphGenerators;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Graphs to partition. */
public final class PartitionInputs {
  private PartitionInputs() {}

  /** Graphs of every kind: meshes, irregular ones, stars, paths, cliques, isolated vertices. */
  public static Arbitrary<Graph> generated(int most) {
    Arbitrary<String> specs =
        Arbitraries.oneOf(
            numbers(2, most).flatMap(n -> numbers(0, 3 * n).map(m -> "random:n=" + n + ",m=" + m)),
            numbers(1, 9).map(scale -> "rmat:scale=" + scale + ",edges=" + (4 << scale)),
            numbers(1, 20)
                .flatMap(r -> numbers(1, 20).map(c -> "grid:rows=" + r + ",columns=" + c)),
            numbers(1, 7).map(n -> "grid3:" + n),
            numbers(1, most).map(n -> "road:n=" + n),
            numbers(1, most).map(n -> "rgg:n=" + n),
            numbers(7, most).map(n -> "knn:n=" + n),
            numbers(1, most).map(n -> "star:n=" + n),
            numbers(1, most).map(n -> "path:n=" + n),
            numbers(1, 40).map(n -> "complete:n=" + n));
    return Combinators.combine(specs, Arbitraries.of("none", "1..9", "max"), numbers(1, 1000))
        .as(
            (spec, weights, seed) ->
                GraphGenerators.generate(spec + ",weights=" + weights + ",seed=" + seed));
  }

  /**
   * Graphs with self-loops, parallel edges, isolated vertices, several components, and weights of
   * vertices and edges that may be 0.
   */
  public static Arbitrary<Graph> weighted(int mostVertices, int mostEdges, int mostWeight) {
    return Combinators.combine(
            numbers(1, mostVertices),
            numbers(0, mostEdges),
            numbers(0, mostWeight),
            Arbitraries.longs())
        .as(PartitionInputs::weighted);
  }

  private static Graph weighted(int vertices, int edges, int mostWeight, long seed) {
    Random random = new Random(seed);
    GraphBuilder builder = new GraphBuilder(vertices, true);
    for (int e = 0; e < edges; e++) {
      builder.addEdge(
          random.nextInt(vertices), random.nextInt(vertices), random.nextInt(mostWeight + 1));
    }
    Graph graph = builder.build();
    int[] vertexWeights = random.ints(vertices, 0, mostWeight + 1).toArray();
    return Graph.of(graph.offsets(), graph.neighbors(), graph.weights(), vertexWeights);
  }

  static Arbitrary<Integer> numbers(int least, int most) {
    return Arbitraries.integers().between(least, most);
  }
}
