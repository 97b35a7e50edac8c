package io.magpie.algorithms.partition;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.algorithms.partition.PartitionOptions.Coarsening;
import io.magpie.algorithms.partition.PartitionOptions.Contraction;
import io.magpie.algorithms.partition.PartitionOptions.Effort;
import io.magpie.algorithms.partition.PartitionOptions.Matching;
import io.magpie.algorithms.partition.PartitionOptions.MoveOrder;
import io.magpie.algorithms.partition.PartitionOptions.Refinement;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.StmObjects;
import io.magpie.stm.parallel.Primitives;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class GraphPartitionerTest {
  private static final Device DEVICE = PartitionVariants.device("cpu:4");

  /** Memory that ends with an allocation, the first one being number 0. */
  private static final class EndingMemory extends DeviceMemory {
    private final int last;
    private int allocations;
    private long primitives;

    EndingMemory(int last) {
      super(DEVICE);
      this.last = last;
    }

    private void count() {
      if (allocations++ == last) {
        throw new IllegalStateException("no allocation " + last);
      }
    }

    @Override
    public DeviceArray<int[]> ints(long length) {
      count();
      return super.ints(length);
    }

    @Override
    public DeviceArray<long[]> longs(long length) {
      count();
      return super.longs(length);
    }

    @Override
    public DeviceArray<int[]> copyOf(int... values) {
      count();
      return super.copyOf(values);
    }

    @Override
    public StmObjects objects(long count) {
      count();
      return super.objects(count);
    }

    @Override
    public void primitivesNeed(long bytes) {
      primitives = bytes;
      super.primitivesNeed(bytes);
    }
  }

  static List<PartitionOptions> variants() {
    PartitionOptions fast = PartitionOptions.of(3).withEffort(Effort.FAST);
    PartitionOptions ultra = PartitionOptions.of(3).withEffort(Effort.ULTRA);
    return List.of(
        ultra,
        ultra.withCoarsening(Coarsening.CLUSTERS).withContraction(Contraction.SORT),
        fast.withRefinement(Refinement.ATOMIC_FREE),
        fast.withMatching(Matching.STM).withRefinement(Refinement.STM));
  }

  @Tag("slow")
  @ParameterizedTest
  @MethodSource("variants")
  void whereverMemoryEndsNothingStaysAllocated(PartitionOptions options) {
    Graph mesh = GraphGenerators.generate("grid:rows=12,columns=12,weights=none");
    GraphBuilder builder = new GraphBuilder(mesh.vertices(), false);
    builder.addEdge(5, 5);
    for (int a : mesh.canonicalArcs()) {
      builder.addEdge(mesh.source(a), mesh.neighbors()[a]);
    }
    Graph graph = builder.build();
    EndingMemory enough = new EndingMemory(Integer.MAX_VALUE);
    GraphPartitioner.run(enough, graph, options, 20);
    assertEquals(0, enough.held());
    assertTrue(enough.allocations > 40, enough.allocations + " allocations");
    int refused = 0;
    // Cycles may make fewer graphs from run to run: threads race.
    for (int last = 0; last < enough.allocations; last++) {
      EndingMemory memory = new EndingMemory(last);
      try {
        GraphPartitioner.run(memory, graph, options, 20);
      } catch (IllegalStateException e) {
        assertEquals("no allocation " + last, e.getMessage());
        refused++;
      }
      assertEquals(0, memory.held(), "after allocation " + last);
    }
    assertTrue(refused >= 40, refused + " refused");
  }

  /** Whether it fails at once, on its way, or not at all. */
  @ParameterizedTest
  @ValueSource(ints = {0, 30, Integer.MAX_VALUE})
  void noRunWatchesPrimitivesOnceItHasEnded(int last) {
    Graph graph = GraphGenerators.generate("grid:12,weights=none");
    PartitionOptions options = PartitionOptions.of(3).withContraction(Contraction.SORT);
    EndingMemory memory = new EndingMemory(last);
    try {
      GraphPartitioner.run(memory, graph, options, 20);
      assertTrue(memory.allocations <= last && memory.primitives > 0);
    } catch (IllegalStateException e) {
      assertEquals("no allocation " + last, e.getMessage());
    }
    long during = memory.primitives;
    try (DeviceArray<int[]> array = DEVICE.ints(100_000)) {
      Primitives.of(DEVICE).sort(array, null, 32);
    }
    assertEquals(during, memory.primitives);
  }

  @Test
  void onePartIsTheWholeGraph() {
    Graph graph = GraphGenerators.generate("grid:rows=5,columns=7,weights=1..9");
    PartitionResult result = GraphPartitioner.run(DEVICE, graph, PartitionOptions.of(1));
    assertEquals(List.of(), PartitionVerifier.verify(result));
    assertArrayEquals(new long[] {35}, result.partWeights());
    assertEquals(0, result.report().orElseThrow().deviceBytes());
    Graph empty = Graph.of(new int[1], new int[0], null);
    assertEquals(0, GraphPartitioner.run(DEVICE, empty, PartitionOptions.of(1)).parts().length);
  }

  /** Where weights differ, a round of moves has gains of several ranges. */
  @ParameterizedTest
  @EnumSource(names = {"STM", "STM_RESERVED"})
  void rangesOfGainsAreLaunchesOfTheirOwn(Refinement refinement) {
    Graph graph = GraphGenerators.generate("grid:rows=8,columns=8,weights=1..100");
    PartitionOptions ranked =
        PartitionOptions.of(4).withEffort(Effort.FAST).withRefinement(refinement);
    int atOnce = transactionalLaunches(graph, ranked);
    int byRanges = transactionalLaunches(graph, ranked.withMoveOrder(MoveOrder.RANGES));
    assertTrue(byRanges > atOnce, byRanges + " launches, and without ranges " + atOnce);
  }

  private static int transactionalLaunches(Graph graph, PartitionOptions options) {
    PartitionResult result =
        GraphPartitioner.run(PartitionVariants.device("sim:1:1"), graph, options, 20);
    assertEquals(List.of(), PartitionVerifier.verify(result));
    return result.report().orElseThrow().transactions().size();
  }

  /** Self-loops are left out, and so is their weight. */
  @Test
  void selfLoopsMayWeighAnything() {
    GraphBuilder builder = new GraphBuilder(4, true);
    for (int v = 0; v < 4; v++) {
      builder.addEdge(v, v, Integer.MAX_VALUE);
      builder.addEdge(v, (v + 1) % 4, v % 2 == 0 ? 9 : 1);
    }
    Graph graph = builder.build();
    assertEquals(2, GraphPartitioner.run(DEVICE, graph, PartitionOptions.of(2)).cut());
  }

  /** Rows of the report are those of the hierarchy that the result comes from. */
  @Test
  void reportsTellOfTheLastCycle() {
    Graph graph = GraphGenerators.generate("rgg:5000,weights=none");
    PartitionResult result =
        GraphPartitioner.run(
            PartitionVariants.device("cpu:1"), // where cuts repeat themselves
            graph,
            PartitionOptions.of(8).withEffort(Effort.ULTRA).withImbalance(0.03));
    PartitionReport report = result.report().orElseThrow();
    assertEquals(result.cut(), report.levels().get(0).cut());
    double millis =
        report.levels().stream().mapToDouble(PartitionReport.Level::coarsenMillis).sum();
    assertTrue(millis < report.coarsenMillis(), millis + " of " + report.coarsenMillis());
    assertTrue(
        report.levels().get(report.levels().size() - 1).projectedCut() < report.initialCut(),
        "cycles begin with what the one before found");
  }

  @Test
  void nothingIsLoadedForWhatCannotBe() {
    Graph graph = GraphGenerators.generate("path:3");
    EndingMemory memory = new EndingMemory(0);
    assertThrows(
        ImpossibleBalanceException.class,
        () -> GraphPartitioner.run(memory, graph, PartitionOptions.of(4), 20));
    assertEquals(0, memory.allocations);
  }

  @Test
  void weightsThatDoNotCountAreRefused() {
    Graph graph = new GraphBuilder(3, WeightType.DOUBLE).addEdge(0, 1, 0.5).build();
    Graph negative = new GraphBuilder(3, true).addEdge(0, 1, -5).build();
    try (Device device = Device.open("cpu:1")) {
      for (Graph each : List.of(graph, negative)) {
        for (Executable use :
            List.<Executable>of(
                () -> GraphPartitioner.run(device, each, PartitionOptions.of(2)),
                () -> PartitionVerifier.evaluate(each, new int[3], 2, 0))) {
          String message = assertThrows(IllegalArgumentException.class, use).getMessage();
          assertTrue(
              message.startsWith("partitioning needs int weights from 0 to 2147483647"), message);
        }
      }
    }
  }
}
