package io.magpie.verification.workload;

import io.magpie.stm.MagpieException;
import io.magpie.verification.explore.Violation;

/**
 * An algorithm was ended because one of its runs showed a violation: {@link
 * ExploredAlgorithm#violations()} has all that it showed.
 */
public final class StoppedAtViolationException extends MagpieException {
  private static final long serialVersionUID = 1L;

  StoppedAtViolationException(Violation first) {
    super(first.toString());
  }
}
