package io.magpie.algorithms.partition;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.graph.Graph;
import io.magpie.stm.Device;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;

/** Every variant on every device keeps the balance, and reports the cut and weights there are. */
class GraphPartitionerProperties {
  /** What is asked: any parts, balance and seed. */
  record Request(String device, PartitionOptions options, int coarsest) {
    int parts() {
      return options.parts();
    }

    PartitionResult run(Graph graph) {
      return GraphPartitioner.run(PartitionVariants.device(device), graph, options, coarsest);
    }
  }

  @Property(tries = 150, shrinking = ShrinkingMode.BOUNDED)
  @Tag("slow")
  void unweightedVerticesAlwaysFit(
      @ForAll("unweighted") Graph graph, @ForAll("requests") Request request) {
    if (request.parts() > Math.max(1, graph.vertices())) {
      assertThrows(ImpossibleBalanceException.class, () -> request.run(graph));
      return;
    }
    PartitionResult result = request.run(graph);
    PartitionReport report = result.report().orElseThrow();
    assertTrue(
        report.deviceBytes() <= report.deviceBudget(),
        () -> report.deviceBytes() + " of " + report.deviceBudget() + " by " + request);
    assertEquals(List.of(), PartitionVerifier.verify(result), () -> result + " by " + request);
    assertTrue(result.feasible(), () -> result + " by " + request);
  }

  @Property(tries = 150, shrinking = ShrinkingMode.BOUNDED)
  void weightedVerticesAreCountedRight(
      @ForAll("weighted") Graph graph, @ForAll("requests") Request request) {
    PartitionResult result;
    try {
      result = request.run(graph);
    } catch (ImpossibleBalanceException e) {
      return;
    }
    // Whether whole vertices fit is bin packing: only what is claimed is checked.
    PartitionQuality found =
        PartitionVerifier.evaluate(
            graph, result.parts(), request.parts(), request.options().imbalance());
    assertEquals(found.cut(), result.cut(), () -> result + " by " + request);
    assertEquals(found.feasible(), result.feasible());
    long even = Balance.limit(result.balance().weight(), request.parts(), 0);
    long heaviestVertex = Arrays.stream(graph.vertexWeights()).max().orElse(0);
    assertTrue(
        found.heaviest() <= Math.max(found.limit(), even + heaviestVertex),
        () -> result + " by " + request);
  }

  @Property(tries = 40, shrinking = ShrinkingMode.BOUNDED)
  @Tag("slow")
  void withoutAtomicsThePartsDoNotDependOnThreadsAndWarps(
      @ForAll("weighted") Graph graph, @ForAll("requests") Request request) {
    // Hash tables would leave the arcs of coarser graphs in any order.
    PartitionOptions options =
        request
            .options()
            .withRefinement(PartitionOptions.Refinement.ATOMIC_FREE)
            .withCoarsening(PartitionOptions.Coarsening.MATCHING)
            .withMatching(PartitionOptions.Matching.PROPOSALS)
            .withContraction(PartitionOptions.Contraction.SORT);
    int[] expected = null;
    for (String device : List.of("cpu:1", "cpu:4", "sim:1:1", "sim:2:4", "sim:0:32")) {
      int[] found;
      try {
        Device opened = PartitionVariants.device(device);
        found = GraphPartitioner.run(opened, graph, options, request.coarsest()).parts();
      } catch (ImpossibleBalanceException e) {
        return;
      }
      expected = expected == null ? found : expected;
      assertArrayEquals(expected, found, () -> device + " by " + request);
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
  Arbitrary<Request> requests() {
    return Combinators.combine(
            Arbitraries.of(PartitionVariants.devices()), options(), Arbitraries.of(20, 60, 1024))
        .as(Request::new);
  }

  /** A way to refine, and each choice of coarsening by itself. */
  private static Arbitrary<PartitionOptions> options() {
    Arbitrary<PartitionOptions> refined =
        Combinators.combine(
                Arbitraries.of(1, 2, 3, 5, 8, 13)
                    .flatMap(parts -> Arbitraries.of(PartitionVariants.all(parts))),
                Arbitraries.of(0.0, 0.01, 0.03, 0.1),
                Arbitraries.longs())
            .as((options, imbalance, seed) -> options.withImbalance(imbalance).withSeed(seed));
    return Combinators.combine(
            refined,
            Arbitraries.of(PartitionOptions.Matching.values()),
            Arbitraries.of(PartitionOptions.Candidates.values()),
            Arbitraries.of(PartitionOptions.Rating.values()),
            Arbitraries.of(PartitionOptions.Contraction.values()))
        .as(
            (options, matching, candidates, rating, contraction) ->
                options
                    .withMatching(matching)
                    .withCandidates(candidates)
                    .withRating(rating)
                    .withContraction(contraction));
  }
}
