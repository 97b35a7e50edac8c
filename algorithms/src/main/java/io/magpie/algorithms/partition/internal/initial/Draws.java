package io.magpie.algorithms.partition.internal.initial;

import io.magpie.algorithms.internal.SeededHash;

/** A sequence of random numbers that depends on its seed only. Not for several threads. */
final class Draws {
  private final long key;
  private long next;

  Draws(long seed) {
    key = SeededHash.key(seed);
  }

  /** A number in {@code 0 .. bound - 1}. */
  int below(int bound) {
    return SeededHash.below(SeededHash.draw(key, next++), bound);
  }

  /** A seed for another sequence. */
  long seed() {
    return SeededHash.draw(key, next++);
  }

  /** The numbers {@code 0 .. count - 1} in random order. */
  int[] permutation(int count) {
    int[] order = new int[count];
    for (int i = 0; i < count; i++) {
      int j = below(i + 1);
      order[i] = order[j];
      order[j] = i;
    }
    return order;
  }
}
