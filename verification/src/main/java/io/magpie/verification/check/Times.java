package io.magpie.verification.check;

import io.magpie.verification.history.History;

/** Begin and end of each attempt, and which precedes which. */
final class Times {
  private static final int RADIX_BITS = 11;

  private final long[] begins;
  private final long[] ends;
  private final long skew;

  /**
   * @param skew differences of up to this are no precedence, 0 or greater
   */
  Times(History history, long skew) {
    this.skew = skew;
    begins = new long[history.size()];
    ends = new long[history.size()];
    long least = Long.MAX_VALUE;
    for (int i = 0; i < begins.length; i++) {
      begins[i] = history.begin(i);
      ends[i] = history.end(i);
      least = Math.min(least, begins[i]);
    }
    for (int i = 0; i < begins.length; i++) {
      begins[i] -= least;
      ends[i] -= least;
    }
  }

  /** Whether the first attempt had ended when the second began. */
  boolean precedes(int first, int second) {
    return begins[second] - ends[first] > skew;
  }

  long begin(int attempt) {
    return begins[attempt];
  }

  long end(int attempt) {
    return ends[attempt];
  }

  /** The attempts in order of begin; ties in the order given. */
  int[] byBegin(int[] attempts) {
    return sort(attempts, begins);
  }

  /** The attempts in order of end; ties in the order given. */
  int[] byEnd(int[] attempts) {
    return sort(attempts, ends);
  }

  /** A stable radix sort. */
  private static int[] sort(int[] attempts, long[] times) {
    int n = attempts.length;
    long greatest = 0;
    boolean sorted = true;
    long previous = 0;
    for (int attempt : attempts) {
      long time = times[attempt];
      greatest = Math.max(greatest, time);
      sorted &= previous <= time;
      previous = time;
    }
    int[] from = attempts.clone();
    if (sorted) {
      return from;
    }
    long[] keys = new long[n];
    for (int i = 0; i < n; i++) {
      keys[i] = times[from[i]];
    }
    int[] to = new int[n];
    long[] toKeys = new long[n];
    for (int shift = 0; shift < Long.SIZE && greatest >>> shift != 0; shift += RADIX_BITS) {
      int[] places = new int[(1 << RADIX_BITS) + 1];
      int mask = (1 << RADIX_BITS) - 1;
      for (long key : keys) {
        places[((int) (key >>> shift) & mask) + 1]++;
      }
      for (int d = 0; d < mask; d++) {
        places[d + 1] += places[d];
      }
      for (int i = 0; i < n; i++) {
        int place = places[(int) (keys[i] >>> shift) & mask]++;
        to[place] = from[i];
        toKeys[place] = keys[i];
      }
      int[] swap = from;
      from = to;
      to = swap;
      long[] swapKeys = keys;
      keys = toKeys;
      toKeys = swapKeys;
    }
    return from;
  }
}
