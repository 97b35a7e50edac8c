package io.magpie.algorithms.msf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.msf.MsfOptions.Merge;
import io.magpie.algorithms.msf.MsfOptions.Objective;
import io.magpie.algorithms.msf.MsfOptions.Traversal;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/** Every variant on every device finds a least forest of any graph. */
class MsfProperties {
  private static final String[] WEIGHTS = {"1..3", "7..7", "1..1000000", "max", "none"};

  @Property(tries = 120, shrinking = ShrinkingMode.BOUNDED)
  void generatedGraphs(
      @ForAll("specs") String spec,
      @ForAll("variants") MsfOptions options,
      @ForAll("devices") String device) {
    check(GraphGenerators.generate(spec), options, device);
  }

  @Property(tries = 150, shrinking = ShrinkingMode.BOUNDED)
  void arbitraryMultigraphs(
      @ForAll("multigraphs") Graph graph,
      @ForAll("variants") MsfOptions options,
      @ForAll("devices") String device) {
    check(graph, options, device);
  }

  /** That of Kruskal with ties broken by edge number, if lists ascend. */
  @Property(tries = 200, shrinking = ShrinkingMode.BOUNDED)
  void edgesChooseTheForestOfLeastNumbers(
      @ForAll("parallelEdges") Graph graph,
      @ForAll("exactTypes") WeightType type,
      @ForAll Objective objective,
      @ForAll("edgeVariants") MsfOptions options,
      @ForAll("devices") String device) {
    Graph sorted = graph.sorted().withWeightType(type);
    assertArrayEquals(
        KruskalReference.run(sorted, objective).arcs(),
        Variants.run(device, sorted, options.withObjective(objective)).orElseThrow().arcs());
  }

  /** Whatever the order of lists. */
  @Property(tries = 150, shrinking = ShrinkingMode.BOUNDED)
  void edgesChooseOneForestEverywhere(
      @ForAll("parallelEdges") Graph graph,
      @ForAll("edgeVariants") MsfOptions options,
      @ForAll("devices") String device) {
    assertArrayEquals(
        Variants.run("cpu:4", graph, MsfOptions.defaults()).orElseThrow().arcs(),
        Variants.run(device, graph, options).orElseThrow().arcs());
  }

  /** In lists that are too long to be searched by one thread, in no order. */
  @Example
  void theFirstOfParallelEdgesIsChosenInLongLists() {
    GraphBuilder builder = new GraphBuilder(31, true);
    for (int e = 0; e < 1200; e++) {
      builder.addEdge(0, 1 + e % 30, 7);
    }
    Graph graph = builder.build();
    for (String device : Variants.devices()) {
      for (Merge merge : Merge.values()) {
        MsfOptions options = MsfOptions.defaults().withMerge(merge);
        MsfResult forest = Variants.run(device, graph, options).orElseThrow();
        assertArrayEquals(KruskalReference.run(graph).arcs(), forest.arcs(), device + merge);
      }
    }
  }

  @Property(tries = 60, shrinking = ShrinkingMode.BOUNDED)
  void kruskalAgreesWithJgrapht(@ForAll("multigraphs") Graph graph) {
    MsfResult reference = KruskalReference.run(graph);
    assertEquals(Oracle.weight(graph), reference.weight());
    assertEquals(Oracle.components(graph), reference.components());
    assertEquals(List.of(), MsfVerifier.verify(reference));
  }

  @Property(tries = 150, shrinking = ShrinkingMode.BOUNDED)
  void filterKruskalChoosesTheEdgesOfKruskal(@ForAll("multigraphs") Graph graph) {
    MsfResult result = FilterKruskal.run(graph);
    assertArrayEquals(KruskalReference.run(graph).arcs(), result.arcs());
    assertEquals(List.of(), MsfVerifier.verify(result));
  }

  @Property(tries = 60, shrinking = ShrinkingMode.BOUNDED)
  void filterKruskalOnGeneratedGraphs(@ForAll("specs") String spec) {
    Graph graph = GraphGenerators.generate(spec);
    MsfResult result = FilterKruskal.run(graph);
    assertArrayEquals(KruskalReference.run(graph).arcs(), result.arcs());
    assertEquals(List.of(), MsfVerifier.verify(result));
  }

  private static void check(Graph graph, MsfOptions options, String device) {
    Variants.run(device, graph, options)
        .ifPresent(
            result -> {
              assertEquals(List.of(), MsfVerifier.verify(result), () -> result + " by " + options);
              assertEquals(Oracle.weight(graph), result.weight());
            });
  }

  @Provide
  Arbitrary<MsfOptions> variants() {
    return Arbitraries.of(Variants.all());
  }

  /** Those that have every int. */
  @Provide
  Arbitrary<WeightType> exactTypes() {
    return Arbitraries.of(WeightType.INT, WeightType.LONG, WeightType.DOUBLE);
  }

  @Provide
  Arbitrary<MsfOptions> edgeVariants() {
    return Arbitraries.of(
        Variants.all().stream().filter(each -> each.traversal() == Traversal.EDGE).toList());
  }

  @Provide
  Arbitrary<String> devices() {
    return Arbitraries.of(Variants.devices());
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
            sizes(1, 300).map(n -> "star:n=" + n),
            sizes(1, 300).map(n -> "path:n=" + n),
            sizes(1, 30).map(n -> "complete:n=" + n));
    return Combinators.combine(kinds, Arbitraries.of(WEIGHTS), sizes(1, 1000))
        .as((kind, weights, seed) -> kind + ",weights=" + weights + ",seed=" + seed);
  }

  /** Self-loops, parallel edges, isolated vertices, several components, few different weights. */
  @Provide
  Arbitrary<Graph> multigraphs() {
    return Combinators.combine(sizes(0, 60), sizes(0, 200), sizes(0, 4), Arbitraries.longs())
        .as(MsfProperties::multigraph);
  }

  /** Or edges of which most are parallel to others. */
  @Provide
  Arbitrary<Graph> parallelEdges() {
    return Arbitraries.oneOf(
        multigraphs(),
        Combinators.combine(sizes(2, 6), sizes(0, 200), sizes(0, 2), Arbitraries.longs())
            .as(MsfProperties::multigraph));
  }

  private static Graph multigraph(int vertices, int edges, int spread, long seed) {
    Random random = new Random(seed);
    GraphBuilder builder = new GraphBuilder(vertices, true);
    int[] bounds = {1, 2, 5, 1000, Integer.MAX_VALUE};
    for (int e = 0; e < (vertices == 0 ? 0 : edges); e++) {
      int u = random.nextInt(vertices);
      int v = random.nextInt(4) == 0 ? u : random.nextInt(vertices);
      int weight = random.nextInt(bounds[spread]);
      builder.addEdge(u, v, spread == 4 && random.nextBoolean() ? Integer.MAX_VALUE : weight);
    }
    return builder.build();
  }

  private static Arbitrary<Integer> sizes(int least, int most) {
    return Arbitraries.integers().between(least, most);
  }
}
