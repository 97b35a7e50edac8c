package io.magpie.verification.data;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/** Which of some attempts, counted from 0, come before which; and orders that keep to that. */
final class Precedence {
  private final List<List<Integer>> after = new ArrayList<>();
  private final int[] before;

  Precedence(int attempts) {
    this.before = new int[attempts];
    for (int i = 0; i < attempts; i++) {
      after.add(new ArrayList<>());
    }
  }

  /** One comes before another. Adding the same pair again changes nothing. */
  void add(int from, int to) {
    if (from != to) {
      after.get(from).add(to);
      before[to]++;
    }
  }

  /**
   * An order.
   *
   * @param latestFirst whether of those that may come next the last one does; else the first
   * @return all of them; empty if they contradict each other
   */
  Optional<int[]> sorted(boolean latestFirst) {
    PriorityQueue<Integer> ready =
        new PriorityQueue<>((a, b) -> latestFirst ? Integer.compare(b, a) : Integer.compare(a, b));
    int[] left = before.clone();
    for (int i = 0; i < left.length; i++) {
      if (left[i] == 0) {
        ready.add(i);
      }
    }
    int[] order = new int[left.length];
    int n = 0;
    while (!ready.isEmpty()) {
      int next = ready.poll();
      order[n++] = next;
      for (int each : after.get(next)) {
        if (--left[each] == 0) {
          ready.add(each);
        }
      }
    }
    return n == order.length ? Optional.of(order) : Optional.empty();
  }
}
