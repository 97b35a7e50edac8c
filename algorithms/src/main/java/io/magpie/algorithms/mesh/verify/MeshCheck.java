package io.magpie.algorithms.mesh.verify;

/** The eleven checks of a refined mesh, in the order in which they are reported. */
public enum MeshCheck {
  /**
   * Coordinates are finite; ids are in range and name nothing that was freed; every triangle is
   * strictly counter-clockwise, by exact arithmetic; every vertex is a corner, unless the input did
   * not use it either.
   */
  TRIANGLES("triangles counter-clockwise, ids valid, vertices used"),
  /**
   * Every edge belongs to one triangle, or to two that run along it in opposite directions; and no
   * triangle overlaps another: of the edges that belong to one, none cross, no vertex lies on one
   * or at the place of another, and they wind around no point twice.
   */
  EDGES("one or two triangles on each edge, opposite directions, none over another"),
  /**
   * Neighbors are those that the corners imply, hence symmetric; the segment on an edge has that
   * edge's ends and is the same from both sides; every boundary edge has one.
   */
  ADJACENCY("neighbors and segments of edges agree with the corners"),
  /** V - E + T, over the used vertices, is what it is in the input. */
  EULER("Euler's formula"),
  /** No corner across an edge that is no segment lies strictly inside the circle: exact. */
  DELAUNAY("local Delaunay property of every edge that is no segment"),
  /** The triangles cover the area that those of the input cover. */
  AREA("area conserved"),
  /**
   * No angle is below the bound, by more than rounding, and no area above it, or above that of the
   * triangle, but for triangles that small angles of the input excuse, and for as many as the
   * refiner admits to have left when it stopped early.
   */
  QUALITY("angle and area bounds"),
  /**
   * The input's vertices come first, bit for bit; the parts of every input segment are edges of the
   * mesh and form one chain between its ends, along its line, that no other chain touches
   * elsewhere, and of segments that are not to be split one part. Triangles have the attributes and
   * the area bounds of those of the input in the same part of the domain, as segments divide it;
   * where these differ within a part, those of the input's triangle that holds the centroid.
   */
  BOUNDARY("input vertices kept, input segments are chains of edges"),
  /** Vertices, triangles, segments, commits and slots are as many as the refiner's counts imply. */
  BOOKKEEPING("counts agree with what the refiner reports"),
  /** The mesh is not much larger than one that a reference program made of the same input. */
  SIZE("size against the reference"),
  /**
   * No edge is far shorter than the input's features, unless the refiner reports that it stopped.
   */
  TERMINATION("shortest edge, or a stop that is reported");

  private final String subject;

  MeshCheck(String subject) {
    this.subject = subject;
  }

  /** What is checked, in a few words. */
  public String subject() {
    return subject;
  }
}
