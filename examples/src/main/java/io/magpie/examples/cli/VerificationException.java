package io.magpie.examples.cli;

/** A result differs from its reference. */
public final class VerificationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message what differs, with both values
   */
  public VerificationException(String message) {
    super(message);
  }
}
