package io.magpie.algorithms.mesh.io;

import io.magpie.algorithms.internal.ByteSource;
import io.magpie.algorithms.internal.Compression;
import io.magpie.algorithms.internal.Tokenizer;
import io.magpie.algorithms.mesh.PlanarGraph;
import io.magpie.algorithms.mesh.internal.Predicates;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Reads one of the files of {@link TriangleFormat}. */
final class TriangleReader implements AutoCloseable {
  private static final int LONGEST_ARRAY = Integer.MAX_VALUE - 8;
  private static final int FIRST_LENGTH = 1 << 16;

  private final ByteSource source;
  private final Tokenizer in;

  TriangleReader(Path file) throws IOException {
    source = new ByteSource(file, Compression.of(file.getFileName().toString()));
    in = new Tokenizer(source, '#');
  }

  @Override
  public void close() throws IOException {
    source.close();
  }

  /** A list of points. */
  record Points(
      double[] coordinates, int attributes, double[] values, int[] markers, int firstIndex) {
    int count() {
      return coordinates.length / 2;
    }

    PlanarGraph.Builder builder() {
      return PlanarGraph.builder(coordinates)
          .vertexAttributes(attributes, values)
          .vertexMarkers(markers)
          .firstIndex(firstIndex);
    }
  }

  /** A list of triangles. */
  record Triangles(int[] corners, int attributes, double[] values) {}

  /** Reads how many points a list has, and no more of it. */
  int pointCount() throws IOException {
    header("a header 'VERTICES 2 ATTRIBUTES MARKERS'");
    return count("vertices", LONGEST_ARRAY / 2);
  }

  /** Reads a list of points: a .node file, or the beginning of a .poly file. */
  Points points() throws IOException {
    int count = pointCount();
    if (!in.endOfLine()) {
      in.nextInt(2, 2, "2, the dimension");
    }
    int attributes = attributes(count);
    boolean marked = flag("markers of vertices");
    in.expectEndOfLine("the header");

    double[] coordinates = {};
    double[] values = {};
    int[] markers = {};
    int firstIndex = 0;
    for (int v = 0; v < count; v++) {
      item("vertices", v, count);
      if (v == 0) {
        firstIndex = in.nextInt(0, 1, "0 or 1, the number of the first vertex");
      } else {
        int number = in.nextVertex(firstIndex, count);
        if (number != v) {
          throw in.error(
              "vertex " + (number + (long) firstIndex),
              "vertex " + (v + (long) firstIndex) + ", as vertices are listed in order");
        }
      }
      coordinates = grow(coordinates, 2 * v, 2, 2L * count);
      coordinates[2 * v] = coordinate();
      coordinates[2 * v + 1] = coordinate();
      values = attributeValues(values, v, attributes, count);
      if (marked) {
        markers = grow(markers, v, 1, count);
        markers[v] = in.nextSignedInt("a marker");
      }
      in.expectEndOfLine("the vertex");
    }
    return new Points(coordinates, attributes, values, marked ? markers : null, firstIndex);
  }

  /** Reads a .ele file. */
  Triangles triangles(PlanarGraph graph) throws IOException {
    header("a header 'TRIANGLES 3 ATTRIBUTES'");
    int count = count("triangles", LONGEST_ARRAY / 3);
    if (!in.endOfLine()) {
      in.nextInt(3, 3, "3, the corners of a triangle");
    }
    int attributes = attributes(count);
    in.expectEndOfLine("the header");

    int[] corners = {};
    double[] values = {};
    for (int t = 0; t < count; t++) {
      item("triangles", t, count);
      number("triangle");
      corners = grow(corners, 3 * t, 3, 3L * count);
      for (int k = 0; k < 3; k++) {
        corners[3 * t + k] = in.nextVertex(graph.firstIndex(), graph.vertices());
      }
      turn(graph, corners, 3 * t);
      values = attributeValues(values, t, attributes, count);
      in.expectEndOfLine("the triangle");
    }
    end("triangles", count);
    return new Triangles(corners, attributes, values);
  }

  /**
   * Reads a .area file: the bound of each triangle, positive infinity for none.
   *
   * @param triangles how many there are
   */
  double[] areaBounds(int triangles) throws IOException {
    header("the number of triangles");
    in.nextInt(
        triangles, triangles, triangles + ", the number of triangles, each of which has a bound");
    in.expectEndOfLine("the number of triangles");
    double[] bounds = new double[triangles];
    int first = 0;
    for (int t = 0; t < triangles; t++) {
      item("area bounds", t, triangles);
      if (t == 0) {
        first = in.nextInt(0, 1, "0 or 1, the number of the first triangle");
      } else {
        int expected = first + t;
        in.nextInt(
            expected,
            expected,
            "triangle " + expected + ", as bounds are listed in the order of triangles");
      }
      double bound = in.nextDouble("an area, a finite number");
      in.expectEndOfLine("the area bound");
      bounds[t] = bound > 0 ? bound : Double.POSITIVE_INFINITY;
    }
    end("area bounds", triangles);
    return bounds;
  }

  /** The line of a triangle of a .ele file that was read before. */
  long lineOf(int triangle) throws IOException {
    header("a header 'TRIANGLES 3 ATTRIBUTES'");
    skip(triangle + 1);
    return in.line();
  }

  /** The line of a region of a .poly file that was read before. */
  long lineOfRegion(int region) throws IOException {
    for (String list : List.of("vertices", "segments", "holes")) {
      header("the number of " + list);
      skip(count(list, LONGEST_ARRAY / 2));
    }
    header("the number of regions");
    skip(region + 1);
    return in.line();
  }

  private void skip(int items) throws IOException {
    for (int i = 0; i < items; i++) {
      nextData();
    }
  }

  /** Makes a triangle counter-clockwise. */
  private void turn(PlanarGraph graph, int[] corners, int at) throws IOException {
    int b = corners[at + 1];
    int c = corners[at + 2];
    double turn = turn(graph, corners[at], b, c);
    if (turn == 0) {
      long first = graph.firstIndex();
      throw in.error(
          "the corners " + (corners[at] + first) + " " + (b + first) + " " + (c + first),
          "three vertices that do not lie on one line");
    }
    if (turn < 0) {
      corners[at + 1] = c;
      corners[at + 2] = b;
    }
  }

  private static double turn(PlanarGraph graph, int a, int b, int c) {
    return Predicates.orient2d(
        graph.x(a), graph.y(a), graph.x(b), graph.y(b), graph.x(c), graph.y(c));
  }

  /** Reads what follows the points in a .poly file and puts it together with them. */
  PlanarGraph segmentsAndHoles(Points points) throws IOException {
    PlanarGraph.Builder builder = points.builder();
    header("a header 'SEGMENTS MARKERS'");
    int count = count("segments", LONGEST_ARRAY / 2);
    boolean marked = flag("markers of segments");
    in.expectEndOfLine("the header");
    int[] ends = {};
    int[] markers = {};
    for (int s = 0; s < count; s++) {
      item("segments", s, count);
      number("segment");
      ends = grow(ends, 2 * s, 2, 2L * count);
      ends[2 * s] = in.nextVertex(points.firstIndex, points.count());
      ends[2 * s + 1] = in.nextVertex(points.firstIndex, points.count());
      if (ends[2 * s] == ends[2 * s + 1]) {
        throw in.error(
            "a segment from vertex " + (ends[2 * s] + (long) points.firstIndex) + " to itself",
            "two different vertices");
      }
      if (marked) {
        markers = grow(markers, s, 1, count);
        markers[s] = in.nextSignedInt("a marker");
      }
      in.expectEndOfLine("the segment");
    }
    builder.segments(ends, marked ? markers : null);

    header("the number of holes");
    int holes = count("holes", LONGEST_ARRAY / 2);
    in.expectEndOfLine("the number of holes");
    double[] holePoints = {};
    for (int hole = 0; hole < holes; hole++) {
      item("holes", hole, holes);
      number("hole");
      holePoints = grow(holePoints, 2 * hole, 2, 2L * holes);
      holePoints[2 * hole] = coordinate();
      holePoints[2 * hole + 1] = coordinate();
      in.expectEndOfLine("the hole");
    }
    return builder.holes(holePoints).regions(regions()).build();
  }

  private List<PlanarGraph.Region> regions() throws IOException {
    List<PlanarGraph.Region> regions = new ArrayList<>();
    if (!nextData()) {
      return regions;
    }
    int count = count("regions", LONGEST_ARRAY);
    in.expectEndOfLine("the number of regions");
    for (int region = 0; region < count; region++) {
      item("regions", region, count);
      number("region");
      double x = coordinate();
      double y = coordinate();
      double attribute = in.nextDouble("an attribute");
      // A single value counts as both.
      double maxArea = in.endOfLine() ? attribute : in.nextDouble("the largest area");
      in.expectEndOfLine("the region");
      regions.add(new PlanarGraph.Region(x, y, attribute, maxArea));
    }
    end("regions", count);
    return regions;
  }

  /** Fails unless only comments follow. */
  void end(String unit, int count) throws IOException {
    if (nextData()) {
      throw in.error(
          "more " + unit,
          count + " " + unit + " as their count says",
          "correct the count if the lines are right");
    }
  }

  /** Moves to the next line that has more than a comment. */
  private boolean nextData() throws IOException {
    while (in.nextLine()) {
      if (!in.endOfLine()) {
        return true;
      }
    }
    return false;
  }

  private void header(String form) throws IOException {
    if (!nextData()) {
      throw in.error(in.line() == 0 ? "an empty file" : "the end of the file", form);
    }
  }

  /** Moves to the line of a list's next item. */
  private void item(String unit, int found, int declared) throws IOException {
    if (!nextData()) {
      throw in.error(
          "the end of the file after " + found + " " + unit,
          declared + " " + unit + " as their count says",
          "the file may be truncated; correct the count if the lines are right");
    }
  }

  private int count(String unit, int most) throws IOException {
    return in.nextInt(0, most, "the number of " + unit + ", 0 to " + most);
  }

  /** The number of attributes of each item, such that those of all fit an array. */
  private int attributes(int items) throws IOException {
    return in.endOfLine() ? 0 : count("attributes", LONGEST_ARRAY / Math.max(1, items));
  }

  private boolean flag(String what) throws IOException {
    return !in.endOfLine() && in.nextInt(0, 1, "0 or 1, whether there are " + what) == 1;
  }

  /** Takes the number that begins a line and has no meaning. */
  private void number(String unit) throws IOException {
    in.nextSignedInt("the number of the " + unit);
  }

  private double coordinate() throws IOException {
    return in.nextDouble("a coordinate, a finite number");
  }

  private double[] attributeValues(double[] values, int item, int attributes, int items)
      throws IOException {
    double[] result = grow(values, item * attributes, attributes, (long) items * attributes);
    for (int a = 0; a < attributes; a++) {
      result[item * attributes + a] = in.nextDouble("an attribute, a finite number");
    }
    return result;
  }

  /**
   * An array with room for {@code wanted} values after those {@code used}, and with exactly {@code
   * most} places in the end. Arrays grow with the lines that are there, so a count that promises
   * more than the file has fails for that, not for memory.
   */
  private static double[] grow(double[] array, int used, int wanted, long most) {
    return array.length - used >= wanted ? array : Arrays.copyOf(array, grown(array.length, most));
  }

  private static int[] grow(int[] array, int used, int wanted, long most) {
    return array.length - used >= wanted ? array : Arrays.copyOf(array, grown(array.length, most));
  }

  private static int grown(int length, long most) {
    return (int) Math.min(most, Math.max(FIRST_LENGTH, 4L * length));
  }
}
