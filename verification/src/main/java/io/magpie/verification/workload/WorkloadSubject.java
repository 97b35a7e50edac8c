package io.magpie.verification.workload;

import io.magpie.stm.Device;
import io.magpie.stm.KernelFaultException;
import io.magpie.stm.Policy;
import io.magpie.stm.Recording;
import io.magpie.stm.Region;
import io.magpie.stm.RegionReport;
import io.magpie.stm.StmOptions;
import io.magpie.stm.UnfinishedItemsException;
import io.magpie.stm.simulator.AccessTrace;
import io.magpie.stm.simulator.Schedule;
import io.magpie.stm.simulator.Simulator;
import io.magpie.verification.check.Finding;
import io.magpie.verification.check.Verdict;
import io.magpie.verification.data.Commit;
import io.magpie.verification.data.DataChecker;
import io.magpie.verification.data.SerialReplay;
import io.magpie.verification.data.UnjudgedSlots;
import io.magpie.verification.explore.AttemptId;
import io.magpie.verification.explore.Livelocks;
import io.magpie.verification.explore.Observation;
import io.magpie.verification.explore.RunOutOfTimeException;
import io.magpie.verification.explore.Strategy;
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
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A workload under chosen schedules, with everything checked that {@link RecordedRuns} checks.
 *
 * <p>Of a region that pushes items each round is a launch of its own, with a history of its own. A
 * schedule's steps go on from one round to the next, and so do those of the traces. A run ends with
 * the first round whose history is wrong; then what all rounds did with data is looked at.
 */
public final class WorkloadSubject implements Subject, AutoCloseable {
  /** Steps that the default schedule may take, unless it is said. */
  public static final long DEFAULT_STEPS = 10_000_000;

  /** Rounds that a run may take, unless it is said. */
  public static final long DEFAULT_ROUNDS = 1_000;

  private static final String OTHER_STRATEGIES = "use exhaustive, pct, random or periodic";

  private static final long WORDS_PER_THREAD = 1 << 12;
  private static final int UNSUCCESSFUL_ATTEMPTS = 64;

  /** Times the steps of the default schedule that a run may take before it counts as endless. */
  private static final long PATIENCE = 100;

  /**
   * Times the time of the default schedule that a run may take: more than steps, which tell first
   * unless a thread takes none.
   */
  private static final long PATIENCE_IN_TIME = 10 * PATIENCE;

  /**
   * Times the steps of a serial run that its items may take in another order, in which they run
   * alone again.
   */
  private static final long PATIENCE_IN_ANOTHER_ORDER = 8;

  /** Other orders in which items may not end before no more are tried. */
  private static final int ORDERS_WITHOUT_END = 4;

  private static final String IN_TURN = "with their items one after the other: ";
  private static final String IN_ANOTHER_ORDER = "with their items in another order: ";

  private static final String ROLLED_BACK_ONCE = "with each attempt first rolled back: ";

  /**
   * So many first attempts of each item are rolled back in another run: what gives up after some
   * failures, as many as people choose, then does.
   */
  static final int MANY_ATTEMPTS = 16;

  private static final Duration LEAST_TIME = Duration.ofSeconds(10);

  /**
   * What the default schedule takes at first; with the time to end in, and that which tells an
   * endless loop, about twelve seconds.
   */
  private static final Duration SHORT_TIME = Duration.ofSeconds(4);

  /** Events of a run that are kept; data of longer ones are not checked. */
  private static final int MOST_EVENTS = 1 << 18;

  /**
   * Rounds that are compared with a serial run: those before are run again for each of them, so
   * that the launches grow with the square of it.
   */
  private static final int COMPARED_ROUNDS = 64;

  /** Commits of a run between which an invariant is looked at. */
  private static final int MOST_COMMITS = 1 << 10;

  /** Commits, and items, in what is remembered of runs before; what is not is looked at again. */
  private static final int MOST_REMEMBERED = 1 << 16;

  private final Workload workload;
  private final Device device;
  private final long items;
  private final Observation defaultRun;
  private StmOptions options;
  private Recording recording;
  private long mostSteps;
  private History history;
  private Finding finding; // in it; null if there is none
  private long steps; // of its launch
  private boolean traced; // whether data are checked
  private boolean meet;
  private boolean changed; // whether some item that committed left something
  private boolean blind; // whether some states between commits were not looked at
  private final Set<List<Commit>> looked = new HashSet<>(); // commits of runs, and nothing is wrong
  private int remembered; // commits in them

  /** What other orders lack, by the orders of the rounds; nothing is wrong in any of them. */
  private final Map<List<SerialReplay.Plan>, String> reordered = new HashMap<>();

  private int rememberedItems; // in them
  private int ordersWithoutEnd;

  private final List<AccessTrace.Memory> memory;
  private final List<AccessTrace> launches = new ArrayList<>(); // of the last run
  private final Map<String, Object> initial; // what arrays hold when runs begin, if known
  private final Map<String, Long> uncompared = new TreeMap<>();
  private final UnjudgedSlots unjudged = new UnjudgedSlots();
  private final long mostRounds;
  private final Duration shortTime;
  private int forcedRetries; // of the next launch

  /** Schedules that repeat the rounds of the last run. */
  private List<Schedule> ran = List.of();

  /** The first of them: those before the next launch. */
  private List<Schedule> before = List.of();

  /** Whether memory is as these rounds left it. */
  private boolean inPlace;

  private Rounds rounds = Rounds.NONE; // of the last run
  private final Rounds roundsByDefault;
  private long threads; // most of a launch of the default run
  private boolean widened; // whether another run had more

  /**
   * Runs once by the default schedule, to see what happens and how long it takes: for {@link
   * #DEFAULT_STEPS} at most. Other runs may take a hundred times as many steps as it did.
   *
   * @param workload on a {@code sim} device; stays the caller's
   * @param options how to run it; the timeout ends a run whose threads take no more steps, where it
   *     can be ended. At most one attempt of an item is eager unless a number is given: another
   *     would begin in the same state of the protocol, and schedules that come to claims stay short
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

  private static StmOptions explored(StmOptions options, Region region) {
    return options.eagerAttempts() >= 0
        ? options
        : options.withEagerAttempts(
            Math.min(1, options.policy().defaultEagerAttempts(region.maxObjects())));
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
    this(workload, options, items, mostSteps, mostRounds, SHORT_TIME);
  }

  /**
   * The same with another time that the default schedule takes at first.
   *
   * @param shortTime not 0
   */
  WorkloadSubject(
      Workload workload,
      StmOptions options,
      long items,
      long mostSteps,
      long mostRounds,
      Duration shortTime) {
    this.workload = workload;
    this.shortTime = shortTime;
    this.mostRounds = mostRounds;
    workload.reset(); // a pool's memory says which of its slots are in use at first
    this.memory = workload.memory();
    boolean pools =
        memory.stream().anyMatch(each -> each.contents() == AccessTrace.Memory.Contents.SLOTS);
    boolean few = !memory.isEmpty() && DataComparison.areFew(memory);
    this.initial = pools || few ? workload.contents() : Map.of();
    this.device = workload.device();
    this.options = explored(options, workload.region());
    this.items = items;
    this.mostSteps = mostSteps == 0 ? DEFAULT_STEPS : mostSteps;
    this.recording =
        device.recording(
            Recording.Options.defaults()
                .withWordsPerThread(WORDS_PER_THREAD)
                .withFirstAttempts(UNSUCCESSFUL_ATTEMPTS));
    try {
      long begin = System.nanoTime();
      // Elsewhere stores are not those of the commits of items.
      traced = options.policy().storesAtCommit() && !memory.isEmpty();
      trace(0);
      Observation first = runByDefault();
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

  /**
   * Runs the default schedule. Code that makes no access is found in a short time; what only takes
   * longer than that is run again with all its time.
   */
  private Observation runByDefault() {
    Schedule usual = Schedule.explicit(List.of()).withLassoDetection();
    StmOptions given = options;
    boolean wasTraced = traced;
    if (given.timeout().compareTo(shortTime) > 0) {
      options = given.withTimeout(shortTime);
      try {
        Observation first = run(usual);
        if (first.trace().code() == Simulator.Trace.STUCK) {
          return first; // others that come to the same loop get no more time
        }
        options = given;
        if (first.trace().code() != Simulator.Trace.INTERRUPTED) {
          return first;
        }
      } catch (RunOutOfTimeException e) {
        options = given;
      }
      traced = wasTraced; // what was too long is traced again, if only its beginning
      trace(0);
    }
    return run(usual);
  }

  /** Traces the launches that follow, where that is possible. */
  private void trace(int retries) {
    if (traced) {
      AccessTrace.Scope scope = new AccessTrace.Scope(memory, MOST_EVENTS, 0, false);
      device.simulator().setTracing(scope.withForcedRetries(retries));
    }
  }

  private void traceNoMore() {
    traced = false;
    launches.clear();
    device.simulator().setTracing(null);
  }

  /** How attempts are first rolled back. */
  private enum Repetition {
    /** Once, by items in the serial order. */
    ONCE(1),
    /** Once, by items that take turns at every step: what undone attempts left meets others. */
    INTERLEAVED(1),
    /** Many times, by items in the serial order. */
    MANY_TIMES(MANY_ATTEMPTS);

    final int times;

    Repetition(int times) {
      this.times = times;
    }
  }

  /**
   * The default run, and whether its items do the same when each of their attempts, and of those of
   * inner transactions, is first rolled back, in each of these ways: looked at by itself, and where
   * items are in the serial order compared with what they do in that.
   */
  private Observation withRepetition(Observation first) {
    for (int round = 0; round < Math.min(launches.size(), COMPARED_ROUNDS); round++) {
      goBackTo(round);
      List<Violation> wrong = inRound(round, repeated(round, Repetition.ONCE, mostSteps));
      if (isRepeatedManyTimes(launches.get(round))) {
        for (Repetition more : List.of(Repetition.INTERLEAVED, Repetition.MANY_TIMES)) {
          if (wrong.isEmpty()) {
            goBackTo(round);
            long most = PATIENCE * Math.max(1, first.trace().steps());
            wrong = inRound(round, repeated(round, more, Math.min(mostSteps, most)));
          }
        }
      }
      if (!wrong.isEmpty()) {
        return new Observation(first.trace(), wrong, first.leastAttempts(), first.tally());
      }
    }
    return first;
  }

  /** Whether a run is small enough for {@link #MANY_ATTEMPTS}. */
  static boolean isRepeatedManyTimes(AccessTrace run) {
    return run.size() <= MOST_EVENTS / (2 * MANY_ATTEMPTS);
  }

  /** Lets the next launch be that of a round of the last run, counted from 0. */
  private void goBackTo(int round) {
    before = ran.subList(0, round);
    inPlace = false;
  }

  /**
   * What is wrong when the items of a round of the last run are each first rolled back.
   *
   * @param how if it is not {@link Repetition#ONCE} and tells nothing, that is not noted
   * @param most steps that it may take
   */
  private List<Violation> repeated(int round, Repetition how, long most) {
    AccessTrace usual = launches.get(round);
    boolean interleaved = how == Repetition.INTERLEAVED;
    List<Integer> order = interleaved ? List.of() : SerialReplay.plan(usual).threads();
    Optional<AccessTrace> once = order.isEmpty() ? Optional.of(usual) : ordered(order);
    if (once.isEmpty()) {
      return List.of(); // without a serial run, which is said of every run
    }
    Ended ended;
    forcedRetries = how.times;
    try {
      Schedule usually = order.isEmpty() ? Schedule.explicit(List.of()) : Schedule.ordered(order);
      Schedule schedule = interleaved ? Schedule.roundRobin() : usually;
      ended = end(schedule.withMostSteps(most));
    } catch (OutgrownLogException e) {
      return withoutRepetition(how, "that needs larger logs");
    } catch (UnfinishedItemsException e) {
      return withoutRepetition(how, "slots run out");
    } finally {
      forcedRetries = 0;
    }
    Simulator.Trace end = device.simulator().lastTrace();
    AccessTrace repeated = device.simulator().accessTrace();
    trace(0);
    List<AccessTrace> sofar = new ArrayList<>(launches.subList(0, round));
    sofar.add(repeated);
    if (ended.report == null ? isEndless(end) : ended.report.unfinished() > 0) {
      return withoutRepetition(how, "items do not all end");
    }
    if (ended.report == null) {
      String message = end.code() == Simulator.Trace.OK ? ended.fault.getMessage() : end.message();
      Optional<Violation> left =
          repeated.complete()
              ? DataChecker.leftByUndone(repeated, workload::sourceLine)
              : Optional.empty();
      if (interleaved && left.isEmpty()) {
        return List.of(); // by how items met, which chosen schedules find and can repeat
      }
      Violation fault = RepeatedRun.faulted(explained(message, sofar), left);
      return List.of(RepeatedRun.told(fault, repeated, how.times));
    }
    if (!repeated.complete()) {
      return withoutRepetition(how, "that makes too many accesses");
    }
    List<Violation> wrong = checked(sofar);
    if (!wrong.isEmpty() || order.isEmpty() || !workload.isComparedInTurn()) {
      return wrong.stream().map(each -> RepeatedRun.told(each, repeated, how.times)).toList();
    }
    SerialReplay.Comparison comparison =
        SerialReplay.compareRepeated(
            repeated, once.get(), workload.slotArrays(), workload::sourceLine);
    return comparison.lacks().isEmpty()
        ? comparison.violation().stream().toList()
        : inOwnOrder(repeated, how);
  }

  /**
   * What is wrong when the attempts of a round are each first rolled back, where that lets the
   * items end in an order of their own.
   */
  private List<Violation> inOwnOrder(AccessTrace repeated, Repetition how) {
    SerialReplay.Plan plan = SerialReplay.plan(repeated);
    Optional<AccessTrace> serial =
        plan.threads().isEmpty() ? Optional.empty() : ordered(plan.threads());
    SerialReplay.Comparison comparison = compared(repeated, plan, serial);
    return comparison.lacks().isEmpty()
        ? comparison.violation().stream()
            .map(each -> RepeatedRun.told(each, repeated, how.times))
            .toList()
        : withoutRepetition(how, comparison.lacks());
  }

  /** Notes why attempts were not repeated, so that nothing is known to be wrong. */
  private List<Violation> withoutRepetition(Repetition how, String why) {
    trace(0);
    if (how == Repetition.ONCE) {
      uncompared.merge(ROLLED_BACK_ONCE + why, 1L, Long::sum);
    }
    return List.of();
  }

  /** What a launch of threads one after the other did, if it ended. */
  private Optional<AccessTrace> ordered(List<Integer> threads) {
    return traced(Schedule.ordered(threads));
  }

  private Optional<AccessTrace> traced(Schedule schedule) {
    Ended ended = end(schedule.withMostSteps(mostSteps));
    AccessTrace trace = device.simulator().accessTrace();
    return ended.report == null || !trace.complete() ? Optional.empty() : Optional.of(trace);
  }

  /**
   * Runs of which a comparison was left out, by what they were not compared with, and why: such as
   * {@code with their items one after the other: a thread had several items}.
   */
  public Map<String, Long> uncompared() {
    return Collections.unmodifiableMap(uncompared);
  }

  /** The slots that some run may have lost, or used after they were freed, or not. */
  public UnjudgedSlots unjudgedSlots() {
    return unjudged;
  }

  /** What is open about {@link #unjudgedSlots()}, in sentences; empty if there are none. */
  public Optional<String> leftUnjudged() {
    return unjudged.sentences();
  }

  /** Whether two items used the same object or datum in some run that was traced. */
  public boolean itemsMeet() {
    return meet;
  }

  /**
   * Whether, in some run that was traced, an item that committed wrote something, pushed an item,
   * or took or freed a slot.
   */
  public boolean itemsLeaveSomething() {
    return changed;
  }

  /**
   * Whether the data of all runs so far were checked: else some were too long, or the policy does
   * not {@linkplain Policy#storesAtCommit() store at commits} alone.
   */
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

  /**
   * Checks that a strategy can be used. Some search the steps of one launch, and rounds are
   * several.
   *
   * @throws IllegalArgumentException if it cannot
   */
  public static void check(Workload workload, Strategy strategy) {
    if (strategy.kind() == Strategy.Kind.STATES || strategy.kind() == Strategy.Kind.DPOR) {
      requireOneLaunch(workload, strategy + " searches one launch", OTHER_STRATEGIES);
    }
  }

  /**
   * Checks that a schedule can be used: one of a search, and one that stops a thread, is that of
   * one launch.
   *
   * @throws IllegalArgumentException if it cannot
   */
  public static void check(Workload workload, Schedule schedule) {
    if (schedule.search() != null) {
      requireOneLaunch(workload, "dpor searches one launch", OTHER_STRATEGIES);
    }
    if (schedule.stoppedThread() >= 0) {
      requireOneLaunch(workload, "+stop is for one launch", "leave it out");
    }
  }

  private static void requireOneLaunch(Workload workload, String what, String remedy) {
    if (workload.inRounds()) {
      throw new IllegalArgumentException(
          String.format(
              "%s, and region %s runs in rounds of a launch each; %s",
              what, workload.region().name(), remedy));
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

  /**
   * Whether a run had a round of more items than the default run's, and more threads, so that
   * {@link #threads()} were too few for all its schedules.
   */
  public boolean widened() {
    return widened;
  }

  @Override
  public int threads() {
    return (int) threads;
  }

  /** The history of the last run, or of its last round, as far as that came. */
  public History history() {
    return history;
  }

  /** What is wrong with it; empty if nothing is, or only with data. */
  public Optional<Finding> finding() {
    return Optional.ofNullable(finding);
  }

  /** Steps of the launch that it is of. */
  public long steps() {
    return steps;
  }

  /**
   * The attempts that had not ended when that launch did, as a fault or a bound of steps left them;
   * none where the run was not traced to its end.
   */
  public List<AttemptId> unended() {
    return launches.isEmpty() || !complete()
        ? List.of()
        : DataChecker.unended(launches.get(launches.size() - 1));
  }

  /**
   * Runs it once and looks for violations.
   *
   * @throws IllegalArgumentException if the schedule {@linkplain #check(Workload, Schedule) is not
   *     for rounds}, or is one of a search, which follows a launch with all of its accesses, and
   *     these are too many
   */
  @Override
  public Observation run(Schedule schedule) {
    check(workload, schedule);
    while (true) {
      try {
        return observe(schedule.withMostSteps(mostSteps));
      } catch (Recording.OverflowException e) {
        enlarge(e);
      }
    }
  }

  private void enlarge(Recording.OverflowException overflow) {
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
    ran = scheduled.repeating();
    before = ran;
    inPlace = false;
    launches.clear();
    rounds = Rounds.NONE;
    Tally tally = Tally.NOTHING;
    long pastTx = 0;
    int idle = 0;
    while (true) {
      Schedule own = scheduled.next();
      Ended ended = endOrRepeat(own);
      Simulator.Trace trace = device.simulator().lastTrace();
      history = RunChecks.history(recording);
      finding = null;
      steps = trace.steps();
      if (traced) {
        launches.add(device.simulator().accessTrace());
      }
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
      scheduled.add(own, trace);
      List<Violation> wrong = wrong(ended, scheduled.trace(), own.weakMemory());
      inPlace = true;
      noteWidth();
      boolean goesOn = false;
      if (ended.report != null) {
        rounds = rounds.and(ended.report, ended.waiting);
        idle = ended.report.deferred() < given() ? 0 : idle + 1;
        goesOn =
            wrong.isEmpty()
                && ended.waiting > 0
                && !ended.report.timedOut()
                && scheduled.size() != mostRounds;
      }
      if (goesOn && goesOnForEver(idle)) {
        wrong = List.of(goingOn(idle, ended));
        goesOn = false;
      }
      Tally round = tally(ended.report);
      tally = tally.plus(round);
      pastTx += changesPastTx(round);
      if (!goesOn) {
        List<Violation> all = inRound(scheduled.size() - 1, wrong);
        boolean data = ended.report != null && traced && !own.weakMemory();
        if (data && complete()) {
          tally = tally.plus(new Tally(0, 0, 0, pastTx));
        }
        if (data) {
          all = withData(all);
        }
        if (ended.report == null || all.isEmpty()) {
          requireInTime(ended);
        }
        return new Observation(scheduled.trace(), all, leastAttempts(), tally);
      }
      if (launches.stream().mapToLong(AccessTrace::size).sum() > MOST_EVENTS) {
        traceNoMore();
      }
    }
  }

  private boolean goesOnForEver(int idle) {
    return idle == Region.IDLE_ROUNDS || mostRounds == 0 && rounds.rounds() == DEFAULT_ROUNDS;
  }

  private Violation goingOn(int idle, Ended last) {
    String why =
        idle < Region.IDLE_ROUNDS
            ? "and there is always another"
            : "as the last " + idle + " rounds ended none";
    String slots = last.report.withoutSlot() > 0 ? ", for want of slots: grow the pool" : "";
    return new Violation(
        Kind.NO_END,
        String.format(
            Locale.ROOT,
            "%,d items still wait after %,d rounds, %s%s%nremedy: push an item only where something"
                + " has changed for it, and cancel one that nothing can change for",
            last.waiting,
            rounds.rounds(),
            why,
            slots));
  }

  /** What is wrong with a launch by itself, other than with its data. */
  private List<Violation> wrong(Ended ended, Simulator.Trace trace, boolean weak) {
    if (trace.code() == Simulator.Trace.LASSO) {
      return List.of(livelock(trace));
    }
    return ended.report == null
        ? List.of(violation(trace, ended.fault))
        : checked(ended.report, weak);
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
    return Livelocks.confirm(schedule, trace, this::launched).isPresent()
        ? end(schedule)
        : end(schedule.withChoices(trace.choices()).withoutLassoDetection());
  }

  private List<Violation> inRound(int round, List<Violation> wrong) {
    return !workload.inRounds()
        ? wrong
        : wrong.stream()
            .map(each -> each.withText("round " + (round + 1) + ": " + each.text()))
            .toList();
  }

  /** Items that the last launch began with. */
  private long given() {
    return workload.lastRound().map(round -> (long) round.given().size()).orElse(items);
  }

  private void noteWidth() {
    if (defaultRun == null) {
      threads = Math.max(threads, recording.threads());
    } else {
      widened |= recording.threads() > threads;
    }
  }

  /** How a round's items ended; those that wait have not, and are left out. */
  private Tally tally(RegionReport report) {
    Tally own = Tally.of(history, given());
    return new Tally(
        own.commits(),
        own.cancels(),
        report == null ? own.unfinished() : report.unfinished(),
        own.accesses(),
        traced && own.commits() == 0 ? DataChecker.givenUp(launches.get(launches.size() - 1)) : 0);
  }

  /** What the items of the last round left, if they did nothing through {@code tx}. */
  private long changesPastTx(Tally round) {
    return round.commits() > 0 && round.accesses() == 0 && traced
        ? DataChecker.changes(launches.get(launches.size() - 1))
        : 0;
  }

  /** Attempts of the item that had the fewest, in the last round. */
  private int leastAttempts() {
    Map<Integer, Integer> attempts = new HashMap<>();
    for (int i = 0; i < history.size(); i++) {
      attempts.merge(history.rank(i), 1, Integer::sum);
    }
    return attempts.size() < given() ? 0 : Collections.min(attempts.values());
  }

  private Violation livelock(Simulator.Trace trace) {
    Violation livelock =
        new Violation(
            Kind.LIVELOCK,
            String.format(
                "the %d steps from step %d on were repeated %d times, and no item ended",
                trace.lassoEnd() - trace.lassoBegin(), trace.lassoBegin(), Livelocks.REPETITIONS));
    return traced
        ? DataChecker.explainLivelock(launches, livelock, workload::sourceLine)
        : livelock;
  }

  /**
   * Runs it once, without looking at what it did.
   *
   * @throws IllegalArgumentException if the region runs in rounds
   */
  @Override
  public Simulator.Trace launch(Schedule schedule) {
    requireOneLaunch(workload, "a search of states is that of one launch", OTHER_STRATEGIES);
    goBackTo(0);
    return launched(schedule);
  }

  private Simulator.Trace launched(Schedule schedule) {
    requireInTime(end(schedule));
    return device.simulator().lastTrace();
  }

  /**
   * How a launch ended.
   *
   * @param report null if it faulted
   * @param fault null if it did not
   * @param late whether it ran longer than its time: transactions may have been told to stop
   * @param waiting items that wait for another round
   */
  private record Ended(
      RegionReport report, KernelFaultException fault, boolean late, long waiting) {}

  /** Ends the launch behind the rounds before, which are run first where that is needed. */
  private Ended end(Schedule schedule) {
    if (!inPlace || before.isEmpty()) {
      replay();
    }
    inPlace = false;
    if (forcedRetries > 0) {
      trace(forcedRetries);
    }
    return end(schedule, before.size());
  }

  /** Runs the rounds before the next launch. */
  private void replay() {
    workload.reset();
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
        throw new OutgrownLogException(workload.region(), device.simulator().accessTrace());
      }
      if (report.unfinishedBySlots() > 0) {
        report.requireComplete(); // no schedule's fault
      }
      return new Ended(report, null, late(begin), workload.waiting());
    } catch (KernelFaultException e) {
      return new Ended(null, e, late(begin), 0);
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
      case Simulator.Trace.OK -> explained(fault.getMessage(), launches);
      case Simulator.Trace.NO_PROGRESS, Simulator.Trace.LASSO -> endless(trace.message());
      case Simulator.Trace.INTERRUPTED ->
          endless(
              String.format(
                  Locale.ROOT,
                  "ended by time, after %.1f s, and not by a bound of steps: %s",
                  options.timeout().toMillis() / 1e3,
                  withoutKind(trace.message())));
      case Simulator.Trace.STUCK -> stuck(withoutKind(trace.message()));
      default -> explained(trace.message(), launches);
    };
  }

  /** A fault, by the name and place of what led to it, where the trace tells. */
  private Violation explained(String message, List<AccessTrace> traces) {
    Violation fault = new Violation(Kind.FAULT, message);
    return traced && traces.stream().allMatch(AccessTrace::complete)
        ? DataChecker.explain(traces, initial, fault, workload::sourceLine)
        : fault;
  }

  private Violation endless(String message) {
    Violation endless = new Violation(Kind.NO_END, message);
    return traced
        ? DataChecker.explainEndless(launches, initial, endless, workload::sourceLine)
        : endless;
  }

  /** A launch that was left in the midst of an item: its own code goes on without an access. */
  private Violation stuck(String message) {
    return DataChecker.explainStuck(
        traced ? launches : List.of(),
        initial,
        workload.region().name(),
        message,
        workload::sourceLine);
  }

  /** What a launch says of its end, without the words by which violations begin. */
  private static String withoutKind(String message) {
    String kind = Kind.NO_END.words() + ": ";
    return message.startsWith(kind) ? message.substring(kind.length()) : message;
  }

  private boolean complete() {
    return traced && launches.stream().allMatch(AccessTrace::complete);
  }

  private List<Violation> checked(RegionReport report, boolean weak) {
    boolean opaque = workload.region().opaque();
    Verdict verdict = RunChecks.verdict(workload.objects(), recording, history, 0, opaque && !weak);
    finding = verdict.finding().orElse(null);
    List<Violation> wrong = new ArrayList<>(RunChecks.violations(verdict));
    workload.complaint(history, verdict).ifPresent(wrong::add);
    wrong.addAll(RunChecks.leftClaimed(workload.objects()));
    wrong.addAll(RunChecks.lostItems(workload, report, history));
    if (opaque && weak && wrong.isEmpty()) {
      finding = RunChecks.opacityOverWeakMemory(history).orElse(null);
      finding().map(RunChecks::notOpaque).ifPresent(wrong::add);
    }
    if (report.unfinished() > report.unfinishedByTimeout()) {
      wrong.add(new Violation(Kind.NO_END, report.unfinishedReason()));
    }
    wrong.sort(Comparator.comparing(Violation::kind));
    return wrong;
  }

  /** All that is wrong with a run that ended, of which this is known already. */
  private List<Violation> withData(List<Violation> known) {
    List<Violation> all = new ArrayList<>(known);
    all.addAll(wrongWithData());
    all.sort(Comparator.comparing(Violation::kind));
    boolean mayBeEarlier = all.stream().allMatch(each -> each.kind() == Kind.INVARIANT);
    return mayBeEarlier && traced && workload.hasInvariant() ? between(all) : all;
  }

  /**
   * What is wrong with data between the commits of the last run, of which nothing is known to be
   * wrong but that an invariant does not hold after it.
   *
   * @param after that; empty if it does
   * @return what is wrong first, else {@code after}
   */
  private List<Violation> between(List<Violation> after) {
    List<Commit> sofar = new ArrayList<>();
    for (int round = 0; round < launches.size(); round++) {
      Commit.Sequence commits = Commit.sequence(launches.get(round));
      sofar.addAll(commits.inOrder());
      if (sofar.size() > MOST_COMMITS || !workload.canLookBetween(commits)) {
        blind = true;
        break;
      }
      List<Commit> states = List.copyOf(sofar);
      if (after.isEmpty() && looked.contains(states)) {
        continue; // a run before had them
      }
      goBackTo(round);
      replay();
      Optional<Violation> found = workload.complaintBetween(commits);
      if (found.isPresent()) {
        return inRound(round, List.of(found.get()));
      }
      if (remembered + states.size() <= MOST_REMEMBERED && looked.add(states)) {
        remembered += states.size();
      }
    }
    return after;
  }

  /** Whether all runs so far were looked at by the invariant between their commits. */
  public boolean looksBetweenCommits() {
    return traced && !blind;
  }

  /**
   * What the run that just ended did wrong with data: by itself, and compared with the items of
   * each round one after the other in their serial order.
   */
  private List<Violation> wrongWithData() {
    if (!complete()) {
      traceNoMore();
      return List.of();
    }
    meet = meet || launches.stream().anyMatch(DataChecker::meet);
    changed = changed || launches.stream().anyMatch(each -> DataChecker.changes(each) > 0);
    List<Violation> wrong = checked(launches);
    return wrong.isEmpty() && workload.isComparedInTurn() ? differences() : wrong;
  }

  private List<Violation> checked(List<AccessTrace> run) {
    return DataChecker.check(run, initial, workload.slotArrays(), workload::sourceLine, unjudged);
  }

  private List<Violation> differences() {
    Set<String> lacks = new TreeSet<>();
    List<SerialReplay.Plan> orders = new ArrayList<>();
    List<Violation> found = List.of();
    boolean known = true; // so far the orders tell all
    for (int round = 0; round < launches.size() && found.isEmpty(); round++) {
      if (round == COMPARED_ROUNDS) {
        lacks.add(IN_TURN + "of rounds only the first " + COMPARED_ROUNDS + " are");
        break;
      }
      goBackTo(round);
      SerialReplay.Plan plan = SerialReplay.plan(launches.get(round));
      Optional<AccessTrace> serial =
          plan.threads().isEmpty() ? Optional.empty() : ordered(plan.threads());
      orders.add(plan);
      SerialReplay.Comparison comparison = compared(launches.get(round), plan, serial);
      if (!comparison.lacks().isEmpty()) {
        lacks.add(IN_TURN + comparison.lacks());
        known = false;
      } else if (known && comparison.violation().isEmpty() && workload.isComparedInAnotherOrder()) {
        comparison = inAnotherOrder(serial.get(), orders);
        if (!comparison.lacks().isEmpty()) {
          lacks.add(IN_ANOTHER_ORDER + comparison.lacks());
        }
      }
      found = inRound(round, comparison.violation().stream().toList());
    }
    lacks.forEach(why -> uncompared.merge(why, 1L, Long::sum));
    return found;
  }

  /** Compares a round with its items one after the other. */
  private SerialReplay.Comparison compared(
      AccessTrace run, SerialReplay.Plan plan, Optional<AccessTrace> serial) {
    if (serial.isPresent()) {
      return SerialReplay.compare(run, serial.get(), workload.slotArrays(), workload::sourceLine);
    }
    return lacking(
        plan.threads().isEmpty() ? plan.lacks() : "items do not end one after the other");
  }

  private static SerialReplay.Comparison lacking(String why) {
    return new SerialReplay.Comparison(why, Optional.empty());
  }

  /**
   * Compares a serial run with its items in another order that the objects leave open. The result
   * depends on the orders alone, so that runs of one order are looked at once.
   *
   * @param orders of the rounds up to its own, which tell all
   */
  private SerialReplay.Comparison inAnotherOrder(
      AccessTrace serial, List<SerialReplay.Plan> orders) {
    String known = reordered.get(orders);
    if (known != null) {
      return lacking(known);
    }
    long steps = PATIENCE_IN_ANOTHER_ORDER * Math.max(1, device.simulator().lastTrace().steps());
    SerialReplay.Comparison comparison =
        SerialReplay.reordered(serial)
            .map(other -> inOrder(serial, other, orders.size() - 1, steps))
            .orElseGet(() -> lacking(""));
    int size = orders.stream().mapToInt(each -> each.items().size()).sum();
    if (comparison.violation().isEmpty() && rememberedItems + size <= MOST_REMEMBERED) {
      reordered.put(List.copyOf(orders), comparison.lacks());
      rememberedItems += size;
    }
    return comparison;
  }

  /**
   * Runs a round in an order that no run had, and compares. Its items may wait for each other by
   * retries there, without end, or want more slots or objects than there are.
   */
  private SerialReplay.Comparison inOrder(
      AccessTrace serial, SerialReplay.Plan other, int round, long steps) {
    if (!other.lacks().isEmpty()) {
      return lacking(other.lacks());
    }
    if (ordersWithoutEnd == ORDERS_WITHOUT_END) {
      return lacking("in several they did not all end, so that no more were tried");
    }
    Ended ended;
    try {
      Schedule schedule = Schedule.ordered(other.threads());
      ended = end(schedule.withMostSteps(Math.min(steps, mostSteps)));
    } catch (OutgrownLogException e) {
      return lacking("it needs larger logs");
    } catch (UnfinishedItemsException e) {
      return lacking("slots run out in it");
    }
    Simulator.Trace trace = device.simulator().lastTrace();
    if (ended.report == null ? isEndless(trace) : ended.report.unfinished() > 0) {
      ordersWithoutEnd++;
      return lacking("they do not all end in it");
    }
    AccessTrace there = device.simulator().accessTrace();
    if (ended.report == null) {
      return new SerialReplay.Comparison(
          "", Optional.of(faultOf(other, ended.fault, trace, there, round)));
    }
    if (!there.complete()) {
      return lacking("it makes too many accesses");
    }
    Optional<Violation> stale = DataChecker.staleLoad(there, workload::sourceLine);
    return stale.isPresent()
        ? new SerialReplay.Comparison("", stale.map(each -> in(other, each)))
        : SerialReplay.compareReordered(
            serial, other, there, workload.slotArrays(), workload::sourceLine);
  }

  /** A violation of a run in another order. */
  private static Violation in(SerialReplay.Plan order, Violation found) {
    return new Violation(
        found.kind(),
        String.format(
            "in another order, %s, of items that share no object: %s",
            order.items(), found.text()));
  }

  private static boolean isEndless(Simulator.Trace trace) {
    return switch (trace.code()) {
      case Simulator.Trace.NO_PROGRESS,
          Simulator.Trace.LASSO,
          Simulator.Trace.INTERRUPTED,
          Simulator.Trace.STUCK ->
          true;
      default -> false;
    };
  }

  /** A fault of items in another order: something that they read past their claims decided it. */
  private Violation faultOf(
      SerialReplay.Plan order,
      KernelFaultException fault,
      Simulator.Trace trace,
      AccessTrace there,
      int round) {
    List<AccessTrace> traces = new ArrayList<>(launches.subList(0, round));
    traces.add(there);
    Violation found =
        explained(
            trace.code() == Simulator.Trace.OK ? fault.getMessage() : trace.message(), traces);
    return in(
        order,
        found.kind() != Kind.FAULT
            ? found
            : new Violation(
                Kind.UNCHECKED_HINT,
                String.format(
                    "%s%nremedy: look at hints again under a claim, before anything follows from"
                        + " them",
                    found.text())));
  }

  /** What did not end before transactions were told to stop says nothing about the schedule. */
  private void requireInTime(Ended ended) {
    if (ended.report != null && ended.report.unfinishedByTimeout() > 0) {
      throw new RunOutOfTimeException(
          "time ended a run under a chosen schedule: " + ended.report.unfinishedReason());
    }
    if (ended.report != null && ended.report.timedOut() && ended.waiting > 0) {
      throw new RunOutOfTimeException(
          String.format(
              Locale.ROOT,
              "time ended a round under a chosen schedule: %,d items wait",
              ended.waiting));
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
