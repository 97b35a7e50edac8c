package io.magpie.examples.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.msf.KruskalReference;
import io.magpie.algorithms.msf.MsfOptions.Objective;
import io.magpie.examples.input.InputException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class JGraphTKruskalTest {
  private static Graph path(long... weights) {
    GraphBuilder builder = new GraphBuilder(weights.length + 1, WeightType.LONG);
    for (int v = 0; v < weights.length; v++) {
      builder.addEdge(v, v + 1, weights[v]);
    }
    return builder.build();
  }

  private static Optional<String> mistake(Graph graph, Objective objective) {
    return new JGraphTKruskal(KruskalReference.run(graph, objective)).run().mistake().get();
  }

  /** A sum of doubles loses the 1 and is less than 2^53. */
  @ParameterizedTest
  @EnumSource(Objective.class)
  void weightsOfBothSignsAreAddedUpExactly(Objective objective) {
    assertEquals(Optional.empty(), mistake(path(1L << 60, 1, -(1L << 60)), objective));
    assertEquals(Optional.empty(), mistake(path(-(1L << 60), 1, 1L << 60), objective));
  }

  @ParameterizedTest
  @EnumSource(Objective.class)
  void weightsOfOneSignAreAddedUp(Objective objective) {
    assertEquals(Optional.empty(), mistake(path(1, 2, 1L << 52), objective));
    assertEquals(Optional.empty(), mistake(path(1L << 53, 1, 1), objective));
    assertEquals(Optional.empty(), mistake(path(-7, -8), objective));
  }

  /** 2^53 + 1 is the least whole number that is no double, and 2^63 - 1 the largest. */
  @Test
  void longsThatAreNoDoublesAreRefused() {
    JGraphTKruskal.requireDoubles(path(1L << 53, Long.MIN_VALUE), "g");
    for (long weight : new long[] {(1L << 53) + 1, Long.MAX_VALUE}) {
      InputException e =
          assertThrows(
              InputException.class, () -> JGraphTKruskal.requireDoubles(path(5, weight), "g"));
      assertEquals(
          "g: JGraphT's weights are doubles, but arc 2 weighs "
              + weight
              + ", which is not exactly representable as a double; leave out jgrapht",
          e.getMessage());
    }
  }
}
