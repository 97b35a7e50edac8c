package io.magpie.examples.compare;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.magpie.algorithms.components.ComponentsOptions.Output;
import io.magpie.algorithms.components.ComponentsReference;
import io.magpie.algorithms.graph.DirectedGraph;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.paths.PathsOptions.Lengths;
import io.magpie.algorithms.paths.PathsReference;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/** Programs that are compared with are right, too, also where several threads take part. */
class HostBaselinesProperties {
  @Property(tries = 200, shrinking = ShrinkingMode.BOUNDED)
  void componentsAreThoseOfUnionFind(@ForAll("graphs") Graph graph) {
    int[] labels = ComponentsReference.run(graph, Output.LABELS).labels();
    assertArrayEquals(labels, HostComponents.depthFirst(graph));
    assertArrayEquals(labels, HostComponents.hooking(graph));
  }

  @Property(tries = 200, shrinking = ShrinkingMode.BOUNDED)
  void distancesAreThoseOfOneThread(
      @ForAll("digraphs") DirectedGraph graph, @ForAll Random random) {
    int source = random.nextInt(graph.vertices());
    for (Lengths lengths : Lengths.values()) {
      assertArrayEquals(
          PathsReference.run(graph, source, lengths).distances(),
          HostPaths.distances(graph, source, lengths));
    }
  }

  /** From less than a thread's share of vertices to several. */
  @Provide
  Arbitrary<Graph> graphs() {
    return Combinators.combine(
            Arbitraries.of("random:n=%d,m=%d,seed=%d", "path:%d", "star:%d", "road:%d"),
            Arbitraries.integers().between(2, 4000),
            Arbitraries.integers().between(0, 8000),
            Arbitraries.longs().between(0, 1000))
        .as(
            (kind, n, m, seed) ->
                GraphGenerators.generate(String.format(Locale.ROOT, kind, n, m, seed)));
  }

  /** With loops, parallel arcs, and arcs of length 0 and of any other. */
  @Provide
  Arbitrary<DirectedGraph> digraphs() {
    return Combinators.combine(
            Arbitraries.integers().between(1, 2000),
            Arbitraries.integers().between(0, 6000),
            Arbitraries.of(1, 10, Integer.MAX_VALUE),
            Arbitraries.longs())
        .as(HostBaselinesProperties::digraph);
  }

  private static DirectedGraph digraph(int vertices, int arcs, int most, long seed) {
    Random random = new Random(seed);
    int[] offsets = new int[vertices + 1];
    for (int a = 0; a < arcs; a++) {
      offsets[1 + random.nextInt(vertices)]++;
    }
    Arrays.parallelPrefix(offsets, Integer::sum);
    int[] neighbors = random.ints(arcs, 0, vertices).toArray();
    int[] weights = random.ints(arcs, 0, most).toArray();
    return DirectedGraph.of(offsets, neighbors, weights);
  }
}
