package io.magpie.algorithms.graph;

import io.magpie.algorithms.internal.ByteSink;
import io.magpie.algorithms.internal.ByteSource;
import io.magpie.algorithms.internal.Tokenizer;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/** Sparse matrices in coordinate form, suffix {@code .mtx}: the adjacency matrix. */
final class MatrixMarketFormat implements GraphFormat {
  private static final String BANNER =
      "'%%MatrixMarket matrix coordinate pattern|integer|real general|symmetric'";

  /** Digits of the largest int. */
  private static final int INT_DIGITS = 10;

  /** More than the exponent of any double, in tens. */
  private static final int MOST_MAGNITUDE = 400;

  private enum Field {
    PATTERN,
    INTEGER,
    REAL
  }

  @Override
  public int firstVertex() {
    return 1;
  }

  @Override
  public <G> G read(ByteSource source, ReadOptions options, GraphForm<G> form) throws IOException {
    return TextFormats.read(source, in -> read(in, options, form));
  }

  private static <G> G read(Tokenizer in, ReadOptions options, GraphForm<G> form)
      throws IOException {
    Banner banner = Banner.read(in);
    Sizes sizes = Sizes.read(in);
    boolean weighted = banner.field != Field.PATTERN && !options.unitWeights();
    GraphBuilder builder =
        GraphBuilder.reading(sizes.vertices, weighted ? options.weights() : null);
    WeightReader weights = new WeightReader(in, options.weights(), banner.field == Field.REAL);
    boolean counted =
        !weighted || options.weightScale() > 0 || options.weights() == FileWeights.COUNTS;
    long found = 0;
    while (in.nextLine()) {
      int c = in.first();
      if (c == -1 || c == '%') {
        continue;
      }
      if (++found > sizes.entries) {
        throw TextFormats.tooMany(in, "entries", sizes.entries);
      }
      int row = in.nextVertex(1, sizes.vertices);
      int column = in.nextVertex(1, sizes.vertices);
      if (counted) {
        weights.set(count(in, banner.field, options));
      } else {
        weights.next();
      }
      in.expectEndOfLine("the entry");
      if (!banner.symmetric) {
        weights.addArc(builder, row, column);
      } else if (row >= column) {
        weights.addEdge(builder, row, column);
      } else {
        throw in.error(
            "row " + (row + 1L) + ", column " + (column + 1L),
            "an entry on or below the diagonal, as the matrix is symmetric",
            "declare the matrix general if it lists both triangles");
      }
    }
    if (found < sizes.entries) {
      throw TextFormats.tooFew(in, "entries", found, sizes.entries);
    }
    return TextFormats.build(in, builder, options, form, 1);
  }

  /** What the first line says. */
  private record Banner(Field field, boolean symmetric) {
    static Banner read(Tokenizer in) throws IOException {
      if (!in.nextLine()) {
        throw TextFormats.noHeader(in, BANNER);
      }
      word(in, "%%matrixmarket");
      word(in, "matrix");
      word(in, "coordinate");
      Field field =
          switch (word(in, "pattern", "integer", "real")) {
            case "pattern" -> Field.PATTERN;
            case "integer" -> Field.INTEGER;
            default -> Field.REAL;
          };
      boolean symmetric = word(in, "general", "symmetric").equals("symmetric");
      in.expectEndOfLine("the banner");
      return new Banner(field, symmetric);
    }
  }

  /** What the first line after the comments says. */
  private record Sizes(int vertices, long entries) {
    static Sizes read(Tokenizer in) throws IOException {
      do {
        if (!in.nextLine()) {
          throw TextFormats.noHeader(in, "a line 'ROWS COLUMNS ENTRIES'");
        }
      } while (in.endOfLine() || in.first() == '%');
      int vertices = TextFormats.nextVertexCount(in);
      int columns = TextFormats.nextVertexCount(in);
      if (columns != vertices) {
        throw in.error(
            vertices + " rows and " + columns + " columns",
            "a square matrix, one row and one column for each vertex");
      }
      long entries = TextFormats.nextEdgeCount(in, "entries");
      in.expectEndOfLine("the sizes");
      return new Sizes(vertices, entries);
    }
  }

  private static String word(Tokenizer in, String... possible) throws IOException {
    String given = in.nextText(BANNER);
    String word = given.toLowerCase(Locale.ROOT);
    for (String each : possible) {
      if (word.equals(each)) {
        return word;
      }
    }
    throw in.error(Tokenizer.quote(given), String.join(" or ", possible) + " in " + BANNER);
  }

  private static int count(Tokenizer in, Field field, ReadOptions options) throws IOException {
    if (field != Field.PATTERN && options.unitWeights()) {
      in.nextText("a weight");
      return 1;
    }
    return switch (field) {
      case PATTERN -> 1;
      case INTEGER -> TextFormats.nextWeight(in);
      case REAL -> realWeight(in, options.weightScale());
    };
  }

  private static int realWeight(Tokenizer in, double scale) throws IOException {
    String text = in.nextNumber("a weight");
    BigDecimal value = TextFormats.decimal(text);
    if (scale > 0) {
      long scaled = value == null ? -1 : nearest(scaled(value, scale));
      if (scaled >= 0 && scaled <= Integer.MAX_VALUE) {
        return (int) scaled;
      }
      throw in.error(
          Tokenizer.quote(text),
          "a weight from 0 to 2147483647 when multiplied by " + scale + " and rounded",
          value != null && value.signum() > 0 ? "choose a smaller weight scale" : null);
    }
    long whole = value == null ? -1 : nearest(value);
    if (whole >= 0
        && whole <= Integer.MAX_VALUE
        && value.compareTo(BigDecimal.valueOf(whole)) == 0) {
      return (int) whole;
    }
    throw in.error(
        Tokenizer.quote(text),
        "a weight, a whole number from 0 to 2147483647",
        value != null && value.signum() > 0 && TextFormats.magnitude(value) <= MOST_MAGNITUDE
            ? "give a weight scale to multiply real weights by before rounding"
            : null);
  }

  /** The product, with the scale as it is written, not as it is stored: a tenth is a tenth. */
  private static BigDecimal scaled(BigDecimal value, double scale) {
    // Beyond that no scale changes what it is rounded to, and exponents might overflow.
    return Math.abs(TextFormats.magnitude(value)) > MOST_MAGNITUDE
        ? value
        : value.multiply(BigDecimal.valueOf(scale));
  }

  /** The nearest whole number, halves to the even one; -1 where it is negative or beyond an int. */
  private static long nearest(BigDecimal value) {
    if (value.signum() <= 0) {
      return value.signum();
    }
    long magnitude = TextFormats.magnitude(value);
    return magnitude < 0
        ? 0
        : magnitude > INT_DIGITS ? -1 : value.setScale(0, RoundingMode.HALF_EVEN).longValue();
  }

  @Override
  public void write(Graph graph, ByteSink out) throws IOException {
    write(graph.inArrays(), graph.edges(), true, out);
  }

  @Override
  public void write(DirectedGraph graph, ByteSink out) throws IOException {
    write(graph.inArrays(), graph.arcs(), false, out);
  }

  /** Writes the entries of a matrix; of a symmetric one those of the lower triangle. */
  private static void write(Symmetrizer.Arcs graph, long entries, boolean symmetric, ByteSink out)
      throws IOException {
    ArcWeights weights = graph.weights();
    out.text("%%MatrixMarket matrix coordinate ")
        .text(weights == null ? "pattern " : weights.type().isFloating() ? "real " : "integer ")
        .text(symmetric ? "symmetric" : "general")
        .newLine();
    out.number(graph.vertices()).blank().number(graph.vertices()).blank();
    out.number(entries).newLine();
    for (int u = 0; u < graph.vertices(); u++) {
      for (int a = graph.offsets()[u]; a < graph.offsets()[u + 1]; a++) {
        int v = graph.neighbors()[a];
        if (!symmetric || v <= u) {
          out.number(u + 1L).blank().number(v + 1L);
          if (weights != null) {
            out.blank();
            weights.write(a, out);
          }
          out.newLine();
        }
      }
    }
  }
}
