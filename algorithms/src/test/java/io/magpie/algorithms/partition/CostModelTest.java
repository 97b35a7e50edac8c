package io.magpie.algorithms.partition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.partition.CostModel.Phase;
import io.magpie.algorithms.partition.CostModel.Row;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Counts on the simulator keep to the formulas of {@link CostModel} as graphs grow. */
class CostModelTest {
  /** What a ratio may grow by while a graph grows eightfold or more. */
  private static final double MOST_GROWTH = 1.6;

  /** What the busiest thread does more than its share: a few pieces for as many warps. */
  private static final double MOST_UNEVEN = 2;

  /** Accesses for one of what a span counts. */
  private static final double STEPS_OF_SPAN = 16;

  private static List<Row> measure(String graph, int parts) {
    try (Device device = Device.open(CostModel.DEVICE)) {
      return CostModel.measure(device, graph + ",weights=none", parts);
    }
  }

  private static void assertNoGrowth(
      String what, List<Row> small, List<Row> large, ToDoubleFunction<Row> ratio) {
    for (Row after : large) {
      for (Row before : small) {
        if (before.phase() == after.phase()) {
          double growth = ratio.applyAsDouble(after) / ratio.applyAsDouble(before);
          assertTrue(growth <= MOST_GROWTH, what + " grows " + growth + "-fold: " + after);
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "grid:16 | grid:48",
        "road:256 | road:2500",
        "rmat:scale=8,edges=1024 | rmat:scale=11,edges=8192",
        "star:256 | star:2500"
      })
  void workGrowsAsTheFormulasDoAndThreadsShareIt(String smaller, String larger) {
    List<Row> small = measure(smaller, 8);
    List<Row> large = measure(larger, 8);
    assertTrue(large.stream().map(Row::phase).distinct().count() >= 10, large.toString());
    assertNoGrowth("work", small, large, row -> row.workRatio(row.phase().own));
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
          few.stream().filter(row -> row.phase() == Phase.GAINS).toList(),
          measure(graph, parts),
          row -> row.workRatio(row.phase().own));
    }
  }

  /** The threads share the arcs of a hub: none does much more than its share. */
  @ParameterizedTest
  @ValueSource(strings = {"star:3000", "rmat:scale=10,edges=8000", "complete:120"})
  void noThreadWalksOverAHubAlone(String graph) {
    for (Row row : measure(graph, 8)) {
      if (row.phase() == Phase.GAINS || row.phase() == Phase.MOVES) {
        double even = row.work() / CostModel.PROCESSORS;
        double ordinary = 8 * row.shape().hubDegree();
        assertTrue(row.steps() <= 2 * even + ordinary, row.toString());
      }
    }
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
      device.primitives().sum(array);
      assertEquals(0, device.accessCounts().work());
    }
  }
}
