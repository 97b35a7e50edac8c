package io.magpie.stm.parallel;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.DeviceOutOfMemoryException;
import io.magpie.stm.Fields;
import io.magpie.stm.Kernel;
import io.magpie.stm.MagpieException;
import io.magpie.stm.Worklist;
import io.magpie.stm.internal.Closing;
import java.util.Locale;
import java.util.Objects;

/**
 * A worklist for {@linkplain Kernel kernels}, outside of transactional regions: a launch takes the
 * items of one list, by striding over them or by popping, and pushes new ones to another, which the
 * next launch takes. {@code magpie/parallel/worklist.cuh} has what kernels do with it. An item is a
 * 32-bit id; the same id may be in the list several times. For items that transactions push there
 * is {@link Worklist}.
 *
 * <pre>{@code
 * try (KernelWorklist in = new KernelWorklist(device, n);
 *     KernelWorklist out = new KernelWorklist(device, n)) {
 *   in.fill(source);
 *   for (long size = 1; size > 0; size = in.takeFrom(out)) {
 *     expand.launch(size, new Fields().set("in", in.fields()).set("out", out.fields()) ...);
 *   }
 * }
 * }</pre>
 *
 * <p>What kernels push beyond the {@linkplain #capacity() capacity} is counted, not written. The
 * next call that asks for the items throws {@link OverflowException}, which names the places that
 * they need. Then there are four steps: {@link #reserve} makes room, and keeps the items that found
 * places; {@link #clear} removes these, as they will be pushed again (what was in the list before
 * the launch, too: it is to be filled in anew); {@link #rewind} on the list that the kernel took
 * its items from, if it popped them; and the launch again, with both lists {@linkplain #fields()
 * set} anew. Device memory: 4 bytes for each place, and 24; while a list grows, 4 for each former
 * place more. Not for use by several threads at once.
 */
public final class KernelWorklist implements AutoCloseable {
  private final Device device;
  private DeviceArray<int[]> places;

  /** How many items were pushed, popped, and there when marks were counted. */
  private DeviceArray<long[]> counters;

  /**
   * An empty list.
   *
   * @param device where it lies
   * @param capacity items that it has room for, up to 2<sup>32</sup> - 1
   * @throws DeviceOutOfMemoryException if there is no memory
   */
  public KernelWorklist(Device device, long capacity) {
    this.device = device;
    this.places = device.ints(checked(capacity));
    try {
      this.counters = device.longs(3);
    } catch (RuntimeException | Error e) {
      places.close();
      throw e;
    }
  }

  private static long checked(long capacity) {
    if (capacity < 0 || capacity >= 1L << 32) {
      throw new IllegalArgumentException(
          "the capacity of a worklist must be from 0 to 2^32 - 1, got " + capacity);
    }
    return capacity;
  }

  /** The device it lies on. */
  public Device device() {
    return device;
  }

  /** Items that it has room for. */
  public long capacity() {
    return places.length();
  }

  /**
   * How many items it has. Waits for the device.
   *
   * @throws OverflowException if more were pushed than it has places
   */
  public long size() {
    long pushed = pushed();
    if (pushed > capacity()) {
      throw new OverflowException(capacity(), pushed);
    }
    return pushed;
  }

  /** How many items were pushed to it, with those that found no place. Waits for the device. */
  public long pushed() {
    return counters.getLong(0);
  }

  /**
   * Makes room for at least so many items, and keeps those that there are, as far as they found
   * places. It never shrinks. Waits for the device if it grows.
   *
   * @throws DeviceOutOfMemoryException if there is no memory; the list is as it was
   */
  public void reserve(long capacity) {
    if (checked(capacity) <= capacity()) {
      return;
    }
    long kept = Math.min(pushed(), capacity());
    DeviceArray<int[]> more = device.ints(capacity);
    try {
      more.slice(0, kept).copyFrom(places.slice(0, kept));
      counters.set(0, kept);
    } catch (RuntimeException | Error e) {
      more.close();
      throw e;
    }
    places.close();
    places = more;
  }

  /** Removes all items. */
  public void clear() {
    counters.fill(0);
  }

  /** Lets all items be popped anew. */
  public void rewind() {
    counters.set(1, 0);
  }

  /**
   * Replaces the contents by these items; makes room for them. Waits for the device.
   *
   * @throws DeviceOutOfMemoryException if there is no memory; the list is as it was
   */
  public void fill(int... items) {
    Objects.requireNonNull(items, "items");
    reserve(items.length);
    clear();
    places.copyFrom(items, 0, 0, items.length);
    counters.set(0, items.length);
  }

  /**
   * Replaces the contents by the first elements of an array on the same device; makes room for
   * them, for which it waits for the device.
   *
   * @param items are copied
   * @param count how many of them
   * @throws DeviceOutOfMemoryException if there is no memory; the list is as it was
   */
  public void fillFrom(DeviceArray<int[]> items, long count) {
    DeviceArray<int[]> source = items.slice(0, count);
    reserve(count);
    clear();
    places.slice(0, count).copyFrom(source);
    counters.set(0, count);
  }

  /**
   * Copies the items, in the order of the list, to an array on the same device.
   *
   * @param target receives them
   * @param index of the first one there
   * @return how many there are
   * @throws OverflowException if more were pushed than it has places
   */
  public long copyTo(DeviceArray<int[]> target, long index) {
    long size = size();
    target.slice(index, size).copyFrom(places.slice(0, size));
    return size;
  }

  /**
   * A copy of the items, in the order of the list.
   *
   * @throws OverflowException if more were pushed than it has places
   */
  public int[] items() {
    return places.slice(0, size()).toArray();
  }

  /**
   * Takes over what was pushed to another list, between launches. Nothing of what this list had is
   * kept, and the other one is empty afterwards. The two exchange their memory, so that nothing is
   * copied. Waits for the device.
   *
   * @param other on the same device
   * @return how many items this list has now
   * @throws OverflowException if more were pushed to the other one than it has places; both are as
   *     they were
   */
  public long takeFrom(KernelWorklist other) {
    if (other == this || other.device != device) {
      throw new IllegalArgumentException(
          "a list takes from another one of its device: " + this + " and " + other);
    }
    long size = other.size();
    DeviceArray<int[]> emptied = places;
    DeviceArray<long[]> counted = counters;
    places = other.places;
    counters = other.counters;
    other.places = emptied;
    other.counters = counted;
    other.clear();
    return size;
  }

  /**
   * The value of a kernel's member of type {@code magpie::worklist}: the list as it is now, to be
   * set anew after {@link #takeFrom} and {@link #reserve}.
   */
  public Fields fields() {
    return new Fields()
        .set("items", places)
        .set("pushed", counters.slice(0, 1))
        .set("popped", counters.slice(1, 1))
        .set("before", counters.slice(2, 1));
  }

  /** The places of items. */
  DeviceArray<int[]> places() {
    return places;
  }

  /** Frees the memory. Closing twice is harmless. */
  @Override
  public void close() {
    Closing.all(places, counters);
  }

  /** Without a look at the device; {@link #items} shows the items. */
  @Override
  public String toString() {
    return "worklist of " + capacity() + " places on " + device.description().spec();
  }

  /**
   * Kernels pushed more items to a {@link KernelWorklist} than it has places; the rest is lost.
   * What to do is to {@linkplain KernelWorklist#reserve make room}, {@linkplain
   * KernelWorklist#clear clear} the list of those that found places, {@linkplain
   * KernelWorklist#rewind rewind} the list that the kernel popped items from, and launch it again.
   */
  public static final class OverflowException extends MagpieException {
    private static final long serialVersionUID = 1L;

    private final long capacity;
    private final long needed;

    /**
     * @param capacity places that the list has
     * @param needed places that all items would have taken
     */
    public OverflowException(long capacity, long needed) {
      super(
          String.format(
              Locale.ROOT,
              "%,d items were pushed to a worklist of %,d places, and %,d found none: call reserve(%d)"
                  + " and clear() on it, and rewind() on the list that the kernel popped from, and"
                  + " launch the kernel again",
              needed,
              capacity,
              needed - capacity,
              needed));
      this.capacity = capacity;
      this.needed = needed;
    }

    /** Places that the list has. */
    public long capacity() {
      return capacity;
    }

    /** Places that all items would have taken: what to ask for. */
    public long needed() {
      return needed;
    }
  }
}
