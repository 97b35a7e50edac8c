package io.magpie.algorithms.mesh;

import io.magpie.algorithms.mesh.RefinementRun.WorkList;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.LockFreePhase;
import io.magpie.stm.Machine;
import io.magpie.stm.Timer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Chooses the items that are due, and keeps the others in bins until they are; see schedule.cuh.
 */
final class WorkOrder implements AutoCloseable {
  /** Fewest items of a batch. */
  private static final int SMALLEST_BATCH = 256;

  /** On processors, where a launch costs little: a better order needs fewer vertices. */
  private static final int SMALLEST_BATCH_ON_CPU = 16;

  /**
   * Most classes of one launch, so that its edges differ in length by less than a factor of 64. A
   * large triangle beside much smaller ones that are still bad would be split for edges that
   * mending those cuts anyway, again and again where the angle asked is large.
   */
  private static final int SPAN = 12;

  private static final int BINS = MeshKernels.BINS;
  private static final int LAST = BINS - 1;

  // Entries of `ends`: that of `due`, then those of the bins.
  private static final int DUE = 0;
  private static final int FIRST_BIN = 1;

  private final RefinementRun run;
  private final LockFreePhase countClasses;
  private final LockFreePhase sortItems;
  private final boolean cpu;
  private final long smallestBatch;
  private final WorkList due;
  private final DeviceArray<int[]> classes;
  private final DeviceArray<int[]> ends;
  private DeviceArray<int[]> waiting;
  private final int[] start = new int[BINS];
  private final int[] count = new int[BINS];
  private final int[] places = new int[BINS];
  private int base;
  private int threshold;
  private double millis;

  WorkOrder(RefinementRun run) {
    this.run = run;
    this.countClasses = run.module().phase("count_classes");
    this.sortItems = run.module().phase("sort_items");
    this.cpu = run.device().machine() == Machine.CPU;
    this.smallestBatch = cpu ? SMALLEST_BATCH_ON_CPU : SMALLEST_BATCH;
    List<AutoCloseable> made = new ArrayList<>();
    try {
      made.add(due = run.new WorkList(1 << 12));
      made.add(classes = run.device().ints(MeshKernels.CLASSES));
      made.add(ends = run.device().ints(FIRST_BIN + BINS));
      waiting = run.device().ints(0);
    } catch (RuntimeException | Error e) {
      Resources.close(made);
      throw e;
    }
  }

  /** The items that are due. */
  WorkList due() {
    return due;
  }

  /** Items that wait. */
  long waiting() {
    return Arrays.stream(count).asLongStream().sum();
  }

  /** Time on the device. */
  double millis() {
    return millis;
  }

  /**
   * Empties a list of new items, and chooses those that are due. None is due if all that seemed so
   * turned out to need nothing any more.
   *
   * @return false if nothing is left
   * @throws io.magpie.stm.DeviceOutOfMemoryException if there is no room for the items
   */
  boolean next(WorkList pushed) {
    try (Timer timer = run.device().startTimer()) {
      int[] fresh = count(pushed);
      if (first(fresh) == LAST && count[LAST] > 0) {
        // These are of many classes, which get bins of their own once nothing else waits.
        pushAgain(pushed);
        fresh = count(pushed);
      }
      choose(fresh);
      due.count = 0;
      due.reserve(makeRoom(fresh));
      ends.set(DUE, 0L);
      sort(pushed.places(), 0, pushed.count, MeshKernels.NONE);
      pushed.count = 0;
      for (int bin = 0; bin <= threshold; bin++) {
        if (count[bin] > 0) {
          sort(waiting, start[bin], count[bin], bin);
          ends.set(FIRST_BIN + bin, (long) start[bin]);
        }
      }
      int[] now = ends.toArray();
      due.count = now[DUE];
      for (int bin = 0; bin < BINS; bin++) {
        count[bin] = now[FIRST_BIN + bin] - start[bin];
      }
      millis += timer.millis();
    }
    return due.count > 0 || waiting() > 0;
  }

  /** How many of the new items belong to each bin. If nothing waits, bins are chosen anew. */
  private int[] count(WorkList pushed) {
    int[] fresh = new int[BINS];
    if (pushed.count == 0) {
      return fresh;
    }
    classes.fill(0);
    countClasses.launch(
        pushed.count, pushed.count, pushed.places(), run.mesh().triangles(), classes);
    int[] counts = classes.toArray();
    if (waiting() == 0) {
      base = 1;
      while (base < counts.length - 1 && counts[base] == 0) {
        base++;
      }
    }
    for (int c = 0; c < counts.length; c++) {
      fresh[c < base ? 0 : Math.min(c - base + 1, LAST)] += counts[c];
    }
    return fresh;
  }

  /** The first bin, but that of edges, that anything is in. */
  private int first(int[] fresh) {
    int bin = 1;
    while (bin < LAST && count[bin] + fresh[bin] == 0) {
      bin++;
    }
    return bin;
  }

  /** Makes what waits in the last bin new again. */
  private void pushAgain(WorkList pushed) {
    pushed.reserve((long) pushed.count + count[LAST]);
    pushed
        .places()
        .slice(pushed.count, count[LAST])
        .copyFrom(waiting.slice(start[LAST], count[LAST]));
    pushed.count += count[LAST];
    count[LAST] = 0;
    ends.set(FIRST_BIN + LAST, (long) start[LAST]);
  }

  /** Sets the threshold: edges, and of the most urgent classes as many as make up a batch. */
  private void choose(int[] fresh) {
    long all = waiting() + Arrays.stream(fresh).asLongStream().sum();
    long batch = Math.max(smallestBatch, (long) (run.options().batch() * all));
    long chosen = (long) count[0] + fresh[0];
    threshold = 0;
    int last = Math.min(first(fresh) + SPAN, BINS) - 1;
    while (chosen < batch && threshold < last) {
      threshold++;
      chosen += (long) count[threshold] + fresh[threshold];
    }
  }

  /** Sees to it that new items that are to wait find room; gives how many items are due at most. */
  private long makeRoom(int[] fresh) {
    long most = 0;
    long length = 0;
    int[] room = places.clone();
    for (int bin = 0; bin < BINS; bin++) {
      int items = count[bin] + fresh[bin];
      if (bin <= threshold) {
        most += items;
      } else if (items > places[bin]) {
        room[bin] = items + items / 2;
      }
      length += room[bin];
    }
    if (!Arrays.equals(room, places)) {
      moveTo(run.device().ints(length), room);
    }
    return most;
  }

  private void moveTo(DeviceArray<int[]> larger, int[] room) {
    int[] newEnds = new int[FIRST_BIN + BINS];
    int at = 0;
    for (int bin = 0; bin < BINS; bin++) {
      if (count[bin] > 0) {
        larger.slice(at, count[bin]).copyFrom(waiting.slice(start[bin], count[bin]));
      }
      start[bin] = at;
      places[bin] = room[bin];
      newEnds[FIRST_BIN + bin] = at + count[bin];
      at += room[bin];
    }
    waiting.close();
    waiting = larger;
    ends.copyFrom(newEnds);
  }

  /** Moves items to where they belong. */
  private void sort(DeviceArray<int[]> items, int first, int n, int from) {
    if (n == 0) {
      return;
    }
    int range = Integer.highestOneBit(Math.max(1, n - 1)) << 1;
    // The golden section of a power of two: consecutive turns are far apart, and evenly spread, so
    // that the many transactions of a GPU do not meet. On a processor neighbours share a cache.
    int stride = cpu ? 1 : (int) (0.6180339887498949 * range) | 1;
    sortItems.launch(
        range,
        n,
        range,
        stride,
        base,
        threshold,
        from,
        items,
        first,
        run.mesh().triangles(),
        due.places(),
        waiting,
        ends);
  }

  @Override
  public void close() {
    Resources.close(List.of(due, classes, ends, waiting));
  }
}
