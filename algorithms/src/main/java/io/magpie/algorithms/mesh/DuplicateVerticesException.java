package io.magpie.algorithms.mesh;

/** Vertices lie at one place: {@link PlanarGraph#withoutDuplicates} merges them. */
public final class DuplicateVerticesException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  DuplicateVerticesException(String message) {
    super(message);
  }
}
