package io.magpie.verification.check;

import io.magpie.verification.check.Dependency.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The shortest cycle among some attempts, and of several the one of the worst anomaly.
 *
 * <p>A topological sort that, where it is stuck, takes the attempt of least end by force gives a
 * set of attempts that meets every cycle: the one of a cycle that is taken first is taken by force.
 * From each of the set the dependencies are followed to a bounded distance, and the bound grows
 * until a cycle is found.
 *
 * <p>Real time is never followed. A shortest cycle has at most one rt edge, from a to b; so the
 * cycle goes from b by dependencies to the attempt searched from and on to a, and for each distance
 * only the b of greatest begin and the a of least end matter.
 */
final class CycleSearch {
  private static final int UNBOUNDED = Integer.MAX_VALUE / 4;

  private final int[] attempts;
  private final Times times;
  private final boolean realTime;
  private final DependencyGraph forward;
  private final Ball after;
  private final Ball before;
  private long work;
  private Cycle best;

  /**
   * A cycle: each attempt comes before the next, the last before the first.
   *
   * @param attempts indices in the history
   * @param kinds why
   * @param shortest whether none is shorter
   */
  record Cycle(int[] attempts, Kind[] kinds, boolean shortest) {
    /** The less, the worse the anomaly: rt counts most, then the number of rw, then of wr. */
    private static long weight(Kind kind) {
      switch (kind) {
        case RT:
          return 1L << 62;
        case RW:
          return 1L << 31;
        case WR:
          return 1;
        default:
          return 0;
      }
    }

    private long weight() {
      long sum = 0;
      for (Kind kind : kinds) {
        sum += weight(kind);
      }
      return sum;
    }

    private boolean betterThan(Cycle other) {
      return other == null
          || attempts.length < other.attempts.length
          || (attempts.length == other.attempts.length && weight() < other.weight());
    }
  }

  /** The nodes around a center, in order of distance, with the lightest way to each. */
  private final class Ball {
    final DependencyGraph graph;
    final int[] nodes = new int[attempts.length];
    final int[] distances = new int[attempts.length];
    final int[] vias = new int[attempts.length];
    final long[] weights = new long[attempts.length];
    int size;
    boolean truncated;

    /** The last edge of the lightest cycle through the center, and where it begins; -1 if none. */
    int closingNode;

    int closingEdge;

    Ball(DependencyGraph graph) {
      this.graph = graph;
      Arrays.fill(distances, -1);
    }

    /** Takes the nodes up to a distance; at the distance of the shortest cycle it ends. */
    void fill(int center, int bound) {
      for (int i = 0; i < size; i++) {
        distances[nodes[i]] = -1;
      }
      size = 0;
      truncated = false;
      closingNode = -1;
      int last = bound;
      reach(center, 0, 0, 0);
      for (int i = 0; i < size; i++) {
        int node = nodes[i];
        int distance = distances[node];
        if (distance > last) {
          break;
        }
        for (int e = graph.first(node); e < graph.first(node + 1); e++) {
          work++;
          int edge = graph.edge(e);
          int target = DependencyGraph.node(edge);
          long weight = weights[node] + Cycle.weight(DependencyGraph.kind(edge));
          if (target == center) {
            if (closingNode < 0
                || weight
                    < weights[closingNode] + Cycle.weight(DependencyGraph.kind(closingEdge))) {
              closingNode = node;
              closingEdge = edge;
            }
            last = distance;
          } else if (distances[target] < 0) {
            if (distance == bound) {
              truncated = true;
            } else {
              reach(target, distance + 1, weight, DependencyGraph.redirected(edge, node));
            }
          } else if (distances[target] == distance + 1 && weight < weights[target]) {
            weights[target] = weight;
            vias[target] = DependencyGraph.redirected(edge, node);
          }
        }
      }
    }

    private void reach(int node, int distance, long weight, int via) {
      nodes[size++] = node;
      distances[node] = distance;
      weights[node] = weight;
      vias[node] = via;
    }

    /** Calls for each edge of the way from a node back to the center. */
    void wayBack(int node, List<Integer> nodesPassed, List<Kind> kinds) {
      for (int at = node; distances[at] > 0; at = DependencyGraph.node(vias[at])) {
        nodesPassed.add(DependencyGraph.node(vias[at]));
        kinds.add(DependencyGraph.kind(vias[at]));
      }
    }
  }

  private CycleSearch(Versions versions, Times times, boolean realTime, int[] attempts) {
    this.attempts = attempts;
    this.times = times;
    this.realTime = realTime;
    forward = DependencyGraph.of(versions, attempts);
    after = new Ball(forward);
    before = realTime ? new Ball(forward.reversed()) : null;
  }

  /**
   * Searches the attempts, among which there must be a cycle.
   *
   * @param attempts in order of index
   * @param allowance edges to look at before a cycle is taken that may not be the shortest
   */
  static Cycle shortest(
      Versions versions, Times times, boolean realTime, int[] attempts, long allowance) {
    return new CycleSearch(versions, times, realTime, attempts).search(allowance);
  }

  private Cycle search(long allowance) {
    int[] centers = centers();
    int length = 2;
    while (true) {
      boolean truncated = false;
      for (int center : centers) {
        truncated |= searchFrom(center, best == null ? length : best.attempts.length);
        boolean exhausted = work > allowance;
        if (best != null && exhausted && best.attempts.length > 2) {
          return new Cycle(best.attempts, best.kinds, false);
        }
        if (best != null && best.attempts.length == 2 && (exhausted || best.weight() == 0)) {
          return best;
        }
      }
      if (best != null) {
        return best;
      }
      if (!truncated) {
        throw new IllegalStateException("no cycle among " + attempts.length + " stuck attempts");
      }
      length = work > allowance ? UNBOUNDED : length + length / 2;
    }
  }

  /** Attempts that meet every cycle. */
  private int[] centers() {
    int n = attempts.length;
    int[] lacking = new int[n];
    for (int node = 0; node < n; node++) {
      for (int e = forward.first(node); e < forward.first(node + 1); e++) {
        lacking[DependencyGraph.node(forward.edge(e))]++;
      }
    }
    int[] byBegin = nodes(times.byBegin(attempts));
    int[] byEnd = nodes(times.byEnd(attempts));
    boolean[] admitted = new boolean[n];
    boolean[] taken = new boolean[n];
    int[] ready = new int[n];
    int readyCount = 0;
    int[] centers = new int[n];
    int count = 0;
    int admissions = 0;
    int frontier = 0;
    while (true) {
      while (frontier < n && taken[byEnd[frontier]]) {
        frontier++;
      }
      if (frontier == n) {
        return Arrays.copyOf(centers, count);
      }
      while (admissions < n && !(realTime && precedes(byEnd[frontier], byBegin[admissions]))) {
        int node = byBegin[admissions++];
        admitted[node] = true;
        if (lacking[node] == 0 && !taken[node]) {
          ready[readyCount++] = node;
        }
      }
      if (readyCount == 0) {
        centers[count++] = byEnd[frontier];
        ready[readyCount++] = byEnd[frontier];
      }
      while (readyCount > 0) {
        int node = ready[--readyCount];
        taken[node] = true;
        for (int e = forward.first(node); e < forward.first(node + 1); e++) {
          int target = DependencyGraph.node(forward.edge(e));
          if (--lacking[target] == 0 && admitted[target] && !taken[target]) {
            ready[readyCount++] = target;
          }
        }
      }
    }
  }

  /** The nodes of attempts. */
  private int[] nodes(int[] ordered) {
    int[] nodes = new int[ordered.length];
    for (int i = 0; i < ordered.length; i++) {
      nodes[i] = Arrays.binarySearch(attempts, ordered[i]);
    }
    return nodes;
  }

  private boolean precedes(int first, int second) {
    return times.precedes(attempts[first], attempts[second]);
  }

  /**
   * Looks for cycles through a node of up to a length; returns whether there may be longer ones.
   */
  private boolean searchFrom(int center, int length) {
    after.fill(center, length - 1);
    if (after.closingNode >= 0) {
      offer(dependencyCycle());
    }
    if (!realTime) {
      return after.truncated;
    }
    before.fill(center, length - 1);
    Cycle timed = timedCycle(length);
    if (timed != null) {
      offer(timed);
    }
    return after.truncated || before.truncated;
  }

  private void offer(Cycle cycle) {
    if (cycle.betterThan(best)) {
      best = cycle;
    }
  }

  private Cycle dependencyCycle() {
    List<Integer> way = new ArrayList<>();
    List<Kind> kinds = new ArrayList<>();
    way.add(after.closingNode);
    kinds.add(DependencyGraph.kind(after.closingEdge));
    after.wayBack(after.closingNode, way, kinds);
    Collections.reverse(way);
    Collections.reverse(kinds);
    return cycle(way, kinds);
  }

  /** The shortest cycle of a dependency path through the center and one step of real time. */
  private Cycle timedCycle(int length) {
    int[] leastEnd = extremes(after, true, length);
    int[] greatestBegin = extremes(before, false, length);
    int most = Math.min(length - 1, leastEnd.length + greatestBegin.length - 2);
    for (int steps = 1; steps <= most; steps++) {
      for (int i = Math.max(0, steps - greatestBegin.length + 1); i <= steps; i++) {
        if (i < leastEnd.length) {
          int a = leastEnd[i];
          int b = greatestBegin[steps - i];
          if (precedes(a, b)) {
            List<Integer> way = new ArrayList<>();
            List<Kind> kinds = new ArrayList<>();
            way.add(a);
            after.wayBack(a, way, kinds);
            Collections.reverse(way);
            Collections.reverse(kinds);
            // From the center to a; then by real time to b, and back to the center.
            kinds.add(Kind.RT);
            way.add(b);
            before.wayBack(b, way, kinds);
            way.remove(way.size() - 1);
            return cycle(way, kinds);
          }
        }
      }
    }
    return null;
  }

  /** For each distance the node of least end or greatest begin up to it. */
  private int[] extremes(Ball ball, boolean leastEnd, int length) {
    int farthest = ball.distances[ball.nodes[ball.size - 1]];
    int[] result = new int[Math.min(farthest + 1, length)];
    int extreme = ball.nodes[0];
    int filled = 0;
    for (int i = 0; i < ball.size && ball.distances[ball.nodes[i]] < result.length; i++) {
      int node = ball.nodes[i];
      while (filled < ball.distances[node]) {
        result[filled++] = extreme;
      }
      if (leastEnd
          ? times.end(attempts[node]) < times.end(attempts[extreme])
          : times.begin(attempts[node]) > times.begin(attempts[extreme])) {
        extreme = node;
      }
    }
    Arrays.fill(result, filled, result.length, extreme);
    return result;
  }

  private Cycle cycle(List<Integer> way, List<Kind> kinds) {
    return new Cycle(
        way.stream().mapToInt(node -> attempts[node]).toArray(), kinds.toArray(Kind[]::new), true);
  }
}
