package io.magpie.algorithms.partition;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.KernelModule;
import io.magpie.stm.Machine;
import io.magpie.stm.RegionReport;
import io.magpie.stm.Timer;
import io.magpie.stm.trace.AccessCounts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Launches the kernels and regions of a module, and keeps what a report tells of them. Without
 * {@link PartitionOptions#phaseTimes()} kernels are not waited for.
 */
final class Phases {
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
  private final PartitionOptions options;
  private final Map<String, Tally> tallies = new LinkedHashMap<>();
  private final List<RegionReport> transactions = new ArrayList<>();

  Phases(KernelModule module, PartitionOptions options) {
    this.module = module;
    this.options = options;
  }

  Device device() {
    return module.device();
  }

  /** Pieces into which so much work is cut, at least 1. */
  int pieces(long work) {
    int parallelism = device().description().parallelism();
    long most =
        switch (device().machine()) {
          case CUDA -> (long) parallelism * WARPS_PER_MULTIPROCESSOR;
          case CPU -> parallelism == 1 ? 1 : (long) parallelism * PIECES_PER_THREAD;
          case SIM -> MOST_PIECES_ON_SIM;
        };
    return (int) Math.max(1, Math.min(most, work / leastPiece()));
  }

  /** Positions from which a piece is worth a warp, or a thread of the processor. */
  int leastPiece() {
    return switch (device().machine()) {
      case CUDA -> LEAST_PIECE;
      case CPU -> LEAST_PIECE_ON_CPU;
      case SIM -> LEAST_PIECE_ON_SIM;
    };
  }

  /** Runs a kernel whose threads take an item each. */
  void run(String kernel, long items, Object... arguments) {
    Tally tally = tally(kernel, PartitionReport.Rule.LOCK_FREE);
    AccessCounts before = accesses();
    if (options.phaseTimes()) {
      tally.add(items, module.phase(kernel).run(items, arguments).kernelMillis(), before);
    } else {
      module.phase(kernel).launch(items, arguments);
      tally.add(items, Double.NaN, before);
    }
  }

  /**
   * Runs a kernel whose warps take a piece each.
   *
   * @param work what is cut: the processor sizes its grid by that
   */
  void runPieces(String kernel, long work, int pieces, Object... arguments) {
    boolean cpu = device().machine() == Machine.CPU;
    run(kernel, cpu ? Math.max(1, work) : (long) pieces * device().warpWidth(), arguments);
  }

  /**
   * Runs a region, and waits for it.
   *
   * @param list the items; null for all from 0 to {@code items - 1}
   * @throws io.magpie.stm.UnfinishedItemsException if some did not finish
   */
  RegionReport transact(String region, DeviceArray<int[]> list, long items, Object... arguments) {
    AccessCounts before = accesses();
    RegionReport report =
        list == null
            ? module.region(region).run(options.stm(), items, arguments)
            : module.region(region).runList(options.stm(), list, items, arguments);
    transactions.add(report);
    Tally tally = tally(region, PartitionReport.Rule.TRANSACTIONAL);
    tally.add(items, report.kernelMillis(), before);
    boolean counted = report.commits() >= 0;
    tally.commits = counted ? tally.commits + report.commits() : -1;
    tally.aborts = counted ? tally.aborts + report.aborts() : -1;
    return report.requireComplete();
  }

  /** Runs primitives, as one phase of that name. */
  void primitives(String name, long items, Runnable calls) {
    Tally tally = tally(name, PartitionReport.Rule.LOCK_FREE);
    AccessCounts before = accesses();
    if (!options.phaseTimes()) {
      calls.run();
      tally.add(items, Double.NaN, before);
      return;
    }
    try (Timer timer = device().startTimer()) {
      calls.run();
      tally.add(items, timer.millis(), before);
    }
  }

  /** What the device has counted so far; nothing where it does not count. */
  private AccessCounts accesses() {
    return device().machine() == Machine.SIM ? device().accessCounts() : AccessCounts.NONE;
  }

  private Tally tally(String name, PartitionReport.Rule rule) {
    return tallies.computeIfAbsent(name, absent -> new Tally(rule));
  }

  /** The phases so far, in the order of their first launch. */
  List<PartitionReport.Phase> phases() {
    List<PartitionReport.Phase> result = new ArrayList<>();
    tallies.forEach(
        (name, tally) ->
            result.add(
                new PartitionReport.Phase(
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

  /** The reports of all regions so far, in order. */
  List<RegionReport> transactions() {
    return Collections.unmodifiableList(transactions);
  }

  /** The sums of one phase's launches. */
  private final class Tally {
    private final PartitionReport.Rule rule;
    private int launches;
    private long items;
    private double millis;
    private long commits;
    private long aborts;
    private AccessCounts accesses = AccessCounts.NONE;

    Tally(PartitionReport.Rule rule) {
      this.rule = rule;
    }

    void add(long itemsOfLaunch, double millisOfLaunch, AccessCounts before) {
      launches++;
      items += itemsOfLaunch;
      millis += millisOfLaunch;
      accesses = accesses.plus(accesses().since(before));
    }
  }
}
