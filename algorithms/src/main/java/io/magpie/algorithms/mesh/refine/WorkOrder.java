package io.magpie.algorithms.mesh.refine;

import io.magpie.algorithms.internal.driver.Resources;
import io.magpie.algorithms.mesh.refine.RefinementRun.ItemList;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.DeviceOutOfMemoryException;
import io.magpie.stm.Fields;
import io.magpie.stm.Kernel;
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
   * Most classes of one launch, so that its edges differ in length by less than a factor of 64, but
   * for those that are shorter than all were when classes got their bins. A large triangle next to
   * much smaller ones that are still bad would be split for edges that mending those cuts anyway,
   * again and again where the angle asked is large.
   */
  private static final int SPAN = 12;

  /** Threads that count classes, at most, so that each has many items where there are many. */
  private static final int MOST_COUNTING = 1 << 17;

  /** Places of a bin, if it has any: growing a bin moves all of them. */
  private static final int FEWEST_PLACES = 1 << 12;

  /** Stands for the new items, which are in no bin. */
  private static final int NO_BIN = -1;

  private final RefinementRun run;
  private final int bins;
  private final int last; // bin
  private final int endWords;
  private final int sourceWords;

  /** Where the sources begin in {@code plan}, after the ends of {@code due} and of each bin. */
  private final int firstSource;

  private final Kernel countClasses;
  private final Kernel sortItems;
  private final boolean cpu;
  private final long smallestBatch;

  /**
   * Whether no triangle is mended while segments are to be split. Where segments meet at sharp
   * angles each must be split as near to there as its neighbors are, one after the other around the
   * meeting point. Before they all are, triangles between them are bad and not excused, and would
   * have segments split nearer yet, without end.
   */
  private final boolean edgesAlone;

  private final ItemList due;
  private final DeviceArray<int[]> classes;
  private final DeviceArray<int[]> plan;
  private DeviceArray<int[]> waiting;
  private final int[] start;
  private final int[] count;
  private final int[] places;
  private int base;
  private int threshold;
  private double millis;

  WorkOrder(RefinementRun run) {
    MeshKernels kernels = run.kernels();
    this.run = run;
    this.bins = kernels.bins;
    this.last = bins - 1;
    this.endWords = kernels.endWords;
    this.sourceWords = kernels.sourceWords;
    this.firstSource = endWords * (1 + bins);
    this.start = new int[bins];
    this.count = new int[bins];
    this.places = new int[bins];
    this.countClasses = run.module().kernel("count_classes");
    this.sortItems = run.module().kernel("sort_items");
    this.cpu = run.device().machine() == Machine.CPU;
    this.edgesAlone = run.mesh().sharp();
    this.smallestBatch = cpu ? SMALLEST_BATCH_ON_CPU : SMALLEST_BATCH;
    List<AutoCloseable> made = new ArrayList<>();
    try {
      made.add(due = new ItemList(run.device(), 1 << 12));
      made.add(classes = run.device().ints(kernels.classes));
      made.add(plan = run.device().ints(firstSource + (2 + SPAN) * sourceWords));
      waiting = run.device().ints(0);
    } catch (RuntimeException | Error e) {
      Resources.close(made);
      throw e;
    }
  }

  /** The items that are due. */
  ItemList due() {
    return due;
  }

  /** Items that wait. */
  long waiting() {
    return Arrays.stream(count).asLongStream().sum();
  }

  /** Time from the first to the last of its launches, of each round; copies in between count. */
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
  boolean next(ItemList pushed) {
    try (Timer timer = run.device().startTimer()) {
      int[] fresh = count(pushed);
      if (first(fresh) == last && count[last] > 0) {
        // These are of many classes, which get bins of their own once nothing else waits.
        pushAgain(pushed);
        fresh = count(pushed);
      }
      choose(fresh);
      due.count = 0;
      due.reserve(makeRoom(fresh));
      int[] now = sort(pushed);
      pushed.count = 0;
      due.count = now[0];
      for (int bin = 0; bin < bins; bin++) {
        count[bin] = now[endOf(bin)] - start[bin];
      }
      millis += timer.millis();
    }
    return due.count > 0 || waiting() > 0;
  }

  /** How many of the new items belong to each bin. If nothing waits, bins are chosen again. */
  private int[] count(ItemList pushed) {
    int[] fresh = new int[bins];
    if (pushed.count == 0) {
      return fresh;
    }
    classes.fill(0);
    countClasses.launch(
        Math.min(pushed.count, MOST_COUNTING),
        new Fields()
            .set("count", pushed.count)
            .set("items", pushed.places())
            .set("triangles", run.mesh().triangles())
            .set("counts", classes));
    int[] counts = classes.toArray();
    if (waiting() == 0) {
      base = firstClass(counts);
    }
    for (int c = 0; c < counts.length; c++) {
      fresh[binOf(c)] += counts[c];
    }
    return fresh;
  }

  /** The first class of triangles that anything is in; where there are but edges, the first one. */
  private static int firstClass(int[] counts) {
    for (int c = 1; c < counts.length; c++) {
      if (counts[c] > 0) {
        return c;
      }
    }
    return 1;
  }

  /** {@code bin_of}, schedule.cuh. */
  private int binOf(int ofClass) {
    if (ofClass == 0) {
      return 0;
    }
    return ofClass <= base ? 1 : Math.min(ofClass - base + 1, last);
  }

  /** The first bin, but that of edges, that anything is in. */
  private int first(int[] fresh) {
    int bin = 1;
    while (bin < last && count[bin] + fresh[bin] == 0) {
      bin++;
    }
    return bin;
  }

  /** Where the end of a bin is in {@code plan}. */
  private int endOf(int bin) {
    return endWords * (1 + bin);
  }

  /** Makes what waits in the last bin new again. */
  private void pushAgain(ItemList pushed) {
    pushed.reserve((long) pushed.count + count[last]);
    pushed
        .places()
        .slice(pushed.count, count[last])
        .copyFrom(waiting.slice(start[last], count[last]));
    pushed.count += count[last];
    count[last] = 0;
  }

  /**
   * Sets the threshold: edges, and unless they must go alone, as many of the most urgent classes as
   * make up a batch.
   */
  private void choose(int[] fresh) {
    long all = waiting() + Arrays.stream(fresh).asLongStream().sum();
    long batch = Math.max(smallestBatch, (long) (run.options().batch() * all));
    long chosen = (long) count[0] + fresh[0];
    threshold = 0;
    if (chosen > 0 && edgesAlone) {
      return;
    }
    int most = Math.min(first(fresh) + SPAN, last) - 1; // the last bin is of no one class
    while (chosen < batch && threshold < most) {
      threshold++;
      chosen += (long) count[threshold] + fresh[threshold];
    }
  }

  /** Makes room for new items that are to wait; returns how many items are due at most. */
  private long makeRoom(int[] fresh) {
    long most = 0;
    int[] exact = places.clone();
    int[] ample = places.clone();
    for (int bin = 0; bin < bins; bin++) {
      int items = count[bin] + fresh[bin];
      if (bin <= threshold) {
        most += items;
      } else if (items > places[bin]) {
        exact[bin] = items;
        ample[bin] = Math.max(FEWEST_PLACES, Math.max(items + items / 2, 2 * places[bin]));
      }
    }
    if (!Arrays.equals(exact, places)) {
      try {
        moveTo(ample);
      } catch (DeviceOutOfMemoryException e) {
        moveTo(exact);
      }
    }
    return most;
  }

  private void moveTo(int[] room) {
    DeviceArray<int[]> larger = run.device().ints(Arrays.stream(room).asLongStream().sum());
    int at = 0;
    for (int bin = 0; bin < bins; bin++) {
      if (count[bin] > 0) {
        larger.slice(at, count[bin]).copyFrom(waiting.slice(start[bin], count[bin]));
      }
      start[bin] = at;
      places[bin] = room[bin];
      at += room[bin];
    }
    waiting.close();
    waiting = larger;
  }

  /**
   * Moves new items, and those of bins up to the threshold, to where they belong: one launch, as
   * most rounds are small.
   *
   * @return where {@code due} and each bin end then: their entries of {@code plan}
   */
  private int[] sort(ItemList pushed) {
    int[] words = new int[Math.toIntExact(plan.length())];
    for (int bin = 0; bin < bins; bin++) {
      words[endOf(bin)] = bin <= threshold ? start[bin] : start[bin] + count[bin];
    }
    int sources = 0;
    long turns = 0;
    for (int bin = NO_BIN; bin <= threshold; bin++) {
      int items = bin == NO_BIN ? pushed.count : count[bin];
      if (items > 0) {
        long range = Long.highestOneBit(Math.max(1, items - 1)) << 1;
        turns += range;
        int at = firstSource + sourceWords * sources++;
        words[at] = (int) turns;
        words[at + 1] = (int) range;
        // The golden section of a power of two: consecutive turns are far apart, and evenly
        // spread, so that the many transactions of a GPU do not meet. On a processor neighbors
        // share a cache.
        words[at + 2] = cpu ? 1 : (int) (0.6180339887498949 * range) | 1;
        words[at + 3] = items;
        words[at + 4] = bin;
        words[at + 5] = bin == NO_BIN ? 0 : start[bin];
      }
    }
    if (sources == 0) {
      return words;
    }
    if (turns > Integer.MAX_VALUE) {
      throw new IllegalStateException(turns + " turns to order the work, more than a launch has");
    }
    plan.copyFrom(words);
    sortItems.launch(
        turns,
        new Fields()
            .set("turns", turns)
            .set("sources", sources)
            .set("base", base)
            .set("threshold", threshold)
            .set("fresh", pushed.places())
            .set("triangles", run.mesh().triangles())
            .set("due", due.places())
            .set("waiting", waiting)
            .set("plan", plan));
    return plan.slice(0, firstSource).toArray();
  }

  @Override
  public void close() {
    Resources.close(List.of(due, classes, plan, waiting));
  }
}
