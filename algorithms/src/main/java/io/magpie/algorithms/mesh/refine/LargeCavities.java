package io.magpie.algorithms.mesh.refine;

import io.magpie.algorithms.internal.driver.Resources;
import io.magpie.algorithms.mesh.refine.RefinementReport.Round;
import io.magpie.algorithms.mesh.refine.RefinementRun.WorkList;
import io.magpie.stm.AbortCause;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.RegionReport;
import io.magpie.stm.SlotPool;
import io.magpie.stm.StmObjects;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Inserts the few vertices whose cavities are too large for the usual kernels: transactions that
 * keep their cavities in device memory, a few at a time; see refine_large in refine_stm.cuh.
 *
 * <p>Of points on a circle every triangle's cavity has all triangles, until one is filled: then
 * each vertex inserted leaves to the others what is nearer to them. So items are taken from all
 * over the list, each time a share of it, and the rest goes back to the usual kernels: the k-th
 * cavity of n triangles then has about n/k, which adds up to n log n. One that is larger than a
 * room is filled alone, in a room that grows to hold it, and where that must grow by the
 * circumcenter: the middle of a circle leaves to other points not half of its triangles, but the
 * square root of them.
 */
final class LargeCavities implements AutoCloseable {
  /** Transactions at a time. */
  static final int ROOMS = 128;

  /** Triangles that the room of each holds. */
  private static final int CAPACITY = 1 << 10;

  /** How much more a room holds that was too small. */
  private static final int GROWTH = 4;

  /** One in so many items runs before the others are looked at again by the usual kernels. */
  private static final int SHARE = 64;

  private final RefinementRun run;
  private final MeshKernels kernels;
  private DeviceArray<int[]> rooms;
  private DeviceArray<int[]> room; // of an item alone
  private long capacity; // of that

  LargeCavities(RefinementRun run) {
    this.run = run;
    this.kernels = run.kernels();
  }

  /** Words that a cavity of so many triangles takes: {@code lent_words}, cavity.cuh. */
  static long words(long triangles) {
    return (9 * triangles + 6 * (triangles + 2) + (triangles + 2 + 31) / 32 + 3) / 4 * 4;
  }

  /** Most items that filling one pushes: {@code most_pushes}, cavity.cuh. */
  static long mostPushes(long triangles) {
    return 2 * triangles + 9;
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

  /**
   * Empties {@link RefinementRun#large()}: runs a share of its items, more until a vertex is
   * inserted, and makes the others new again.
   */
  Outcome run(StmObjects claims, SlotPool triangles, SlotPool vertices) {
    if (rooms == null) {
      rooms = run.device().ints(ROOMS * words(CAPACITY));
    }
    WorkList large = run.large();
    WorkList pushed = run.pushed();
    int[] items = spread(large.places().slice(0, large.count).toArray());
    large.count = 0;
    Totals totals = new Totals();
    int pushedBefore = pushed.count;
    long verticesBefore = vertices.live();
    run.tallies().set(kernels.stuck, 0L);
    run.tallies().set(kernels.torn, 0L);
    int share = Math.max(ROOMS, items.length / SHARE);
    int done = 0;
    try (DeviceArray<int[]> larger = run.device().ints(ROOMS)) {
      while (done < items.length && (done < share || vertices.live() == verticesBefore)) {
        int next = Math.min(items.length, done + ROOMS);
        int[] together = Arrays.copyOfRange(items, done, next);
        int seeming = launch(together, Where.ROOMS, larger, claims, triangles, vertices, totals);
        // Larger than a room, or seemed so while others ran: once more, alone.
        for (int item : Arrays.copyOf(larger.toArray(), seeming)) {
          totals.cancelled--;
          alone(item, larger, claims, triangles, vertices, totals);
        }
        done = next;
      }
    }
    long made = pushed.count - pushedBefore;
    pushed.append(Arrays.copyOfRange(items, done, items.length));
    long torn = run.tallies().getInt(kernels.torn);
    if (torn > 0) {
      totals.aborts.merge(AbortCause.REQUESTED, torn, Long::sum);
    }
    return new Outcome(
        done,
        totals.cancelled,
        made,
        run.tallies().getInt(kernels.stuck),
        totals.aborts,
        totals.launches,
        totals.millis);
  }

  /** The items in an order that comes back to each part of the list, evenly. */
  private static int[] spread(int[] items) {
    int[] spread = new int[items.length];
    int range = Integer.highestOneBit(Math.max(1, items.length - 1)) << 1;
    int stride = (int) (0.6180339887498949 * range) | 1; // as in WorkOrder
    int next = 0;
    for (int turn = 0; turn < range; turn++) {
      int i = turn * stride & (range - 1);
      if (i < items.length) {
        spread[next++] = items[i];
      }
    }
    return spread;
  }

  private static final class Totals {
    private long cancelled;
    private int launches;
    private double millis;
    private final Map<AbortCause, Long> aborts = new EnumMap<>(AbortCause.class);

    void add(RegionReport report) {
      cancelled += report.cancels();
      launches++;
      millis += report.kernelMillis();
      report.abortsByCause().forEach((cause, n) -> aborts.merge(cause, n, Long::sum));
    }
  }

  /** Runs an item whatever the size of its cavity, which is at most that of the mesh. */
  private void alone(
      int item,
      DeviceArray<int[]> found,
      StmObjects claims,
      SlotPool triangles,
      SlotPool vertices,
      Totals totals) {
    if (room == null) {
      makeRoom(CAPACITY);
    }
    int[] one = {item};
    int larger = launch(one, Where.ROOM, found, claims, triangles, vertices, totals);
    while (larger > 0) {
      totals.cancelled--;
      makeRoom(Math.min(GROWTH * capacity, claims.count()));
      larger = launch(one, Where.ROOM_GROWN, found, claims, triangles, vertices, totals);
    }
  }

  private void makeRoom(long triangles) {
    if (room != null) {
      room.close();
      room = null;
    }
    room = run.device().ints(words(triangles));
    capacity = triangles;
  }

  /** Where cavities lie. */
  private enum Where {
    /** In as many rooms as there are items. */
    ROOMS,
    /** In the room of an item alone. */
    ROOM,
    /** There, after it has grown for that. */
    ROOM_GROWN
  }

  /** Runs some items; gives how many seemed to have cavities larger than a room. */
  private int launch(
      int[] items,
      Where where,
      DeviceArray<int[]> larger,
      StmObjects claims,
      SlotPool triangles,
      SlotPool vertices,
      Totals totals) {
    long each = where == Where.ROOMS ? CAPACITY : capacity;
    WorkList pushed = run.pushed();
    pushed.reserve(pushed.count + items.length * mostPushes(each));
    run.tallies().set(kernels.pushed, (long) pushed.count);
    run.tallies().set(kernels.large, 0L);
    boolean circumcenters = where == Where.ROOM_GROWN;
    Fields fields =
        new Fields()
            .set("pushed", pushed.places())
            .set("larger", larger)
            .set("alone", where == Where.ROOMS ? 0 : 1)
            .set("capacity", (int) each)
            .set("rooms", where == Where.ROOMS ? rooms : room)
            .set(
                "work",
                new Fields()
                    .set("claims", claims)
                    .set("triangle_slots", triangles)
                    .set("vertex_slots", vertices)
                    .set("tallies", run.tallies())
                    .set(
                        "mesh",
                        circumcenters ? run.meshFieldsForCircumcenters() : run.meshFields()));
    try (DeviceArray<int[]> list = run.device().copyOf(items)) {
      RegionReport report =
          run.module()
              .region("refine_large")
              .runList(run.options().stm().withStatistics(true), list, items.length, fields)
              .requireComplete();
      totals.add(report);
    }
    pushed.count = run.tallies().getInt(kernels.pushed);
    return run.tallies().getInt(kernels.large);
  }

  @Override
  public void close() {
    Resources.close(Stream.of(rooms, room).filter(Objects::nonNull).toList());
  }
}
