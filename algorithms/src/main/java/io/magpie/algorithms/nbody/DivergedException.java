package io.magpie.algorithms.nbody;

/**
 * Thrown if bodies have come too far apart for their numbers, or if these are not finite any more;
 * the message says in which step, and what may help.
 */
public final class DivergedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  DivergedException(String message) {
    super(message);
  }
}
