package io.magpie.verification.data;

/**
 * A set of numbers below a bound that gives its least or its greatest one. Each number has a bit,
 * and each word that is not 0 has one in the level above: so many steps as the bound has digits to
 * the base of 64.
 */
final class NumberQueue {
  private final long[][] levels; // the last one has a single word

  NumberQueue(int bound) {
    int depth = 1;
    for (int words = words(bound); words > 1; words = words(words)) {
      depth++;
    }
    this.levels = new long[depth][];
    int size = bound;
    for (int level = 0; level < depth; level++) {
      size = words(size);
      levels[level] = new long[size];
    }
  }

  private static int words(int bits) {
    return Math.max(1, (bits >>> 6) + ((bits & 63) != 0 ? 1 : 0));
  }

  boolean isEmpty() {
    return levels[levels.length - 1][0] == 0;
  }

  void add(int number) {
    int bit = number;
    for (long[] level : levels) {
      long before = level[bit >>> 6];
      level[bit >>> 6] = before | 1L << bit;
      if (before != 0) {
        return;
      }
      bit >>>= 6;
    }
  }

  /** Takes a number out of a set that is not empty. */
  int poll(boolean greatest) {
    int number = 0;
    for (int level = levels.length - 1; level >= 0; level--) {
      long word = levels[level][number];
      int bit = greatest ? 63 - Long.numberOfLeadingZeros(word) : Long.numberOfTrailingZeros(word);
      number = number << 6 | bit;
    }
    remove(number);
    return number;
  }

  private void remove(int number) {
    int bit = number;
    for (long[] level : levels) {
      long after = level[bit >>> 6] & ~(1L << bit);
      level[bit >>> 6] = after;
      if (after != 0) {
        return;
      }
      bit >>>= 6;
    }
  }
}
