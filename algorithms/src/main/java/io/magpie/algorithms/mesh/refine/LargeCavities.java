package io.magpie.algorithms.mesh.refine;

import io.magpie.algorithms.internal.driver.Resources;
import io.magpie.algorithms.mesh.refine.CavityRooms.Work;
import io.magpie.algorithms.mesh.refine.RefinementReport.Round;
import io.magpie.algorithms.mesh.refine.RefinementRun.ItemList;
import io.magpie.stm.DeviceOutOfMemoryException;
import io.magpie.stm.RegionReport.AbortCause;
import io.magpie.stm.SlotPool;
import io.magpie.stm.StmObjects;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

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
 *
 * <p>A cavity that is filled alone is one thread's work, at which a GPU is slow. If it is larger
 * than {@link RefinementRun#mostAlone()}, the host does it, on a {@linkplain HostCopy copy}, and
 * then the rest of the share too.
 */
final class LargeCavities implements AutoCloseable {
  /** One in so many items runs before the others are looked at again by the usual kernels. */
  private static final int SHARE = 64;

  private final RefinementRun run;
  private final HostCopy.Host host;
  private CavityRooms here;
  private long mostAlone;

  LargeCavities(RefinementRun run) {
    this.run = run;
    this.host = new HostCopy.Host(run);
    this.mostAlone = run.mostAlone();
  }

  /** What a run did. */
  record Outcome(
      long items,
      long canceled,
      long pushed,
      long givenUp,
      boolean leftForSegments,
      Map<AbortCause, Long> aborts,
      int launches,
      double millis) {
    Round round(long waiting, long inserted) {
      return new Round(items, waiting, inserted, pushed, canceled, aborts, launches, millis, true);
    }
  }

  /** The items of a run, and what became of them. */
  private static final class Share {
    private final int[] items;
    private final long verticesBefore;
    private final Map<AbortCause, Long> aborts = new EnumMap<>(AbortCause.class);
    private int done;
    private long canceled;
    private long givenUp;
    private boolean leftForSegments;
    private int launches;
    private double millis;

    Share(int[] items, long verticesBefore) {
      this.items = items;
      this.verticesBefore = verticesBefore;
    }

    /** Whether more are to run. */
    boolean isDue(SlotPool vertices) {
      int least = Math.max(CavityRooms.ROOMS, items.length / SHARE);
      return done < items.length && (done < least || vertices.live() == verticesBefore);
    }

    int[] next(int count) {
      int[] next = Arrays.copyOfRange(items, done, Math.min(items.length, done + count));
      done += next.length;
      return next;
    }

    int[] rest() {
      return Arrays.copyOfRange(items, done, items.length);
    }

    void add(CavityRooms rooms) {
      canceled += rooms.canceled();
      givenUp += rooms.stuck();
      leftForSegments |= rooms.leftForSegments();
      rooms.aborts().forEach((cause, n) -> aborts.merge(cause, n, Long::sum));
      launches += rooms.launches();
      millis += rooms.millis();
    }

    Outcome outcome(long pushed) {
      return new Outcome(
          done, canceled, pushed, givenUp, leftForSegments, aborts, launches, millis);
    }
  }

  /**
   * Empties {@link RefinementRun#large()}: runs a share of its items, more until a vertex is
   * inserted, and makes the others new again.
   */
  Outcome run(StmObjects claims, SlotPool triangles, SlotPool vertices) {
    if (here == null) {
      here = new CavityRooms(run, run.module(), run.options().stm());
    }
    ItemList large = run.large();
    Share share =
        new Share(spread(large.places().slice(0, large.count).toArray()), vertices.live());
    large.count = 0;
    ItemList pushed = run.pushed();
    int pushedBefore = pushed.count;
    Work work = new Work(run.mesh(), claims, triangles, vertices, run.tallies(), pushed);
    here.begin(work);
    while (share.isDue(vertices)) {
      // Larger than a room, or seemed so while others ran: once more, alone.
      runAlone(here.together(share.next(CavityRooms.ROOMS)), work, share);
    }
    share.add(here);
    long made = pushed.count - pushedBefore;
    pushed.append(share.rest());
    return share.outcome(made);
  }

  /** The items in an order that comes back to each part of the list, evenly. */
  private static int[] spread(int[] items) {
    int[] spread = new int[items.length];
    int range = Integer.highestOneBit(Math.max(1, items.length - 1)) << 1;
    int stride = (int) (0.6180339887498949 * range) | 1; // as in PriorityBins
    int next = 0;
    for (int turn = 0; turn < range; turn++) {
      int i = turn * stride & (range - 1);
      if (i < items.length) {
        spread[next++] = items[i];
      }
    }
    return spread;
  }

  /** Runs items one by one; from the first that is too large for that here, on the host. */
  private void runAlone(int[] items, Work work, Share share) {
    int done = 0;
    while (done < items.length && here.alone(items[done], mostAlone)) {
      done++;
    }
    if (done == items.length) {
      return;
    }
    int[] rest = Arrays.copyOfRange(items, done, items.length);
    int before = share.done;
    Optional<HostCopy> copy = host.copy(work);
    if (copy.isPresent()) {
      try (HostCopy there = copy.get()) {
        runOnHost(there, rest, share);
        return;
      } catch (DeviceOutOfMemoryException e) {
        share.done = before; // nothing of it was given back
      }
    }
    mostAlone = Long.MAX_VALUE; // so here, however long it takes
    for (int item : rest) {
      here.alone(item, mostAlone);
    }
  }

  /** Runs items one by one, and the rest of a share, and gives the mesh back. */
  private static void runOnHost(HostCopy there, int[] items, Share share) {
    CavityRooms rooms = there.rooms();
    for (int item : items) {
      rooms.alone(item, Long.MAX_VALUE);
    }
    while (share.isDue(there.vertices())) {
      for (int item : rooms.together(share.next(CavityRooms.ROOMS))) {
        rooms.alone(item, Long.MAX_VALUE);
      }
    }
    there.giveBack();
    share.add(rooms);
    share.millis += there.copyMillis();
  }

  @Override
  public void close() {
    Resources.close(host, here);
  }
}
