package io.magpie.examples.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.paths.PathsOptions;
import io.magpie.algorithms.paths.PathsOptions.Balance;
import io.magpie.algorithms.paths.PathsOptions.Lengths;
import io.magpie.algorithms.paths.PathsOptions.Predecessors;
import io.magpie.examples.compare.Comparison.Outcome;
import io.magpie.examples.compare.Comparison.Prepared;
import io.magpie.examples.compare.Comparison.Program;
import io.magpie.examples.input.GeneratedGraph;
import io.magpie.examples.input.InputException;
import io.magpie.stm.Device;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ManyPathsComparisonTest {
  private static final String RANDOM = "random:n=24,m=70,weights=1..6";

  private static Prepared<PathsOptions> prepared(String spec) throws IOException {
    ManyPathsComparison comparison = new ManyPathsComparison();
    return comparison.prepare(comparison.source(GeneratedGraph.of(spec)), Progress.NONE);
  }

  @Test
  void searchesFromAllSourcesAndIsRightByBothLengths() throws IOException {
    Prepared<PathsOptions> prepared = prepared("road:n=200");
    assertEquals(64, prepared.sizes().get("sources"));
    try (Device device = Device.open("cpu:2")) {
      for (Lengths lengths : Lengths.values()) {
        PathsOptions options = PathsOptions.defaults().withLengths(lengths);
        try (Program program = prepared.variant(device, options);
            Program sequential = prepared.baseline("sequential", options)) {
          Outcome first = program.run();
          assertEquals(Optional.empty(), first.mistake().get());
          assertEquals(Set.of(Outcome.TOTAL, Outcome.KERNELS), first.millis().keySet());
          assertTrue(first.counters().get("rounds") >= 64, first::toString);
          assertEquals(first.counters(), program.run().counters(), "the same sources again");
          assertEquals(Optional.empty(), sequential.run().mistake().get());
        }
      }
    }
  }

  /** As a graph may fill most of the device. */
  @Test
  void variantsOfADeviceShareOneCopyOfTheGraph() throws IOException {
    Prepared<PathsOptions> prepared = prepared(RANDOM);
    PathsOptions hops = PathsOptions.defaults();
    try (Device device = Device.open("cpu:1")) {
      try (Program first = prepared.variant(device, hops)) {
        int arrays = device.leaks().size();
        assertTrue(arrays >= 2, "offsets and neighbors");
        try (Program second = prepared.variant(device, hops.withLengths(Lengths.WEIGHTS))) {
          assertEquals(arrays, device.leaks().size());
          assertEquals(Optional.empty(), first.run().mistake().get());
          assertEquals(Optional.empty(), second.run().mistake().get());
        }
        assertEquals(Optional.empty(), first.run().mistake().get(), "the other one is closed");
      }
      assertEquals(0, device.leaks().size());
      try (Program again = prepared.variant(device, hops)) {
        assertEquals(Optional.empty(), again.run().mistake().get());
      }
    }
  }

  /** Its arcs are too long for words that hold predecessors, too. */
  @Test
  void aVariantThatFailsLeavesTheOthersRight() throws IOException {
    Prepared<PathsOptions> prepared = prepared("path:9,weights=2147483647..2147483647");
    PathsOptions weights = PathsOptions.defaults().withLengths(Lengths.WEIGHTS);
    PathsOptions packed = weights.withPredecessors(Predecessors.WITH_DISTANCE);
    try (Device device = Device.open("cpu:1");
        Program right = prepared.variant(device, weights);
        Program failing = prepared.variant(device, packed)) {
      assertEquals(Optional.empty(), right.run().mistake().get());
      InputException e = assertThrows(InputException.class, failing::run);
      assertTrue(e.getMessage().startsWith("path:"), e.getMessage());
      assertEquals(Optional.empty(), right.run().mistake().get());
    }
  }

  /** Children of split vertices that are not told of their distances: a fault planted in paths. */
  @Test
  void wrongDistancesAreNoticed() throws IOException {
    Prepared<PathsOptions> prepared = prepared(RANDOM);
    PathsOptions split = PathsOptions.defaults().withBalance(Balance.SPLIT).withDegreeBound(2);
    try (Device device = Device.open("cpu:1")) {
      device.define("paths", Map.of("MAGPIE_PATHS_STALE_CHILDREN", "1"));
      try (Program program = prepared.variant(device, split)) {
        String mistake = program.run().mistake().get().orElse("none");
        assertTrue(mistake.startsWith("some distance from vertex "), mistake);
      }
    }
  }

  @Test
  void aGraphNeedsArcsAndWeightsWhereTheyAreLengths() throws IOException {
    assertThrows(InputException.class, () -> prepared("random:n=5,m=0"));
    Prepared<PathsOptions> unweighted = prepared("path:9,weights=none");
    PathsOptions weights = PathsOptions.defaults().withLengths(Lengths.WEIGHTS);
    assertThrows(InputException.class, () -> unweighted.baseline("sequential", weights));
    assertThrows(
        IllegalArgumentException.class,
        () -> unweighted.baseline("lists", PathsOptions.defaults()));
  }
}
