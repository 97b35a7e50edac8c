package io.magpie.verification.workload;

/**
 * Thrown when an argument is none of its region's, or does not fit its field. The message begins
 * with the argument's name.
 */
public final class UnsuitableArgumentException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  UnsuitableArgumentException(String message) {
    super(message);
  }

  UnsuitableArgumentException(String message, Throwable cause) {
    super(message, cause);
  }
}
