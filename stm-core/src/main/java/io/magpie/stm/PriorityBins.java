package io.magpie.stm;

import io.magpie.stm.DeviceDescription.Machine;
import java.util.Arrays;
import java.util.Objects;

/**
 * Items that wait on a device, sorted roughly by urgency: the host's part of {@code
 * magpie/parallel/priority_bins.cuh}, which is delta-stepping for any priority.
 *
 * <p>An item is a 32-bit id. Kernels give each its <i>class</i>: the lower, the more urgent. Class
 * 0 comes before all others and has bin 0. Bin 1 is for all classes from 1 to a first one, which is
 * chosen anew when nothing waits; each of the following classes has a bin of its own; the last bin
 * has all that are beyond. A step is
 *
 * <pre>{@code
 * bins.count(fresh, n, keys);           // new items, by class
 * if (bins.onlyBeyond()) {              // the last bin is of no one class: give its items bins
 *   n += bins.reopen(fresh, n);         // fresh has room for bins.size(bins.last()) more
 *   bins.count(fresh, n, keys);
 * }
 * int threshold = bins.first();         // or any other bin but the last one
 * int due = bins.sort(fresh, n, threshold, list, keys); // list has room for bins.most(threshold)
 * }</pre>
 *
 * after which all items in bins up to the threshold are in the list, in no order, and the others
 * wait. Those whose class says that they need nothing any more are dropped, so that none may be due
 * although some seemed to be. An item that waits and whose class has changed must be counted and
 * sorted anew, as a new one; where it waited it is dropped when that bin is due, unless it belongs
 * there. So items are delivered as often as they were sorted in with the class that they have.
 *
 * <p>The module has two kernels, one with a field {@code bins} of type {@code
 * magpie::class_counting}, the other with one of type {@code magpie::bin_sorting}, all their other
 * fields the same, and exports {@code MAGPIE_PRIORITY_BINS}. Device memory: 4 bytes for each place
 * of a bin and for each class, and 9 KB. Not for use by several threads at once.
 */
public final class PriorityBins implements AutoCloseable {
  /** What runs one of the two kernels, such as {@link Kernel#launch}. */
  @FunctionalInterface
  public interface Launch {
    /**
     * Starts the kernel after everything asked of the device before.
     *
     * @param items sizes the grid
     * @param fields all that the kernel has
     */
    void run(long items, Fields fields);
  }

  /** Threads that count classes, at most, so that each has many items where there are many. */
  private static final int MOST_COUNTING = 1 << 17;

  /** Places of a bin, if it has any: growing a bin moves all of them. */
  private static final int FEWEST_PLACES = 1 << 12;

  /** Stands for the new items, which are in no bin. */
  private static final int NO_BIN = -1;

  private static final String MEMBER = "bins";

  private final Device device;
  private final Launch counting;
  private final Launch sorting;
  private final boolean cpu;
  private final int bins;
  private final int endWords;
  private final int sourceWords;

  /** Where the sources begin in {@code plan}, after the ends of what is due and of each bin. */
  private final int firstSource;

  private final DeviceArray<int[]> classes;
  private final DeviceArray<int[]> plan;
  private DeviceArray<int[]> waiting;
  private final int[] start;
  private final int[] count;
  private final int[] places;
  private final int[] fresh;
  private int base;

  /**
   * Without items.
   *
   * @param module which has both kernels
   * @param classes how many there are, at least 2
   * @param counting runs the kernel that counts
   * @param sorting runs the kernel that sorts
   * @throws MagpieException if the module does not export what is to be known of bins
   * @throws DeviceOutOfMemoryException if there is no memory
   */
  public PriorityBins(KernelModule module, int classes, Launch counting, Launch sorting) {
    if (classes < 2) {
      throw new IllegalArgumentException("there must be at least 2 classes, got " + classes);
    }
    this.device = module.device();
    this.counting = Objects.requireNonNull(counting, "counting");
    this.sorting = Objects.requireNonNull(sorting, "sorting");
    this.cpu = device.machine() == Machine.CPU;
    this.bins = module.intConstant("priority_bins::count");
    this.endWords = module.intConstant("priority_bins::end_words");
    this.sourceWords = module.intConstant("priority_bins::source_words");
    this.firstSource = endWords * (1 + bins);
    this.start = new int[bins];
    this.count = new int[bins];
    this.places = new int[bins];
    this.fresh = new int[bins];
    this.classes = device.ints(classes);
    DeviceArray<int[]> made = null;
    try {
      made = device.ints(firstSource + (long) bins * sourceWords);
      waiting = device.ints(0);
    } catch (RuntimeException | Error e) {
      this.classes.close();
      if (made != null) {
        made.close();
      }
      throw e;
    }
    this.plan = made;
  }

  /** The last bin, which has all classes that have none of their own. */
  public int last() {
    return bins - 1;
  }

  /** Items that wait. */
  public long waiting() {
    return Arrays.stream(count).asLongStream().sum();
  }

  /**
   * Items of a bin: those that wait, some of which may need nothing any more, and new ones that
   * were counted.
   */
  public long size(int bin) {
    return (long) count[bin] + fresh[bin];
  }

  /**
   * The first bin with items, but for bin 0, which comes before all others; {@link #last()} if none
   * has any.
   */
  public int first() {
    int bin = 1;
    while (bin < last() && size(bin) == 0) {
      bin++;
    }
    return bin;
  }

  /** Forgets all items. */
  public void clear() {
    Arrays.fill(count, 0);
    Arrays.fill(fresh, 0);
  }

  /**
   * Counts new items by class. If nothing waits, bins begin at the first class but 0 that anything
   * is in. Waits for the device.
   *
   * @param items new ones
   * @param n how many they are; with 0 nothing is launched
   * @param keys the kernels' other fields; its member {@code bins} is replaced
   */
  public void count(DeviceArray<int[]> items, int n, Fields keys) {
    Objects.checkFromIndexSize(0, n, items.length());
    Arrays.fill(fresh, 0);
    if (n == 0) {
      return;
    }
    classes.fill(0);
    counting.run(
        Math.min(n, MOST_COUNTING),
        keys.set(MEMBER, new Fields().set("count", n).set("items", items).set("counts", classes)));
    int[] counts = classes.toArray();
    if (waiting() == 0) {
      base = firstClass(counts);
    }
    for (int c = 0; c < counts.length; c++) {
      fresh[binOf(c)] += counts[c];
    }
  }

  /** The first class but 0 that anything is in; where there is no other, 1. */
  private static int firstClass(int[] counts) {
    for (int c = 1; c < counts.length; c++) {
      if (counts[c] > 0) {
        return c;
      }
    }
    return 1;
  }

  /** {@code priority_bins::of}. */
  private int binOf(int ofClass) {
    if (ofClass == 0) {
      return 0;
    }
    return ofClass <= base ? 1 : Math.min(ofClass - base + 1, last());
  }

  /**
   * Whether items wait in the last bin, and none is in another one but bin 0: these are of many
   * classes, and get bins of their own if they become new again.
   */
  public boolean onlyBeyond() {
    return first() == last() && count[last()] > 0;
  }

  /**
   * Makes what waits in the last bin new again; to be counted with the others.
   *
   * @param items receives them
   * @param at the first one's place there
   * @return how many there are
   */
  public int reopen(DeviceArray<int[]> items, int at) {
    int n = count[last()];
    if (n > 0) {
      items.slice(at, n).copyFrom(waiting.slice(start[last()], n));
      count[last()] = 0;
    }
    return n;
  }

  /** How many items are due with a threshold, at most. */
  public long most(int threshold) {
    long most = 0;
    for (int bin = 0; bin <= threshold; bin++) {
      most += size(bin);
    }
    return most;
  }

  /**
   * Delivers new items, and those that wait, of bins up to the threshold, and has the other new
   * ones wait. Waits for the device.
   *
   * @param items new ones, the same as were counted last
   * @param n how many they are
   * @param threshold a bin, but not the last one
   * @param due receives what is due; has room for {@link #most}
   * @param keys the kernels' other fields; its member {@code bins} is replaced
   * @return how many items are due
   * @throws IllegalArgumentException if there is no such bin, or {@code due} has too little room
   * @throws DeviceOutOfMemoryException if there is no room for what is to wait; nothing has changed
   */
  public int sort(
      DeviceArray<int[]> items, int n, int threshold, DeviceArray<int[]> due, Fields keys) {
    Objects.checkFromIndexSize(0, n, items.length());
    if (threshold < 0 || threshold >= last()) {
      throw new IllegalArgumentException(
          "the threshold must be a bin from 0 to "
              + (last() - 1)
              + ", as the last one is of many classes; got "
              + threshold);
    }
    if (due.length() < most(threshold)) {
      throw new IllegalArgumentException(
          "up to " + most(threshold) + " items are due, and there is room for " + due.length());
    }
    makeRoom(threshold);
    int[] ends = move(items, n, threshold, due, keys);
    for (int bin = 0; bin < bins; bin++) {
      count[bin] = ends[endOf(bin)] - start[bin];
    }
    Arrays.fill(fresh, 0);
    return ends[0];
  }

  /** Where the end of a bin is in {@code plan}. */
  private int endOf(int bin) {
    return endWords * (1 + bin);
  }

  /** Makes room for new items that are to wait. */
  private void makeRoom(int threshold) {
    long[] exact = Arrays.stream(places).asLongStream().toArray();
    long[] ample = exact.clone();
    for (int bin = threshold + 1; bin < bins; bin++) {
      long items = size(bin);
      if (items > places[bin]) {
        exact[bin] = items;
        ample[bin] = Math.max(FEWEST_PLACES, Math.max(items + items / 2, 2L * places[bin]));
      }
    }
    if (Arrays.equals(exact, ample)) {
      return;
    }
    long least = Arrays.stream(exact).sum();
    if (least > Integer.MAX_VALUE) {
      throw new MagpieException(least + " places for items that wait, more than bins have");
    }
    try {
      moveTo(Arrays.stream(ample).sum() > Integer.MAX_VALUE ? exact : ample);
    } catch (DeviceOutOfMemoryException e) {
      moveTo(exact);
    }
  }

  private void moveTo(long[] room) {
    DeviceArray<int[]> larger = device.ints(Arrays.stream(room).sum());
    int at = 0;
    for (int bin = 0; bin < bins; bin++) {
      if (count[bin] > 0) {
        larger.slice(at, count[bin]).copyFrom(waiting.slice(start[bin], count[bin]));
      }
      start[bin] = at;
      places[bin] = (int) room[bin];
      at += places[bin];
    }
    waiting.close();
    waiting = larger;
  }

  /**
   * Moves items to where they belong: one launch, as most steps are small.
   *
   * @return where what is due and each bin end then: their entries of {@code plan}
   */
  private int[] move(
      DeviceArray<int[]> items, int n, int threshold, DeviceArray<int[]> due, Fields keys) {
    int[] words = new int[Math.toIntExact(plan.length())];
    for (int bin = 0; bin < bins; bin++) {
      words[endOf(bin)] = bin <= threshold ? start[bin] : start[bin] + count[bin];
    }
    int sources = 0;
    long turns = 0;
    for (int bin = NO_BIN; bin <= threshold; bin++) {
      int taken = bin == NO_BIN ? n : count[bin];
      if (taken > 0) {
        long range = Long.highestOneBit(Math.max(1, taken - 1)) << 1;
        turns += range;
        int at = firstSource + sourceWords * sources++;
        words[at] = (int) turns;
        words[at + 1] = (int) range;
        // The golden section of a power of two: consecutive turns are far apart, and evenly
        // spread, so that the many transactions of a GPU do not meet. On a processor neighbors
        // share a cache.
        words[at + 2] = cpu ? 1 : (int) (0.6180339887498949 * range) | 1;
        words[at + 3] = taken;
        words[at + 4] = bin;
        words[at + 5] = bin == NO_BIN ? 0 : start[bin];
      }
    }
    if (sources == 0) {
      return words;
    }
    if (turns > Integer.MAX_VALUE) {
      throw new IllegalStateException(turns + " turns to sort items, more than a launch has");
    }
    plan.copyFrom(words, 0, 0, firstSource + sources * sourceWords);
    sorting.run(
        turns,
        keys.set(
            MEMBER,
            new Fields()
                .set("turns", turns)
                .set("sources", sources)
                .set("base", base)
                .set("threshold", threshold)
                .set("fresh", items)
                .set("due", due)
                .set("waiting", waiting)
                .set("plan", plan)));
    return plan.slice(0, firstSource).toArray();
  }

  /** Frees the memory. Closing twice is harmless. */
  @Override
  public void close() {
    classes.close();
    plan.close();
    waiting.close();
  }
}
