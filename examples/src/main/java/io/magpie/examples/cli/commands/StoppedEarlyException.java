package io.magpie.examples.cli.commands;

/** Work stopped at a limit before it was done; its result is valid, and has been written. */
public final class StoppedEarlyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message at which limit, what is left, and what to do
   */
  public StoppedEarlyException(String message) {
    super(message);
  }
}
