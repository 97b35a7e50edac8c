package io.magpie.examples.input;

import io.magpie.algorithms.graph.Coordinates;
import io.magpie.algorithms.graph.DirectedGraph;
import io.magpie.algorithms.graph.FileWeights;
import java.io.IOException;
import java.util.Optional;

/**
 * Where a directed graph comes from. An undirected one is a directed one, too, with two arcs for
 * each edge, so whatever takes this takes every {@link GraphInput}.
 */
public interface DirectedGraphInput extends Input {
  /**
   * Reads or generates the graph.
   *
   * @throws IOException if a file cannot be read or is malformed
   * @throws InputException if it does not suit what was asked for
   */
  DirectedGraph directedGraph() throws IOException;

  /**
   * Reads or generates the graph, which must have weights.
   *
   * @throws IOException if a file cannot be read or is malformed
   * @throws InputException if it has no weights
   */
  default DirectedGraph weightedDirectedGraph() throws IOException {
    DirectedGraph graph = directedGraph();
    if (!graph.weighted()) {
      throw new InputException(
          description()
              + ": the graph has no weights; draw some with --weights 1..1000000 (and --seed), or"
              + " make all equal with --weights 1..1");
    }
    return graph;
  }

  /** Whether every arc is to weigh 1, whatever the input says. */
  default boolean unitWeights() {
    return false;
  }

  /**
   * The same, but weights are not read where they need not be: for algorithms that do not use them.
   */
  default DirectedGraphInput withUnitWeights() {
    return this;
  }

  /**
   * The same with weights of a file read as lengths of arcs; the same if it is not a file.
   *
   * @param weights {@link FileWeights#COUNTS} or {@link FileWeights#LENGTHS}
   */
  default DirectedGraphInput withLengths(FileWeights weights) {
    return this;
  }

  /** Whether {@link #coordinates()} gives any. */
  default boolean hasCoordinates() {
    return false;
  }

  /** Where the vertices lie, if that is known; computed at each call. */
  default Optional<Coordinates> coordinates() {
    return Optional.empty();
  }

  /**
   * The same input, adjusted. Unless a kind of input has more, it takes nothing.
   *
   * @throws IllegalArgumentException if it cannot be adjusted so; the message is for users
   */
  default DirectedGraphInput adjusted(GraphAdjustments adjustments) {
    if (!adjustments.isNone()) {
      throw new IllegalArgumentException(
          GraphAdjustments.refusal(
              adjustments.all(),
              " has no effect on " + description(),
              " have no effect on " + description()));
    }
    return this;
  }
}
