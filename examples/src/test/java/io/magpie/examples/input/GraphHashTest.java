package io.magpie.examples.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.graph.WeightType;
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

  @Test
  void typesAndNegativeWeightsCount() {
    Set<String> hashes = new TreeSet<>();
    for (WeightType type : WeightType.values()) {
      for (int weight : new int[] {1, -1}) {
        GraphBuilder builder = new GraphBuilder(2, type).addEdge(0, 1, weight);
        hashes.add(GraphHash.of(builder.build()));
      }
    }
    assertEquals(8, hashes.size(), hashes.toString());
    double[] many = new double[40_000];
    Graph path = GraphGenerators.generate("path:20001,weights=none");
    String one = GraphHash.of(path.withWeights(new double[40_000]));
    many[0] = 0.5;
    many[1] = 0.5;
    String other = GraphHash.of(path.withWeights(many));
    assertNotEquals(one, other);
    many[0] = 0;
    many[1] = 0;
    many[39_998] = 0.5;
    many[39_999] = 0.5;
    assertNotEquals(one, GraphHash.of(path.withWeights(many)));
  }
}
