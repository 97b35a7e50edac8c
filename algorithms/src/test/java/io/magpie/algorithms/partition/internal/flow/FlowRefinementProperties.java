package io.magpie.algorithms.partition.internal.flow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.partition.PartitionInputs;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;

/** Flows between parts of graphs of every kind. */
class FlowRefinementProperties {
  private static FlowRefinement.Result refine(
      Graph graph, int[] fixed, int[] part, long limit, long[] ballast, long seed) {
    return FlowRefinement.of(
        graph.offsets(),
        graph.neighbors(),
        graph.weights(),
        graph.vertexWeights(),
        fixed,
        part,
        limit,
        ballast,
        seed);
  }

  private static long cut(Graph graph, int... part) {
    long twice = 0;
    for (int v = 0; v < part.length; v++) {
      for (int a = graph.offsets()[v]; a < graph.offsets()[v + 1]; a++) {
        twice += part[graph.neighbors()[a]] == part[v] ? 0 : graph.weight(a);
      }
    }
    return twice / 2;
  }

  private static long[] weights(Graph graph, int[] part, int parts) {
    long[] weights = new long[parts];
    for (int v = 0; v < part.length; v++) {
      weights[part[v]] += graph.vertexWeights() == null ? 1 : graph.vertexWeights()[v];
    }
    return weights;
  }

  /** Parts as a breadth-first search finds vertices, so that they are in pieces, and some noise. */
  private static int[] parts(Graph graph, int parts, Random random) {
    int n = graph.vertices();
    int[] order = new int[n];
    boolean[] seen = new boolean[n];
    int end = 0;
    int at = 0;
    for (int root = 0; root < n; root++) {
      if (!seen[root]) {
        seen[root] = true;
        order[end++] = root;
      }
      for (; at < end; at++) {
        for (int a = graph.offsets()[order[at]]; a < graph.offsets()[order[at] + 1]; a++) {
          int u = graph.neighbors()[a];
          if (!seen[u]) {
            seen[u] = true;
            order[end++] = u;
          }
        }
      }
    }
    int[] part = new int[n];
    for (int i = 0; i < n; i++) {
      boolean noise = random.nextInt(10) == 0;
      part[order[i]] = noise ? random.nextInt(parts) : (int) ((long) i * parts / n);
    }
    return part;
  }

  private static void holds(Graph graph, int parts, int slack, boolean uneven, long seed) {
    Random random = new Random(seed);
    int[] before = parts(graph, parts, random);
    int[] fixed = new int[before.length];
    Arrays.setAll(fixed, v -> random.nextInt(8) == 0 ? before[v] : -1);
    long[] had = weights(graph, before, parts);
    long most = Arrays.stream(had).max().orElseThrow();
    long[] ballast = new long[parts];
    if (uneven) {
      Arrays.setAll(ballast, p -> random.nextInt(2) * (most / 2));
    }
    long sum = Arrays.stream(had).sum() + Arrays.stream(ballast).sum();
    long limit = sum / parts + sum / parts * slack / 100;
    int[] part = before.clone();
    FlowRefinement.Result result = refine(graph, fixed, part, limit, ballast, seed);
    assertTrue(result.gain() >= 0);
    assertEquals(cut(graph, before) - result.gain(), cut(graph, part));
    long[] has = weights(graph, part, parts);
    assertArrayEquals(has, result.partWeights());
    for (int p = 0; p < parts; p++) {
      assertTrue(has[p] + ballast[p] <= Math.max(limit, had[p] + ballast[p]), "part " + p);
    }
    for (int v = 0; v < part.length; v++) {
      assertTrue(fixed[v] < 0 || part[v] == fixed[v], "vertex " + v);
    }
  }

  @Property(tries = 300, shrinking = ShrinkingMode.BOUNDED)
  void theCutNeverGrowsAndLimitsHold(
      @ForAll("generated") Graph graph,
      @ForAll @IntRange(min = 2, max = 12) int parts,
      @ForAll @IntRange(min = 0, max = 30) int slack,
      @ForAll boolean uneven,
      @ForAll long seed) {
    holds(graph, parts, slack, uneven, seed);
  }

  @Property(tries = 200, shrinking = ShrinkingMode.BOUNDED)
  void theyDoSoWhateverTheWeights(
      @ForAll("weighted") Graph graph,
      @ForAll @IntRange(min = 2, max = 6) int parts,
      @ForAll @IntRange(min = 0, max = 30) int slack,
      @ForAll boolean uneven,
      @ForAll long seed) {
    holds(graph, parts, slack, uneven, seed);
  }

  @Property(tries = 15, shrinking = ShrinkingMode.BOUNDED)
  void doesNotDependOnTheThreads(@ForAll("generated") Graph graph, @ForAll long seed)
      throws InterruptedException, ExecutionException {
    int parts = 8;
    int[] before = parts(graph, parts, new Random(seed));
    long limit = Long.MAX_VALUE / 4;
    int[] expected = before.clone();
    refine(graph, null, expected, limit, new long[parts], seed);
    for (int threads : new int[] {1, 3}) {
      ForkJoinPool pool = new ForkJoinPool(threads);
      try {
        int[] part = before.clone();
        pool.submit(() -> refine(graph, null, part, limit, new long[parts], seed)).get();
        assertArrayEquals(expected, part);
      } finally {
        pool.shutdown();
      }
    }
  }

  /** Of few vertices all partitions are known: none is found that is better than the best. */
  @Property(tries = 300)
  void twoPartsOfFewVerticesAreNoBetterThanTheBest(
      @ForAll @IntRange(min = 2, max = 10) int vertices, @ForAll long seed) {
    Random random = new Random(seed);
    Graph graph =
        GraphGenerators.generate(
            "random:n=" + vertices + ",m=" + 2 * vertices + ",weights=1..9,seed=" + (seed >>> 1));
    int[] before = random.ints(vertices, 0, 2).toArray();
    long limit = vertices / 2 + 1 + random.nextInt(2);
    long[] had = weights(graph, before, 2);
    long least = Long.MAX_VALUE;
    int[] part = new int[vertices];
    for (int set = 0; set < 1 << vertices; set++) {
      for (int v = 0; v < vertices; v++) {
        part[v] = (set >> v) & 1;
      }
      long[] has = weights(graph, part, 2);
      if (has[0] <= Math.max(limit, had[0]) && has[1] <= Math.max(limit, had[1])) {
        least = Math.min(least, cut(graph, part));
      }
    }
    int[] refined = before.clone();
    refine(graph, null, refined, limit, new long[2], seed);
    assertTrue(cut(graph, refined) >= least);
  }

  // ---- Where the best is known.

  /** Two halves of a lattice, between which the border is ragged. */
  @Property(tries = 20)
  void aRaggedBorderOfALatticeBecomesStraight(@ForAll long seed) {
    int side = 40;
    Random random = new Random(seed);
    Graph graph = GraphGenerators.generate("grid:" + side + ",weights=none");
    int[] part = new int[side * side];
    for (int row = 0; row < side; row++) {
      int border = side / 2 - 3 + random.nextInt(7);
      for (int column = 0; column < side; column++) {
        part[row * side + column] = column < border ? 0 : 1;
      }
    }
    int half = side * side / 2;
    long[] had = weights(graph, part, 2);
    long limit = Math.max(half + 2 * side, Math.max(had[0], had[1]));
    refine(graph, null, part, limit, new long[2], seed);
    assertEquals(side, cut(graph, part));
  }

  @Example
  void aPathIsCutOnceForEachNeighbor() {
    int n = 300;
    int parts = 3;
    Graph path = GraphGenerators.generate("path:n=" + n + ",weights=none");
    int[] part = new int[n];
    for (int v = 0; v < n; v++) {
      part[v] = v * parts / n;
    }
    // Near the borders neighbors alternate.
    for (int border : new int[] {100, 200}) {
      for (int v = border - 6; v < border + 6; v++) {
        part[v] = (border / 100) - v % 2;
      }
    }
    assertTrue(cut(path, part) > 20);
    refine(path, null, part, 103, new long[parts], 1);
    assertEquals(2, cut(path, part));
  }

  /** As many leaves as may be come to the hub. */
  @Example
  void leavesOfAStarComeToTheHub() {
    int n = 101;
    Graph star = GraphGenerators.generate("star:n=" + n + ",weights=none");
    int hub = 0;
    while (star.offsets()[hub + 1] - star.offsets()[hub] < n - 1) {
      hub++;
    }
    int[] part = new int[n];
    for (int v = 0; v < n; v++) {
      part[v] = v == hub || v % 2 == 0 ? 0 : 1;
    }
    FlowRefinement.Result result = refine(star, null, part, 60, new long[2], 1);
    assertEquals(n - 60, cut(star, part));
    long[] weights = result.partWeights();
    Arrays.sort(weights);
    assertArrayEquals(new long[] {n - 60, 60}, weights);
  }

  /**
   * A hub with more than half of all edges, and others around it: nothing breaks, much is gained.
   */
  @Example
  void hubsAreRefinedToo() {
    Graph graph = GraphGenerators.generate("powerlaw:n=2000,m=12000,weights=none");
    int parts = 4;
    int[] part = new Random(1).ints(graph.vertices(), 0, parts).toArray();
    long before = cut(graph, part);
    refine(graph, null, part, 515, new long[parts], 1);
    assertTrue(cut(graph, part) < 0.95 * before, () -> cut(graph, part) + " of " + before);
  }

  /** Otherwise corridors would be all of it. */
  @Example
  void aLargeGraphIsLeftAloneWhereMostOfItIsAtBoundaries() {
    Graph graph = GraphGenerators.generate("random:n=200000,m=600000,weights=none");
    int[] before = new Random(1).ints(graph.vertices(), 0, 2).toArray();
    int[] part = before.clone();
    assertEquals(0, refine(graph, null, part, 110_000, new long[2], 1).gain());
    assertArrayEquals(before, part);
  }

  /** Sums of weights beyond 2^32, and of two arcs beyond 2^31. */
  @Example
  void weightsAtTheirLimitsAreSummedExactly() {
    int side = 20;
    Graph grid = GraphGenerators.generate("grid:" + side + ",weights=none");
    int[] heavy = new int[grid.neighbors().length];
    Arrays.fill(heavy, Integer.MAX_VALUE);
    int[] vertices = new int[grid.vertices()];
    Arrays.fill(vertices, Integer.MAX_VALUE);
    Graph graph = Graph.of(grid.offsets(), grid.neighbors(), heavy, vertices);
    int[] part = new int[side * side];
    for (int v = 0; v < part.length; v++) {
      part[v] = v % side < side / 2 + (v / side % 2 == 0 ? 2 : -2) ? 0 : 1;
    }
    long limit = (long) (side / 2 + 2) * side * Integer.MAX_VALUE;
    long before = cut(graph, part);
    FlowRefinement.Result result = refine(graph, null, part, limit, new long[2], 1);
    assertEquals((long) side * Integer.MAX_VALUE, cut(graph, part));
    assertEquals(before - (long) side * Integer.MAX_VALUE, result.gain());
  }

  @Provide
  Arbitrary<Graph> generated() {
    return PartitionInputs.generated(400);
  }

  @Provide
  Arbitrary<Graph> weighted() {
    return PartitionInputs.weighted(200, 600, 9);
  }
}
