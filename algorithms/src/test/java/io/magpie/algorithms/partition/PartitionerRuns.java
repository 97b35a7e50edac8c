package io.magpie.algorithms.partition;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.stm.Device;
import io.magpie.stm.KernelModule;
import java.util.List;
import java.util.Random;

/** Runs of the partitioner for tests that look at its regions. */
public final class PartitionerRuns {
  private PartitionerRuns() {}

  /** A whole run, also of a small graph over several levels; its result is verified. */
  public static void whole(Device device, Graph graph, PartitionOptions options) {
    int coarsest = graph.vertices() / 4;
    PartitionResult result = GraphPartitioner.run(device, graph, options, coarsest);
    assertEquals(List.of(), PartitionVerifier.verify(result), result::toString);
  }

  /**
   * Refines parts drawn at random: more moves meet than where a coarser graph's parts are good
   * already.
   */
  public static void refinementOfRandomParts(
      Device device, Graph graph, PartitionOptions options, long seed) {
    DeviceMemory memory = new DeviceMemory(device);
    Balance balance = Balance.of(graph, options.parts(), options.imbalance());
    try (KernelModule module = device.load(Coarsening.MODULE);
        DeviceGraph onDevice = DeviceGraph.copyOf(memory, graph);
        Population population =
            new Population(
                memory,
                new Launches(module, options.phaseTimes(), options.stm()),
                options,
                balance)) {
      int[] parts = new Random(seed).ints(graph.vertices(), 0, options.parts()).toArray();
      population.start(onDevice, null, 0, parts);
      population.refine(
          new Population.Stamina(8, 1, 0.25f, 0.25f), Math.toIntExact(balance.limit()), 0);
    }
  }
}
