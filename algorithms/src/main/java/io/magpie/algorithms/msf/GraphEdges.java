package io.magpie.algorithms.msf;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.WeightType;
import java.util.Objects;

/** The edges of a graph in the order of their canonical arcs. */
final class GraphEdges implements EdgeSource {
  private final Graph graph;
  private int source;
  private int arc;

  GraphEdges(Graph graph) {
    this.graph = Objects.requireNonNull(graph, "graph");
  }

  @Override
  public int vertices() {
    return graph.vertices();
  }

  @Override
  public WeightType weightType() {
    return graph.weightType();
  }

  @Override
  public long edges() {
    return graph.edges();
  }

  @Override
  public void next(EdgeChunk chunk) {
    int[] offsets = graph.offsets();
    int[] neighbors = graph.neighbors();
    for (; arc < neighbors.length && !chunk.isFull(); arc++) {
      while (offsets[source + 1] <= arc) {
        source++;
      }
      int target = neighbors[arc];
      if (target >= source) {
        add(chunk, target);
      }
    }
  }

  private void add(EdgeChunk chunk, int target) {
    switch (weightType()) {
      case INT -> {
        int[] weights = graph.weights();
        chunk.add(arc, source, target, weights == null ? 1 : weights[arc]);
      }
      case LONG -> chunk.add(arc, source, target, graph.longWeights()[arc]);
      case FLOAT -> chunk.add(arc, source, target, graph.floatWeights()[arc]);
      case DOUBLE -> chunk.add(arc, source, target, graph.doubleWeights()[arc]);
    }
  }
}
