package io.magpie.algorithms.jgrapht;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.partition.PartitionOptions;
import io.magpie.stm.Device;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jgrapht.alg.interfaces.PartitioningAlgorithm.Partitioning;
import org.jgrapht.alg.interfaces.PartitioningAlgorithm.PartitioningImpl;
import org.jgrapht.generate.GridGraphGenerator;
import org.jgrapht.graph.DefaultEdge;
import org.jgrapht.graph.SimpleGraph;
import org.jgrapht.util.SupplierUtil;
import org.junit.jupiter.api.Test;

class MultilevelPartitioningTest {
  private static NumberedGraph<Integer> grid() {
    SimpleGraph<Integer, DefaultEdge> grid =
        new SimpleGraph<>(
            SupplierUtil.createIntegerSupplier(), SupplierUtil.DEFAULT_EDGE_SUPPLIER, false);
    new GridGraphGenerator<Integer, DefaultEdge>(20, 10).generateGraph(grid);
    return NumberedGraph.of(grid);
  }

  private static boolean valid(
      MultilevelPartitioning<Integer> algorithm, List<? extends Set<Integer>> sets) {
    return algorithm.isValidPartitioning(new PartitioningImpl<>(new ArrayList<>(sets)));
  }

  @Test
  void partitionsAGraphOfJgrapht() {
    try (Device device = Device.open("cpu:2")) {
      MultilevelPartitioning<Integer> algorithm =
          new MultilevelPartitioning<>(grid(), device, PartitionOptions.of(4).withImbalance(0));
      Partitioning<Integer> parts = algorithm.getPartitioning();
      assertTrue(algorithm.isValidPartitioning(parts));
      assertEquals(4, parts.getNumberPartitions());
      assertEquals(50, parts.getPartition(3).size());

      List<Set<Integer>> sets = parts.getPartitions();
      assertFalse(valid(algorithm, sets.subList(0, 3)), "too few parts");
      assertFalse(
          valid(algorithm, List.of(sets.get(0), sets.get(0), sets.get(2), sets.get(3))),
          "vertices in two parts");
      assertFalse(
          valid(algorithm, List.of(sets.get(0), Set.of(), sets.get(2), sets.get(3))),
          "vertices in no part");
      assertFalse(
          valid(algorithm, List.of(sets.get(0), Set.of(777), sets.get(2), sets.get(3))),
          "no vertex of the graph");
      Set<Integer> all = Set.copyOf(grid().vertices());
      assertFalse(valid(algorithm, List.of(all, Set.of(), Set.of(), Set.of())), "too heavy");
    }
  }
}
