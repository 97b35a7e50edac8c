package io.magpie.stm;

/** Why an attempt of a transaction ended without a commit and was tried again. */
public enum AbortCause {
  /** An object was claimed by a higher rank. */
  OUTRANKED,
  /** A claim was found stolen by a higher rank. */
  STOLEN,
  /** The bound of polls ended a wait for a lock or for a higher claim. */
  WAIT_EXPIRED,
  /** A lock was met; only under {@link Policy#PRIORITY_RULE}. */
  LOCKED,
  /** The region itself returned {@code outcome::retry} although nothing had gone wrong. */
  REQUESTED
}
