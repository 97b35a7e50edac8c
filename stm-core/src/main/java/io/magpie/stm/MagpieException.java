package io.magpie.stm;

/** The root of every exception that Magpie throws on its own account. Unchecked. */
public class MagpieException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message what happened, with the values involved and, where there is one, the remedy
   */
  public MagpieException(String message) {
    super(message);
  }

  /**
   * @param message what happened, with the values involved and, where there is one, the remedy
   * @param cause what made it happen
   */
  public MagpieException(String message, Throwable cause) {
    super(message, cause);
  }
}
