package io.magpie.algorithms.mesh;

import java.util.Arrays;

/** Gives the vertices of a mesh other numbers, and sorts its triangles by them. */
final class Renumbering {
  private Renumbering() {}

  /**
   * The mesh in another order.
   *
   * @param order new vertex i was {@code order[i]}
   * @throws IllegalArgumentException when the order does not have every vertex once
   */
  static Mesh of(Mesh mesh, int[] order) {
    int vertices = mesh.vertices();
    int[] numbers = inverse(order, vertices);
    int triangles = mesh.triangles();
    int[] next = new int[vertices + 1];
    for (int t = 0; t < triangles; t++) {
      next[first(mesh, t, numbers) + 1]++;
    }
    for (int v = 0; v < vertices; v++) {
      next[v + 1] += next[v];
    }
    int[] places = new int[triangles];
    for (int t = 0; t < triangles; t++) {
      places[t] = next[first(mesh, t, numbers)]++;
    }
    int[] corners = new int[3 * triangles];
    int[] neighbors = new int[3 * triangles];
    int[] segments = new int[3 * triangles];
    int attributes = mesh.triangleAttributes();
    double[] values = new double[attributes * triangles];
    double[] bounds = mesh.hasAreaBounds() ? new double[triangles] : null;
    for (int t = 0; t < triangles; t++) {
      for (int k = 0; k < 3; k++) {
        int at = 3 * places[t] + k;
        corners[at] = numbers[mesh.corner(t, k)];
        neighbors[at] = mesh.neighbor(t, k) < 0 ? -1 : places[mesh.neighbor(t, k)];
        segments[at] = mesh.segment(t, k);
      }
      System.arraycopy(
          mesh.triangleAttributeValues(),
          attributes * t,
          values,
          attributes * places[t],
          attributes);
      if (bounds != null) {
        bounds[places[t]] = mesh.areaBound(t);
      }
    }
    int[] origins = new int[mesh.segments()];
    for (int s = 0; s < origins.length; s++) {
      origins[s] = mesh.segmentOrigin(s);
    }
    return Mesh.builder(graph(mesh.planarGraph(), order, numbers), corners)
        .segmentOrigins(origins)
        .triangleAttributes(attributes, values)
        .areaBounds(bounds)
        .adjacency(neighbors, segments)
        .build();
  }

  private static int[] inverse(int[] order, int vertices) {
    String expected = ": expected each of the " + vertices + " vertices once";
    if (order.length != vertices) {
      throw new IllegalArgumentException("an order of " + order.length + expected);
    }
    int[] numbers = new int[vertices];
    Arrays.fill(numbers, -1);
    for (int i = 0; i < vertices; i++) {
      int v = order[i];
      if (v < 0 || v >= vertices || numbers[v] >= 0) {
        throw new IllegalArgumentException("order[" + i + "] is " + v + expected);
      }
      numbers[v] = i;
    }
    return numbers;
  }

  private static int first(Mesh mesh, int t, int[] numbers) {
    return Math.min(
        numbers[mesh.corner(t, 0)],
        Math.min(numbers[mesh.corner(t, 1)], numbers[mesh.corner(t, 2)]));
  }

  private static PlanarGraph graph(PlanarGraph graph, int[] order, int[] numbers) {
    int vertices = order.length;
    int attributes = graph.attributes();
    double[] coordinates = new double[2 * vertices];
    double[] values = new double[attributes * vertices];
    int[] markers = graph.hasVertexMarkers() ? new int[vertices] : null;
    for (int v = 0; v < vertices; v++) {
      coordinates[2 * v] = graph.x(order[v]);
      coordinates[2 * v + 1] = graph.y(order[v]);
      for (int a = 0; a < attributes; a++) {
        values[attributes * v + a] = graph.attribute(order[v], a);
      }
      if (markers != null) {
        markers[v] = graph.vertexMarker(order[v]);
      }
    }
    int segments = graph.segments();
    int[] ends = new int[2 * segments];
    int[] segmentMarkers = graph.hasSegmentMarkers() ? new int[segments] : null;
    for (int s = 0; s < segments; s++) {
      ends[2 * s] = numbers[graph.segmentStart(s)];
      ends[2 * s + 1] = numbers[graph.segmentEnd(s)];
      if (segmentMarkers != null) {
        segmentMarkers[s] = graph.segmentMarker(s);
      }
    }
    double[] holes = new double[2 * graph.holes()];
    for (int hole = 0; hole < graph.holes(); hole++) {
      holes[2 * hole] = graph.holeX(hole);
      holes[2 * hole + 1] = graph.holeY(hole);
    }
    return PlanarGraph.builder(coordinates)
        .vertexAttributes(attributes, values)
        .vertexMarkers(markers)
        .segments(ends, segmentMarkers)
        .holes(holes)
        .regions(graph.regions())
        .firstIndex(graph.firstIndex())
        .build();
  }
}
