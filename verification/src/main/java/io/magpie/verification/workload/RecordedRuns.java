package io.magpie.verification.workload;

import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.DeviceOutOfMemoryException;
import io.magpie.stm.KernelFaultException;
import io.magpie.stm.Policy;
import io.magpie.stm.Recording;
import io.magpie.stm.Region;
import io.magpie.stm.RegionReport;
import io.magpie.stm.StmOptions;
import io.magpie.stm.UnfinishedItemsException;
import io.magpie.stm.simulator.AccessTrace;
import io.magpie.verification.check.SerializabilityChecker;
import io.magpie.verification.check.Verdict;
import io.magpie.verification.explore.RunOutOfTimeException;
import io.magpie.verification.explore.Tally;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.explore.Violation.Kind;
import io.magpie.verification.history.Access;
import io.magpie.verification.history.History;
import io.magpie.verification.history.HistoryBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;

/**
 * Runs a workload again and again, each time recorded and checked: strict serializability, opacity
 * where reads are validated, every item ended once, no word left claimed; what it did to data,
 * compared with serial runs and, where all accesses are traced, by each of them. Each run begins
 * with the workload's first contents and has a history of its own.
 */
public final class RecordedRuns implements AutoCloseable {
  /** Rounds that a run may take, unless it is said. */
  public static final int DEFAULT_ROUNDS = 10_000;

  private static final int LOG_HEADER = 4;

  /** The longest pauses put into runs, one run after the other; the first run has none. */
  private static final int[] NOISE_NANOS = {0, 2_000, 20_000, 100_000};

  /** Items of a run that has pauses, at most: they would take too long. */
  private static final long MOST_NOISY_ITEMS = 10_000;

  /** What a trace of the accesses tells the datum and the line of. */
  private static final Set<Kind> NAMED_BY_TRACES =
      EnumSet.of(Kind.UNGUARDED_ACCESS, Kind.WRONG_RESULT);

  /** About what a compiler takes for a region. */
  private static final Duration WORTH_COMPILING = Duration.ofSeconds(5);

  /** Items that have a thread each. */
  private static final int MOST_THREADS = 256;

  private final Workload workload;
  private final StmOptions options;
  private final long skew;
  private final long mostLogBytes;
  private final RecordedTraces traces;
  private final DataComparison comparison; // null where data are not compared
  private final RunsOnProcessor onProcessor;
  private Workload.Saved saved; // what data were before the present round; null for a run's first
  private Recording recording;
  private RegionReport latest; // of the last launch; null if it did not end
  private Optional<AccessTrace> latestTrace = Optional.empty(); // its
  private volatile boolean ended;

  /**
   * Prepares.
   *
   * @param recording what is recorded, and the words of a log to begin with
   * @param skew differences of the clock that are no order, in its unit
   * @param mostLogBytes memory for logs; up to there they grow as need be
   */
  public RecordedRuns(
      Workload workload,
      StmOptions options,
      Recording.Options recording,
      long skew,
      long mostLogBytes) {
    this(workload, options, recording, skew, mostLogBytes, 1);
  }

  /**
   * The same where other runs are made and checked at the same time.
   *
   * @param atOnce how many there are with this one, which share the Java heap
   */
  public RecordedRuns(
      Workload workload,
      StmOptions options,
      Recording.Options recording,
      long skew,
      long mostLogBytes,
      int atOnce) {
    this(workload, options, recording, skew, mostLogBytes, atOnce, WORTH_COMPILING);
  }

  /**
   * The same.
   *
   * @param worthCompiling what comparisons take on a GPU before the region is compiled for the
   *     processor, too
   */
  RecordedRuns(
      Workload workload,
      StmOptions options,
      Recording.Options recording,
      long skew,
      long mostLogBytes,
      int atOnce,
      Duration worthCompiling) {
    this.workload = workload;
    this.options = options;
    this.skew = skew;
    this.mostLogBytes = mostLogBytes;
    // Data are compared by the turns of those that have an object open, which reads without a trace
    // lack, and by what their commits store.
    Policy policy = options.policy();
    boolean ordered = policy.storesAtCommit() && policy.hasVisibleReads();
    boolean compares = workload.comparesData() && ordered;
    this.traces = new RecordedTraces(workload, compares);
    this.comparison =
        compares
            ? new DataComparison(workload, traces, options, recording, 1.0 / atOnce, worthCompiling)
            : null;
    this.onProcessor = new RunsOnProcessor(options, mostLogBytes);
    try {
      this.recording = workload.device().recording(recording.withData(compares));
    } catch (RuntimeException | Error e) {
      if (comparison != null) {
        comparison.close();
      }
      throw e;
    }
  }

  /**
   * Bytes that the logs of so many items take, if half of the attempts abort and each reads and
   * writes as many objects as its first log holds.
   */
  public static long estimatedLogBytes(Workload workload, long items) {
    return 2 * items * 8 * (LOG_HEADER + 2L * workload.region().maxObjects());
  }

  /** Whether runs are compared with serial ones, and their data checked. */
  public boolean comparesData() {
    return comparison != null;
  }

  /** Whether every access of the runs so far was seen, and checked. */
  public boolean seesAllAccesses() {
    return traces.seesAll();
  }

  /** Whether runs of the same items on a processor were checked, and every access of those seen. */
  public boolean seesAllOnProcessor() {
    return onProcessor.seesAll();
  }

  /** Whether runs of a GPU's items on a processor show it: they name data and lines. */
  public static boolean isOfProcessor(Violation violation) {
    return violation.text().startsWith(RunsOnProcessor.HOW);
  }

  /** What was not compared so far, and why: sentences. */
  public List<String> notCompared() {
    return comparison == null ? List.of() : comparison.notCompared();
  }

  /** What traces of accesses do not tell, and why: sentences. */
  public List<String> notTraced() {
    return traces.limits();
  }

  /** The clock that histories are recorded with. */
  public Recording.Clock clock() {
    return recording.clock();
  }

  /**
   * One run, or the first round of one. If its logs were too small it is repeated with larger ones.
   *
   * @param items number of items
   * @param number which run it is, from 0
   * @throws DeviceOutOfMemoryException if the logs would need more memory than there may be
   * @throws UnfinishedItemsException if items that did not end in time outgrew them
   * @throws RunOutOfTimeException if items did that which wait for another round
   * @throws FaultFoundException if it faulted, and what it did before tells by what; or, of the
   *     first run on a GPU, runs of the same items on a processor do
   * @throws KernelFaultException if it faulted otherwise
   * @throws CancellationException if runs were {@linkplain #end ended} before it
   */
  public CheckedRun run(long items, long number) {
    return rounds(items, number, 1, options.timeout()).last();
  }

  /**
   * One run of a region that pushes items: rounds until no item waits, each of them recorded and
   * checked by itself, as {@link #run} does; versions begin anew in each. A run without rounds is
   * one of one round.
   *
   * @param most rounds at most
   * @param time how long the launches of all rounds may take; zero = as long as they do
   * @return the rounds: up to the first that has violations, items that ended for want of time, or
   *     is the last of {@link Region#IDLE_ROUNDS} in which no item ended; or for which no time is
   *     left
   */
  public CheckedRounds rounds(long items, long number, long most, Duration time) {
    if (number > 0 || comparison == null || !comparison.hasRoom()) {
      return ownRounds(items, number, most, time);
    }
    try {
      return withRunsOnProcessor(ownRounds(items, number, most, time), items, most);
    } catch (KernelFaultException | UnfinishedItemsException | RunOutOfTimeException e) {
      List<Violation> found = onProcessor.violations(workload, items, most);
      throw found.isEmpty() ? e : new FaultFoundException(found.get(0), e);
    }
  }

  private CheckedRounds ownRounds(long items, long number, long most, Duration time) {
    while (true) {
      if (ended) {
        throw new CancellationException("runs were ended");
      }
      try {
        return recordedRounds(items, number, most, time);
      } catch (Recording.OverflowException e) {
        requireInTime();
        enlarge(e);
      } catch (IllegalStateException e) {
        if (latest != null) {
          latest.requireComplete(); // an attempt that only time ends has accesses without number
          requireInTime();
        }
        throw e;
      }
    }
  }

  /**
   * The first run, with what runs of the same items on a processor show, if it shows nothing
   * itself, or not where the data are used.
   */
  private CheckedRounds withRunsOnProcessor(CheckedRounds run, long items, long most) {
    CheckedRun last = run.last();
    boolean named =
        !last.violations().isEmpty()
            && last.violations().stream().noneMatch(each -> NAMED_BY_TRACES.contains(each.kind()));
    List<Violation> there = named ? List.of() : onProcessor.violations(workload, items, most);
    if (there.isEmpty()) {
      return run;
    }
    List<Violation> all = new ArrayList<>(last.violations());
    all.addAll(there);
    List<CheckedRun> rounds = new ArrayList<>(run.all());
    rounds.set(rounds.size() - 1, last.withViolations(all));
    return new CheckedRounds(rounds, run.timedOut());
  }

  /** For what time ended: with larger logs it would only take as long again, and read more. */
  private void requireInTime() {
    if (latest == null || !latest.timedOut()) {
      return;
    }
    latest.requireComplete();
    if (workload.waiting() > 0) {
      throw new RunOutOfTimeException(
          String.format(
              Locale.ROOT, "time ended a round in which %,d items wait", workload.waiting()));
    }
  }

  private CheckedRounds recordedRounds(long items, long number, long most, Duration time) {
    List<CheckedRun> rounds = new ArrayList<>();
    StmOptions spread = spread(items);
    long left = time.toNanos();
    int idle = 0;
    traces.beginRun();
    keep(null);
    while (true) {
      StmOptions timed = spread.withTimeout(Duration.ofNanos(left));
      long begin = System.nanoTime();
      CheckedRun round;
      if (rounds.isEmpty()) {
        workload.reset();
        if (keepsData()) {
          keep(workload.save());
        }
        round =
            recorded(
                begin, items, number, 0, () -> workload.record(recording, timed, items, number));
      } else {
        rounds.set(rounds.size() - 1, rounds.get(rounds.size() - 1).withoutHistory());
        round =
            recorded(
                begin,
                workload.waiting(),
                number,
                rounds.size(),
                () -> workload.recordNext(recording, timed));
      }
      idle = round.report().deferred() == round.report().items() ? idle + 1 : 0;
      left -= time.isZero() ? 0 : (long) (1e9 * round.runSeconds());
      boolean isLast = round.waiting() == 0 || rounds.size() + 1 >= most;
      boolean late = round.report().timedOut() || !isLast && !time.isZero() && left <= 0;
      boolean ends =
          isLast || late || ended || idle == Region.IDLE_ROUNDS || !round.violations().isEmpty();
      rounds.add(ends && workload.inRounds() ? withTraces(round) : round);
      if (ends) {
        return new CheckedRounds(rounds, late && round.waiting() > 0);
      }
    }
  }

  /** With what all rounds of the run did wrong: slots have lives beyond one. */
  private CheckedRun withTraces(CheckedRun last) {
    List<Violation> all = new ArrayList<>(last.violations());
    all.addAll(traces.wrong());
    all.sort(Comparator.comparing(Violation::kind));
    return last.withViolations(all);
  }

  /** Keeps what data were before the present round. */
  private void keep(Workload.Saved data) {
    if (saved != null) {
      saved.close();
    }
    saved = data;
  }

  private CheckedRun recorded(
      long begin, long items, long number, int round, Supplier<RegionReport> run) {
    recording.reset();
    if (comparison != null) {
      int noise = items > MOST_NOISY_ITEMS ? 0 : NOISE_NANOS[(int) (number % NOISE_NANOS.length)];
      recording.disturb(new Recording.Disturbance(noise, (int) number, 0));
    }
    latest = null;
    RegionReport report = traced(run);
    latest = report;
    long ran = System.nanoTime();
    if (report.timedOut() && latestTrace.isPresent()) {
      // Its history may be too long to be recorded.
      Optional<Violation> endless = traces.endedByTime(latestTrace.get());
      if (endless.isPresent()) {
        return unread(report, endless.get(), seconds(begin, ran));
      }
    }
    History history = RunChecks.history(recording);
    long read = System.nanoTime();
    Verdict verdict =
        RunChecks.verdict(workload.objects(), recording, history, skew, workload.region().opaque());
    int[] finalStamps = RunChecks.finalStamps(workload.objects(), recording);
    List<Violation> violations = violations(workload, report, history, verdict);
    boolean met = met(history) || traces.met();
    long changes = traces.changes();
    boolean wrote = wrote(history) || changes > 0;
    if (violations.isEmpty() && !workload.inRounds()) {
      violations.addAll(traces.wrong());
      violations.sort(Comparator.comparing(Violation::kind));
    }
    if (comparison != null && violations.isEmpty()) {
      if (report.complete()) {
        compared(report, history, verdict, seconds(begin, ran), number == 0, round)
            .ifPresent(violations::add);
      } else {
        leaveOut(round);
      }
    }
    long checked = System.nanoTime();
    long edges = violations.isEmpty() ? edges(history, finalStamps) : 0;
    return new CheckedRun(
        report,
        workload.waiting(),
        history,
        tally(history, report, changes, traces.givenUp()),
        verdict,
        edges,
        violations,
        wrote,
        met,
        seconds(begin, ran),
        seconds(ran, read),
        seconds(read, checked));
  }

  /** A run with this violation whose history was not read. */
  private CheckedRun unread(RegionReport report, Violation violation, double runSeconds) {
    History history = new HistoryBuilder().build();
    return new CheckedRun(
        report,
        workload.waiting(),
        history,
        tally(history, report, 0, 0),
        SerializabilityChecker.check(history, SerializabilityChecker.Options.DEFAULT),
        0,
        List.of(violation),
        false,
        false,
        runSeconds,
        0,
        0);
  }

  /** Runs a launch, or several passes of one. */
  private RegionReport traced(Supplier<RegionReport> run) {
    traces.begin();
    try {
      RegionReport report = run.get();
      latestTrace = traces.end();
      traces.add(latestTrace, report.passes().size() <= 1);
      return report;
    } catch (KernelFaultException e) {
      throw traces.explained(e, traces.end());
    }
  }

  /**
   * Compares a run, or a round, with serial ones; of a round that another one may follow data are
   * as it left them afterwards.
   */
  private Optional<Violation> compared(
      RegionReport report,
      History history,
      Verdict verdict,
      double seconds,
      boolean thoroughly,
      int round) {
    if (workload.inRounds() && round >= DataComparison.COMPARED_ROUNDS) {
      comparison.leaveOutMoreRounds();
      return Optional.empty();
    }
    Workload.Saved before = saved;
    Runnable goBack = before == null ? workload::reset : before::restore;
    if (!keepsData()) {
      return comparison.check(recording, report, history, verdict, seconds, goBack, thoroughly);
    }
    Workload.Saved after = workload.save();
    Optional<Violation> found;
    try {
      found = comparison.check(recording, report, history, verdict, seconds, goBack, thoroughly);
      after.restore();
    } catch (RuntimeException | Error e) {
      after.close();
      throw e;
    }
    keep(after);
    return found;
  }

  /** A round with unfinished items is not compared; the next one goes on with what it left. */
  private void leaveOut(int round) {
    if (keepsData() && round < DataComparison.COMPARED_ROUNDS) {
      comparison.leaveOutUnfinished();
      keep(workload.save());
    }
  }

  /** Whether rounds go on with data that a comparison has in between. */
  private boolean keepsData() {
    return comparison != null && workload.inRounds() && comparison.hasRoom();
  }

  /**
   * How items ended.
   *
   * @param changes what those that committed left, as far as that is known: it counts where they
   *     did nothing through {@code tx}
   * @param givenUp items that canceled because inner transactions of theirs had, as far as known
   */
  private static Tally tally(History history, RegionReport report, long changes, long givenUp) {
    Tally ended = Tally.of(history, 0);
    return new Tally(
        ended.commits(),
        ended.cancels(),
        report.unfinished(),
        ended.accesses() > 0 ? ended.accesses() : changes,
        givenUp);
  }

  /** Few items have a thread each on processors, too, which would run them on one. */
  private StmOptions spread(long items) {
    boolean few = items > 1 && items <= MOST_THREADS;
    return comparison != null
            && few
            && options.threadsInFlight() == 0
            && workload.device().machine() == Machine.CPU
        ? options.withThreadsInFlight((int) items)
        : options;
  }

  private static double seconds(long begin, long end) {
    return (end - begin) / 1e9;
  }

  private void enlarge(Recording.OverflowException overflow) {
    long words = overflow.neededWordsPerThread() + overflow.neededWordsPerThread() / 4;
    long threads = recording.threads();
    if (words > mostLogBytes / 8 / threads) {
      words = overflow.neededWordsPerThread();
    }
    if (words > mostLogBytes / 8 / threads) {
      latest.requireComplete();
      throw new DeviceOutOfMemoryException(
          String.format(
              "logs of %,d words for each of %,d threads (run fewer items at once)",
              words, threads),
          workload.device().description().spec(),
          words * 8 * threads,
          mostLogBytes);
    }
    Recording.Options larger = recording.options().withWordsPerThread(words);
    recording.close();
    recording = workload.device().recording(larger);
  }

  /** Everything that is wrong with a run. Items that the report names as unfinished are not. */
  static List<Violation> violations(
      Workload workload, RegionReport report, History history, Verdict verdict) {
    List<Violation> wrong = new ArrayList<>(RunChecks.violations(verdict));
    workload.complaint(history, verdict).ifPresent(wrong::add);
    wrong.addAll(RunChecks.leftClaimed(workload.objects()));
    wrong.addAll(RunChecks.lostItems(workload, report, history));
    return wrong;
  }

  /**
   * Dependencies between different transactions that ended their items, in a history without
   * violations whose stamps began with 0: each write but an object's first overwrites another's
   * (ww), each read of a version that somebody made depends on who did (wr), and each read of a
   * version that is not the last on who overwrote it (rw), unless that was the reader itself.
   */
  static long edges(History history, int[] finalStamps) {
    long edges = 0;
    for (int attempt = 0; attempt < history.size(); attempt++) {
      if (!history.completed(attempt)) {
        continue;
      }
      int count = history.accessCount(attempt);
      for (int i = 0; i < count; i++) {
        long access = history.access(attempt, i);
        edges += Access.stamp(access) != 0 ? 1 : 0;
        if (!Access.isWrite(access)
            && Access.stamp(access) != finalStamps[Access.object(access)]
            && !writes(history, attempt, Access.object(access))) {
          edges++;
        }
      }
    }
    return edges;
  }

  private static boolean writes(History history, int attempt, int object) {
    for (int i = 0; i < history.accessCount(attempt); i++) {
      long access = history.access(attempt, i);
      if (Access.isWrite(access) && Access.object(access) == object) {
        return true;
      }
    }
    return false;
  }

  private static boolean wrote(History history) {
    for (int attempt = 0; attempt < history.size(); attempt++) {
      for (int i = 0; i < history.accessCount(attempt); i++) {
        if (Access.isWrite(history.access(attempt, i))) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether attempts of two items used one object. */
  private static boolean met(History history) {
    int[] users = new int[history.greatestObject() + 1]; // the latest attempt
    BitSet used = new BitSet();
    for (int attempt = 0; attempt < history.size(); attempt++) {
      for (int i = 0; i < history.accessCount(attempt); i++) {
        int object = Access.object(history.access(attempt, i));
        if (used.get(object) && !mayBeOfOneItem(history, users[object], attempt)) {
          return true;
        }
        used.set(object);
        users[object] = attempt;
      }
    }
    return false;
  }

  /** Whether two attempts have one number, and do not both end their items. */
  private static boolean mayBeOfOneItem(History history, int attempt, int other) {
    return attempt == other
        || history.item(attempt) == history.item(other)
            && !(history.completed(attempt) && history.completed(other));
  }

  /**
   * Ends the run that another thread makes, for good: its launch is canceled, no other round
   * follows, and it is compared with no more serial runs. To be called again while that thread goes
   * on: a launch that had not begun is not canceled.
   */
  public void end() {
    ended = true;
    workload.device().cancelRun();
    onProcessor.end();
    if (comparison != null) {
      comparison.end();
    }
  }

  @Override
  public void close() {
    keep(null);
    traces.close();
    if (comparison != null) {
      comparison.close();
    }
    recording.close();
  }
}
