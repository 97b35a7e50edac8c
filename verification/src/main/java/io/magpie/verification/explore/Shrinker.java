package io.magpie.verification.explore;

import io.magpie.stm.simulator.Schedule;
import io.magpie.stm.simulator.Schedule.Choice;
import io.magpie.stm.simulator.Simulator;
import io.magpie.verification.explore.Exploration.Counterexample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Makes a counterexample's schedule smaller: fewer choices, then earlier ones, while its worst kind
 * of violation stays. By delta debugging (Zeller and Hildebrandt, IEEE TSE 2002): first halves,
 * then quarters, down to single choices.
 */
public final class Shrinker {
  private final Subject subject;
  private final Violation.Kind kind;
  private Schedule best;
  private List<Violation> violations;
  private final Deadline deadline;
  private long runsLeft;

  private Shrinker(Subject subject, Counterexample from, long mostRuns, Deadline deadline) {
    this.subject = subject;
    this.kind =
        from.violations().stream()
            .map(Violation::kind)
            .min(Comparator.naturalOrder())
            .orElseThrow();
    this.best = from.schedule();
    this.violations = from.violations();
    this.runsLeft = mostRuns;
    this.deadline = deadline;
  }

  /**
   * Shrinks.
   *
   * @param from a counterexample of this subject
   * @param mostRuns bound of runs
   * @return a counterexample of the same worst kind with a schedule that is not larger
   */
  public static Counterexample shrink(Subject subject, Counterexample from, long mostRuns) {
    return shrink(subject, from, mostRuns, Duration.ZERO);
  }

  /**
   * As {@link #shrink(Subject, Counterexample, long)}, for so long at most.
   *
   * @param mostTime after which no run begins; zero = no bound
   */
  public static Counterexample shrink(
      Subject subject, Counterexample from, long mostRuns, Duration mostTime) {
    Shrinker shrinker = new Shrinker(subject, from, mostRuns, Deadline.in(mostTime));
    shrinker.fewer();
    shrinker.earlier();
    return new Counterexample(shrinker.best, from.run(), shrinker.violations);
  }

  private void fewer() {
    int piece = Math.max(1, best.choices().size() / 2);
    while (true) {
      boolean smaller = false;
      for (int from = 0; from < best.choices().size(); ) {
        List<Choice> rest = new ArrayList<>(best.choices());
        rest.subList(from, Math.min(rest.size(), from + piece)).clear();
        if (fails(rest)) {
          smaller = true;
        } else {
          from += piece;
        }
      }
      if (piece == 1 && !smaller) {
        return;
      }
      piece = Math.max(1, piece / 2);
    }
  }

  private void earlier() {
    for (int i = 0; i < best.choices().size(); i++) {
      long least = i == 0 ? 0 : best.choices().get(i - 1).step() + 1;
      for (long step = least; step < best.choices().get(i).step(); step++) {
        Choice at = best.choices().get(i);
        List<Choice> moved = new ArrayList<>(best.choices());
        moved.set(i, new Choice(step, at.thread(), at.version()));
        if (fails(moved)) {
          break;
        }
      }
    }
  }

  private boolean fails(List<Choice> choices) {
    if (runsLeft-- <= 0 || deadline.passed()) {
      return false;
    }
    Schedule candidate = best.withChoices(choices);
    Observation observed;
    try {
      observed = subject.run(candidate);
    } catch (RunOutOfTimeException e) {
      return false;
    }
    boolean outOfTime = observed.trace().code() == Simulator.Trace.INTERRUPTED && deadline.passed();
    if (outOfTime || !observed.has(kind)) {
      return false;
    }
    best = candidate;
    violations =
        observed.violations().stream().filter(violation -> violation.kind() == kind).toList();
    return true;
  }
}
