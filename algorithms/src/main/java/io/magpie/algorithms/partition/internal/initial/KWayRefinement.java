package io.magpie.algorithms.partition.internal.initial;

/**
 * Refinement of a partition into any number of parts by passes in the manner of Fiduccia and
 * Mattheyses, over vertices at the boundary.
 *
 * <p>A pass moves vertices one after the other, each at most once, to the part that gains most and
 * has room, the best gain first, also where the gain is negative; then it takes moves back to the
 * best state seen: of least overload, then of least cut.
 */
final class KWayRefinement {
  private static final int MOST_PASSES = 8;

  private final SmallGraph graph;
  private final int[] part;
  private final long limit;
  private final long[] load;
  private final int[] joined;
  private final int[] near;
  private int nearCount;
  private final VertexHeap queue;
  private final boolean[] locked; // fixed, or moved in this pass
  private final int[] moved;
  private final int[] movedFrom;
  private long cut;
  private long overload;

  /** The move that {@link #findMove} found: the part, and the gain. */
  private int target;

  private int gain;

  /**
   * Prepares the refinement of a partition.
   *
   * @param part for each vertex its part; changed by {@link #run}
   * @param bounds what the parts may weigh
   */
  KWayRefinement(SmallGraph graph, int[] part, PartBounds bounds) {
    this.graph = graph;
    this.part = part;
    this.limit = bounds.limit;
    this.load = bounds.loads();
    this.joined = new int[bounds.parts];
    this.near = new int[bounds.parts];
    this.queue = new VertexHeap(graph.vertices);
    this.locked = new boolean[graph.vertices];
    for (int v = 0; v < graph.vertices; v++) {
      locked[v] = graph.isFixed(v);
    }
    this.moved = new int[graph.vertices];
    this.movedFrom = new int[graph.vertices];
    long twice = 0;
    for (int v = 0; v < graph.vertices; v++) {
      load[part[v]] += graph.vertexWeights[v];
      for (int a = graph.offsets[v]; a < graph.offsets[v + 1]; a++) {
        twice += part[graph.neighbors[a]] == part[v] ? 0 : graph.weights[a];
      }
    }
    cut = twice / 2;
    for (long l : load) {
      overload += Math.max(0, l - limit);
    }
  }

  long cut() {
    return cut;
  }

  /** The weight beyond the limit, summed over the parts. */
  long overload() {
    return overload;
  }

  /** Passes until one does not improve; returns this. */
  KWayRefinement run(Draws draws) {
    int patience = Math.max(100, graph.vertices / 20);
    for (int pass = 0; pass < MOST_PASSES && pass(patience, draws); pass++) {}
    return this;
  }

  private boolean pass(int patience, Draws draws) {
    int n = graph.vertices;
    int start = n == 0 ? 0 : draws.below(n);
    for (int i = 0; i < n; i++) {
      int v = start + i < n ? start + i : start + i - n;
      if (!locked[v] && findMove(v)) {
        queue.set(v, gain);
      }
    }
    long startOverload = overload;
    long startCut = cut;
    long bestOverload = overload;
    long bestCut = cut;
    int moves = 0;
    int best = 0;
    while (!queue.isEmpty() && moves - best < patience) {
      int v = queue.first();
      int expected = queue.firstGain();
      if (!findMove(v)) {
        queue.remove(v);
        continue;
      }
      if (gain < expected) {
        queue.set(v, gain);
        continue;
      }
      queue.remove(v);
      locked[v] = true;
      moved[moves] = v;
      movedFrom[moves++] = part[v];
      move(v, target);
      boundNeighbors(v, movedFrom[moves - 1]);
      if (overload < bestOverload || (overload == bestOverload && cut < bestCut)) {
        bestOverload = overload;
        bestCut = cut;
        best = moves;
      }
    }
    for (int i = moves - 1; i >= best; i--) {
      move(moved[i], movedFrom[i]);
    }
    for (int i = 0; i < moves; i++) {
      locked[moved[i]] = false;
    }
    queue.clear();
    return bestOverload < startOverload || bestCut < startCut;
  }

  /**
   * Raises the neighbors' gains in the queue to what they are at most now that a vertex has moved;
   * the exact gain is found when a vertex is first in the queue.
   */
  private void boundNeighbors(int v, int from) {
    for (int a = graph.offsets[v]; a < graph.offsets[v + 1]; a++) {
      int u = graph.neighbors[a];
      if (locked[u]) {
        continue;
      }
      if (queue.contains(u)) {
        int weight = graph.weights[a];
        int change = part[u] == from ? 2 * weight : part[u] == part[v] ? -weight : weight;
        queue.set(u, queue.gain(u) + change);
      } else if (findMove(u)) {
        queue.set(u, gain);
      }
    }
  }

  /**
   * Finds the best part for a vertex among those of its neighbors that have room; for a vertex of a
   * part beyond the limit among all.
   *
   * @return whether there is one
   */
  private boolean findMove(int v) {
    int mine = part[v];
    boolean flee = load[mine] > limit;
    boolean boundary = sumJoined(v);
    target = -1;
    if (boundary || flee) {
      long room = limit - graph.vertexWeights[v];
      int candidates = flee ? load.length : nearCount;
      int best = Integer.MIN_VALUE;
      for (int i = 0; i < candidates; i++) {
        int p = flee ? i : near[i];
        if (p != mine
            && load[p] <= room
            && (joined[p] > best || (joined[p] == best && load[p] < load[target]))) {
          best = joined[p];
          target = p;
        }
      }
      gain = best - joined[mine];
    }
    for (int i = 0; i < nearCount; i++) {
      joined[near[i]] = 0;
    }
    return target >= 0;
  }

  /** Sums up a vertex's arcs by part; returns whether one leads to another part. */
  private boolean sumJoined(int v) {
    nearCount = 0;
    boolean boundary = false;
    for (int a = graph.offsets[v]; a < graph.offsets[v + 1]; a++) {
      int p = part[graph.neighbors[a]];
      if (graph.weights[a] > 0) {
        if (joined[p] == 0) {
          near[nearCount++] = p;
          boundary |= p != part[v];
        }
        joined[p] += graph.weights[a];
      }
    }
    return boundary;
  }

  private void move(int v, int to) {
    int from = part[v];
    for (int a = graph.offsets[v]; a < graph.offsets[v + 1]; a++) {
      int p = part[graph.neighbors[a]];
      cut += p == from ? graph.weights[a] : p == to ? -graph.weights[a] : 0;
    }
    overload -= Math.max(0, load[from] - limit) + Math.max(0, load[to] - limit);
    load[from] -= graph.vertexWeights[v];
    load[to] += graph.vertexWeights[v];
    overload += Math.max(0, load[from] - limit) + Math.max(0, load[to] - limit);
    part[v] = to;
  }
}
