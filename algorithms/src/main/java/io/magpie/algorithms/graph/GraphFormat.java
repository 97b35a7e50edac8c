package io.magpie.algorithms.graph;

import io.magpie.algorithms.internal.ByteSink;
import io.magpie.algorithms.internal.ByteSource;
import java.io.IOException;

/** One file format. Stateless. */
interface GraphFormat {
  /** Whether it is a text whose weights may have fractions, to be multiplied and rounded. */
  default boolean hasFractions() {
    return false;
  }

  /** Reads the whole source, as a graph of either form. */
  <G> G read(ByteSource source, ReadOptions options, GraphForm<G> form) throws IOException;

  /**
   * How the edges of a text are read one by one; null if the format has them only as a whole, or is
   * no text.
   */
  default EdgeLines.Opening lines(ReadOptions options) {
    return null;
  }

  /**
   * The edges of a file one by one; null if the format has them only as a whole, or as {@linkplain
   * #lines lines}.
   *
   * @param file a file that lets itself be read anywhere
   */
  default EdgeLayout layout(ByteSource file, ReadOptions options) throws IOException {
    return null;
  }

  /** Writes a graph that {@link #refusal} does not object to. */
  void write(Graph graph, ByteSink out) throws IOException;

  /** The number of the first vertex, 0 or 1. */
  int firstVertex();

  /** Why the format cannot hold this graph, with a remedy; null when it can. */
  default String refusal(Graph graph) {
    return graph.vertexWeights() == null
        ? null
        : "has weights of vertices, which only .graph and .mpg hold (drop them by"
            + " withoutVertexWeights)";
  }

  /**
   * Writes a directed graph that {@link #refusal(DirectedGraph)} does not object to: every arc, in
   * the order of the lists.
   */
  void write(DirectedGraph graph, ByteSink out) throws IOException;

  /** Why the format cannot hold this directed graph, with a remedy; null when it can. */
  default String refusal(DirectedGraph graph) {
    return null;
  }
}
