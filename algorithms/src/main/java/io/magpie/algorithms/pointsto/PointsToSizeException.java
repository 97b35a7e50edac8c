package io.magpie.algorithms.pointsto;

/** Thrown where edges or sets are more than arrays can hold; the message says what would do. */
public final class PointsToSizeException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  PointsToSizeException(String message) {
    super(message);
  }
}
