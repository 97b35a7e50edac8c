package io.magpie.algorithms.mesh;

/** Meshes that no builder would make: triangles may overlap, or be clockwise. */
public final class UncheckedMesh {
  private UncheckedMesh() {}

  /** Triangles whose boundary the graph's segments are, with segments of that ancestry. */
  public static Mesh of(PlanarGraph graph, int[] corners, int... origins) {
    Adjacency adjacency = Adjacency.of(graph, corners);
    return Mesh.builder(graph, corners)
        .segmentOrigins(origins)
        .adjacency(adjacency.neighbors(), adjacency.segments())
        .build();
  }

  /** Triangles with a segment on each edge of the boundary. */
  public static Mesh bounded(double[] coordinates, int[] corners) {
    Adjacency adjacency = Adjacency.of(PlanarGraph.of(coordinates), corners);
    return Mesh.builder(adjacency.completeBoundary(), corners)
        .adjacency(adjacency.neighbors(), adjacency.segments())
        .build();
  }
}
