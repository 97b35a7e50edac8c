package io.magpie.algorithms.partition;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.partition.PartitionOptions.Contraction;
import io.magpie.algorithms.partition.PartitionOptions.Refinement;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
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

/** Parts of given shares, by every variant on every device. */
class UnevenPartsProperties {
  private record Request(String device, PartitionOptions options, int coarsest) {
    PartitionResult run(Graph graph) {
      return GraphPartitioner.run(PartitionVariants.device(device), graph, options, coarsest);
    }
  }

  /** {@code floor((1 + percent / 100) ceil(share W))} for whole shares, in whole numbers. */
  private static long limit(long weight, PartShares shares, int part, int percent) {
    BigInteger sum = BigInteger.ZERO;
    for (double share : shares.toArray()) {
      sum = sum.add(BigInteger.valueOf((long) share));
    }
    BigInteger product =
        BigInteger.valueOf(weight).multiply(BigInteger.valueOf((long) shares.toArray()[part]));
    BigInteger target = product.add(sum).subtract(BigInteger.ONE).divide(sum);
    return target
        .multiply(BigInteger.valueOf(100L + percent))
        .divide(BigInteger.valueOf(100))
        .longValueExact();
  }

  @Property(tries = 100)
  void limitsAreThoseOfTheShares(
      @ForAll @IntRange(min = 1, max = 9) int parts,
      @ForAll @IntRange(max = 100) int percent,
      @ForAll long seed) {
    Random random = new Random(seed);
    PartShares shares = PartShares.of(random.doubles(parts, 1, 1e6).map(Math::floor).toArray());
    int[] weights = random.ints(100, 0, 20).toArray();
    Graph graph = Graph.of(new int[101], new int[0], null, weights);
    Balance balance;
    try {
      balance = Balance.of(graph, parts, percent / 100.0, shares);
    } catch (ImpossibleBalanceException e) {
      return;
    }
    int[] all = new int[100];
    PartitionQuality quality =
        PartitionVerifier.evaluate(graph, all, parts, percent / 100.0, shares);
    for (int p = 0; p < parts; p++) {
      long expected = limit(balance.weight(), shares, p, percent);
      assertEquals(expected, balance.limit(p));
      assertEquals(expected, quality.limits()[p]);
    }
    assertEquals(LongStream.of(quality.limits()).max().orElseThrow(), balance.limit());
  }

  @Property(tries = 4, shrinking = ShrinkingMode.BOUNDED)
  void verticesWithoutWeightsAlwaysFit(
      @ForAll("unweighted") Graph graph, @ForAll("requests") Request request) {
    holds(graph, request);
  }

  @Property(tries = 150, shrinking = ShrinkingMode.BOUNDED)
  @Tag("slow")
  void verticesWithoutWeightsFitInManyMoreRuns(
      @ForAll("unweighted") Graph graph, @ForAll("requests") Request request) {
    holds(graph, request);
  }

  private static void holds(Graph graph, Request request) {
    if (request.options().parts() > graph.vertices()) {
      assertThrows(ImpossibleBalanceException.class, () -> request.run(graph));
      return;
    }
    PartitionResult result = request.run(graph);
    PartitionReport report = result.report().orElseThrow();
    assertTrue(report.deviceBytes() <= report.deviceBudget() || report.levels().isEmpty());
    assertEquals(List.of(), PartitionVerifier.verify(result), () -> result + " by " + request);
    assertTrue(result.feasible());
    if (!report.levels().isEmpty()) {
      long heaviest = Arrays.stream(result.partWeights()).max().orElseThrow();
      assertEquals(heaviest, report.levels().get(0).heaviestPart(), "without ballast");
    }
  }

  @Property(tries = 12, shrinking = ShrinkingMode.BOUNDED)
  void weightsAreCountedRight(
      @ForAll("weighted") Graph graph, @ForAll("requests") Request request) {
    PartitionResult result;
    try {
      result = request.run(graph);
    } catch (ImpossibleBalanceException e) {
      return;
    }
    PartitionOptions options = request.options();
    assertEquals(List.of(), PartitionVerifier.differences(result), () -> "by " + request);
    PartitionQuality found =
        PartitionVerifier.evaluate(
            graph, result.parts(), options.parts(), options.imbalance(), options.partWeights());
    assertEquals(found.feasible(), result.feasible());
  }

  /** Of few vertices a balance is found if there is one, and none is refused that is possible. */
  @Property(tries = 40)
  void ofFewVerticesABalanceIsFoundIfThereIsOne(
      @ForAll @IntRange(min = 2, max = 3) int parts,
      @ForAll @IntRange(min = 3, max = 8) int vertices,
      @ForAll("shares of 3") List<Double> shares,
      @ForAll("imbalances") double imbalance,
      @ForAll("refinements") Refinement refinement,
      @ForAll long seed) {
    PartShares given =
        PartShares.of(shares.stream().limit(parts).mapToDouble(Double::doubleValue).toArray());
    Random random = new Random(seed);
    int[] weights = random.ints(vertices, 0, 10).toArray();
    Graph path = GraphGenerators.generate("path:n=" + vertices + ",weights=1..9,seed=" + seed);
    Graph graph = Graph.of(path.offsets(), path.neighbors(), path.weights(), weights);
    long least = leastCut(graph, parts, imbalance, given);
    PartitionOptions options =
        PartitionOptions.of(parts)
            .withPartWeights(given)
            .withImbalance(imbalance)
            .withRefinement(refinement)
            .withSeed(seed);
    PartitionResult result;
    try {
      result = GraphPartitioner.run(PartitionVariants.device("cpu:4"), graph, options);
    } catch (ImpossibleBalanceException e) {
      assertEquals(Long.MAX_VALUE, least, e.getMessage());
      return;
    }
    assertEquals(least < Long.MAX_VALUE, result.feasible(), () -> Arrays.toString(weights));
    if (result.feasible()) {
      assertTrue(result.cut() >= least);
    }
  }

  /** The least cut of all partitions in balance; the largest number if there are none. */
  private static long leastCut(Graph graph, int count, double imbalance, PartShares shares) {
    long least = Long.MAX_VALUE;
    int[] parts = new int[graph.vertices()];
    for (long code = 0; code < Math.pow(count, parts.length); code++) {
      long rest = code;
      for (int v = 0; v < parts.length; v++) {
        parts[v] = (int) (rest % count);
        rest /= count;
      }
      PartitionQuality quality = PartitionVerifier.evaluate(graph, parts, count, imbalance, shares);
      if (quality.feasible()) {
        least = Math.min(least, quality.cut());
      }
    }
    return least;
  }

  /**
   * The same parts, bit for bit, by every device; and those of even parts where shares are equal.
   */
  @Property(tries = 5, shrinking = ShrinkingMode.BOUNDED)
  void partsDependOnTheSeedAlone(@ForAll("weighted") Graph graph, @ForAll("requests") Request any) {
    PartitionOptions options =
        any.options()
            .withRefinement(Refinement.ATOMIC_FREE)
            .withCoarsening(PartitionOptions.Coarsening.MATCHING)
            .withContraction(Contraction.SORT);
    int[] expected = null;
    for (String device : List.of("cpu:1", "cpu:4", "sim:2:4")) {
      int[] found;
      try {
        found = new Request(device, options, any.coarsest()).run(graph).parts();
      } catch (ImpossibleBalanceException e) {
        return;
      }
      expected = expected == null ? found : expected;
      assertArrayEquals(expected, found, () -> device + " by " + options);
    }
    double[] equal = new double[options.parts()];
    Arrays.fill(equal, 0.7);
    try {
      assertArrayEquals(
          new Request("cpu:4", options.withPartWeights(PartShares.EVEN), any.coarsest())
              .run(graph)
              .parts(),
          new Request("cpu:4", options.withPartWeights(PartShares.of(equal)), any.coarsest())
              .run(graph)
              .parts());
    } catch (ImpossibleBalanceException e) {
      return;
    }
  }

  @Example
  void cutsAreLow() {
    cutsAreLow(Refinement.STM);
  }

  @Example
  @Tag("slow")
  void cutsAreLowByEveryRefinement() {
    for (Refinement refinement : Refinement.values()) {
      cutsAreLow(refinement);
    }
  }

  /** What is known of the least cuts of some graphs, and of parts so uneven that one is all. */
  private static void cutsAreLow(Refinement by) {
    assertTrue(cut("grid:60", by, 0.9, 0.1) <= 40, "a corner of 19 by 19 cuts 38");
    assertTrue(cut("grid:60", by, 0.1, 0.9) <= 40);
    assertTrue(cut("path:2000", by, 1, 2, 3, 4) <= 3);
    assertTrue(cut("star:2000", by, 0.1, 0.9) <= 200, "0.1 of the leaves");
    assertEquals(0, cut("grid:60", by, 0.999, 0.001), "one may be all");
    assertEquals(0, cut("rmat:scale=9", by, 7), "one part");
    double[] shares = new Random(1).doubles(64, 0.05, 3).toArray();
    for (String spec : List.of("grid:60", "rmat:scale=10")) {
      long uneven = cut(spec, by, shares);
      long even = cut(spec, by, ones(64));
      assertTrue(uneven <= 1.1 * even, uneven + " and " + even);
    }
  }

  private static double[] ones(int count) {
    double[] ones = new double[count];
    Arrays.fill(ones, 1);
    return ones;
  }

  private static long cut(String spec, Refinement refinement, double... shares) {
    Graph graph = GraphGenerators.generate(spec + ",weights=none");
    PartitionOptions options =
        PartitionOptions.of(shares.length)
            .withPartWeights(PartShares.of(shares))
            .withRefinement(refinement);
    PartitionResult result =
        GraphPartitioner.run(PartitionVariants.device("cpu:4"), graph, options);
    assertEquals(List.of(), PartitionVerifier.verify(result), () -> spec + " by " + options);
    return result.cut();
  }

  /** A part may be so small that no vertex needs to be in it, and is empty or has one. */
  @Example
  void partsMayBeSmallerThanAVertex() {
    Graph graph = GraphGenerators.generate("grid:10,weights=none");
    for (Refinement refinement : Refinement.values()) {
      PartitionResult result =
          GraphPartitioner.run(
              PartitionVariants.device("cpu:4"),
              graph,
              PartitionOptions.of(4)
                  .withPartWeights(PartShares.of(1, 1e-9, 1e-9, 1))
                  .withImbalance(0)
                  .withRefinement(refinement));
      assertEquals(List.of(), PartitionVerifier.verify(result));
      assertEquals(List.of(50L, 1L, 1L, 50L), result.balance().limits());
      assertTrue(result.partWeights()[1] <= 1 && result.partWeights()[2] <= 1);
    }
  }

  /** There is no least weight: that a part of a given share weighs nothing is told, not refused. */
  @Example
  void tellsWhichPartsWeighNothing() {
    Graph graph = GraphGenerators.generate("path:n=410,weights=none");
    int[] all = new int[410];
    Arrays.fill(all, 1);
    PartitionQuality quality =
        PartitionVerifier.evaluate(graph, all, 2, 0.03, PartShares.of(1, 40));
    assertTrue(quality.feasible());
    assertEquals(List.of(0), quality.weightless());
    assertEquals(0, quality.emptiest());
    assertEquals(1, quality.shortfall());
    // With 0.025 the other may weigh 400 and 10 more, which is all.
    assertEquals(0.024, quality.imbalanceThatFillsAll().orElseThrow());
    Arrays.fill(all, 0, 9, 0);
    quality = PartitionVerifier.evaluate(graph, all, 2, 0.03, PartShares.of(1, 40));
    assertEquals(List.of(), quality.weightless());
    assertEquals(0.1, quality.shortfall(), 1e-12);
    PartShares tiny = PartShares.of(1, 1e-9, 1e-9, 1);
    assertTrue(
        PartitionVerifier.evaluate(graph, all, 4, 0, tiny).imbalanceThatFillsAll().isEmpty());
    quality = PartitionVerifier.evaluate(graph, new int[410], 1, 0, PartShares.EVEN);
    assertEquals(1, quality.imbalanceThatFillsAll().orElseThrow());
    for (Refinement refinement : Refinement.values()) {
      for (double imbalance : new double[] {0.024, 0.03}) {
        PartitionOptions options =
            PartitionOptions.of(2)
                .withPartWeights(PartShares.of(1, 40))
                .withImbalance(imbalance)
                .withRefinement(refinement);
        PartitionResult result =
            GraphPartitioner.run(PartitionVariants.device("cpu:4"), graph, options);
        assertEquals(List.of(), PartitionVerifier.verify(result), () -> "by " + options);
        assertTrue(imbalance > 0.024 || result.partWeights()[0] > 0, () -> "by " + options);
      }
    }
  }

  /** With the imbalance that is told no others may weigh all; with a little more some may. */
  @Property(tries = 200)
  void theImbalanceThatFillsAllDoesSo(
      @ForAll @IntRange(min = 2, max = 6) int parts, @ForAll long seed) {
    Random random = new Random(seed);
    PartShares shares = PartShares.of(random.doubles(parts, 0.01, 5).toArray());
    int[] weights = random.ints(50, 0, 100).toArray();
    long weight = Arrays.stream(weights).sum();
    Graph graph = Graph.of(new int[51], new int[0], null, weights);
    PartitionQuality quality = PartitionVerifier.evaluate(graph, new int[50], parts, 0, shares);
    OptionalDouble told = quality.imbalanceThatFillsAll();
    double imbalance = told.orElse(0);
    long[] limits =
        PartitionVerifier.evaluate(graph, new int[50], parts, imbalance, shares).limits();
    long most = 0; // that parts but one may weigh
    double more = 0; // the same with a tenth more imbalance, not rounded down
    for (int p = 0; p < parts; p++) {
      int but = p;
      most = Math.max(most, LongStream.of(limits).sum() - limits[p]);
      long targets =
          IntStream.range(0, parts)
              .filter(q -> q != but)
              .mapToLong(q -> quality.targets()[q])
              .sum();
      more = Math.max(more, (1 + 1.1 * imbalance) * targets);
    }
    assertEquals(told.isPresent(), most < weight);
    assertTrue(imbalance == 1 || more > weight - 1e-6);
  }

  @Example
  void weightsBeyond32BitsKeepTheirShares() {
    int[] weights = new int[400];
    Arrays.fill(weights, Integer.MAX_VALUE);
    Graph grid = GraphGenerators.generate("grid:20,weights=none");
    Graph graph = Graph.of(grid.offsets(), grid.neighbors(), null, weights);
    for (Refinement refinement : Refinement.values()) {
      PartitionResult result =
          GraphPartitioner.run(
              PartitionVariants.device("cpu:4"),
              graph,
              PartitionOptions.of(3)
                  .withPartWeights(PartShares.of(1, 2, 5))
                  .withImbalance(0.02)
                  .withRefinement(refinement));
      assertEquals(List.of(), PartitionVerifier.verify(result), result::toString);
      assertEquals(51L * Integer.MAX_VALUE, result.balance().limit(0));
      assertTrue(result.cut() < 80, result::toString);
    }
  }

  @Example
  void tellsWhatIsImpossible() {
    assertEquals(
        "vertex 1 weighs 12, but the part of most weight may weigh at most 11 (100 % of its share of"
            + " 19); take other shares or ask for an imbalance of at least 0.1",
        refused(PartShares.of(1, 1.3), 1, 12, 6));
    assertEquals(
        "3 vertices weigh at least 6 each, but 2 parts of these shares have room for at most 2 of"
            + " them (100 % of their shares of 18); take other shares or ask for an imbalance of at"
            + " least 0.2",
        refused(PartShares.of(1, 3), 6, 6, 6));
    assertEquals("", refused(PartShares.of(1, 2), 6, 6, 6));
    assertEquals(
        "3 parts of a graph of 2 vertices: some would be empty; ask for at most 2",
        refused(PartShares.of(1, 1, 9), 1, 1));
  }

  private static String refused(PartShares shares, int... weights) {
    Graph graph = Graph.of(new int[weights.length + 1], new int[0], null, weights);
    try {
      Balance.of(graph, shares.count(), 0, shares);
      return "";
    } catch (ImpossibleBalanceException e) {
      return e.getMessage();
    }
  }

  /** The remedy that a refusal names holds, and a little less does not. */
  @Property(tries = 200)
  void remediesHold(
      @ForAll @IntRange(min = 2, max = 5) int parts,
      @ForAll @IntRange(min = 2, max = 12) int vertices,
      @ForAll long seed) {
    Random random = new Random(seed);
    PartShares shares = PartShares.of(random.doubles(parts, 1, 5).toArray());
    int[] weights = random.ints(vertices, 1, 20).toArray();
    Graph graph = Graph.of(new int[vertices + 1], new int[0], null, weights);
    String message = parts > vertices ? "" : refused(shares, weights);
    int at = message.indexOf("at least 0.") < 0 ? -1 : message.lastIndexOf(' ');
    if (at >= 0) {
      double imbalance = Double.parseDouble(message.substring(at + 1));
      assertEquals(shares, Balance.of(graph, parts, imbalance, shares).shares());
      assertThrows(
          ImpossibleBalanceException.class,
          () -> Balance.of(graph, parts, Math.max(0, imbalance - 0.01), shares));
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

  @Provide
  Arbitrary<Double> imbalances() {
    return Arbitraries.of(0.0, 0.01, 0.03, 0.1, 0.5);
  }

  @Provide("shares of 3")
  Arbitrary<List<Double>> sharesOf3() {
    return shares(3);
  }

  /** Shares of all magnitudes. */
  private static Arbitrary<List<Double>> shares(int parts) {
    return Arbitraries.of(0.001, 0.01, 0.1, 0.3, 1.0, 2.0, 9.0, 100.0).list().ofSize(parts);
  }

  @Provide
  Arbitrary<Request> requests() {
    Arbitrary<PartitionOptions> options =
        Combinators.combine(
                Arbitraries.of(1, 2, 3, 5, 8, 13, 64)
                    .flatMap(
                        parts ->
                            Combinators.combine(
                                    Arbitraries.of(PartitionVariants.all(parts)), shares(parts))
                                .as(
                                    (variant, shares) ->
                                        variant.withPartWeights(
                                            PartShares.of(
                                                shares.stream()
                                                    .mapToDouble(Double::doubleValue)
                                                    .toArray())))),
                imbalances(),
                Arbitraries.longs())
            .as((variant, imbalance, seed) -> variant.withImbalance(imbalance).withSeed(seed));
    return Combinators.combine(
            Arbitraries.of(PartitionVariants.devices()), options, Arbitraries.of(20, 60, 1024))
        .as(Request::new);
  }
}
