package io.magpie.examples.input;

/** An input is well-formed but does not suit what is to be done with it. */
public final class InputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message the input, what is wrong with it, and what to do
   */
  public InputException(String message) {
    super(message);
  }

  /**
   * @param message the input, what is wrong with it, and what to do
   * @param cause what found it wrong
   */
  public InputException(String message, Throwable cause) {
    super(message, cause);
  }
}
