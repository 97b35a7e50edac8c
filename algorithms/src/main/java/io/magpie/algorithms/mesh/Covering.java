package io.magpie.algorithms.mesh;

import java.util.Arrays;

/**
 * Checks that triangles cover no point twice and meet in whole edges.
 *
 * <p>The triangles are counter-clockwise and no two of them have an edge in the same direction, so
 * each point is covered as often as the boundary winds around it. The boundary's edges are made
 * segments of a triangulation of its vertices. That fails where two cross, and cuts those that a
 * vertex lies on; else the winding number is the same in all of a face, and steps by one from each
 * face to the next.
 *
 * <p>O(n log n) expected for n edges of the boundary.
 */
final class Covering {
  /** Markers of edges begin here: a triangulation puts 1 on those of its hull that have none. */
  private static final int FIRST_MARKER = 2;

  private final PlanarGraph graph;
  private final int[] corners;

  /** The sides of triangles on the boundary: side 3t + k is edge k of triangle t. */
  private final int[] sides;

  /** The vertices on the boundary, in order. */
  private final int[] vertices;

  private Covering(PlanarGraph graph, int[] corners, int[] neighbors) {
    this.graph = graph;
    this.corners = corners;
    int count = 0;
    for (int neighbor : neighbors) {
      count += neighbor < 0 ? 1 : 0;
    }
    sides = new int[count];
    int next = 0;
    for (int side = 0; side < neighbors.length; side++) {
      if (neighbors[side] < 0) {
        sides[next++] = side;
      }
    }
    // Every vertex of the boundary is where an edge of it starts.
    vertices = Arrays.stream(sides).map(this::start).sorted().distinct().toArray();
  }

  /**
   * Checks a mesh.
   *
   * @param corners counter-clockwise triangles of the graph's vertices
   * @param neighbors across each edge, or -1
   * @throws MeshFaultException if triangles overlap, or a vertex lies on an edge or another vertex
   */
  static void check(PlanarGraph graph, int[] corners, int[] neighbors) {
    Covering covering = new Covering(graph, corners, neighbors);
    // Beyond exact arithmetic nothing is sure; no mesh is refined there.
    if (corners.length > 0 && covering.isExact()) {
      covering.check();
    }
  }

  private boolean isExact() {
    return Arrays.stream(vertices)
        .allMatch(v -> Predicates.isExactFor(graph.x(v)) && Predicates.isExactFor(graph.y(v)));
  }

  private int start(int side) {
    return corners[side % 3 == 2 ? side - 2 : side + 1];
  }

  private int end(int side) {
    return corners[side % 3 == 0 ? side + 2 : side - 1];
  }

  private void check() {
    PlanarGraph boundary = boundary();
    int[] first = boundary.firstAtSamePlace();
    for (int v = 0; v < first.length; v++) {
      if (first[v] != v) {
        throw onePlace(first[v], v);
      }
    }
    Mesh faces;
    try {
      faces = DelaunayTriangulation.ofConvexHull(boundary);
    } catch (GraphFaults.CrossingException e) {
      throw crossing(e.segment(), e.obstacle());
    }
    checkWholeEdges(faces);
    checkWinding(faces);
  }

  private PlanarGraph boundary() {
    double[] coordinates = new double[2 * vertices.length];
    for (int v = 0; v < vertices.length; v++) {
      coordinates[2 * v] = graph.x(vertices[v]);
      coordinates[2 * v + 1] = graph.y(vertices[v]);
    }
    int[] ends = new int[2 * sides.length];
    int[] markers = new int[sides.length];
    for (int i = 0; i < sides.length; i++) {
      ends[2 * i] = Arrays.binarySearch(vertices, start(sides[i]));
      ends[2 * i + 1] = Arrays.binarySearch(vertices, end(sides[i]));
      markers[i] = FIRST_MARKER + i;
    }
    return PlanarGraph.builder(coordinates).segments(ends, markers).build();
  }

  /** Which edge of the boundary a segment of the triangulation is, or -1. */
  private static int edge(Mesh faces, int segment) {
    return segment < 0 ? -1 : faces.segmentMarker(segment) - FIRST_MARKER;
  }

  /** An edge that a vertex lies on was cut there, or lies along another one that is not longer. */
  private void checkWholeEdges(Mesh faces) {
    boolean[] seen = new boolean[sides.length];
    for (int s = 0; s < faces.segments(); s++) {
      int edge = edge(faces, s);
      if (edge < 0) {
        continue;
      }
      int start = vertices[faces.segmentStart(s)];
      int end = vertices[faces.segmentEnd(s)];
      if (start != start(sides[edge]) || end != end(sides[edge])) {
        boolean atStart = start == start(sides[edge]);
        throw vertexOnEdge(atStart ? end : start, edge);
      }
      seen[edge] = true;
    }
    for (int edge = 0; edge < sides.length; edge++) {
      if (!seen[edge]) {
        throw overlap(edge);
      }
    }
  }

  /** Spreads from the hull, outside of which the boundary winds around nothing. */
  private void checkWinding(Mesh faces) {
    byte[] covered = new byte[faces.triangles()]; // once more than triangles cover it; 0: not known
    int[] pending = new int[faces.triangles()];
    int waiting = 0;
    for (int t = 0; t < faces.triangles(); t++) {
      for (int k = 0; k < 3 && covered[t] == 0; k++) {
        if (faces.neighbor(t, k) < 0) {
          covered[t] = across(faces, t, k, (byte) 1);
          pending[waiting++] = t;
        }
      }
    }
    while (waiting > 0) {
      int t = pending[--waiting];
      for (int k = 0; k < 3; k++) {
        int next = faces.neighbor(t, k);
        if (next >= 0 && covered[next] == 0) {
          covered[next] = across(faces, next, edgeBetween(faces, next, t), covered[t]);
          pending[waiting++] = next;
        }
      }
    }
  }

  private static int edgeBetween(Mesh faces, int t, int neighbor) {
    int k = 0;
    while (faces.neighbor(t, k) != neighbor) {
      k++;
    }
    return k;
  }

  /** The entry of a face, by its edge k and the entry of what lies beyond. */
  private byte across(Mesh faces, int t, int k, byte beyond) {
    int edge = edge(faces, faces.segment(t, k));
    if (edge < 0) {
      return beyond;
    }
    // The triangle at an edge of the boundary lies on its left, as the face does on that of its
    // own.
    boolean inside = vertices[faces.corner(t, (k + 1) % 3)] == start(sides[edge]);
    int here = beyond + (inside ? 1 : -1);
    if (here != 1 && here != 2) {
      throw overlap(edge);
    }
    return (byte) here;
  }

  private long number(int zeroBased) {
    return zeroBased + (long) graph.firstIndex();
  }

  private String place(int v) {
    return number(v) + " at " + graph.x(v) + " " + graph.y(v);
  }

  private String text(int edge) {
    int side = sides[edge];
    return "the edge of triangle "
        + number(side / 3)
        + " from vertex "
        + number(start(side))
        + " to "
        + number(end(side));
  }

  private MeshFaultException fault(String message, int edge) {
    return new MeshFaultException(message, sides[edge] / 3);
  }

  private int edgeFrom(int v) {
    int edge = 0;
    while (start(sides[edge]) != v) {
      edge++;
    }
    return edge;
  }

  private MeshFaultException onePlace(int v, int w) {
    return fault(
        "vertices "
            + number(vertices[v])
            + " and "
            + place(vertices[w])
            + " lie at one place: merge them, so that the triangles there are neighbors",
        edgeFrom(vertices[w]));
  }

  private MeshFaultException vertexOnEdge(int v, int edge) {
    return fault(
        "vertex "
            + place(v)
            + " lies on "
            + text(edge)
            + ", and is none of its ends: split the triangle there",
        edge);
  }

  private MeshFaultException crossing(int edge, int other) {
    return fault(
        "triangles "
            + number(sides[other] / 3)
            + " and "
            + number(sides[edge] / 3)
            + " overlap: "
            + text(other)
            + " crosses "
            + text(edge),
        edge);
  }

  private MeshFaultException overlap(int edge) {
    return fault(
        "triangle "
            + number(sides[edge] / 3)
            + " overlaps others: "
            + text(edge)
            + " is on the boundary, and triangles that it does not meet lie there, too",
        edge);
  }
}
