package io.magpie.algorithms.mesh;

import io.magpie.algorithms.mesh.internal.MeshFaultException;
import java.util.Arrays;

/**
 * Matches the edges of triangles with each other and with segments.
 *
 * <p>Every edge is filed under that of its ends which has fewer edges, in a list that is searched
 * from its start. In a planar graph the sum over all edges of the smaller degree is O(edges)
 * (Chiba, Nishizeki: Arboricity and subgraph listing algorithms, SIAM J. Comput. 14, 1985), so the
 * whole costs O(vertices + triangles), however large single degrees are. The lists are linked
 * through the result, so memory in addition to it is 8 bytes for each vertex and a bit for each
 * edge of a triangle.
 *
 * <p>A side is an edge of one triangle: side 3t + k is edge k of triangle t.
 */
final class Adjacency {
  private static final int BOUNDARY_MARKER = 1;

  private final PlanarGraph graph;
  private final int[] corners;
  private final int sides;

  /** For each vertex the number of its triangles and the first side in its list, or -1. */
  private final int[] lists;

  /** Bit per side: whether a first side of an edge has met its second one. */
  private final long[] paired;

  /**
   * While matching: for the first side of an edge, the next first side in the list, or -1; for the
   * second one, -2 less its first. In the end: the triangle across, or -1.
   */
  private final int[] neighbors;

  private final int[] segments;
  private int bare;

  private Adjacency(PlanarGraph graph, int[] corners) {
    this.graph = graph;
    this.corners = corners;
    sides = corners.length;
    lists = new int[2 * graph.vertices()];
    for (int v = 0; v < graph.vertices(); v++) {
      lists[2 * v + 1] = -1;
    }
    for (int each : corners) {
      lists[2 * each]++;
    }
    paired = new long[(sides + 63) >>> 6];
    neighbors = new int[sides];
    segments = new int[sides];
    Arrays.fill(segments, -1);
  }

  /**
   * Matches everything.
   *
   * @param corners three vertices of the graph for each triangle, in range
   * @throws IllegalArgumentException when two triangles have an edge in the same direction, or a
   *     segment is no edge or repeats another
   */
  static Adjacency of(PlanarGraph graph, int[] corners) {
    Adjacency result = new Adjacency(graph, corners);
    for (int side = 0; side < result.sides; side++) {
      result.file(side);
    }
    for (int s = 0; s < graph.segments(); s++) {
      result.attach(s);
    }
    result.finish();
    return result;
  }

  int[] neighbors() {
    return neighbors;
  }

  /** The segment on each side, or -1. */
  int[] segments() {
    return segments;
  }

  /** The number of sides on the boundary that have no segment. */
  int bare() {
    return bare;
  }

  private int start(int side) {
    return corners[side % 3 == 2 ? side - 2 : side + 1];
  }

  private int end(int side) {
    return corners[side % 3 == 0 ? side + 2 : side - 1];
  }

  /** Where the first side of the list for an edge is. */
  private int headOf(int u, int v) {
    int fewer = lists[2 * u] - lists[2 * v];
    return 2 * (fewer < 0 || (fewer == 0 && u < v) ? u : v) + 1;
  }

  private boolean isPaired(int side) {
    return (paired[side >>> 6] >>> side & 1) != 0;
  }

  private void file(int side) {
    int u = start(side);
    int v = end(side);
    int head = headOf(u, v);
    for (int other = lists[head]; other >= 0; other = neighbors[other]) {
      int start = start(other);
      int end = end(other);
      if (start == v && end == u && !isPaired(other)) {
        paired[other >>> 6] |= 1L << other;
        neighbors[side] = -2 - other;
        return;
      }
      if ((start == v && end == u) || (start == u && end == v)) {
        throw sameDirection(side);
      }
    }
    neighbors[side] = lists[head];
    lists[head] = side;
  }

  /** Names the first two triangles that have a side's edge in its direction. */
  private MeshFaultException sameDirection(int side) {
    int first = 0;
    while (start(first) != start(side) || end(first) != end(side)) {
      first++;
    }
    int base = graph.firstIndex();
    return new MeshFaultException(
        "triangles "
            + (first / 3 + base)
            + " and "
            + (side / 3 + base)
            + " both have an edge from vertex "
            + (start(side) + base)
            + " to "
            + (end(side) + base)
            + " and so overlap: neighbors have their common edge in opposite directions",
        side / 3);
  }

  private void attach(int s) {
    int u = graph.segmentStart(s);
    int v = graph.segmentEnd(s);
    int side = lists[headOf(u, v)];
    while (side >= 0
        && !(start(side) == u && end(side) == v)
        && !(start(side) == v && end(side) == u)) {
      side = neighbors[side];
    }
    if (side < 0) {
      throw new IllegalArgumentException(graph.segmentText(s) + " is no edge of the triangulation");
    }
    if (segments[side] >= 0) {
      throw new IllegalArgumentException(
          graph.segmentText(s) + " repeats " + graph.segmentText(segments[side]));
    }
    segments[side] = s;
  }

  /** Turns links into neighbors. The first side of an edge comes before its second. */
  private void finish() {
    for (int side = 0; side < sides; side++) {
      int first = -2 - neighbors[side];
      if (first >= 0) {
        neighbors[side] = first / 3;
        neighbors[first] = side / 3;
        segments[side] = segments[first];
      } else {
        if (!isPaired(side) && segments[side] < 0) {
          bare++;
        }
        neighbors[side] = -1;
      }
    }
  }

  /**
   * Puts a segment of marker 1 on every bare side, in the order of sides, after those of the graph.
   *
   * @return the graph with them
   */
  PlanarGraph completeBoundary() {
    int given = graph.segments();
    int[] ends = Arrays.copyOf(graph.segmentEnds(), 2 * (given + bare));
    int[] markers = new int[given + bare];
    for (int s = 0; s < given; s++) {
      markers[s] = graph.segmentMarker(s);
    }
    int next = given;
    for (int side = 0; side < sides; side++) {
      if (neighbors[side] < 0 && segments[side] < 0) {
        ends[2 * next] = start(side);
        ends[2 * next + 1] = end(side);
        markers[next] = BOUNDARY_MARKER;
        segments[side] = next++;
      }
    }
    return graph.withSegments(ends, markers);
  }

  /** Names a bare side. */
  String firstBare() {
    int side = 0;
    while (neighbors[side] >= 0 || segments[side] >= 0) {
      side++;
    }
    int base = graph.firstIndex();
    return "the edge of triangle "
        + (side / 3 + base)
        + " from vertex "
        + (start(side) + base)
        + " to "
        + (end(side) + base);
  }
}
