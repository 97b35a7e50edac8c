package io.magpie.examples.cli.commands;

import io.magpie.examples.cli.options.EnumOption;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.Recording;
import io.magpie.stm.Region;
import io.magpie.verification.explore.RunOutOfTimeException;
import io.magpie.verification.explore.Tally;
import io.magpie.verification.explore.Vacuity;
import io.magpie.verification.workload.CheckedRounds;
import io.magpie.verification.workload.CheckedRun;
import io.magpie.verification.workload.ClockSkew;
import io.magpie.verification.workload.FaultFoundException;
import io.magpie.verification.workload.RecordedRuns;
import io.magpie.verification.workload.RegionWorkload;
import io.magpie.verification.workload.Rounds;
import io.magpie.verification.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

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

  private static final String MORE_TIME = "; give it more --timeout";

  private final VerifyOptions given;
  private final VerifyOutput output;

  RecordedCheck(VerifyOptions given, VerifyOutput output) {
    this.given = given;
    this.output = output;
  }

  /** Runs it until there are as many transactions as were asked for. */
  void run(Workload workload) {
    long total = total(workload);
    long perRun = given.items != null ? given.items : Math.min(total, itemsForMemory(workload));
    long room = Math.max(LEAST_LOG_BYTES, workload.device().freeBytes() / 2);
    Recording.Options recorded = recorded(workload, perRun, room);
    long tolerance = tolerance(workload.device(), recorded);
    try (RecordedRuns runs = new RecordedRuns(workload, given.stm(), recorded, tolerance, room)) {
      run(runs, total, perRun, workload);
    }
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

  private void run(RecordedRuns runs, long total, long perRun, Workload workload) {
    boolean inRounds = workload.inRounds();
    RunTable table = new RunTable(output);
    Tally tally = Tally.NOTHING;
    long begin = System.nanoTime();
    boolean wrote = false;
    boolean met = false;
    Rounds rounds = Rounds.NONE;
    CheckedRun last;
    long number = 0;
    boolean someEnded;
    boolean wasRepeated = false;
    do {
      long before = table.transactions();
      long left = total - before;
      long items = given.ofRegion() ? perRun : Math.min(perRun, left);
      CheckedRounds run = inTime(runs, items, number);
      List<CheckedRun> all = run.all();
      last = run.last();
      Rounds done = run.sum();
      boolean ended =
          done.waiting() == 0
              || !run.timedOut() && given.boundsRounds() && done.rounds() == given.mostRounds();
      boolean good =
          ended
              && last.violations().isEmpty()
              && all.stream().allMatch(round -> round.report().complete());
      boolean repeated = good && before >= total;
      wasRepeated |= repeated;
      for (int round = 0; round < all.size(); round++) {
        CheckedRun each = all.get(round);
        if (repeated) {
          table.addRepeated(each);
        } else {
          table.add(each, number, inRounds ? round : -1);
        }
        tally = tally.plus(each.tally());
        wrote |= each.wrote();
        met |= each.met();
      }
      number++;
      rounds = rounds.plus(done);
      if (!good) {
        output.save(last.history());
        output.tally(tally);
        tellRounds(inRounds, rounds);
      }
      if (!last.violations().isEmpty()) {
        throw output.violation(
            "run " + number + (inRounds ? ", round " + all.size() : ""), last.violations());
      }
      all.forEach(round -> round.report().requireComplete());
      if (!ended) {
        throw withoutEnd(run);
      }
      someEnded = table.transactions() > before; // else it would be so for ever
    } while (someEnded
        && (table.transactions() < total
            || given.isRepeated()
                && runs.comparesData()
                && (!wasRepeated || System.nanoTime() - begin < REPEATED_NANOS)));
    output.save(last.history());
    table.end();
    tellRounds(inRounds, rounds);
    List<String> limits = new ArrayList<>();
    if (!wrote) {
      limits.add(output.told(Vacuity.NOTHING_WRITTEN_THROUGH_TX));
    }
    if (!met) {
      limits.add(output.told(Vacuity.NONE_SHARED_AN_OBJECT));
    }
    limits.addAll(VerifyOutput.leftWaiting(rounds));
    limits.addAll(runs.notCompared());
    limits.addAll(runs.notTraced());
    if (runs.comparesData()
        && !runs.seesAllAccesses()
        && runs.notTraced().isEmpty()
        && workload.device().machine() == Machine.CPU) {
      limits.add(SEEN_IF_FEWER);
    }
    limits.addAll(given.limits(workload, runs.comparesData(), runs.seesAllAccesses()));
    output.noViolation(
        String.format(Locale.ROOT, "%,d transactions", table.transactions()),
        given.ofRegion() ? unseen(runs, workload, wrote, met) : List.of(),
        tally,
        limits);
  }

  /** What a verdict on a region does not cover. */
  private List<String> unseen(RecordedRuns runs, Workload workload, boolean wrote, boolean met) {
    List<String> unseen = new ArrayList<>();
    notCompared(runs, workload).ifPresent(unseen::add);
    if (!wrote) {
      unseen.add(VerifyOutput.NOTHING_WRITTEN + " through tx");
    }
    if (!met) {
      unseen.add(VerifyOutput.NONE_MET);
    }
    return unseen;
  }

  /** Why runs of a region were not compared with serial ones. */
  private Optional<String> notCompared(RecordedRuns runs, Workload workload) {
    if (workload.device().machine() == Machine.SIM) {
      return given.unseenOnSim();
    }
    if (runs.comparesData()) {
      return runs.notCompared().isEmpty()
          ? Optional.empty()
          : Optional.of("not all of it was compared with a serial run");
    }
    return Optional.of(
        "runs under "
            + EnumOption.name(given.stm().policy())
            + " are not compared with serial runs");
  }

  private CheckedRounds inTime(RecordedRuns runs, long items, long number) {
    try {
      return runs.rounds(items, number, given.mostRounds(), given.stm().timeout());
    } catch (RunOutOfTimeException e) {
      throw new VerificationException(e.getMessage() + MORE_TIME);
    } catch (FaultFoundException e) {
      throw output.violation("run " + (number + 1), List.of(e.violation()));
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
    String name = opened.machine() == Machine.SIM ? "steps" : EnumOption.name(used);
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
