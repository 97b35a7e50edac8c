package io.magpie.verification.workload;

import io.magpie.stm.Device;
import io.magpie.stm.KernelFaultException;
import io.magpie.stm.Recording;
import io.magpie.stm.RecordingOverflowException;
import io.magpie.stm.RegionReport;
import io.magpie.stm.StmOptions;
import io.magpie.stm.simulator.AccessTrace;
import io.magpie.stm.simulator.Schedule;
import io.magpie.stm.simulator.Simulator;
import io.magpie.verification.check.Verdict;
import io.magpie.verification.data.Commit;
import io.magpie.verification.data.DataChecker;
import io.magpie.verification.data.SerialReplay;
import io.magpie.verification.explore.Livelocks;
import io.magpie.verification.explore.Observation;
import io.magpie.verification.explore.RunOutOfTimeException;
import io.magpie.verification.explore.Subject;
import io.magpie.verification.explore.Tally;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.explore.Violation.Kind;
import io.magpie.verification.history.History;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** A workload under chosen schedules, with everything checked that {@link RecordedRuns} checks. */
public final class WorkloadSubject implements Subject, AutoCloseable {
  /** Steps that the default schedule may take, unless it is said. */
  public static final long DEFAULT_STEPS = 10_000_000;

  private static final long WORDS_PER_THREAD = 1 << 12;
  private static final int UNSUCCESSFUL_ATTEMPTS = 64;

  /** Times the steps of the default schedule that a run may take before it counts as endless. */
  private static final long PATIENCE = 100;

  /**
   * Times the time of the default schedule that a run may take: more than steps, which tell first
   * unless a thread takes none.
   */
  private static final long PATIENCE_IN_TIME = 10 * PATIENCE;

  private static final Duration LEAST_TIME = Duration.ofSeconds(10);

  /** Events of a run that are kept; data of longer ones are not checked. */
  private static final int MOST_EVENTS = 1 << 18;

  /** Commits of a run between which an invariant is looked at. */
  private static final int MOST_COMMITS = 1 << 10;

  private final Workload workload;
  private final Device device;
  private final long items;
  private final Observation defaultRun;
  private StmOptions options;
  private Recording recording;
  private long mostSteps;
  private History history;
  private boolean traced; // whether data are checked
  private boolean meet;
  private boolean blind; // whether some states between commits were not looked at
  private final Set<List<Commit>> looked = new HashSet<>(); // commits of runs, and nothing is wrong
  private final List<AccessTrace> launches = new ArrayList<>(); // of the last run
  private Map<String, Object> before =
      Map.of(); // what arrays hold when runs begin, if there are pools
  private final Map<String, Long> uncompared = new TreeMap<>();

  /**
   * Runs once by the default schedule, to see what happens and how long it takes: for {@link
   * #DEFAULT_STEPS} at most. Other runs may take a hundred times as many steps as it did.
   *
   * @param workload on a {@code sim} device; stays the caller's
   * @param options how to run it; the timeout ends a run whose threads take no more steps, where it
   *     can be ended
   * @param items how many, from 1 on: few, as schedules grow with the power of their steps
   * @throws OutgrownLogException if a transaction outgrows the logs its region declares; so does
   *     {@link #run}
   * @throws RunOutOfTimeException if transactions were stopped because time was up; so does {@link
   *     #run}
   * @throws io.magpie.stm.UnfinishedItemsException if a pool has too few slots; so does {@link
   *     #run}
   */
  public WorkloadSubject(Workload workload, StmOptions options, long items) {
    this(workload, options, items, 0);
  }

  /**
   * As {@link #WorkloadSubject(Workload, StmOptions, long)}, with a bound of all runs.
   *
   * @param mostSteps of each run, the default schedule's too; 0 = as without it
   */
  public WorkloadSubject(Workload workload, StmOptions options, long items, long mostSteps) {
    this.workload = workload;
    this.device = workload.device();
    this.options = options;
    this.items = items;
    this.mostSteps = mostSteps == 0 ? DEFAULT_STEPS : mostSteps;
    workload.afterRounds(this::keepTrace);
    this.recording =
        device.recording(
            Recording.Options.defaults()
                .withWordsPerThread(WORDS_PER_THREAD)
                .withFirstAttempts(UNSUCCESSFUL_ATTEMPTS));
    try {
      long begin = System.nanoTime();
      trace(0);
      Observation first = run(Schedule.explicit(List.of()).withLassoDetection());
      this.defaultRun = first.violations().isEmpty() ? withRepetition(first) : first;
      if (defaultRun.trace().code() == Simulator.Trace.OK && !defaultRun.has(Kind.NO_END)) {
        boundOthers(mostSteps, Duration.ofNanos(System.nanoTime() - begin));
      }
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Traces the runs that follow, where that is possible. */
  private void trace(int forcedRetries) {
    workload.reset(); // the slots of pools in use are those at the beginning
    List<AccessTrace.Memory> memory = workload.memory();
    traced = !memory.isEmpty();
    if (memory.stream().anyMatch(each -> each.contents() == AccessTrace.Memory.Contents.SLOTS)) {
      before = workload.contents();
    }
    if (traced) {
      AccessTrace.Scope scope = new AccessTrace.Scope(memory, MOST_EVENTS, 0, false);
      device.simulator().setTracing(scope.withForcedRetries(forcedRetries));
    }
  }

  /**
   * The default run, and whether its items do the same when each of their attempts, and of those of
   * inner transactions, is made once in vain: looked at by itself, and where there is a serial
   * order compared with the items in that.
   */
  private Observation withRepetition(Observation first) {
    if (!traced) {
      return first;
    }
    List<Integer> order =
        workload.inRounds() ? List.of() : SerialReplay.plan(launches.get(0)).threads();
    Schedule schedule = order.isEmpty() ? Schedule.explicit(List.of()) : Schedule.ordered(order);
    List<AccessTrace> once = order.isEmpty() ? launches() : traced(schedule);
    trace(1);
    List<AccessTrace> repeated = traced(schedule);
    trace(0);
    if (once.isEmpty() || repeated.isEmpty()) {
      return first;
    }
    List<Violation> wrong = DataChecker.check(repeated, before, workload::sourceLine);
    if (wrong.isEmpty() && !order.isEmpty()) {
      wrong =
          SerialReplay.compareRepeated(repeated.get(0), once.get(0), workload::sourceLine)
              .violation()
              .stream()
              .toList();
    }
    return new Observation(first.trace(), wrong, first.leastAttempts(), first.tally());
  }

  /** What the launches of a run did; empty if it did not end. */
  private List<AccessTrace> traced(Schedule schedule) {
    Ended ended = end(schedule.withMostSteps(mostSteps));
    return ended.report == null || !complete() ? List.of() : launches();
  }

  private List<AccessTrace> launches() {
    return List.copyOf(launches);
  }

  /** Runs that were not compared with their items one after the other, by the reason. */
  public Map<String, Long> uncompared() {
    return Collections.unmodifiableMap(uncompared);
  }

  /** Whether two items used the same object or datum in some run that was traced. */
  public boolean itemsMeet() {
    return meet;
  }

  /** Whether the data of all runs so far were checked: else some were too long. */
  public boolean checksData() {
    return traced;
  }

  /** Bounds the runs that follow by what the default schedule took. */
  private void boundOthers(long givenSteps, Duration time) {
    if (givenSteps == 0) {
      mostSteps = PATIENCE * Math.max(1, defaultRun.trace().steps());
    }
    Duration longer = time.multipliedBy(PATIENCE_IN_TIME);
    Duration most = longer.compareTo(LEAST_TIME) < 0 ? LEAST_TIME : longer;
    if (most.compareTo(options.timeout()) < 0) {
      options = options.withTimeout(most);
    }
  }

  /** The run under the default schedule. */
  public Observation defaultRun() {
    return defaultRun;
  }

  @Override
  public int threads() {
    int width = device.warpWidth();
    return (int) Math.min(Integer.MAX_VALUE, (items + width - 1) / width * width);
  }

  /** The history of the last run, as far as that came. */
  public History history() {
    return history;
  }

  /**
   * Runs it once and looks for violations.
   *
   * @throws IllegalArgumentException if the schedule is one of a search, which follows one launch
   *     with all of its accesses, and the region runs in rounds, or makes too many
   */
  @Override
  public Observation run(Schedule schedule) {
    if (schedule.search() != null && workload.inRounds()) {
      throw new IllegalArgumentException(
          "dpor follows one launch, and region "
              + workload.region().name()
              + " pushes items, so that it runs in rounds; use exhaustive, pct or random");
    }
    while (true) {
      try {
        return observe(schedule.withMostSteps(mostSteps));
      } catch (RecordingOverflowException e) {
        enlarge(e);
      }
    }
  }

  private void enlarge(RecordingOverflowException overflow) {
    Recording.Options larger =
        recording
            .options()
            .withWordsPerThread(
                overflow.neededWordsPerThread() + overflow.neededWordsPerThread() / 4);
    recording.close();
    recording = device.recording(larger);
  }

  private Observation observe(Schedule schedule) {
    Ended ended = end(schedule);
    Simulator.Trace trace = device.simulator().lastTrace();
    if (trace.code() == Simulator.Trace.LASSO) {
      requireInTime(ended);
      history = RunChecks.history(recording);
      if (Livelocks.confirm(schedule, trace, this::launch).isPresent()) {
        return observation(trace, List.of(livelock(trace)));
      }
      // A repetition that ends: the same run again, to its end.
      ended = end(schedule.withChoices(trace.choices()).withoutLassoDetection());
      trace = device.simulator().lastTrace();
    }
    history = RunChecks.history(recording);
    if (schedule.search() != null && traced && !complete()) {
      // From the next run on plain accesses would not be traced, and be no steps.
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a run under dpor made more than %,d accesses; take fewer items",
              MOST_EVENTS));
    }
    if (trace.abandoned()) {
      return new Observation(trace, List.of(), 0, Tally.NOTHING);
    }
    List<Violation> wrong =
        ended.report == null
            ? List.of(violation(trace, ended.fault))
            : checked(ended.report, schedule.weakMemory());
    if (ended.report == null || wrong.isEmpty()) {
      requireInTime(ended);
    }
    return observation(trace, wrong);
  }

  private Observation observation(Simulator.Trace trace, List<Violation> wrong) {
    return new Observation(trace, wrong, leastAttempts(), Tally.of(history, items));
  }

  /** Attempts of the item that had the fewest. */
  private int leastAttempts() {
    int[] attempts = new int[Math.toIntExact(items)];
    for (int i = 0; i < history.size(); i++) {
      if (Integer.toUnsignedLong(history.item(i)) < items) {
        attempts[history.item(i)]++;
      }
    }
    return Arrays.stream(attempts).min().orElse(0);
  }

  private static Violation livelock(Simulator.Trace trace) {
    return new Violation(
        Kind.LIVELOCK,
        String.format(
            "the %d steps from step %d on were repeated %d times, and no item ended",
            trace.lassoEnd() - trace.lassoBegin(), trace.lassoBegin(), Livelocks.REPETITIONS));
  }

  @Override
  public Simulator.Trace launch(Schedule schedule) {
    requireInTime(end(schedule));
    return device.simulator().lastTrace();
  }

  /**
   * How a run ended.
   *
   * @param report null if it faulted
   * @param fault null if it did not
   * @param late whether it ran longer than its time: transactions may have been told to stop
   */
  private record Ended(RegionReport report, KernelFaultException fault, boolean late) {}

  private Ended end(Schedule schedule) {
    workload.reset();
    recording.reset();
    launches.clear();
    device.simulator().setSchedule(schedule);
    long begin = System.nanoTime();
    try {
      RegionReport report = workload.record(recording, options, items, 0);
      if (report.passes().size() > 1 || report.unfinishedByOverflow() > 0) {
        throw new OutgrownLogException(workload.region());
      }
      if (report.unfinishedBySlots() > 0) {
        report.requireComplete(); // no schedule's fault
      }
      if (!workload.inRounds()) {
        keepTrace();
      }
      return new Ended(report, null, late(begin));
    } catch (KernelFaultException e) {
      keepTrace();
      return new Ended(null, e, late(begin));
    } finally {
      device.simulator().setSchedule(null);
    }
  }

  private void keepTrace() {
    if (traced) {
      launches.add(device.simulator().accessTrace());
    }
  }

  private boolean late(long begin) {
    Duration most = options.timeout();
    return !most.isZero() && System.nanoTime() - begin >= most.toNanos();
  }

  /** What a fault is: one that the simulator has no trace of is told by its own message. */
  private Violation violation(Simulator.Trace trace, KernelFaultException fault) {
    return switch (trace.code()) {
      case Simulator.Trace.OK -> explained(fault.getMessage());
      case Simulator.Trace.NO_PROGRESS, Simulator.Trace.LASSO -> endless(trace.message());
      case Simulator.Trace.INTERRUPTED ->
          endless(
              String.format(
                  Locale.ROOT,
                  "ended by time, after %.1f s, and not by a bound of steps: %s",
                  options.timeout().toMillis() / 1e3,
                  trace.message()));
      default -> explained(trace.message());
    };
  }

  /** A fault, by the name and place of what led to it, where the trace tells. */
  private Violation explained(String message) {
    Violation fault = new Violation(Kind.FAULT, message);
    return complete() ? DataChecker.explain(launches, fault, workload::sourceLine) : fault;
  }

  private Violation endless(String message) {
    Violation endless = new Violation(Kind.NO_END, message);
    return traced ? DataChecker.explainEndless(launches, endless, workload::sourceLine) : endless;
  }

  private boolean complete() {
    return traced && launches.stream().allMatch(AccessTrace::complete);
  }

  private List<Violation> checked(RegionReport report, boolean weak) {
    boolean opaque = workload.region().opaque();
    Verdict verdict = RunChecks.verdict(workload.objects(), recording, history, 0, opaque && !weak);
    List<Violation> wrong = new ArrayList<>(RunChecks.violations(verdict));
    workload.complaint(history, verdict).ifPresent(wrong::add);
    wrong.addAll(RunChecks.leftClaimed(workload.objects()));
    workload.waiting().ifPresent(why -> wrong.add(new Violation(Kind.NO_END, why)));
    if (!workload.inRounds()) {
      wrong.addAll(RunChecks.lostItems(history, report.items(), report.unfinishedItems()));
    }
    if (opaque && weak && wrong.isEmpty()) {
      wrong.addAll(RunChecks.opacityOverWeakMemory(history));
    }
    if (report.unfinished() > report.unfinishedByTimeout()) {
      wrong.add(new Violation(Kind.NO_END, report.unfinishedReason()));
    }
    if (traced && !weak) {
      List<AccessTrace> run = List.copyOf(launches);
      wrong.addAll(wrongWithData());
      if (traced && wrong.stream().allMatch(each -> each.kind() == Kind.INVARIANT)) {
        return between(run, wrong);
      }
    }
    wrong.sort(Comparator.comparing(Violation::kind));
    return wrong;
  }

  /**
   * What is wrong with data between the commits of a run, of which nothing is known to be wrong but
   * that an invariant does not hold after it.
   *
   * @param after that; empty if it does
   * @return what is wrong first, else {@code after}
   */
  private List<Violation> between(List<AccessTrace> run, List<Violation> after) {
    if (!workload.hasInvariant()) {
      return after;
    }
    Commit.Sequence commits = Commit.sequence(run.get(0));
    if (run.size() > 1
        || commits.inOrder().size() > MOST_COMMITS
        || !workload.canLookBetween(commits)) {
      blind = true;
      return after;
    }
    if (after.isEmpty() && looked.contains(commits.inOrder())) {
      return after; // states of a run before
    }
    workload.reset();
    Optional<Violation> found = workload.complaintBetween(commits.inOrder());
    if (found.isPresent()) {
      return List.of(found.get());
    }
    looked.add(commits.inOrder());
    return after;
  }

  /** Whether all runs so far were looked at by the invariant between their commits. */
  public boolean looksBetweenCommits() {
    return traced && !blind;
  }

  /**
   * What the run that just ended did wrong with data: by itself, and compared with its items one
   * after the other in their serial order.
   */
  private List<Violation> wrongWithData() {
    if (!complete()) {
      traced = false;
      device.simulator().setTracing(null);
      return List.of();
    }
    meet = meet || launches.stream().anyMatch(DataChecker::meet);
    List<Violation> wrong = DataChecker.check(launches, before, workload::sourceLine);
    return wrong.isEmpty() ? differences() : wrong;
  }

  private List<Violation> differences() {
    if (workload.inRounds()) {
      return uncompared("they have rounds");
    }
    AccessTrace run = launches.get(0);
    SerialReplay.Plan plan = SerialReplay.plan(run);
    if (plan.threads().isEmpty()) {
      return uncompared(plan.lacks());
    }
    List<AccessTrace> serial = traced(Schedule.ordered(plan.threads()));
    if (serial.isEmpty()) {
      return uncompared("items do not end one after the other");
    }
    SerialReplay.Comparison comparison =
        SerialReplay.compare(run, serial.get(0), workload::sourceLine);
    return comparison.lacks().isEmpty()
        ? comparison.violation().stream().toList()
        : uncompared(comparison.lacks());
  }

  private List<Violation> uncompared(String why) {
    uncompared.merge(why, 1L, Long::sum);
    return List.of();
  }

  /** What did not end before transactions were told to stop says nothing about the schedule. */
  private void requireInTime(Ended ended) {
    if (ended.report != null && ended.report.unfinishedByTimeout() > 0) {
      throw new RunOutOfTimeException(
          "time ended a run under a chosen schedule: " + ended.report.unfinishedReason());
    }
    int code = device.simulator().lastTrace().code();
    boolean endless = code == Simulator.Trace.NO_PROGRESS || code == Simulator.Trace.LASSO;
    if (ended.report == null && ended.late && endless) {
      throw new RunOutOfTimeException(
          String.format(
              Locale.ROOT,
              "a run under a chosen schedule took longer than its %.1f s",
              options.timeout().toMillis() / 1e3));
    }
  }

  @Override
  public void close() {
    workload.afterRounds(() -> {});
    if (traced) {
      device.simulator().setTracing(null);
    }
    recording.close();
  }
}
