package io.magpie.algorithms.partition;

import io.magpie.algorithms.SwappedInputs;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelModule;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A graph that is partitioned is an input: where it is given for a result, nothing is launched. */
class SwappedInputsTest {
  @Test
  void aGraphIsNotWritten() {
    Device device = PartitionVariants.device("cpu:1");
    try (KernelModule module = device.load(Coarsening.MODULE);
        DeviceGraph graph =
            DeviceGraph.copyOf(new DeviceMemory(device), GraphGenerators.generate("road:9"));
        DeviceArray<int[]> to = device.ints(graph.arcs())) {
      for (DeviceArray<int[]> input :
          List.of(graph.offsets(), graph.neighbors(), graph.weights(), graph.vertexWeights())) {
        SwappedInputs.assertRefused(module, "gather", fields(input, to), fields(to, input), "to");
      }
    }
  }

  private static Fields fields(DeviceArray<int[]> from, DeviceArray<int[]> to) {
    return new Fields().set("n", 0).set("index", from).set("from", from).set("to", to);
  }
}
