package io.magpie.algorithms.internal.driver;

import io.magpie.algorithms.Phase;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelModule;
import io.magpie.stm.Region;
import io.magpie.stm.RegionReport;
import io.magpie.stm.RoundsReport;
import io.magpie.stm.StartedRun;
import io.magpie.stm.StmOptions;
import io.magpie.stm.Timer;
import io.magpie.stm.Worklist;
import io.magpie.stm.simulator.Simulator.AccessCounts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Launches the kernels and regions of a module, and keeps what a report tells of them. */
public final class Launches {
  /** Warps of a multiprocessor that keep memory busy. */
  private static final int WARPS_PER_MULTIPROCESSOR = 32;

  /** Pieces for each host thread: enough to even out unequal progress. */
  private static final int PIECES_PER_THREAD = 4;

  /** Positions from which a piece is worth a warp of the GPU, or a thread of the processor. */
  private static final int LEAST_PIECE = 512;

  private static final int LEAST_PIECE_ON_CPU = 4096;

  /** On the simulator, few positions: every kind of boundary in little time. */
  private static final int LEAST_PIECE_ON_SIM = 24;

  private static final int MOST_PIECES_ON_SIM = 9;

  private final KernelModule module;
  private final boolean timed;
  private final StmOptions stm;
  private final boolean merges;
  private final Map<String, Region> regions = new HashMap<>();
  private final Map<String, Tally> tallies = new LinkedHashMap<>();
  private final List<RegionReport> transactions = new ArrayList<>();
  private final List<Started> started = new ArrayList<>();

  /** Whether regions are started, to be waited for at the end of {@link #ahead}. */
  private boolean ahead;

  /** A region that was started, and its phase. */
  private record Started(StartedRun run, Tally tally) {}

  /**
   * @param module whose kernels and regions are launched
   * @param timed whether each launch is waited for, and its time taken
   * @param stm how regions run
   */
  public Launches(KernelModule module, boolean timed, StmOptions stm) {
    this(module, timed, stm, false);
  }

  /**
   * @param merges whether the reports of a region's runs are kept as one: for loops of many rounds
   */
  public Launches(KernelModule module, boolean timed, StmOptions stm, boolean merges) {
    this.module = module;
    this.timed = timed;
    this.stm = stm;
    this.merges = merges;
  }

  public Device device() {
    return module.device();
  }

  /** Whether each launch is waited for. */
  public boolean timed() {
    return timed;
  }

  /** A number that the kernels export. */
  public int constant(String name) {
    return module.intConstant(name);
  }

  /** Pieces into which so much work is cut, at least 1. */
  public int pieces(long work) {
    return (int) Math.max(1, Math.min(mostPieces(), work / leastPiece()));
  }

  /** Pieces into which any work is cut at most. */
  public int mostPieces() {
    int parallelism = device().description().parallelism();
    return switch (device().machine()) {
      case CUDA -> parallelism * WARPS_PER_MULTIPROCESSOR;
      case CPU -> parallelism == 1 ? 1 : parallelism * PIECES_PER_THREAD;
      case SIM -> MOST_PIECES_ON_SIM;
    };
  }

  /** Positions from which a piece is worth a warp, or a thread of the processor. */
  public int leastPiece() {
    return switch (device().machine()) {
      case CUDA -> LEAST_PIECE;
      case CPU -> LEAST_PIECE_ON_CPU;
      case SIM -> LEAST_PIECE_ON_SIM;
    };
  }

  /** Runs a kernel whose threads take an item each. */
  public void run(String kernel, long items, Fields fields) {
    Tally tally = tally(kernel, Phase.Rule.LOCK_FREE);
    AccessCounts before = accesses();
    if (timed) {
      tally.add(items, module.kernel(kernel).run(items, fields).kernelMillis(), before);
    } else {
      module.kernel(kernel).launch(items, fields);
      tally.add(items, Double.NaN, before);
    }
  }

  /**
   * Runs a kernel whose warps take a piece each.
   *
   * @param work what is cut: the processor sizes its grid by that
   */
  public void runPieces(String kernel, long work, int pieces, Fields fields) {
    boolean cpu = device().machine() == Machine.CPU;
    run(kernel, cpu ? Math.max(1, work) : (long) pieces * device().warpWidth(), fields);
  }

  /**
   * Runs a region, and waits for it.
   *
   * @param list the items; null for all from 0 to {@code items - 1}
   * @throws io.magpie.stm.UnfinishedItemsException if some did not finish
   */
  public RegionReport transact(String name, DeviceArray<int[]> list, long items, Fields fields) {
    return attempt(name, list, items, fields).requireComplete();
  }

  /**
   * Does launches among which {@link #startOrTransact} only starts regions, and then waits for
   * these, so that the device need not wait for the host between one launch and the next. What
   * follows a region must stand that some of its items are not finished.
   *
   * @throws io.magpie.stm.UnfinishedItemsException if some did not finish
   */
  public void ahead(Runnable launches) {
    ahead = !timed;
    try {
      launches.run();
      RegionReport incomplete = null; // the first one
      for (Started each : started) {
        RegionReport report = each.run.await();
        keep(report);
        each.tally.ended(report);
        incomplete = incomplete == null && !report.complete() ? report : incomplete;
      }
      if (incomplete != null) {
        incomplete.requireComplete();
      }
    } catch (RuntimeException | Error e) {
      for (Started each : started) {
        try {
          each.run.close();
        } catch (RuntimeException second) {
          e.addSuppressed(second);
        }
      }
      throw e;
    } finally {
      ahead = false;
      started.clear();
    }
  }

  /** Runs a region as {@link #transact} does, or starts it within {@link #ahead}. */
  public void startOrTransact(String name, DeviceArray<int[]> list, long items, Fields fields) {
    if (!ahead) {
      transact(name, list, items, fields);
      return;
    }
    AccessCounts before = accesses();
    Region region = regions.computeIfAbsent(name, module::region);
    StartedRun run =
        list == null
            ? region.start(stm, items, fields)
            : region.startList(stm, list, items, fields);
    Tally tally = tally(name, Phase.Rule.TRANSACTIONAL);
    tally.add(items, 0, before);
    started.add(new Started(run, tally));
    if (run.hasEnded()) {
      run.await().requireComplete(); // no need to go on
    }
  }

  /** The same, but for items that do not finish, which the caller sees to. */
  public RegionReport attempt(String name, DeviceArray<int[]> list, long items, Fields fields) {
    AccessCounts before = accesses();
    Region region = regions.computeIfAbsent(name, module::region);
    RegionReport report =
        list == null ? region.run(stm, items, fields) : region.runList(stm, list, items, fields);
    keep(report);
    Tally tally = tally(name, Phase.Rule.TRANSACTIONAL);
    tally.add(items, 0, before);
    tally.ended(report);
    return report;
  }

  /**
   * Runs a region in rounds, and waits for it. A phase's launches are its rounds.
   *
   * @param work the items; empty afterwards
   * @throws io.magpie.stm.UnfinishedItemsException if some did not finish
   * @throws io.magpie.stm.MagpieException if some wait for ever
   */
  public RoundsReport transactRounds(String name, Worklist work, Fields fields) {
    AccessCounts before = accesses();
    RoundsReport report =
        regions.computeIfAbsent(name, module::region).runRounds(stm, work, fields);
    Tally tally = tally(name, Phase.Rule.TRANSACTIONAL);
    for (RoundsReport.Round round : report.rounds()) {
      keep(round.region());
      tally.add(round.items(), round.kernelMillis(), before);
      before = accesses();
    }
    tally.commits += report.commits();
    tally.aborts += report.aborts();
    return report.requireComplete();
  }

  private void keep(RegionReport report) {
    for (int i = 0; merges && i < transactions.size(); i++) {
      if (transactions.get(i).region().equals(report.region())) {
        transactions.set(i, transactions.get(i).plus(report));
        return;
      }
    }
    transactions.add(report);
  }

  /** Runs primitives, as one phase of that name. */
  public void primitives(String name, long items, Runnable calls) {
    Tally tally = tally(name, Phase.Rule.LOCK_FREE);
    AccessCounts before = accesses();
    if (!timed) {
      calls.run();
      tally.add(items, Double.NaN, before);
      return;
    }
    try (Timer timer = device().startTimer()) {
      calls.run();
      tally.add(items, timer.millis(), before);
    }
  }

  /** Does what the host does by itself, while the device waits, as a phase of that name. */
  public <T> T host(String name, long items, Supplier<T> work) {
    Tally tally = tally(name, Phase.Rule.HOST);
    long start = System.nanoTime();
    T result = work.get();
    tally.add(items, (System.nanoTime() - start) / 1e6, accesses());
    return result;
  }

  /** What the device has counted so far; nothing where it does not count. */
  private AccessCounts accesses() {
    return device().machine() == Machine.SIM
        ? device().simulator().accessCounts()
        : AccessCounts.NONE;
  }

  private Tally tally(String name, Phase.Rule rule) {
    return tallies.computeIfAbsent(name, absent -> new Tally(rule));
  }

  /** The phases so far, in the order of their first launch. */
  public List<Phase> phases() {
    List<Phase> result = new ArrayList<>();
    tallies.forEach(
        (name, tally) ->
            result.add(
                new Phase(
                    name,
                    tally.rule,
                    tally.launches,
                    tally.items,
                    tally.millis,
                    tally.commits,
                    tally.aborts,
                    tally.accesses)));
    return result;
  }

  /** The reports of all regions so far, in order; one of each region where they are merged. */
  public List<RegionReport> transactions() {
    return Collections.unmodifiableList(transactions);
  }

  /** The sums of one phase's launches. */
  private final class Tally {
    private final Phase.Rule rule;
    private int launches;
    private long items;
    private double millis;
    private long commits;
    private long aborts;
    private AccessCounts accesses = AccessCounts.NONE;

    Tally(Phase.Rule rule) {
      this.rule = rule;
    }

    void add(long itemsOfLaunch, double millisOfLaunch, AccessCounts before) {
      launches++;
      items += itemsOfLaunch;
      millis += millisOfLaunch;
      accesses = accesses.plus(accesses().since(before));
    }

    /** Adds what a region's run did in time that is not counted yet. */
    void ended(RegionReport report) {
      millis += report.kernelMillis();
      commits += report.commits();
      aborts += report.aborts();
    }
  }
}
