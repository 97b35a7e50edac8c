package io.magpie.algorithms.partition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.partition.CostModel.Phase;
import io.magpie.algorithms.partition.CostModel.Row;
import io.magpie.algorithms.partition.PartitionOptions.Contraction;
import io.magpie.algorithms.partition.PartitionOptions.Matching;
import io.magpie.algorithms.partition.PartitionOptions.Refinement;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.parallel.Primitives;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Counts on the simulator keep to the formulas of {@link CostModel} as graphs grow. */
class CostModelTest {
  /** What a ratio may grow by while a graph grows eightfold or more. */
  private static final double MOST_GROWTH = 1.6;

  /** The same of transfers: in a small graph more neighbors share a sector. */
  private static final double MOST_GROWTH_OF_TRANSFERS = 4;

  /** What it may shrink to: of a formula with a factor n too many an eighth would be left. */
  private static final double MOST_SHRINKAGE = 0.25;

  /** Not counted where there are hubs, which transactions leave alone. */
  private static final Set<Phase> TRANSACTIONAL =
      EnumSet.of(Phase.MOVES_BY_TRANSACTIONS, Phase.MOVE_ORDER);

  /** What the busiest thread does more than its share: a few pieces for as many warps. */
  private static final double MOST_UNEVEN = 2;

  /** Accesses for one of what a span counts. */
  private static final double STEPS_OF_SPAN = 16;

  private static List<Row> measure(String graph, int parts) {
    try (Device device = Device.open(CostModel.DEVICE)) {
      return CostModel.measure(device, graph + ",weights=none", parts);
    }
  }

  private static List<Phase> phases(List<Row> rows) {
    return rows.stream().map(Row::phase).toList();
  }

  private static List<Row> rowsOf(Set<Phase> phases, List<Row> rows) {
    List<Row> found = rows.stream().filter(row -> phases.contains(row.phase())).toList();
    assertEquals(phases, Set.copyOf(phases(found)));
    return found;
  }

  private static double growth(
      int row, List<Row> small, List<Row> large, ToDoubleFunction<Row> of) {
    return of.applyAsDouble(large.get(row)) / of.applyAsDouble(small.get(row));
  }

  private static void assertNoGrowth(
      String what, double most, List<Row> small, List<Row> large, ToDoubleFunction<Row> ratio) {
    assertEquals(phases(small), phases(large), what);
    for (int i = 0; i < large.size(); i++) {
      double growth = growth(i, small, large, ratio);
      assertTrue(growth <= most, what + " grows " + growth + "-fold: " + large.get(i));
    }
  }

  /** Nor do formulas grow faster than what they bound. */
  private static void assertKeepsTo(
      String what, double most, List<Row> small, List<Row> large, ToDoubleFunction<Row> ratio) {
    assertNoGrowth(what, most, small, large, ratio);
    for (int i = 0; i < large.size(); i++) {
      double growth = growth(i, small, large, ratio);
      assertTrue(growth >= MOST_SHRINKAGE, what + " shrinks to " + growth + ": " + large.get(i));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "grid:16 | grid:48 | false",
        "road:256 | road:2500 | false",
        "rmat:scale=8,edges=1024 | rmat:scale=11,edges=8192 | true",
        "star:256 | star:2500 | true"
      })
  void workGrowsAsTheFormulasDoAndThreadsShareIt(String smaller, String larger, boolean hubs) {
    List<Row> small = measure(smaller, 8);
    List<Row> large = measure(larger, 8);
    Set<Phase> missing = EnumSet.allOf(Phase.class);
    missing.removeAll(phases(large));
    assertEquals(hubs ? TRANSACTIONAL : EnumSet.of(Phase.TWO_HOPS), missing);
    assertKeepsTo("work", MOST_GROWTH, small, large, row -> row.workRatio(row.phase().own));
    assertKeepsTo(
        "transfers",
        MOST_GROWTH_OF_TRANSFERS,
        small,
        large,
        row -> row.transfersRatio(row.phase().own));
    for (Row row : large) {
      double span = row.phase().own.span().applyAsDouble(row.shape());
      double most = MOST_UNEVEN * row.work() / CostModel.PROCESSORS + STEPS_OF_SPAN * span;
      assertTrue(row.steps() <= most, row + " takes more than " + most + " steps");
    }
  }

  /** The thesis has the edges for it, whatever the number of parts. */
  @ParameterizedTest
  @ValueSource(strings = {"grid3:8", "rmat:scale=9,edges=4000"})
  void gainsGrowWithThePartsAsTheFormulaDoes(String graph) {
    List<Row> few = measure(graph, 2);
    for (int parts : List.of(8, 32)) {
      assertNoGrowth(
          "work by parts",
          MOST_GROWTH,
          rowsOf(Set.of(Phase.GAINS), few),
          rowsOf(Set.of(Phase.GAINS), measure(graph, parts)),
          row -> row.workRatio(row.phase().own));
    }
  }

  /** The threads share the arcs of a hub: none does much more than its share. */
  @ParameterizedTest
  @ValueSource(strings = {"star:3000", "rmat:scale=10,edges=8000", "complete:120"})
  void noThreadWalksOverAHubAlone(String graph) {
    for (Row row : rowsOf(Set.of(Phase.GAINS, Phase.MOVES), measure(graph, 8))) {
      double even = row.work() / CostModel.PROCESSORS;
      double ordinary = 8 * row.shape().hubDegree();
      assertTrue(row.steps() <= 2 * even + ordinary, row.toString());
    }
  }

  /**
   * With the ways to match and to contract that the model has, and lock-free and by transactions.
   */
  @Test
  void kernelsAreThoseOfWholeRuns() {
    PartitionOptions options = PartitionOptions.of(8).withImbalance(0.03);
    PartitionOptions thesis =
        options
            .withMatching(Matching.STM)
            .withContraction(Contraction.SORT)
            .withRefinement(Refinement.STM);
    Set<String> run = new TreeSet<>();
    try (Device device = Device.open(CostModel.DEVICE)) {
      for (String graph : List.of("grid:16,weights=none", "star:256,weights=none")) {
        for (PartitionOptions each : List.of(options, thesis)) {
          PartitionReport report =
              GraphPartitioner.run(device, GraphGenerators.generate(graph), each, 40)
                  .report()
                  .orElseThrow();
          report.phases().forEach(phase -> run.add(phase.name()));
        }
      }
    }
    Set<String> modeled = new TreeSet<>();
    for (Phase phase : Phase.values()) {
      modeled.addAll(phase.kernels);
    }
    assertEquals(run, modeled);
  }

  /** The same counts each time, and none once nothing counts. */
  @Test
  void countsRepeat() {
    assertEquals(
        measure("grid:12", 4).stream().map(Row::work).toList(),
        measure("grid:12", 4).stream().map(Row::work).toList());
    try (Device device = Device.open(CostModel.DEVICE);
        DeviceArray<int[]> array = device.ints(100)) {
      assertFalse(CostModel.measure(device, "path:30,weights=none", 2).isEmpty());
      Primitives.of(device).sum(array);
      assertEquals(0, device.simulator().accessCounts().work());
    }
  }
}
