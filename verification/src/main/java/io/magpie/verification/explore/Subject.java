package io.magpie.verification.explore;

import io.magpie.stm.simulator.Schedule;
import io.magpie.stm.simulator.Simulator;

/**
 * What is explored: something that the simulator runs from the same beginning each time, so that
 * the schedule alone decides what happens.
 */
public interface Subject {
  /**
   * Runs it once and looks for violations.
   *
   * @throws RunOutOfTimeException if time ended the run, so that it has no verdict; so does {@link
   *     #launch}
   */
  Observation run(Schedule schedule);

  /** Runs it once, without looking at what it did. */
  Simulator.Trace launch(Schedule schedule);

  /** Simulated threads at most, in whole warps; an explorer chooses among them. */
  int threads();
}
