package io.magpie.verification.data;

import java.util.Arrays;

/** Numbers keys from 0 in the order in which they come. */
final class Numbering {
  private long[] keys = new long[8];
  private int[] slots = new int[16]; // of each key's number, plus 1
  private int size;

  int size() {
    return size;
  }

  /** The number of a key, which gets one if it has none. */
  int number(long key) {
    int slot = slot(key);
    if (slots[slot] == 0) {
      if (size == keys.length) {
        keys = Arrays.copyOf(keys, Growth.capacity(size + 1L, size));
      }
      if (2L * (size + 1) > slots.length) {
        slots = new int[2 * slots.length];
        for (int i = 0; i < size; i++) {
          slots[slot(keys[i])] = i + 1;
        }
        slot = slot(key);
      }
      keys[size++] = key;
      slots[slot] = size;
    }
    return slots[slot] - 1;
  }

  /** The number of a key; -1 if it has none. */
  int find(long key) {
    return slots[slot(key)] - 1;
  }

  /** Where a key is, or would be. */
  private int slot(long key) {
    int slot = Hash.of(key) & slots.length - 1;
    while (slots[slot] != 0 && keys[slots[slot] - 1] != key) {
      slot = slot + 1 & slots.length - 1;
    }
    return slot;
  }
}
