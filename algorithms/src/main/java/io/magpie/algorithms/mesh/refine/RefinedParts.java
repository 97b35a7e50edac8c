package io.magpie.algorithms.mesh.refine;

import io.magpie.algorithms.internal.Parallel;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.PlanarGraph;
import java.util.stream.IntStream;

/** Makes a {@link Mesh} of a refined triangulation's arrays: numbers the parts of segments. */
final class RefinedParts {
  private RefinedParts() {}

  /**
   * The mesh. Vertices on a segment get its marker, other inserted ones 0; all have their {@link
   * VertexAttributes}.
   *
   * @param input what was refined
   * @param lies of each vertex the input's segment it was put on, or negative
   * @param segments the input's segment that the edge opposite each corner lies on, -1 for none;
   *     replaced by the parts' numbers
   * @param triangleAttributes of all triangles, as many each as the input has
   * @param areaBounds of all triangles; null if the input has none
   */
  static Mesh mesh(
      Mesh input,
      double[] coordinates,
      int[] lies,
      int[] corners,
      int[] neighbors,
      int[] segments,
      double[] triangleAttributes,
      double[] areaBounds) {
    int[] owners = owners(neighbors, segments);
    int[] ends = new int[2 * owners.length];
    int[] origins = new int[owners.length];
    int[] markers = new int[owners.length];
    for (int part = 0; part < owners.length; part++) {
      int at = owners[part];
      int t = at / 3;
      int k = at % 3;
      ends[2 * part] = corners[3 * t + (k + 1) % 3];
      ends[2 * part + 1] = corners[3 * t + (k + 2) % 3];
      origins[part] = segments[at];
      markers[part] = input.segmentMarker(segments[at]);
      segments[at] = part;
      int beyond = neighbors[at];
      if (beyond >= 0) {
        for (int other = 3 * beyond; other < 3 * beyond + 3; other++) {
          if (neighbors[other] == t) {
            segments[other] = part;
          }
        }
      }
    }
    double[] attributes = VertexAttributes.of(input, coordinates, lies, corners, neighbors);
    PlanarGraph graph = graph(input, coordinates, lies, attributes, ends, markers);
    return Mesh.builder(graph, corners)
        .segmentOrigins(origins)
        .triangleAttributes(input.triangleAttributes(), triangleAttributes)
        .areaBounds(areaBounds)
        .adjacency(neighbors, segments)
        .build();
  }

  /** The edges that number a part, ascending. */
  private static int[] owners(int[] neighbors, int[] segments) {
    return Parallel.map(
            segments.length,
            (from, to) ->
                IntStream.range(from, to)
                    .filter(at -> segments[at] >= 0 && isOwner(neighbors, at))
                    .toArray())
        .stream()
        .flatMapToInt(IntStream::of)
        .toArray();
  }

  /** Whether the triangle at this edge, and not the one beyond, numbers the part. */
  private static boolean isOwner(int[] neighbors, int at) {
    return neighbors[at] < 0 || neighbors[at] > at / 3;
  }

  private static PlanarGraph graph(
      Mesh input,
      double[] coordinates,
      int[] lies,
      double[] attributes,
      int[] ends,
      int[] markers) {
    PlanarGraph before = input.planarGraph();
    PlanarGraph.Builder builder =
        PlanarGraph.builder(coordinates)
            .segments(ends, before.hasSegmentMarkers() ? markers : null);
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
}
