package io.magpie.examples.input;

import io.magpie.algorithms.graph.Coordinates;
import io.magpie.algorithms.graph.DirectedGraph;
import io.magpie.algorithms.graph.GraphGenerator;
import io.magpie.algorithms.graph.GraphGenerators;
import java.util.Optional;

/**
 * A generated graph as a directed one.
 *
 * @param generator what makes it
 */
public record GeneratedDirectedGraph(GraphGenerator generator)
    implements DirectedGraphInput, GeneratedInput {
  /**
   * The graph of a specification, such as {@code rmat:scale=20,directed}.
   *
   * @throws IllegalArgumentException if it is malformed
   */
  public static GeneratedDirectedGraph of(String spec) {
    return new GeneratedDirectedGraph(GraphGenerators.parse(spec));
  }

  @Override
  public DirectedGraph directedGraph() {
    try {
      return generator.generateDirected();
    } catch (IllegalArgumentException e) { // drawn weights that are of another type
      throw new InputException(description() + ": " + e.getMessage(), e);
    }
  }

  @Override
  public boolean hasCoordinates() {
    return generator.hasCoordinates();
  }

  @Override
  public Optional<Coordinates> coordinates() {
    return generator.coordinates();
  }

  @Override
  public GeneratedDirectedGraph adjusted(GraphAdjustments adjustments) {
    return new GeneratedDirectedGraph(GeneratedGraph.adjusted(generator, adjustments));
  }
}
