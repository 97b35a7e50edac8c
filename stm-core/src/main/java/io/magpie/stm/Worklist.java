package io.magpie.stm;

import io.magpie.stm.internal.Backend;
import io.magpie.stm.internal.ControlBlock;
import io.magpie.stm.internal.RankAllocator;
import java.util.Comparator;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * Items that wait to be {@linkplain Region#runRounds run in rounds}: new ones, and ones that an
 * earlier round deferred, each with its rank. An item is a 32-bit id; the same id may wait several
 * times. At most 2^31 - 2 items wait.
 *
 * <p>A run leaves in it what it did not get to. After a run that threw it is empty.
 */
public final class Worklist implements Device.Owned {
  private static final long MOST = RankAllocator.HIGHEST;

  private final Device device;
  private Buffer now = new Buffer();
  private Buffer next = new Buffer();
  private long carried;
  private long fresh;
  private long nextDeferred;
  private long nextPushed;
  private boolean closed;

  /**
   * A list that grows both ways: up from its middle new items, down from it deferred ones, with
   * their ranks. Lengths in words.
   */
  private final class Buffer {
    private long items;
    private long ranks;
    private long deferredCapacity;
    private long pushedCapacity;

    long middle() {
      return items + 4 * deferredCapacity;
    }

    long ranksEnd() {
      return ranks + 4 * deferredCapacity;
    }

    /** Makes room, keeping this many items on either side. */
    void reserve(long deferred, long pushed, long keptDeferred, long keptPushed) {
      if (deferred <= deferredCapacity && pushed <= pushedCapacity) {
        return;
      }
      Buffer larger = new Buffer();
      larger.deferredCapacity = Math.max(deferred, deferredCapacity);
      larger.pushedCapacity = Math.max(pushed, pushedCapacity);
      try {
        larger.items =
            device.allocate(
                4 * (larger.deferredCapacity + larger.pushedCapacity),
                "worklist of " + (larger.deferredCapacity + larger.pushedCapacity) + " items");
        larger.ranks =
            device.allocate(
                4 * larger.deferredCapacity, "ranks of " + larger.deferredCapacity + " items");
      } catch (RuntimeException e) {
        larger.free();
        throw e;
      }
      Backend backend = device.backend();
      if (keptDeferred + keptPushed > 0) {
        backend.copy(
            middle() - 4 * keptDeferred,
            larger.middle() - 4 * keptDeferred,
            4 * (keptDeferred + keptPushed));
      }
      if (keptDeferred > 0) {
        backend.copy(
            ranksEnd() - 4 * keptDeferred, larger.ranksEnd() - 4 * keptDeferred, 4 * keptDeferred);
      }
      free();
      items = larger.items;
      ranks = larger.ranks;
      deferredCapacity = larger.deferredCapacity;
      pushedCapacity = larger.pushedCapacity;
    }

    void free() {
      device.free(items);
      device.free(ranks);
      items = 0;
      ranks = 0;
      deferredCapacity = 0;
      pushedCapacity = 0;
    }
  }

  Worklist(Device device, long initialCapacity) {
    checkSize(initialCapacity);
    this.device = device;
    device.exclusively(
        () -> {
          now.reserve(0, initialCapacity, 0, 0);
          device.opened(this, "worklist");
          return null;
        });
  }

  private static void checkSize(long size) {
    if (size < 0 || size > MOST) {
      throw new IllegalArgumentException(
          "the size of a worklist must be from 0 to 2^31 - 2, got " + size);
    }
  }

  /** The device it lies on. */
  public Device device() {
    return device;
  }

  /** Number of items that wait. */
  public long size() {
    return device.exclusively(() -> carried + fresh);
  }

  /** How many of them a round deferred. */
  public long deferred() {
    return device.exclusively(() -> carried);
  }

  /** Replaces the contents by these items. */
  public void fill(int... items) {
    Objects.requireNonNull(items, "items");
    device.exclusively(
        () -> {
          begin(items.length);
          if (items.length > 0) {
            device.backend().write(items, 0, items.length, now.middle());
          }
          return null;
        });
  }

  /**
   * Replaces the contents by the first elements of an array on the same device, which are copied.
   *
   * @param items 32-bit ids of items
   * @param count how many of them
   */
  public void fillFrom(DeviceArray<int[]> items, long count) {
    Objects.requireNonNull(items, "items");
    if (items.device() != device) {
      throw new IllegalArgumentException(
          items + " is not on " + device.description().spec() + ": copy by way of a Java array");
    }
    Objects.checkFromIndexSize(0, count, items.length());
    checkSize(count);
    device.exclusively(
        () -> {
          long from = items.address();
          begin(count);
          if (count > 0) {
            device.backend().copy(from, now.middle(), 4 * count);
          }
          return null;
        });
  }

  /**
   * Copies the items, deferred ones first, into an array on the same device.
   *
   * @param target receives them
   * @param index of the first one there
   */
  public void copyTo(DeviceArray<int[]> target, long index) {
    Objects.requireNonNull(target, "target");
    if (target.device() != device) {
      throw new IllegalArgumentException(
          target + " is not on " + device.description().spec() + ": copy by way of a Java array");
    }
    device.exclusively(
        () -> {
          requireOpen();
          long count = carried + fresh;
          Objects.checkFromIndexSize(index, count, target.length());
          if (count > 0) {
            device.backend().copy(address(0), target.address() + 4 * index, 4 * count);
          }
          return null;
        });
  }

  private void begin(long count) {
    requireOpen();
    carried = 0;
    fresh = 0;
    now.reserve(0, count, 0, 0);
    fresh = count;
  }

  /** A copy of the items, deferred ones first. */
  public int[] items() {
    return device.exclusively(
        () -> {
          requireOpen();
          if (carried + fresh > Integer.MAX_VALUE - 8) {
            throw new IllegalStateException(this + " has more items than a Java array");
          }
          int[] found = new int[(int) (carried + fresh)];
          if (found.length > 0) {
            device.backend().read(address(0), found, 0, found.length);
          }
          return found;
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
    now.free();
    next.free();
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException(this + " is closed");
    }
  }

  // For RoundsRun, within the device's queue.

  /**
   * Items and, of these, deferred ones, before {@link #endRound()} those of the round that runs.
   */
  long waiting() {
    requireOpen();
    return carried + fresh;
  }

  long carried() {
    return carried;
  }

  /** Address of the item at a position of the round. */
  long address(long position) {
    return now.middle() + 4 * (position - carried);
  }

  /**
   * Makes room for what a launch over part of the round leaves.
   *
   * @param first first position
   * @param count number of positions
   * @param maxPushes items that one transaction pushes at most
   */
  ControlBlock.Rounds launch(long first, long count, int maxPushes, boolean deferLosers) {
    long room = nextPushed + count * maxPushes;
    if (room > next.pushedCapacity && count < waiting()) {
      room *= 2; // there will be more launches
    }
    next.reserve(waiting(), room, nextDeferred, nextPushed);
    return new ControlBlock.Rounds(
        next.middle() + 4 * nextPushed,
        next.middle() - 4 * nextDeferred,
        next.ranksEnd() - 4 * nextDeferred,
        now.ranksEnd() + 4 * (first - carried),
        (int) Math.max(0, Math.min(carried - first, count)),
        (int) Math.min(Integer.MAX_VALUE, count * maxPushes),
        (int) count,
        deferLosers);
  }

  /** Notes what a launch left. */
  void launched(long deferred, long pushed) {
    nextDeferred += deferred;
    nextPushed += pushed;
  }

  /** What the round left becomes what waits. */
  void endRound() {
    if (nextDeferred + nextPushed > MOST) {
      throw new MagpieException(
          (nextDeferred + nextPushed) + " items wait: more than there are ranks, 2^31 - 2");
    }
    Buffer emptied = now;
    now = next;
    next = emptied;
    carried = nextDeferred;
    fresh = nextPushed;
    nextDeferred = 0;
    nextPushed = 0;
  }

  /** A run failed: what waits is unknown. */
  void clear() {
    carried = 0;
    fresh = 0;
    nextDeferred = 0;
    nextPushed = 0;
  }

  /**
   * Gives the deferred items new ranks from the highest down, in the order of those they have.
   *
   * @return the highest rank that none of them has
   */
  long renumber() {
    if (carried > 0) {
      int count = (int) carried;
      int[] ranks = new int[count];
      long address = now.ranksEnd() - 4 * carried;
      device.backend().read(address, ranks, 0, count);
      int[] order =
          IntStream.range(0, count)
              .boxed()
              .sorted(Comparator.comparingInt(i -> -ranks[i]))
              .mapToInt(Integer::intValue)
              .toArray();
      for (int i = 0; i < count; i++) {
        ranks[order[i]] = RankAllocator.HIGHEST - i;
      }
      device.backend().write(ranks, 0, count, address);
    }
    return RankAllocator.HIGHEST - carried;
  }

  @Override
  public String toString() {
    return "worklist on " + device.description().spec();
  }
}
