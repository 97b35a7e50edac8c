package io.magpie.algorithms.partition.internal.flow;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Refines partitions by maximum flows between pairs of parts (Sanders, Schulz: Engineering
 * multilevel graph partitioning algorithms, ESA 2011; Gottesbüren, Heuer, Sanders: Parallel
 * flow-based hypergraph partitioning, SEA 2022).
 *
 * <p>For two parts with edges between them, a {@link Corridor} of vertices around their cut is
 * divided anew, by a {@link FlowCutter}: at less cut, or at the same cut more evenly. In each round
 * all pairs take their turn of which one part has changed in the round before. Pairs that share no
 * part are refined at the same time. The result depends on the arguments only, not on the number of
 * threads.
 */
public final class FlowRefinement {
  /** How far from the cut vertices of a corridor may be. */
  private static final int LAYERS = 8;

  /** Arcs of a corridor on either side: of graphs with hubs a few layers have most of the arcs. */
  private static final int MOST_ARCS = 1 << 20;

  /**
   * Arcs of a large graph for each at a boundary, at least: of many a network all vertices are
   * there, and corridors would be whole parts.
   */
  private static final int ARCS_FOR_EACH_AT_BOUNDARY = 4;

  private static final int MOST_ROUNDS = 20;

  /** A round that gains less than this share of the cut is the last. */
  private static final double LEAST_GAIN = 0.0005;

  private static final int[] NOTHING = {};

  private final HostGraph graph;
  private final int[] part;
  private final long limit;
  private final long[] ballast;
  private final long[] load; // ballast not included
  private final long seed;
  private final int[] place; // of corridors
  private int[] boundary = new int[1024]; // all vertices that have been next to another part
  private int boundaryCount;
  private final boolean[] listed; // whether a vertex is in `boundary`
  private long gain;

  /**
   * What refinement made of a partition.
   *
   * @param gain by how much the cut fell
   * @param partWeights the weight of each part, ballast not included
   */
  public record Result(long gain, long[] partWeights) {}

  /** Two parts with edges between them, of this weight. */
  private record Pair(int first, int second, long cut) {}

  /** Vertices that change from one part of a pair to the other, and by how much the cut falls. */
  private record Change(int[] moved, long gain) {}

  private FlowRefinement(HostGraph graph, int[] part, long limit, long[] ballast, long seed) {
    this.graph = graph;
    this.part = part;
    this.limit = limit;
    this.ballast = ballast;
    this.load = new long[ballast.length];
    this.seed = seed;
    this.place = new int[part.length];
    Arrays.fill(place, -1);
    this.listed = new boolean[part.length];
    for (int v = 0; v < part.length; v++) {
      load[part[v]] += graph.vertexWeight(v);
      list(v);
    }
  }

  /**
   * Refines a partition in place. The cut does not grow; no part grows beyond the limit, or beyond
   * what it weighed if that was more; and each time that a pair is refined, at least half of the
   * weight of each part stays in it. A graph of which more than 2^20 arcs and more than a quarter
   * of all are at vertices next to other parts is left as it is.
   *
   * @param offsets {@code vertices + 1} arc indices, ascending from 0
   * @param neighbors the target of each arc; both directions of each edge; self-loops are ignored
   * @param weights the weight of each arc, 0 or more, or null if each weighs 1
   * @param vertexWeights the weight of each vertex, 0 or more, or null if each weighs 1
   * @param fixed the part that each vertex stays in, or -1; null if all may move
   * @param part for each vertex its part
   * @param limit what a part may weigh, its ballast included
   * @param ballast of each part
   * @param seed determines the result
   */
  public static Result of(
      int[] offsets,
      int[] neighbors,
      int[] weights,
      int[] vertexWeights,
      int[] fixed,
      int[] part,
      long limit,
      long[] ballast,
      long seed) {
    HostGraph graph = new HostGraph(offsets, neighbors, weights, vertexWeights, fixed);
    FlowRefinement refinement = new FlowRefinement(graph, part, limit, ballast, seed);
    refinement.run();
    return new Result(refinement.gain, refinement.load);
  }

  private void run() {
    if (isMostlyBoundary()) {
      return;
    }
    boolean[] active = new boolean[load.length];
    Arrays.fill(active, true);
    List<Pair> due = pairs(active);
    double enough = LEAST_GAIN * due.stream().mapToDouble(Pair::cut).sum();
    boolean more = true;
    for (int round = 0; round < MOST_ROUNDS && more; round++) {
      long before = gain;
      boolean[] changed = new boolean[load.length];
      while (!due.isEmpty()) {
        List<Pair> later = new ArrayList<>();
        refine(disjoint(due, later), round, changed);
        due = later;
      }
      more = gain > before && gain - before >= enough;
      due = pairs(changed);
    }
  }

  /** Whether the graph is large and much of it is next to another part. */
  private boolean isMostlyBoundary() {
    long arcs = 0;
    for (int i = 0; i < boundaryCount; i++) {
      arcs += graph.degree(boundary[i]);
    }
    return arcs > Math.max(MOST_ARCS, graph.neighbors().length / ARCS_FOR_EACH_AT_BOUNDARY);
  }

  /** Lists a vertex if it is next to another part. */
  private void list(int v) {
    if (listed[v]) {
      return;
    }
    for (int a = graph.offsets()[v]; a < graph.offsets()[v + 1]; a++) {
      if (part[graph.neighbors()[a]] != part[v]) {
        if (boundaryCount == boundary.length) {
          boundary = Arrays.copyOf(boundary, 2 * boundaryCount);
        }
        boundary[boundaryCount++] = v;
        listed[v] = true;
        return;
      }
    }
  }

  /** The pairs with an active part, those of most cut first. */
  private List<Pair> pairs(boolean[] active) {
    Map<Long, Long> cuts = new HashMap<>();
    for (int i = 0; i < boundaryCount; i++) {
      int v = boundary[i];
      int p = part[v];
      for (int a = graph.offsets()[v]; a < graph.offsets()[v + 1]; a++) {
        int q = part[graph.neighbors()[a]];
        if (p < q && (active[p] || active[q])) {
          cuts.merge(((long) p << Integer.SIZE) | q, graph.weight(a), Long::sum);
        }
      }
    }
    List<Pair> pairs = new ArrayList<>();
    cuts.forEach(
        (both, cut) -> pairs.add(new Pair((int) (both >> Integer.SIZE), both.intValue(), cut)));
    pairs.sort(
        Comparator.comparingLong((Pair pair) -> -pair.cut)
            .thenComparingInt(Pair::first)
            .thenComparingInt(Pair::second));
    return pairs;
  }

  /**
   * Pairs that share no part.
   *
   * @param later takes the others
   */
  private List<Pair> disjoint(List<Pair> pairs, List<Pair> later) {
    boolean[] taken = new boolean[load.length];
    List<Pair> result = new ArrayList<>();
    for (Pair pair : pairs) {
      if (taken[pair.first] || taken[pair.second]) {
        later.add(pair);
      } else {
        taken[pair.first] = true;
        taken[pair.second] = true;
        result.add(pair);
      }
    }
    return result;
  }

  /**
   * Refines pairs that share no part.
   *
   * @param changed takes the parts that are others than before
   */
  private void refine(List<Pair> pairs, int round, boolean[] changed) {
    int[][] boundaries = boundaries(pairs);
    // Nobody writes parts meanwhile, and places only of vertices in parts of the own pair.
    List<Change> changes =
        pairs.stream().parallel().map(pair -> change(pair, round, boundaries)).toList();
    for (int i = 0; i < changes.size(); i++) {
      if (changes.get(i) != null) {
        apply(pairs.get(i), changes.get(i));
        changed[pairs.get(i).first] = true;
        changed[pairs.get(i).second] = true;
      }
    }
  }

  /** The vertices of each part that are next to the other one of its pair. */
  private int[][] boundaries(List<Pair> pairs) {
    int[] partner = new int[load.length];
    Arrays.fill(partner, -1);
    for (Pair pair : pairs) {
      partner[pair.first] = pair.second;
      partner[pair.second] = pair.first;
    }
    int[][] result = new int[load.length][];
    Arrays.fill(result, NOTHING);
    int[] counts = new int[load.length];
    for (int i = 0; i < boundaryCount; i++) {
      int v = boundary[i];
      int p = part[v];
      if (partner[p] >= 0 && isNextTo(v, partner[p])) {
        if (counts[p] == result[p].length) {
          result[p] = Arrays.copyOf(result[p], Math.max(64, 2 * counts[p]));
        }
        result[p][counts[p]++] = v;
      }
    }
    Arrays.setAll(result, p -> Arrays.copyOf(result[p], counts[p]));
    return result;
  }

  private boolean isNextTo(int v, int p) {
    for (int a = graph.offsets()[v]; a < graph.offsets()[v + 1]; a++) {
      if (part[graph.neighbors()[a]] == p) {
        return true;
      }
    }
    return false;
  }

  private void apply(Pair pair, Change change) {
    gain += change.gain;
    for (int v : change.moved) {
      int from = part[v];
      part[v] = from == pair.first ? pair.second : pair.first;
      load[from] -= graph.vertexWeight(v);
      load[part[v]] += graph.vertexWeight(v);
    }
    for (int v : change.moved) {
      list(v);
      for (int a = graph.offsets()[v]; a < graph.offsets()[v + 1]; a++) {
        list(graph.neighbors()[a]);
      }
    }
  }

  /** How to improve a pair; null if no way was found. */
  private Change change(Pair pair, int round, int[][] boundaries) {
    int p = pair.first;
    int q = pair.second;
    long loadOfP = load[p] + ballast[p];
    long loadOfQ = load[q] + ballast[q];
    try (Corridor corridor = new Corridor(graph, part, p, q, place)) {
      long movableOfP = corridor.grow(p, boundaries[p], LAYERS, load[p] / 2, MOST_ARCS);
      long movableOfQ = corridor.grow(q, boundaries[q], LAYERS, load[q] / 2, MOST_ARCS);
      FlowNetwork network = corridor.network();
      if (corridor.cut() == 0) {
        return null;
      }
      long[] weights = new long[corridor.count()];
      weights[FlowCutter.SOURCE] = loadOfP - movableOfP;
      weights[FlowCutter.SINK] = loadOfQ - movableOfQ;
      for (int i = 2; i < weights.length; i++) {
        weights[i] = graph.vertexWeight(corridor.vertex(i));
      }
      long key = ((long) p * load.length + q) * MOST_ROUNDS + round;
      FlowCutter cutter = new FlowCutter(network, weights, corridor.depth(), seed + key);
      boolean found =
          cutter.run(corridor.cut(), Math.max(limit, loadOfP), Math.max(limit, loadOfQ));
      if (!found
          || (cutter.cut() == corridor.cut() && cutter.heaviest() >= Math.max(loadOfP, loadOfQ))) {
        return null;
      }
      int[] moved = new int[weights.length];
      int count = 0;
      for (int i = 2; i < moved.length; i++) {
        int v = corridor.vertex(i);
        if (part[v] != (cutter.sides()[i] == FlowCutter.SOURCE ? p : q)) {
          moved[count++] = v;
        }
      }
      return new Change(Arrays.copyOf(moved, count), corridor.cut() - cutter.cut());
    }
  }
}
