package io.magpie.verification.check;

import io.magpie.verification.check.Dependency.Kind;
import io.magpie.verification.history.Access;
import io.magpie.verification.history.Anomaly;
import io.magpie.verification.history.History;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What is wrong with a history: an access that no order explains, or a cycle of dependencies. */
public final class Finding {
  private final History history;
  private final Anomaly anomaly;
  private final List<Integer> attempts;
  private final List<Dependency> cycle;
  private final boolean shortest;
  private final Set<Integer> objects;
  private final String explanation;
  private final Map<Anomaly, Long> counts;

  private Finding(
      History history,
      Anomaly anomaly,
      Collection<Integer> attempts,
      List<Dependency> cycle,
      boolean shortest,
      Set<Integer> objects,
      String explanation,
      Map<Anomaly, Long> counts) {
    this.history = history;
    this.anomaly = anomaly;
    this.attempts = List.copyOf(attempts);
    this.cycle = List.copyOf(cycle);
    this.shortest = shortest;
    this.objects = objects;
    this.explanation = explanation;
    this.counts = counts;
  }

  static Finding ofAccess(
      History history,
      Anomaly anomaly,
      int object,
      Collection<Integer> attempts,
      String explanation,
      Map<Anomaly, Long> counts) {
    return new Finding(
        history, anomaly, attempts, List.of(), true, Set.of(object), explanation, counts);
  }

  /** Looks up each edge of the cycle in the history; starts with the attempt that began first. */
  static Finding ofCycle(History history, CycleSearch.Cycle cycle, Times times) {
    int n = cycle.attempts().length;
    int start = 0;
    for (int i = 1; i < n; i++) {
      long begin = history.begin(cycle.attempts()[i]);
      long least = history.begin(cycle.attempts()[start]);
      if (begin < least || (begin == least && cycle.attempts()[i] < cycle.attempts()[start])) {
        start = i;
      }
    }
    List<Integer> attempts = new ArrayList<>();
    List<Dependency> edges = new ArrayList<>();
    Set<Integer> objects = new TreeSet<>();
    for (int i = 0; i < n; i++) {
      int from = cycle.attempts()[(start + i) % n];
      int to = cycle.attempts()[(start + i + 1) % n];
      Dependency edge = dependency(history, from, to, cycle.kinds()[(start + i) % n], times);
      attempts.add(from);
      edges.add(edge);
      if (edge.kind() != Kind.RT) {
        objects.add(edge.object());
      }
    }
    Anomaly anomaly = name(edges);
    return new Finding(
        history, anomaly, attempts, edges, cycle.shortest(), objects, "", Map.of(anomaly, 1L));
  }

  /** The dependency of a kind on the least object. */
  private static Dependency dependency(History history, int from, int to, Kind kind, Times times) {
    if (kind == Kind.RT) {
      if (!times.precedes(from, to)) {
        throw new IllegalStateException("attempt " + from + " does not precede " + to);
      }
      return new Dependency(from, to, kind, -1, 0);
    }
    boolean fromWrites = kind != Kind.RW;
    boolean toWrites = kind != Kind.WR;
    Set<Long> wanted = new TreeSet<>();
    for (int i = 0; i < history.accessCount(from); i++) {
      long access = history.access(from, i);
      if (Access.isWrite(access) == fromWrites && !isOwnRead(history, from, access)) {
        int object = Access.object(access);
        int version = Access.stamp(access) + (fromWrites ? 1 : 0);
        wanted.add(toWrites ? Access.write(object, version) : Access.read(object, version));
      }
    }
    Dependency least = null;
    for (int i = 0; i < history.accessCount(to); i++) {
      long access = history.access(to, i);
      int object = Access.object(access);
      if (wanted.contains(access)
          && (least == null || object < least.object())
          && !isOwnRead(history, to, access)) {
        least = new Dependency(from, to, kind, object, Access.stamp(access));
      }
    }
    if (least == null) {
      throw new IllegalStateException("no " + kind + " from attempt " + from + " to " + to);
    }
    return least;
  }

  /** Whether an attempt read what it wrote itself. */
  private static boolean isOwnRead(History history, int attempt, long access) {
    if (Access.isWrite(access)) {
      return false;
    }
    long write = Access.write(Access.object(access), Access.stamp(access) - 1);
    for (int i = 0; i < history.accessCount(attempt); i++) {
      if (history.access(attempt, i) == write) {
        return true;
      }
    }
    return false;
  }

  private static Anomaly name(List<Dependency> edges) {
    Map<Kind, Integer> counts = new EnumMap<>(Kind.class);
    edges.forEach(edge -> counts.merge(edge.kind(), 1, Integer::sum));
    int rw = counts.getOrDefault(Kind.RW, 0);
    boolean realTime = counts.containsKey(Kind.RT);
    if (rw == 0) {
      return counts.containsKey(Kind.WR) ? Anomaly.CIRCULAR_FLOW : Anomaly.WRITE_CYCLE;
    }
    if (rw > 1) {
      return rw == 2 && edges.size() == 2 ? Anomaly.WRITE_SKEW : Anomaly.ANTI_DEPENDENCIES;
    }
    if (realTime) {
      return Anomaly.STALE_READ;
    }
    if (edges.size() == 2 && counts.containsKey(Kind.WR)) {
      return Anomaly.READ_SKEW;
    }
    return edges.size() == 2 && edges.get(0).object() == edges.get(1).object()
        ? Anomaly.LOST_UPDATE
        : Anomaly.SINGLE_ANTI_DEPENDENCY;
  }

  /** Its name. */
  public Anomaly anomaly() {
    return anomaly;
  }

  /** The attempts concerned, by index in the history; in the order of the cycle if there is one. */
  public List<Integer> attempts() {
    return attempts;
  }

  /**
   * The cycle: each attempt must come before the next, and the last before the first. Empty where
   * single accesses show the anomaly.
   */
  public List<Dependency> cycle() {
    return cycle;
  }

  /**
   * Whether no cycle is shorter. False only where the search for a shorter one was given up as too
   * long.
   */
  public boolean shortest() {
    return shortest;
  }

  /** Whether real time is part of the cycle. */
  public boolean realTime() {
    return cycle.stream().anyMatch(edge -> edge.kind() == Kind.RT);
  }

  /**
   * How often each anomaly was seen that single accesses show; for a cycle only its own, 1.
   *
   * @return in order of {@link Anomaly}, no zeros
   */
  public Map<Anomaly, Long> counts() {
    return counts;
  }

  /** The objects concerned. */
  Set<Integer> objects() {
    return objects;
  }

  /** What single accesses show, as a phrase whose subject is the first attempt. */
  String explanation() {
    return explanation;
  }

  History history() {
    return history;
  }

  /**
   * A table with a column for each attempt, and the reason for each edge. Ends with a line feed.
   */
  @Override
  public String toString() {
    return new FindingText(this).toString();
  }
}
