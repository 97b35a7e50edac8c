package io.magpie.examples.cli.commands;

import io.magpie.examples.cli.output.Counts;
import io.magpie.examples.cli.output.Terminal;
import io.magpie.examples.compare.Progress;
import io.magpie.stm.Policy;
import io.magpie.stm.simulator.Schedule;
import io.magpie.stm.simulator.Simulator;
import io.magpie.verification.explore.Exploration;
import io.magpie.verification.explore.Exploration.Counterexample;
import io.magpie.verification.explore.Explorer;
import io.magpie.verification.explore.LivelockSearch;
import io.magpie.verification.explore.Observation;
import io.magpie.verification.explore.RunOutOfTimeException;
import io.magpie.verification.explore.Shrinker;
import io.magpie.verification.explore.Strategy;
import io.magpie.verification.explore.Subject;
import io.magpie.verification.explore.Tally;
import io.magpie.verification.explore.Vacuity;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.workload.Workload;
import io.magpie.verification.workload.WorkloadSubject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Runs a load under chosen schedules, on the simulator. */
final class ScheduleCheck {
  private static final long SHRINKING_RUNS = 2_000;
  private static final long EXPLORED_RUNS = 1_000;

  private final VerifyOptions given;
  private final VerifyOutput output;

  ScheduleCheck(VerifyOptions given, VerifyOutput output) {
    this.given = given;
    this.output = output;
  }

  private WorkloadSubject subject(Workload workload) {
    return given.parsed(
        "--items",
        () ->
            new WorkloadSubject(
                workload,
                given.stm(),
                given.explored(),
                given.steps == null ? 0 : given.steps,
                given.boundsRounds() ? given.mostRounds() : 0));
  }

  /** Tries schedules until one shows a violation, or enough have been tried. */
  void explore(Workload workload) {
    try (WorkloadSubject explored = subject(workload)) {
      Duration mostTime = given.mostTime();
      try (Progress progress = Terminal.progress()) {
        progress.begin("default schedule", -1);
        explored.defaultRun();
      }
      checkDefaultRun(explored);
      checkThreads(explored);
      long begin = System.nanoTime();
      Exploration done = explored(explored, mostTime);
      double seconds = (System.nanoTime() - begin) / 1e9;
      tell(done, explored, seconds);
      if (workload.inRounds()) {
        output.rounds(explored.defaultRounds());
      }
      // A search of states looks at no ends of items.
      Tally tally = ofStates() ? explored.defaultRun().tally() : done.tally();
      if (done.counterexample().isPresent()) {
        output.tally(tally);
        throw shown(explored, done.counterexample().get());
      }
      save(explored, List.of());
      boolean byRun = mostTime.isZero() || seconds < mostTime.toNanos() / 1e9;
      boolean whole = !byRun && tally.unfinished() == 0; // time ended no run
      if (done.outOfTime() && !(given.endsInTime() && whole)) {
        output.tally(tally);
        throw outOfTime(done, explored, byRun);
      }
      output.noViolation(
          text(done, explored), unseen(explored), tally, left(workload, explored, done));
    }
  }

  private Exploration explored(WorkloadSubject subject, Duration mostTime) {
    long mostRuns = given.runs == null ? EXPLORED_RUNS : given.runs;
    try (Progress progress = Terminal.progress()) {
      progress.begin("exploring", ofStates() ? -1 : mostRuns); // of states, runs are fewer
      Subject watched = new WatchedSubject(subject, progress);
      return given.parsed(
          "--explore",
          () -> Explorer.explore(watched, given.strategy(), mostRuns, mostTime, given.seed()));
    }
  }

  private Counterexample shrunk(WorkloadSubject subject, Counterexample found) {
    try (Progress progress = Terminal.progress()) {
      progress.begin("making it small", -1);
      return Shrinker.shrink(
          new WatchedSubject(subject, progress), found, SHRINKING_RUNS, given.stm().timeout());
    }
  }

  private boolean ofStates() {
    return given.strategy().kind() == Strategy.Kind.STATES;
  }

  private String text(Exploration done, WorkloadSubject explored) {
    return runs(done, isComplete(done, explored)) + " of " + given.strategy();
  }

  /** A run with a wider round has schedules by threads that nobody tried. */
  private static boolean isComplete(Exploration done, WorkloadSubject explored) {
    return done.complete() && !explored.widened();
  }

  private void checkDefaultRun(WorkloadSubject explored) {
    Observation usual = explored.defaultRun();
    boolean limited = given.timeout != null && !given.stm().timeout().isZero();
    if (usual.trace().code() == Simulator.Trace.INTERRUPTED && limited) {
      throw new RunOutOfTimeException(
          String.format(
              "--timeout %s ended the default schedule, which comes first (%s)",
              given.timeout, usual.trace().message()));
    }
    if (!usual.violations().isEmpty()) {
      throw wrongByDefault(explored);
    }
  }

  private void tell(Exploration done, WorkloadSubject explored, double seconds) {
    output.line("explored", "%s, seed %d", text(done, explored), given.seed());
    output.line(
        "in",
        "%.3f s: %s, %,.0f runs/s, %,.0f steps/s",
        seconds,
        Counts.number(done.steps(), "step", "steps"),
        done.runs() / seconds,
        done.steps() / seconds);
    output.put("strategy", given.strategy().toString());
    output.put("seed", given.seed());
    output.put("exploredRuns", done.runs());
    output.put("complete", isComplete(done, explored));
    output.put("outOfTime", done.outOfTime());
    output.put("knownRuns", done.known());
    output.put("redundantRuns", done.redundant());
    output.put("cutRuns", done.cut());
    output.put("steps", done.steps());
    output.put("seconds", seconds);
  }

  /**
   * @param byRun whether the time of one run ended it, not that of all together
   */
  private StoppedEarlyException outOfTime(
      Exploration done, WorkloadSubject explored, boolean byRun) {
    return new StoppedEarlyException(
        (byRun || given.timeout == null ? "the time limit of a run" : "--timeout " + given.timeout)
            + " ended the exploration after "
            + text(done, explored)
            + ": no violation so far; give it more time, or fewer --runs or --steps");
  }

  /** What an exploration without a violation leaves open. */
  private List<String> left(Workload workload, WorkloadSubject explored, Exploration done) {
    List<String> left = new ArrayList<>();
    if (done.outOfTime()) {
      left.add(
          String.format(
              Locale.ROOT,
              "Stopped after %,d s; --runs says how many runs to make.",
              given.mostTime().toSeconds()));
    }
    if (done.complete() && explored.widened()) {
      left.add(
          "Some runs had wider rounds than the default schedule's: not exhaustive, because schedules"
              + " cover only its threads.");
    } else if (given.strategy().ends() && !done.complete()) {
      left.add(
          ofStates()
              ? "Stopped with states left: not exhaustive. --runs says how many may be visited."
              : "Stopped after "
                  + runs(done, false)
                  + ": not exhaustive. --runs says how many may be made.");
      if (given.strategy().bound() == Strategy.UNBOUNDED) {
        left.add("Threads that wait may do so any number of times; dpor:N limits that.");
      }
    }
    if (done.cut() > 0) {
      left.add(
          String.format(
              Locale.ROOT,
              "%,d of the runs were cut off where a thread would have paused more than %d time%s;"
                  + " their continuations were not tried. A larger bound tries more.",
              done.cut(),
              given.strategy().bound(),
              given.strategy().bound() == 1 ? "" : "s"));
    }
    left.addAll(VerifyOutput.leftWaiting(explored.defaultRounds()));
    left.addAll(uncheckedData(workload, explored, done.runs()));
    return left;
  }

  /**
   * What a verdict does not cover; nothing if runs were traced as they were to be, and items met.
   */
  private List<String> unseen(WorkloadSubject explored) {
    if (!given.ofRegion() || given.looksAtDataByDefaultAlone()) {
      return List.of();
    }
    if (!explored.checksData()) {
      return List.of("accesses past tx were not checked");
    }
    List<String> unseen = new ArrayList<>();
    if (!explored.itemsLeaveSomething()) {
      unseen.add(VerifyOutput.NOTHING_WRITTEN);
    }
    if (!explored.itemsMeet()) {
      unseen.add(VerifyOutput.NONE_MET);
    }
    return unseen;
  }

  /**
   * What is not known of a region's data, and why.
   *
   * @param told runs that the verdict counts; the default schedule, which comes first, is one more
   */
  private List<String> uncheckedData(Workload workload, WorkloadSubject explored, long told) {
    if (!given.ofRegion()) {
      return List.of();
    }
    List<String> left = uncheckedAccesses(workload, explored, told);
    given.withoutInvariant().ifPresent(left::add);
    return left;
  }

  private List<String> uncheckedAccesses(Workload workload, WorkloadSubject explored, long told) {
    List<String> left = new ArrayList<>();
    boolean byDefault = given.looksAtDataByDefaultAlone();
    if (given.invariant().isPresent() && (byDefault || !explored.looksBetweenCommits())) {
      left.add(
          byDefault
              ? "The invariant was checked after each commit in the default schedule only, and after"
                  + " each run in the others."
              : "The invariant was not checked after each commit: it reads a pool, or data that hooks,"
                  + " tallies or atomic operations also write, or there were too many commits or"
                  + " accesses.");
    }
    Policy policy = given.stm().policy();
    if (!policy.storesAtCommit()) {
      left.add(
          "Accesses past tx were not checked: under "
              + policy.kernelName()
              + (policy == Policy.OBSTRUCTION_FREE
                  ? ", commits are stored by other items as well."
                  : ", writes reach memory before the commit."));
      return left;
    }
    if (byDefault) {
      left.add(
          "Accesses past tx were checked in the default schedule only: not over weak memory, nor in"
              + " a search of states.");
      return left;
    }
    if (!explored.checksData()) {
      left.add(
          "Runs made too many accesses to check those past tx; take fewer --items or less data.");
      return left;
    }
    if (!explored.itemsLeaveSomething()) {
      left.add(output.told(Vacuity.NOTHING_WRITTEN));
    }
    if (!explored.itemsMeet()) {
      left.add(output.told(Vacuity.NONE_MET));
    }
    if (!workload.isComparedInAnotherOrder()) {
      left.add(VerifyCommand.noOtherOrder(workload.region(), false));
    }
    explored
        .uncompared()
        .forEach(
            (why, runs) ->
                left.add(
                    String.format(
                        Locale.ROOT,
                        "%s%s %s not compared %s.",
                        Counts.number(runs, "run", "runs"),
                        runs > told ? ", the default schedule's included," : "",
                        runs == 1 ? "was" : "were",
                        why)));
    explored.leftUnjudged().ifPresent(left::add);
    return left;
  }

  private void checkThreads(WorkloadSubject explored) {
    long most = Math.max(explored.threads(), given.explored());
    if (ofStates() && most > LivelockSearch.MOST_THREADS) {
      throw given.usage(
          String.format(
              "--items: states are searched with at most %d threads and items; this run has %d",
              LivelockSearch.MOST_THREADS, most));
    }
  }

  /** There is nothing to explore: the default schedule, which comes first, shows a violation. */
  private ViolationException wrongByDefault(WorkloadSubject explored) {
    Observation usual = explored.defaultRun();
    output.line("explored", "the default schedule alone: it shows a violation");
    output.line("took", "%s", Counts.number(usual.trace().steps(), "step", "steps"));
    output.put("strategy", given.strategy().toString());
    output.put("exploredRuns", 0);
    output.put("steps", usual.trace().steps());
    output.tally(usual.tally());
    save(explored, usual.violations());
    repeatable(replayable(List.of(), usual.violations(), Schedule.explicit(List.of())), 0);
    return output.violation("the default schedule", usual.violations());
  }

  /** Writes what the last run, or its last round, did to the files that were asked for. */
  private void save(WorkloadSubject ran, List<Violation> wrong) {
    output.save(ran.history());
    output.draw(
        new RunTimeline.Run(ran.history(), RunTimeline.STEPS)
            .withFinding(ran.finding())
            .withViolations(wrong)
            .withUnended(ran.unended(), ran.steps()));
  }

  /**
   * Tells a schedule, and the command that repeats it.
   *
   * @param before choices that it had before it was made small
   */
  private void repeatable(Schedule least, int before) {
    String command = given.command(least);
    output.line("schedule", "%s", told(least));
    if (before > 0) {
      output.line(
          "",
          "%d choice%s other than the default schedule, %d before shrinking",
          least.choices().size(),
          least.choices().size() == 1 ? "" : "s",
          before);
    }
    output.line("replay", "%s", command);
    output.put("schedule", least.toString());
    output.put("replay", command);
  }

  /** A list of choices without any looks cut off. */
  private static String told(Schedule schedule) {
    boolean isDefault = schedule.toString().startsWith("explicit") && schedule.choices().isEmpty();
    return isDefault ? schedule + ", without choices: the default one" : schedule.toString();
  }

  /**
   * The schedule to show. Bound and detection are the subject's and the exploration's: said only
   * where the violation depends on them.
   *
   * @param as has the same memory and steps
   */
  private static Schedule replayable(
      List<Schedule.Choice> choices, List<Violation> violations, Schedule as) {
    boolean livelock = violations.get(0).kind() == Violation.Kind.LIVELOCK;
    Schedule bare = Schedule.explicit(choices);
    bare = as.weakMemory() ? bare.withWeakMemory() : bare;
    bare = as.fine() ? bare.withFineSteps() : bare;
    return livelock ? bare.withLassoDetection() : bare;
  }

  /** How many runs there were, and how many there are. */
  private static String runs(Exploration done, boolean complete) {
    String of =
        done.known() > done.runs()
            ? String.format(Locale.ROOT, " of at least %,d", done.known())
            : "";
    return String.format(
        Locale.ROOT,
        "%,d%s run%s%s",
        done.runs(),
        of,
        done.runs() == 1 && of.isEmpty() ? "" : "s",
        complete ? ", all there are," : "");
  }

  private ViolationException shown(WorkloadSubject explored, Counterexample found) {
    Counterexample shrunk = shrunk(explored, found);
    Schedule least =
        replayable(shrunk.schedule().choices(), shrunk.violations(), shrunk.schedule());
    List<Violation> wrong = shrunk.violations();
    try {
      // So that its history is the last one, and what is told is what a replay tells.
      List<Violation> again = explored.run(least).violations();
      wrong = again.isEmpty() ? wrong : again;
    } catch (RunOutOfTimeException e) {
      // Its history is what there was in time; the violation stays found.
    }
    save(explored, wrong);
    repeatable(least, found.schedule().choices().size());
    return output.violation("run " + found.run(), wrong);
  }

  /** Runs once, under the schedule that was given. */
  void replay(Workload workload) {
    try (WorkloadSubject replayed = subject(workload)) {
      Schedule schedule = given.schedule();
      Observation observed = replayed.run(schedule);
      output.line("schedule", "%s", told(schedule));
      output.line(
          "took",
          "%s, %s",
          Counts.number(observed.trace().steps(), "step", "steps"),
          Counts.number(observed.trace().switches(), "switch", "switches"));
      List<Schedule.Choice> unused = new ArrayList<>(schedule.choices());
      unused.removeAll(observed.trace().choices());
      if (!unused.isEmpty()) {
        output.line(
            "unused",
            "%d of %d choices changed nothing: no such step or thread, or the default",
            unused.size(),
            schedule.choices().size());
      }
      output.put("schedule", schedule.toString());
      output.put("steps", observed.trace().steps());
      if (workload.inRounds()) {
        output.rounds(replayed.rounds());
      }
      // The default schedule comes first, with attempts that are rolled back once.
      List<Violation> wrong =
          observed.violations().isEmpty() && schedule.choices().isEmpty() && !schedule.weakMemory()
              ? replayed.defaultRun().violations()
              : observed.violations();
      save(replayed, wrong);
      if (!wrong.isEmpty()) {
        output.tally(observed.tally());
        throw output.violation("the replay", wrong);
      }
      output.noViolation(
          "1 run", unseen(replayed), observed.tally(), uncheckedData(workload, replayed, 1));
    }
  }
}
