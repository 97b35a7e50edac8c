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
    GeneratedEdges taken = weighted || edges.has("weights") ? edges : edges.with("weights", "none");
    WeightType type = taken.weightType();
    boolean onDevice = type == WeightType.INT || type == WeightType.FLOAT;
    return () -> onDevice ? EdgeSource.of(taken) : EdgeSource.inJava(taken);
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
