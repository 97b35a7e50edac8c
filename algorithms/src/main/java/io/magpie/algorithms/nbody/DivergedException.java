package io.magpie.algorithms.nbody;

import io.magpie.stm.MagpieException;

/**
 * Thrown if bodies have come too far apart for their numbers, or if these are not finite any more;
 * the message says in which step, and what may help.
 */
public final class DivergedException extends MagpieException {
  private static final long serialVersionUID = 1;

  DivergedException(String message) {
    super(message);
  }
}
