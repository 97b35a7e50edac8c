package io.magpie.algorithms.partition.internal.initial;

/**
 * Refinement of a bisection by Fiduccia and Mattheyses's passes (A linear-time heuristic for
 * improving network partitions, DAC 1982), over vertices at the boundary only.
 *
 * <p>A pass moves vertices one after the other, each at most once, the best gain first, also where
 * the gain is negative or a side grows beyond its limit; from a side beyond its limit it must move
 * next. Then it takes moves back to the best state seen: of least overload, then of least cut, then
 * of most even load.
 */
final class TwoWayRefinement {
  private static final int MOST_PASSES = 12;

  private final SmallGraph graph;
  private final byte[] side;
  private final int[] gain;
  private final boolean[] locked; // fixed, or moved in this pass
  private final int[] moved;
  private final VertexHeap[] queues;
  private final long[] load = new long[2];
  private final long[] limit;
  private final double evenShare;
  private long cut;

  /**
   * Prepares the refinement of a bisection.
   *
   * @param side for each vertex 0 or 1; changed by {@link #run}
   * @param limit the most that each side should weigh; together at least the graph's weight
   */
  TwoWayRefinement(SmallGraph graph, byte[] side, long[] limit) {
    this.graph = graph;
    this.side = side;
    this.limit = limit;
    this.evenShare = (double) limit[0] / Math.max(1, limit[0] + limit[1]);
    this.gain = new int[graph.vertices];
    this.locked = new boolean[graph.vertices];
    for (int v = 0; v < graph.vertices; v++) {
      locked[v] = graph.isFixed(v);
    }
    this.moved = new int[graph.vertices];
    this.queues = new VertexHeap[] {new VertexHeap(graph.vertices), new VertexHeap(graph.vertices)};
    measure();
  }

  /** Gains, loads and cut of the sides as they are. */
  void measure() {
    load[0] = 0;
    load[1] = 0;
    long twice = 0;
    for (int v = 0; v < graph.vertices; v++) {
      int inside = 0;
      byte mine = side[v];
      for (int a = graph.offsets[v]; a < graph.offsets[v + 1]; a++) {
        if (side[graph.neighbors[a]] == mine) {
          inside += graph.weights[a];
        }
      }
      gain[v] = graph.degrees[v] - 2 * inside;
      twice += graph.degrees[v] - inside;
      load[mine] += graph.vertexWeights[v];
    }
    cut = twice / 2;
  }

  /** The weight of the edges between the sides. */
  long cut() {
    return cut;
  }

  /** By how much a side is beyond its limit; 0 if none is. */
  long overload() {
    return Math.max(0, Math.max(load[0] - limit[0], load[1] - limit[1]));
  }

  /** Passes until one does not improve. */
  void run(int patience, Draws draws) {
    for (int pass = 0; pass < MOST_PASSES; pass++) {
      if (!pass(patience, draws)) {
        return;
      }
    }
  }

  private double unevenness() {
    return Math.abs(load[0] - evenShare * graph.weight);
  }

  private boolean pass(int patience, Draws draws) {
    fill(draws);
    long startOverload = overload();
    long startCut = cut;
    long bestOverload = startOverload;
    long bestCut = cut;
    double bestUnevenness = unevenness();
    int moves = 0;
    int best = 0;
    while (moves - best < patience) {
      int from = chooseSource();
      if (from < 0) {
        break;
      }
      int v = queues[from].pop();
      if (load[1 - from] + graph.vertexWeights[v] - limit[1 - from]
          > Math.max(graph.heaviest, overload())) {
        continue;
      }
      locked[v] = true;
      moved[moves++] = v;
      move(v, true);
      long overload = overload();
      if (overload < bestOverload
          || (overload == bestOverload
              && (cut < bestCut || (cut == bestCut && unevenness() < bestUnevenness)))) {
        bestOverload = overload;
        bestCut = cut;
        bestUnevenness = unevenness();
        best = moves;
      }
    }
    for (int i = moves - 1; i >= best; i--) {
      move(moved[i], false);
    }
    for (int i = 0; i < moves; i++) {
      locked[moved[i]] = false;
    }
    queues[0].clear();
    queues[1].clear();
    return bestOverload < startOverload || bestCut < startCut;
  }

  /** Boundary vertices; of a side beyond its limit all. */
  private void fill(Draws draws) {
    int n = graph.vertices;
    boolean all0 = load[0] > limit[0];
    boolean all1 = load[1] > limit[1];
    int start = n == 0 ? 0 : draws.below(n);
    for (int i = 0; i < n; i++) {
      int v = start + i < n ? start + i : start + i - n;
      if (!locked[v] && (gain[v] > -graph.degrees[v] || (side[v] == 0 ? all0 : all1))) {
        queues[side[v]].set(v, gain[v]);
      }
    }
  }

  private int chooseSource() {
    for (int s = 0; s < 2; s++) {
      if (load[s] > limit[s]) {
        return queues[s].isEmpty() ? -1 : s;
      }
    }
    if (queues[0].isEmpty() || queues[1].isEmpty()) {
      return queues[0].isEmpty() ? (queues[1].isEmpty() ? -1 : 1) : 0;
    }
    int gain0 = queues[0].firstGain();
    int gain1 = queues[1].firstGain();
    if (gain0 != gain1) {
      return gain0 > gain1 ? 0 : 1;
    }
    return load[0] >= evenShare * graph.weight ? 0 : 1;
  }

  private void move(int v, boolean queued) {
    int from = side[v];
    int to = 1 - from;
    side[v] = (byte) to;
    load[from] -= graph.vertexWeights[v];
    load[to] += graph.vertexWeights[v];
    cut -= gain[v];
    gain[v] = -gain[v];
    for (int a = graph.offsets[v]; a < graph.offsets[v + 1]; a++) {
      int u = graph.neighbors[a];
      int twice = 2 * graph.weights[a];
      gain[u] += side[u] == to ? -twice : twice;
      if (queued && !locked[u]) {
        if (gain[u] > -graph.degrees[u]) {
          queues[side[u]].set(u, gain[u]);
        } else {
          queues[side[u]].remove(u);
        }
      }
    }
  }
}
