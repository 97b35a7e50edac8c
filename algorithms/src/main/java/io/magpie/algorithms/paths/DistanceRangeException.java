package io.magpie.algorithms.paths;

/**
 * Distances in a graph may need more bits than the options leave for them; the message says what
 * would do.
 */
public final class DistanceRangeException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  DistanceRangeException(String message) {
    super(message);
  }
}
