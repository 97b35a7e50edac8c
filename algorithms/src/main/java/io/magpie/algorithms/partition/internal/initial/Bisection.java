package io.magpie.algorithms.partition.internal.initial;

import io.magpie.algorithms.partition.internal.initial.Matching.Rating;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Multilevel bisection: pairs of vertices are contracted until few are left, regions are grown
 * there from random vertices (Karypis, Kumar: A fast and high quality multilevel scheme for
 * partitioning irregular graphs, 1998, section 3.2), and the best is refined on the way back.
 */
final class Bisection {
  private static final int COARSEST = 80;

  /** Regions grown at least and at most, and the vertices of the graph for each more. */
  private static final int LEAST_GROWN = 4;

  private static final int MOST_GROWN = 16;
  private static final int VERTICES_FOR_EACH = 400;

  /** A level that keeps more than this share of its vertices is the last. */
  static final double STALLED = 0.95;

  private final long target;
  private final long[] limit;

  private Bisection(long target, long[] limit) {
    this.target = target;
    this.limit = limit;
  }

  /** Sides of the vertices, and what they cost. */
  private record Sides(byte[] side, long overload, long cut) {
    boolean betterThan(Sides other) {
      return other == null
          || overload < other.overload
          || (overload == other.overload && cut < other.cut);
    }
  }

  /**
   * Bisects a graph, of which vertices may be fixed to a side.
   *
   * @param target what side 0 should weigh
   * @param limit what each side may weigh; together at least the graph's weight
   * @param trials how many bisections are made, in parallel, to take the best
   * @return for each vertex 0 or 1; a limit is exceeded only if nothing else was found
   */
  static byte[] of(SmallGraph graph, long target, long[] limit, long seed, int trials) {
    Bisection bisection = new Bisection(target, limit);
    Draws draws = new Draws(seed);
    long[] seeds = new long[trials];
    for (int t = 0; t < trials; t++) {
      seeds[t] = draws.seed();
    }
    Sides best = null;
    for (Sides sides :
        IntStream.range(0, trials)
            .parallel()
            .mapToObj(t -> bisection.multilevel(graph, t, new Draws(seeds[t])))
            .toList()) {
      if (sides.betterThan(best)) {
        best = sides;
      }
    }
    return best.side();
  }

  private Sides multilevel(SmallGraph graph, int trial, Draws draws) {
    List<SmallGraph> graphs = new ArrayList<>(List.of(graph));
    List<int[]> groups = new ArrayList<>();
    long heaviest = Math.max(graph.heaviest, 3 * graph.weight / (2 * COARSEST));
    heaviest = Math.min(heaviest, Integer.MAX_VALUE);
    SmallGraph level = graph;
    while (level.vertices > COARSEST) {
      int[] group = new int[level.vertices];
      Rating rating = trial % 2 == 0 ? Rating.HEAVY_EDGE : Rating.EVEN;
      int count = Matching.of(level, null, heaviest, rating, draws, group);
      if (count > STALLED * level.vertices) {
        break;
      }
      level = level.contract(group, count);
      graphs.add(level);
      groups.add(group);
    }
    int regions = LEAST_GROWN + graph.vertices / VERTICES_FOR_EACH;
    Sides sides = initial(level, Math.min(MOST_GROWN, regions), draws);
    for (int l = groups.size() - 1; l >= 0; l--) {
      int[] group = groups.get(l);
      byte[] finer = new byte[group.length];
      for (int v = 0; v < finer.length; v++) {
        finer[v] = sides.side()[group[v]];
      }
      sides = refined(graphs.get(l), finer, draws);
    }
    return sides;
  }

  private Sides refined(SmallGraph graph, byte[] side, Draws draws) {
    TwoWayRefinement refinement = new TwoWayRefinement(graph, side, limit);
    refinement.run(patience(graph), draws);
    return new Sides(side, refinement.overload(), refinement.cut());
  }

  private static int patience(SmallGraph graph) {
    return Math.max(50, graph.vertices / 200);
  }

  private Sides initial(SmallGraph graph, int regions, Draws draws) {
    Sides best = null;
    for (int i = 0; i < regions; i++) {
      Sides sides = refined(graph, grown(graph, i % 2, draws), draws);
      if (sides.betterThan(best)) {
        best = sides;
      }
    }
    return best;
  }

  /** A region grown from a random vertex, always by the vertex that costs the cut least. */
  private byte[] grown(SmallGraph graph, int region, Draws draws) {
    int n = graph.vertices;
    byte[] side = new byte[n];
    Arrays.fill(side, (byte) (1 - region));
    long wanted = region == 0 ? target : graph.weight - target;
    long load = 0;
    VertexHeap queue = new VertexHeap(n);
    int[] gain = new int[n];
    for (int v = 0; v < n; v++) {
      gain[v] = -graph.degrees[v];
    }
    int[] order = draws.permutation(n);
    boolean[] seen = new boolean[n];
    if (graph.fixed != null) {
      load = growFixed(graph, region, side, gain, seen, queue);
    }
    int next = 0;
    while (load < wanted) {
      if (queue.isEmpty()) {
        while (next < n && seen[order[next]]) {
          next++;
        }
        if (next == n) {
          break;
        }
        queue.set(order[next], gain[order[next]]);
      }
      int v = queue.pop();
      seen[v] = true;
      long with = load + graph.vertexWeights[v];
      // The vertex that reaches the target may overshoot it by no more than it falls short before.
      if (with > limit[region] || with - wanted > wanted - load) {
        continue;
      }
      side[v] = (byte) region;
      load = with;
      reach(graph, v, gain, seen, queue);
    }
    return side;
  }

  /** Tells the neighbors of a vertex that it is in the region. */
  private static void reach(SmallGraph graph, int v, int[] gain, boolean[] seen, VertexHeap queue) {
    for (int a = graph.offsets[v]; a < graph.offsets[v + 1]; a++) {
      int u = graph.neighbors[a];
      gain[u] += 2 * graph.weights[a];
      if (!seen[u]) {
        queue.set(u, gain[u]);
      }
    }
  }

  /** Begins with the vertices that are fixed to the region; gives their weight. */
  private static long growFixed(
      SmallGraph graph, int region, byte[] side, int[] gain, boolean[] seen, VertexHeap queue) {
    for (int v = 0; v < graph.vertices; v++) {
      seen[v] = graph.isFixed(v);
    }
    long load = 0;
    for (int v = 0; v < graph.vertices; v++) {
      if (graph.fixed[v] == region) {
        side[v] = (byte) region;
        load += graph.vertexWeights[v];
        reach(graph, v, gain, seen, queue);
      }
    }
    return load;
  }
}
