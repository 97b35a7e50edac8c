package io.magpie.algorithms.partition;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.partition.PartitionOptions.Candidates;
import io.magpie.algorithms.partition.PartitionOptions.Contraction;
import io.magpie.algorithms.partition.PartitionOptions.Matching;
import io.magpie.algorithms.partition.PartitionOptions.Rating;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Every level of any graph, by any variant, is what a plain contraction by its map makes of it. */
class CoarseningProperties {
  /** Schedules on which threads race differently, in addition to the usual devices. */
  @Provide
  Arbitrary<String> devices() {
    List<String> specs = new ArrayList<>(Coarsenings.devices());
    for (int seed = 3; seed < 9; seed++) {
      specs.add("sim:" + seed + ":" + new int[] {1, 3, 32}[seed % 3]);
    }
    return Arbitraries.of(specs);
  }

  @Provide
  Arbitrary<Graph> graphs() {
    return Arbitraries.oneOf(
        PartitionInputs.weighted(60, 150, 4), PartitionInputs.weighted(12, 400, 9));
  }

  @Provide
  Arbitrary<PartitionOptions> options() {
    return Combinators.combine(
            Arbitraries.of(Matching.values()),
            Arbitraries.of(Contraction.values()),
            Arbitraries.of(Rating.values()),
            Arbitraries.of(Candidates.values()),
            Arbitraries.longs())
        .as(
            (matching, contraction, rating, candidates, seed) ->
                PartitionOptions.of(4)
                    .withMatching(matching)
                    .withContraction(contraction)
                    .withRating(rating)
                    .withCandidates(candidates)
                    .withSeed(seed));
  }

  @Property(tries = 300)
  void levelsAreContractions(
      @ForAll("devices") String device,
      @ForAll("graphs") Graph graph,
      @ForAll("options") PartitionOptions options,
      @ForAll @IntRange(min = 0, max = 100) int heaviest) {
    Coarsenings.run(device, graph, options, heaviest, null);
  }

  @Property(tries = 150)
  void levelsKeepParts(
      @ForAll("devices") String device,
      @ForAll("graphs") Graph graph,
      @ForAll("options") PartitionOptions options,
      @ForAll int seed) {
    int[] parts = new Random(seed).ints(graph.vertices(), 0, options.parts()).toArray();
    Coarsenings.run(device, graph, options, Integer.MAX_VALUE, parts);
  }
}
