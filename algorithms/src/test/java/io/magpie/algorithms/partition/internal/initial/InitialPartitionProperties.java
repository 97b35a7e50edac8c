package io.magpie.algorithms.partition.internal.initial;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.partition.Balance;
import io.magpie.algorithms.partition.PartitionInputs;
import io.magpie.algorithms.partition.PartitionQuality;
import io.magpie.algorithms.partition.PartitionVerifier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;

/** Initial partitions of graphs of every kind. */
class InitialPartitionProperties {
  private static int[] partition(Graph graph, Balance balance, long seed, int trials) {
    return InitialPartition.of(
        graph.offsets(),
        graph.neighbors(),
        graph.weights(),
        graph.vertexWeights(),
        null,
        PartBounds.even(balance.parts(), balance.limit()),
        seed,
        trials);
  }

  @Property(tries = 400, shrinking = ShrinkingMode.BOUNDED)
  void isFeasibleWhereVerticesWeighTheSame(
      @ForAll("generated") Graph graph,
      @ForAll @IntRange(min = 1, max = 130) int parts,
      @ForAll("imbalances") double imbalance,
      @ForAll @IntRange(min = 1, max = 3) int trials,
      @ForAll long seed) {
    Balance balance = Balance.of(graph, Math.min(parts, graph.vertices()), imbalance);
    int[] result = partition(graph, balance, seed, trials);
    PartitionQuality quality =
        PartitionVerifier.evaluate(graph, result, balance.parts(), imbalance);
    assertTrue(quality.feasible(), () -> quality.heaviest() + " of " + quality.limit());
  }

  /** Vertices that weigh no more than the slack can always be packed, and so must be. */
  @Property(tries = 300, shrinking = ShrinkingMode.BOUNDED)
  void isFeasibleWhereVerticesAreLighterThanTheSlack(
      @ForAll("weighted") Graph graph,
      @ForAll @IntRange(min = 1, max = 8) int parts,
      @ForAll long seed) {
    long weight = PartitionVerifier.evaluate(graph, new int[graph.vertices()], 1, 0).limit();
    // An even share and the heaviest vertex more: the lightest part always has room.
    long limit = (weight + parts - 1) / parts + 9;
    Balance balance = new Balance(weight, parts, 0, limit);
    int[] result = partition(graph, balance, seed, 1);
    PartitionQuality quality = PartitionVerifier.evaluate(graph, result, parts, 0);
    assertTrue(quality.heaviest() <= limit, () -> quality.heaviest() + " of " + limit);
  }

  @Property(tries = 20, shrinking = ShrinkingMode.BOUNDED)
  void dependsOnTheSeedAndNotOnTheThreads(@ForAll("generated") Graph graph, @ForAll long seed)
      throws InterruptedException, ExecutionException {
    Balance balance = Balance.of(graph, Math.min(12, graph.vertices()), 0.03);
    int[] expected = partition(graph, balance, seed, 4);
    for (int threads : new int[] {1, 3}) {
      ForkJoinPool pool = new ForkJoinPool(threads);
      try {
        assertArrayEquals(expected, pool.submit(() -> partition(graph, balance, seed, 4)).get());
      } finally {
        pool.shutdown();
      }
    }
  }

  @Provide
  Arbitrary<Graph> generated() {
    return PartitionInputs.generated(700);
  }

  @Provide
  Arbitrary<Graph> weighted() {
    return PartitionInputs.weighted(300, 900, 9);
  }

  @Provide
  Arbitrary<Double> imbalances() {
    return Arbitraries.of(0.0, 0.01, 0.03, 0.1, 1.0);
  }
}
