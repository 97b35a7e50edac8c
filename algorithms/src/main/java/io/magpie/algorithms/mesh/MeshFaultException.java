package io.magpie.algorithms.mesh;

/** Triangles do not make a mesh; tells of which one to blame. */
final class MeshFaultException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private final int triangle;

  MeshFaultException(String message, int triangle) {
    super(message);
    this.triangle = triangle;
  }

  /** The number of a triangle at the fault, counted from 0. */
  int triangle() {
    return triangle;
  }
}
