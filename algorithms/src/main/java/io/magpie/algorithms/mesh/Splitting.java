package io.magpie.algorithms.mesh;

/** Which segments refinement may split by vertices of its own. */
public enum Splitting {
  /** All of them. */
  ALL,
  /** Those with triangles on both sides: none of the boundary, that of holes included. */
  INSIDE,
  /** None. */
  NONE
}
