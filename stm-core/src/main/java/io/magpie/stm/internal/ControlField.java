package io.magpie.stm.internal;

import io.magpie.stm.FieldKind;
import java.util.Locale;

/**
 * A field of the {@link ControlBlock}; its name in lower case is that in the source, with {@code
 * work.} before those of a {@code worklist} and {@code conflicts.} before those of a {@code
 * conflict_table}. A module's table says where it lies.
 */
public enum ControlField {
  /** Number of positions of the launch. */
  ITEMS,
  /** Address of 32-bit item ids, one for each position; 0 = the item is its position. */
  LIST,
  /** Address of the bitmap of unfinished positions. */
  PENDING,
  /** Address of the counters. */
  STATISTICS,
  /** Address of the 32-bit watchdog flag. */
  STOP,
  /** Address of the paged logs; 0 for fixed logs. */
  SCRATCH,
  /** Rank of position 0; position p has p less. */
  FIRST_RANK,
  /** Objects that one thread's paged log holds. */
  SCRATCH_OBJECTS,
  /** Writes that one thread's paged log holds. */
  SCRATCH_WRITES,
  /** Attempts of one item; 0 = no bound. */
  MAX_ATTEMPTS,
  /** Polls of one attempt's waits. */
  POLLS,
  /**
   * Longest pause in nanoseconds, and {@link ControlBlock#LINEAR_BACK_OFF}, {@link
   * ControlBlock#POLICYS_BACK_OFF}; 0 = none.
   */
  BACK_OFF,
  /**
   * 0: all positions run; {@link ControlBlock#BY_BITS}: those whose bit is set in the bitmap; else
   * so many positions, which are listed behind its 32-bit words.
   */
  ONLY_PENDING,
  /** Whether a higher claim is met by rolling back at once. */
  GIVE_WAY,
  /** Transactions of one warp in flight at the same time; 0 = the policy's choice. */
  LANES,
  /** Attempts of one item that lock what they open, before it claims; 0 = none. */
  EAGER_ATTEMPTS,
  /** Address of where a recording module logs attempts; 0 = nowhere. */
  HISTORY,
  /** {@link ControlBlock.Rounds#pushed()}. */
  WORK_PUSHED,
  /** {@link ControlBlock.Rounds#deferred()}. */
  WORK_DEFERRED,
  /** {@link ControlBlock.Rounds#deferredRanks()}. */
  WORK_DEFERRED_RANKS,
  /** {@link ControlBlock.Rounds#carriedRanks()}. */
  WORK_CARRIED_RANKS,
  /** {@link ControlBlock.Rounds#carried()}. */
  WORK_CARRIED,
  /** {@link ControlBlock.Rounds#pushedCapacity()}. */
  WORK_PUSHED_CAPACITY,
  /** {@link ControlBlock.Rounds#deferredCapacity()}. */
  WORK_DEFERRED_CAPACITY,
  /** {@link ControlBlock.Rounds#deferLosers()}. */
  WORK_DEFER_LOSERS,
  /** {@link ControlBlock.Returned#address()} of each pool. */
  RETURNED,
  /** {@link ControlBlock.Returned#room()} of each pool. */
  RETURNED_ROOM,
  /** Address of where conflicts are counted by object; 0 = nowhere. */
  CONFLICTS_WORDS,
  /** Objects that there is room for, a power of 2. */
  CONFLICTS_SLOTS;

  /** Whether it is only in modules that sample conflicts. */
  boolean isOfSampling() {
    return this == CONFLICTS_WORDS || this == CONFLICTS_SLOTS;
  }

  int elements() {
    return this == RETURNED || this == RETURNED_ROOM ? FieldKind.MOST_POOLS : 1;
  }

  String nameInTable() {
    return name().toLowerCase(Locale.ROOT).replaceFirst("^(work|conflicts)_", "$1.");
  }
}
