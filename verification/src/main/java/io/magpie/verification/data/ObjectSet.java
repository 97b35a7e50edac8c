package io.magpie.verification.data;

import java.util.Arrays;

/** A set of objects that is cleared at no cost. */
final class ObjectSet {
  private int[] members = new int[8];
  private int size;

  /** Objects below the generation that they are of: others' places are free. */
  private long[] slots = new long[32];

  private int generation = 1;

  void clear() {
    size = 0;
    if (++generation == Integer.MAX_VALUE) {
      Arrays.fill(slots, 0);
      generation = 1;
    }
  }

  int size() {
    return size;
  }

  /** In the order in which they came. */
  int member(int i) {
    return members[i];
  }

  int[] toArray() {
    return Arrays.copyOf(members, size);
  }

  boolean contains(int object) {
    return slots[slot(object)] == entry(object);
  }

  boolean containsAny(int[] objects) {
    for (int object : objects) {
      if (contains(object)) {
        return true;
      }
    }
    return false;
  }

  void addAll(int[] objects) {
    for (int object : objects) {
      add(object);
    }
  }

  void add(int object) {
    int slot = slot(object);
    if (slots[slot] == entry(object)) {
      return;
    }
    if (size == members.length) {
      members = Arrays.copyOf(members, Growth.capacity(size + 1L, size));
    }
    members[size++] = object;
    slots[slot] = entry(object);
    if (4L * size > slots.length) {
      slots = new long[2 * slots.length];
      for (int i = 0; i < size; i++) {
        slots[slot(members[i])] = entry(members[i]);
      }
    }
  }

  private long entry(int object) {
    return (long) generation << 32 | object;
  }

  /** Where an object is, or would be. */
  private int slot(int object) {
    long entry = entry(object);
    int slot = Hash.of(object) & slots.length - 1;
    while (slots[slot] != entry && (int) (slots[slot] >>> 32) == generation) {
      slot = slot + 1 & slots.length - 1;
    }
    return slot;
  }
}
