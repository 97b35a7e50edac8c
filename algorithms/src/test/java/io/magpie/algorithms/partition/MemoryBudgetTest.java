package io.magpie.algorithms.partition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.stm.Device;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryBudgetTest {
  /** Each choice that the budget depends on, with the defaults of the others. */
  private static List<PartitionOptions> choices(int parts) {
    PartitionOptions defaults = PartitionOptions.of(parts);
    List<PartitionOptions> choices = new ArrayList<>(PartitionVariants.all(parts));
    choices.add(defaults.withContraction(PartitionOptions.Contraction.SORT));
    for (PartitionOptions.Matching matching : PartitionOptions.Matching.values()) {
      choices.add(defaults.withMatching(matching));
    }
    return choices;
  }

  /** The budget is kept, and no wider than need be: large graphs use most of it. */
  @ParameterizedTest
  @CsvSource({
    "grid:200, true",
    "star:20000, false" // transactions would take long: many at few vertices
  })
  @Tag("slow")
  void isKeptAndUsed(String spec, boolean transactions) {
    checkKeptAndUsed(spec, transactions);
  }

  @Tag("slow")
  @ParameterizedTest
  @CsvSource({"rgg:30000, true", "road:60000, true", "rmat:13, false"})
  void isKeptAndUsedOnOtherGraphs(String spec, boolean transactions) {
    checkKeptAndUsed(spec, transactions);
  }

  private static void checkKeptAndUsed(String spec, boolean transactions) {
    Graph graph = GraphGenerators.generate(spec + ",weights=none");
    for (PartitionOptions options : choices(8)) {
      if (options.transactional() && !transactions) {
        continue;
      }
      PartitionReport report =
          GraphPartitioner.run(PartitionVariants.device("cpu:4"), graph, options)
              .report()
              .orElseThrow();
      long budget = report.deviceBudget();
      String found = report.deviceBytes() + " of " + budget + " bytes by " + options;
      assertTrue(report.deviceBytes() <= budget, found);
      assertTrue(report.deviceBytes() >= 0.5 * budget, found);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"grid:20", "complete:90", "path:2", "random:9,m=300"})
  void isKeptOnSmallGraphs(String spec) {
    Graph graph = GraphGenerators.generate(spec + ",weights=none");
    for (PartitionOptions options : choices(2)) {
      PartitionReport report =
          GraphPartitioner.run(PartitionVariants.device("cpu:4"), graph, options)
              .report()
              .orElseThrow();
      assertTrue(report.deviceBytes() <= report.deviceBudget(), report.toString());
    }
  }

  /** Sorting needs two arrays as long as what is sorted, of the device's primitives. */
  @Test
  void primitivesAreInIt() {
    Graph graph = GraphGenerators.generate("grid:100,weights=none");
    PartitionOptions options =
        PartitionOptions.of(4).withContraction(PartitionOptions.Contraction.SORT);
    long[] needed = new long[1];
    try (Device device = Device.open("cpu:2")) {
      DeviceMemory memory =
          new DeviceMemory(device) {
            @Override
            public void primitivesNeed(long bytes) {
              needed[0] = bytes;
              super.primitivesNeed(bytes);
            }
          };
      GraphPartitioner.run(memory, graph, options, 1024);
      assertTrue(needed[0] >= 8L * graph.arcs(), needed[0] + " bytes");
      assertTrue(memory.most() > needed[0]);
    }
  }

  /** What primitives keep from larger graphs before is not the run's. */
  @Test
  void earlierRunsDoNotCount() {
    Graph small = GraphGenerators.generate("grid:40,weights=none");
    Graph large = GraphGenerators.generate("grid:150,weights=none");
    PartitionOptions options =
        PartitionOptions.of(4)
            .withContraction(PartitionOptions.Contraction.SORT)
            .withRefinement(PartitionOptions.Refinement.ATOMIC_FREE);
    try (Device device = Device.open("cpu:1")) {
      long first =
          GraphPartitioner.run(device, small, options).report().orElseThrow().deviceBytes();
      GraphPartitioner.run(device, large, options);
      long again =
          GraphPartitioner.run(device, small, options).report().orElseThrow().deviceBytes();
      assertEquals(first, again);
    }
  }

  /** The formula of the class comment, by numbers: one graph, one member. */
  @ParameterizedTest
  @ValueSource(longs = {0, 1000, 1_000_000})
  void followsTheFormula(long vertices) {
    long arcs = 6 * vertices;
    MemoryBudget budget = new MemoryBudget(PartitionOptions.of(64), false);
    budget.add(vertices, arcs, 1, 32, false);
    long expected = (12 + 32 + 70) * vertices + (8 + 12 + 8) * arcs + (1100 + 4 * 32) * 66 + 262144;
    assertEquals(expected, budget.bytes());
  }
}
