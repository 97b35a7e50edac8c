package io.magpie.stm;

/** Why an attempt of a transaction ended without a commit and was tried again. */
public enum AbortCause {
  /** An object was claimed by a higher rank. */
  OUTRANKED(2),
  /** A claim was found stolen by a higher rank. */
  STOLEN(3),
  /** The bound of polls ended a wait for a lock or for a higher claim. */
  WAIT_EXPIRED(4),
  /** A lock was met; only under {@link Policy#PRIORITY_RULE}. */
  LOCKED(5),
  /**
   * The region itself returned {@code outcome::retry} although nothing had gone wrong, or {@code
   * outcome::defer}, which means the same outside of rounds.
   */
  REQUESTED(6);

  private final int counter;

  AbortCause(int counter) {
    this.counter = counter;
  }

  /** Where it is counted in a run's counters. */
  int counter() {
    return counter;
  }
}
