package io.magpie.algorithms.jgrapht;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.graph.Graph;
import java.util.List;
import org.jgrapht.graph.DefaultDirectedGraph;
import org.jgrapht.graph.DefaultEdge;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.Pseudograph;
import org.jgrapht.graph.SimpleWeightedGraph;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NumberedGraphTest {
  private static SimpleWeightedGraph<String, DefaultWeightedEdge> streets(double weight) {
    SimpleWeightedGraph<String, DefaultWeightedEdge> streets =
        new SimpleWeightedGraph<>(DefaultWeightedEdge.class);
    List.of("north", "east", "south").forEach(streets::addVertex);
    streets.setEdgeWeight(streets.addEdge("north", "south"), weight);
    streets.setEdgeWeight(streets.addEdge("south", "east"), 7);
    return streets;
  }

  @Test
  void numbersVerticesInTheirOrderAndKeepsWeights() {
    NumberedGraph<String> numbered = NumberedGraph.of(streets(5), String::length);
    Graph graph = numbered.graph();
    assertEquals(List.of("north", "east", "south"), numbered.vertices());
    assertEquals(2, numbered.number("south"));
    assertArrayEquals(new int[] {5, 4, 5}, graph.vertexWeights());
    assertEquals(2, graph.edges());
    assertEquals(2, graph.neighbors()[graph.offsets()[0]]);
    assertEquals(5, graph.weight(graph.offsets()[0]));
    assertTrue(numbered.contains("east"));
    assertFalse(numbered.contains("west"));
    assertThrows(IllegalArgumentException.class, () -> numbered.number("west"));
  }

  @Test
  void keepsSelfLoopsAndParallelEdges() {
    Pseudograph<Integer, DefaultEdge> original = new Pseudograph<>(DefaultEdge.class);
    original.addVertex(8);
    original.addVertex(9);
    original.addEdge(8, 8);
    original.addEdge(8, 9);
    original.addEdge(9, 8);
    Graph graph = NumberedGraph.of(original).graph();
    assertEquals(3, graph.edges());
    assertEquals(5, graph.arcs());
    assertFalse(graph.weighted());
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.5, -1, 2147483648.0, Double.NaN, Double.POSITIVE_INFINITY})
  void refusesWeightsThatAreNoWholeNumbers(double weight) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> NumberedGraph.of(streets(weight)))
            .getMessage();
    assertTrue(message.startsWith("edge (north : south) weighs " + weight), message);
  }

  @Test
  void refusesDirectedGraphs() {
    assertThrows(
        IllegalArgumentException.class,
        () -> NumberedGraph.of(new DefaultDirectedGraph<Integer, DefaultEdge>(DefaultEdge.class)));
  }
}
