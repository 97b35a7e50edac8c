package io.magpie.verification.workload;

/**
 * Thrown when a number that was read from somewhere, such as a file, is none of the type of its
 * field. The message names field, place, number and range.
 */
public final class NumberRangeException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  NumberRangeException(String message, Throwable cause) {
    super(message, cause);
  }
}
