package io.magpie.algorithms.mesh.refine;

import io.magpie.algorithms.internal.Parallel;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.PlanarGraph;

/**
 * The parts of segments in a refined triangulation.
 *
 * @param edges of each part the edge of the lower one of its triangles, 3t + k; ascending
 * @param ends the two vertices of each part in turn
 * @param origins the input's segment that each is a part of
 */
record RefinedParts(int[] edges, int[] ends, int[] origins) {
  /** Whether a mesh of the input's kind needs to know which segments vertices were put on. */
  static boolean needPlaces(Mesh input) {
    return input.attributes() > 0 || input.planarGraph().hasVertexMarkers();
  }

  /**
   * The vertices, and the parts as segments. Vertices on a segment get its marker, other inserted
   * ones 0.
   *
   * @param input what was refined
   * @param lies of each vertex the input's segment it was put on, or negative; empty unless {@link
   *     #needPlaces}
   * @param attributes of all vertices, as many each as the input has
   */
  PlanarGraph graph(Mesh input, double[] coordinates, int[] lies, double[] attributes) {
    PlanarGraph before = input.planarGraph();
    PlanarGraph.Builder builder =
        PlanarGraph.builder(coordinates)
            .segments(ends, before.hasSegmentMarkers() ? markers(input) : null);
    if (before.hasVertexMarkers()) {
      int[] vertexMarkers = new int[lies.length];
      for (int v = 0; v < lies.length; v++) {
        vertexMarkers[v] =
            v < input.vertices()
                ? input.vertexMarker(v)
                : lies[v] >= 0 ? input.segmentMarker(lies[v]) : 0;
      }
      builder.vertexMarkers(vertexMarkers);
    }
    if (input.attributes() > 0) {
      builder.vertexAttributes(input.attributes(), attributes);
    }
    double[] holes = new double[2 * input.holes()];
    for (int hole = 0; hole < input.holes(); hole++) {
      holes[2 * hole] = input.holeX(hole);
      holes[2 * hole + 1] = input.holeY(hole);
    }
    return builder.holes(holes).regions(input.regions()).firstIndex(before.firstIndex()).build();
  }

  /**
   * A mesh, but for what triangles have.
   *
   * @param graph of {@link #graph}
   * @param corners not looked at yet
   */
  Mesh.Builder mesh(PlanarGraph graph, int[] corners, int[] neighbors) {
    return Mesh.builder(graph, corners).segmentOrigins(origins).edgesOfSegments(neighbors, edges);
  }

  private int[] markers(Mesh input) {
    int[] markers = new int[origins.length];
    Parallel.forRanges(
        markers.length,
        (from, to) -> {
          for (int part = from; part < to; part++) {
            markers[part] = input.segmentMarker(origins[part]);
          }
        });
    return markers;
  }
}
