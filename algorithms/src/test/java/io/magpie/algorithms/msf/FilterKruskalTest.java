package io.magpie.algorithms.msf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.msf.MsfOptions.Objective;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FilterKruskalTest {
  /**
   * Of equal weights both take the edges of lesser arc, so the edges agree, not only the weight.
   */
  private static void check(Graph graph) {
    for (Objective objective : Objective.values()) {
      MsfResult result = FilterKruskal.run(graph, objective);
      assertEquals(List.of(), MsfVerifier.verify(result), graph::toString);
      MsfResult reference = KruskalReference.run(graph, objective);
      assertArrayEquals(reference.arcs(), result.arcs(), graph::toString);
      assertEquals(List.of(), MsfVerifier.verify(reference, result), graph::toString);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "random:n=500,m=20000,weights=1..100",
        "random:n=500,m=20000,weights=max",
        "random:n=3000,m=1000,weights=1..9",
        "random:n=300,m=9000,weights=none",
        "complete:n=200,weights=7..7",
        "rmat:scale=9,edges=9000,weights=1..1000",
        "star:n=5000",
        "path:n=5000",
        "random:n=500,m=20000,weights=int:-3..3",
        "random:n=500,m=20000,weights=int:-2147483648..2147483647",
        "random:n=500,m=20000,weights=long:-9223372036854775808..9223372036854775807",
        "random:n=500,m=20000,weights=double:-1..1"
      })
  void choosesTheEdgesOfKruskal(String spec) {
    check(GraphGenerators.generate(spec));
  }

  /** Orders that a quicksort may stumble over. */
  @Test
  void sortedWeights() {
    for (IntUnaryOperator weight :
        List.<IntUnaryOperator>of(
            e -> e, e -> 200_000 - e, e -> Math.abs(50_000 - e), e -> e % 97, e -> e / 1000)) {
      GraphBuilder builder = new GraphBuilder(448, true);
      for (int e = 0, u = 0; u < 448; u++) {
        for (int v = u; v < 448; v++, e++) {
          builder.addEdge(u, v, weight.applyAsInt(e));
        }
      }
      check(builder.build());
    }
  }

  @Test
  void nothingToUnite() {
    check(new GraphBuilder(0, true).build());
    check(new GraphBuilder(3, true).build());
    check(new GraphBuilder(1, true).addEdge(0, 0, 3).build());
  }
}
