package io.magpie.examples.input;

import io.magpie.algorithms.graph.DirectedGraph;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.ReadOptions;
import java.io.IOException;

/** Where an undirected graph comes from. */
public interface GraphInput extends DirectedGraphInput {
  /**
   * Reads or generates the graph.
   *
   * @throws IOException if a file cannot be read or is malformed
   * @throws InputException if it does not suit what was asked for
   */
  Graph graph() throws IOException;

  /**
   * Reads or generates the graph, which must have weights.
   *
   * @throws IOException if a file cannot be read or is malformed
   * @throws InputException if it has no weights
   */
  default Graph weightedGraph() throws IOException {
    Graph graph = graph();
    if (!graph.weighted()) {
      throw new InputException(
          description()
              + ": the graph has no weights; draw some with --weights 1..1000000 (and --seed), or"
              + " make all equal with --weights 1..1");
    }
    return graph;
  }

  /** The number that the input gives its first vertex, if it numbers them at all: 0 or 1. */
  default int firstVertex() throws IOException {
    return 0;
  }

  /** The graph with two arcs for each edge. */
  @Override
  default DirectedGraph directedGraph() throws IOException {
    return DirectedGraph.of(graph());
  }

  /**
   * The same input, adjusted. Unless a kind of input has more, weights are drawn, where it has
   * none, and that is all.
   *
   * @throws IllegalArgumentException if it cannot be adjusted so; the message is for users
   */
  @Override
  default GraphInput adjusted(GraphAdjustments adjustments) {
    if (!adjustments.reading().equals(ReadOptions.defaults())) {
      throw new IllegalArgumentException(
          description()
              + " takes none of --weight-scale, --relabel, --unit-weights and --format; leave them"
              + " out");
    }
    return adjustments.equals(GraphAdjustments.NONE) ? this : new DrawnWeights(this, adjustments);
  }

  /**
   * The same, but where weights are a choice that was left open, there are none: for algorithms
   * that take weights or leave them.
   */
  default GraphInput unweightedByDefault() {
    return this;
  }
}
