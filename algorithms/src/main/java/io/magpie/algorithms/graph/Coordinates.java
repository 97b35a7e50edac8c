package io.magpie.algorithms.graph;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.internal.ByteSource;
import io.magpie.algorithms.internal.Compression;
import io.magpie.algorithms.internal.Parallel;
import io.magpie.algorithms.internal.Tokenizer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.IntToDoubleFunction;

/**
 * Where a graph's vertices lie in the plane: x to the right, y upwards, finite. Immutable.
 *
 * <p>Files, told apart by the end of the name, alone or followed by {@code .gz} or {@code .xz}:
 *
 * <ul>
 *   <li>{@code .xyz}: a line {@code X Y [Z]} for each vertex in order; Z is left out, so a
 *       three-dimensional mesh is seen from above
 *   <li>{@code .co}: DIMACS, {@code p aux sp co VERTICES}, then a line {@code v VERTEX X Y} for
 *       each vertex, counted from 1, in any order; lines that start with {@code c} are comments
 * </ul>
 */
public final class Coordinates {
  private static final String HEADER = "a header 'p aux sp co VERTICES'";
  private static final String VERTEX = "a line 'v VERTEX X Y'";
  private static final String NUMBER = "a coordinate, a finite decimal number";

  private final double[] x;
  private final double[] y;

  private Coordinates(double[] x, double[] y) {
    this.x = x;
    this.y = y;
  }

  /** The coordinates of so many vertices by two functions, which run in parallel. */
  static Coordinates of(int vertices, IntToDoubleFunction x, IntToDoubleFunction y) {
    Coordinates result = new Coordinates(new double[vertices], new double[vertices]);
    Parallel.forRanges(
        vertices,
        (from, to) -> {
          for (int v = from; v < to; v++) {
            result.x[v] = x.applyAsDouble(v);
            result.y[v] = y.applyAsDouble(v);
          }
        });
    return result;
  }

  /**
   * Copies coordinates.
   *
   * @param x one for each vertex
   * @param y one for each vertex
   * @throws IllegalArgumentException if there are not as many of both, or one is not finite
   */
  public static Coordinates of(double[] x, double[] y) {
    if (x.length != y.length) {
      throw new IllegalArgumentException(x.length + " x for " + y.length + " y");
    }
    for (int v = 0; v < x.length; v++) {
      if (!Double.isFinite(x[v]) || !Double.isFinite(y[v])) {
        throw new IllegalArgumentException(
            "vertex " + v + " lies at (" + x[v] + ", " + y[v] + "): expected finite coordinates");
      }
    }
    return new Coordinates(x.clone(), y.clone());
  }

  /**
   * Reads a file.
   *
   * @param file its name tells the format
   * @param vertices how many there must be
   * @throws FileFormatException if it is malformed, or of another number of vertices
   * @throws IOException if it cannot be read
   */
  public static Coordinates read(Path file, int vertices) throws IOException {
    String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
    Compression compression = Compression.of(name);
    String bare = name.substring(0, name.length() - compression.suffix().length());
    if (!bare.endsWith(".xyz") && !bare.endsWith(".co")) {
      throw new FileFormatException(
          file,
          0,
          Tokenizer.quote(name),
          "a name that ends in .xyz or .co, alone or followed by .gz or .xz",
          "rename the file to tell its format",
          null);
    }
    Coordinates result = new Coordinates(new double[vertices], new double[vertices]);
    try (ByteSource source = new ByteSource(file, compression)) {
      Tokenizer in = new Tokenizer(source);
      if (bare.endsWith(".co")) {
        result.readDimacs(in);
      } else {
        result.readLines(in);
      }
    }
    return result;
  }

  private void readLines(Tokenizer in) throws IOException {
    int next = 0;
    while (in.nextLine()) {
      if (in.endOfLine()) {
        continue;
      }
      if (next == x.length) {
        throw in.error("more lines", x.length + " lines, one for each vertex of the graph");
      }
      x[next] = in.nextDouble(NUMBER);
      y[next++] = in.nextDouble(NUMBER);
      if (!in.endOfLine()) {
        in.nextDouble(NUMBER);
      }
      in.expectEndOfLine("the coordinates");
    }
    requireAll(in, next);
  }

  private void readDimacs(Tokenizer in) throws IOException {
    boolean header = false;
    boolean[] seen = new boolean[x.length];
    int count = 0;
    while (in.nextLine()) {
      int c = in.first();
      if (c == -1 || c == 'c') {
        continue;
      }
      if (!header) {
        for (String word : new String[] {"p", "aux", "sp", "co"}) {
          String found = in.nextText(HEADER);
          if (!found.equals(word)) {
            throw in.error(Tokenizer.quote(found), HEADER);
          }
        }
        in.nextInt(x.length, x.length, "the graph's number of vertices, " + x.length);
        in.expectEndOfLine("the header");
        header = true;
        continue;
      }
      if (!in.takeLetter('v')) {
        throw in.error(Tokenizer.quote(in.nextText(VERTEX)), VERTEX);
      }
      int v = in.nextVertex(1, x.length);
      if (seen[v]) {
        throw in.error("vertex " + (v + 1) + " again", "each vertex once");
      }
      seen[v] = true;
      count++;
      x[v] = in.nextDouble(NUMBER);
      y[v] = in.nextDouble(NUMBER);
      in.expectEndOfLine("the coordinates");
    }
    if (!header) {
      throw TextFormats.noHeader(in, HEADER);
    }
    requireAll(in, count);
  }

  private void requireAll(Tokenizer in, int found) throws FileFormatException {
    if (found < x.length) {
      throw in.error(
          "the end of the file after " + found + " vertices",
          "coordinates of the graph's " + x.length + " vertices",
          "the file may be truncated, or belong to another graph");
    }
  }

  /** The number of vertices. */
  public int vertices() {
    return x.length;
  }

  /** A vertex's place from left to right. */
  public double x(int vertex) {
    return x[vertex];
  }

  /** A vertex's place from bottom to top. */
  public double y(int vertex) {
    return y[vertex];
  }
}
