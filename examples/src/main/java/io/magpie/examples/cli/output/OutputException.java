package io.magpie.examples.cli.output;

/** A file could not be written; what was there before is as it was. */
public final class OutputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message the file, why, and what to do
   * @param cause what the system said, or null
   */
  public OutputException(String message, Throwable cause) {
    super(message, cause);
  }
}
