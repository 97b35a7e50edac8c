package io.magpie.verification.data;

import java.util.Arrays;

/** A number for each object, 0 at first. Takes 4 bytes for each up to the greatest that has one. */
final class ObjectCounts {
  private int[] counts;

  /**
   * @param expected how many objects there are likely to be
   */
  ObjectCounts(int expected) {
    counts = new int[expected];
  }

  int of(int object) {
    return object < counts.length ? counts[object] : 0;
  }

  void set(int object, int count) {
    if (object >= counts.length) {
      counts = Arrays.copyOf(counts, Growth.capacity(object + 1L, counts.length));
    }
    counts[object] = count;
  }
}
