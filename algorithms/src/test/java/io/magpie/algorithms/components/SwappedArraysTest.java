package io.magpie.algorithms.components;

import io.magpie.algorithms.SwappedArrays;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.internal.driver.GraphOnDevice;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Arrays of components: where one is given for another one, nothing is launched. */
class SwappedArraysTest {
  @Test
  void aGraphIsNotWritten() {
    try (GraphOnDevice graph =
            new GraphOnDevice(
                Variants.device("cpu:1"), GraphGenerators.generate("road:9"), "components");
        DeviceArray<int[]> parent = graph.device().ints(graph.vertices())) {
      for (DeviceArray<int[]> input : List.of(graph.offsets(), graph.neighbors())) {
        SwappedArrays.assertInputRefused(
            graph.module(),
            "start",
            fields(graph, parent, parent),
            fields(graph, input, parent),
            "parent");
      }
    }
  }

  @Test
  void treesAndEdgesAreNotSwapped() {
    try (GraphOnDevice graph =
        new GraphOnDevice(
            Variants.device("cpu:1"), GraphGenerators.generate("road:9"), "components")) {
      Trees trees =
          new Trees(
              graph, ComponentsOptions.defaults().withOutput(ComponentsOptions.Output.FOREST));
      SwappedArrays.assertOtherRefused(
          graph.module(),
          "start",
          fields(graph, trees.parent(), trees.edgeOf()),
          fields(graph, trees.edgeOf(), trees.parent()),
          "parent",
          "edge_of");
    }
  }

  private static Fields fields(
      GraphOnDevice graph, DeviceArray<int[]> parent, DeviceArray<int[]> edgeOf) {
    return new Fields()
        .set("vertices", 0)
        .set("forest", 0)
        .set("offsets", graph.offsets())
        .set("neighbors", graph.neighbors())
        .set("parent", parent)
        .set("edge_of", edgeOf);
  }
}
