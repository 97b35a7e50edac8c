package io.magpie.algorithms.msf;

import io.magpie.algorithms.graph.WeightType;
import java.util.Iterator;
import java.util.Objects;

/** The edges of an iterator. */
final class IteratedEdges implements EdgeSource {
  private final int vertices;
  private final WeightType weightType;
  private final Iterator<Edge> edges;

  IteratedEdges(int vertices, WeightType weightType, Iterator<Edge> edges) {
    if (vertices < 0) {
      throw new IllegalArgumentException("the number of vertices is negative: " + vertices);
    }
    this.vertices = vertices;
    this.weightType = Objects.requireNonNull(weightType, "weightType");
    this.edges = Objects.requireNonNull(edges, "edges");
  }

  @Override
  public int vertices() {
    return vertices;
  }

  @Override
  public WeightType weightType() {
    return weightType;
  }

  @Override
  public void next(EdgeChunk chunk) {
    while (!chunk.isFull() && edges.hasNext()) {
      Edge edge = edges.next();
      if (isOfType(edge.weight())) {
        chunk.add(edge.number(), edge.source(), edge.target(), edge.weight());
      } else {
        throw new IllegalArgumentException(
            "edge number "
                + edge.number()
                + " has the weight "
                + edge.weight()
                + ", which is no "
                + weightType);
      }
    }
  }

  private boolean isOfType(Number weight) {
    return switch (weightType) {
      case INT -> weight instanceof Integer;
      case LONG -> weight instanceof Long;
      case FLOAT -> weight instanceof Float;
      case DOUBLE -> weight instanceof Double;
    };
  }
}
