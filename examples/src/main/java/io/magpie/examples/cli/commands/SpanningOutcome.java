package io.magpie.examples.cli.commands;

import io.magpie.algorithms.graph.WeightType;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A spanning forest, of a graph or of edges that came one by one. */
interface SpanningOutcome extends CheckedOutcome {
  /** Writes lines of {@code u v weight} with vertices from 0. */
  void writeEdges(OutputStream stream) throws IOException;

  /** Appends the line of an edge, without its end. */
  @FunctionalInterface
  interface Line {
    void append(int edge, StringBuilder to);
  }

  /** Writes a line for each edge. */
  static void writeLines(OutputStream stream, int edges, Line line) throws IOException {
    int block = 1 << 15;
    StringBuilder lines = new StringBuilder();
    for (int e = 0; e < edges; e++) {
      line.append(e, lines);
      lines.append('\n');
      if (lines.length() > block || e == edges - 1) {
        stream.write(lines.toString().getBytes(StandardCharsets.US_ASCII));
        lines.setLength(0);
      }
    }
  }

  /** A total weight: of whole numbers every digit, else the nearest double. */
  static String text(BigDecimal weight, WeightType type) {
    return type.isFloating()
        ? json(weight, type).toString()
        : String.format(Locale.ROOT, "%,d", weight.toBigIntegerExact());
  }

  /** A total weight as a number of JSON; one beyond all doubles with the digits of a double. */
  static Number json(BigDecimal weight, WeightType type) {
    if (!type.isFloating()) {
      return weight.toBigIntegerExact();
    }
    double nearest = weight.doubleValue();
    int digitsOfDouble = 17; // they tell every double apart
    return Double.isInfinite(nearest)
        ? weight.round(new MathContext(digitsOfDouble))
        : (Number) nearest;
  }
}
