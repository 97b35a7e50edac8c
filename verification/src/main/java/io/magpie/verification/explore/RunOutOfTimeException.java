package io.magpie.verification.explore;

import io.magpie.stm.MagpieException;

/** A run was ended by its time limit: it shows neither a violation nor that there is none. */
public final class RunOutOfTimeException extends MagpieException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message what was ended, and when
   */
  public RunOutOfTimeException(String message) {
    super(message);
  }
}
