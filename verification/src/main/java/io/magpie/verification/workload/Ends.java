package io.magpie.verification.workload;

import io.magpie.verification.history.History;

/** How the items of a run ended, up to 2<sup>28</sup>, each of them once. */
final class Ends {
  private static final int FACTOR = 0x9e3779b9; // 2^32 over the golden ratio
  private static final long ENDED = 1;
  private static final long COMMITTED = 2;
  private static final long AGAIN = 4;
  private static final int ITEM_SHIFT = 3;

  /** Items with how they ended, below them; 0 where there is none. At most half full. */
  private final long[] slots;

  private final int shift;

  Ends(History history) {
    int ended = 0;
    for (int attempt = 0; attempt < history.size(); attempt++) {
      ended += history.completed(attempt) ? 1 : 0;
    }
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(ended) + 1;
    this.slots = new long[1 << bits];
    this.shift = Integer.SIZE - bits;
    for (int attempt = 0; attempt < history.size(); attempt++) {
      if (history.completed(attempt)) {
        int item = history.item(attempt);
        boolean committed = history.outcome(attempt) == History.COMMIT;
        int slot = slot(item);
        slots[slot] =
            slots[slot] != 0
                ? slots[slot] | AGAIN
                : Integer.toUnsignedLong(item) << ITEM_SHIFT | ENDED | (committed ? COMMITTED : 0);
      }
    }
  }

  /** Whether an item committed; null if it did not end, or ended several times. */
  Boolean get(int item) {
    long slot = slots[slot(item)];
    return slot == 0 || (slot & AGAIN) != 0 ? null : (Boolean) ((slot & COMMITTED) != 0);
  }

  /** Where an item is, or would be. */
  private int slot(int item) {
    int slot = item * FACTOR >>> shift;
    while (slots[slot] != 0 && slots[slot] >>> ITEM_SHIFT != Integer.toUnsignedLong(item)) {
      slot = slot + 1 & slots.length - 1;
    }
    return slot;
  }
}
