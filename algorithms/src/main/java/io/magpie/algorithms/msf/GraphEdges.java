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
    EdgeChunk.requireNarrow(graph.weightType());
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
    boolean ints = weightType() == WeightType.INT;
    int[] intWeights = ints ? graph.weights() : null;
    float[] floatWeights = ints ? null : graph.floatWeights();
    for (; arc < neighbors.length && !chunk.isFull(); arc++) {
      while (offsets[source + 1] <= arc) {
        source++;
      }
      int target = neighbors[arc];
      if (target > source) {
        if (ints) {
          chunk.add(arc, source, target, intWeights == null ? 1 : intWeights[arc]);
        } else {
          chunk.add(arc, source, target, floatWeights[arc]);
        }
      }
    }
  }
}
