package io.magpie.algorithms.paths;

/** Ranges of distances that are whole numbers cannot be as wide as asked for. */
public final class DeltaRangeException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  DeltaRangeException(String message) {
    super(message);
  }
}
