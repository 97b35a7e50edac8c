package io.magpie.verification.workload;

import io.magpie.stm.RegionReport;

/**
 * What the rounds of one run did, or of several runs together.
 *
 * @param rounds how many
 * @param pushed items that commits pushed
 * @param deferred how often an item was left to the next round
 * @param waiting items that wait after the last round; of several runs, the most that did
 */
public record Rounds(long rounds, long pushed, long deferred, long waiting) {
  /** None. */
  public static final Rounds NONE = new Rounds(0, 0, 0, 0);

  /** With one more round of the same run. */
  Rounds and(RegionReport round, long waitingNow) {
    return new Rounds(rounds + 1, pushed + round.pushed(), deferred + round.deferred(), waitingNow);
  }

  /** Both together. */
  public Rounds plus(Rounds other) {
    return new Rounds(
        rounds + other.rounds,
        pushed + other.pushed,
        deferred + other.deferred,
        Math.max(waiting, other.waiting));
  }
}
