package io.magpie.verification.workload;

import io.magpie.stm.MagpieException;
import io.magpie.verification.explore.Violation;

/**
 * A recorded run faulted, or did not end, and what it did before tells by what: with names and
 * places.
 */
public final class FaultFoundException extends MagpieException {
  private static final long serialVersionUID = 1L;

  private final transient Violation violation;

  FaultFoundException(Violation violation, MagpieException fault) {
    super(violation.toString(), fault);
    this.violation = violation;
  }

  /** What led to it. */
  public Violation violation() {
    return violation;
  }
}
