package io.magpie.algorithms.graph;

import io.magpie.algorithms.internal.ByteSource;
import io.magpie.algorithms.internal.Tokenizer;
import java.io.IOException;

/** The edges or arcs of a text, one after the other. */
abstract class EdgeLines {
  /** The text. */
  final Tokenizer in;

  /** Takes weights, and has that of the present edge; 1 where lines have none. */
  final WeightReader weights;

  /** The end of the present edge that its line names first, from 0. */
  int from;

  /** The other. */
  int to;

  EdgeLines(Tokenizer in, WeightReader weights) {
    this.in = in;
    this.weights = weights;
  }

  /** What begins to read lines. */
  @FunctionalInterface
  interface Opening {
    EdgeLines of(Tokenizer in);
  }

  /**
   * Takes the next edge, the first time after what comes before it.
   *
   * @return false if there is none; then what the text says of their number has been checked
   */
  abstract boolean next() throws IOException;

  /** Whether edges have weights that count. Known after the first {@link #next}. */
  abstract boolean weighted();

  /** Whether an edge is one direction only. Known after the first {@link #next}. */
  abstract boolean directed();

  /** How many there are, if the beginning says so, else -1. Known after the first {@link #next}. */
  abstract int declaredVertices();

  /** How many there are at least whatever edges name. Known after the last {@link #next}. */
  int leastVertices() {
    return 0;
  }

  /** Reads all of a text. */
  static <G> G read(
      ByteSource source, ReadOptions options, GraphForm<G> form, int base, Opening opening)
      throws IOException {
    return TextFormats.read(source, in -> opening.of(in).read(options, form, base));
  }

  private <G> G read(ReadOptions options, GraphForm<G> form, int base) throws IOException {
    boolean more = next();
    GraphBuilder builder =
        GraphBuilder.reading(declaredVertices(), weighted() ? options.weights() : null);
    for (; more; more = next()) {
      if (directed()) {
        weights.addArc(builder, from, to);
      } else {
        weights.addEdge(builder, from, to);
      }
    }
    if (declaredVertices() < 0) {
      builder.atLeast(leastVertices());
    }
    return TextFormats.build(in, builder, options, form, base);
  }
}
