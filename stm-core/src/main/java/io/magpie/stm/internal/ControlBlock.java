package io.magpie.stm.internal;

import java.nio.ByteBuffer;

/**
 * The launch parameters that every region's kernel begins with; {@code
 * magpie/stm/detail/objects.cuh} has the same layout.
 *
 * @param items number of positions of the launch
 * @param list address of 32-bit item ids, one for each position; 0 = the item is its position
 * @param pending address of the bitmap of unfinished positions
 * @param statistics address of {@link #STATISTICS} 64-bit counters
 * @param stop address of the 32-bit watchdog flag
 * @param scratch address of the paged logs; 0 for fixed logs
 * @param firstRank rank of position 0; position p has {@code firstRank - p}
 * @param scratchObjects objects that one thread's paged log holds
 * @param scratchWrites writes that one thread's paged log holds
 * @param maxAttempts attempts of one item; 0 = no bound
 * @param polls polls of one attempt's waits
 * @param backOff longest pause in nanoseconds; 0 = none
 * @param onlyPending {@link #ALL}: all positions run; {@link #BY_BITS}: those whose bit is set in
 *     the bitmap; else so many positions, which are listed behind its 32-bit words
 * @param rollBack whether a higher claim is met by rolling back at once
 * @param lanes transactions of one warp in flight at the same time; 0 = the policy's choice
 * @param eagerAttempts attempts of one item that lock what they open, before it claims; 0 = none
 * @param history address of where a recording module logs attempts; 0 = nowhere
 * @param rounds the launch's part in a run in rounds; null outside of one
 * @param returned for each pool of the region, where its freed and left-over slots go
 */
public record ControlBlock(
    long items,
    long list,
    long pending,
    long statistics,
    long stop,
    long scratch,
    int firstRank,
    int scratchObjects,
    int scratchWrites,
    int maxAttempts,
    int polls,
    int backOff,
    int onlyPending,
    boolean rollBack,
    int lanes,
    int eagerAttempts,
    long history,
    Rounds rounds,
    Returned... returned) {
  /**
   * What a launch carries on, and where its new work goes; {@code magpie/stm/detail/worklist.cuh}
   * has the same layout. Items and ranks have 32 bits.
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
      boolean deferLosers) {}

  /**
   * Where the slots of a pool go that are freed or left over.
   *
   * @param address of 32-bit words; 0 = no pool
   * @param room number of words; nothing is written beyond
   */
  public record Returned(long address, int room) {}

  /** Size in bytes. */
  public static final int BYTES = 192;

  /** For {@link #onlyPending()}: every position runs. */
  public static final int ALL = 0;

  /** For {@link #onlyPending()}: each position is asked for. */
  public static final int BY_BITS = -1;

  /** Number of 64-bit counters behind {@link #statistics()}. */
  public static final int STATISTICS = 63;

  /** Bytes that an object takes in a paged log; {@code magpie/stm/detail/log.cuh} says for what. */
  public static final int PAGED_OBJECT_BYTES = 28;

  /** Bytes that a write takes in a paged log. */
  public static final int PAGED_WRITE_BYTES = 36;

  /** Bytes of one thread's paged log for this many objects and writes. */
  public static long pagedLogBytes(long objects, long writes) {
    return (objects * PAGED_OBJECT_BYTES + writes * PAGED_WRITE_BYTES + 15) & ~15L;
  }

  /** Writes the block at the buffer's position 0, in the buffer's byte order. */
  public void writeTo(ByteBuffer buffer) {
    buffer
        .putLong(0, items)
        .putLong(8, list)
        .putLong(16, pending)
        .putLong(24, statistics)
        .putLong(32, stop)
        .putLong(40, scratch)
        .putInt(48, firstRank)
        .putInt(52, scratchObjects)
        .putInt(56, scratchWrites)
        .putInt(60, maxAttempts)
        .putInt(64, polls)
        .putInt(68, backOff)
        .putInt(72, onlyPending)
        .putInt(76, rollBack ? 1 : 0)
        .putInt(80, lanes)
        .putInt(84, eagerAttempts)
        .putLong(88, history);
    for (int at = 96; at < BYTES; at += 8) {
      buffer.putLong(at, 0);
    }
    if (rounds != null) {
      buffer
          .putLong(96, rounds.pushed)
          .putLong(104, rounds.deferred)
          .putLong(112, rounds.deferredRanks)
          .putLong(120, rounds.carriedRanks)
          .putInt(128, rounds.carried)
          .putInt(132, rounds.pushedCapacity)
          .putInt(136, rounds.deferredCapacity)
          .putInt(140, rounds.deferLosers ? 1 : 0);
    }
    for (int pool = 0; pool < returned.length; pool++) {
      buffer
          .putLong(144 + 8 * pool, returned[pool].address)
          .putInt(176 + 4 * pool, returned[pool].room);
    }
  }
}
