package io.magpie.algorithms.mesh.io;

import io.magpie.algorithms.internal.ByteSink;
import io.magpie.algorithms.internal.ByteSource;
import io.magpie.algorithms.internal.Tokenizer;
import io.magpie.algorithms.mesh.PlanarGraph;
import java.io.IOException;

/** Geomview's .off: vertices and faces, of which those of two vertices are segments. */
final class OffFormat implements MeshFormat {
  private static final String HEADER = "OFF and a line 'VERTICES FACES EDGES'";

  @Override
  public MeshParts read(ByteSource source) throws IOException {
    Tokenizer in = new Tokenizer(source, '#');
    MeshParts parts = new MeshParts(source.file(), 0);
    next(in, HEADER);
    int first = in.first();
    boolean longVertices = false;
    if (first < '0' || first > '9') {
      String keyword = in.nextText(HEADER);
      if (!keyword.matches("(ST)?C?N?OFF")) {
        throw in.error(
            Tokenizer.quote(keyword),
            "OFF, also with C, N or ST before it",
            "write coordinates of three dimensions, as text");
      }
      longVertices = !keyword.equals("OFF");
      if (in.endOfLine()) {
        next(in, HEADER);
      }
    }
    int vertices = count(in, "vertices");
    int faces = count(in, "faces");
    if (!in.endOfLine()) {
      in.nextInt(0, Integer.MAX_VALUE, "the number of edges");
    }
    in.expectEndOfLine("the counts");
    for (int v = 0; v < vertices; v++) {
      item(in, "vertices", v, vertices);
      double x = in.nextDouble("a coordinate, a finite number");
      double y = in.nextDouble("a coordinate, a finite number");
      parts.vertex(x, y, in.nextDouble("a coordinate, a finite number"), in.line());
      if (!longVertices) {
        in.expectEndOfLine("the vertex");
      }
    }
    for (int f = 0; f < faces; f++) {
      item(in, "faces", f, faces);
      face(in, parts, vertices);
    }
    if (nextData(in)) {
      throw in.error(
          "more lines",
          vertices + " vertices and " + faces + " faces as the counts say",
          "correct the counts if the lines are right");
    }
    return parts;
  }

  private static void face(Tokenizer in, MeshParts parts, int vertices) throws IOException {
    int corners = in.nextInt(0, Integer.MAX_VALUE, "3, the vertices of a triangle, or 2");
    if (corners != 2 && corners != 3) {
      throw in.error(
          "a face of " + corners + " vertices",
          "3, a triangle, or 2, a segment",
          "split such faces into triangles");
    }
    int a = in.nextVertex(0, vertices);
    int b = in.nextVertex(0, vertices);
    if (corners == 2) {
      parts.segment(a, b, in.line());
    } else {
      parts.triangle(a, b, in.nextVertex(0, vertices), in.line());
    }
    while (!in.endOfLine()) { // its color
      in.nextDouble("the color of the face, numbers");
    }
  }

  private static int count(Tokenizer in, String unit) throws IOException {
    return in.nextInt(0, Integer.MAX_VALUE / 3, "the number of " + unit);
  }

  /** Moves to the next line that has more than a comment; false when there is none. */
  private static boolean nextData(Tokenizer in) throws IOException {
    while (in.nextLine()) {
      if (!in.endOfLine()) {
        return true;
      }
    }
    return false;
  }

  private static void next(Tokenizer in, String form) throws IOException {
    if (!nextData(in)) {
      throw in.error(in.line() == 0 ? "an empty file" : "the end of the file", form);
    }
  }

  private static void item(Tokenizer in, String unit, int found, int declared) throws IOException {
    if (!nextData(in)) {
      throw in.error(
          "the end of the file after " + found + " " + unit,
          declared + " " + unit + " as their count says",
          "the file may be truncated; correct the count if the lines are right");
    }
  }

  @Override
  public void write(Content content, ByteSink out) throws IOException {
    PlanarGraph graph = content.graph();
    int[] segments = content.segmentsBesideBoundary();
    out.text("OFF").newLine().number(graph.vertices()).blank();
    out.number((long) segments.length + content.triangles()).text(" 0").newLine();
    for (int v = 0; v < graph.vertices(); v++) {
      out.decimal(graph.x(v)).blank().decimal(graph.y(v)).text(" 0").newLine();
    }
    for (int s : segments) {
      out.text("2 ").number(graph.segmentStart(s)).blank();
      out.number(graph.segmentEnd(s)).newLine();
    }
    for (int t = 0; t < content.triangles(); t++) {
      out.text("3");
      for (int k = 0; k < 3; k++) {
        out.blank().number(content.mesh().corner(t, k));
      }
      out.newLine();
    }
  }
}
