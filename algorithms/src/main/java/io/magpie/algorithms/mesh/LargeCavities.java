package io.magpie.algorithms.mesh;

import io.magpie.algorithms.mesh.RefinementReport.Round;
import io.magpie.algorithms.mesh.RefinementRun.WorkList;
import io.magpie.stm.AbortCause;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.RegionReport;
import io.magpie.stm.SlotPool;
import io.magpie.stm.StmObjects;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/**
 * Inserts the few vertices whose cavities are too large for the usual kernels: transactions that
 * keep their cavities in device memory, a few at a time; see refine_large in refine_stm.cuh.
 */
final class LargeCavities implements AutoCloseable {
  /** Transactions at a time. */
  static final int ROOMS = 16;

  /** Words of a cavity of 16,384 triangles, and most items that filling it pushes. */
  private static final int ROOM_WORDS = 246_300;

  private static final int MOST_PUSHES = 32_777;

  private final RefinementRun run;
  private DeviceArray<int[]> rooms;

  LargeCavities(RefinementRun run) {
    this.run = run;
  }

  /** What a run did. */
  record Outcome(
      long items,
      long cancelled,
      long pushed,
      long givenUp,
      Map<AbortCause, Long> aborts,
      int launches,
      double millis) {
    Round round(long waiting, long inserted) {
      return new Round(items, waiting, inserted, pushed, cancelled, aborts, launches, millis);
    }
  }

  /** Runs all items of {@link RefinementRun#large()}, and empties it. */
  Outcome run(StmObjects claims, SlotPool triangles, SlotPool vertices) {
    if (rooms == null) {
      rooms = run.device().ints((long) ROOMS * ROOM_WORDS);
    }
    WorkList large = run.large();
    WorkList pushed = run.pushed();
    Totals totals = new Totals();
    int pushedBefore = pushed.count;
    run.tallies().set(MeshKernels.STUCK, 0L);
    run.tallies().set(MeshKernels.TORN, 0L);
    try (DeviceArray<int[]> larger = run.device().ints(ROOMS)) {
      for (int first = 0; first < large.count; first += ROOMS) {
        int count = Math.min(ROOMS, large.count - first);
        int seeming =
            launch(large.places().slice(first, count), larger, claims, triangles, vertices, totals);
        if (count == 1) {
          continue;
        }
        // Larger than a room, or seen so beside others: again by itself.
        int[] again = Arrays.copyOf(larger.toArray(), seeming);
        for (int item : again) {
          totals.cancelled--;
          try (DeviceArray<int[]> one = run.device().copyOf(item)) {
            launch(one, larger, claims, triangles, vertices, totals);
          }
        }
      }
    }
    int items = large.count;
    large.count = 0;
    long torn = run.tallies().getInt(MeshKernels.TORN);
    if (torn > 0) {
      totals.aborts.merge(AbortCause.REQUESTED, torn, Long::sum);
    }
    return new Outcome(
        items,
        totals.cancelled,
        pushed.count - pushedBefore,
        run.tallies().getInt(MeshKernels.STUCK),
        totals.aborts,
        totals.launches,
        totals.millis);
  }

  private static final class Totals {
    private long cancelled;
    private int launches;
    private double millis;
    private final Map<AbortCause, Long> aborts = new EnumMap<>(AbortCause.class);
  }

  /** Runs some items; gives how many seemed to have cavities larger than a room. */
  private int launch(
      DeviceArray<int[]> items,
      DeviceArray<int[]> larger,
      StmObjects claims,
      SlotPool triangles,
      SlotPool vertices,
      Totals totals) {
    WorkList pushed = run.pushed();
    pushed.reserve(pushed.count + items.length() * MOST_PUSHES);
    run.tallies().set(MeshKernels.PUSHED, (long) pushed.count);
    run.tallies().set(MeshKernels.LARGE, 0L);
    RegionReport report =
        run.module()
            .region("refine_large")
            .runList(
                run.options().stm().withStatistics(true),
                items,
                items.length(),
                run.arguments(
                    pushed.places(),
                    larger,
                    items.length() == 1 ? 1 : 0,
                    rooms,
                    claims,
                    triangles,
                    vertices,
                    run.tallies()))
            .requireComplete();
    pushed.count = run.tallies().getInt(MeshKernels.PUSHED);
    totals.cancelled += report.cancels();
    totals.launches++;
    totals.millis += report.kernelMillis();
    report.abortsByCause().forEach((cause, n) -> totals.aborts.merge(cause, n, Long::sum));
    return run.tallies().getInt(MeshKernels.LARGE);
  }

  @Override
  public void close() {
    if (rooms != null) {
      rooms.close();
    }
  }
}
