package io.magpie.algorithms.partition;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.ResultArrays;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.partition.PartitionOptions.Coarsening;
import io.magpie.algorithms.partition.PartitionOptions.Contraction;
import io.magpie.algorithms.partition.PartitionOptions.Matching;
import io.magpie.algorithms.partition.PartitionOptions.Refinement;
import io.magpie.stm.Device;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;

/** Vertices that stay in their parts, by every variant on every device. */
class FixedVerticesProperties {
  private record Request(
      String device, PartitionOptions options, int coarsest, double fixedShare, long seed) {
    /** About so many vertices in parts by lot, or in part 0. */
    FixedVertices fixed(Graph graph) {
      Random random = new Random(seed);
      boolean one = random.nextBoolean();
      return FixedVertices.of(
          random
              .doubles(graph.vertices())
              .mapToInt(d -> d >= fixedShare ? -1 : one ? 0 : random.nextInt(options.parts()))
              .toArray());
    }

    PartitionResult run(Graph graph, FixedVertices fixed) {
      return GraphPartitioner.run(
          PartitionVariants.device(device), graph, fixed, options, coarsest);
    }
  }

  private static void assertStay(FixedVertices fixed, int... parts) {
    for (int v = 0; v < parts.length; v++) {
      assertTrue(fixed.part(v) < 0 || fixed.part(v) == parts[v], "vertex " + v);
    }
  }

  @Property(tries = 12, shrinking = ShrinkingMode.BOUNDED)
  void fixedVerticesStayAndOthersFit(
      @ForAll("unweighted") Graph graph, @ForAll("requests") Request request) {
    holds(graph, request);
  }

  @Property(tries = 150, shrinking = ShrinkingMode.BOUNDED)
  @Tag("slow")
  void theyDoSoInManyMoreRuns(
      @ForAll("unweighted") Graph graph, @ForAll("requests") Request request) {
    holds(graph, request);
  }

  private static void holds(Graph graph, Request request) {
    PartitionOptions options = request.options();
    FixedVertices fixed = request.fixed(graph);
    boolean possible = options.parts() <= graph.vertices();
    long[] taken = new long[options.parts()];
    for (int v = 0; v < graph.vertices(); v++) {
      if (fixed.part(v) >= 0) {
        taken[fixed.part(v)]++;
      }
    }
    PartitionQuality bounds =
        PartitionVerifier.evaluate(
            graph,
            new int[graph.vertices()],
            options.parts(),
            options.imbalance(),
            options.partWeights());
    for (int p = 0; p < taken.length; p++) {
      possible &= taken[p] <= bounds.limits()[p];
    }
    if (!possible) {
      assertThrows(ImpossibleBalanceException.class, () -> request.run(graph, fixed));
      return;
    }
    PartitionResult result = request.run(graph, fixed);
    PartitionReport report = result.report().orElseThrow();
    assertStay(fixed, result.parts());
    assertEquals(List.of(), PartitionVerifier.verify(result), () -> result + " by " + request);
    assertTrue(
        report.levels().isEmpty() || report.deviceBytes() <= report.deviceBudget(),
        () -> report.deviceBytes() + " of " + report.deviceBudget() + " by " + request);
  }

  @Property(tries = 12, shrinking = ShrinkingMode.BOUNDED)
  void fixedVerticesStayWhateverTheWeights(
      @ForAll("weighted") Graph graph, @ForAll("requests") Request request) {
    FixedVertices fixed = request.fixed(graph);
    PartitionResult result;
    try {
      result = request.run(graph, fixed);
    } catch (ImpossibleBalanceException e) {
      return;
    }
    assertStay(fixed, result.parts());
    assertEquals(List.of(), PartitionVerifier.differences(result), () -> "by " + request);
  }

  /** Of few vertices a balance is found if there is one, and none is refused that is possible. */
  @Property(tries = 40)
  void ofFewVerticesABalanceIsFoundIfThereIsOne(
      @ForAll @IntRange(min = 2, max = 3) int parts,
      @ForAll @IntRange(min = 3, max = 8) int vertices,
      @ForAll("refinements") Refinement refinement,
      @ForAll long seed) {
    Random random = new Random(seed);
    int[] weights = random.ints(vertices, 0, 10).toArray();
    Graph path = GraphGenerators.generate("path:n=" + vertices + ",weights=1..9,seed=" + seed);
    Graph graph = Graph.of(path.offsets(), path.neighbors(), path.weights(), weights);
    int[] given = random.ints(vertices, -2, parts).map(p -> Math.max(-1, p)).toArray();
    FixedVertices fixed = FixedVertices.of(given);
    double imbalance = random.nextInt(3) * 0.1;
    boolean possible = isPossible(graph, parts, imbalance, fixed);
    PartitionResult result;
    try {
      result =
          GraphPartitioner.run(
              PartitionVariants.device("cpu:4"),
              graph,
              fixed,
              PartitionOptions.of(parts).withImbalance(imbalance).withRefinement(refinement));
    } catch (ImpossibleBalanceException e) {
      assertTrue(!possible, e.getMessage());
      return;
    }
    assertStay(fixed, result.parts());
    assertEquals(possible, result.feasible(), () -> Arrays.toString(weights) + fixed);
  }

  private static boolean isPossible(Graph graph, int count, double imbalance, FixedVertices fixed) {
    int[] parts = new int[graph.vertices()];
    for (long code = 0; code < Math.pow(count, parts.length); code++) {
      long rest = code;
      boolean stay = true;
      for (int v = 0; v < parts.length; v++) {
        parts[v] = (int) (rest % count);
        stay &= fixed.part(v) < 0 || fixed.part(v) == parts[v];
        rest /= count;
      }
      if (stay && PartitionVerifier.evaluate(graph, parts, count, imbalance).feasible()) {
        return true;
      }
    }
    return false;
  }

  @Property(tries = 4, shrinking = ShrinkingMode.BOUNDED)
  void partsDependOnTheSeedAlone(@ForAll("weighted") Graph graph, @ForAll("requests") Request any) {
    PartitionOptions options =
        any.options()
            .withRefinement(Refinement.ATOMIC_FREE)
            .withCoarsening(Coarsening.MATCHING)
            .withMatching(Matching.PROPOSALS)
            .withContraction(Contraction.SORT);
    FixedVertices fixed = any.fixed(graph);
    int[] expected = null;
    for (String device : List.of("cpu:1", "cpu:4", "sim:2:4")) {
      int[] found;
      try {
        found = new Request(device, options, any.coarsest(), 0, 0).run(graph, fixed).parts();
      } catch (ImpossibleBalanceException e) {
        return;
      }
      expected = expected == null ? found : expected;
      assertArrayEquals(expected, found, () -> device + " by " + options);
    }
  }

  /** Two opposite sides of a grid, or its corners, pull the rest along. */
  @Example
  void othersJoinThem() {
    Graph grid = GraphGenerators.generate("grid:rows=40,columns=40,weights=none");
    int[] sides = new int[1600];
    int[] swapped = new int[1600];
    Arrays.setAll(sides, v -> v % 40 == 0 ? 1 : v % 40 == 39 ? 0 : -1);
    Arrays.setAll(swapped, v -> v == 0 ? 3 : v == 39 ? 2 : v == 1560 ? 1 : v == 1599 ? 0 : -1);
    for (Refinement refinement : Refinement.values()) {
      assertTrue(cut(grid, 2, refinement, sides) <= 44);
      assertTrue(cut(grid, 4, refinement, swapped) <= 96);
    }
  }

  private static long cut(Graph graph, int parts, Refinement refinement, int... fixed) {
    PartitionResult result =
        GraphPartitioner.run(
            PartitionVariants.device("cpu:4"),
            graph,
            FixedVertices.of(fixed),
            PartitionOptions.of(parts).withRefinement(refinement));
    assertEquals(List.of(), PartitionVerifier.verify(result));
    assertStay(result.fixed(), result.parts());
    return result.cut();
  }

  /** Half of a graph is fixed where it has no edges to others of its part: coarsening goes on. */
  @Example
  void manyFixedVerticesDoNotStopCoarsening() {
    Graph graph = GraphGenerators.generate("grid:100,weights=none");
    Random random = new Random(3);
    int[] fixed = random.ints(graph.vertices(), 0, 6).map(draw -> draw < 3 ? draw : -1).toArray();
    for (Coarsening coarsening : Coarsening.values()) {
      PartitionResult result =
          GraphPartitioner.run(
              PartitionVariants.device("cpu:4"),
              graph,
              FixedVertices.of(fixed),
              PartitionOptions.of(3).withCoarsening(coarsening));
      assertEquals(List.of(), PartitionVerifier.verify(result));
      List<PartitionReport.Level> levels = result.report().orElseThrow().levels();
      int last = levels.get(levels.size() - 1).vertices();
      assertTrue(last < 2000, "the coarsest graph has " + last + " vertices");
    }
  }

  @Example
  void allMayBeFixed() {
    Graph graph = GraphGenerators.generate("grid:12,weights=none");
    int[] parts = new int[144];
    Arrays.setAll(parts, v -> v % 4);
    Device device = PartitionVariants.device("cpu:4");
    PartitionResult result =
        GraphPartitioner.run(
            device,
            graph,
            FixedVertices.of(parts),
            PartitionOptions.of(4).withImbalance(0),
            new ResultArrays());
    assertArrayEquals(parts, result.parts());
    int[] one = new int[144];
    assertArrayEquals(
        one,
        GraphPartitioner.run(device, graph, FixedVertices.of(one), PartitionOptions.of(1)).parts());
  }

  @Example
  void tellsWhatIsImpossible() {
    assertEquals(
        "the vertices that are fixed to part 1 weigh 5, but it may weigh at most 3 (100 % of its"
            + " share of 6); fix fewer or ask for an imbalance of at least 0.67",
        refused(new int[] {1, 1, 1, 1, 1, 1}, 1, 1, 1, 1, 1, -1));
    assertEquals(
        "vertex 3 weighs 3, but with the vertices that are fixed no part has room for more than 2"
            + " (100 % of its share of 8); fix fewer or ask for an imbalance of at least 0.25",
        refused(new int[] {1, 2, 2, 3}, 0, 0, 1, -1));
    assertEquals(
        "3 vertices are free, but with those that are fixed 2 parts have room for at most 2 of"
            + " them (100 % of their shares of 12); fix fewer or ask for an imbalance of at least"
            + " 0.17",
        refused(new int[] {3, 3, 2, 2, 2}, 0, 1, -1, -1, -1));
  }

  private static String refused(int[] weights, int... fixed) {
    Graph graph = Graph.of(new int[weights.length + 1], new int[0], null, weights);
    return assertThrows(
            ImpossibleBalanceException.class,
            () -> Balance.of(graph, 2, 0, PartShares.EVEN, FixedVertices.of(fixed)))
        .getMessage();
  }

  @Example
  void refusesOtherGraphs() {
    Graph graph = GraphGenerators.generate("path:4,weights=none");
    Device device = PartitionVariants.device("cpu:4");
    for (int[] fixed : new int[][] {{0, -1, -1}, {0, 2, -1, -1}}) {
      assertThrows(
          IllegalArgumentException.class,
          () ->
              GraphPartitioner.run(device, graph, FixedVertices.of(fixed), PartitionOptions.of(2)));
    }
    assertThrows(IllegalArgumentException.class, () -> FixedVertices.of(0, -2));
    assertEquals(FixedVertices.NONE, FixedVertices.of(-1, -1));
  }

  @Example
  void seesWhatMoved() {
    FixedVertices fixed = FixedVertices.of(0, -1, 1, 1);
    assertEquals(List.of(), PartitionVerifier.moved(new int[] {0, 1, 1, 1}, fixed));
    assertEquals(
        List.of("2 fixed vertices are in other parts: vertex 0 is in part 1, not 0"),
        PartitionVerifier.moved(new int[] {1, 1, 1, 0}, fixed));
  }

  @Example
  void readsTheFormOfHmetis() throws IOException {
    Path file = Files.createTempFile("fixed", ".fix");
    try {
      Files.writeString(file, "-1\n2\n0\n-1\n");
      assertEquals(FixedVertices.of(-1, 2, 0, -1), PartitionFormat.readFixed(file, 4, 3));
      for (String[] wrong :
          new String[][] {
            {"-1\n3\n0\n0\n", ":2: found '3', expected a part, 0 to 2, or -1 for a vertex that is"},
            {"-1\n-2\n0\n0\n", ":2: found '-2', expected a part, 0 to 2, or -1"},
            {"-1\nx\n0\n0\n", ":2: found 'x', expected a part, 0 to 2, or -1"},
            {"-1\n1\n", "found the end of the file after 2 lines, expected 4 lines"},
            {"0\n0\n0\n0\n0\n", ":5: found more lines, expected 4 lines"}
          }) {
        Files.writeString(file, wrong[0]);
        String message =
            assertThrows(FileFormatException.class, () -> PartitionFormat.readFixed(file, 4, 3))
                .getMessage();
        assertTrue(message.contains(wrong[1]), message);
      }
    } finally {
      Files.delete(file);
    }
  }

  @Provide
  Arbitrary<Graph> unweighted() {
    return PartitionInputs.generated(400);
  }

  @Provide
  Arbitrary<Graph> weighted() {
    return PartitionInputs.weighted(120, 400, 1000);
  }

  @Provide
  Arbitrary<Refinement> refinements() {
    return Arbitraries.of(Refinement.values());
  }

  /** Even parts, or such that each is to weigh one more than the one before. */
  @Provide
  Arbitrary<Request> requests() {
    Arbitrary<PartitionOptions> options =
        Combinators.combine(
                Arbitraries.of(1, 2, 3, 5, 13)
                    .flatMap(parts -> Arbitraries.of(PartitionVariants.all(parts))),
                Arbitraries.of(Matching.values()),
                Arbitraries.of(0.0, 0.03, 0.3, 1.0),
                Arbitraries.of(true, false),
                Arbitraries.longs())
            .as(
                (variant, matching, imbalance, even, seed) -> {
                  double[] shares = new double[variant.parts()];
                  Arrays.setAll(shares, p -> p + 1.0);
                  return variant
                      .withMatching(matching)
                      .withImbalance(imbalance)
                      .withPartWeights(even ? PartShares.EVEN : PartShares.of(shares))
                      .withSeed(seed);
                });
    return Combinators.combine(
            Arbitraries.of(PartitionVariants.devices()),
            options,
            Arbitraries.of(20, 60, 1024),
            Arbitraries.of(0.01, 0.1, 0.3, 0.6),
            Arbitraries.longs())
        .as(Request::new);
  }
}
