package io.magpie.algorithms.partition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.partition.PartitionOptions.Refinement;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Weights that add up to 2^31 and more. */
class LargeWeightsTest {
  private static final int MOST = Integer.MAX_VALUE;

  private static Graph withVertexWeights(Graph graph, int... weights) {
    return Graph.of(graph.offsets(), graph.neighbors(), graph.weights(), weights);
  }

  private static Graph heavyGrid(int side) {
    Graph grid = GraphGenerators.generate("grid:" + side + ",weights=" + MOST + ".." + MOST);
    int[] weights = new int[grid.vertices()];
    Arrays.fill(weights, MOST);
    return withVertexWeights(grid, weights);
  }

  /** Every edge and every vertex weighs 2^31 - 1: the cut of boxes counts in these. */
  @ParameterizedTest
  @EnumSource(Refinement.class)
  void heaviestWeightsAreCutAsIfTheyWere1(Refinement refinement) {
    Graph graph = heavyGrid(40);
    PartitionOptions options = PartitionOptions.of(4).withImbalance(0).withRefinement(refinement);
    for (String device : List.of("cpu:2", "sim:3:6")) {
      long least = Long.MAX_VALUE;
      // By who comes first, now and then a cut is larger.
      for (int seed = 1; seed <= 3 && least > 80 * 4 / 3; seed++) {
        PartitionResult result =
            GraphPartitioner.run(PartitionVariants.device(device), graph, options.withSeed(seed));
        String what = device + ": " + result;
        assertEquals(List.of(), PartitionVerifier.verify(result), what);
        assertTrue(result.feasible(), what);
        assertEquals(400L * MOST, result.balance().limit());
        assertEquals(0, result.cut() % MOST, what);
        least = Math.min(least, result.cut() / MOST);
      }
      assertTrue(least <= 80 * 4 / 3, device + ": " + least);
    }
  }

  @ParameterizedTest
  @EnumSource(Refinement.class)
  void balanceIsExactForAnyWeights(Refinement refinement) {
    for (int seed = 0; seed < 4; seed++) {
      Graph plain = GraphGenerators.generate("rmat:scale=9,edges=3000,weights=max,seed=" + seed);
      int[] weights = new Random(seed).ints(plain.vertices(), 0, MOST).toArray();
      Graph graph = withVertexWeights(plain, weights);
      PartitionOptions options =
          PartitionOptions.of(5).withSeed(seed).withRefinement(refinement).withImbalance(0.01);
      PartitionResult result =
          GraphPartitioner.run(PartitionVariants.device("cpu:2"), graph, options, 60);
      assertEquals(List.of(), PartitionVerifier.verify(result), result::toString);
      assertTrue(result.feasible(), result::toString);
      assertEquals(
          Arrays.stream(weights).asLongStream().sum(), Arrays.stream(result.partWeights()).sum());
    }
  }

  /** One below 2^31, and 2^31. */
  @ParameterizedTest
  @CsvSource({"2147483646, 1", "2147483647, 2"})
  void unitsAreCoarseOnlyWhereTotalsNeedIt(int heaviest, long unit) {
    Graph path = GraphGenerators.generate("path:3,weights=none");
    Graph vertices = withVertexWeights(path, heaviest, 1, 0);
    CoarseUnits units = CoarseUnits.of(vertices, Balance.of(vertices, 1, 0));
    assertEquals(unit, units.vertexUnit());
    assertEquals(1, units.edgeUnit());
    Graph edges = Graph.of(path.offsets(), path.neighbors(), new int[] {heaviest, heaviest, 1, 1});
    units = CoarseUnits.of(edges, Balance.of(edges, 1, 0));
    assertEquals(1, units.vertexUnit());
    assertEquals(unit, units.edgeUnit());
    if (unit == 1) {
      assertSame(edges, units.graph());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 17})
  void balanceInUnitsKeepsTheBalanceAsked(int parts) {
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      Graph plain = GraphGenerators.generate("random:300,m=900,weights=0..2147483647,seed=" + seed);
      Graph graph = withVertexWeights(plain, random.ints(300, 0, MOST).toArray());
      Balance asked = Balance.of(graph, parts, 0.1);
      CoarseUnits units = CoarseUnits.of(graph, asked);
      int[] rounded = units.graph().vertexWeights();
      assertTrue(Arrays.stream(rounded).asLongStream().sum() <= MOST);
      assertTrue(
          Arrays.stream(units.graph().weights()).asLongStream().sum() / 2 <= MOST,
          () -> "edges of seed " + units);
      // Fills a part at random to its limit in units.
      long inUnits = 0;
      long exact = 0;
      for (int v : random.ints(0, 300).distinct().limit(300).toArray()) {
        if (inUnits + rounded[v] <= units.balance().limit()) {
          inUnits += rounded[v];
          exact += graph.vertexWeights()[v];
        }
      }
      assertTrue(exact <= asked.limit(), exact + " of " + asked.limit());
      assertTrue(exact > asked.limit() * 0.99, exact + " of " + asked.limit());
    }
  }

  /** The most that vertices of a graph can weigh together, and the most that a limit can be. */
  @Test
  void limitsAreExactIn64BitsAndRefusedBeyond() {
    long weight = (1L << 62) - 1;
    assertEquals(weight, Balance.limit(weight, 1, 0));
    assertEquals(2 * weight, Balance.limit(weight, 1, 1));
    assertEquals(weight / 3 + weight / 12, Balance.limit(weight, 3, 0.25));
    assertEquals(Long.MAX_VALUE, Balance.limit(Long.MAX_VALUE, 1, 0));
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> Balance.limit(Long.MAX_VALUE, 1, 0.5));
    assertEquals(
        "the limit of a part must be below 2^63, got 13835058055282163710", e.getMessage());
  }
}
