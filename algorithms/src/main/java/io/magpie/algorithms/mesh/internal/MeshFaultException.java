package io.magpie.algorithms.mesh.internal;

/** Triangles do not make a mesh; tells of which one to blame. */
public final class MeshFaultException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private final int triangle;

  public MeshFaultException(String message, int triangle) {
    super(message);
    this.triangle = triangle;
  }

  /** The number of a triangle at the fault, counted from 0. */
  public int triangle() {
    return triangle;
  }
}
