package io.magpie.algorithms.partition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.magpie.algorithms.graph.Graph;
import io.magpie.stm.Device;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A part of the recorded table: all is balanced, or refused where there are too few vertices. */
class BalanceMatrixTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 100})
  void allIsFeasibleOrImpossible(int parts) {
    Device device = PartitionVariants.device("cpu:4");
    for (Map.Entry<String, Graph> each : BalanceMatrix.graphs().entrySet()) {
      for (Graph graph : List.of(each.getValue(), BalanceMatrix.weighted(each.getValue()))) {
        for (double imbalance : List.of(0.0, 0.03)) {
          BalanceMatrix.Row row = BalanceMatrix.row(device, each.getKey(), graph, parts, imbalance);
          String expected = parts > graph.vertices() ? "impossible" : "feasible";
          assertEquals(expected, row.verdict().split(":")[0], row::toString);
          assertFalse(row.failed(), row::toString);
        }
      }
    }
  }
}
