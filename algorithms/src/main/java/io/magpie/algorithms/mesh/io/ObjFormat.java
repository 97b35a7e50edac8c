package io.magpie.algorithms.mesh.io;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.internal.ByteSink;
import io.magpie.algorithms.internal.ByteSource;
import io.magpie.algorithms.internal.Tokenizer;
import io.magpie.algorithms.mesh.PlanarGraph;
import java.io.IOException;
import java.util.Set;

/** Wavefront's .obj: vertices, faces and lines. */
final class ObjFormat implements MeshFormat {
  /** What says nothing of where vertices, segments and triangles are. */
  private static final Set<String> SKIPPED =
      Set.of(
          "vt",
          "vn",
          "vp",
          "p",
          "g",
          "o",
          "s",
          "mg",
          "mtllib",
          "usemtl",
          "maplib",
          "usemap",
          "lod",
          "bevel",
          "c_interp",
          "d_interp",
          "shadow_obj",
          "trace_obj");

  /** Statements of free-form curves and surfaces. */
  private static final Set<String> FREE_FORM =
      Set.of(
          "cstype", "deg", "bmat", "step", "curv", "curv2", "surf", "parm", "trim", "hole", "scrv",
          "sp", "end", "con", "ctech", "stech", "bsp", "bzp", "cdc", "cdp", "res");

  private static final String CONTINUATION = "\\";

  private static final String VERTEX = "a vertex, counted from 1, or back from -1";

  @Override
  public MeshParts read(ByteSource source) throws IOException {
    Tokenizer in = new Tokenizer(source, '#');
    MeshParts parts = new MeshParts(source.file(), 1);
    while (in.nextLine()) {
      if (in.endOfLine()) {
        continue;
      }
      String keyword = in.nextText("a keyword");
      switch (keyword) {
        case "v" -> {
          double x = in.nextDouble("a coordinate, a finite number");
          double y = in.nextDouble("a coordinate, a finite number");
          parts.vertex(x, y, in.nextDouble("a coordinate, a finite number"), in.line());
          skipStatement(in);
        }
        case "f" -> face(in, parts);
        case "l" -> line(in, parts);
        default -> {
          if (!SKIPPED.contains(keyword)) {
            throw in.error(
                Tokenizer.quote(keyword),
                "v, f or l: vertices, triangles and lines",
                FREE_FORM.contains(keyword)
                    ? "curves and surfaces must be meshed first"
                    : "leave the statement out of the file");
          }
          skipStatement(in);
        }
      }
    }
    return parts;
  }

  /** Skips what is left of a statement, which goes on in the next line after a backslash. */
  private static void skipStatement(Tokenizer in) throws IOException {
    boolean continued;
    do {
      continued = false;
      while (!in.endOfLine()) {
        continued = in.nextText("a word").endsWith(CONTINUATION);
      }
    } while (continued && in.nextLine());
  }

  private static void face(Tokenizer in, MeshParts parts) throws IOException {
    int a = vertex(in, parts);
    int b = vertex(in, parts);
    int c = vertex(in, parts);
    if (!in.endOfLine()) {
      vertex(in, parts);
      throw in.error(
          "a face of more than three vertices", "triangles", "split such faces into triangles");
    }
    parts.triangle(a, b, c, in.line());
  }

  private static void line(Tokenizer in, MeshParts parts) throws IOException {
    int start = vertex(in, parts);
    do {
      int end = vertex(in, parts);
      parts.segment(start, end, in.line());
      start = end;
    } while (!in.endOfLine());
  }

  /** Takes a vertex, and what of a texture and a normal follows a slash; counted from 0. */
  private static int vertex(Tokenizer in, MeshParts parts) throws IOException {
    String text = in.nextNumber(VERTEX);
    int slash = text.indexOf('/');
    if (slash < 0 || isOfTexture(text, slash)) {
      try {
        long number = Long.parseLong(text, 0, slash < 0 ? text.length() : slash, 10);
        long vertex = number < 0 ? parts.vertices() + number : number - 1;
        if (vertex >= 0 && vertex < Integer.MAX_VALUE) {
          return (int) vertex;
        }
      } catch (NumberFormatException e) {
        // no number, or one of more digits than a long has: no vertex
      }
    }
    throw fault(in, text);
  }

  /** Whether there are numbers from a place on, at most two slashes, and nothing else. */
  private static boolean isOfTexture(String text, int from) {
    int slashes = 0;
    for (int i = from; i < text.length(); i++) {
      char c = text.charAt(i);
      slashes += c == '/' ? 1 : 0;
      if (c != '/' && c != '-' && (c < '0' || c > '9')) {
        return false;
      }
    }
    return slashes <= 2;
  }

  private static FileFormatException fault(Tokenizer in, String text) {
    return in.error(
        Tokenizer.quote(text),
        VERTEX,
        text.endsWith(CONTINUATION) ? "join continued lines with those before them" : null);
  }

  @Override
  public void write(Content content, ByteSink out) throws IOException {
    PlanarGraph graph = content.graph();
    for (int v = 0; v < graph.vertices(); v++) {
      out.text("v ").decimal(graph.x(v)).blank().decimal(graph.y(v)).text(" 0").newLine();
    }
    for (int s = 0; s < graph.segments(); s++) {
      out.text("l ").number(graph.segmentStart(s) + 1L).blank();
      out.number(graph.segmentEnd(s) + 1L).newLine();
    }
    for (int t = 0; t < content.triangles(); t++) {
      out.text("f");
      for (int k = 0; k < 3; k++) {
        out.blank().number(content.mesh().corner(t, k) + 1L);
      }
      out.newLine();
    }
  }
}
