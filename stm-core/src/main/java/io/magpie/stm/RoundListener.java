package io.magpie.stm;

/**
 * Hears of each round of a {@linkplain Region#runRounds run in rounds}, between it and the next,
 * when nothing runs: the time to grow arrays and pools. It may use the device; other threads' calls
 * wait for the run.
 */
@FunctionalInterface
public interface RoundListener {
  /**
   * Called after a round, also after the last.
   *
   * @param round what it did
   * @return the fields of the next round; null = the same again
   */
  Fields next(RoundReport round);
}
