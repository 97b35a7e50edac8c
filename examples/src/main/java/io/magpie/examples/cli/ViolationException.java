package io.magpie.examples.cli;

/** A check found something that a correct program never does; the report has been printed. */
public final class ViolationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message what was found, in one line
   */
  public ViolationException(String message) {
    super(message);
  }
}
