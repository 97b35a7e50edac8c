package io.magpie.algorithms.msf;

import io.magpie.algorithms.graph.GeneratedEdges;
import io.magpie.algorithms.graph.WeightType;
import java.util.Objects;

/** Generated edges in the order of their numbers. */
final class ComputedInJava implements EdgeSource {
  private final GeneratedEdges edges;
  private long next;

  ComputedInJava(GeneratedEdges edges) {
    this.edges = Objects.requireNonNull(edges, "edges");
  }

  @Override
  public int vertices() {
    return edges.vertices();
  }

  @Override
  public WeightType weightType() {
    return edges.weightType();
  }

  @Override
  public long edges() {
    return edges.count();
  }

  @Override
  public void next(EdgeChunk chunk) {
    int count = (int) Math.min(chunk.capacity(), edges.count() - next);
    edges.fill(next, count, chunk.sources(), chunk.targets(), chunk.weights());
    chunk.setConsecutive(next, count);
    next += count;
  }
}
