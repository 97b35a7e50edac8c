package io.magpie.algorithms.msf;

import io.magpie.algorithms.SwappedInputs;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.msf.MsfOptions.Objective;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The graph of a forest's driver is an input: where it is given for a result, nothing is launched.
 */
class SwappedInputsTest {
  @Test
  void aGraphIsNotWritten() {
    try (DeviceGraph graph =
            new DeviceGraph(
                Variants.device("cpu:1"), GraphGenerators.generate("road:9"), Objective.MINIMUM);
        DeviceArray<int[]> keys = graph.device().ints(graph.arcs())) {
      for (DeviceArray<int[]> input :
          List.of(graph.weights(), graph.neighbors(), graph.offsets())) {
        SwappedInputs.assertRefused(
            graph.module(), "gather_keys", fields(input, keys), fields(keys, input), "keys");
      }
    }
  }

  private static Fields fields(DeviceArray<int[]> in, DeviceArray<int[]> keys) {
    return new Fields().set("arcs", 0).set("order", in).set("in", in).set("keys", keys);
  }
}
