package io.magpie.verification.data;

import java.util.Arrays;

/**
 * A number for each object, 0 at first, where objects are few enough for an array: 4 bytes for each
 * up to the greatest that has one.
 */
final class ObjectCounts {
  private static final int MOST = 1 << 24;

  private int[] counts;

  /**
   * Makes room at once, where there may be any.
   *
   * @param greatest the greatest object, of those with recorded versions
   */
  ObjectCounts(int greatest) {
    counts = new int[holds(greatest) ? Math.max(greatest + 1, 1 << 4) : 1 << 10];
  }

  int of(int object) {
    return object < counts.length ? counts[object] : 0;
  }

  /** Whether there may be a number for an object. */
  static boolean holds(int object) {
    return object < MOST;
  }

  void set(int object, int count) {
    if (object >= counts.length) {
      counts = Arrays.copyOf(counts, Growth.capacity(object + 1L, counts.length));
    }
    counts[object] = count;
  }
}
