package io.magpie.algorithms.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Weights that are drawn from a range of any type. */
class WeightRangeTest {
  private static final Graph PLAIN = GraphGenerators.generate("complete:n=80,weights=none");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "int:-5..5",
        "int:-2147483648..2147483647",
        "long:-9223372036854775808..9223372036854775807",
        "long:0..9223372036854775807",
        "long:7..7",
        "float:-0.5..0.5",
        "float:0.0..3.4028235E38",
        "double:0.0..1.0",
        "double:-1.7976931348623157E308..1.7976931348623157E308",
        "double:0.1..0.1"
      })
  void weightsLieInTheRangeAndAreSpreadOverIt(String text) {
    WeightRange range = WeightRange.parse(text);
    assertEquals(text, range.toString());
    Graph graph = PLAIN.withWeights(7, range);
    assertEquals(range.type(), graph.weightType());
    double least = range.least().doubleValue();
    double width = range.largest().doubleValue() / 2 - least / 2;
    Set<Number> different = new HashSet<>();
    int[] quarters = new int[4];
    for (int arc : graph.canonicalArcs()) {
      Number weight = graph.exactWeight(arc);
      different.add(weight);
      double place = width == 0 ? 0 : (weight.doubleValue() / 2 - least / 2) / width;
      assertTrue(place >= 0 && place <= 1, () -> weight + " is not in " + text);
      quarters[(int) Math.min(3, 4 * place)]++;
      assertEquals(weight, graph.exactWeight(graph.reverse(arc)));
    }
    if (width > 0) {
      assertTrue(different.size() >= 11, () -> different.size() + " weights");
      for (int quarter : quarters) {
        assertTrue(quarter > graph.edges() / 8, text);
      }
    }
    assertEquals(graph, PLAIN.withWeights(7, range));
    assertEquals(graph, GraphGenerators.generate("complete:n=80,seed=7,weights=" + text));
    if (width > 0) {
      assertNotEquals(graph, PLAIN.withWeights(8, range));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1..5",
        ":1..5",
        "byte:1..5",
        "int:5",
        "int:5..1",
        "int:0..2147483648",
        "int:0..0.5",
        "long:0..9223372036854775808",
        "double:0..NaN",
        "double:0..Infinity",
        "double:0..1e309",
        "float:0..1e39",
        "double:..1",
        "double:0.."
      })
  void othersAreRefused(String text) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> WeightRange.parse(text));
    assertTrue(e.getMessage().startsWith("weights '" + text + "': expected"), e.getMessage());
    if (WeightRange.namesType(text)) {
      assertThrows(
          IllegalArgumentException.class, () -> GraphGenerators.parse("path:9,weights=" + text));
    }
  }

  @Test
  void endsAreOfTheType() {
    assertThrows(IllegalArgumentException.class, () -> new WeightRange(WeightType.INT, 0, 0.5));
    assertThrows(
        IllegalArgumentException.class, () -> new WeightRange(WeightType.DOUBLE, 0, Double.NaN));
    assertThrows(IllegalArgumentException.class, () -> new WeightRange(WeightType.LONG, 0, 9.3e18));
    assertThrows(
        IllegalArgumentException.class,
        () -> new WeightRange(WeightType.LONG, 0, BigInteger.TWO.pow(64)));
    assertThrows(IllegalArgumentException.class, () -> new WeightRange(WeightType.INT, null, 5));
  }

  @Test
  void endsBecomeNumbersOfTheType() {
    assertEquals(new WeightRange(WeightType.INT, 0, 5), new WeightRange(WeightType.INT, 0L, 5.0));
    assertEquals(
        new WeightRange(WeightType.DOUBLE, 0.0, 1.0), new WeightRange(WeightType.DOUBLE, -0.0, 1));
    assertEquals("double:0.0..1.0", new WeightRange(WeightType.DOUBLE, 0, 1).toString());
    assertEquals("float:2.0..3.0", new WeightRange(WeightType.FLOAT, 2, 3L).toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"0..2147483647", "1..100", "7..7", "0..1"})
  void intsFromZeroAreThoseOfRangesWithoutType(String ends) {
    assertEquals(
        GraphGenerators.generate("complete:n=80,seed=7,weights=" + ends),
        GraphGenerators.generate("complete:n=80,seed=7,weights=int:" + ends));
  }

  @Test
  void directedGraphsCount() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> GraphGenerators.parse("random:n=9,m=9,directed,weights=double:0..1"));
    assertTrue(e.getMessage().contains("ints or floats from 0"), e.getMessage());
    for (String negative : List.of("int:-1..1", "float:-1..1")) {
      assertThrows(
          IllegalArgumentException.class,
          () -> GraphGenerators.parse("random:n=9,m=9,directed,weights=" + negative));
    }
    assertEquals(
        WeightType.FLOAT,
        GraphGenerators.parse("random:n=9,m=9,directed,weights=float:0..1")
            .generateDirected()
            .weightType());
    assertThrows(
        IllegalArgumentException.class,
        () -> GraphGenerators.parse("path:9,weights=double:0..1").generateDirected());
  }
}
