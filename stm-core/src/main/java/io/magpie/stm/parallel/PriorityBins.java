package io.magpie.stm.parallel;

import static io.magpie.stm.parallel.DeviceInternals.address;
import static io.magpie.stm.parallel.DeviceInternals.exclusively;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.DeviceOutOfMemoryException;
import io.magpie.stm.Fields;
import io.magpie.stm.Kernel;
import io.magpie.stm.KernelModule;
import io.magpie.stm.MagpieException;
import io.magpie.stm.internal.Closing;
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
 *   n += bins.reopen(fresh, n);         // fresh has room for bins.size(bins.beyond()) more
 *   bins.count(fresh, n, keys);
 * }
 * if (bins.anyBefore()) {               // bin 1 is of several classes: the same for all items
 *   n += bins.reopenAll(fresh, n);      // fresh has room for bins.waiting() more
 *   bins.count(fresh, n, keys);
 * }
 * int threshold = bins.firstFilled();   // or any other bin but the last one
 * int due = bins.sort(fresh, n, threshold, list, keys); // list has room for bins.most(threshold)
 * }</pre>
 *
 * after which all items in bins up to the threshold are in the list, in no order, and the others
 * wait. Those whose class says that they need nothing any more are dropped, so that none may be due
 * although some seemed to be. An item that waits and whose class has changed must be counted and
 * sorted anew, as a new one, unless both classes share a bin. Where it waited it is dropped when
 * that bin is due, unless it belongs there: because it is back in its former class, or both classes
 * share the bin, or {@link #reopen} or {@link #reopenAll} has made it new there. So an item is
 * delivered at least once, and if its class has changed up to once for each of its entries. A
 * caller that may do something once only stamps items, or has their class say that they need
 * nothing any more.
 *
 * <p>The module has two kernels, one with a field {@code bins} of type {@code
 * magpie::class_counting}, the other with one of type {@code magpie::bin_sorting}, all their other
 * fields the same, and exports {@code MAGPIE_PRIORITY_BINS}. Device memory: 4 bytes for each class,
 * and 9 KB; for what waits 4 to 8 bytes for each of the most entries that a bin had at a time, and
 * 16 KB at least for each bin that had any. Places are forgotten, and given out anew, when nothing
 * waits, or what does so was {@linkplain #reopen reopened}; the array that they lie in stays as
 * long as it was. While it grows, it is there twice. Not for use by several threads at once.
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

  /** Places in {@code waiting} that were given out. */
  private long given;

  private final int[] start;
  private final int[] count;
  private final int[] places;
  private final int[] fresh;
  private int base;
  private boolean anyBefore;

  /**
   * Without items.
   *
   * @param module which has both kernels
   * @param classes how many there are, at least 2: the kernels' {@code class_of} gives a lower
   *     number, or {@code magpie::no_class}; any other is undefined, which a device with checks
   *     tells
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
  public int beyond() {
    return bins - 1;
  }

  /**
   * Entries that wait, of all bins; new items that were counted are not among them until they are
   * sorted in.
   */
  public long waiting() {
    return Arrays.stream(count).asLongStream().sum();
  }

  /**
   * Items of a bin: those that wait, some of which may need nothing any more, and also, unlike
   * {@link #waiting}, new ones that were counted.
   */
  public long size(int bin) {
    return (long) count[bin] + fresh[bin];
  }

  /**
   * The first bin with items, but for bin 0, which comes before all others, and the last one, which
   * is of no one class; 0 if there is none. So it can be a threshold.
   */
  public int firstFilled() {
    for (int bin = 1; bin < beyond(); bin++) {
      if (size(bin) > 0) {
        return bin;
      }
    }
    return 0;
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
    anyBefore = false;
    if (n == 0) {
      return;
    }
    classes.fill(0);
    counting.run(
        Math.min(n, MOST_COUNTING),
        keys.set(MEMBER, new Fields().set("count", n).set("items", items).set("counts", classes)));
    int[] counts = classes.toArray();
    int first = firstClass(counts);
    if (waiting() == 0) {
      base = first;
    }
    anyBefore = first < base && counts[first] > 0;
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
    return ofClass <= base ? 1 : Math.min(ofClass - base + 1, beyond());
  }

  /**
   * Whether items wait in the last bin, and none is in another one but bin 0: these are of many
   * classes, and get bins of their own if they become new again.
   */
  public boolean onlyBeyond() {
    return firstFilled() == 0 && count[beyond()] > 0;
  }

  /**
   * Whether new items that were counted are of a class before the one that bin 1 begins with, but
   * for class 0: that bin then has several classes, which get bins of their own if all that waits
   * becomes new again.
   */
  public boolean anyBefore() {
    return anyBefore;
  }

  /**
   * Makes all that waits new again; to be counted with the others.
   *
   * @param items receives them
   * @param at the first one's place there, with room for {@link #waiting}
   * @return how many there are
   */
  public int reopenAll(DeviceArray<int[]> items, int at) {
    int end = at;
    for (int bin = 0; bin < bins; bin++) {
      if (count[bin] > 0) {
        items.slice(end, count[bin]).copyFrom(waiting.slice(start[bin], count[bin]));
        end += count[bin];
      }
    }
    clear();
    return end - at;
  }

  /**
   * Makes what waits in the last bin new again; to be counted with the others.
   *
   * @param items receives them
   * @param at the first one's place there
   * @return how many there are
   */
  public int reopen(DeviceArray<int[]> items, int at) {
    int n = count[beyond()];
    if (n > 0) {
      items.slice(at, n).copyFrom(waiting.slice(start[beyond()], n));
      count[beyond()] = 0;
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
   * @param due receives what is due; has room for {@link #most}, and shares no memory with {@code
   *     items}
   * @param keys the kernels' other fields; its member {@code bins} is replaced
   * @return how many items are due
   * @throws IllegalArgumentException if there is no such bin, {@code due} has too little room, the
   *     two arrays overlap, or more than 2<sup>31</sup> - 1 items might be due
   * @throws DeviceOutOfMemoryException if there is no room for what is to wait; nothing has changed
   * @throws MagpieException if 2<sup>31</sup> places or more are needed; nothing has changed
   */
  public int sort(
      DeviceArray<int[]> items, int n, int threshold, DeviceArray<int[]> due, Fields keys) {
    Objects.checkFromIndexSize(0, n, items.length());
    if (threshold < 0 || threshold >= beyond()) {
      throw new IllegalArgumentException(
          "the threshold must be a bin from 0 to "
              + (beyond() - 1)
              + ", because the last bin has many classes; got "
              + threshold);
    }
    long most = most(threshold);
    if (due.length() < most) {
      throw new IllegalArgumentException(
          "up to " + most + " items are due, and there is room for " + due.length());
    }
    if (most > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "up to "
              + most
              + " items are due, more than the 2^31 - 1 of a list: lower the threshold");
    }
    exclusively(
        device,
        () -> {
          requireApart(items, due);
          return null;
        });
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

  /** Within the device's queue. */
  private static void requireApart(DeviceArray<int[]> items, DeviceArray<int[]> due) {
    if (address(items) < address(due) + due.bytes()
        && address(due) < address(items) + items.bytes()) {
      throw new IllegalArgumentException(
          "items and due overlap: what is due is written while new items are read");
    }
  }

  /** Makes room for new items that are to wait. */
  private void makeRoom(int threshold) {
    if (waiting() == 0) { // so nothing is to be kept where it is
      Arrays.fill(places, 0);
      given = 0;
    }
    int[] exact = places.clone();
    long[] ample = Arrays.stream(places).asLongStream().toArray();
    for (int bin = threshold + 1; bin < bins; bin++) {
      long items = size(bin);
      if (items > places[bin]) {
        exact[bin] = requireCountable(items);
        ample[bin] = Math.max(FEWEST_PLACES, Math.max(items + items / 2, 2L * places[bin]));
      }
    }
    requireCountable(Arrays.stream(exact).asLongStream().sum());
    boolean countable = Arrays.stream(ample).sum() <= Integer.MAX_VALUE;
    int[] wanted = countable ? Arrays.stream(ample).mapToInt(Math::toIntExact).toArray() : exact;
    if (appended(wanted)) {
      return;
    }
    try {
      moveTo(wanted, waiting.length());
    } catch (DeviceOutOfMemoryException e) {
      if (!appended(exact)) {
        moveTo(exact, 0);
      }
    }
  }

  private static int requireCountable(long waiting) {
    if (waiting > Integer.MAX_VALUE) {
      throw new MagpieException(waiting + " places for items that wait, more than bins have");
    }
    return (int) waiting;
  }

  /** Moves the bins that grow behind all others, if the array is long enough. */
  private boolean appended(int[] room) {
    long end = given;
    for (int bin = 0; bin < bins; bin++) {
      end += room[bin] > places[bin] ? room[bin] : 0;
    }
    if (end > waiting.length()) {
      return false;
    }
    for (int bin = 0; bin < bins; bin++) {
      if (room[bin] > places[bin]) {
        copyTo(waiting, (int) given, bin);
        start[bin] = (int) given;
        places[bin] = room[bin];
        given += room[bin];
      }
    }
    return true;
  }

  /** Gives all bins that much room, in a new array at least so long. */
  private void moveTo(int[] room, long least) {
    long needed = Arrays.stream(room).asLongStream().sum();
    DeviceArray<int[]> larger = device.ints(Math.max(needed, least));
    try {
      int at = 0;
      for (int bin = 0; bin < bins; bin++) {
        copyTo(larger, at, bin);
        at += room[bin];
      }
    } catch (RuntimeException | Error e) {
      larger.close();
      throw e;
    }
    given = 0;
    for (int bin = 0; bin < bins; bin++) {
      start[bin] = (int) given;
      places[bin] = room[bin];
      given += room[bin];
    }
    waiting.close();
    waiting = larger;
  }

  private void copyTo(DeviceArray<int[]> target, int at, int bin) {
    if (count[bin] > 0) {
      target.slice(at, count[bin]).copyFrom(waiting.slice(start[bin], count[bin]));
    }
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
        words[at] = (int) range;
        // The golden section of a power of two: consecutive turns are far apart, and evenly
        // spread, so that the many transactions of a GPU do not meet. On a processor neighbors
        // share a cache.
        words[at + 1] = cpu ? 1 : (int) (0.6180339887498949 * range) | 1;
        words[at + 2] = taken;
        words[at + 3] = bin;
        words[at + 4] = bin == NO_BIN ? 0 : start[bin];
      }
    }
    if (sources == 0) {
      return words;
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
    Closing.all(classes, plan, waiting);
  }
}
