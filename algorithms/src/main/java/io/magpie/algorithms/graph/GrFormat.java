package io.magpie.algorithms.graph;

import java.io.IOException;

/** The two text formats that share the suffix {@code .gr}: DIMACS shortest paths and PACE. */
final class GrFormat {
  private GrFormat() {}

  static Graph read(Tokenizer in, ReadOptions options) throws IOException {
    GraphBuilder builder = null;
    boolean dimacs = false;
    int vertices = 0;
    long declared = 0;
    long found = 0;
    while (in.nextLine()) {
      int c = in.first();
      if (c == -1 || c == 'c') {
        continue;
      }
      if (builder == null) {
        String expectedHeader = "a header 'p sp VERTICES ARCS' or 'p tw VERTICES EDGES'";
        String p = in.nextText(expectedHeader);
        if (!p.equals("p")) {
          throw in.error(Tokenizer.quote(p), expectedHeader);
        }
        String kind = in.nextText(expectedHeader);
        if (!kind.equals("sp") && !kind.equals("tw")) {
          throw in.error(Tokenizer.quote(kind), expectedHeader);
        }
        dimacs = kind.equals("sp");
        vertices =
            in.nextInt(
                0, Graph.MAX_VERTICES, "the number of vertices, 0 to " + Graph.MAX_VERTICES);
        declared =
            in.nextLong(
                0,
                Graph.MAX_ARCS,
                "the number of " + (dimacs ? "arcs" : "edges") + ", 0 to " + Graph.MAX_ARCS);
        in.expectEndOfLine("the header");
        builder = new GraphBuilder(vertices, dimacs);
        continue;
      }
      if (dimacs) {
        String expected = "an arc line 'a FROM TO WEIGHT'";
        String a = c == 'a' ? in.nextText(expected) : "";
        if (!a.equals("a")) {
          throw in.error(Tokenizer.quote(c == 'a' ? a : in.nextText(expected)), expected);
        }
      }
      if (++found > declared) {
        throw in.error(
            "one more " + (dimacs ? "arc" : "edge"),
            declared + " as the header says",
            "correct the header if the lines are right");
      }
      int u = in.nextInt(1, vertices, vertexRange(vertices)) - 1;
      int v = in.nextInt(1, vertices, vertexRange(vertices)) - 1;
      if (dimacs) {
        builder.addArc(u, v, in.nextWeight());
        in.expectEndOfLine("the weight");
      } else {
        builder.addEdge(u, v);
        in.expectEndOfLine("the edge");
      }
    }
    if (builder == null) {
      throw in.errorAtEnd(
          "no header", "a line 'p sp VERTICES ARCS' or 'p tw VERTICES EDGES'", null);
    }
    if (found != declared) {
      throw in.errorAtEnd(
          found + (dimacs ? " arcs" : " edges"),
          declared + " as the header says",
          "the file may be truncated");
    }
    return builder.build(options.symmetry());
  }

  private static String vertexRange(int vertices) {
    return "a vertex, 1 to " + vertices;
  }
}
