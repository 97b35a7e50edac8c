package io.magpie.examples.cli.commands;

/** The comparison on one of a ladder's inputs failed; the cause says how. */
public final class ComparedInputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String title;

  /**
   * @param title ladder and input
   * @param cause what went wrong
   */
  ComparedInputException(String title, Throwable cause) {
    super(title + ": " + cause.getMessage(), cause);
    this.title = title;
  }

  /** Ladder and input, as in messages. */
  public String title() {
    return title;
  }
}
