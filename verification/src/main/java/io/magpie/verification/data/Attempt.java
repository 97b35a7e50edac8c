package io.magpie.verification.data;

import io.magpie.stm.Recording.Format;
import io.magpie.verification.explore.AttemptId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One attempt of an item, as a trace has it. */
final class Attempt {
  /** No event. */
  static final int NEVER = -1;

  /** The end of an attempt that committed. */
  static final long COMMIT = Format.COMMIT;

  /** The end of one that canceled. */
  static final long CANCEL = Format.CANCEL;

  /** The end of one that failed by nothing: the region itself asked for another. */
  static final long ASKED_AGAIN = Format.ABORT + Format.REQUESTED;

  /**
   * The address, at which nothing is, of what an irrevocable attempt has for itself as if it were
   * an object: the launch's token. The side effects of one such attempt come before those of the
   * next.
   */
  static final long IRREVOCABLE = -1;

  final long item;
  final int number;
  final int thread;

  /** Which of the items that the launch ran it is of: several may have one number. */
  final int execution;

  /** By the objects' addresses, {@link #IRREVOCABLE} too, the events at which they were claimed. */
  final Map<Long, Integer> opened = new LinkedHashMap<>();

  /** Without those of inner transactions that were undone, except what stays of these. */
  final List<Access> accesses = new ArrayList<>();

  /** What it read in inner transactions that were undone. */
  final List<Access> undoneReads = new ArrayList<>();

  /** The slots that it took and freed, without those of inner transactions that were undone. */
  final List<SlotUse> slotUses = new ArrayList<>();

  /** Those that it took in inner transactions that were undone, by which it gave them back. */
  final List<GivenBack> givenBack = new ArrayList<>();

  /** The items that it pushed, without those of inner transactions that were undone. */
  final List<Long> pushes = new ArrayList<>();

  /** The event of its fault. */
  int fault = NEVER;

  /** The last event that says that it continues although it has failed. */
  int inVain = NEVER;

  /** Where it is in the serial order, if it committed or canceled. */
  int serial = NEVER;

  /** Whether an inner transaction was undone: if by a cancel, the serial place is that one's. */
  boolean undidInner;

  /** Whether it was to commit, and canceled because an inner transaction of it had. */
  boolean gaveUp;

  /** How it ended; negative if it did not. */
  long outcome = -1;

  /**
   * A slot that an inner transaction took and, when it was undone, gave back.
   *
   * @param taken where it was taken
   * @param since at which event it was given back
   * @param last what the inner transaction accessed last before that
   */
  record GivenBack(SlotUse taken, int since, Optional<Access> last) {}

  Attempt(long item, int number, int thread, int execution) {
    this.item = item;
    this.number = number;
    this.thread = thread;
    this.execution = execution;
  }

  /** Whether another attempt of the launch is of the same item, and not of one of its number. */
  boolean isOfItem(Attempt other) {
    return execution == other.execution;
  }

  /** Its name. */
  AttemptId id() {
    return new AttemptId(item, number, thread);
  }

  /** Whether a number is that of a slot that it gave back. */
  boolean givesBack(long slot) {
    return givenBack.stream().anyMatch(each -> each.taken().slot() == slot);
  }

  /** Whether it has a place in the serial order. */
  boolean stands() {
    return serial != NEVER && (outcome == COMMIT || outcome == CANCEL);
  }
}
