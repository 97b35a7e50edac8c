package io.magpie.verification.testing;

import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.KernelFaultException;
import io.magpie.stm.KernelModule;
import io.magpie.stm.Recording;
import io.magpie.stm.StmOptions;
import io.magpie.stm.UnfinishedItemsException;
import io.magpie.stm.simulator.Schedule;
import io.magpie.verification.explore.Exploration;
import io.magpie.verification.explore.Exploration.Counterexample;
import io.magpie.verification.explore.Explorer;
import io.magpie.verification.explore.Observation;
import io.magpie.verification.explore.RunOutOfTimeException;
import io.magpie.verification.explore.Shrinker;
import io.magpie.verification.explore.Tally;
import io.magpie.verification.explore.Vacuity;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.explore.Violation.Kind;
import io.magpie.verification.testing.RegionCheck.Exploring;
import io.magpie.verification.testing.internal.KeptDevice;
import io.magpie.verification.workload.CheckedRounds;
import io.magpie.verification.workload.CheckedRun;
import io.magpie.verification.workload.FaultFoundException;
import io.magpie.verification.workload.RecordedRuns;
import io.magpie.verification.workload.RegionWorkload;
import io.magpie.verification.workload.Rounds;
import io.magpie.verification.workload.WorkloadSubject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A check on one device, which no other thread uses meanwhile. */
final class DeviceCheck {
  private static final long SHRINKING_RUNS = 1_000;
  private static final long SEED = 1;
  private static final long LEAST_LOG_BYTES = 1 << 20;
  private static final long MOST_LOG_BYTES = 1L << 30;

  private final RegionCheck check;
  private final KeptDevice kept;
  private final String spec;
  private final String memory; // key of the last failure
  private FailureText text;
  private long deadline;

  DeviceCheck(RegionCheck check, KeptDevice kept, String spec) {
    this.check = check;
    this.kept = kept;
    this.spec = spec;
    this.memory = check.source.call() + " " + check.policy;
  }

  void check() {
    KernelModule module = check.source.compiled(kept, runs());
    String name = check.source.regionOf(module);
    var fields = module.region(name).fields();
    deadline = System.nanoTime() + check.timeout.toNanos();
    text = new FailureText(check, spec, name, fields);
    Judgment judgment = new Judgment(check);
    try (RegionWorkload workload =
        new RegionWorkload(
            module, name, Argument.specs(check.arguments, fields), judgment::complaint)) {
      if (check.leavesOutOtherOrder) {
        workload.leaveOutOtherOrder();
      }
      check.slotArrays.forEach(workload::declareSlots);
      judgment.begin(workload);
      if (scheduled()) {
        explore(workload);
      } else {
        run(workload);
      }
    }
  }

  private boolean scheduled() {
    return kept.device().machine() == Machine.SIM;
  }

  private RegionWorkload.Runs runs() {
    return scheduled()
        ? RegionWorkload.Runs.scheduled(check.policy)
        : RegionWorkload.Runs.recorded(check.policy, check.items);
  }

  private StmOptions options() {
    return StmOptions.defaults().withPolicy(check.policy).withTimeout(left());
  }

  /** The time that is left; some, as zero would be no bound. */
  private Duration left() {
    return Duration.ofNanos(Math.max(1_000_000, deadline - System.nanoTime()));
  }

  private boolean late() {
    return System.nanoTime() >= deadline;
  }

  private void explore(RegionWorkload workload) {
    for (Exploring each : check.explorations()) {
      try {
        WorkloadSubject.check(workload, each.strategy());
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("explore: " + e.getMessage(), e);
      }
    }
    try (WorkloadSubject subject = new WorkloadSubject(workload, options(), check.items)) {
      text.leaves(subject::leftUnjudged);
      if (check.replayed != null) {
        replay(subject);
        return;
      }
      Observation usual = subject.defaultRun();
      if (!usual.violations().isEmpty()) {
        throw failure(
            subject,
            new Counterexample(Schedule.explicit(List.of()), 1, usual.violations()),
            "the default schedule");
      }
      Tally tally = usual.tally().plus(tryLastFailure(subject));
      for (Exploring each : check.explorations()) {
        Exploration done = Explorer.explore(subject, each.strategy(), each.runs(), left(), SEED);
        tally = tally.plus(done.tally());
        if (done.counterexample().isPresent()) {
          Counterexample found = done.counterexample().get();
          throw failure(subject, found, "run " + found.run() + " of " + each.strategy());
        }
        if (done.outOfTime()) {
          throw text.unchecked(
              "time was up after "
                  + done.runs()
                  + " runs of "
                  + each.strategy()
                  + ": nothing wrong so far; explore fewer runs, draw less, or give it a longer"
                  + " timeout()");
        }
      }
      if (!subject.checksData() && check.policy.storesAtCommit()) {
        throw text.unchecked(
            "runs made too many accesses to check those past the transaction; draw fewer items or"
                + " less data, and leave large ones to a processor");
      }
      requireCommits(tally);
    } catch (RunOutOfTimeException e) {
      throw outOfTime(e.getMessage());
    }
  }

  private void replay(WorkloadSubject subject) {
    Observation observed = subject.run(check.replayed);
    boolean usual = check.replayed.choices().isEmpty() && !check.replayed.weakMemory();
    List<Violation> wrong =
        usual && observed.violations().isEmpty()
            ? subject.defaultRun().violations()
            : observed.violations();
    if (!wrong.isEmpty()) {
      throw text.wrong("replayed", check.replayed, 0, wrong);
    }
    requireCommits(observed.tally());
  }

  /** The schedule that failed with other arguments: it may fail with fewer, too. */
  private Tally tryLastFailure(WorkloadSubject subject) {
    Optional<Schedule> last = kept.lastFailure(memory);
    if (last.isEmpty()) {
      return Tally.NOTHING;
    }
    Observation observed = subject.run(last.get());
    if (!observed.violations().isEmpty()) {
      throw failure(
          subject,
          new Counterexample(last.get(), 1, observed.violations()),
          "the schedule that failed before");
    }
    return observed.tally();
  }

  /** With the smallest schedule, which is kept for the next arguments. */
  private RegionFailure failure(WorkloadSubject subject, Counterexample found, String how) {
    Counterexample least = Shrinker.shrink(subject, found, SHRINKING_RUNS, left());
    Schedule schedule = Schedule.explicit(least.schedule().choices());
    schedule = least.schedule().weakMemory() ? schedule.withWeakMemory() : schedule;
    if (least.violations().get(0).kind() == Kind.LIVELOCK) {
      schedule = schedule.withLassoDetection();
    }
    kept.failed(memory, schedule);
    return text.wrong(how, schedule, found.schedule().choices().size(), least.violations());
  }

  private void run(RegionWorkload workload) {
    if (check.replayed != null) {
      throw new IllegalArgumentException(
          "replay: " + spec + " takes no schedule; replay it on a simulator, as on(\"sim:0:2\")");
    }
    long bytes = Math.max(LEAST_LOG_BYTES, RecordedRuns.estimatedLogBytes(workload, check.items));
    Recording.Options recorded = Recording.Options.defaults().withTotalBytes(bytes);
    Tally tally = Tally.NOTHING;
    StmOptions options = options();
    try (RecordedRuns runs =
        new RecordedRuns(workload, options, recorded, kept.skew(), MOST_LOG_BYTES)) {
      for (int run = 0; run < check.runs; run++) {
        if (late()) {
          throw text.unchecked(
              "time was up after "
                  + run
                  + " runs: nothing wrong so far; make fewer runs(), or give it a longer"
                  + " timeout()");
        }
        String how = "run " + (run + 1) + " of " + check.runs;
        CheckedRounds rounds =
            runs.rounds(check.items, run, RecordedRuns.DEFAULT_ROUNDS, options.timeout());
        for (CheckedRun done : rounds.all()) {
          if (!done.violations().isEmpty()) {
            throw text.wrong(how, null, 0, done.violations());
          }
          done.report().requireComplete();
          tally = tally.plus(done.tally());
        }
        requireEnd(rounds, how);
      }
    } catch (FaultFoundException e) {
      throw text.wrong("a run", null, 0, List.of(e.violation()));
    } catch (KernelFaultException e) {
      throw text.wrong("a run", null, 0, List.of(new Violation(Kind.FAULT, e.getMessage())));
    } catch (UnfinishedItemsException e) {
      throw text.wrong("a run", null, 0, List.of(new Violation(Kind.NO_END, e.getMessage())));
    } catch (RunOutOfTimeException e) {
      throw outOfTime(e.getMessage());
    }
    requireCommits(tally);
  }

  private void requireEnd(CheckedRounds done, String how) {
    Rounds sum = done.sum();
    if (sum.waiting() > 0) {
      String what = sum.waiting() + " items still wait after " + sum.rounds() + " rounds";
      if (done.timedOut()) {
        throw outOfTime("time was up: " + what);
      }
      throw text.wrong(how, null, 0, List.of(new Violation(Kind.NO_END, what)));
    }
  }

  private RegionFailure outOfTime(String what) {
    return text.unchecked(what + "; draw less, or give it a longer timeout()");
  }

  private void requireCommits(Tally tally) {
    if (check.mayCommitNothing) {
      return;
    }
    Optional<Violation> vacuous = Vacuity.of(tally);
    if (vacuous.isPresent()) {
      Violation or =
          new Violation(Kind.VACUOUS_RUN, vacuous.get().text() + "; or allowNoCommits()");
      throw text.wrong("all runs", null, 0, List.of(or));
    }
  }
}
