package io.magpie.algorithms.partition;

import io.magpie.algorithms.graph.Graph;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Brings a partition to balance on the host, vertex by vertex: for the rare one that refinement did
 * not, as where no part may exceed the even weight.
 *
 * <p>Vertices move out of parts that are too heavy, those first whose moves cost least for their
 * weight, to where they cost least and fit. Where none fits, one moves that leaves the heavier of
 * the two parts lighter than before, or two change places; where that ends too, heavy parts are
 * packed again, together with light ones, and of few vertices a search of bounded length looks for
 * any packing. That all weigh the same makes the first of it suffice.
 */
final class BalanceRepair {
  /** Vertices of a graph of which packings are searched, at most. */
  private static final int MOST_PACKED = 50;

  /** Steps of that search at most: 11 vertices have 820,987 partial partitions into sets. */
  private static final int PACKING_STEPS = 1 << 20;

  private final Graph graph;
  private final int[] part;
  private final long limit; // ballast included
  private final int[] fixed; // a part or -1 for each vertex; null if none is
  private final long[] ballast; // of each part; see Balance
  private final long[] settled; // and the weight of those that are fixed to it
  private final long[] load; // ballast included
  private final long[] joined; // 0 between calls
  private final TreeSet<Integer> byLoad; // the parts, the lightest first
  private long cut;

  /**
   * What a repair makes.
   *
   * @param partWeights the weight of each part
   * @param cut the weight of the edges between parts
   */
  record Repaired(long[] partWeights, long cut) {}

  private BalanceRepair(Graph graph, int[] part, Balance balance, FixedVertices fixed, long cut) {
    this.graph = graph;
    this.part = part;
    this.limit = balance.limitWithBallast();
    long[] given = balance.ballast();
    this.ballast = given == null ? new long[balance.parts()] : given;
    this.fixed = fixed.orNull();
    this.settled = ballast.clone();
    this.load = ballast.clone();
    this.joined = new long[balance.parts()];
    this.cut = cut;
    for (int v = 0; v < part.length; v++) {
      load[part[v]] += weight(v);
      settled[part[v]] += isFree(v) ? 0 : weight(v);
    }
    this.byLoad =
        new TreeSet<>(Comparator.comparingLong((Integer q) -> load[q]).thenComparing(q -> q));
    IntStream.range(0, load.length).forEach(byLoad::add);
  }

  /**
   * Repairs a partition in place. No part ends heavier than both the limit and the even weight with
   * the heaviest vertex, ballast included where parts are uneven. The result is feasible if all
   * vertices weigh the same, and if there are at most 12 and a feasible one exists, and if best fit
   * decreasing over all vertices gives one. Of uneven parts fewer than 12 vertices may be too many
   * for the search: it has more to try where no two parts are alike. Where vertices are fixed, the
   * first needs a part to have room for each, as {@link Balance#of} checks, and no more is
   * promised.
   *
   * <p>Cost: O(vertices + parts), and for the parts that are too heavy that of sorting their
   * vertices and reading their arcs. An exchange reads all vertices.
   *
   * @param part the part of each vertex
   * @param balance of that graph, by {@link Balance#of}
   * @param fixed vertices that are in their parts, and stay there
   * @param cut of the partition
   */
  static Repaired repair(Graph graph, int[] part, Balance balance, FixedVertices fixed, long cut) {
    BalanceRepair repair = new BalanceRepair(graph, part, balance, fixed, cut);
    repair.run();
    long[] weights = repair.load;
    Arrays.setAll(weights, q -> weights[q] - repair.ballast[q]);
    return new Repaired(weights, repair.cut);
  }

  private void run() {
    boolean moved = true;
    while (moved && overloaded()) {
      moved = moveOut(false);
      if (overloaded()) {
        moved |= moveOut(true);
      }
      if (overloaded()) {
        moved |= exchange();
      }
    }
    if (overloaded()) {
      repack();
    }
    if (overloaded() && part.length <= MOST_PACKED) {
      pack();
    }
  }

  private boolean overloaded() {
    return load[byLoad.last()] > limit;
  }

  /**
   * Moves vertices out of the parts that are too heavy.
   *
   * @param anyhow also to where they do not fit, if that part ends lighter than theirs was
   * @return whether any moved
   */
  private boolean moveOut(boolean anyhow) {
    boolean moved = false;
    boolean[] heavy = new boolean[load.length];
    for (int q = 0; q < load.length; q++) {
      heavy[q] = load[q] > limit;
    }
    int[] members =
        IntStream.range(0, part.length).filter(v -> heavy[part[v]] && isMovable(v)).toArray();
    double[] costs = Arrays.stream(members).mapToDouble(this::cost).toArray();
    Integer[] order = IntStream.range(0, members.length).boxed().toArray(Integer[]::new);
    Arrays.sort(order, Comparator.comparingDouble(i -> costs[i]));
    for (int i : order) {
      int v = members[i];
      if (load[part[v]] > limit) {
        int to = target(v);
        if (to < 0 && anyhow && load[byLoad.first()] + weight(v) < load[part[v]]) {
          to = byLoad.first();
        }
        if (to >= 0) {
          move(v, to);
          moved = true;
        }
      }
    }
    return moved;
  }

  /** What the cut grows by if a vertex goes where it is most joined to, for its weight. */
  private double cost(int v) {
    join(v, 1);
    long most = 0;
    for (int a = graph.offsets()[v]; a < graph.offsets()[v + 1]; a++) {
      int q = part[graph.neighbors()[a]];
      most = q == part[v] ? most : Math.max(most, joined[q]);
    }
    double cost = (double) (joined[part[v]] - most) / weight(v);
    join(v, -1);
    return cost;
  }

  /** The part with room that a vertex is most joined to, of those the lightest; -1 if none. */
  private int target(int v) {
    int to = byLoad.first();
    if (load[to] + weight(v) > limit) {
      return -1;
    }
    join(v, 1);
    for (int a = graph.offsets()[v]; a < graph.offsets()[v + 1]; a++) {
      int q = part[graph.neighbors()[a]];
      if (q != part[v]
          && load[q] + weight(v) <= limit
          && (joined[q] > joined[to] || (joined[q] == joined[to] && load[q] < load[to]))) {
        to = q;
      }
    }
    join(v, -1);
    return to;
  }

  private void move(int v, int to) {
    int from = part[v];
    join(v, 1);
    cut += joined[from] - joined[to];
    join(v, -1);
    byLoad.remove(from);
    byLoad.remove(to);
    load[from] -= weight(v);
    load[to] += weight(v);
    byLoad.add(from);
    byLoad.add(to);
    part[v] = to;
  }

  /** Adds the weight of a vertex's edges to each part, or takes it off again. */
  private void join(int v, int sign) {
    for (int a = graph.offsets()[v]; a < graph.offsets()[v + 1]; a++) {
      if (graph.neighbors()[a] != v) {
        joined[part[graph.neighbors()[a]]] += sign * (long) graph.weight(a);
      }
    }
  }

  private boolean isFree(int v) {
    return fixed == null || fixed[v] < 0;
  }

  /** Whether it is free, and its part is lighter without it. */
  private boolean isMovable(int v) {
    return weight(v) > 0 && isFree(v);
  }

  private long weight(int v) {
    int[] weights = graph.vertexWeights();
    return weights == null ? 1 : weights[v];
  }

  // ---- Exchanges.

  /** Two vertices that change places, and by how much the first is heavier. */
  private record Exchange(int out, int in, long difference) {}

  /** Lets vertices of heavy parts and lighter ones of parts with room change places. */
  private boolean exchange() {
    boolean any = false;
    int[][] members = members();
    for (int p = 0; p < load.length; p++) {
      Exchange best = load[p] > limit ? best(p, members) : null;
      while (best != null) {
        int q = part[best.in];
        move(best.out, q);
        move(best.in, p);
        replace(members[p], best.out, best.in);
        replace(members[q], best.in, best.out);
        any = true;
        best = load[p] > limit ? best(p, members) : null;
      }
    }
    return any;
  }

  /** The free vertices of each part by ascending weight. */
  private int[][] members() {
    int[] counts = new int[load.length];
    for (int v = 0; v < part.length; v++) {
      counts[part[v]] += isFree(v) ? 1 : 0;
    }
    int[][] members = new int[load.length][];
    Arrays.setAll(members, q -> new int[counts[q]]);
    IntStream.range(0, part.length)
        .filter(this::isFree)
        .boxed()
        .sorted(Comparator.comparingLong(this::weight))
        .forEach(v -> members[part[v]][members[part[v]].length - counts[part[v]]--] = v);
    return members;
  }

  /** Puts a vertex in the place of another, and moves it to where its weight belongs. */
  private void replace(int[] members, int old, int added) {
    int i = 0;
    while (members[i] != old) {
      i++;
    }
    for (; i > 0 && weight(members[i - 1]) > weight(added); i--) {
      members[i] = members[i - 1];
    }
    for (; i + 1 < members.length && weight(members[i + 1]) < weight(added); i++) {
      members[i] = members[i + 1];
    }
    members[i] = added;
  }

  /** What relieves a part most without making another one too heavy; of several the cheapest. */
  private Exchange best(int p, int[][] members) {
    Exchange best = null;
    long bestCost = 0;
    long need = load[p] - limit;
    for (int q : byLoad) {
      long room = limit - load[q];
      if (room <= 0 || (best != null && best.difference >= need)) {
        break;
      }
      int at = 0;
      for (int out : members[p]) {
        while (at < members[q].length && weight(members[q][at]) < weight(out) - room) {
          at++;
        }
        if (at == members[q].length || weight(members[q][at]) >= weight(out)) {
          continue;
        }
        Exchange found = new Exchange(out, members[q][at], weight(out) - weight(members[q][at]));
        long more =
            best == null ? 1 : Math.min(found.difference, need) - Math.min(best.difference, need);
        if (more < 0) {
          continue;
        }
        long cost = cost(found);
        if (more > 0 || cost < bestCost) {
          best = found;
          bestCost = cost;
        }
      }
    }
    return best;
  }

  /** What the cut grows by. */
  private long cost(Exchange exchange) {
    int p = part[exchange.out];
    int q = part[exchange.in];
    long cost = 0;
    for (int a = graph.offsets()[exchange.out]; a < graph.offsets()[exchange.out + 1]; a++) {
      int u = graph.neighbors()[a];
      if (u == exchange.in) {
        cost += 2L * graph.weight(a);
      }
      cost += u == exchange.out ? 0 : signed(graph.weight(a), part[u], p, q);
    }
    for (int a = graph.offsets()[exchange.in]; a < graph.offsets()[exchange.in + 1]; a++) {
      int u = graph.neighbors()[a];
      cost += u == exchange.in ? 0 : signed(graph.weight(a), part[u], q, p);
    }
    return cost;
  }

  private static long signed(long weight, int of, int from, int to) {
    return of == from ? weight : of == to ? -weight : 0;
  }

  // ---- Packing.

  /**
   * Packs the heavy parts again, together with the lightest ones, twice as many each time until all
   * fit.
   */
  private void repack() {
    Integer[] parts = byLoad.toArray(Integer[]::new);
    int heavy = 0;
    while (heavy < parts.length && load[parts[parts.length - 1 - heavy]] > limit) {
      heavy++;
    }
    int light = 0;
    boolean packed = false;
    while (!packed && heavy + light < parts.length) {
      light = Math.min(parts.length - heavy, Math.max(1, 2 * light));
      boolean[] chosen = new boolean[parts.length];
      for (int i = 0; i < light; i++) {
        chosen[parts[i]] = true;
      }
      for (int i = 1; i <= heavy; i++) {
        chosen[parts[parts.length - i]] = true;
      }
      packed = bestFit(chosen);
    }
  }

  /**
   * Packs the vertices of some parts: the heaviest first, each into the fullest part with room.
   *
   * @return whether all have found room; nothing moves otherwise
   */
  private boolean bestFit(boolean[] chosen) {
    int[] order =
        IntStream.range(0, part.length)
            .filter(v -> chosen[part[v]] && isMovable(v))
            .boxed()
            .sorted(Comparator.comparingLong((Integer v) -> -weight(v)))
            .mapToInt(Integer::intValue)
            .toArray();
    int[] packed = new int[order.length];
    TreeMap<Long, ArrayDeque<Integer>> byRoom = new TreeMap<>();
    for (int q = 0; q < chosen.length; q++) {
      if (chosen[q]) {
        byRoom.computeIfAbsent(limit - settled[q], room -> new ArrayDeque<>()).add(q);
      }
    }
    for (int i = 0; i < order.length; i++) {
      long weight = weight(order[i]);
      Map.Entry<Long, ArrayDeque<Integer>> fullest = byRoom.ceilingEntry(weight);
      if (fullest == null) {
        return false;
      }
      packed[i] = fullest.getValue().remove();
      if (fullest.getValue().isEmpty()) {
        byRoom.remove(fullest.getKey());
      }
      byRoom.computeIfAbsent(fullest.getKey() - weight, room -> new ArrayDeque<>()).add(packed[i]);
    }
    moveAll(order, packed);
    return true;
  }

  private void moveAll(int[] vertices, int... to) {
    for (int i = 0; i < vertices.length; i++) {
      if (to[i] != part[vertices[i]]) {
        move(vertices[i], to[i]);
      }
    }
  }

  private void pack() {
    int[] order =
        IntStream.range(0, part.length)
            .filter(this::isMovable)
            .boxed()
            .sorted(Comparator.comparingLong((Integer v) -> -weight(v)))
            .mapToInt(Integer::intValue)
            .toArray();
    int[] packed = new int[order.length];
    int[] steps = new int[1];
    if (pack(order, 0, packed, settled.clone(), steps)) {
      moveAll(order, packed);
    }
  }

  /** Packs the vertices from the i-th on, each into its own part where that leads on. */
  private boolean pack(int[] order, int i, int[] packed, long[] filled, int... steps) {
    if (i == order.length) {
      return true;
    }
    int v = order[i];
    Set<Long> tried = new HashSet<>(); // of parts that are as full, one will do
    for (int k = -1; k < filled.length; k++) {
      int q = k < 0 ? part[v] : k;
      if (filled[q] + weight(v) > limit || !tried.add(filled[q])) {
        continue;
      }
      if (++steps[0] > PACKING_STEPS) {
        return false;
      }
      packed[i] = q;
      filled[q] += weight(v);
      if (pack(order, i + 1, packed, filled, steps)) {
        return true;
      }
      filled[q] -= weight(v);
    }
    return false;
  }
}
