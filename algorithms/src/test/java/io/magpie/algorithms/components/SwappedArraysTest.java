package io.magpie.algorithms.components;

import io.magpie.algorithms.SwappedInputs;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.internal.driver.GraphOnDevice;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A graph is an input of components: where it is given for a result, nothing is launched. */
class SwappedInputsTest {
  @Test
  void aGraphIsNotWritten() {
    try (GraphOnDevice graph =
            new GraphOnDevice(
                Variants.device("cpu:1"), GraphGenerators.generate("road:9"), "components");
        DeviceArray<int[]> parent = graph.device().ints(graph.vertices())) {
      for (DeviceArray<int[]> input : List.of(graph.offsets(), graph.neighbors())) {
        SwappedInputs.assertRefused(
            graph.module(), "start", fields(input, parent), fields(parent, input), "parent");
      }
    }
  }

  private static Fields fields(DeviceArray<int[]> graph, DeviceArray<int[]> parent) {
    return new Fields()
        .set("vertices", 0)
        .set("forest", 0)
        .set("offsets", graph)
        .set("neighbors", graph)
        .set("parent", parent)
        .set("edge_of", parent);
  }
}
