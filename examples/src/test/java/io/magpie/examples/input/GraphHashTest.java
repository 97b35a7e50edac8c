package io.magpie.examples.input;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.graph.GraphGenerators;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class GraphHashTest {
  /** Two vertices and an edge between them. */
  private static Graph pair(int edgeWeight, int... vertexWeights) {
    GraphBuilder builder = new GraphBuilder(2, edgeWeight > 0);
    if (edgeWeight > 0) {
      builder.addEdge(0, 1, edgeWeight);
    } else {
      builder.addEdge(0, 1);
    }
    if (vertexWeights.length > 0) {
      builder.vertexWeights(vertexWeights);
    }
    return builder.build();
  }

  /** As many arcs as vertices, so that the weights of both are equally long. */
  @Test
  void everyWeightCounts() {
    List<Graph> different =
        List.of(
            pair(0), pair(5), pair(6), pair(0, 5, 5), pair(0, 5, 6), pair(5, 5, 5), pair(5, 6, 5));
    Set<String> hashes = new TreeSet<>();
    different.forEach(graph -> hashes.add(GraphHash.of(graph)));
    assertEquals(different.size(), hashes.size(), hashes.toString());
    assertEquals(GraphHash.of(pair(5, 6, 5)), GraphHash.of(pair(5, 6, 5)));
  }

  /** As in the records of results. */
  @Test
  void aGraphWithoutVertexWeightsKeepsItsHash() {
    assertEquals(
        "sha256:eb01aa08e6950800f47220da67b6f6e5498d4186668f4054083928047ce69fcb",
        GraphHash.of(GraphGenerators.generate("ba:n=30000,d=8,seed=1,weights=none")));
  }
}
