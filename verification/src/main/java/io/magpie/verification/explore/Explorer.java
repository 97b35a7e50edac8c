package io.magpie.verification.explore;

import io.magpie.stm.trace.Schedule;
import io.magpie.stm.trace.Schedule.Choice;
import io.magpie.stm.trace.ScheduleTrace;
import io.magpie.verification.explore.Exploration.Counterexample;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/**
 * Runs a {@link Subject} under many schedules until one shows a violation. Every run is replayable:
 * whatever chose it, a counterexample's schedule is the explicit list of its choices.
 */
public final class Explorer {
  /** Steps of one run; many times what a run takes that ends. */
  private static final long MOST_STEPS = 20_000;

  private static final int MOST_STATES = 1 << 24;

  /** Changes of a pattern in vain before another is drawn. */
  private static final int PATIENCE = 60;

  private final Subject subject;
  private final Strategy strategy;
  private final long mostRuns;
  private final long seed;
  private final Predicate<Violation> counts;

  private long runs;
  private long steps;
  private Counterexample found;

  private Explorer(
      Subject subject, Strategy strategy, long mostRuns, long seed, Predicate<Violation> counts) {
    this.subject = subject;
    this.strategy = strategy;
    this.mostRuns = mostRuns;
    this.seed = seed;
    this.counts = counts;
  }

  /**
   * Explores until a violation is found, the strategy is at its end, or so many runs were made.
   *
   * @param mostRuns at least 1
   * @param seed of the strategies that draw; run i draws by {@code seed + i}
   * @return what was done and found
   */
  public static Exploration explore(Subject subject, Strategy strategy, long mostRuns, long seed) {
    return explore(subject, strategy, mostRuns, seed, violation -> true);
  }

  /** As {@link #explore(Subject, Strategy, long, long)}, for violations that count. */
  public static Exploration explore(
      Subject subject, Strategy strategy, long mostRuns, long seed, Predicate<Violation> counts) {
    if (mostRuns < 1) {
      throw new IllegalArgumentException("an exploration makes at least 1 run, got " + mostRuns);
    }
    Explorer explorer = new Explorer(subject, strategy, mostRuns, seed, counts);
    boolean complete =
        switch (strategy.kind()) {
          case EXHAUSTIVE -> explorer.exhaust();
          case PERIODIC -> explorer.climb();
          case STATES -> explorer.visit();
          default -> explorer.draw();
        };
    return new Exploration(
        strategy,
        explorer.runs,
        explorer.steps,
        complete && explorer.found == null,
        Optional.ofNullable(explorer.found));
  }

  private boolean mayGoOn() {
    return found == null && runs < mostRuns;
  }

  /** One run; gives what it did. */
  private Observation run(Schedule schedule) {
    Schedule bounded = schedule.withLassoDetection().withMostSteps(MOST_STEPS);
    Observation observed = subject.run(strategy.weak() ? bounded.withWeakMemory() : bounded);
    runs++;
    steps += observed.trace().steps();
    List<Violation> wrong = observed.violations().stream().filter(counts).toList();
    if (!wrong.isEmpty()) {
      Schedule replay =
          (strategy.weak() ? bounded.withWeakMemory() : bounded)
              .withChoices(observed.trace().choices());
      found = new Counterexample(replay, runs, wrong);
    }
    return observed;
  }

  /** True if nothing is left to draw. */
  private boolean draw() {
    if (strategy.kind() == Strategy.Kind.ROUND_ROBIN && !strategy.weak()) {
      run(Schedule.roundRobin());
      return true;
    }
    long length = 1;
    for (long i = 0; mayGoOn(); i++) {
      Schedule schedule =
          switch (strategy.kind()) {
            case PCT -> Schedule.pct(seed + i, strategy.bound(), length);
            case RANDOM, ROUND_ROBIN -> Schedule.randomWalk(seed + i);
            case LOCK_STEP -> Schedule.lockStep(seed + i);
            case EXHAUSTIVE, PERIODIC, STATES ->
                throw new IllegalStateException(strategy + " is not drawn");
          };
      // The longest run so far is the best estimate of k.
      length = Math.max(length, run(schedule).trace().steps());
    }
    return false;
  }

  /** True if all states were visited. */
  private boolean visit() {
    LivelockSearch.Result result =
        LivelockSearch.search(subject, (int) Math.min(mostRuns, MOST_STATES));
    runs = result.runs();
    steps = result.steps();
    result
        .livelock()
        .ifPresent(
            livelock -> {
              Violation violation =
                  new Violation(
                      Violation.Kind.LIVELOCK,
                      "for "
                          + LivelockSearch.STEPS
                          + " steps from step "
                          + livelock.begin()
                          + " on every thread takes turns, and no item ends");
              if (counts.test(violation)) {
                found = new Counterexample(livelock.schedule(), runs, List.of(violation));
              }
            });
    return result.complete();
  }

  /** Patterns, each changed while that makes runs worse. Never at its end. */
  private boolean climb() {
    SplittableRandom random = new SplittableRandom(seed);
    while (mayGoOn()) {
      Pattern pattern = Pattern.draw(subject.threads(), random);
      long height = height(run(Schedule.explicit(pattern.choices())));
      for (int vain = 0; vain < PATIENCE && mayGoOn(); vain++) {
        Pattern changed = pattern.changed(random);
        long changedHeight = height(run(Schedule.explicit(changed.choices())));
        if (changedHeight >= height) {
          vain = changedHeight > height ? 0 : vain;
          height = changedHeight;
          pattern = changed;
        }
      }
    }
    return false;
  }

  /** Every item tried in vain, as often as possible; then the longer run. */
  private static long height(Observation observed) {
    return ((long) observed.leastAttempts() << 32) + observed.trace().steps();
  }

  /** True if every schedule with at most the bound's preemptions was tried. */
  private boolean exhaust() {
    List<List<Choice>> level = List.of(List.of());
    for (int preemptions = 0; preemptions <= strategy.bound(); preemptions++) {
      boolean last = preemptions == strategy.bound();
      List<List<Choice>> next = new ArrayList<>();
      for (List<Choice> choices : level) {
        if (!mayGoOn()) {
          return false;
        }
        ScheduleTrace trace = run(Schedule.explicit(choices)).trace();
        if (trace.deviations() < choices.size()) {
          continue; // the last choice was no deviation: a run that was already made
        }
        if (!last) {
          addExtensions(choices, trace.steps(), next);
        }
      }
      level = next;
    }
    return found == null;
  }

  /** The choices with one more behind them. */
  private void addExtensions(List<Choice> choices, long length, List<List<Choice>> to) {
    long first = choices.isEmpty() ? 0 : choices.get(choices.size() - 1).step() + 1;
    for (long step = first; step < length; step++) {
      for (int thread = 0; thread < subject.threads(); thread++) {
        List<Choice> more = new ArrayList<>(choices);
        more.add(new Choice(step, thread, 0));
        to.add(more);
      }
    }
  }
}
