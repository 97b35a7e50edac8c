package io.magpie.examples.input;

import io.magpie.algorithms.graph.DirectedGraph;
import io.magpie.algorithms.graph.FileWeights;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.resident.ResidentGraph;
import io.magpie.stm.Device;
import java.io.IOException;
import java.util.Optional;

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
      throw noWeights(description());
    }
    return graph;
  }

  /** Refuses a graph without weights. */
  static InputException noWeights(String description) {
    return new InputException(
        description
            + ": the graph has no weights; draw some with --weights 1..1000000 (and --seed), or"
            + " make all equal with --weights 1..1");
  }

  /**
   * Reads the graph to a device by way of no Java array, where the input is a file that comes there
   * so.
   *
   * @param unitWeights whether weights are left out, which are checked nevertheless
   * @return empty where {@link #graph} has to read it
   * @throws IOException if it cannot be read or is malformed
   * @throws InputException if it does not suit what was asked for
   */
  default Optional<ResidentGraph> residentGraph(Device device, boolean unitWeights)
      throws IOException {
    return Optional.empty();
  }

  /** The number that the input gives its first vertex, if it numbers them at all: 0 or 1. */
  default int firstVertex() throws IOException {
    return 0;
  }

  /**
   * Reads or generates the graph, whose weights, if it has any, must be ints from 0.
   *
   * @param who what needs them, such as {@code "partitioning needs"}
   * @throws IOException if a file cannot be read or is malformed
   * @throws InputException if it has other weights
   */
  default Graph countedGraph(String who) throws IOException {
    Graph graph = graph();
    try {
      graph.requireCounts(who);
    } catch (IllegalArgumentException e) {
      throw new InputException(description() + ": " + e.getMessage(), e);
    }
    return graph;
  }

  /** The graph with two arcs for each edge, with ints or floats from 0 if it has weights. */
  @Override
  default DirectedGraph directedGraph() throws IOException {
    Graph graph = graph();
    try {
      return DirectedGraph.of(graph);
    } catch (IllegalArgumentException e) {
      throw new InputException(description() + ": " + e.getMessage(), e);
    }
  }

  @Override
  default GraphInput withLengths(FileWeights weights) {
    return withWeights(weights);
  }

  /**
   * The same input, adjusted. Unless a kind of input has more, weights are drawn, where it has
   * none, and that is all.
   *
   * @throws IllegalArgumentException if it cannot be adjusted so; the message is for users
   */
  @Override
  default GraphInput adjusted(GraphAdjustments adjustments) {
    if (!adjustments.readsByDefault()) {
      throw new IllegalArgumentException(
          GraphAdjustments.refusal(
              adjustments.ofFiles(),
              " has no effect on " + description(),
              " have no effect on " + description()));
    }
    return adjustments.isNone() ? this : new DrawnWeights(this, adjustments);
  }

  /**
   * The same, but weights of a file are read so, and not as ints from 0 alone: for algorithms that
   * take others. Has no effect on what is no file.
   */
  default GraphInput withWeights(FileWeights weights) {
    return this;
  }

  /**
   * The same, but where weights are a choice that was left open, there are none: for algorithms
   * that take weights or leave them.
   */
  default GraphInput unweightedByDefault() {
    return this;
  }
}
