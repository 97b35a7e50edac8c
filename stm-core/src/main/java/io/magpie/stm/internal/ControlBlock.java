package io.magpie.stm.internal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The launch parameters that every region's kernel begins with: {@code control} of {@code
 * magpie/stm/detail/objects.cuh}, which says what each means. What is not set is zero.
 */
public final class ControlBlock {
  /**
   * What a launch carries on, and where its new work goes. Items and ranks have 32 bits.
   *
   * @param pushed address of the first pushed item; the others follow
   * @param deferred address behind the first deferred item; the others precede it
   * @param deferredRanks address behind the first deferred item's rank; the others precede it
   * @param carriedRanks address of the ranks of the carried positions
   * @param carried positions with ranks of their own; the others have {@code firstRank} and on
   * @param pushedCapacity pushed items that there is room for
   * @param deferredCapacity deferred items that there is room for
   * @param deferLosers whether a failed attempt ends its item for this launch
   */
  public record Rounds(
      long pushed,
      long deferred,
      long deferredRanks,
      long carriedRanks,
      int carried,
      int pushedCapacity,
      int deferredCapacity,
      boolean deferLosers) {
    /** The part of an item that runs alone: its first rank is its own. */
    public Rounds alone() {
      return new Rounds(
          pushed, deferred, deferredRanks, 0, 0, pushedCapacity, deferredCapacity, deferLosers);
    }
  }

  /**
   * Where the slots of a pool go that are freed or left over.
   *
   * @param address of 32-bit words; 0 = no pool
   * @param room number of words; nothing is written beyond
   */
  public record Returned(long address, int room) {}

  /** For {@link ControlField#ONLY_PENDING}: each position is asked for. */
  public static final int BY_BITS = -1;

  /** For {@link ControlField#BACK_OFF}: pauses grow by steps, else they double. */
  public static final long LINEAR_BACK_OFF = 1L << 31;

  /** For {@link ControlField#BACK_OFF}: it is the policy's, else it was asked for. */
  public static final long POLICYS_BACK_OFF = 1L << 30;

  /** The most nanoseconds of {@link ControlField#BACK_OFF}. */
  public static final long LONGEST_BACK_OFF = POLICYS_BACK_OFF - 1;

  /** Bytes that an object takes in a paged log; {@code magpie/stm/detail/log.cuh} says for what. */
  public static final int PAGED_OBJECT_BYTES = 28;

  /** Bytes that a write takes in a paged log. */
  public static final int PAGED_WRITE_BYTES = 36;

  /** Bytes of one thread's paged log for this many objects and writes. */
  public static long pagedLogBytes(long objects, long writes) {
    return (objects * PAGED_OBJECT_BYTES + writes * PAGED_WRITE_BYTES + 15) & ~15L;
  }

  private final LaunchLayout layout;
  private final ByteBuffer bytes;

  /** All zero, laid out as modules of this layout have it. */
  public ControlBlock(LaunchLayout layout) {
    this(layout, new byte[layout.controlBytes()]);
  }

  private ControlBlock(LaunchLayout layout, byte[] bytes) {
    this.layout = layout;
    this.bytes = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
  }

  /** Another block with the same values. */
  public ControlBlock copy() {
    return new ControlBlock(layout, bytes.array().clone());
  }

  /** Sets a field; gives this block. */
  public ControlBlock set(ControlField field, long value) {
    return set(field, 0, value);
  }

  /** Sets a field that is yes or no; gives this block. */
  public ControlBlock set(ControlField field, boolean value) {
    return set(field, value ? 1 : 0);
  }

  private ControlBlock set(ControlField field, int element, long value) {
    LaunchLayout.Place place = layout.place(field);
    int at = place.offset() + element * place.bytes();
    if (place.bytes() == 8) {
      bytes.putLong(at, value);
    } else if (value >= Integer.MIN_VALUE && value <= 0xFFFF_FFFFL) {
      bytes.putInt(at, (int) value);
    } else {
      throw new IllegalArgumentException(field + " has 32 bits, got " + value);
    }
    return this;
  }

  /** Sets the launch's part in a run in rounds; gives this block. */
  public ControlBlock set(Rounds rounds) {
    return set(ControlField.WORK_PUSHED, rounds.pushed)
        .set(ControlField.WORK_DEFERRED, rounds.deferred)
        .set(ControlField.WORK_DEFERRED_RANKS, rounds.deferredRanks)
        .set(ControlField.WORK_CARRIED_RANKS, rounds.carriedRanks)
        .set(ControlField.WORK_CARRIED, rounds.carried)
        .set(ControlField.WORK_PUSHED_CAPACITY, rounds.pushedCapacity)
        .set(ControlField.WORK_DEFERRED_CAPACITY, rounds.deferredCapacity)
        .set(ControlField.WORK_DEFER_LOSERS, rounds.deferLosers);
  }

  /** Sets where the slots of a pool go; gives this block. */
  public ControlBlock set(int pool, Returned returned) {
    return set(ControlField.RETURNED, pool, returned.address)
        .set(ControlField.RETURNED_ROOM, pool, returned.room);
  }

  /** Writes the block at the buffer's position 0. */
  public void writeTo(ByteBuffer buffer) {
    buffer.put(0, bytes.array());
  }
}
