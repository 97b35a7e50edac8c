package io.magpie.algorithms.graph;

import io.magpie.algorithms.internal.ByteSink;
import io.magpie.algorithms.internal.ByteSource;
import io.magpie.algorithms.internal.Tokenizer;
import java.io.IOException;
import java.util.Locale;

/** Sparse matrices in coordinate form, suffix {@code .mtx}: the adjacency matrix. */
final class MatrixMarketFormat implements GraphFormat {
  private static final String BANNER =
      "'%%MatrixMarket matrix coordinate pattern|integer|real general|symmetric'";

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
  public boolean hasFractions() {
    return true;
  }

  @Override
  public <G> G read(ByteSource source, ReadOptions options, GraphForm<G> form) throws IOException {
    return EdgeLines.read(source, options, form, 1, in -> new Lines(in, options, true));
  }

  @Override
  public EdgeLines.Opening lines(ReadOptions options) {
    return in -> new Lines(in, options, false);
  }

  private static final class Lines extends EdgeLines {
    private final ReadOptions options;
    private final boolean whole;
    private Banner banner;
    private Sizes sizes;
    private long found;

    /**
     * @param whole whether all are held in memory
     */
    Lines(Tokenizer in, ReadOptions options, boolean whole) {
      super(in, new WeightReader(in, options));
      this.whole = whole;
      this.options = options;
      weights.set(1);
    }

    @Override
    boolean next() throws IOException {
      if (banner == null) {
        takeHeader();
      }
      while (in.nextLine()) {
        int c = in.first();
        if (c != -1 && c != '%') {
          takeEntry();
          return true;
        }
      }
      if (found < sizes.entries) {
        throw TextFormats.tooFew(in, "entries", found, sizes.entries);
      }
      return false;
    }

    private void takeHeader() throws IOException {
      banner = Banner.read(in);
      if (options.weightScale() > 0 && banner.field != Field.REAL) {
        throw in.error(
            "'" + banner.field.name().toLowerCase(Locale.ROOT) + "'",
            "'real' where weights are multiplied",
            TextFormats.NO_SCALE);
      }
      if (banner.field != Field.REAL) {
        weights.refuseFractions("declare the matrix 'real' in line 1");
      }
      sizes = Sizes.read(in, whole);
    }

    private void takeEntry() throws IOException {
      if (++found > sizes.entries) {
        throw TextFormats.tooMany(in, "entries", sizes.entries);
      }
      from = in.nextVertex(1, sizes.vertices);
      to = in.nextVertex(1, sizes.vertices);
      if (weighted()) {
        weights.next();
      } else if (banner.field != Field.PATTERN) {
        in.nextText("a weight");
      }
      in.expectEndOfLine("the entry");
      if (banner.symmetric && from < to) {
        throw in.error(
            "row " + (from + 1L) + ", column " + (to + 1L),
            "an entry on or below the diagonal, as the matrix is symmetric",
            "declare the matrix general if it lists both triangles");
      }
    }

    @Override
    boolean weighted() {
      return banner.field != Field.PATTERN && !options.unitWeights();
    }

    @Override
    boolean directed() {
      return !banner.symmetric;
    }

    @Override
    int declaredVertices() {
      return sizes.vertices;
    }
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
    static Sizes read(Tokenizer in, boolean whole) throws IOException {
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
      long entries = TextFormats.nextEdgeCount(in, "entries", whole);
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
