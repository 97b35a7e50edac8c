package io.magpie.examples.cli.commands;

/** A result differs from its reference, or there was nothing to verify. */
public final class VerificationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message what differs, with both values; or what is lacking
   */
  public VerificationException(String message) {
    super(message);
  }
}
