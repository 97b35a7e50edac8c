package io.magpie.algorithms.graph;

/** Thrown where both directions of every edge are required and one is missing. */
final class AsymmetricArcsException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  AsymmetricArcsException(String message) {
    super(message);
  }
}
