package io.magpie.verification.workload;

import io.magpie.stm.Device;
import io.magpie.stm.KernelFaultException;
import io.magpie.stm.RegionReport;
import io.magpie.stm.StmOptions;
import io.magpie.stm.trace.Recording;
import io.magpie.stm.trace.Schedule;
import io.magpie.stm.trace.ScheduleTrace;
import io.magpie.verification.check.Verdict;
import io.magpie.verification.explore.Livelocks;
import io.magpie.verification.explore.Observation;
import io.magpie.verification.explore.Subject;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.explore.Violation.Kind;
import io.magpie.verification.history.History;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A workload under chosen schedules, with everything checked that {@link RecordedRuns} checks. */
public final class WorkloadSubject implements Subject, AutoCloseable {
  private static final long WORDS_PER_THREAD = 1 << 12;
  private static final int UNSUCCESSFUL_ATTEMPTS = 64;

  /** Times the steps of the default schedule that a run may take before it counts as endless. */
  private static final long PATIENCE = 100;

  private final Workload workload;
  private final Device device;
  private final StmOptions options;
  private final long items;
  private final Recording recording;
  private final long mostSteps;
  private History history;

  /**
   * Runs once by the default schedule, to see how long that takes.
   *
   * @param workload on a {@code sim} device; stays the caller's
   * @param options how to run it
   * @param items how many, from 1 on: few, as schedules grow with the power of their steps
   * @throws OutgrownLogException if a transaction outgrows the logs its region declares; so does
   *     {@link #run}
   */
  public WorkloadSubject(Workload workload, StmOptions options, long items) {
    this.workload = workload;
    this.device = workload.device();
    this.options = options;
    this.items = items;
    this.recording =
        device.recording(
            Recording.Options.defaults()
                .withWordsPerThread(WORDS_PER_THREAD)
                .withFirstAttempts(UNSUCCESSFUL_ATTEMPTS));
    try {
      boolean ended = report(Schedule.explicit(List.of())).isPresent();
      this.mostSteps = (ended ? PATIENCE : 1) * device.lastTrace().steps();
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  @Override
  public int threads() {
    int width = device.warpWidth();
    return (int) Math.min(Integer.MAX_VALUE, (items + width - 1) / width * width);
  }

  /** The history of the last run that ended. */
  public History history() {
    return history;
  }

  @Override
  public Observation run(Schedule schedule) {
    Schedule bounded = schedule.withMostSteps(mostSteps);
    Optional<RegionReport> report = report(bounded);
    ScheduleTrace trace = device.lastTrace();
    if (trace.code() == ScheduleTrace.LASSO) {
      int least = leastAttempts();
      if (Livelocks.confirm(bounded, trace, this::launch).isPresent()) {
        return new Observation(trace, List.of(livelock(trace)), least);
      }
      // A repetition that ends: the same run again, to its end.
      report = report(bounded.withChoices(trace.choices()).withoutLassoDetection());
      trace = device.lastTrace();
    }
    return new Observation(
        trace,
        report.isPresent() ? checked(report.get(), schedule.weakMemory()) : faults(trace),
        leastAttempts());
  }

  /** Attempts of the item that had the fewest. */
  private int leastAttempts() {
    History logged = RunChecks.history(recording);
    int[] attempts = new int[Math.toIntExact(items)];
    for (int i = 0; i < logged.size(); i++) {
      attempts[logged.item(i)]++;
    }
    return Arrays.stream(attempts).min().orElse(0);
  }

  private static Violation livelock(ScheduleTrace trace) {
    return new Violation(
        Kind.LIVELOCK,
        String.format(
            "the %d steps from step %d on were repeated %d times, and no item ended",
            trace.lassoEnd() - trace.lassoBegin(), trace.lassoBegin(), Livelocks.REPETITIONS));
  }

  @Override
  public ScheduleTrace launch(Schedule schedule) {
    report(schedule);
    return device.lastTrace();
  }

  /** Empty if the kernel faulted. */
  private Optional<RegionReport> report(Schedule schedule) {
    workload.reset();
    recording.reset();
    device.setSchedule(schedule);
    try {
      RegionReport report = workload.record(recording, options, items, 0);
      if (report.passes().size() > 1) {
        throw new OutgrownLogException(workload.region());
      }
      return Optional.of(report);
    } catch (KernelFaultException e) {
      return Optional.empty();
    } finally {
      device.setSchedule(null);
    }
  }

  private static List<Violation> faults(ScheduleTrace trace) {
    boolean endless =
        trace.code() == ScheduleTrace.NO_PROGRESS || trace.code() == ScheduleTrace.LASSO;
    return List.of(new Violation(endless ? Kind.NO_END : Kind.FAULT, trace.message()));
  }

  private List<Violation> checked(RegionReport report, boolean weak) {
    history = RunChecks.history(recording);
    boolean opaque = workload.region().opaque();
    Verdict verdict = RunChecks.verdict(workload.objects(), recording, history, 0, opaque && !weak);
    List<Violation> wrong =
        new ArrayList<>(RecordedRuns.violations(workload, report, history, verdict));
    if (opaque && weak && wrong.isEmpty()) {
      wrong.addAll(RunChecks.opacityOverWeakMemory(history));
    }
    if (!report.complete()) {
      wrong.add(new Violation(Kind.NO_END, report.unfinishedReason()));
    }
    return wrong;
  }

  @Override
  public void close() {
    recording.close();
  }
}
