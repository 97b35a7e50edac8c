package io.magpie.algorithms.mesh.io;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.internal.Tokenizer;
import io.magpie.algorithms.mesh.PlanarGraph;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/**
 * What VTK's two formats have in common: points, cells of several types, and named arrays of
 * numbers for points, for cells and for the whole. An array {@code marker} has the markers of
 * vertices and segments, and the first attribute of triangles unless all of these are 0; every
 * other array of points or cells has attributes, one for each of its components. Of the whole,
 * {@code holes} and {@code regions} have a meaning.
 */
final class VtkGrid {
  static final String MARKER = "marker";
  static final String ATTRIBUTE = "attribute";
  static final String HOLES = "holes";
  static final String REGIONS = "regions";

  static final int VERTEX = 1;
  static final int POLY_VERTEX = 2;
  static final int LINE = 3;
  static final int POLY_LINE = 4;
  static final int TRIANGLE = 5;
  static final int TRIANGLE_STRIP = 6;
  static final int POLYGON = 7;

  private static final Map<Integer, String> OTHER_TYPES =
      Map.of(
          TRIANGLE_STRIP,
          "a strip of triangles",
          8,
          "a pixel",
          9,
          "a quadrilateral",
          10,
          "a tetrahedron",
          12,
          "a hexahedron",
          13,
          "a wedge",
          14,
          "a pyramid",
          21,
          "a line of second order",
          22,
          "a triangle of second order");

  private final Path file;
  private final MeshParts parts;

  /** How many segments and triangles each cell is; a point is none of either. */
  private final Growing.Ints cellSegments = new Growing.Ints();

  private final Growing.Ints cellTriangles = new Growing.Ints();
  private final List<Array> ofPoints = new ArrayList<>();
  private final List<Array> ofCells = new ArrayList<>();
  private final List<Array> ofAll = new ArrayList<>();

  /**
   * A named array.
   *
   * @param line where it begins
   */
  record Array(String name, int components, double[] values, long line) {
    int tuples() {
      return values.length / components;
    }

    boolean isMarker() {
      return name.equals(MARKER) && components == 1;
    }
  }

  VtkGrid(Path file) {
    this.file = file;
    parts = new MeshParts(file, 0);
  }

  Path file() {
    return file;
  }

  MeshParts parts() {
    return parts;
  }

  int cells() {
    return cellSegments.size();
  }

  void ofPoints(Array array) {
    ofPoints.add(array);
  }

  void ofCells(Array array) {
    ofCells.add(array);
  }

  void ofAll(Array array) {
    ofAll.add(array);
  }

  private void requireTuples(Array array, int count, String unit) throws FileFormatException {
    if (array.tuples() != count) {
      throw fault(
          array.line,
          array.tuples() + " values of the array " + Tokenizer.quote(array.name),
          "one for each of the " + count + " " + unit,
          null);
    }
  }

  private FileFormatException fault(long line, String found, String expected, String remedy) {
    return new FileFormatException(file, line, found, expected, remedy, null);
  }

  /**
   * Adds a cell.
   *
   * @param type its number in VTK
   * @param vertices where its points are, from {@code from} on
   * @param line of the cell's points
   * @param typeLine of its type
   */
  void cell(int type, Growing.Ints vertices, int from, int count, long line, long typeLine)
      throws FileFormatException {
    boolean fits =
        switch (type) {
          case VERTEX, POLY_VERTEX -> true;
          case LINE -> count == 2;
          case POLY_LINE -> count >= 2;
          case TRIANGLE, POLYGON -> count == 3;
          default ->
              throw fault(
                  typeLine,
                  "cell type "
                      + type
                      + (OTHER_TYPES.containsKey(type) ? ", " + OTHER_TYPES.get(type) : ""),
                  "triangles (5) and lines (3 or 4)",
                  "triangulate the cells first");
        };
    if (!fits) {
      throw fault(
          line,
          "a cell of type " + type + " with " + count + " points",
          "triangles (5) with 3 points, lines (3) with 2 or (4) with more",
          type == POLYGON ? "triangulate the cells first" : null);
    }
    boolean isLine = type == LINE || type == POLY_LINE;
    boolean isTriangle = type == TRIANGLE || type == POLYGON;
    cellSegments.add(isLine ? count - 1 : 0);
    cellTriangles.add(isTriangle ? 1 : 0);
    if (isTriangle) {
      parts.triangle(vertices.get(from), vertices.get(from + 1), vertices.get(from + 2), line);
    } else if (isLine) {
      for (int i = from; i < from + count - 1; i++) {
        parts.segment(vertices.get(i), vertices.get(i + 1), line);
      }
    }
  }

  /** All of it. */
  MeshParts complete() throws FileFormatException {
    for (Array array : ofPoints) {
      requireTuples(array, parts.vertices(), "points");
    }
    for (Array array : ofCells) {
      requireTuples(array, cells(), "cells");
    }
    for (Array array : ofPoints) {
      if (array.isMarker()) {
        parts.vertexMarkers(whole(array));
      }
    }
    List<Array> attributes = attributes(ofPoints);
    int[] points = new int[parts.vertices()];
    for (int v = 0; v < points.length; v++) {
      points[v] = v;
    }
    parts.vertexAttributes(components(attributes), joined(attributes, points));

    int[] cellOfSegment = new int[parts.segments()];
    int[] cellOfTriangle = new int[parts.triangles()];
    int segment = 0;
    int triangle = 0;
    for (int cell = 0; cell < cells(); cell++) {
      for (int i = 0; i < cellSegments.get(cell); i++) {
        cellOfSegment[segment++] = cell;
      }
      if (cellTriangles.get(cell) > 0) {
        cellOfTriangle[triangle++] = cell;
      }
    }
    attributes = attributes(ofCells);
    for (Array array : ofCells) {
      if (array.isMarker()) {
        int[] markers = whole(array);
        int[] ofSegments = new int[cellOfSegment.length];
        for (int s = 0; s < ofSegments.length; s++) {
          ofSegments[s] = markers[cellOfSegment[s]];
        }
        parts.segmentMarkers(ofSegments);
        if (Arrays.stream(cellOfTriangle).anyMatch(cell -> markers[cell] != 0)) {
          attributes.add(0, array);
        }
      }
    }
    parts.triangleAttributes(components(attributes), joined(attributes, cellOfTriangle));
    for (Array array : ofAll) {
      if (array.name.equals(HOLES) && array.components == 2) {
        parts.holes(array.values);
      } else if (array.name.equals(REGIONS) && array.components == 4) {
        parts.regions(regions(array.values));
      }
    }
    return parts;
  }

  private static List<PlanarGraph.Region> regions(double[] values) {
    List<PlanarGraph.Region> regions = new ArrayList<>();
    for (int i = 0; i < values.length; i += 4) {
      regions.add(new PlanarGraph.Region(values[i], values[i + 1], values[i + 2], values[i + 3]));
    }
    return regions;
  }

  private static List<Array> attributes(List<Array> arrays) {
    return new ArrayList<>(arrays.stream().filter(array -> !array.isMarker()).toList());
  }

  private static int components(List<Array> arrays) {
    return arrays.stream().mapToInt(Array::components).sum();
  }

  /** All components of some tuples of all arrays, tuple after tuple. */
  private static double[] joined(List<Array> arrays, int[] tuples) {
    int components = components(arrays);
    double[] joined = new double[Math.multiplyExact(components, tuples.length)];
    int offset = 0;
    for (Array array : arrays) {
      for (int i = 0; i < tuples.length; i++) {
        System.arraycopy(
            array.values,
            tuples[i] * array.components,
            joined,
            i * components + offset,
            array.components);
      }
      offset += array.components;
    }
    return joined;
  }

  private int[] whole(Array array) throws FileFormatException {
    int[] whole = new int[array.values.length];
    for (int i = 0; i < whole.length; i++) {
      whole[i] = (int) array.values[i];
      if (whole[i] != array.values[i]) {
        throw fault(
            array.line,
            array.values[i] + " in the array " + Tokenizer.quote(array.name),
            "markers, whole numbers from -2147483648 to 2147483647",
            "rename the array if it has attributes");
      }
    }
    return whole;
  }

  /** What is written of a mesh or a graph. */
  record Written(MeshFormat.Content content) {
    PlanarGraph graph() {
      return content.graph();
    }

    int cells() {
      return Math.addExact(graph().segments(), content.triangles());
    }

    int corners() {
      return Math.addExact(2 * graph().segments(), Math.multiplyExact(3, content.triangles()));
    }

    int count(int cell) {
      return cell < graph().segments() ? 2 : 3;
    }

    /** A vertex of a cell; cells are the segments and then the triangles. */
    int vertex(int cell, int k) {
      int t = cell - graph().segments();
      if (t >= 0) {
        return content.mesh().corner(t, k);
      }
      return k == 0 ? graph().segmentStart(cell) : graph().segmentEnd(cell);
    }

    int cellMarker(int cell) {
      return cell < graph().segments() ? graph().segmentMarker(cell) : 0;
    }

    double cellAttribute(int cell, int a) {
      int t = cell - graph().segments();
      return t < 0 ? 0 : content.mesh().triangleAttribute(t, a);
    }

    double[] holes() {
      double[] holes = new double[2 * graph().holes()];
      for (int hole = 0; hole < graph().holes(); hole++) {
        holes[2 * hole] = graph().holeX(hole);
        holes[2 * hole + 1] = graph().holeY(hole);
      }
      return holes;
    }

    double[] regions() {
      return graph().regions().stream()
          .flatMapToDouble(r -> DoubleStream.of(r.x(), r.y(), r.attribute(), r.maxArea()))
          .toArray();
    }
  }
}
