package io.magpie.verification.explore;

import io.magpie.stm.simulator.Schedule;
import java.util.List;
import java.util.Optional;

/**
 * What an exploration did.
 *
 * @param strategy which schedules were tried
 * @param runs how many
 * @param steps switch points of all runs
 * @param complete whether the strategy had no more schedules to try
 * @param outOfTime whether it ended because its time was up
 * @param known runs that the whole strategy has at least, as far as known when this one ended; more
 *     than {@code runs} only if {@link Strategy.Kind#EXHAUSTIVE} was cut short
 * @param redundant runs that ended early, as what was left had been tried; of {@link
 *     Strategy.Kind#DPOR}
 * @param cut runs that ended early, as every thread had ended or was to pause more often than the
 *     strategy's bound allows; of {@link Strategy.Kind#DPOR}
 * @param tally how the items of all runs ended; {@link Strategy.Kind#STATES} does not look at that
 * @param counterexample the first run with a violation
 */
public record Exploration(
    Strategy strategy,
    long runs,
    long steps,
    boolean complete,
    boolean outOfTime,
    long known,
    long redundant,
    long cut,
    Tally tally,
    Optional<Counterexample> counterexample) {

  /**
   * A run with a violation.
   *
   * @param schedule gives the same run again
   * @param run which run it was, from 1
   * @param violations what was wrong
   */
  public record Counterexample(Schedule schedule, long run, List<Violation> violations) {
    public Counterexample {
      violations = List.copyOf(violations);
    }
  }
}
