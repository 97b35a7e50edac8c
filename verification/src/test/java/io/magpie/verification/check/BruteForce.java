package io.magpie.verification.check;

import io.magpie.verification.history.Access;
import io.magpie.verification.history.History;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The definitions, tried out: every order of a few attempts, and every edge between many. */
final class BruteForce {
  private final History history;
  private final long skew;

  BruteForce(History history, long skew) {
    this.history = history;
    this.skew = skew;
  }

  private List<Integer> attempts(boolean all) {
    List<Integer> attempts = new ArrayList<>();
    for (int i = 0; i < history.size(); i++) {
      if (all || history.outcome(i) < History.ABORT) {
        attempts.add(i);
      }
    }
    return attempts;
  }

  /** Whether some order of the attempts explains what they saw. */
  boolean explicable(boolean all, boolean realTime, int[] finalStamps) {
    return extend(attempts(all), new HashMap<>(), realTime, finalStamps);
  }

  private boolean extend(
      List<Integer> left, Map<Integer, Integer> stamps, boolean realTime, int[] finalStamps) {
    if (left.isEmpty()) {
      return finalStamps == null || agrees(stamps, finalStamps);
    }
    for (Integer next : left) {
      List<Integer> others = new ArrayList<>(left);
      others.remove(next);
      if (realTime && others.stream().anyMatch(other -> ended(other, next))) {
        continue;
      }
      Map<Integer, Integer> after = run(next, stamps);
      if (after != null && extend(others, after, realTime, finalStamps)) {
        return true;
      }
    }
    return false;
  }

  private static boolean agrees(Map<Integer, Integer> stamps, int[] finalStamps) {
    for (int o = 0; o < finalStamps.length; o++) {
      if (stamps.getOrDefault(o, 0) != finalStamps[o]) {
        return false;
      }
    }
    return true;
  }

  /** Whether the first had ended when the second began. */
  boolean ended(int first, int second) {
    return history.end(first) + skew < history.begin(second);
  }

  /** The stamps after an attempt that runs alone; null if it would not have seen what it saw. */
  private Map<Integer, Integer> run(int attempt, Map<Integer, Integer> before) {
    boolean committed = history.outcome(attempt) == History.COMMIT;
    List<Long> reads = new ArrayList<>();
    Set<Long> own = new HashSet<>();
    Map<Integer, Set<Integer>> writes = new HashMap<>();
    for (int i = 0; i < history.accessCount(attempt); i++) {
      long access = history.access(attempt, i);
      if (!Access.isWrite(access)) {
        reads.add(access);
      } else {
        own.add(access);
      }
      if (Access.isWrite(access)
          && committed
          && !writes
              .computeIfAbsent(Access.object(access), o -> new HashSet<>())
              .add(Access.stamp(access))) {
        return null;
      }
    }
    Map<Integer, Integer> after = new HashMap<>(before);
    for (Map.Entry<Integer, Set<Integer>> entry : writes.entrySet()) {
      int stamp = before.getOrDefault(entry.getKey(), 0);
      for (int i = 0; i < entry.getValue().size(); i++) {
        if (!entry.getValue().contains(stamp)) {
          return null;
        }
        stamp++;
      }
      after.put(entry.getKey(), stamp);
    }
    for (long read : reads) {
      int object = Access.object(read);
      int old = before.getOrDefault(object, 0);
      if (Access.stamp(read) != old
          && !own.contains(Access.write(object, Access.stamp(read) - 1))) {
        return null;
      }
    }
    return after;
  }

  /** Whether an edge holds by the definition of its kind. */
  boolean holds(Dependency edge) {
    return edge.kind() == Dependency.Kind.RT
        ? ended(edge.from(), edge.to())
        : depends(edge.from(), edge.to(), edge.kind(), edge.object(), edge.stamp());
  }

  private boolean depends(int from, int to, Dependency.Kind kind, int object, int stamp) {
    switch (kind) {
      case WW:
        return has(from, Access.write(object, stamp - 1)) && has(to, Access.write(object, stamp));
      case WR:
        return has(from, Access.write(object, stamp - 1)) && has(to, Access.read(object, stamp));
      default:
        return has(from, Access.read(object, stamp)) && has(to, Access.write(object, stamp));
    }
  }

  /** Whether an attempt has an access that others see: no write without commit, no own read. */
  private boolean has(int attempt, long access) {
    int object = Access.object(access);
    boolean counts =
        Access.isWrite(access)
            ? history.outcome(attempt) == History.COMMIT
            : !holds(attempt, Access.write(object, Access.stamp(access) - 1));
    return counts && holds(attempt, access);
  }

  private boolean holds(int attempt, long access) {
    for (int i = 0; i < history.accessCount(attempt); i++) {
      if (history.access(attempt, i) == access) {
        return true;
      }
    }
    return false;
  }

  /** The length of the shortest cycle; 0 if there is none. */
  int shortestCycle(boolean all, boolean realTime) {
    List<Integer> attempts = attempts(all);
    int n = attempts.size();
    boolean[][] edges = new boolean[n][n];
    for (int a = 0; a < n; a++) {
      for (int b = 0; b < n; b++) {
        edges[a][b] =
            a != b
                && ((realTime && ended(attempts.get(a), attempts.get(b)))
                    || depends(attempts.get(a), attempts.get(b)));
      }
    }
    int shortest = 0;
    for (int start = 0; start < n; start++) {
      int[] distances = new int[n];
      List<Integer> queue = new ArrayList<>(List.of(start));
      for (int i = 0; i < queue.size(); i++) {
        int node = queue.get(i);
        for (int next = 0; next < n; next++) {
          if (edges[node][next] && distances[next] == 0) {
            distances[next] = distances[node] + 1;
            if (next != start) {
              queue.add(next);
            }
          }
        }
      }
      int length = distances[start];
      shortest = length > 0 && (shortest == 0 || length < shortest) ? length : shortest;
    }
    return shortest;
  }

  private boolean depends(int from, int to) {
    for (int i = 0; i < history.accessCount(to); i++) {
      int object = Access.object(history.access(to, i));
      int stamp = Access.stamp(history.access(to, i));
      if (depends(from, to, Dependency.Kind.WW, object, stamp)
          || depends(from, to, Dependency.Kind.WR, object, stamp)
          || depends(from, to, Dependency.Kind.RW, object, stamp)) {
        return true;
      }
    }
    return false;
  }
}
