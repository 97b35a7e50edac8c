package io.magpie.stm.simulator;

import io.magpie.stm.simulator.StepLog.Step;
import java.util.List;

/**
 * How a launch is one of a search through schedules. It follows its schedule's choices, which give
 * the threads of its first steps; then the default schedule, but for threads that sleep or have
 * paused as often as they may. It ends as {@link Simulator.Trace#ASLEEP} or {@link
 * Simulator.Trace#CUT} where no other thread can go on.
 *
 * @param asleep next steps of threads, which sleep until another thread does a step that depends on
 *     theirs
 * @param asleepFrom the step before which they stand there
 * @param mostPauses of each thread; -1 = no bound
 */
public record Search(List<Step> asleep, long asleepFrom, long mostPauses) {
  /** Steps of one launch that are kept. */
  public static final int MOST_STEPS = 1 << 18;

  public Search {
    asleep = List.copyOf(asleep);
    if (asleepFrom < 0) {
      throw new IllegalArgumentException("asleepFrom must be at least 0, got " + asleepFrom);
    }
    if (mostPauses < -1) {
      throw new IllegalArgumentException("mostPauses must be at least -1, got " + mostPauses);
    }
  }
}
