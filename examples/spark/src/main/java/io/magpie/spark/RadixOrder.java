package io.magpie.spark;

/** Stable orders of numbers by radix sort; bytes in which all agree cost nothing. */
final class RadixOrder {
  private static final int BITS = 11;
  private static final int DIGITS = 1 << BITS;

  private RadixOrder() {}

  /**
   * Sorts indices of an array by what is there, signed.
   *
   * @param keys what they are sorted by
   * @param order the indices, each below {@code keys.length}; not changed
   * @return the indices in ascending order of their keys; of equal ones as they were
   */
  static int[] sorted(long[] keys, int[] order) {
    long differing = 0;
    for (int index : order) {
      differing |= keys[index] ^ keys[order[0]];
    }
    int[] from = order.clone();
    int[] to = new int[order.length];
    for (int shift = 0; shift < Long.SIZE; shift += BITS) {
      if ((differing >>> shift & DIGITS - 1) == 0) {
        continue;
      }
      int[] begin = new int[DIGITS + 1];
      for (int index : from) {
        begin[digit(keys[index], shift) + 1]++;
      }
      for (int d = 0; d < DIGITS; d++) {
        begin[d + 1] += begin[d];
      }
      for (int index : from) {
        to[begin[digit(keys[index], shift)]++] = index;
      }
      int[] done = to;
      to = from;
      from = done;
    }
    return from;
  }

  private static int digit(long key, int shift) {
    return (int) ((key ^ Long.MIN_VALUE) >>> shift) & DIGITS - 1;
  }
}
