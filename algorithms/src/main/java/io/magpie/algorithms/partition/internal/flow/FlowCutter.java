package io.magpie.algorithms.partition.internal.flow;

import io.magpie.algorithms.internal.SeededHash;
import java.util.Arrays;

/**
 * Finds small cuts that keep a balance (Hamann, Strasser: Graph bisection with Pareto optimization,
 * JEA 2018; for refinement: Gottesbüren, Hamann, Wagner: Evaluation of a flow-based hypergraph
 * bipartitioning algorithm, ESA 2019).
 *
 * <p>A maximum flow from source to sink shows two minimum cuts: around what the source still
 * reaches, and around what still reaches the sink. If neither is balanced, the lighter of the two
 * sides becomes part of its terminal, and so do piercing vertices next to it. Then the flow grows,
 * if it must, and so on: cuts are found that are ever larger, and ever more even.
 *
 * <p>Piercing vertices are such that let no flow through, if there are any; of those, the ones
 * farthest behind the first cut, so that in the worst case the search comes back to that. There is
 * one at a time at first, later so many that the number of steps grows with the logarithm of the
 * weight that is missing, and all without weight that come next (Gottesbüren, Heuer, Sanders:
 * Parallel flow-based hypergraph partitioning, SEA 2022).
 */
final class FlowCutter {
  static final int SOURCE = 0;
  static final int SINK = 1;
  private static final byte NONE = 2;

  /** Steps of a terminal with one piercing vertex each. */
  private static final int SINGLE_STEPS = 64;

  /** Later a step takes this part of the weight that is missing. */
  private static final int BULK = 16;

  private final FlowNetwork network;
  private final long[] weights;
  private final int[] depth;
  private final int[] rank; // a random order of the vertices
  private final int[] ranked;
  private final long total;

  private final byte[] owner; // the terminal that a vertex belongs to, or NONE
  private final byte[] marks;
  private final Terminal[] terminals = new Terminal[2];
  private long flow;

  // Of the present search for paths.
  private final int[] level; // -1 where it has not been
  private final int[] next; // the arc of a vertex to try next
  private final int[] path;
  private final int[] queue;
  private int queued;

  private byte[] best; // the sides of the best cut
  private long bestCut;
  private long bestHeaviest;

  /** Vertices that belong to the source or the sink, and what is next to them. */
  private final class Terminal {
    final int side;
    final int reachedMark;
    final int candidateMark;

    /** The last ones added. Only from them residual arcs lead out of the source, or to the sink. */
    int[] pierced;

    /** What the source reaches, or what reaches the sink, by residual arcs. */
    final int[] reached = new int[network.vertices];

    int reachedCount;
    long reachedWeight;

    /** Those that have been next to it, the owned among them. */
    final int[] candidates = new int[network.vertices];

    int candidateCount;
    long ownWeight;
    int steps;

    Terminal(int side) {
      this.side = side;
      reachedMark = 1 << side;
      candidateMark = 4 << side;
      pierced = new int[] {side};
      owner[side] = (byte) side;
      ownWeight = weights[side];
    }

    long weight() {
      return ownWeight + reachedWeight;
    }

    boolean reaches(int v) {
      return (marks[v] & reachedMark) != 0;
    }

    void reach(int v) {
      marks[v] |= (byte) reachedMark;
      reached[reachedCount++] = v;
      reachedWeight += weights[v];
    }

    void forgetReached() {
      for (int i = 0; i < reachedCount; i++) {
        marks[reached[i]] &= (byte) ~reachedMark;
      }
      reachedCount = 0;
      reachedWeight = 0;
    }

    /** Owns what it reaches. */
    void settle() {
      for (int i = 0; i < reachedCount; i++) {
        owner[reached[i]] = (byte) side;
      }
      ownWeight += reachedWeight;
      for (int v : pierced) {
        addCandidates(v);
      }
      for (int i = 0; i < reachedCount; i++) {
        addCandidates(reached[i]);
      }
      forgetReached();
    }

    private void addCandidates(int v) {
      for (int a = network.offsets[v]; a < network.offsets[v + 1]; a++) {
        int u = network.heads[a];
        if (owner[u] == NONE && (marks[u] & candidateMark) == 0) {
          marks[u] |= (byte) candidateMark;
          candidates[candidateCount++] = u;
        }
      }
    }

    /** The vertices that may be added; where none is next to it, any that nobody owns. */
    private int[] eligible() {
      int kept = 0;
      for (int i = 0; i < candidateCount; i++) {
        if (owner[candidates[i]] == NONE) {
          candidates[kept++] = candidates[i];
        }
      }
      candidateCount = kept;
      if (kept > 0) {
        return Arrays.copyOf(candidates, kept);
      }
      int[] all = new int[network.vertices];
      for (int v = 0; v < all.length; v++) {
        if (owner[v] == NONE) {
          all[kept++] = v;
        }
      }
      return Arrays.copyOf(all, kept);
    }

    /**
     * Adds piercing vertices.
     *
     * @param wanted the weight that it is to have in the end
     * @param free whether they must let no flow through
     * @return whether there are any
     */
    boolean pierce(long wanted, boolean free) {
      Terminal other = terminals[1 - side];
      int[] eligible = eligible();
      long[] keys = new long[eligible.length];
      int[] classes = new int[2];
      for (int v : eligible) {
        classes[other.reaches(v) ? 1 : 0]++;
      }
      boolean blocked = classes[0] == 0;
      if (blocked && (free || classes[1] == 0)) {
        return false;
      }
      int count = 0;
      for (int v : eligible) {
        if (other.reaches(v) == blocked) {
          long near = side == SOURCE ? -depth[v] : depth[v];
          keys[count++] = (near << Integer.SIZE) + rank[v];
        }
      }
      if (steps++ < SINGLE_STEPS) {
        keys[0] = Arrays.stream(keys, 0, count).min().orElseThrow();
        count = 1;
      } else {
        Arrays.sort(keys, 0, count);
      }
      long due = (wanted - ownWeight) / BULK;
      long added = 0;
      int[] chosen = new int[count];
      int taken = 0;
      do {
        int v = ranked[(int) keys[taken]];
        chosen[taken++] = v;
        owner[v] = (byte) side;
        ownWeight += weights[v];
        added += weights[v];
      } while (taken < count && (added < due || weights[ranked[(int) keys[taken]]] == 0));
      pierced = Arrays.copyOf(chosen, taken);
      return true;
    }
  }

  /**
   * Prepares a search.
   *
   * @param network vertex 0 is the source, vertex 1 the sink; its flow changes
   * @param weights of its vertices
   * @param depth how far each is behind the first cut: 1 or more on the source's side of it, -1 or
   *     less on the sink's
   * @param seed decides between vertices that are as good
   */
  FlowCutter(FlowNetwork network, long[] weights, int[] depth, long seed) {
    this.network = network;
    this.weights = weights;
    this.depth = depth;
    this.total = Arrays.stream(weights).sum();
    int n = network.vertices;
    owner = new byte[n];
    Arrays.fill(owner, NONE);
    marks = new byte[n];
    level = new int[n];
    Arrays.fill(level, -1);
    next = new int[n];
    path = new int[n];
    queue = new int[n];
    ranked = new int[n];
    rank = new int[n];
    long key = SeededHash.key(seed);
    for (int i = 0; i < n; i++) {
      int j = SeededHash.below(SeededHash.draw(key, i), i + 1L);
      ranked[i] = ranked[j];
      ranked[j] = i;
    }
    for (int i = 0; i < n; i++) {
      rank[ranked[i]] = i;
    }
    terminals[SOURCE] = new Terminal(SOURCE);
    terminals[SINK] = new Terminal(SINK);
  }

  /**
   * Looks for cuts that are balanced: of those the smallest that it finds, of those the most even.
   *
   * @param bound a larger cut is of no use
   * @param sourceLimit what the source's side may weigh
   * @param sinkLimit what the sink's side may weigh
   * @return whether it found one
   */
  boolean run(long bound, long sourceLimit, long sinkLimit) {
    Terminal source = terminals[SOURCE];
    Terminal sink = terminals[SINK];
    boolean within = augment(bound);
    while (within) {
      consider(source, sourceLimit, sinkLimit);
      consider(sink, sourceLimit, sinkLimit);
      boolean found = best != null;
      if (found && bestHeaviest == (total + 1) / 2) {
        break; // none is more even
      }
      // The lighter side, unless even that is too heavy.
      boolean sourceGrows =
          source.weight() <= sink.weight()
              ? source.weight() <= sourceLimit
              : sink.weight() > sinkLimit;
      Terminal growing = sourceGrows ? source : sink;
      long least = total - (sourceGrows ? sinkLimit : sourceLimit);
      growing.settle();
      if (!growing.pierce(found ? total / 2 : least, found)) {
        break;
      }
      within = flowAgain(growing, bound);
    }
    return best != null;
  }

  /** For each vertex its side of the best cut: {@link #SOURCE} or {@link #SINK}. */
  byte[] sides() {
    return best;
  }

  /** The capacity of the edges between these sides. */
  long cut() {
    return bestCut;
  }

  /** The weight of the heavier one. */
  long heaviest() {
    return bestHeaviest;
  }

  /** Keeps the cut around what a terminal reaches, if it is balanced and better than before. */
  private void consider(Terminal terminal, long sourceLimit, long sinkLimit) {
    long mine = terminal.weight();
    long source = terminal.side == SOURCE ? mine : total - mine;
    long heaviest = Math.max(source, total - source);
    if (source > sourceLimit
        || total - source > sinkLimit
        || (best != null && heaviest >= bestHeaviest)) {
      return;
    }
    bestCut = flow;
    bestHeaviest = heaviest;
    best = best == null ? new byte[network.vertices] : best;
    for (int v = 0; v < best.length; v++) {
      boolean inside = owner[v] == terminal.side || terminal.reaches(v);
      best[v] = (byte) (inside ? terminal.side : 1 - terminal.side);
    }
  }

  /** Makes the flow maximal again; whether it keeps the bound. */
  private boolean flowAgain(Terminal pierced, long bound) {
    for (int v : pierced.pierced) {
      if (terminals[1 - pierced.side].reaches(v)) {
        return augment(bound);
      }
    }
    if (pierced.side == SOURCE) {
      search();
    } else {
      searchBack();
    }
    return true;
  }

  /** Makes the flow maximal, unless it passes the bound; finds what the terminals reach then. */
  private boolean augment(long bound) {
    while (search()) {
      for (int root : terminals[SOURCE].pierced) {
        sendFrom(root, bound);
      }
      forgetLevels();
      if (flow > bound) {
        return false;
      }
    }
    searchBack();
    return flow <= bound;
  }

  private void forgetLevels() {
    for (int i = 0; i < queued; i++) {
      level[queue[i]] = -1;
    }
  }

  /** Finds the distances from the source up to the sink, or, if it is not reached, all that is. */
  private boolean search() {
    Terminal source = terminals[SOURCE];
    source.forgetReached();
    queued = 0;
    for (int v : source.pierced) {
      enqueue(v, 0);
    }
    int last = Integer.MAX_VALUE;
    for (int at = 0; at < queued && level[queue[at]] < last; at++) {
      int v = queue[at];
      for (int a = network.offsets[v]; a < network.offsets[v + 1]; a++) {
        int u = network.heads[a];
        if (network.residual[a] > 0) {
          if (owner[u] == SINK) {
            last = level[v] + 1;
          } else if (owner[u] == NONE && level[u] < 0) {
            enqueue(u, level[v] + 1);
          }
        }
      }
    }
    if (last < Integer.MAX_VALUE) {
      return true;
    }
    forgetLevels();
    for (int i = source.pierced.length; i < queued; i++) {
      source.reach(queue[i]);
    }
    return false;
  }

  private void enqueue(int v, int distance) {
    level[v] = distance;
    next[v] = network.offsets[v];
    queue[queued++] = v;
  }

  /** Finds what reaches the sink. */
  private void searchBack() {
    Terminal sink = terminals[SINK];
    sink.forgetReached();
    for (int v : sink.pierced) {
      reachBack(v);
    }
    for (int at = 0; at < sink.reachedCount; at++) {
      reachBack(sink.reached[at]);
    }
  }

  private void reachBack(int v) {
    Terminal sink = terminals[SINK];
    for (int a = network.offsets[v]; a < network.offsets[v + 1]; a++) {
      int u = network.heads[a];
      if (owner[u] == NONE && !sink.reaches(u) && network.residual[network.reverse[a]] > 0) {
        sink.reach(u);
      }
    }
  }

  /**
   * Sends flow along all shortest paths from a vertex to the sink, until it passes the bound
   * (Dinic: Algorithm for solution of a problem of maximum flow in networks with power estimation,
   * 1970).
   */
  private void sendFrom(int root, long bound) {
    int length = 0;
    int v = root;
    while (flow <= bound) {
      if (owner[v] == SINK) {
        length = send(length);
        v = tail(path[length]);
        continue;
      }
      int a = next[v];
      while (a < network.offsets[v + 1] && !leadsOn(v, a)) {
        a++;
      }
      next[v] = a;
      if (a < network.offsets[v + 1]) {
        path[length++] = a;
        v = network.heads[a];
      } else if (length == 0) {
        return;
      } else {
        v = tail(path[--length]);
        next[v]++;
      }
    }
  }

  private int tail(int arc) {
    return network.heads[network.reverse[arc]];
  }

  private boolean leadsOn(int v, int a) {
    int u = network.heads[a];
    return network.residual[a] > 0
        && (owner[u] == SINK || (owner[u] == NONE && level[u] == level[v] + 1));
  }

  /** Sends what a path can carry; gives the place of its first arc that is full then. */
  private int send(int length) {
    long most = Long.MAX_VALUE;
    int full = 0;
    for (int i = length - 1; i >= 0; i--) {
      if (network.residual[path[i]] <= most) {
        most = network.residual[path[i]];
        full = i;
      }
    }
    for (int i = 0; i < length; i++) {
      network.residual[path[i]] -= most;
      network.residual[network.reverse[path[i]]] += most;
    }
    flow += most;
    return full;
  }
}
