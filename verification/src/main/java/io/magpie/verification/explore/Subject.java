package io.magpie.verification.explore;

import io.magpie.stm.trace.Schedule;

/**
 * What is explored: something that the simulator runs from the same beginning each time, so that
 * the schedule alone decides what happens.
 */
public interface Subject {
  /** Runs it once and looks for violations. */
  Observation run(Schedule schedule);

  /** Simulated threads. */
  int threads();
}
