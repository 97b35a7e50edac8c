package io.magpie.algorithms.partition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.RealData;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphFormats;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.partition.PartitionOptions.Effort;
import io.magpie.algorithms.partition.PartitionOptions.Refinement;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Graphs of which few vertices have most of the edges, where parts fill up long before the cut is
 * good. On one thread, so that a result is the same in every run.
 */
class SocialGraphsTest {
  private static final String DEVICE = "cpu:1";
  private static final int PARTS = 16;
  private static final int SEEDS = 2;

  private static Graph graph(String spec) throws IOException {
    return spec.contains(":")
        ? GraphGenerators.generate(spec)
        : GraphFormats.read(RealData.file("graphs/" + spec + ".graph.gz"));
  }

  private static double meanCut(Graph graph, PartitionOptions options) {
    long sum = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
      PartitionResult result =
          GraphPartitioner.run(PartitionVariants.device(DEVICE), graph, options.withSeed(seed));
      assertEquals(List.of(), PartitionVerifier.verify(result));
      assertTrue(result.feasible(), () -> result + " by " + options);
      sum += result.cut();
    }
    return (double) sum / SEEDS;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"powerlaw:n=3000,m=25000,weights=none", "grid3:14,weights=none", "facebook"})
  void refinementsCutAlike(String spec) throws IOException {
    assertCutAlike(spec);
  }

  @Tag("slow")
  @ParameterizedTest
  @ValueSource(
      strings = {"rmat:scale=12,edges=40000,weights=none", "ba:n=3000,weights=none", "ca-AstroPh"})
  void refinementsCutMoreGraphsAlike(String spec) throws IOException {
    assertCutAlike(spec);
  }

  private static void assertCutAlike(String spec) throws IOException {
    Graph graph = graph(spec);
    PartitionOptions options = PartitionOptions.of(PARTS);
    double expected = meanCut(graph, options);
    for (Refinement refinement : EnumSet.complementOf(EnumSet.of(options.refinement()))) {
      double found = meanCut(graph, options.withRefinement(refinement));
      assertEquals(1, found / expected, 0.02, () -> refinement + ": " + found + ", " + expected);
    }
  }

  @Test
  void moreEffortDoesNotCutMore() throws IOException {
    assertEffortDoesNotCutMore("powerlaw:n=3000,m=25000,weights=none");
  }

  @Tag("slow")
  @Test
  void moreEffortDoesNotCutMoreOfARealGraph() throws IOException {
    assertEffortDoesNotCutMore("facebook");
  }

  private static void assertEffortDoesNotCutMore(String spec) throws IOException {
    Graph graph = graph(spec);
    PartitionOptions options = PartitionOptions.of(PARTS);
    double expected = meanCut(graph, options);
    double found = meanCut(graph, options.withEffort(Effort.ULTRA));
    assertTrue(found <= expected, () -> found + ", default " + expected);
  }
}
