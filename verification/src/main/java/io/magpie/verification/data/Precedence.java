package io.magpie.verification.data;

import java.util.Arrays;
import java.util.Optional;

/**
 * Which of some attempts, counted from 0, come before which; and orders that keep to that. Takes 12
 * bytes for each pair that was added.
 */
final class Precedence {
  private final int attempts;
  private int[] from = new int[16];
  private int[] to = new int[16];
  private int pairs;

  Precedence(int attempts) {
    this.attempts = attempts;
  }

  /** One comes before another. Adding the same pair again changes nothing. */
  void add(int from, int to) {
    if (from == to) {
      return;
    }
    if (pairs == this.from.length) {
      int more = Growth.capacity(pairs + 1L, pairs);
      this.from = Arrays.copyOf(this.from, more);
      this.to = Arrays.copyOf(this.to, more);
    }
    this.from[pairs] = from;
    this.to[pairs++] = to;
  }

  /**
   * An order.
   *
   * @param latestFirst whether of those that may come next the last one does; else the first
   * @return all of them; empty if they contradict each other
   */
  Optional<int[]> sorted(boolean latestFirst) {
    int[] ends = new int[attempts + 1]; // of what comes after each, in a row
    int[] left = new int[attempts]; // that come before each
    for (int i = 0; i < pairs; i++) {
      ends[from[i]]++;
      left[to[i]]++;
    }
    for (int i = 1; i <= attempts; i++) {
      ends[i] += ends[i - 1];
    }
    int[] after = new int[pairs];
    for (int i = pairs - 1; i >= 0; i--) {
      after[--ends[from[i]]] = to[i]; // which makes the ends beginnings
    }
    NumberQueue ready = new NumberQueue(attempts);
    for (int i = 0; i < attempts; i++) {
      if (left[i] == 0) {
        ready.add(i);
      }
    }
    int[] order = new int[attempts];
    int n = 0;
    while (!ready.isEmpty()) {
      int next = ready.poll(latestFirst);
      order[n++] = next;
      for (int i = ends[next]; i < ends[next + 1]; i++) {
        if (--left[after[i]] == 0) {
          ready.add(after[i]);
        }
      }
    }
    return n == attempts ? Optional.of(order) : Optional.empty();
  }
}
