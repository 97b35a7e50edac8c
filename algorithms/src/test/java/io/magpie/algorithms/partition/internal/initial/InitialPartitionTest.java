package io.magpie.algorithms.partition.internal.initial;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.partition.Balance;
import io.magpie.algorithms.partition.PartitionQuality;
import io.magpie.algorithms.partition.PartitionVerifier;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InitialPartitionTest {
  private static PartitionQuality quality(Graph graph, int parts, double imbalance, int trials) {
    return PartitionVerifier.evaluate(
        graph, partition(graph, parts, imbalance, trials), parts, imbalance);
  }

  private static int[] partition(Graph graph, int parts, double imbalance, int trials) {
    long weight = PartitionVerifier.evaluate(graph, new int[graph.vertices()], 1, 0).limit();
    return InitialPartition.of(
        graph.offsets(),
        graph.neighbors(),
        graph.weights(),
        graph.vertexWeights(),
        null,
        PartBounds.even(parts, Balance.limit(weight, parts, imbalance)),
        1,
        trials);
  }

  /** Cuts that are known, and what is found at most. */
  @ParameterizedTest
  @CsvSource({
    "path:n=1000, 8, 0.03, 7, 7",
    "path:n=1000, 7, 0, 6, 8",
    "complete:n=40, 2, 0, 400, 400",
    "complete:n=40, 4, 0, 600, 600",
    "star:n=801, 8, 0.03, 697, 697",
    "'grid:rows=32,columns=32', 2, 0.03, 31, 32",
    "'grid:rows=32,columns=32', 4, 0.03, 62, 64",
    "'random:n=50,m=0', 50, 0, 0, 0"
  })
  void findsKnownCuts(String spec, int parts, double imbalance, long least, long most) {
    PartitionQuality found =
        quality(GraphGenerators.generate(spec).withoutWeights(), parts, imbalance, 4);
    assertTrue(found.feasible());
    assertTrue(found.cut() >= least && found.cut() <= most, () -> "cut " + found.cut());
  }

  @Test
  void ofOnePartIsWhole() {
    assertArrayEquals(
        new int[9], partition(GraphGenerators.generate("star:n=9"), 1, 0, 1), "one part");
    assertEquals(0, partition(Graph.of(new int[1], new int[0], null), 1, 0, 1).length);
  }

  @Test
  void keepsComponentsWhole() {
    GraphBuilder builder = new GraphBuilder(60, false);
    for (int v = 0; v < 60; v++) {
      for (int u = v % 6; u < v; u += 6) {
        builder.addEdge(u, v);
      }
    }
    Graph graph = builder.build();
    assertEquals(0, quality(graph, 6, 0, 2).cut());
    assertEquals(0, quality(graph, 3, 0, 2).cut());
  }

  @Test
  void weightsBeyondIntsAreScaled() {
    GraphBuilder builder = new GraphBuilder(64, true);
    for (int v = 1; v < 64; v++) {
      builder.addEdge(v - 1, v, v == 32 ? 1 : Integer.MAX_VALUE);
    }
    assertEquals(1, quality(builder.build(), 2, 0.03, 1).cut());
  }

  /** Of graphs with up to 8 vertices, by trying all partitions. */
  @Test
  void mostlyFindsTheBestPartitionOfFewVertices() {
    Random random = new Random(1);
    int cases = 300;
    int possible = 0;
    int feasible = 0;
    int best = 0;
    for (int i = 0; i < cases; i++) {
      int vertices = 3 + random.nextInt(6);
      GraphBuilder builder = new GraphBuilder(vertices, true);
      for (int e = random.nextInt(3 * vertices); e >= 0; e--) {
        builder.addEdge(random.nextInt(vertices), random.nextInt(vertices), random.nextInt(10));
      }
      Graph plain = builder.build();
      Graph graph =
          Graph.of(
              plain.offsets(),
              plain.neighbors(),
              plain.weights(),
              random.ints(vertices, 0, 6).toArray());
      int parts = 2 + random.nextInt(2);
      double imbalance = random.nextInt(4) * 0.1;
      long least = leastCut(graph, parts, imbalance);
      PartitionQuality found = quality(graph, parts, imbalance, 4);
      possible += least == Long.MAX_VALUE ? 0 : 1;
      feasible += found.feasible() ? 1 : 0;
      best += found.feasible() && found.cut() == least ? 1 : 0;
    }
    assertEquals(possible, feasible);
    assertTrue(best >= 0.9 * possible, best + " of " + possible);
  }

  /** The least cut of all feasible partitions, or the largest number if there are none. */
  private static long leastCut(Graph graph, int count, double imbalance) {
    int vertices = graph.vertices();
    int[] canonical = graph.canonicalArcs();
    long limit = PartitionVerifier.evaluate(graph, new int[vertices], count, imbalance).limit();
    long least = Long.MAX_VALUE;
    int[] parts = new int[vertices];
    for (long code = 0; code < Math.pow(count, vertices); code++) {
      long[] loads = new long[count];
      long rest = code;
      for (int v = 0; v < vertices; v++) {
        parts[v] = (int) (rest % count);
        rest /= count;
        loads[parts[v]] += graph.vertexWeights()[v];
      }
      if (Arrays.stream(loads).allMatch(load -> load <= limit)) {
        long cut = 0;
        for (int arc : canonical) {
          cut += parts[graph.source(arc)] == parts[graph.neighbors()[arc]] ? 0 : graph.weight(arc);
        }
        least = Math.min(least, cut);
      }
    }
    return least;
  }
}
