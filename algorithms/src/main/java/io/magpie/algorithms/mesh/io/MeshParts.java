package io.magpie.algorithms.mesh.io;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.PlanarGraph;
import io.magpie.algorithms.mesh.RegionFaultException;
import io.magpie.algorithms.mesh.internal.MeshFaultException;
import io.magpie.algorithms.mesh.internal.Predicates;
import java.nio.file.Path;
import java.util.List;

/**
 * Vertices, segments and triangles as a file lists them, each with its line, so that what is wrong
 * with them can be reported in terms of the file. Vertices may be listed after what refers to them.
 */
final class MeshParts {
  private static final String PROJECT = "project it to a plane of equal z first";

  private final Path file;
  private final int firstIndex;
  private final Growing.Doubles coordinates = new Growing.Doubles();
  private final Growing.Ints corners = new Growing.Ints();
  private final Growing.Ints triangleLines = new Growing.Ints();
  private final Growing.Ints ends = new Growing.Ints();
  private final Growing.Ints segmentLines = new Growing.Ints();
  private double height;
  private int[] vertexMarkers;
  private int[] segmentMarkers;
  private int attributes;
  private double[] attributeValues = {};
  private int triangleAttributes;
  private double[] triangleAttributeValues = {};
  private double[] holes = {};
  private List<PlanarGraph.Region> regions = List.of();

  /**
   * Nothing yet.
   *
   * @param file what is read
   * @param firstIndex the number that it gives the first vertex, 0 or 1
   */
  MeshParts(Path file, int firstIndex) {
    this.file = file;
    this.firstIndex = firstIndex;
  }

  int vertices() {
    return coordinates.size() / 2;
  }

  int segments() {
    return ends.size() / 2;
  }

  int triangles() {
    return corners.size() / 3;
  }

  /** Adds a vertex, which must be as high as all others. */
  void vertex(double x, double y, double z, long line) throws FileFormatException {
    if (vertices() == 0) {
      height = z;
    } else if (z != height) {
      throw fault(line, "z " + z, "z " + height + " of the first vertex: a plane mesh", PROJECT);
    }
    coordinates.add(x);
    coordinates.add(y);
  }

  /** Adds a segment between vertices, counted from 0. */
  void segment(int start, int end, long line) {
    ends.add(start);
    ends.add(end);
    segmentLines.add((int) line);
  }

  /** Adds a triangle of vertices, counted from 0, in either direction. */
  void triangle(int a, int b, int c, long line) {
    corners.add(a);
    corners.add(b);
    corners.add(c);
    triangleLines.add((int) line);
  }

  /** Sets the markers of all vertices; null for none. */
  void vertexMarkers(int[] markers) {
    vertexMarkers = markers;
  }

  /** Sets the markers of all segments; null for none. */
  void segmentMarkers(int[] markers) {
    segmentMarkers = markers;
  }

  /** Sets the attributes of all vertices, those of one after those of another. */
  void vertexAttributes(int count, double[] values) {
    attributes = count;
    attributeValues = values;
  }

  /** Sets the attributes of all triangles, those of one after those of another. */
  void triangleAttributes(int count, double[] values) {
    triangleAttributes = count;
    triangleAttributeValues = values;
  }

  /** Sets x and y of a point in each hole in turn. */
  void holes(double[] points) {
    holes = points;
  }

  void regions(List<PlanarGraph.Region> list) {
    regions = list;
  }

  private FileFormatException fault(long line, String found, String expected, String remedy) {
    return new FileFormatException(file, line, found, expected, remedy, null);
  }

  /** The vertices and segments. */
  PlanarGraph graph() throws FileFormatException {
    for (int s = 0; s < segments(); s++) {
      int line = segmentLines.get(s);
      requireVertex(ends.get(2 * s), line);
      requireVertex(ends.get(2 * s + 1), line);
      if (ends.get(2 * s) == ends.get(2 * s + 1)) {
        throw fault(
            line,
            "a segment from vertex " + (ends.get(2 * s) + (long) firstIndex) + " to itself",
            "two different vertices",
            null);
      }
    }
    return PlanarGraph.builder(coordinates.toArray())
        .vertexAttributes(attributes, attributeValues)
        .vertexMarkers(vertexMarkers)
        .segments(ends.toArray(), segmentMarkers)
        .holes(holes)
        .regions(regions)
        .firstIndex(firstIndex)
        .build();
  }

  private void requireVertex(int vertex, long line) throws FileFormatException {
    if (vertex < 0 || vertex >= vertices()) {
      throw fault(
          line,
          "vertex " + (vertex + (long) firstIndex),
          vertices() == 0
              ? "no vertex, as there are none"
              : "a vertex, " + firstIndex + " to " + (vertices() - 1L + firstIndex),
          null);
    }
  }

  /** The mesh of all parts; edges of the boundary without a segment get one of marker 1. */
  Mesh mesh() throws FileFormatException {
    PlanarGraph graph = graph();
    for (int t = 0; t < triangles(); t++) {
      turn(graph, t);
    }
    try {
      return Mesh.builder(graph, corners.toArray())
          .triangleAttributes(triangleAttributes, triangleAttributeValues)
          .build()
          .boundedByRegions();
    } catch (RegionFaultException e) {
      throw new FileFormatException(
          file,
          0,
          "an invalid region: " + e.fault(),
          "a point inside the domain, on none of its segments",
          e.remedy(),
          e);
    } catch (IllegalArgumentException e) {
      throw new FileFormatException(
          file,
          e instanceof MeshFaultException fault ? triangleLines.get(fault.triangle()) : 0,
          "an invalid mesh: " + e.getMessage(),
          "triangles that meet in whole edges, and segments that are edges of triangles",
          null,
          e);
    }
  }

  /** Makes a triangle counter-clockwise. */
  private void turn(PlanarGraph graph, int t) throws FileFormatException {
    int a = corners.get(3 * t);
    int b = corners.get(3 * t + 1);
    int c = corners.get(3 * t + 2);
    int line = triangleLines.get(t);
    requireVertex(a, line);
    requireVertex(b, line);
    requireVertex(c, line);
    double turn =
        Predicates.orient2d(graph.x(a), graph.y(a), graph.x(b), graph.y(b), graph.x(c), graph.y(c));
    if (turn == 0) {
      long first = firstIndex;
      throw fault(
          line,
          "the corners " + (a + first) + " " + (b + first) + " " + (c + first),
          "three vertices that do not lie on one line",
          null);
    }
    if (turn < 0) {
      corners.set(3 * t + 1, c);
      corners.set(3 * t + 2, b);
    }
  }
}
