package io.magpie.algorithms.graph;

import io.magpie.algorithms.internal.ByteSink;
import io.magpie.algorithms.internal.ByteSource;
import io.magpie.algorithms.internal.Tokenizer;
import java.io.IOException;

/** The adjacency format of METIS, suffix {@code .graph}. */
final class MetisFormat implements GraphFormat {
  private static final String HEADER = "a header 'VERTICES EDGES [FORMAT [CONSTRAINTS]]'";

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
    Header header = Header.read(in);
    boolean keepsWeights = header.weighted && !options.unitWeights();
    FileWeights kept = keepsWeights ? options.weights() : null;
    GraphBuilder builder = GraphBuilder.reading(header.vertices, kept);
    WeightReader weights = new WeightReader(in, options);
    weights.refuseFractions(TextFormats.NO_FRACTIONS);
    readLists(in, header, weights, builder);
    try {
      return form.of(builder, Symmetry.REQUIRE, 1);
    } catch (AsymmetricArcsException e) {
      throw in.error(
          e.getMessage(),
          "every edge in the lists of both its end points, with the same weight",
          "add what is missing; an edge list, .el or .wel, is completed when it is read");
    }
  }

  /** What the first line says. */
  private record Header(int vertices, long edges, boolean weighted, boolean vertexWeighted) {
    static Header read(Tokenizer in) throws IOException {
      do {
        if (!nextLine(in)) {
          throw TextFormats.noHeader(in, HEADER);
        }
      } while (in.endOfLine());
      int vertices = TextFormats.nextVertexCount(in);
      long edges = TextFormats.nextEdgeCount(in, "edges");
      int flags = in.endOfLine() ? 0 : flags(in);
      if (!in.endOfLine()) {
        long constraints = in.nextLong(0, Integer.MAX_VALUE, "the number of constraints");
        if (constraints > 1) {
          throw in.error(
              "'" + constraints + "'", "at most one weight for each vertex (constraints 1)", null);
        }
      }
      in.expectEndOfLine("the header");
      return new Header(vertices, edges, (flags & 1) != 0, (flags & 2) != 0);
    }

    private static int flags(Tokenizer in) throws IOException {
      String format = in.nextText(HEADER);
      if (!format.matches("[01]{1,3}")) {
        throw in.error(
            Tokenizer.quote(format),
            "a format of up to three digits 0 or 1: vertex sizes, vertex weights, edge weights");
      }
      int flags = Integer.parseInt(format, 2);
      if ((flags & 4) != 0) {
        throw in.error(
            Tokenizer.quote(format), "a format without vertex sizes: 0, 1, 10 or 11", null);
      }
      return flags;
    }
  }

  /** Reads a line for each vertex: its weight, if vertices have any, and its neighbors. */
  private static void readLists(
      Tokenizer in, Header header, WeightReader weights, GraphBuilder builder) throws IOException {
    int vertices = header.vertices;
    int[] vertexWeights = header.vertexWeighted ? new int[vertices] : null;
    long arcs = 0;
    long loops = 0;
    for (int u = 0; u < vertices; u++) {
      if (!nextLine(in)) {
        throw in.error(
            "the end of the file after the lines of " + u + " vertices",
            vertices + " lines, one for each vertex",
            "the file may be truncated");
      }
      if (vertexWeights != null) {
        vertexWeights[u] =
            in.nextInt(
                0, Integer.MAX_VALUE, "a vertex weight, a whole number from 0 to 2147483647");
      }
      while (!in.endOfLine()) {
        int v = in.nextVertex(1, vertices);
        if (header.weighted) {
          weights.next();
        } else {
          weights.set(1);
        }
        weights.addArc(builder, u, v);
        arcs++;
        if (u == v) {
          loops++;
        }
      }
    }
    while (nextLine(in)) {
      in.expectEndOfLine("the line of the last vertex");
    }
    expectEntries(in, header.edges, arcs, loops);
    builder.vertexWeights(vertexWeights);
  }

  /** Compares the lists with the header. An edge is in two lists, a self-loop in one. */
  private static void expectEntries(Tokenizer in, long edges, long entries, long loops)
      throws IOException {
    if (entries + loops != 2 * edges) {
      throw in.error(
          entries
              + " entries in the lists"
              + (loops > 0 ? ", " + loops + " of them self-loops" : ""),
          "two for each of " + edges + " edges as the header says (one for a self-loop)",
          "correct the header if the lists are right");
    }
  }

  /** The next line that is no comment; an empty line is a vertex without edges. */
  private static boolean nextLine(Tokenizer in) throws IOException {
    do {
      if (!in.nextLine()) {
        return false;
      }
    } while (in.first() == '%');
    return true;
  }

  @Override
  public String refusal(Graph graph) {
    return TextFormats.refusalOfFractions(graph.weightType());
  }

  @Override
  public String refusal(DirectedGraph graph) {
    return "is directed, and the format lists edges without a direction (use "
        + (graph.weighted() ? ".gr, .mtx, .wel" : ".mtx, .el")
        + ", .txt, .egr or .mpg)";
  }

  @Override
  public void write(DirectedGraph graph, ByteSink out) {
    throw new UnsupportedOperationException(refusal(graph));
  }

  @Override
  public void write(Graph graph, ByteSink out) throws IOException {
    boolean weighted = graph.weighted();
    int[] vertexWeights = graph.vertexWeights();
    out.number(graph.vertices()).blank().number(graph.edges());
    if (weighted || vertexWeights != null) {
      out.text(vertexWeights == null ? " 1" : weighted ? " 11" : " 10");
    }
    out.newLine();
    for (int u = 0; u < graph.vertices(); u++) {
      boolean first = true;
      if (vertexWeights != null) {
        out.number(vertexWeights[u]);
        first = false;
      }
      for (int a = graph.offsets()[u]; a < graph.offsets()[u + 1]; a++) {
        if (!first) {
          out.blank();
        }
        first = false;
        out.number(graph.neighbors()[a] + 1L);
        if (weighted) {
          out.blank();
          graph.inArrays().weights().write(a, out);
        }
      }
      out.newLine();
    }
  }
}
