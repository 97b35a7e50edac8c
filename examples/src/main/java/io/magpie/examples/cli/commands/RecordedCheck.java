package io.magpie.examples.cli.commands;

import io.magpie.examples.cli.options.EnumOption;
import io.magpie.examples.cli.output.Counts;
import io.magpie.examples.cli.output.Terminal;
import io.magpie.examples.compare.Progress;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.KernelFaultException;
import io.magpie.stm.Recording;
import io.magpie.stm.Region;
import io.magpie.stm.UnfinishedItemsException;
import io.magpie.verification.explore.RunOutOfTimeException;
import io.magpie.verification.explore.Tally;
import io.magpie.verification.explore.Vacuity;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.workload.CheckedRounds;
import io.magpie.verification.workload.CheckedRun;
import io.magpie.verification.workload.ClockSkew;
import io.magpie.verification.workload.FaultFoundException;
import io.magpie.verification.workload.RecordedRuns;
import io.magpie.verification.workload.RegionWorkload;
import io.magpie.verification.workload.Rounds;
import io.magpie.verification.workload.Workload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.function.Function;

/** Runs a load with its accesses recorded, and checks the histories. */
final class RecordedCheck {
  private static final long TRANSACTIONS = 1_000_000;
  private static final long SIMULATED_TRANSACTIONS = 10_000;
  private static final long MOST_ITEMS_PER_RUN = 4_000_000;
  private static final long LEAST_LOG_BYTES = 1 << 20;

  /** Bytes of the Java heap for each attempt, its accesses aside, and for each access. */
  private static final long HEAP_PER_ATTEMPT = 160;

  private static final long HEAP_PER_ACCESS = 32;

  /**
   * How long a region's run is repeated, with pauses at random, unless its number is given: at
   * least once, however long the first one took.
   */
  private static final long REPEATED_NANOS = 1_000_000_000;

  private static final String SEEN_IF_FEWER =
      String.format(
          Locale.ROOT,
          "On a processor, accesses past tx are seen in runs of at most %,d --items.",
          RegionWorkload.MOST_TRACED_ITEMS);

  private static final String NAMED_IF_FEWER =
      String.format(
          Locale.ROOT,
          "With at most %,d --items, or --explore, the data and the line are named.",
          RegionWorkload.MOST_TRACED_ITEMS);

  private static final String NAMED_IF_EXPLORED =
      "--explore looks for it under many schedules, and then names the data and the lines.";

  private static final String MORE_TIME = "; give it more --timeout";

  private final VerifyOptions given;
  private final VerifyOutput output;
  private String unit; // of times in histories

  RecordedCheck(VerifyOptions given, VerifyOutput output) {
    this.given = given;
    this.output = output;
  }

  /** A device, and the workload on it. */
  record Opened(Device device, Workload workload) implements AutoCloseable {
    @Override
    public void close() {
      try (device) {
        workload.close();
      }
    }
  }

  /** Opens another device of the same kind, and makes the workload on it. */
  @FunctionalInterface
  interface Another {
    /** Both. */
    Opened open() throws IOException;
  }

  /** What came of a run, the gravest last. */
  private enum Gravity {
    /** Nothing is wrong with it. */
    NONE,
    /** It was ended, or did not end: others may still find more. */
    UNFINISHED,
    /** It could not be made or checked, as for lack of memory. */
    FAILURE,
    FAULT,
    VIOLATION,
    /** A fault of which it is known what led to it. */
    EXPLAINED_FAULT
  }

  /** What a thread of its own has for its runs. */
  private record Worker(Opened opened, RecordedRuns runs) implements RunQueue.Worker {
    @Override
    public void close() {
      try (opened) {
        runs.close();
      }
    }
  }

  /**
   * Runs it until there are as many transactions as were asked for.
   *
   * @param another makes the workload for those who run it at the same time
   */
  void run(Workload workload, Another another) {
    long total = total(workload);
    int atOnce = given.runsAtOnce();
    output.put("jobs", atOnce);
    long perRun =
        given.items != null
            ? given.items
            : Math.min((total - 1) / atOnce + 1, itemsForMemory(workload) / atOnce + 1);
    long room = Math.max(LEAST_LOG_BYTES, workload.device().freeBytes() / 2 / atOnce);
    Recording.Options recorded = recorded(workload, perRun, room);
    long tolerance = tolerance(workload.device(), recorded);
    try (RecordedRuns runs = runs(workload, recorded, tolerance, room);
        RunQueue queue =
            new RunQueue(
                runs,
                atOnce,
                () -> {
                  Opened own = another.open();
                  try {
                    return new Worker(own, runs(own.workload, recorded, tolerance, room));
                  } catch (RuntimeException | Error e) {
                    own.close();
                    throw e;
                  }
                },
                (made, items, number) ->
                    made.rounds(items, number, given.mostRounds(), given.stm().timeout()))) {
      run(queue, total, perRun, workload);
    }
  }

  private RecordedRuns runs(
      Workload workload, Recording.Options recorded, long tolerance, long room) {
    return new RecordedRuns(workload, given.stm(), recorded, tolerance, room, given.runsAtOnce());
  }

  private long total(Workload workload) {
    if (given.transactions != null) {
      return given.transactions;
    }
    if (given.ofRegion()) {
      return given.items;
    }
    return workload.device().machine() == Machine.SIM ? SIMULATED_TRANSACTIONS : TRANSACTIONS;
  }

  private Recording.Options recorded(Workload workload, long perRun, long room) {
    long estimated = RecordedRuns.estimatedLogBytes(workload, perRun);
    Recording.Options recorded =
        Recording.Options.defaults()
            .withTotalBytes(Math.max(LEAST_LOG_BYTES, Math.min(room, estimated)));
    return given.clock == null ? recorded : recorded.withClock(given.clock);
  }

  private void run(RunQueue queue, long total, long perRun, Workload workload) {
    boolean inRounds = workload.inRounds();
    CheckedRunTable table = new CheckedRunTable(output);
    Sums sums = new Sums(table, total, inRounds);
    long begin = System.nanoTime();
    CheckedRun last;
    long asked = 0; // transactions, if each item ends as one
    boolean someEnded;
    do {
      while (queue.hasRoom()
          && (Math.max(asked, table.transactions()) < total || queue.pending() == 0)) {
        long left = total - (asked < total ? asked : table.transactions());
        long items = given.ofRegion() ? perRun : Math.min(perRun, left);
        queue.ask(items);
        asked += items;
      }
      long before = table.transactions();
      RunQueue.Ended next = gravest(queue, next(queue, table, total), sums::add);
      if (next.failure() != null && table.transactions() > 0) {
        output.tally(sums.tally);
        tellRounds(inRounds, sums.rounds);
      }
      requireMade(next, workload.device());
      sums.add(next);
      CheckedRounds run = next.rounds();
      last = run.last();
      if (gravity(next) != Gravity.NONE) {
        save(last);
        output.tally(sums.tally);
        tellRounds(inRounds, sums.rounds);
        throw failure(next, inRounds);
      }
      someEnded = table.transactions() > before; // else it would be so for ever
    } while (queue.pending() > 0
        || someEnded
            && (table.transactions() < total
                || given.isRepeated()
                    && queue.all().get(0).comparesData()
                    && (!sums.repeated || System.nanoTime() - begin < REPEATED_NANOS)));
    table.end();
    save(last);
    double seconds = (System.nanoTime() - begin) / 1e9;
    output.line("elapsed", "%.1f s, %,.0f transactions/s", seconds, table.transactions() / seconds);
    tellRounds(inRounds, sums.rounds);
    List<String> limits = new ArrayList<>();
    if (!sums.wrote) {
      limits.add(output.told(Vacuity.NOTHING_WRITTEN_THROUGH_TX));
    }
    if (!sums.met) {
      limits.add(output.told(Vacuity.NONE_SHARED_AN_OBJECT));
    }
    limits.addAll(VerifyOutput.leftWaiting(sums.rounds));
    List<RecordedRuns> runs = queue.all();
    boolean comparesData = runs.get(0).comparesData();
    boolean seesAll = runs.get(0).seesAllAccesses(); // where runs are not alone, none does
    List<String> notCompared = sentences(runs, RecordedRuns::notCompared);
    List<String> notTraced = sentences(runs, RecordedRuns::notTraced);
    limits.addAll(notCompared);
    limits.addAll(notTraced);
    if (comparesData
        && !seesAll
        && notTraced.isEmpty()
        && workload.device().machine() == Machine.CPU) {
      limits.add(SEEN_IF_FEWER);
    }
    boolean onProcessor = runs.stream().anyMatch(RecordedRuns::seesAllOnProcessor);
    limits.addAll(given.limits(workload, comparesData, seesAll, onProcessor));
    output.noViolation(
        String.format(
            Locale.ROOT,
            "%s%s",
            Counts.number(table.transactions(), "transaction", "transactions"),
            sums.runs == 1 ? "" : String.format(Locale.ROOT, " in %,d runs", sums.runs)),
        given.ofRegion() ? unseen(comparesData, notCompared, workload, sums) : List.of(),
        sums.tally,
        limits);
  }

  /** Writes what a run, or the last round of one, did to the files that were asked for. */
  private void save(CheckedRun run) {
    output.save(run.history());
    output.draw(
        new RunTimeline.Run(run.history(), unit)
            .withFinding(run.verdict().finding())
            .withViolations(run.violations()));
  }

  /** What the runs did together, and their rows in a table. */
  private final class Sums {
    private final CheckedRunTable table;
    private final long total;
    private final boolean inRounds;
    private Tally tally = Tally.NOTHING;
    private Rounds rounds = Rounds.NONE;
    private long runs;
    private boolean wrote;
    private boolean met;
    private boolean repeated;

    /**
     * @param total transactions, after which a good run is one that was repeated
     */
    Sums(CheckedRunTable table, long total, boolean inRounds) {
      this.table = table;
      this.total = total;
      this.inRounds = inRounds;
    }

    /** Adds a run that was made. */
    void add(RunQueue.Ended run) {
      boolean again =
          gravity(run) == Gravity.NONE && given.isRepeated() && table.transactions() >= total;
      repeated |= again;
      runs++;
      List<CheckedRun> all = run.rounds().all();
      for (int round = 0; round < all.size(); round++) {
        CheckedRun each = all.get(round);
        if (again) {
          table.addRepeated(each);
        } else {
          table.add(each, run.number(), inRounds ? round : -1);
        }
        tally = tally.plus(each.tally());
        wrote |= each.wrote();
        met |= each.met();
      }
      rounds = rounds.plus(run.rounds().sum());
    }
  }

  /** What ends the command after a run that was made and is not good. */
  private RuntimeException failure(RunQueue.Ended bad, boolean inRounds) {
    CheckedRounds run = bad.rounds();
    List<Violation> violations = run.last().violations();
    if (violations.isEmpty()) {
      run.all().forEach(round -> round.report().requireComplete());
      return withoutEnd(run);
    }
    RuntimeException found =
        output.violation(
            "run " + (bad.number() + 1) + (inRounds ? ", round " + run.all().size() : ""),
            violations);
    boolean unnamed = // a run on a processor would have added what it found
        given.ofRegion()
            && !given.seesPastTxOnProcessors()
            && violations.stream().noneMatch(RecordedRuns::isOfProcessor)
            && violations.stream().anyMatch(RecordedCheck::isNamedByTraces);
    if (unnamed) {
      output.print("%s%n", given.seesPastTx() ? NAMED_IF_EXPLORED : NAMED_IF_FEWER);
    } else if (given.ofRegion()
        && given.stm().policy().storesAtCommit()
        && violations.stream().allMatch(RecordedCheck::isOfHistory)) {
      output.print("%s%n", NAMED_IF_EXPLORED);
    }
    return found;
  }

  /** Whether a trace of the accesses tells the datum and the line of what was found. */
  private static boolean isNamedByTraces(Violation found) {
    return found.kind() == Violation.Kind.UNGUARDED_ACCESS
        || found.kind() == Violation.Kind.WRONG_RESULT;
  }

  /** Whether versions alone show what was found: they have no names and no lines. */
  private static boolean isOfHistory(Violation found) {
    return found.kind() == Violation.Kind.NOT_SERIALIZABLE
        || found.kind() == Violation.Kind.NOT_STRICTLY_SERIALIZABLE
        || found.kind() == Violation.Kind.NOT_OPAQUE;
  }

  /** What a verdict on a region does not cover. */
  private List<String> unseen(
      boolean comparesData, List<String> notCompared, Workload workload, Sums sums) {
    List<String> unseen = new ArrayList<>();
    whyNotCompared(comparesData, notCompared, workload).ifPresent(unseen::add);
    if (!sums.wrote) {
      unseen.add(VerifyOutput.NOTHING_WRITTEN + " through tx");
    }
    if (!sums.met) {
      unseen.add(VerifyOutput.NONE_MET);
    }
    return unseen;
  }

  /** Why runs of a region were not compared with serial ones. */
  private Optional<String> whyNotCompared(
      boolean comparesData, List<String> notCompared, Workload workload) {
    if (workload.device().machine() == Machine.SIM) {
      return given.unseenOnSim();
    }
    if (comparesData) {
      return notCompared.isEmpty()
          ? Optional.empty()
          : Optional.of("not all of it was compared with a serial run");
    }
    return Optional.of(
        "runs under "
            + EnumOption.name(given.stm().policy())
            + " are not compared with serial runs");
  }

  private static List<String> sentences(
      List<RecordedRuns> runs, Function<RecordedRuns, List<String>> of) {
    return runs.stream().map(of).flatMap(List::stream).distinct().toList();
  }

  /** Waits for a run; tells a terminal how far it is. */
  private RunQueue.Ended next(RunQueue queue, CheckedRunTable table, long total) {
    RunQueue.Ended next;
    try (Progress progress = Terminal.progress()) {
      progress.begin("verifying", -1);
      progress.tell(
          String.format(
              Locale.ROOT,
              "%,d of %,d transactions checked, nothing found",
              Math.min(total, table.transactions()),
              total));
      next = queue.next();
    }
    return next;
  }

  /**
   * Of a run that has ended and those under way the gravest, if one is bad: by chance they end in
   * another order. After a violation or a failure the others are ended; what is unfinished waits
   * for them.
   *
   * @param good is handed those of the others with which nothing is wrong
   */
  RunQueue.Ended gravest(RunQueue queue, RunQueue.Ended first, Consumer<RunQueue.Ended> good) {
    RunQueue.Ended gravest = first;
    while (gravity(gravest) != Gravity.NONE && queue.pending() > 0) {
      if (gravity(gravest) != Gravity.UNFINISHED) {
        queue.endRuns();
      }
      RunQueue.Ended next = queue.next();
      if (gravity(next) == Gravity.NONE) {
        good.accept(next);
      }
      gravest = gravity(next).compareTo(gravity(gravest)) > 0 ? next : gravest;
    }
    return gravest;
  }

  private Gravity gravity(RunQueue.Ended of) {
    if (of.failure() == null) {
      boolean violated = !of.rounds().last().violations().isEmpty();
      boolean complete =
          ended(of.rounds())
              && of.rounds().all().stream().allMatch(round -> round.report().complete());
      return violated ? Gravity.VIOLATION : complete ? Gravity.NONE : Gravity.UNFINISHED;
    }
    if (of.failure() instanceof FaultFoundException) {
      return Gravity.EXPLAINED_FAULT;
    }
    if (of.failure() instanceof KernelFaultException) {
      return Gravity.FAULT;
    }
    boolean unfinished =
        of.failure() instanceof RunOutOfTimeException
            || of.failure() instanceof UnfinishedItemsException
            || of.failure() instanceof CancellationException;
    return unfinished ? Gravity.UNFINISHED : Gravity.FAILURE;
  }

  /** Whether no item of a run waits that should not. */
  private boolean ended(CheckedRounds run) {
    Rounds done = run.sum();
    return done.waiting() == 0
        || !run.timedOut() && given.boundsRounds() && done.rounds() == given.mostRounds();
  }

  /** Throws what a run threw. */
  private void requireMade(RunQueue.Ended next, Device device) {
    boolean faulted =
        next.failure() instanceof FaultFoundException
            || next.failure() instanceof KernelFaultException;
    if (faulted && given.runsAtOnce() > 1 && device.machine() == Machine.CUDA) {
      output.print(
          "%nA fault on a GPU ends all runs that are under way there: it may be another run's than"
              + " the one named. Without --jobs it is that run's.%n");
    }
    if (next.failure() instanceof RunOutOfTimeException e) {
      throw new VerificationException(e.getMessage() + MORE_TIME);
    }
    if (next.failure() instanceof FaultFoundException e) {
      throw output.violation("run " + (next.number() + 1), List.of(e.violation()));
    }
    if (next.failure() instanceof Error e) {
      throw e;
    }
    if (next.failure() instanceof RuntimeException e) {
      throw e;
    }
  }

  private void tellRounds(boolean inRounds, Rounds rounds) {
    if (inRounds) {
      output.rounds(rounds);
    }
  }

  /** What waits although nobody said after how many rounds to stop: nobody knows what it does. */
  private VerificationException withoutEnd(CheckedRounds run) {
    Rounds rounds = run.sum();
    String why =
        run.timedOut()
            ? "time was up" + MORE_TIME
            : rounds.rounds() == given.mostRounds()
                ? "there may always be more; --rounds sets a limit"
                : String.format(
                    Locale.ROOT,
                    "no item ended in the last %d rounds%s",
                    Region.IDLE_ROUNDS,
                    run.last().report().withoutSlot() > 0
                        ? ", for lack of slots: give the pool more capacity by --arg"
                        : "");
    return new VerificationException(
        String.format(
            Locale.ROOT,
            "%,d items still wait after %,d round%s: %s",
            rounds.waiting(),
            rounds.rounds(),
            rounds.rounds() == 1 ? "" : "s",
            why));
  }

  /** As many as half of the Java heap holds, with an aborted attempt for each that commits. */
  private static long itemsForMemory(Workload workload) {
    long perItem = 2 * (HEAP_PER_ATTEMPT + HEAP_PER_ACCESS * workload.region().maxObjects());
    long fitting = Runtime.getRuntime().maxMemory() / 2 / perItem;
    return Math.max(1_000, Math.min(MOST_ITEMS_PER_RUN, fitting));
  }

  /**
   * The clock's skew that is tolerated: as given, else a measured bound where timers may differ.
   */
  private long tolerance(Device opened, Recording.Options recorded) {
    Recording.Clock used;
    try (Recording recording = opened.recording(recorded)) {
      used = recording.clock();
    }
    boolean inSteps = opened.machine() == Machine.SIM;
    String name = inSteps ? RunTimeline.STEPS : EnumOption.name(used);
    unit = inSteps ? name : used == Recording.Clock.TIMER ? "ns" : "counts";
    output.put("clock", name);
    if (given.skew != null || used != Recording.Clock.TIMER || opened.machine() != Machine.CUDA) {
      long asked = given.skew == null ? 0 : given.skew;
      output.line("clock", "%s, skew %,d", name, asked);
      output.put("skew", asked);
      return asked;
    }
    ClockSkew measured = ClockSkew.measure(opened);
    output.line(
        "clock",
        "%s, skew at most %,d ns (measured between %,d threads; resolution %,d ns)",
        name,
        measured.nanos(),
        measured.participants(),
        measured.resolution());
    output.put("skew", measured.nanos());
    return measured.nanos();
  }
}
