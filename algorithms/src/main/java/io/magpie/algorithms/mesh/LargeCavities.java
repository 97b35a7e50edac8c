package io.magpie.algorithms.mesh;

import io.magpie.algorithms.mesh.RefinementReport.Round;
import io.magpie.algorithms.mesh.RefinementRun.WorkList;
import io.magpie.stm.AbortCause;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.RegionReport;
import io.magpie.stm.SlotPool;
import io.magpie.stm.StmObjects;
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
  private static final int ROOM_WORDS = 213_528;

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
      double millis) {
    Round round(long waiting, long inserted) {
      return new Round(items, waiting, inserted, pushed, cancelled, aborts, millis);
    }
  }

  /** Runs all items of {@link RefinementRun#large()}, and empties it. */
  Outcome run(StmObjects claims, SlotPool triangles, SlotPool vertices) {
    if (rooms == null) {
      rooms = run.device().ints((long) ROOMS * ROOM_WORDS);
    }
    WorkList large = run.large();
    WorkList pushed = run.pushed();
    DeviceMesh mesh = run.mesh();
    int pushedBefore = pushed.count;
    long cancelled = 0;
    double millis = 0;
    Map<AbortCause, Long> aborts = new EnumMap<>(AbortCause.class);
    run.tallies().set(MeshKernels.STUCK, 0L);
    for (int first = 0; first < large.count; first += ROOMS) {
      int count = Math.min(ROOMS, large.count - first);
      pushed.reserve(pushed.count + (long) count * MOST_PUSHES);
      run.tallies().set(MeshKernels.PUSHED, (long) pushed.count);
      RegionReport report =
          run.module()
              .region("refine_large")
              .runList(
                  run.options().stm().withStatistics(true),
                  large.places().slice(first, count),
                  count,
                  run.arguments(
                      claims,
                      triangles,
                      vertices,
                      mesh.triangles(),
                      mesh.points(),
                      mesh.vertexSegment(),
                      mesh.edgeSegment(),
                      mesh.segmentEnds(),
                      pushed.places(),
                      rooms,
                      run.tallies()))
              .requireComplete();
      pushed.count = run.tallies().getInt(MeshKernels.PUSHED);
      cancelled += report.cancels();
      millis += report.kernelMillis();
      report.abortsByCause().forEach((cause, n) -> aborts.merge(cause, n, Long::sum));
    }
    int items = large.count;
    large.count = 0;
    return new Outcome(
        items,
        cancelled,
        pushed.count - pushedBefore,
        run.tallies().getInt(MeshKernels.STUCK),
        aborts,
        millis);
  }

  @Override
  public void close() {
    if (rooms != null) {
      rooms.close();
    }
  }
}
