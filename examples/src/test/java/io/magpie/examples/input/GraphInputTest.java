package io.magpie.examples.input;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.graph.ReadOptions;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What an input that somebody else adds has without doing anything for it. */
class GraphInputTest {
  private record Ring(int vertices) implements GraphInput {
    @Override
    public String description() {
      return "ring of " + vertices;
    }

    @Override
    public boolean generated() {
      return true;
    }

    @Override
    public Graph graph() {
      GraphBuilder builder = new GraphBuilder(vertices, false);
      for (int v = 0; v < vertices; v++) {
        builder.addEdge(v, (v + 1) % vertices);
      }
      return builder.build();
    }
  }

  private static GraphAdjustments weights(Long seed, String range) {
    return new GraphAdjustments(seed, range, ReadOptions.defaults());
  }

  /** As the message says that misses them. */
  @Test
  void weightsAreDrawnForAGraphOfAnyKind() throws IOException {
    Ring ring = new Ring(9);
    InputException missing = assertThrows(InputException.class, ring::weightedGraph);
    assertTrue(missing.getMessage().contains("--weights 1..1000000 (and --seed)"));

    GraphInput drawn = ring.adjusted(weights(7L, "5..8"));
    assertEquals("ring of 9 with weights 5..8, seed 7", drawn.description());
    assertEquals(7, drawn.seed());
    assertArrayEquals(ring.graph().withWeights(7, 5, 8).weights(), drawn.weightedGraph().weights());
    assertEquals(ring, ring.adjusted(GraphAdjustments.NONE));
  }

  @Test
  void whatHasNoEffectIsRefused() {
    Ring ring = new Ring(9);
    for (GraphAdjustments wrong :
        new GraphAdjustments[] {
          weights(7L, null),
          weights(null, "8..5"),
          new GraphAdjustments(null, null, ReadOptions.defaults().withRelabel(true))
        }) {
      assertThrows(IllegalArgumentException.class, () -> ring.adjusted(wrong));
    }
  }

  @Test
  void countsAreThoseOfGenerators() {
    assertEquals(200_000, Inputs.count("spokes", "200k", 3, 1_000_000));
    String message =
        assertThrows(IllegalArgumentException.class, () -> Inputs.count("spokes", "2", 3, 9))
            .getMessage();
    assertTrue(message.startsWith("spokes '2': expected a whole number"), message);
  }
}
