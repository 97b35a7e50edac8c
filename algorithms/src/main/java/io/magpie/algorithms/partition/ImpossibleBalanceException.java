package io.magpie.algorithms.partition;

/** A graph has no parts of the number and balance asked; the message says what would do. */
public final class ImpossibleBalanceException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  ImpossibleBalanceException(String message) {
    super(message);
  }
}
