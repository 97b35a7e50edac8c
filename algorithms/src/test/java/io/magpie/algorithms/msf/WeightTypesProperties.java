package io.magpie.algorithms.msf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.msf.MsfOptions.Objective;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
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
 * Minimum and maximum forests of graphs with weights of every type: those of a Kruskal over decimal
 * numbers, which knows no types.
 */
class WeightTypesProperties {
  private static final long[] LONGS = {
    Long.MIN_VALUE,
    Long.MIN_VALUE + 1,
    -1L << 32,
    -1,
    0,
    1,
    (1L << 53) + 1,
    1L << 53,
    Long.MAX_VALUE - 1,
    Long.MAX_VALUE
  };
  private static final int[] INTS = {
    Integer.MIN_VALUE, Integer.MIN_VALUE + 1, -2, -1, 0, 1, 7, 7, Integer.MAX_VALUE
  };
  private static final double[] DOUBLES = {
    -Double.MAX_VALUE,
    -1,
    -Double.MIN_NORMAL,
    -Double.MIN_VALUE,
    -0.0,
    0.0,
    Double.MIN_VALUE,
    Double.MIN_NORMAL,
    0.1,
    0.30000000000000004,
    0.3,
    1,
    Math.nextUp(1.0),
    Double.MAX_VALUE
  };
  private static final float[] FLOATS = {
    -Float.MAX_VALUE,
    -1,
    -Float.MIN_VALUE,
    -0.0f,
    0.0f,
    Float.MIN_VALUE,
    Float.MIN_NORMAL,
    0.1f,
    Math.nextUp(0.1f),
    1,
    Float.MAX_VALUE
  };

  @Property(tries = 400, shrinking = ShrinkingMode.BOUNDED)
  void everyVariantFindsABestForest(
      @ForAll("graphs") Graph graph,
      @ForAll Objective objective,
      @ForAll("variants") MsfOptions options,
      @ForAll("devices") String device) {
    Variants.run(device, graph, options.withObjective(objective))
        .ifPresent(
            result -> {
              assertEquals(objective, result.objective());
              assertEquals(List.of(), MsfVerifier.verify(result), () -> result + " by " + options);
              assertSameWeight(weight(graph, chosen(graph, objective)), result);
            });
  }

  @Property(tries = 300, shrinking = ShrinkingMode.BOUNDED)
  void programsWithoutDeviceChooseTheFirstOfEqualEdges(
      @ForAll("graphs") Graph graph, @ForAll Objective objective) {
    int[] expected = chosen(graph, objective);
    for (MsfResult result :
        List.of(
            KruskalReference.run(graph, objective),
            FilterKruskal.run(graph, objective),
            ParallelBoruvka.run(graph, objective))) {
      assertArrayEquals(expected, result.arcs());
      assertSameWeight(weight(graph, expected), result);
      assertEquals(List.of(), MsfVerifier.verify(result));
    }
  }

  private static void assertSameWeight(BigDecimal expected, MsfResult result) {
    assertEquals(
        0, expected.compareTo(result.exactWeight()), () -> expected + " but was " + result);
  }

  private static BigDecimal decimal(Graph graph, int arc) {
    Number weight = graph.exactWeight(arc);
    return weight instanceof Float || weight instanceof Double
        ? new BigDecimal(weight.doubleValue())
        : BigDecimal.valueOf(weight.longValue());
  }

  private static BigDecimal weight(Graph graph, int[] arcs) {
    return Arrays.stream(arcs)
        .mapToObj(arc -> decimal(graph, arc))
        .reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  /** The canonical arcs of the first best forest, ascending. */
  private static int[] chosen(Graph graph, Objective objective) {
    List<Integer> edges = new ArrayList<>();
    for (int arc : graph.canonicalArcs()) {
      edges.add(arc);
    }
    Comparator<Integer> order = Comparator.comparing(arc -> decimal(graph, arc));
    edges.sort(objective == Objective.MINIMUM ? order : order.reversed()); // stable
    int[] component = new int[graph.vertices()];
    Arrays.setAll(component, v -> v);
    List<Integer> chosen = new ArrayList<>();
    for (int arc : edges) {
      int from = component[graph.source(arc)];
      int to = component[graph.neighbors()[arc]];
      if (from != to) {
        chosen.add(arc);
        Arrays.setAll(component, v -> component[v] == from ? to : component[v]);
      }
    }
    return chosen.stream().mapToInt(arc -> arc).sorted().toArray();
  }

  @Provide
  Arbitrary<MsfOptions> variants() {
    return Arbitraries.of(Variants.all());
  }

  @Provide
  Arbitrary<String> devices() {
    return Arbitraries.of(Variants.devices());
  }

  /** Self-loops, parallel edges, several components; extreme, equal, near and arbitrary weights. */
  @Provide
  Arbitrary<Graph> graphs() {
    return Combinators.combine(
            Arbitraries.of(WeightType.class),
            Arbitraries.integers().between(0, 60),
            Arbitraries.integers().between(0, 200),
            Arbitraries.integers().between(0, 3),
            Arbitraries.longs())
        .as(WeightTypesProperties::graph);
  }

  private static Graph graph(WeightType type, int vertices, int edges, int draw, long seed) {
    Random random = new Random(seed);
    GraphBuilder builder = new GraphBuilder(vertices, type);
    for (int e = 0; e < (vertices == 0 ? 0 : edges); e++) {
      int u = random.nextInt(vertices);
      int v = random.nextInt(4) == 0 ? u : random.nextInt(vertices);
      boolean extreme = draw == 0 || draw == 1 && random.nextBoolean();
      switch (type) {
        case INT ->
            builder.addEdge(
                u,
                v,
                extreme
                    ? INTS[random.nextInt(INTS.length)]
                    : draw == 2 ? random.nextInt(7) - 3 : random.nextInt());
        case LONG ->
            builder.addEdge(
                u,
                v,
                extreme
                    ? LONGS[random.nextInt(LONGS.length)]
                    : draw == 2 ? random.nextInt(7) - 3L : random.nextLong());
        case FLOAT ->
            builder.addEdge(
                u,
                v,
                extreme
                    ? FLOATS[random.nextInt(FLOATS.length)]
                    : draw == 2
                        ? random.nextInt(5) / 4f
                        : (float) random.nextGaussian() * (random.nextBoolean() ? 1 : 1e-30f));
        case DOUBLE ->
            builder.addEdge(
                u,
                v,
                extreme
                    ? DOUBLES[random.nextInt(DOUBLES.length)]
                    : draw == 2
                        ? random.nextInt(5) / 4.0
                        : random.nextGaussian() * (random.nextBoolean() ? 1 : 1e-300));
      }
    }
    return builder.build();
  }
}
