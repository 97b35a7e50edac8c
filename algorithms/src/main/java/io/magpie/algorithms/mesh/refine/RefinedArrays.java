package io.magpie.algorithms.mesh.refine;

import io.magpie.algorithms.ResultArrays;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.resident.ResidentGraph;

/**
 * A refined mesh in the arrays of a {@link ResultArrays}, which the next call with these
 * overwrites. The arrays may be longer than the mesh needs. A {@link Mesh} with arrays of its own
 * is made when it is first asked for.
 *
 * <p>Arrays {@linkplain ResultArrays#onDevice on the device} are copied to Java arrays, of just the
 * length needed, when these are first asked for; after a later call that throws {@link
 * IllegalStateException}.
 */
public final class RefinedArrays {
  private final DownloadedMesh data;
  private final RefinementReport report;

  RefinedArrays(DownloadedMesh data, RefinementReport report) {
    this.data = data;
    this.report = report;
  }

  /** The number of vertices: the input's first, as they were, then the inserted ones. */
  public int vertices() {
    return data.counts().vertices();
  }

  /** The number of triangles. */
  public int triangles() {
    return data.counts().triangles();
  }

  /** The number of segments: the parts of the input's. */
  public int segments() {
    return data.parts().origins().length;
  }

  /** {@code coordinates}: x and y of vertex v at 2v and 2v + 1; not a copy. */
  public double[] coordinates() {
    return data.coordinates();
  }

  /** {@code corners}: corner k of triangle t at 3t + k, counter-clockwise; not a copy. */
  public int[] corners() {
    return data.corners();
  }

  /**
   * {@code neighbors}: the triangle across the edge opposite corner k of triangle t at 3t + k, or
   * -1; not a copy.
   */
  public int[] neighbors() {
    return data.neighbors();
  }

  /**
   * For each segment the edge that it is: that opposite corner k of triangle t as 3t + k, where t
   * is the lower one of its triangles; -1 in a mesh without triangles. Ascending; an array of this
   * result's own, as long as that.
   */
  public int[] edgesOfSegments() {
    return data.parts().edges();
  }

  /** The two vertices of each segment in turn; an array of this result's own. */
  public int[] segmentEnds() {
    return data.parts().ends();
  }

  /** For each segment the input's that it is a part of; an array of this result's own. */
  public int[] segmentOrigins() {
    return data.parts().origins();
  }

  /**
   * The dual graph: a vertex for each triangle, with its number, and an edge where two triangles
   * have one in common. Made on the device, of arrays that are {@linkplain ResultArrays#onDevice
   * there}, O(triangles); it does not change with them. Device memory while it is made: 12 bytes
   * for each triangle and what primitives need.
   *
   * @return the graph, to be closed
   * @throws IllegalStateException if the arrays are in Java's memory, or a later call has written
   *     to them, or they are closed
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   */
  public ResidentGraph dualGraph() {
    return data.dualGraph();
  }

  /**
   * The graph of vertices and edges. Made on the device, of arrays that are {@linkplain
   * ResultArrays#onDevice there}, O(vertices + triangles); the neighbors of each vertex ascend.
   * Device memory while it is made: 4 bytes for each vertex and what primitives need.
   *
   * @return the graph, to be closed
   * @throws IllegalStateException if the arrays are in Java's memory, or a later call has written
   *     to them, or they are closed
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   */
  public ResidentGraph vertexGraph() {
    return data.vertexGraph();
  }

  /** How it was made. */
  public RefinementReport report() {
    return report;
  }

  /**
   * The mesh with copies of the arrays, and with markers, attributes and area bounds, if the input
   * has any. Made in parallel by the first call, O(vertices + triangles); always the same one.
   *
   * @throws IllegalStateException if a later call has written to the arrays before the first one
   */
  public Mesh mesh() {
    return data.mesh();
  }
}
