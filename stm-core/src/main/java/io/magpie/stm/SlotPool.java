package io.magpie.stm;

import io.magpie.stm.internal.ControlBlock;
import io.magpie.stm.simulator.AccessTrace;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Slots of a device's arrays that transactions take and free; see {@code
 * magpie/stm/detail/pool.cuh}. A slot is a number below the capacity, which a region uses as index
 * of objects and data. Slots freed in a launch can be taken again in the next one.
 *
 * <p>Passed to a region for a field of type {@code stm::pool}. Between runs every slot is free or
 * live; after a run that threw it is not known which, and the pool cannot be used until it is
 * {@linkplain #reset() reset}. A run ends with a {@link KernelFaultException} when more slots came
 * back than were live or handed out, because a region freed some twice; {@code cpu-checked} and
 * {@code sim} look at the slots themselves, and find each that came back twice or was free before.
 */
public final class SlotPool implements Device.Owned {
  private static final long MOST = Integer.MAX_VALUE;

  private final Device device;
  private final long firstFree;
  private long slots;
  private long capacity;
  private long recycled;
  private long firstFresh;
  private boolean spoiled;
  private boolean closed;

  SlotPool(Device device, long capacity, long firstFree) {
    checkCapacity(capacity);
    if (firstFree < 0 || firstFree > capacity) {
      throw new IllegalArgumentException(
          "the first free slot must be from 0 to the capacity, " + capacity + ", got " + firstFree);
    }
    this.device = device;
    this.capacity = capacity;
    this.firstFree = firstFree;
    this.firstFresh = firstFree;
    device.exclusively(
        () -> {
          slots = allocate(capacity);
          device.opened(this, "pool of " + capacity + " slots");
          return null;
        });
  }

  private static void checkCapacity(long capacity) {
    if (capacity < 0 || capacity > MOST) {
      throw new IllegalArgumentException(
          "the capacity of a pool must be from 0 to 2^31 - 1, got " + capacity);
    }
  }

  /** Room for the recycled slots and, behind them, for those that a launch returns. */
  private long allocate(long capacity) {
    return device.allocate(Math.max(1, capacity) * 8, "pool of " + capacity + " slots");
  }

  /** The device it lies on. */
  public Device device() {
    return device;
  }

  /** Number of slots, free and live. */
  public long capacity() {
    return device.exclusively(() -> capacity);
  }

  /** Slots that can be taken. */
  public long free() {
    return device.exclusively(() -> recycled + capacity - firstFresh);
  }

  /** Slots that are in use. */
  public long live() {
    return device.exclusively(() -> firstFresh - recycled);
  }

  /** A bound of the live slots: those from here on were never taken. */
  public long firstFresh() {
    return device.exclusively(() -> firstFresh);
  }

  /**
   * The free slots below {@link #firstFresh()}, in no order.
   *
   * @throws IllegalStateException if the pool is closed, or a run that threw had it
   */
  public int[] recycled() {
    return device.exclusively(
        () -> {
          requireUsable();
          int[] found = new int[(int) recycled];
          if (recycled > 0) {
            device.backend().read(slots, found, 0, found.length);
          }
          return found;
        });
  }

  /**
   * Gives it more slots, which are free; what is live stays so. Arrays and objects that the slots
   * index are their owner's to grow.
   *
   * @param newCapacity at least the present one, at most 2^31 - 1
   * @throws IllegalStateException if the pool is closed, or a run that threw had it
   * @throws DeviceOutOfMemoryException if there is no memory; the pool is as it was
   */
  public void grow(long newCapacity) {
    checkCapacity(newCapacity);
    device.exclusively(
        () -> {
          requireUsable();
          if (newCapacity < capacity) {
            throw new IllegalArgumentException(
                "a pool of " + capacity + " slots cannot shrink to " + newCapacity);
          }
          long larger = allocate(newCapacity);
          if (recycled > 0) {
            device.backend().copy(slots, larger, recycled * 4);
          }
          device.backend().free(slots);
          slots = larger;
          capacity = newCapacity;
          return null;
        });
  }

  /**
   * Makes the slots live and free as they are in another pool, which may lie on another device: for
   * work that goes on there. What the slots index is its owner's to copy.
   *
   * @param source a pool of any capacity whose {@link #firstFresh()} is at most this one's
   *     capacity; slots that only this pool has are free
   * @throws IllegalArgumentException if slots of {@code source} may be live that this pool does not
   *     have
   * @throws IllegalStateException if one of them is closed, or a run that threw had {@code source};
   *     one that had this pool is forgotten
   */
  public void copyFrom(SlotPool source) {
    record State(int[] recycled, long firstFresh) {}

    // Of one device at a time: nobody waits for one while having the other.
    State state = source.device.exclusively(() -> new State(source.recycled(), source.firstFresh));
    device.exclusively(
        () -> {
          if (state.firstFresh > capacity) {
            throw new IllegalArgumentException(
                this + " is too small for " + state.firstFresh + " slots of " + source);
          }
          spoiled = false;
          requireUsable(); // open
          spoiled = true; // unless all of it succeeds
          if (state.recycled.length > 0) {
            device.backend().write(state.recycled, 0, state.recycled.length, slots);
          }
          recycled = state.recycled.length;
          firstFresh = state.firstFresh;
          spoiled = false;
          return null;
        });
  }

  /**
   * Takes free slots, which are live then, as if a region had taken them.
   *
   * @param taken each once
   * @throws IllegalArgumentException if one of them is live, or not a slot; none is taken
   * @throws IllegalStateException if the pool is closed, or a run that threw had it
   */
  public void take(int... taken) {
    device.exclusively(
        () -> {
          requireUsable();
          BitSet wanted = new BitSet();
          long end = firstFresh;
          for (int slot : taken) {
            if (slot < 0 || slot >= capacity || wanted.get(slot)) {
              throw new IllegalArgumentException(this + " has no free slot " + slot);
            }
            wanted.set(slot);
            end = Math.max(end, slot + 1L);
          }
          IntStream before = Arrays.stream(recycled());
          IntStream fresh = IntStream.range((int) firstFresh, (int) end);
          int[] left =
              IntStream.concat(before, fresh)
                  .filter(
                      slot -> {
                        boolean takes = wanted.get(slot);
                        wanted.clear(slot);
                        return !takes;
                      })
                  .toArray();
          if (!wanted.isEmpty()) {
            throw new IllegalArgumentException(
                "slot " + wanted.nextSetBit(0) + " of " + this + " is live");
          }
          if (left.length > 0) {
            device.backend().write(left, 0, left.length, slots);
          }
          recycled = left.length;
          firstFresh = end;
          return null;
        });
  }

  /**
   * Makes the slots live and free as they were when the pool was made; those that it has been given
   * since are free. The pool can be used again, also after a run that threw.
   *
   * @throws IllegalStateException if the pool is closed
   */
  public void reset() {
    device.exclusively(
        () -> {
          spoiled = false;
          requireUsable();
          recycled = 0;
          firstFresh = firstFree;
          return null;
        });
  }

  /** Frees the memory. Closing twice is harmless. */
  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    device.closed(this);
    device.free(slots);
  }

  private void requireUsable() {
    if (closed) {
      throw new IllegalStateException(this + " is closed");
    }
    if (spoiled) {
      throw new IllegalStateException(
          this
              + " was in use when a run failed: it is unknown which slots are free; reset the pool, or"
              + " make a new one");
    }
  }

  /** Its slots as a trace knows them, under the name of a field. */
  AccessTrace.Memory memory(String field) {
    return new AccessTrace.Memory(
        field,
        slots,
        capacity * Integer.BYTES,
        Integer.BYTES,
        AccessTrace.Memory.Contents.SLOTS,
        firstFresh);
  }

  /** Writes the field of a functor. */
  void writeTo(ByteBuffer buffer, int at, ArgumentPlaces.OfObjects places) {
    requireUsable();
    buffer
        .putLong(at + places.slots(), slots)
        .putInt(at + places.recycled(), (int) recycled)
        .putInt(at + places.firstFresh(), (int) firstFresh)
        .putInt(at + places.capacity(), (int) capacity);
  }

  /** Where slots go that the next launch returns. */
  ControlBlock.Returned returned() {
    return new ControlBlock.Returned(slots + recycled * 4, (int) capacity);
  }

  /**
   * After a launch: the places that it handed out are no longer free, and what it returned is.
   *
   * @param handedOut places, perhaps beyond the supply
   * @param returned slots behind the recycled ones
   * @param checked whether to look at the slots themselves
   * @return why that cannot be, because the region broke the rules; the pool is then not to be used
   *     any more
   */
  Optional<String> settle(long handedOut, long returned, boolean checked) {
    long live = firstFresh - recycled;
    long supplied = Math.min(handedOut, capacity - live);
    if (returned > live + supplied) {
      spoil();
      return Optional.of(
          String.format(
              Locale.ROOT,
              "%,d slots came back of %,d live and %,d handed out: some were freed more than once,"
                  + " or were not live",
              returned,
              live,
              supplied));
    }
    long gap = Math.min(supplied, recycled);
    long moved = Math.min(gap, returned);
    // The returned slots begin where the recycled ones ended; the last of them fill the gap.
    if (moved > 0) {
      device
          .backend()
          .copy(slots + (recycled + returned - moved) * 4, slots + (recycled - gap) * 4, moved * 4);
    }
    firstFresh += supplied - gap;
    recycled += returned - gap;
    Optional<String> wrong = checked ? wrongRecycled() : Optional.empty();
    wrong.ifPresent(each -> spoil());
    return wrong;
  }

  /** What is wrong with the recycled slots: each was taken before, and is there once. */
  private Optional<String> wrongRecycled() {
    BitSet free = new BitSet((int) firstFresh);
    int[] chunk = new int[(int) Math.min(recycled, 1 << 18)];
    for (long at = 0; at < recycled; at += chunk.length) {
      int part = (int) Math.min(chunk.length, recycled - at);
      device.backend().read(slots + at * 4, chunk, 0, part);
      for (int i = 0; i < part; i++) {
        if (chunk[i] < 0 || chunk[i] >= firstFresh) {
          return Optional.of(
              "slot " + Integer.toUnsignedLong(chunk[i]) + " came back, which was never taken");
        }
        if (free.get(chunk[i])) {
          return Optional.of("slot " + chunk[i] + " was freed more than once, or was not live");
        }
        free.set(chunk[i]);
      }
    }
    return Optional.empty();
  }

  /** Notes that a launch ended in the middle of transactions. */
  void spoil() {
    spoiled = true;
  }

  @Override
  public String toString() {
    return "pool of " + capacity + " slots on " + device.description().spec();
  }
}
