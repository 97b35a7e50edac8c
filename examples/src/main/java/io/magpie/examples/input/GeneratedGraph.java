package io.magpie.examples.input;

import io.magpie.algorithms.graph.Coordinates;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphGenerator;
import io.magpie.algorithms.graph.GraphGenerators;
import java.util.Optional;

/**
 * A generated graph.
 *
 * @param generator what makes it
 */
public record GeneratedGraph(GraphGenerator generator) implements GraphInput, GeneratedInput {
  /**
   * The graph of a specification, such as {@code road:1000000}.
   *
   * @throws IllegalArgumentException if it is malformed, or the graph is a directed one
   */
  public static GeneratedGraph of(String spec) {
    return new GeneratedGraph(GraphGenerators.parse(spec));
  }

  /**
   * Checks that an undirected graph is made.
   *
   * @throws IllegalArgumentException if it is a directed one
   */
  public GeneratedGraph {
    if (generator.isDirected()) {
      throw new IllegalArgumentException(
          generator.spec()
              + ": is a directed graph; leave out 'directed', or give it by --digraph to a command"
              + " that has it");
    }
  }

  @Override
  public Graph graph() {
    return generator.generate();
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
  public GeneratedGraph adjusted(GraphAdjustments adjustments) {
    return new GeneratedGraph(adjusted(generator, adjustments));
  }

  static GraphGenerator adjusted(GraphGenerator generator, GraphAdjustments adjustments) {
    adjustments.requireGenerated();
    GraphGenerator adjusted = generator;
    if (adjustments.seed() != null) {
      adjusted = adjusted.with("seed", adjustments.seed().toString());
    }
    if (adjustments.weights() != null) {
      adjusted = adjusted.with("weights", adjustments.weights());
    }
    return adjusted;
  }

  @Override
  public GeneratedGraph unweightedByDefault() {
    return generator.has("weights") ? this : new GeneratedGraph(generator.with("weights", "none"));
  }
}
