package io.magpie.algorithms.mesh;

/** Vertices coincide: {@link PlanarGraph#withoutDuplicates} merges them. */
public final class DuplicateVerticesException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  DuplicateVerticesException(String message) {
    super(message);
  }
}
