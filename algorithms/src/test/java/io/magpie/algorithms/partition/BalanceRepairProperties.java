package io.magpie.algorithms.partition;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.graph.Graph;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

class BalanceRepairProperties {
  /** Repairs a copy, and checks what is reported against a plain evaluation. */
  private static int[] repaired(Graph graph, int[] parts, Balance balance) {
    int[] found = parts.clone();
    long cut = PartitionVerifier.evaluate(graph, parts, balance.parts(), 0).cut();
    BalanceRepair.Repaired repaired =
        BalanceRepair.repair(graph, found, balance, FixedVertices.NONE, cut);
    PartitionQuality quality = PartitionVerifier.evaluate(graph, found, balance.parts(), 0);
    assertEquals(quality.cut(), repaired.cut());
    assertArrayEquals(quality.partWeights(), repaired.partWeights());
    return found;
  }

  private static long[] loads(Graph graph, int[] parts, int count) {
    return PartitionVerifier.evaluate(graph, parts, count, 0).partWeights();
  }

  private static long overload(long[] loads, long limit) {
    return LongStream.of(loads).map(w -> Math.max(0, w - limit)).sum();
  }

  /** What is left of an overload can be mended by no vertex alone and by no two that exchange. */
  @Property(tries = 400)
  void noMoveAndNoExchangeHelpsAnyMore(
      @ForAll("weighted") Graph graph,
      @ForAll @IntRange(min = 2, max = 7) int count,
      @ForAll("imbalances") double imbalance,
      @ForAll long seed) {
    Balance balance;
    try {
      balance = Balance.of(graph, count, imbalance);
    } catch (ImpossibleBalanceException e) {
      return;
    }
    int[] parts = new Random(seed).ints(graph.vertices(), 0, count).toArray();
    int[] found = repaired(graph, parts, balance);
    long[] loads = loads(graph, found, count);
    long limit = balance.limit();
    assertTrue(overload(loads, limit) <= overload(loads(graph, parts, count), limit));
    int[] weights = graph.vertexWeights();
    long heaviest = Arrays.stream(weights).max().orElse(0);
    long even = Balance.limit(balance.weight(), count, 0);
    for (int v = 0; v < weights.length; v++) {
      if (loads[found[v]] <= limit) {
        continue;
      }
      assertTrue(loads[found[v]] <= even + heaviest);
      for (int q = 0; q < count; q++) {
        assertFalse(weights[v] > 0 && loads[q] + weights[v] <= limit, v + " fits in " + q);
      }
      for (int u = 0; u < weights.length; u++) {
        int less = weights[v] - weights[u];
        assertFalse(less > 0 && loads[found[u]] + less <= limit, v + " and " + u);
      }
    }
  }

  @Property(tries = 300)
  void fewVerticesThatFillAllPartsArePacked(
      @ForAll @IntRange(min = 2, max = 5) int count,
      @ForAll @IntRange(min = 3, max = 40) int limit,
      @ForAll long seed) {
    Random random = new Random(seed);
    int[] weights = packing(count, limit, 12, random);
    Graph graph = Graph.of(new int[weights.length + 1], new int[0], null, weights);
    int[] parts = random.ints(weights.length, 0, count).toArray();
    int[] found = repaired(graph, parts, Balance.of(graph, count, 0));
    for (long load : loads(graph, found, count)) {
      assertEquals(limit, load, () -> Arrays.toString(weights));
    }
  }

  /** Many light vertices, and hardly any room: moves and exchanges of two end before. */
  @Property(tries = 150)
  void whatBestFitPacksIsPacked(
      @ForAll @IntRange(min = 2, max = 60) int count,
      @ForAll @IntRange(min = 2, max = 6) int each,
      @ForAll @IntRange(min = 1, max = 12) int most,
      @ForAll long seed) {
    Random random = new Random(seed);
    int[] weights = random.ints((long) count * each, 1, most + 1).toArray();
    Graph graph = Graph.of(new int[weights.length + 1], new int[0], null, weights);
    Balance balance;
    try {
      balance = Balance.of(graph, count, 0);
    } catch (ImpossibleBalanceException e) {
      return;
    }
    int[] found = repaired(graph, random.ints(weights.length, 0, count).toArray(), balance);
    if (bestFits(weights, count, balance.limit())) {
      assertEquals(0, overload(loads(graph, found, count), balance.limit()));
    }
  }

  /** Whether each weight, the greatest first, fits into the fullest part that has room. */
  private static boolean bestFits(int[] weights, int count, long limit) {
    long[] loads = new long[count];
    int[] ascending = weights.clone();
    Arrays.sort(ascending);
    for (int i = ascending.length - 1; i >= 0; i--) {
      int to = -1;
      for (int q = 0; q < count; q++) {
        if (loads[q] + ascending[i] <= limit && (to < 0 || loads[q] > loads[to])) {
          to = q;
        }
      }
      if (to < 0) {
        return false;
      }
      loads[to] += ascending[i];
    }
    return true;
  }

  /** Weights of at most so many vertices, in any order, that fill so many parts exactly. */
  private static int[] packing(int count, int limit, int most, Random random) {
    int[] weights = new int[most];
    for (int q = 0; q < count; q++) {
      weights[q] = limit;
    }
    for (int v = count; v < most; v++) {
      int from = random.nextInt(v);
      int taken = weights[from] < 2 ? 0 : 1 + random.nextInt(weights[from] - 1);
      weights[from] -= taken;
      weights[v] = taken;
    }
    List<Integer> shuffled = new ArrayList<>();
    Arrays.stream(weights).filter(w -> w > 0).forEach(shuffled::add);
    Collections.shuffle(shuffled, random);
    return shuffled.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Of 30 vertices of weight 5, three move to 29 of 4, and two change places with them. */
  @Example
  void verticesExchangeWhereNoneFits() {
    int[] weights = new int[59];
    int[] parts = new int[59];
    for (int v = 0; v < 59; v++) {
      weights[v] = v < 30 ? 5 : 4;
      parts[v] = v < 30 ? 0 : 1;
    }
    Graph graph = Graph.of(new int[60], new int[0], null, weights);
    int[] found = repaired(graph, parts, Balance.of(graph, 2, 0));
    assertArrayEquals(new long[] {133, 133}, loads(graph, found, 2));
  }

  @Property(tries = 100)
  void verticesOfOneWeightAlwaysFit(
      @ForAll @IntRange(min = 1, max = 60) int n,
      @ForAll @IntRange(min = 1, max = 9) int weight,
      @ForAll @IntRange(min = 2, max = 7) int count,
      @ForAll("imbalances") double imbalance,
      @ForAll long seed) {
    int[] weights = new int[n];
    Arrays.fill(weights, weight);
    Graph graph = Graph.of(new int[n + 1], new int[0], null, weights);
    Balance balance;
    try {
      balance = Balance.of(graph, count, imbalance);
    } catch (ImpossibleBalanceException e) {
      return;
    }
    int[] parts = new Random(seed).ints(n, 0, count).toArray();
    assertEquals(
        0, overload(loads(graph, repaired(graph, parts, balance), count), balance.limit()));
  }

  @Provide
  Arbitrary<Graph> weighted() {
    return Arbitraries.oneOf(
        PartitionInputs.weighted(80, 200, 30), PartitionInputs.weighted(40, 100, 1000));
  }

  @Provide
  Arbitrary<Double> imbalances() {
    return Arbitraries.of(0.0, 0.01, 0.1, 0.3);
  }
}
