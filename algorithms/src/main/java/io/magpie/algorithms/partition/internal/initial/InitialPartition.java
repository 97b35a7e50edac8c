package io.magpie.algorithms.partition.internal.initial;

import java.util.Arrays;
import java.util.PriorityQueue;
import java.util.stream.IntStream;

/**
 * Partitions of small graphs on the host: recursive bisection, each the best of several multilevel
 * ones, and multilevel refinement of all parts together.
 *
 * <p>The result depends on the arguments only, not on the number of threads.
 */
public final class InitialPartition {
  /** Subgraphs with fewer vertices than this are split by one thread. */
  private static final int PARALLEL = 400;

  /** Vertices for each part at which contraction within parts ends. */
  private static final int COARSEST_FOR_EACH_PART = 4;

  private final int[] parts;
  private final PartBounds bounds;
  private final int trials;

  private InitialPartition(int[] parts, PartBounds bounds, int trials) {
    this.parts = parts;
    this.bounds = bounds;
    this.trials = trials;
  }

  /**
   * Partitions a graph of up to some ten thousand vertices.
   *
   * @param offsets {@code vertices + 1} arc indices, ascending from 0
   * @param neighbors the target of each arc; both directions of each edge; self-loops are ignored
   * @param weights the weight of each arc, 0 or more, or null if each weighs 1
   * @param vertexWeights the weight of each vertex, 0 or more, or null if each weighs 1
   * @param fixed the part that each vertex stays in, or -1; null if all may move
   * @param bounds the number of parts, and what they may weigh
   * @param seed determines the result
   * @param trials effort, at least 1: of so many bisections the best is taken, each time one is
   *     needed, and all parts are refined together in one cycle more than that
   * @return for each vertex its part; a part exceeds the limit only where nothing else was found,
   *     which whole vertices can make unavoidable
   */
  public static int[] of(
      int[] offsets,
      int[] neighbors,
      int[] weights,
      int[] vertexWeights,
      int[] fixed,
      PartBounds bounds,
      long seed,
      int trials) {
    int n = offsets.length - 1;
    int[] vertexWeight = vertexWeights;
    if (vertexWeight == null) {
      vertexWeight = new int[n];
      Arrays.fill(vertexWeight, 1);
    }
    int[] result = new int[n];
    if (bounds.parts > 1) {
      SmallGraph graph = SmallGraph.of(offsets, neighbors, weights, vertexWeight, fixed);
      new InitialPartition(result, bounds, trials)
          .split(graph, IntStream.range(0, n).toArray(), bounds.parts, 0, seed);
      refine(graph, result, bounds, seed, trials + 1);
    }
    return result;
  }

  /** Refines all parts together; if some are too heavy for that to help, packs them again. */
  private static void refine(
      SmallGraph graph, int[] part, PartBounds bounds, long seed, int cycles) {
    Draws draws = new Draws(seed);
    long overload = new KWayRefinement(graph, part, bounds).run(draws).overload();
    for (int cycle = 0; cycle < cycles; cycle++) {
      overload = cycle(graph, part, bounds, draws);
    }
    if (overload > 0) {
      int[] packed = packed(graph, bounds);
      KWayRefinement refinement = new KWayRefinement(graph, packed, bounds);
      if (refinement.overload() < overload) {
        refinement.run(draws);
        System.arraycopy(packed, 0, part, 0, packed.length);
      }
    }
  }

  /**
   * Contracts pairs of the same part, level by level, and refines on the way back, so that clusters
   * of vertices move too (Walshaw: Multilevel refinement for combinatorial optimisation problems,
   * 2004, section 3.4).
   *
   * @return the overload that is left
   */
  private static long cycle(SmallGraph graph, int[] part, PartBounds bounds, Draws draws) {
    if (graph.vertices > COARSEST_FOR_EACH_PART * bounds.parts) {
      int[] group = new int[graph.vertices];
      long heaviest = Math.max(graph.heaviest, Math.min(bounds.limit / 3, Integer.MAX_VALUE));
      int count = Matching.of(graph, part, heaviest, Matching.Rating.HEAVY_EDGE, draws, group);
      if (count <= Bisection.STALLED * graph.vertices) {
        int[] coarse = new int[count];
        for (int v = 0; v < group.length; v++) {
          coarse[group[v]] = part[v];
        }
        cycle(graph.contract(group, count), coarse, bounds, draws);
        for (int v = 0; v < group.length; v++) {
          part[v] = coarse[group[v]];
        }
      }
    }
    return new KWayRefinement(graph, part, bounds).run(draws).overload();
  }

  /**
   * Parts of even weight, ballast included, whatever the cut: the heaviest vertices first, each to
   * the lightest part, which without ballast makes the heaviest at most 4/3 as heavy as it must be
   * (Graham: Bounds on multiprocessing timing anomalies, 1969).
   */
  private static int[] packed(SmallGraph graph, PartBounds bounds) {
    long[] order = new long[graph.vertices];
    for (int v = 0; v < order.length; v++) {
      order[v] = ((long) -graph.vertexWeights[v] << 32) | v;
    }
    Arrays.sort(order);
    record Part(int number, long load) implements Comparable<Part> {
      @Override
      public int compareTo(Part other) {
        return load != other.load
            ? Long.compare(load, other.load)
            : Integer.compare(number, other.number);
      }
    }
    PriorityQueue<Part> lightest = new PriorityQueue<>();
    int[] result = new int[graph.vertices];
    long[] loads = bounds.loads();
    for (int v = 0; v < result.length; v++) {
      if (graph.isFixed(v)) {
        result[v] = graph.fixed[v];
        loads[result[v]] += graph.vertexWeights[v];
      }
    }
    for (int p = 0; p < loads.length; p++) {
      lightest.add(new Part(p, loads[p]));
    }
    for (long entry : order) {
      int v = (int) entry;
      if (graph.isFixed(v)) {
        continue;
      }
      Part part = lightest.remove();
      result[v] = part.number;
      lightest.add(new Part(part.number, part.load + graph.vertexWeights[v]));
    }
    return result;
  }

  /** Gives the vertices of a subgraph the parts {@code first .. first + count - 1}. */
  private void split(SmallGraph graph, int[] names, int count, int first, long seed) {
    if (count == 1 || graph.vertices == 0) {
      for (int name : names) {
        parts[name] = first;
      }
      return;
    }
    Draws draws = new Draws(seed);
    int[] counts = {count - count / 2, count / 2};
    long target = graph.weight * bounds.target(first, counts[0]) / bounds.target(first, count);
    long[] limits = limits(graph.weight, first, counts);
    SmallGraph sided = graph.withFixedSides(first + counts[0]);
    byte[] side = Bisection.of(sided, target, limits, draws.seed(), trials);
    int[] number = new int[graph.vertices];
    int[] size = new int[2];
    for (int v = 0; v < graph.vertices; v++) {
      number[v] = size[side[v]]++;
    }
    long[] seeds = {draws.seed(), draws.seed()};
    IntStream sides = IntStream.range(0, 2);
    (graph.vertices >= PARALLEL ? sides.parallel() : sides)
        .forEach(
            s -> {
              int[] mine = new int[size[s]];
              for (int v = 0; v < graph.vertices; v++) {
                if (side[v] == s) {
                  mine[number[v]] = names[v];
                }
              }
              split(
                  graph.induced(side, s, number, size[s]),
                  mine,
                  counts[s],
                  s == 0 ? first : first + counts[0],
                  seeds[s]);
            });
  }

  /**
   * What the two sides may weigh so that the parts made of them can keep the limit: the slack of
   * the limit over the mean is spread evenly over this bisection and those that follow (Schlag et
   * al.: k-way hypergraph partitioning via n-level recursive bisection, ALENEX 2016, equation 1).
   */
  private long[] limits(long weight, int first, int[] counts) {
    int count = counts[0] + counts[1];
    int depth = 32 - Integer.numberOfLeadingZeros(count - 1);
    long all = bounds.target(first, count);
    double room = (double) bounds.limit(first, count);
    double slack = Math.pow(room / Math.max(1, weight), 1.0 / depth);
    long[] limits = new long[2];
    for (int s = 0; s < 2; s++) {
      int begin = s == 0 ? first : first + counts[0];
      long wanted = bounds.target(begin, counts[s]);
      long even = (weight * wanted + all - 1) / all;
      long slackened = (long) (slack * weight * wanted / all);
      limits[s] = Math.max(even, Math.min(bounds.limit(begin, counts[s]), slackened));
    }
    return limits;
  }
}
