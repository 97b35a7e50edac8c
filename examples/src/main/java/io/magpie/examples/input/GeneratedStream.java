package io.magpie.examples.input;

import io.magpie.algorithms.graph.GeneratedEdges;

/**
 * Generated edges that come one by one, without a graph.
 *
 * @param edges what computes them
 */
public record GeneratedStream(GeneratedEdges edges) implements Input {
  /**
   * The edges of a specification, such as {@code rmat:scale=20,edges=10G}.
   *
   * @throws IllegalArgumentException if it is malformed, or of a kind that has no edges one by one
   */
  public static GeneratedStream of(String spec) {
    return new GeneratedStream(GeneratedEdges.parse(spec));
  }

  @Override
  public String description() {
    return edges.spec();
  }

  @Override
  public boolean generated() {
    return true;
  }

  /**
   * The same edges, adjusted.
   *
   * @throws IllegalArgumentException if they cannot be adjusted so; the message is for users
   */
  public GeneratedStream adjusted(GraphAdjustments adjustments) {
    adjustments.requireGenerated();
    GeneratedEdges adjusted = edges;
    if (adjustments.seed() != null) {
      adjusted = adjusted.with("seed", adjustments.seed().toString());
    }
    if (adjustments.weights() != null) {
      adjusted = adjusted.with("weights", adjustments.weights());
    }
    return new GeneratedStream(adjusted);
  }
}
