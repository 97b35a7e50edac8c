package io.magpie.algorithms.pointsto;

/**
 * Thrown where edges or sets are more than arrays can hold; the message names the limit and a
 * remedy.
 */
public final class PointsToSizeException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  /**
   * Describes the excess.
   *
   * @param message which limit is exceeded, and what helps
   */
  public PointsToSizeException(String message) {
    super(message);
  }
}
