package io.magpie.algorithms.graph;

import io.magpie.algorithms.internal.ByteSink;
import io.magpie.algorithms.internal.ByteSource;
import io.magpie.algorithms.internal.Tokenizer;
import java.io.IOException;

/** The two text formats that share the suffix {@code .gr}: DIMACS shortest paths and PACE. */
final class GrFormat implements GraphFormat {
  private static final String HEADER = "a header 'p sp VERTICES ARCS' or 'p tw VERTICES EDGES'";
  private static final String ARC = "an arc line 'a FROM TO WEIGHT'";

  @Override
  public int firstVertex() {
    return 1;
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
    private final boolean whole;
    private boolean begun;
    private boolean dimacs;
    private int vertices;
    private long declared;
    private long found;

    /**
     * @param whole whether all are held in memory
     */
    Lines(Tokenizer in, ReadOptions options, boolean whole) {
      super(in, new WeightReader(in, options));
      this.whole = whole;
      weights.refuseFractions(TextFormats.NO_FRACTIONS);
      weights.set(1);
    }

    @Override
    boolean next() throws IOException {
      while (in.nextLine()) {
        int c = in.first();
        if (c == -1 || c == 'c') {
          continue;
        }
        if (begun) {
          takeEdge();
          return true;
        }
        takeHeader();
      }
      if (!begun) {
        throw TextFormats.noHeader(in, HEADER);
      }
      if (found < declared) {
        throw TextFormats.tooFew(in, dimacs ? "arcs" : "edges", found, declared);
      }
      return false;
    }

    private void takeHeader() throws IOException {
      expect(in, "p", HEADER);
      String kind = in.nextText(HEADER);
      if (!kind.equals("sp") && !kind.equals("tw")) {
        throw in.error(Tokenizer.quote(kind), HEADER);
      }
      dimacs = kind.equals("sp");
      vertices = TextFormats.nextVertexCount(in);
      declared = TextFormats.nextEdgeCount(in, dimacs ? "arcs" : "edges", whole);
      in.expectEndOfLine("the header");
      begun = true;
    }

    private void takeEdge() throws IOException {
      if (dimacs) {
        expect(in, "a", ARC);
      }
      if (++found > declared) {
        throw TextFormats.tooMany(in, dimacs ? "arcs" : "edges", declared);
      }
      from = in.nextVertex(1, vertices);
      to = in.nextVertex(1, vertices);
      if (dimacs) {
        weights.next();
      }
      in.expectEndOfLine(dimacs ? "the weight" : "the edge");
    }

    @Override
    boolean weighted() {
      return dimacs;
    }

    @Override
    boolean directed() {
      return dimacs;
    }

    @Override
    int declaredVertices() {
      return vertices;
    }
  }

  private static void expect(Tokenizer in, String word, String expected) throws IOException {
    // A word of one letter, taken without making a string where it is right.
    if (!in.takeLetter(word.charAt(0))) {
      throw in.error(Tokenizer.quote(in.nextText(expected)), expected);
    }
  }

  @Override
  public void write(Graph graph, ByteSink out) throws IOException {
    if (graph.weighted()) {
      writeArcs(graph.inArrays(), out);
      return;
    }
    out.text("p tw ").number(graph.vertices()).blank().number(graph.edges()).newLine();
    for (int u = 0; u < graph.vertices(); u++) {
      for (int a = graph.offsets()[u]; a < graph.offsets()[u + 1]; a++) {
        int v = graph.neighbors()[a];
        if (u <= v) {
          out.number(u + 1L).blank().number(v + 1L).newLine();
        }
      }
    }
  }

  @Override
  public String refusal(DirectedGraph graph) {
    return graph.weighted()
        ? TextFormats.refusalOfFractions(graph.weightType())
        : "is directed and has no weights, which the arcs of .gr must have (use .mtx, .el, .txt,"
            + " .egr or .mpg, or draw weights)";
  }

  @Override
  public String refusal(Graph graph) {
    String refusal = TextFormats.refusalOfFractions(graph.weightType());
    return refusal != null ? refusal : GraphFormat.super.refusal(graph);
  }

  @Override
  public void write(DirectedGraph graph, ByteSink out) throws IOException {
    writeArcs(graph.inArrays(), out);
  }

  private static void writeArcs(Symmetrizer.Arcs graph, ByteSink out) throws IOException {
    out.text("p sp ").number(graph.vertices()).blank().number(graph.neighbors().length).newLine();
    for (int u = 0; u < graph.vertices(); u++) {
      for (int a = graph.offsets()[u]; a < graph.offsets()[u + 1]; a++) {
        out.text("a ").number(u + 1L).blank().number(graph.neighbors()[a] + 1L).blank();
        graph.weights().write(a, out);
        out.newLine();
      }
    }
  }
}
