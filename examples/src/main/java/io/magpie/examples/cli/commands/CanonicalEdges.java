package io.magpie.examples.cli.commands;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.msf.EdgeChunk;
import io.magpie.algorithms.msf.EdgeSource;

/** All edges of a graph, self-loops included, numbered by their canonical arcs. */
final class CanonicalEdges implements EdgeSource {
  private final Graph graph;
  private int source;
  private int arc;

  CanonicalEdges(Graph graph) {
    this.graph = graph;
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
      if (neighbors[arc] >= source) {
        add(chunk, neighbors[arc]);
      }
    }
  }

  private void add(EdgeChunk chunk, int target) {
    switch (weightType()) {
      case INT -> chunk.add(arc, source, target, graph.weighted() ? graph.weights()[arc] : 1);
      case LONG -> chunk.add(arc, source, target, graph.longWeights()[arc]);
      case FLOAT -> chunk.add(arc, source, target, graph.floatWeights()[arc]);
      case DOUBLE -> chunk.add(arc, source, target, graph.doubleWeights()[arc]);
    }
  }
}
