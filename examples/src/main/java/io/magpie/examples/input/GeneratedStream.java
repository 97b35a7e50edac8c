package io.magpie.examples.input;

import io.magpie.algorithms.graph.GeneratedEdges;
import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.msf.EdgeSource;

/**
 * Generated edges that come one by one, without a graph.
 *
 * @param edges what computes them
 */
public record GeneratedStream(GeneratedEdges edges) implements EdgeStream {
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

  /** Where weights have 32 bits, the device computes the edges. */
  @Override
  public Passes open(boolean weighted) {
    WeightType type = edges.weightType();
    boolean onDevice = type == WeightType.INT || type == WeightType.FLOAT;
    return () -> onDevice ? EdgeSource.of(edges) : EdgeSource.inJava(edges);
  }

  /** The same edges, but where weights are a choice that was left open, there are none. */
  public GeneratedStream unweightedByDefault() {
    return edges.has("weights") ? this : new GeneratedStream(edges.with("weights", "none"));
  }

  @Override
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
