package io.magpie.verification.workload;

import io.magpie.stm.Device;
import io.magpie.stm.KernelFaultException;
import io.magpie.stm.Recording;
import io.magpie.stm.RecordingOverflowException;
import io.magpie.stm.Region;
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
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A workload under chosen schedules, with everything checked that {@link RecordedRuns} checks.
 *
 * <p>Of a region that pushes items each round is a launch of its own and checked by itself. A
 * schedule's steps go on from one round to the next, and so do those of the traces; a run ends with
 * the first round that shows a violation.
 */
public final class WorkloadSubject implements Subject, AutoCloseable {
  /** Steps that the default schedule may take, unless it is said. */
  public static final long DEFAULT_STEPS = 10_000_000;

  /** Rounds that a run may take, unless it is said. */
  public static final long DEFAULT_ROUNDS = 1_000;

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

  /**
   * Rounds that are compared with a serial run: those before are run again for each of them, so
   * that the launches grow with the square of it.
   */
  public static final int COMPARED_ROUNDS = 64;

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
  private final long mostRounds;
  private int forcedRetries;

  /** Schedules that repeat the rounds before the one that is launched. */
  private List<Schedule> before = List.of();

  /** Whether memory is as these rounds left it. */
  private boolean inPlace;

  /** What each round of the last run did to data, where that is traced. */
  private final List<AccessTrace> traces = new ArrayList<>();

  private Rounds rounds = Rounds.NONE;
  private Rounds roundsByDefault;
  private boolean blind; // whether some states between commits were not looked at

  /** The commits, up to some round, between which the invariant held. */
  private final Set<List<Commit>> looked = new HashSet<>();

  private long widest; // most items of a round of the default run
  private boolean widened; // whether another run had more

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
    this(workload, options, items, mostSteps, 0);
  }

  /**
   * The same with a bound of rounds.
   *
   * @param mostRounds of a run; what waits then is left. 0 = none is said: then items that wait
   *     after {@link #DEFAULT_ROUNDS} are a violation, {@link Kind#NO_END}
   */
  public WorkloadSubject(
      Workload workload, StmOptions options, long items, long mostSteps, long mostRounds) {
    this.workload = workload;
    this.mostRounds = mostRounds;
    this.device = workload.device();
    this.options = options;
    this.items = items;
    this.mostSteps = mostSteps == 0 ? DEFAULT_STEPS : mostSteps;
    this.recording =
        device.recording(
            Recording.Options.defaults()
                .withWordsPerThread(WORDS_PER_THREAD)
                .withFirstAttempts(UNSUCCESSFUL_ATTEMPTS));
    try {
      long begin = System.nanoTime();
      traced = !workload.memory().isEmpty();
      Observation first = run(Schedule.explicit(List.of()).withLassoDetection());
      this.roundsByDefault = rounds;
      this.defaultRun = first.violations().isEmpty() ? withRepetition(first) : first;
      if (defaultRun.trace().code() == Simulator.Trace.OK && !defaultRun.has(Kind.NO_END)) {
        boundOthers(mostSteps, Duration.ofNanos(System.nanoTime() - begin));
      }
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Traces the next launch, where that is possible. */
  private void trace(int forcedRetries) {
    if (traced) {
      AccessTrace.Scope scope = new AccessTrace.Scope(workload.memory(), MOST_EVENTS, 0, false);
      device.simulator().setTracing(scope.withForcedRetries(forcedRetries));
    }
  }

  /**
   * The default run, and whether its items do the same when each of their attempts, and of those of
   * inner transactions, is made once in vain.
   */
  private Observation withRepetition(Observation first) {
    List<Schedule> all = before;
    for (int round = 0; round < traces.size(); round++) {
      goBackTo(all, round);
      List<Violation> wrong =
          SerialReplay.threads(traces.get(round)).map(this::repeated).orElse(List.of());
      if (!wrong.isEmpty()) {
        return new Observation(
            first.trace(), inRound(round, wrong), first.leastAttempts(), first.tally());
      }
    }
    return first;
  }

  /** Lets the next launch be that of a round, counted from 0. */
  private void goBackTo(List<Schedule> all, int round) {
    before = all.subList(0, round);
    inPlace = false;
  }

  /** What is wrong when these threads of a round, in order, make each attempt once in vain. */
  private List<Violation> repeated(List<Integer> order) {
    Optional<AccessTrace> once = ordered(order);
    forcedRetries = 1;
    Optional<AccessTrace> repeated = once.isEmpty() ? once : ordered(order);
    forcedRetries = 0;
    if (repeated.isEmpty()) {
      return List.of();
    }
    List<Violation> wrong = DataChecker.check(repeated.get(), workload::sourceLine);
    return wrong.isEmpty()
        ? SerialReplay.compare(repeated.get(), once.get(), workload::sourceLine).stream().toList()
        : wrong;
  }

  /** What a run of threads one after the other did, if it ended. */
  private Optional<AccessTrace> ordered(List<Integer> threads) {
    Ended ended = end(Schedule.ordered(threads).withMostSteps(mostSteps));
    AccessTrace trace = device.simulator().accessTrace();
    return ended.report == null || !trace.complete() ? Optional.empty() : Optional.of(trace);
  }

  /** Whether the data of all runs so far were checked: else some were too long. */
  public boolean checksData() {
    return traced;
  }

  /**
   * Whether a run had a round of more items than the default run's, so that {@link #threads()} were
   * too few for all its schedules.
   */
  public boolean widened() {
    return widened;
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

  /** The rounds of the run under the default schedule; one where a region pushes nothing. */
  public Rounds defaultRounds() {
    return roundsByDefault;
  }

  /** The rounds of the last run. */
  public Rounds rounds() {
    return rounds;
  }

  @Override
  public int threads() {
    int width = device.warpWidth();
    return (int) Math.min(Integer.MAX_VALUE, (Math.max(items, widest) + width - 1) / width * width);
  }

  /** The history of the last run, or of its last round, as far as that came. */
  public History history() {
    return history;
  }

  @Override
  public Observation run(Schedule schedule) {
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
    ScheduledRounds scheduled = new ScheduledRounds(schedule);
    rounds = Rounds.NONE;
    before = scheduled.repeating();
    inPlace = false;
    traces.clear();
    Tally tally = Tally.NOTHING;
    int idle = 0;
    while (true) {
      Schedule own = scheduled.next();
      Ended ended = endOrRepeat(own);
      Simulator.Trace trace = device.simulator().lastTrace();
      history = RunChecks.history(recording);
      List<Violation> wrong = wrong(ended, trace, own.weakMemory());
      scheduled.add(own, trace);
      inPlace = true;
      noteWidth();
      boolean goesOn = wrong.isEmpty() && workload.waiting() > 0 && scheduled.size() != mostRounds;
      if (ended.report != null) {
        rounds = rounds.and(ended.report, workload.waiting());
      }
      idle = ended.report == null || ended.report.deferred() < given() ? 0 : idle + 1;
      if (goesOn && idle == Region.IDLE_ROUNDS) {
        wrong = List.of(stalled(ended.report));
        goesOn = false;
      }
      if (goesOn && mostRounds == 0 && scheduled.size() == DEFAULT_ROUNDS) {
        wrong = List.of(new Violation(Kind.NO_END, workload.waiting() + " items still wait"));
        goesOn = false;
      }
      tally = tally.plus(tally(ended.report, goesOn));
      if (!goesOn) {
        List<Violation> all = inRound(scheduled.size() - 1, wrong);
        if (!schedule.weakMemory()) {
          all = all.isEmpty() ? differences() : all;
          all = all.stream().allMatch(each -> each.kind() == Kind.INVARIANT) ? between(all) : all;
        }
        return new Observation(scheduled.trace(), all, leastAttempts(), tally);
      }
    }
  }

  /**
   * What is wrong with data between the commits of the last run, of which nothing is known to be
   * wrong but that an invariant does not hold after it.
   *
   * @param after that; empty if it does
   * @return what is wrong first, else {@code after}
   */
  private List<Violation> between(List<Violation> after) {
    if (!workload.hasInvariant()) {
      return after;
    }
    List<Schedule> all = before;
    List<Commit> soFar = new ArrayList<>();
    for (int round = 0; round < traces.size(); round++) {
      Commit.Sequence commits = Commit.sequence(traces.get(round));
      boolean few = soFar.size() + commits.inOrder().size() <= MOST_COMMITS;
      if (!few || !workload.canLookBetween(commits)) {
        blind = true;
        break;
      }
      soFar.addAll(commits.inOrder());
      if (after.isEmpty() && !looked.add(List.copyOf(soFar))) {
        continue; // states of a run before
      }
      goBackTo(all, round);
      replay();
      Optional<Violation> found = workload.complaintBetween(commits.inOrder());
      if (found.isPresent()) {
        before = all;
        return inRound(round, List.of(found.get()));
      }
    }
    before = all;
    return after;
  }

  /** Whether all runs so far were looked at by the invariant between their commits. */
  public boolean looksBetweenCommits() {
    return traced && !blind;
  }

  /** What is wrong with a launch by itself. */
  private List<Violation> wrong(Ended ended, Simulator.Trace trace, boolean weak) {
    if (trace.code() == Simulator.Trace.LASSO) {
      return List.of(livelock(trace));
    }
    List<Violation> wrong =
        ended.report == null ? List.of(violation(trace, ended.fault)) : checked(ended.report, weak);
    if (ended.report == null || wrong.isEmpty()) {
      requireInTime(ended);
    }
    return wrong;
  }

  /**
   * Ends with a lasso if that is a livelock. A repetition that ends: the same again, to its end.
   */
  private Ended endOrRepeat(Schedule schedule) {
    Ended ended = end(schedule);
    Simulator.Trace trace = device.simulator().lastTrace();
    if (trace.code() != Simulator.Trace.LASSO) {
      return ended;
    }
    requireInTime(ended);
    history = RunChecks.history(recording);
    if (Livelocks.confirm(schedule, trace, this::launched).isPresent()) {
      return end(schedule);
    }
    return end(schedule.withChoices(trace.choices()).withoutLassoDetection());
  }

  private List<Violation> inRound(int round, List<Violation> wrong) {
    return !workload.inRounds()
        ? wrong
        : wrong.stream()
            .map(each -> new Violation(each.kind(), "round " + (round + 1) + ": " + each.text()))
            .toList();
  }

  /** Items that the last launch began with. */
  private long given() {
    return workload.lastRound().map(round -> (long) round.given().size()).orElse(items);
  }

  private void noteWidth() {
    if (defaultRun == null) {
      widest = Math.max(widest, given());
    } else {
      widened |= given() > Math.max(items, widest);
    }
  }

  /** How a round's items ended; those that another one takes on have not. */
  private Tally tally(RegionReport report, boolean goesOn) {
    Tally own = Tally.of(history, given());
    return goesOn
        ? new Tally(own.commits(), own.cancels(), report.unfinished(), own.accesses())
        : own;
  }

  /** The last rounds ended no item. */
  private static Violation stalled(RegionReport report) {
    return new Violation(
        Kind.NO_END,
        String.format(
            Locale.ROOT,
            "the last %d rounds ended no item: %,d wait%s",
            Region.IDLE_ROUNDS,
            report.deferred(),
            report.withoutSlot() > 0
                ? String.format(
                    Locale.ROOT,
                    ", %,d of them without a slot: grow the pool",
                    report.withoutSlot())
                : ""));
  }

  /** Attempts of the item that had the fewest, in the last round. */
  private int leastAttempts() {
    Map<Integer, Integer> attempts = new HashMap<>();
    for (int i = 0; i < history.size(); i++) {
      attempts.merge(history.rank(i), 1, Integer::sum);
    }
    return attempts.size() < given() ? 0 : Collections.min(attempts.values());
  }

  private static Violation livelock(Simulator.Trace trace) {
    return new Violation(
        Kind.LIVELOCK,
        String.format(
            "the %d steps from step %d on were repeated %d times, and no item ended",
            trace.lassoEnd() - trace.lassoBegin(), trace.lassoBegin(), Livelocks.REPETITIONS));
  }

  /** Of a region that pushes items, the first round only. */
  @Override
  public Simulator.Trace launch(Schedule schedule) {
    goBackTo(List.of(), 0);
    return launched(schedule);
  }

  private Simulator.Trace launched(Schedule schedule) {
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

  /** Ends the launch behind the rounds before, which are run first where that is needed. */
  private Ended end(Schedule schedule) {
    if (!inPlace || before.isEmpty()) {
      replay();
    }
    inPlace = false;
    trace(forcedRetries);
    return end(schedule, before.size());
  }

  /** Runs the rounds before the next launch. */
  private void replay() {
    workload.reset();
    trace(0);
    for (int round = 0; round < before.size(); round++) {
      end(before.get(round), round);
    }
  }

  private Ended end(Schedule schedule, int round) {
    recording.reset();
    device.simulator().setSchedule(schedule);
    long begin = System.nanoTime();
    try {
      RegionReport report =
          round == 0
              ? workload.record(recording, options, items, 0)
              : workload.recordNext(recording, options);
      if (report.passes().size() > 1 || report.unfinishedByOverflow() > 0) {
        throw new OutgrownLogException(workload.region());
      }
      if (report.unfinishedBySlots() > 0) {
        report.requireComplete(); // no schedule's fault
      }
      return new Ended(report, null, late(begin));
    } catch (KernelFaultException e) {
      return new Ended(null, e, late(begin));
    } finally {
      device.simulator().setSchedule(null);
    }
  }

  private boolean late(long begin) {
    Duration most = options.timeout();
    return !most.isZero() && System.nanoTime() - begin >= most.toNanos();
  }

  /** What a fault is: one that the simulator has no trace of is told by its own message. */
  private Violation violation(Simulator.Trace trace, KernelFaultException fault) {
    return switch (trace.code()) {
      case Simulator.Trace.OK -> new Violation(Kind.FAULT, fault.getMessage());
      case Simulator.Trace.NO_PROGRESS, Simulator.Trace.LASSO ->
          new Violation(Kind.NO_END, trace.message());
      case Simulator.Trace.INTERRUPTED ->
          new Violation(
              Kind.NO_END,
              String.format(
                  Locale.ROOT,
                  "ended by time, after %.1f s, and not by a bound of steps: %s",
                  options.timeout().toMillis() / 1e3,
                  trace.message()));
      default -> new Violation(Kind.FAULT, trace.message());
    };
  }

  private List<Violation> checked(RegionReport report, boolean weak) {
    boolean opaque = workload.region().opaque();
    Verdict verdict = RunChecks.verdict(workload.objects(), recording, history, 0, opaque && !weak);
    List<Violation> wrong =
        new ArrayList<>(RecordedRuns.violations(workload, report, history, verdict));
    if (opaque && weak && wrong.isEmpty()) {
      wrong.addAll(RunChecks.opacityOverWeakMemory(history));
    }
    if (report.unfinished() > report.unfinishedByTimeout()) {
      wrong.add(new Violation(Kind.NO_END, report.unfinishedReason()));
    }
    if (traced && !weak) {
      wrong.addAll(wrongWithData());
    }
    wrong.sort(Comparator.comparing(Violation::kind));
    return wrong;
  }

  /** What the launch that just ended did wrong with data, by itself. */
  private List<Violation> wrongWithData() {
    AccessTrace trace = device.simulator().accessTrace();
    if (!trace.complete()) {
      traced = false;
      traces.clear();
      device.simulator().setTracing(null);
      return List.of();
    }
    if (traces.size() < COMPARED_ROUNDS) {
      traces.add(trace);
    }
    return DataChecker.check(trace, workload::sourceLine);
  }

  /** What the run did otherwise than its items one after the other in their serial order. */
  private List<Violation> differences() {
    List<Schedule> all = before;
    List<Violation> found = List.of();
    for (int round = 0; round < traces.size() && found.isEmpty(); round++) {
      AccessTrace trace = traces.get(round);
      goBackTo(all, round);
      found =
          SerialReplay.threads(trace)
              .flatMap(this::ordered)
              .flatMap(serial -> SerialReplay.compare(trace, serial, workload::sourceLine))
              .stream()
              .toList();
      found = inRound(round, found);
    }
    before = all;
    return found;
  }

  /** What did not end before transactions were told to stop says nothing about the schedule. */
  private void requireInTime(Ended ended) {
    if (ended.report != null && ended.report.unfinishedByTimeout() > 0) {
      throw new RunOutOfTimeException(
          "time ended a run under a chosen schedule: " + ended.report.unfinishedReason());
    }
    if (ended.report != null && ended.report.timedOut() && ended.report.deferred() > 0) {
      throw new RunOutOfTimeException(
          String.format(
              Locale.ROOT,
              "time ended a round under a chosen schedule: %,d items wait",
              ended.report.deferred()));
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
    if (traced) {
      device.simulator().setTracing(null);
    }
    recording.close();
  }
}
