package io.magpie.algorithms.partition;

import io.magpie.algorithms.SwappedArrays;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelModule;
import io.magpie.stm.parallel.Primitives;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Arrays of a partitioner: where one is given for another one, nothing is launched. */
class SwappedArraysTest {
  @Test
  void aGraphIsNotWritten() {
    Device device = PartitionVariants.device("cpu:1");
    try (KernelModule module = device.load(Coarsening.MODULE);
        DeviceGraph graph =
            DeviceGraph.copyOf(new DeviceMemory(device), GraphGenerators.generate("road:9"));
        DeviceArray<int[]> to = device.ints(graph.arcs())) {
      for (DeviceArray<int[]> input :
          List.of(graph.offsets(), graph.neighbors(), graph.weights(), graph.vertexWeights())) {
        SwappedArrays.assertInputRefused(
            module, "gather", fields(input, to), fields(to, input), "to");
      }
    }
  }

  @Test
  void numbersAndMembersOfACoarserGraphAreNotSwapped() {
    Device device = PartitionVariants.device("cpu:1");
    DeviceMemory memory = new DeviceMemory(device);
    PartitionOptions options = PartitionOptions.defaults();
    try (KernelModule module = device.load(Coarsening.MODULE);
        DeviceGraph graph = DeviceGraph.copyOf(memory, GraphGenerators.generate("road:99"));
        Coarsening coarsening = new Coarsening(memory, module, Primitives.of(device), options);
        DeviceArray<int[]> other = device.ints(graph.vertices())) {
      Coarsening.Coarser coarser = coarsening.coarsen(graph, Integer.MAX_VALUE, 0);
      SwappedArrays.assertOtherRefused(
          module,
          "number_members",
          numbering(other, coarser.map(), other),
          numbering(other, other, coarser.map()),
          "members",
          "map");
      memory.free(coarser.map());
      coarser.graph().close();
    }
  }

  private static Fields numbering(
      DeviceArray<int[]> other, DeviceArray<int[]> map, DeviceArray<int[]> members) {
    return new Fields()
        .set("vertices", 0)
        .set("match", other)
        .set("numbers", other)
        .set("map", map)
        .set("members", members);
  }

  private static Fields fields(DeviceArray<int[]> from, DeviceArray<int[]> to) {
    return new Fields().set("n", 0).set("index", from).set("from", from).set("to", to);
  }
}
