package io.magpie.verification.data;

import java.util.Arrays;

/**
 * Turns of attempts at objects, sorted by object, turn, and with cancels before the commit that has
 * the same turn; what is alike stays in the order in which it came. Takes 24 bytes for each.
 */
final class Turns {
  private static final int OBJECT_SHIFT = 33;
  private static final int DIGIT_BITS = 11;
  private static final int DIGITS = 1 << DIGIT_BITS;

  private long[] keys = new long[16]; // object, turn and whether it commits, from the highest bits
  private int[] nodes = new int[16];
  private int size;

  void add(int object, int turn, boolean commits, int node) {
    if (size == keys.length) {
      int more = Growth.capacity(size + 1L, size);
      keys = Arrays.copyOf(keys, more);
      nodes = Arrays.copyOf(nodes, more);
    }
    keys[size] =
        (long) object << OBJECT_SHIFT | Integer.toUnsignedLong(turn) << 1 | (commits ? 1 : 0);
    nodes[size++] = node;
  }

  int size() {
    return size;
  }

  int object(int i) {
    return (int) (keys[i] >>> OBJECT_SHIFT);
  }

  boolean commits(int i) {
    return (keys[i] & 1) != 0;
  }

  int node(int i) {
    return nodes[i];
  }

  /** By radix, from the lowest digit; digits in which all keys agree are left out. */
  void sort() {
    long differences = 0;
    for (int i = 1; i < size; i++) {
      differences |= keys[i] ^ keys[0];
    }
    if (differences == 0) {
      return;
    }
    long[] otherKeys = new long[size];
    int[] otherNodes = new int[size];
    int[] places = new int[DIGITS];
    while (differences != 0) {
      int shift = Long.numberOfTrailingZeros(differences);
      count(shift, places);
      for (int i = 0; i < size; i++) {
        int place = places[digit(keys[i], shift)]++;
        otherKeys[place] = keys[i];
        otherNodes[place] = nodes[i];
      }
      long[] sortedKeys = otherKeys;
      otherKeys = keys;
      keys = sortedKeys;
      int[] sortedNodes = otherNodes;
      otherNodes = nodes;
      nodes = sortedNodes;
      differences &= ~((DIGITS - 1L) << shift);
    }
  }

  private static int digit(long key, int shift) {
    return (int) (key >>> shift) & DIGITS - 1;
  }

  /** Where the keys of each digit begin. */
  private void count(int shift, int[] places) {
    Arrays.fill(places, 0);
    for (int i = 0; i < size; i++) {
      places[digit(keys[i], shift)]++;
    }
    int next = 0;
    for (int i = 0; i < DIGITS; i++) {
      int own = places[i];
      places[i] = next;
      next += own;
    }
  }
}
