package io.magpie.verification.explore;

import io.magpie.stm.simulator.Schedule;
import io.magpie.stm.simulator.Schedule.Choice;
import io.magpie.stm.simulator.Simulator;
import io.magpie.verification.explore.Exploration.Counterexample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/**
 * Runs a {@link Subject} under many schedules until one shows a violation. Every run is replayable:
 * whatever chose it, a counterexample's schedule is the explicit list of its choices; or, where the
 * run had several launches and a list of the last one's does not repeat it, the schedule as drawn.
 */
public final class Explorer {
  /** Steps of one run; many times what a run takes that ends. */
  private static final long MOST_STEPS = 20_000;

  private static final int MOST_STATES = 1 << 24;

  /** Changes of a pattern without success before another is drawn. */
  private static final int PATIENCE = 60;

  private final Subject subject;
  private final Strategy strategy;
  private final long mostRuns;
  private final Deadline deadline;
  private final long seed;
  private final Predicate<Violation> counts;

  private long runs;
  private long steps;
  private long left;
  private long redundant;
  private long cut;
  private boolean outOfTime;
  private Tally tally = Tally.NOTHING;
  private Counterexample found;

  private Explorer(
      Subject subject,
      Strategy strategy,
      long mostRuns,
      Deadline deadline,
      long seed,
      Predicate<Violation> counts) {
    this.subject = subject;
    this.strategy = strategy;
    this.mostRuns = mostRuns;
    this.deadline = deadline;
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
    return explore(subject, strategy, mostRuns, Duration.ZERO, seed);
  }

  /**
   * As {@link #explore(Subject, Strategy, long, long)}, for so long at most.
   *
   * @param mostTime after which no run begins, and one that runs is the last; zero = no bound
   */
  public static Exploration explore(
      Subject subject, Strategy strategy, long mostRuns, Duration mostTime, long seed) {
    return explore(subject, strategy, mostRuns, mostTime, seed, violation -> true);
  }

  /** As {@link #explore(Subject, Strategy, long, long)}, for violations that count. */
  public static Exploration explore(
      Subject subject, Strategy strategy, long mostRuns, long seed, Predicate<Violation> counts) {
    return explore(subject, strategy, mostRuns, Duration.ZERO, seed, counts);
  }

  private static Exploration explore(
      Subject subject,
      Strategy strategy,
      long mostRuns,
      Duration mostTime,
      long seed,
      Predicate<Violation> counts) {
    if (mostRuns < 1) {
      throw new IllegalArgumentException("an exploration makes at least 1 run, got " + mostRuns);
    }
    Explorer explorer =
        new Explorer(subject, strategy, mostRuns, Deadline.in(mostTime), seed, counts);
    boolean complete = false;
    try {
      complete = explorer.search();
    } catch (RunOutOfTimeException e) {
      explorer.outOfTime = true;
    }
    return new Exploration(
        strategy,
        explorer.runs,
        explorer.steps,
        complete && explorer.found == null,
        explorer.outOfTime,
        explorer.runs + explorer.left,
        explorer.redundant,
        explorer.cut,
        explorer.tally,
        Optional.ofNullable(explorer.found));
  }

  /** True if the strategy is at its end. */
  private boolean search() {
    return switch (strategy.kind()) {
      case EXHAUSTIVE -> exhaust();
      case DPOR -> reduce();
      case PERIODIC -> climb();
      case STATES -> visit();
      default -> draw();
    };
  }

  private boolean mayGoOn() {
    if (found != null || runs >= mostRuns) {
      return false;
    }
    outOfTime = deadline.passed();
    return !outOfTime;
  }

  /** One run; gives what it did. */
  private Observation run(Schedule schedule) {
    Schedule bounded = schedule.withLassoDetection();
    return runWhole(strategy.weak() ? bounded.withWeakMemory() : bounded);
  }

  private Observation runWhole(Schedule schedule) {
    Schedule whole = schedule.withMostSteps(MOST_STEPS);
    Observation observed = subject.run(whole);
    runs++;
    steps += observed.trace().steps();
    tally = tally.plus(observed.tally());
    if (observed.trace().code() == Simulator.Trace.INTERRUPTED && deadline.passed()) {
      throw new RunOutOfTimeException("the search's time ended its last run");
    }
    List<Violation> wrong = observed.violations().stream().filter(counts).toList();
    if (!wrong.isEmpty()) {
      Schedule replay = whole.withChoices(observed.trace().choices());
      // Where not all choices are known, what drew them repeats the run.
      boolean same = repeats(replay, observed);
      found = new Counterexample(same ? replay : whole, runs, wrong);
    }
    return observed;
  }

  /** Whether a schedule gives the same violations again, as far as time lets it tell. */
  private boolean repeats(Schedule replay, Observation observed) {
    try {
      return subject.run(replay).violations().equals(observed.violations());
    } catch (RunOutOfTimeException e) {
      return true;
    }
  }

  /** True if nothing is left to draw. */
  private boolean draw() {
    if (strategy.kind() == Strategy.Kind.ROUND_ROBIN) {
      run(Schedule.roundRobin());
      return true;
    }
    long length = 1;
    for (long i = 0; mayGoOn(); i++) {
      Schedule schedule =
          switch (strategy.kind()) {
            case PCT -> Schedule.pct(seed + i, strategy.bound(), length);
            case RANDOM -> Schedule.randomWalk(seed + i);
            case LOCK_STEP -> Schedule.lockStep(seed + i);
            case EXHAUSTIVE, DPOR, ROUND_ROBIN, PERIODIC, STATES ->
                throw new IllegalStateException(strategy + " is not drawn");
          };
      // The longest run so far is the best estimate of k.
      length = Math.max(length, run(schedule).trace().steps());
    }
    return false;
  }

  /** True if every schedule within the bound was tried, or one that is equivalent. */
  private boolean reduce() {
    PartialOrderSearch search = new PartialOrderSearch(strategy.bound());
    boolean whole = true; // no run was too long
    while (mayGoOn()) {
      Optional<Schedule> next = search.next();
      if (next.isEmpty()) {
        return whole;
      }
      Simulator.Trace trace = runWhole(next.get()).trace();
      whole &= trace.code() != Simulator.Trace.TOO_LONG;
      redundant += trace.code() == Simulator.Trace.ASLEEP ? 1 : 0;
      cut += trace.code() == Simulator.Trace.CUT ? 1 : 0;
      if (found == null) {
        search.ran(trace);
      }
    }
    return whole && found == null && !outOfTime && search.next().isEmpty();
  }

  /** True if all states were visited. */
  private boolean visit() {
    LivelockSearch.Result result =
        LivelockSearch.search(subject, (int) Math.min(mostRuns, MOST_STATES), deadline);
    runs = result.runs();
    steps = result.steps();
    outOfTime = result.outOfTime();
    result.fault().ifPresent(this::run);
    if (found != null) {
      return false;
    }
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

  /** Every item failed, as often as possible; then the longer run. */
  private static long height(Observation observed) {
    return ((long) observed.leastAttempts() << 32) + observed.trace().steps();
  }

  /** The choices of a run, all of them deviations, and its length. */
  private record Tried(List<Choice> choices, long steps) {
    /** The same with one choice more behind them. */
    List<Choice> and(Choice next) {
      List<Choice> more = new ArrayList<>(choices);
      more.add(next);
      return more;
    }

    /** The first step at which there can be one. */
    long behind() {
      return choices.isEmpty() ? 0 : choices.get(choices.size() - 1).step() + 1;
    }

    /** Runs with one choice more. */
    long runs(int threads) {
      return Math.max(0, steps - behind()) * threads;
    }
  }

  /** Runs with one choice more than these. */
  private long runsBehind(List<Tried> level) {
    return level.stream().mapToLong(before -> before.runs(subject.threads())).sum();
  }

  /** True if every schedule with at most the bound's deviations from the default was tried. */
  private boolean exhaust() {
    List<Tried> level =
        List.of(new Tried(List.of(), run(Schedule.explicit(List.of())).trace().steps()));
    for (int deviations = 1; deviations <= strategy.bound(); deviations++) {
      List<Tried> next = new ArrayList<>();
      long first = runs;
      for (Tried before : level) {
        for (long step = before.behind(); step < before.steps(); step++) {
          for (int thread = 0; thread < subject.threads(); thread++) {
            if (!mayGoOn()) {
              left = runsBehind(level) - (runs - first) + runsBehind(next);
              return false;
            }
            List<Choice> choices = before.and(new Choice(step, thread, 0));
            Simulator.Trace trace = run(Schedule.explicit(choices)).trace();
            // If fewer, the last one was no deviation: a run that was already made.
            if (deviations < strategy.bound() && trace.deviations() == choices.size()) {
              next.add(new Tried(choices, trace.steps()));
            }
          }
        }
      }
      level = next;
    }
    return found == null;
  }
}
