package io.magpie.algorithms.msf;

import io.magpie.algorithms.SwappedArrays;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.msf.MsfOptions.Objective;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Arrays of a forest's driver: where one is given for another one, nothing is launched. */
class SwappedArraysTest {
  @Test
  void aGraphIsNotWritten() {
    try (DeviceGraph graph =
            new DeviceGraph(
                Variants.device("cpu:1"), GraphGenerators.generate("road:9"), Objective.MINIMUM);
        DeviceArray<int[]> keys = graph.device().ints(graph.arcs())) {
      for (DeviceArray<int[]> input :
          List.of(graph.weights(), graph.neighbors(), graph.offsets())) {
        SwappedArrays.assertInputRefused(
            graph.module(), "gather_keys", fields(input, keys), fields(keys, input), "keys");
      }
    }
  }

  @Test
  void treesAndEdgesAreNotSwapped() {
    try (DeviceGraph graph =
        new DeviceGraph(
            Variants.device("cpu:1"), GraphGenerators.generate("road:9"), Objective.MINIMUM)) {
      WorkingForest forest = new WorkingForest(graph, MsfOptions.defaults());
      Fields right = new Fields().set("vertices", 0);
      right.set("parent", forest.parent()).set("edge_of", forest.edgeOf());
      Fields swapped = new Fields().set("vertices", 0);
      swapped.set("parent", forest.edgeOf()).set("edge_of", forest.parent());
      SwappedArrays.assertOtherRefused(
          graph.module(), "start_alone", right, swapped, "parent", "edge_of");
    }
  }

  private static Fields fields(DeviceArray<int[]> in, DeviceArray<int[]> keys) {
    return new Fields().set("arcs", 0).set("order", in).set("in", in).set("keys", keys);
  }
}
