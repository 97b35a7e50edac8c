package io.magpie.algorithms.graph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Graphs with weights of each type. */
class WeightTypeTest {
  // 0 - 1 - 2
  private static final Graph PATH = Graph.of(new int[] {0, 1, 3, 4}, new int[] {1, 0, 2, 1}, null);

  private static String message(Runnable action) {
    return assertThrows(RuntimeException.class, action::run).getMessage();
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void whatIsNotFiniteIsRefused(double weight) {
    String expected = "weights[2]=" + weight + " is not a finite number";
    double[] doubles = {1, 1, weight, weight};
    float[] floats = {1, 1, (float) weight, (float) weight};
    assertTrue(message(() -> PATH.withWeights(doubles)).startsWith(expected));
    assertTrue(message(() -> PATH.withWeights(floats)).startsWith(expected));
    GraphBuilder builder = new GraphBuilder(2, WeightType.DOUBLE);
    String built = message(() -> builder.addEdge(0, 1, weight));
    assertTrue(built.startsWith("edge 0 to 1: its weight " + weight), built);
  }

  @Test
  void minusZeroIsZero() {
    double[] mixed = {-0.0, 0.0, 1.5, 1.5};
    Graph graph = PATH.withWeights(mixed);
    Graph same = PATH.withWeights(new double[] {0.0, 0.0, 1.5, 1.5});
    assertEquals(same, graph);
    assertEquals(same.fingerprint(), graph.fingerprint());
    assertArrayEquals(new double[] {0.0, 0.0, 1.5, 1.5}, graph.doubleWeights());
    assertEquals(-0.0, mixed[0]);
    assertEquals(
        0.0f, new GraphBuilder(2, WeightType.FLOAT).addEdge(0, 1, -0.0f).build().floatWeights()[0]);
  }

  @Test
  void weightsOfOneEdgeAreEqual() {
    String message = message(() -> PATH.withWeights(new double[] {0.5, 0.25, 1, 1}));
    assertTrue(message.contains("of weight 0.25 has no arc in the other direction"), message);
    assertEquals(
        "weights must have one entry per arc, 4, but has 1",
        message(() -> PATH.withWeights(new long[1])));
  }

  @Test
  void accessorsOfOtherTypesRefuse() {
    Graph graph = PATH.withWeights(new long[] {1, 1, 1L << 40, 1L << 40});
    assertEquals(WeightType.LONG, graph.weightType());
    assertEquals(1L << 40, graph.exactWeight(2));
    assertTrue(graph.compareWeights(0, 2) < 0);
    assertEquals(0, graph.compareWeights(0, 1));
    for (Runnable read :
        new Runnable[] {
          graph::weights, graph::floatWeights, graph::doubleWeights, () -> graph.weight(0)
        }) {
      assertTrue(message(read).startsWith("the weights are long, not "));
    }
    assertTrue(message(PATH::longWeights).startsWith("the weights are int, not long"));
  }

  @Test
  void conversionsAreExact() {
    Graph doubles = PATH.withWeights(new double[] {-2, -2, 16777217, 16777217});
    assertArrayEquals(
        new int[] {-2, -2, 16777217, 16777217}, doubles.withWeightType(WeightType.INT).weights());
    assertSame(doubles, doubles.withWeightType(WeightType.DOUBLE));
    assertEquals(
        doubles, doubles.withWeightType(WeightType.LONG).withWeightType(WeightType.DOUBLE));
    assertEquals(
        "arc 2 weighs 1.6777217E7, which is no float",
        message(() -> doubles.withWeightType(WeightType.FLOAT)));
    Graph longs = PATH.withWeights(new long[] {1, 1, Long.MAX_VALUE, Long.MAX_VALUE});
    for (WeightType type : new WeightType[] {WeightType.INT, WeightType.FLOAT, WeightType.DOUBLE}) {
      assertEquals(
          "arc 2 weighs 9223372036854775807, which is no " + type,
          message(() -> longs.withWeightType(type)));
    }
  }

  @ParameterizedTest
  @EnumSource(WeightType.class)
  void typesTellGraphsApart(WeightType type) {
    Graph graph = new GraphBuilder(2, type).addEdge(0, 1, 1).build();
    for (WeightType other : WeightType.values()) {
      Graph converted = graph.withWeightType(other);
      if (other != type) {
        assertNotEquals(graph, converted);
        assertNotEquals(graph.fingerprint(), converted.fingerprint());
      }
      assertEquals(graph, converted.withWeightType(type));
    }
    assertFalse(graph.hasNegativeWeights());
    assertTrue(new GraphBuilder(2, type).addEdge(0, 1, -1).build().hasNegativeWeights());
  }

  @Test
  void whatCountsRefusesOthers() {
    Graph negative = Graph.of(PATH.offsets(), PATH.neighbors(), new int[] {3, 3, -4, -4});
    assertEquals(
        "a directed graph has int weights from 0 to 2147483647, or float weights from 0, and arc 2"
            + " weighs -4",
        message(() -> DirectedGraph.of(negative)));
    Graph doubles = PATH.withWeights(new double[] {3, 3, 4, 4});
    assertEquals(
        "a directed graph has int weights from 0 to 2147483647, or float weights from 0, and these"
            + " are double; give them as ints or floats",
        message(() -> DirectedGraph.of(doubles)));
    assertEquals(
        "tests need int weights from 0 to 2147483647, and these are double; give them as ints if"
            + " all are whole numbers of that range",
        message(() -> doubles.requireCounts("tests need")));
    doubles.withWeightType(WeightType.INT).requireCounts("tests need");
  }
}
