package io.magpie.verification.workload;

import io.magpie.stm.simulator.Schedule;
import io.magpie.stm.simulator.Schedule.Choice;
import io.magpie.stm.simulator.Simulator;
import java.util.ArrayList;
import java.util.List;

/**
 * The rounds of a run under one schedule. Each is a launch, whose steps the simulator counts from
 * 0; the schedule counts them over all rounds: the first step of a round follows on the last one of
 * the round before. What is drawn is drawn for each round anew, from the schedule's seed and the
 * round's number.
 */
final class ScheduledRounds {
  private static final long SEED_STEP = 0x9e3779b97f4a7c15L;

  private final Schedule whole;
  private final List<Simulator.Trace> traces = new ArrayList<>();
  private final List<Schedule> repeating = new ArrayList<>();
  private long steps;

  ScheduledRounds(Schedule whole) {
    this.whole = whole;
  }

  /** The schedule of the next round. */
  Schedule next() {
    if (traces.isEmpty()) {
      return whole;
    }
    Schedule own =
        switch (whole.kind()) {
          case EXPLICIT -> whole.withChoices(moved(whole.choices(), -steps));
          case ROUND_ROBIN, ORDERED -> whole;
          case RANDOM_WALK, PCT, LOCK_STEP -> drawn();
        };
    return whole.mostSteps() == 0 ? own : own.withMostSteps(Math.max(1, whole.mostSteps() - steps));
  }

  private Schedule drawn() {
    return new Schedule(
        whole.kind(),
        whole.seed() + traces.size() * SEED_STEP,
        whole.depth(),
        whole.steps(),
        List.of(),
        whole.weakMemory(),
        whole.lassoDetection(),
        whole.stoppedThread(),
        whole.stoppedStep(),
        whole.mostSteps(),
        whole.states(),
        whole.fine(),
        null);
  }

  /** Notes what became of the next round. */
  void add(Schedule schedule, Simulator.Trace trace) {
    traces.add(trace);
    // All its choices if they are known; else it is drawn again. A state may have come again.
    Schedule again = trace.replayable() ? schedule.withChoices(trace.choices()) : schedule;
    repeating.add(again.withoutLassoDetection());
    steps += trace.steps();
  }

  /** Schedules that repeat the rounds so far. */
  List<Schedule> repeating() {
    return repeating;
  }

  /** Rounds so far. */
  int size() {
    return traces.size();
  }

  /** What became of all rounds, as of one launch; without states. */
  Simulator.Trace trace() {
    if (traces.size() == 1) {
      return traces.get(0);
    }
    List<Choice> choices = new ArrayList<>();
    long before = 0;
    long deviations = 0;
    long switches = 0;
    long hash = 0;
    for (Simulator.Trace each : traces) {
      choices.addAll(moved(each.choices(), before));
      deviations += each.deviations();
      switches += each.switches();
      hash = 31 * hash + each.hash();
      before += each.steps();
    }
    Simulator.Trace last = traces.get(traces.size() - 1);
    long begin = before - last.steps();
    boolean lasso = last.lassoEnd() > 0;
    return new Simulator.Trace(
        choices,
        deviations,
        steps,
        switches,
        hash,
        lasso ? begin + last.lassoBegin() : 0,
        lasso ? begin + last.lassoEnd() : 0,
        last.code(),
        last.message(),
        new long[0],
        new int[0],
        last.log());
  }

  /** The choices that are at step 0 or later when they are moved by so many steps. */
  private static List<Choice> moved(List<Choice> choices, long by) {
    return choices.stream()
        .filter(choice -> choice.step() + by >= 0)
        .map(choice -> new Choice(choice.step() + by, choice.thread(), choice.version()))
        .toList();
  }
}
