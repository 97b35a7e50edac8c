package io.magpie.verification.explore;

import io.magpie.stm.simulator.Schedule;
import io.magpie.stm.simulator.Schedule.Choice;
import io.magpie.stm.simulator.Simulator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Tells a livelock from a repetition that would have ended. The simulator reports a lasso: a state
 * of memory and of the threads' positions that came again although every thread stepped and none
 * got anything done. Registers are not in that state, so its cycle is run again, many times in a
 * row: what goes on for so long without an item's end is a livelock, under a schedule that is fair.
 */
public final class Livelocks {
  /** Repetitions of the cycle. */
  public static final int REPETITIONS = 1000;

  private Livelocks() {}

  /**
   * Repeats the cycle of a run that ended with {@link Simulator.Trace#LASSO}.
   *
   * @param schedule the run's
   * @param trace the run's
   * @param run runs a schedule and gives its trace
   * @return the schedule of all repetitions, if the run does not end and none of its first {@link
   *     Simulator.Trace#MOST_STATES} steps ends an item
   */
  public static Optional<Schedule> confirm(
      Schedule schedule, Simulator.Trace trace, Function<Schedule, Simulator.Trace> run) {
    long begin = trace.lassoBegin();
    long period = trace.lassoEnd() - begin;
    if (trace.code() != Simulator.Trace.LASSO || period <= 0 || !trace.replayable()) {
      return Optional.empty();
    }
    List<Choice> choices = new ArrayList<>();
    List<Choice> cycle = new ArrayList<>();
    for (Choice choice : trace.choices()) {
      if (choice.step() < begin) {
        choices.add(choice);
      } else if (choice.step() < trace.lassoEnd()) {
        cycle.add(choice);
      }
    }
    for (long turn = 0; turn < REPETITIONS; turn++) {
      for (Choice choice : cycle) {
        choices.add(new Choice(choice.step() + turn * period, choice.thread(), choice.version()));
      }
    }
    Schedule repeated =
        schedule
            .withChoices(choices)
            .withoutLassoDetection()
            .withMostSteps(begin + REPETITIONS * period);
    Simulator.Trace end = run.apply(repeated.withStates());
    // The states end where an item does.
    boolean noItemEnded = end.states().length == Math.min(end.steps(), Simulator.Trace.MOST_STATES);
    return end.code() == Simulator.Trace.NO_PROGRESS
            && end.steps() == repeated.mostSteps()
            && noItemEnded
        ? Optional.of(repeated)
        : Optional.empty();
  }
}
