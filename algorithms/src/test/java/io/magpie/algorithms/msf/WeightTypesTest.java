package io.magpie.algorithms.msf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.msf.MsfOptions.Objective;
import io.magpie.stm.Device;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Totals that an addition would round, and keys that only ranks can be. */
class WeightTypesTest {
  private static final MsfOptions MAXIMUM = MsfOptions.defaults().withObjective(Objective.MAXIMUM);

  private static GraphBuilder path(int edges, WeightType type) {
    return new GraphBuilder(edges + 1, type);
  }

  private static MsfResult run(Graph graph) {
    try (Device device = Device.open("cpu:2")) {
      return MinimumSpanningForest.run(device, graph, MsfOptions.defaults());
    }
  }

  @Test
  void sumsOfLongsBeyondALongAreExact() {
    Graph graph =
        path(3, WeightType.LONG)
            .addEdge(0, 1, Long.MAX_VALUE)
            .addEdge(1, 2, Long.MAX_VALUE)
            .addEdge(2, 3, 5L)
            .build();
    MsfResult result = run(graph);
    BigInteger expected =
        BigInteger.valueOf(Long.MAX_VALUE).shiftLeft(1).add(BigInteger.valueOf(5));
    assertEquals(expected, result.exactWeight().toBigIntegerExact());
    ArithmeticException refused = assertThrows(ArithmeticException.class, result::weight);
    assertTrue(refused.getMessage().contains("exactWeight"), refused.getMessage());
  }

  @Test
  void sumsOfDoublesAreNotRounded() {
    Graph graph =
        path(4, WeightType.DOUBLE)
            .addEdge(0, 1, 1e300)
            .addEdge(1, 2, Double.MIN_VALUE)
            .addEdge(2, 3, -1e300)
            .addEdge(3, 4, 0.1)
            .build();
    MsfResult result = run(graph);
    assertEquals(
        0,
        new BigDecimal(Double.MIN_VALUE).add(new BigDecimal(0.1)).compareTo(result.exactWeight()));
    assertEquals(0.1, result.exactWeight().doubleValue());
    assertThrows(ArithmeticException.class, result::weight);
  }

  @Test
  void sumsOfDoublesBeyondADoubleAreExact() {
    Graph graph =
        path(2, WeightType.DOUBLE)
            .addEdge(0, 1, Double.MAX_VALUE)
            .addEdge(1, 2, Double.MAX_VALUE)
            .build();
    BigDecimal weight = run(graph).exactWeight();
    assertEquals(
        0, new BigDecimal(Double.MAX_VALUE).multiply(BigDecimal.valueOf(2)).compareTo(weight));
    assertEquals(Double.POSITIVE_INFINITY, weight.doubleValue());
  }

  @Test
  void negativeIntsThatSpanAllValues() {
    Graph graph =
        new GraphBuilder(3, WeightType.INT)
            .addEdge(0, 1, Integer.MIN_VALUE)
            .addEdge(1, 2, Integer.MAX_VALUE)
            .addEdge(0, 2, -1)
            .build();
    MsfResult result = run(graph);
    assertEquals((long) Integer.MIN_VALUE - 1, result.weight());
  }

  /** -0.0 and 0.0 are equal, so of three such edges the first two are taken. */
  @Test
  void zerosAreEqual() {
    double[] weights = {0.0, -0.0, -0.0, 0.0, 0.0, -0.0};
    Graph graph =
        Graph.of(new int[] {0, 2, 4, 6}, new int[] {1, 2, 0, 2, 0, 1}, null).withWeights(weights);
    for (Objective objective : Objective.values()) {
      assertArrayEquals(new int[] {0, 1}, KruskalReference.run(graph, objective).arcs());
    }
    assertEquals(-0.0, weights[1]); // not changed, but copied
  }

  @ParameterizedTest
  @ValueSource(strings = {"cpu:2", "sim:2:4"})
  void oneInstanceServesBothObjectives(String name) {
    Graph graph = GraphGenerators.generate("random:n=200,m=900,weights=1..50");
    try (Device device = Device.open(name)) {
      for (Objective first : Objective.values()) {
        try (MinimumSpanningForest forest = new MinimumSpanningForest(device, graph, first)) {
          for (Objective objective :
              List.of(Objective.MINIMUM, Objective.MAXIMUM, Objective.MAXIMUM, Objective.MINIMUM)) {
            MsfResult result = forest.run(MsfOptions.defaults().withObjective(objective));
            assertEquals(List.of(), MsfVerifier.verify(result));
            assertEquals(KruskalReference.run(graph, objective).weight(), result.weight());
          }
        }
      }
    }
  }

  /** Many different doubles of both signs, whose keys are ranks. */
  @Test
  void manyDifferentDoubles() {
    Graph plain = GraphGenerators.generate("random:n=5000,m=60000,weights=none");
    Random random = new Random(11);
    GraphBuilder builder = new GraphBuilder(plain.vertices(), WeightType.DOUBLE);
    for (int arc : plain.canonicalArcs()) {
      builder.addEdge(
          plain.source(arc),
          plain.neighbors()[arc],
          random.nextGaussian() * Math.pow(10, random.nextInt(600) - 300));
    }
    Graph graph = builder.build();
    try (Device device = Device.open("cpu:2")) {
      for (MsfOptions options : List.of(MsfOptions.defaults(), MAXIMUM)) {
        MsfResult result = MinimumSpanningForest.run(device, graph, options);
        assertEquals(List.of(), MsfVerifier.verify(result));
        assertArrayEquals(
            KruskalReference.run(graph, options.objective()).arcs(),
            result.arcs(),
            "no two weights are equal");
      }
    }
  }

  /** Groups of thousands of equal weights, whose keys are ranks; zeros of both signs in one. */
  @ParameterizedTest
  @EnumSource(WeightType.class)
  void fewDifferentWeights(WeightType type) {
    Graph plain = GraphGenerators.generate("random:n=3000,m=40000,weights=none");
    Random random = new Random(5);
    double[] reals = {-1e30, -0.0, 0.0, 3e38};
    long[] longs = {Long.MIN_VALUE, 0, Long.MAX_VALUE};
    GraphBuilder builder = new GraphBuilder(plain.vertices(), type);
    for (int arc : plain.canonicalArcs()) {
      int u = plain.source(arc);
      int v = plain.neighbors()[arc];
      double real = reals[random.nextInt(reals.length)];
      long whole = longs[random.nextInt(longs.length)];
      switch (type) {
        case INT -> builder.addEdge(u, v, (int) (whole >> 32));
        case LONG -> builder.addEdge(u, v, whole);
        case FLOAT -> builder.addEdge(u, v, (float) real);
        case DOUBLE -> builder.addEdge(u, v, real);
      }
    }
    Graph graph = builder.build();
    try (Device device = Device.open("cpu:2")) {
      for (MsfOptions options : List.of(MsfOptions.defaults(), MAXIMUM)) {
        MsfResult result = MinimumSpanningForest.run(device, graph, options);
        assertEquals(List.of(), MsfVerifier.verify(result));
      }
    }
  }

  @Test
  void theVerifierSeesAForestThatIsNotLargest() {
    Graph graph =
        new GraphBuilder(3, WeightType.DOUBLE)
            .addEdge(0, 1, 0.1)
            .addEdge(1, 2, 0.2)
            .addEdge(0, 2, 0.30000000000000004)
            .build();
    MsfResult least = KruskalReference.run(graph, Objective.MINIMUM);
    MsfResult called =
        new MsfResult(
            graph,
            ArcSet.of(least.arcs()),
            least.labels(),
            least.exactWeight(),
            Objective.MAXIMUM,
            null);
    List<String> wrong = MsfVerifier.verify(called);
    assertEquals(1, wrong.size(), wrong::toString);
    assertTrue(wrong.get(0).contains("a largest one"), wrong::toString);
  }
}
