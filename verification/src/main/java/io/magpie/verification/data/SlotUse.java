package io.magpie.verification.data;

/**
 * A slot is taken or freed.
 *
 * @param event its place in the trace
 * @param attempt whose it is
 * @param frees whether it is freed
 * @param phase of the region
 * @param pool the address that stands for the pool
 * @param slot its number
 * @param place where in the module's code
 */
record SlotUse(
    int event, Attempt attempt, boolean frees, int phase, long pool, long slot, long place) {

  /**
   * From which event on it counts: what a commit frees is free from its place in the serial order
   * on, although a hook says so only after others may have seen the commit.
   */
  int since() {
    return frees && attempt.outcome == Attempt.COMMIT ? attempt.serial : event;
  }
}
