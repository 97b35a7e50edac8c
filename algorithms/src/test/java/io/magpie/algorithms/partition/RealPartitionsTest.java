package io.magpie.algorithms.partition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.RealData;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphFormats;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.partition.PartitionOptions.Refinement;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cuts of graphs for which good ones are known. */
class RealPartitionsTest {
  /**
   * Four thirds of the least cut known at an imbalance of 3 % (of the Walshaw archive's graphs, by
   * any of six partitioners): what no luck excuses.
   */
  @ParameterizedTest
  @CsvSource({"4elt, 8, 534", "4elt, 64, 2640", "delaunay_n15, 8, 1133", "copter2, 64, 37997"})
  void cutsAreNearTheLeastKnown(String name, int parts, long least) throws IOException {
    Graph graph = GraphFormats.read(RealData.file("graphs/" + name + ".graph.gz"));
    for (Refinement refinement : Refinement.values()) {
      check(graph, PartitionOptions.of(parts).withRefinement(refinement), least * 4 / 3);
    }
  }

  /**
   * Boxes cut a grid of 200 x 200 into 4 x 2 parts along 200 * (3 + 1) edges, and into 8 x 8 along
   * 200 * (7 + 7); they are exactly even.
   */
  @ParameterizedTest
  @CsvSource({"8, 0.03, 800", "2, 0.03, 200", "8, 0, 800", "64, 0, 2800"})
  void gridsAreCutNearlyAsByBoxes(int parts, double imbalance, long box) {
    Graph graph = GraphGenerators.generate("grid:rows=200,columns=200,weights=none");
    for (Refinement refinement : Refinement.values()) {
      PartitionOptions options = PartitionOptions.of(parts).withImbalance(imbalance);
      check(graph, options.withRefinement(refinement), box * 4 / 3);
    }
  }

  /** The best of up to three runs: by who comes first, now and then a cut is larger. */
  private static void check(Graph graph, PartitionOptions options, long most) {
    for (String device : PartitionVariants.devices()) {
      if (!device.startsWith("sim")) {
        long least = Long.MAX_VALUE;
        for (int seed = 1; seed <= 3 && least > most; seed++) {
          PartitionResult result =
              GraphPartitioner.run(PartitionVariants.device(device), graph, options.withSeed(seed));
          assertEquals(List.of(), PartitionVerifier.verify(result));
          least = Math.min(least, result.cut());
        }
        assertTrue(least <= most, least + " on " + device + " by " + options);
      }
    }
  }
}
