package io.magpie.algorithms.graph;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.internal.ByteSource;
import io.magpie.algorithms.internal.Tokenizer;
import java.io.IOException;
import java.math.BigDecimal;

/** What the readers of text formats share. */
final class TextFormats {
  /** What to do about weights with fractions where counts are asked for, but may not be needed. */
  static final String FLOAT_LENGTHS =
      "for shortest paths, read them as floats (--weight-type float)";

  /** What to do about weights of binary files that are no lengths without being rounded. */
  static final String ROUNDED_LENGTHS =
      "weights of binary files are not rounded; for shortest paths, convert the file to a text, such"
          + " as .mtx, and read that as floats (--weight-type float)";

  /** What to do about weights of binary files that are not of the type that is asked for. */
  static final String NOT_ROUNDED =
      "weights of binary files are not rounded; read weights as any type (--weight-type any)";

  /** What to do about fractions in formats of whole numbers. */
  static final String NO_FRACTIONS = "fractions are for .mtx, .wel, .txt and .mpg";

  /** What to do about a scale where there is nothing to multiply. */
  static final String NO_SCALE = "leave out the weight scale (--weight-scale)";

  private TextFormats() {}

  /** Reading by tokens. */
  @FunctionalInterface
  interface Body<G> {
    G read(Tokenizer in) throws IOException;
  }

  /** Runs a reader, telling excess over what a graph can hold in terms of the file. */
  static <G> G read(ByteSource source, Body<G> body) throws IOException {
    Tokenizer in = new Tokenizer(source);
    try {
      return body.read(in);
    } catch (GraphTooLargeException e) {
      throw GraphFormats.tooLarge(source.file(), in.line(), e);
    }
  }

  static int nextVertexCount(Tokenizer in) throws IOException {
    return in.nextInt(0, Graph.MAX_VERTICES, "the number of vertices, 0 to " + Graph.MAX_VERTICES);
  }

  /** The number of edges of a graph that is held in memory. */
  static long nextEdgeCount(Tokenizer in, String unit) throws IOException {
    return nextEdgeCount(in, unit, Graph.MAX_ARCS, null);
  }

  /**
   * The number of edges of a format that has them one by one.
   *
   * @param whole whether all are held in memory
   */
  static long nextEdgeCount(Tokenizer in, String unit, boolean whole) throws IOException {
    return whole
        ? nextEdgeCount(in, unit, Graph.MAX_ARCS, EdgeFileFormat.IN_CHUNKS)
        : nextEdgeCount(in, unit, EdgeFileFormat.MOST_EDGES, null);
  }

  private static long nextEdgeCount(Tokenizer in, String unit, long most, String remedy)
      throws IOException {
    return in.nextLong(0, most, "the number of " + unit + ", 0 to " + most, remedy);
  }

  static int nextWeight(Tokenizer in) throws IOException {
    return in.nextInt(0, Integer.MAX_VALUE, "a weight, a whole number from 0 to 2147483647");
  }

  /** A decimal number, whatever its size; null where it is none. */
  static BigDecimal decimal(String text) {
    try {
      return text.matches("[-+0-9.eE]+") ? new BigDecimal(text) : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** How many digits there are before the point; negative for zeros behind it. */
  static long magnitude(BigDecimal value) {
    return (long) value.precision() - value.scale();
  }

  /** Why a format of whole numbers cannot hold weights of a type; null when it can. */
  static String refusalOfFractions(WeightType type) {
    return type.isFloating()
        ? "has "
            + type
            + " weights, and the format has whole numbers only (use .mtx, .wel, .txt or .mpg)"
        : null;
  }

  static FileFormatException noHeader(Tokenizer in, String header) {
    return in.error(in.line() == 0 ? "an empty file" : "the end of the file", header);
  }

  static FileFormatException tooMany(Tokenizer in, String unit, long declared) {
    return in.error(
        "more " + unit,
        declared + " " + unit + " as the header says",
        "correct the header if the lines are right");
  }

  static FileFormatException tooFew(Tokenizer in, String unit, long found, long declared) {
    return in.error(
        "the end of the file after " + found + " " + unit,
        declared + " " + unit + " as the header says",
        "the file may be truncated; correct the header if the lines are right");
  }

  /** Makes the graph, telling missing directions as the file counts vertices. */
  static <G> G build(
      Tokenizer in, GraphBuilder builder, ReadOptions options, GraphForm<G> form, int base)
      throws FileFormatException {
    try {
      return form.of(builder, options.symmetry(), base);
    } catch (AsymmetricArcsException e) {
      throw in.error(
          e.getMessage(), "both directions of every edge", "read it with Symmetry.SYMMETRIZE");
    }
  }
}
