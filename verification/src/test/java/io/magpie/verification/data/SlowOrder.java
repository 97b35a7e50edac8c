package io.magpie.verification.data;

import io.magpie.verification.history.Access;
import io.magpie.verification.history.DataAccess;
import io.magpie.verification.history.History;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * {@link RecordedOrder} the slow way, with objects for everything: what its orders are compared
 * with.
 */
final class SlowOrder {
  private final History history;
  private final int[] attempts;
  private final SlowPrecedence precedence;

  private SlowOrder(History history, int[] attempts, boolean latestFirst) {
    this.history = history;
    this.attempts = attempts;
    this.precedence = new SlowPrecedence(attempts.length);
    addTurns();
    addPeeks(!latestFirst);
  }

  static Optional<int[]> of(History history, int[] wanted, boolean latestFirst) {
    return new SlowOrder(history, wanted, latestFirst)
        .precedence
        .sorted(latestFirst)
        .map(nodes -> Arrays.stream(nodes).map(node -> wanted[node]).toArray());
  }

  /** An attempt's turn at an object. */
  private record Turn(int object, long number, boolean committed, int node) {
    /** Cancels come before the commit that has the same number. */
    static int compare(Turn a, Turn b) {
      int order = Integer.compare(a.object, b.object);
      order = order != 0 ? order : Long.compare(a.number, b.number);
      return order != 0 ? order : Boolean.compare(a.committed, b.committed);
    }
  }

  private void addTurns() {
    List<Turn> turns = new ArrayList<>();
    for (int node = 0; node < attempts.length; node++) {
      int attempt = attempts[node];
      boolean committed = history.outcome(attempt) == History.COMMIT;
      for (int i = 0; i < history.dataCount(attempt); i++) {
        DataAccess each = history.data(attempt, i);
        if (each.kind() == DataAccess.Kind.OPENED) {
          turns.add(new Turn(each.object(), Integer.toUnsignedLong(each.turn()), committed, node));
        }
      }
    }
    Turn[] sorted = turns.toArray(Turn[]::new);
    Arrays.sort(sorted, Turn::compare);
    int commit = -1; // the latest at the present object
    List<Integer> cancels = new ArrayList<>(); // since that one
    for (int i = 0; i < sorted.length; i++) {
      if (i == 0 || sorted[i].object != sorted[i - 1].object) {
        commit = -1;
        cancels.clear();
      }
      if (commit >= 0) {
        precedence.add(commit, sorted[i].node);
      }
      if (sorted[i].committed) {
        commit = sorted[i].node;
        for (int cancel : cancels) {
          precedence.add(cancel, commit);
        }
        cancels.clear();
      } else {
        cancels.add(sorted[i].node);
      }
    }
  }

  private void addPeeks(boolean inPlace) {
    Map<Long, Integer> replacers = new HashMap<>(); // by object and version
    boolean any = false;
    for (int node = 0; node < attempts.length; node++) {
      int attempt = attempts[node];
      for (int i = 0; i < history.accessCount(attempt); i++) {
        long access = history.access(attempt, i);
        if (Access.isWrite(access) && history.outcome(attempt) == History.COMMIT) {
          replacers.put(version(Access.object(access), Access.stamp(access)), node);
        }
      }
      for (int i = 0; i < history.dataCount(attempt); i++) {
        any |= history.data(attempt, i).kind() == DataAccess.Kind.PEEK;
      }
    }
    for (int node = 0; any && node < attempts.length; node++) {
      int attempt = attempts[node];
      for (int i = 0; i < history.dataCount(attempt); i++) {
        DataAccess each = history.data(attempt, i);
        if (each.kind() == DataAccess.Kind.PEEK) {
          int stamp = Access.stamp(each.access());
          Integer maker = replacers.get(version(each.object(), stamp - 1));
          Integer replacer = replacers.get(version(each.object(), stamp));
          if (maker != null) {
            precedence.add(maker, node);
          }
          if (inPlace && replacer != null) {
            precedence.add(node, replacer);
          }
        }
      }
    }
  }

  private static long version(int object, int stamp) {
    return (long) object << 32 | stamp & 0xffffffffL;
  }

  /** Which of some attempts, counted from 0, come before which; and orders that keep to that. */
  private static final class SlowPrecedence {
    private final List<List<Integer>> after = new ArrayList<>();
    private final int[] before;

    SlowPrecedence(int attempts) {
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
          new PriorityQueue<>(
              (a, b) -> latestFirst ? Integer.compare(b, a) : Integer.compare(a, b));
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
}
