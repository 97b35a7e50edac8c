package io.magpie.verification.workload;

import java.util.List;

/**
 * A recorded run, by its rounds; of a region that pushes nothing it is one.
 *
 * @param all the rounds, at least one
 * @param timedOut whether items wait because time was up
 */
public record CheckedRounds(List<CheckedRun> all, boolean timedOut) {
  public CheckedRounds {
    all = List.copyOf(all);
  }

  /** The last round. */
  public CheckedRun last() {
    return all.get(all.size() - 1);
  }

  /** What they did together. */
  public Rounds sum() {
    Rounds sum = Rounds.NONE;
    for (CheckedRun round : all) {
      sum = sum.and(round.report(), round.waiting());
    }
    return sum;
  }
}
