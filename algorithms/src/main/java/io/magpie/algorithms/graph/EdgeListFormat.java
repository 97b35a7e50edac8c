package io.magpie.algorithms.graph;

import io.magpie.algorithms.internal.ByteSink;
import io.magpie.algorithms.internal.ByteSource;
import io.magpie.algorithms.internal.Tokenizer;
import java.io.IOException;

/** Lists of arcs as SNAP and GAPBS have them, suffixes {@code .el}, {@code .wel}, {@code .txt}. */
final class EdgeListFormat implements GraphFormat {
  /** Whether a line has a weight after its two vertices. */
  enum Columns {
    UNWEIGHTED,
    WEIGHTED,
    AS_FIRST_LINE
  }

  private final Columns columns;

  EdgeListFormat(Columns columns) {
    this.columns = columns;
  }

  @Override
  public int firstVertex() {
    return 0;
  }

  @Override
  public boolean hasFractions() {
    return columns != Columns.UNWEIGHTED;
  }

  @Override
  public <G> G read(ByteSource source, ReadOptions options, GraphForm<G> form) throws IOException {
    return EdgeLines.read(source, options, form, 0, lines(options));
  }

  @Override
  public EdgeLines.Opening lines(ReadOptions options) {
    return in -> new Lines(in, options, columns);
  }

  private static final class Lines extends EdgeLines {
    private final Columns columns;
    private final boolean scaled;
    private final LabelNumbers numbers;
    private boolean weighted;
    private long nodes;
    private long declared;
    private long found;

    Lines(Tokenizer in, ReadOptions options, Columns columns) {
      super(in, new WeightReader(in, options));
      this.columns = columns;
      this.scaled = options.weightScale() > 0;
      this.numbers = options.relabel() ? new LabelNumbers() : null;
      this.weighted = columns == Columns.WEIGHTED;
    }

    @Override
    boolean next() throws IOException {
      while (in.nextLine()) {
        int c = in.first();
        if (c == '#') {
          takeComment();
        } else if (c != -1 && c != '%') {
          takeEdge();
          found++;
          return true;
        }
      }
      if (in.line() == 0) {
        throw in.error(
            "an empty file",
            "lines 'FROM TO' or a comment",
            "write a graph without edges as the comment '# Nodes: N Edges: 0'");
      }
      if (found < declared) {
        throw in.error(
            "the end of the file after " + found + " edges",
            declared + " edges as the comment says",
            "the file may be truncated; remove the comment if the lines are right");
      }
      return false;
    }

    /** SNAP's "# Nodes: 4 Edges: 3"; other comments have neither word. */
    private void takeComment() throws IOException {
      String word = in.nextText("a comment");
      while (!in.endOfLine()) {
        if (word.equals("Nodes:")) {
          nodes = TextFormats.nextVertexCount(in);
        } else if (word.equals("Edges:")) {
          declared = in.nextLong(0, Long.MAX_VALUE, "the number of edges");
        }
        word = in.endOfLine() ? "" : in.nextText("a comment");
      }
    }

    private void takeEdge() throws IOException {
      from = vertex(in, numbers);
      to = vertex(in, numbers);
      if (columns == Columns.AS_FIRST_LINE && found == 0) {
        weighted = !in.endOfLine();
        if (!weighted && scaled) {
          throw in.error("an edge without a weight", "a weight to multiply", TextFormats.NO_SCALE);
        }
      }
      if (weighted) {
        weights.next();
      } else {
        weights.set(1);
      }
      in.expectEndOfLine(
          weighted
              ? "the weight"
              : columns == Columns.UNWEIGHTED
                  ? "the edge (weighted lists have the suffix .wel or .txt)"
                  : "the edge, as the first line has no weight");
    }

    @Override
    boolean weighted() {
      return weighted;
    }

    @Override
    boolean directed() {
      return true;
    }

    @Override
    int declaredVertices() {
      return -1;
    }

    @Override
    int leastVertices() {
      return (int) nodes;
    }
  }

  private static int vertex(Tokenizer in, LabelNumbers numbers) throws IOException {
    if (numbers == null) {
      return (int)
          in.nextLong(
              0,
              Graph.MAX_VERTICES - 1,
              "a vertex, a whole number from 0 to " + (Graph.MAX_VERTICES - 1),
              "relabel the vertices while reading");
    }
    return numbers.of(in.nextLong(0, Long.MAX_VALUE, "a label, a whole number from 0 to 2^63 - 1"));
  }

  @Override
  public String refusal(Graph graph) {
    String refusal = refusal(graph.weighted());
    return refusal != null ? refusal : GraphFormat.super.refusal(graph);
  }

  @Override
  public String refusal(DirectedGraph graph) {
    return refusal(graph.weighted());
  }

  private String refusal(boolean weighted) {
    if (weighted && columns == Columns.UNWEIGHTED) {
      return "has weights, which .el cannot hold (use .wel or .txt)";
    }
    if (!weighted && columns == Columns.WEIGHTED) {
      return "has no weights, which .wel must have (use .el or .txt)";
    }
    return null;
  }

  @Override
  public void write(Graph graph, ByteSink out) throws IOException {
    writeLines(graph.inArrays(), graph.edges(), false, out);
  }

  @Override
  public void write(DirectedGraph graph, ByteSink out) throws IOException {
    writeLines(graph.inArrays(), graph.arcs(), true, out);
  }

  /** Lines of the arcs; without {@code both}, of those alone that lead to no smaller vertex. */
  private static void writeLines(Symmetrizer.Arcs graph, long lines, boolean both, ByteSink out)
      throws IOException {
    out.text("# Nodes: ").number(graph.vertices()).text(" Edges: ").number(lines).newLine();
    for (int u = 0; u < graph.vertices(); u++) {
      for (int a = graph.offsets()[u]; a < graph.offsets()[u + 1]; a++) {
        int v = graph.neighbors()[a];
        if (both || u <= v) {
          out.number(u).tab().number(v);
          if (graph.weights() != null) {
            out.tab();
            graph.weights().write(a, out);
          }
          out.newLine();
        }
      }
    }
  }
}
