package io.magpie.algorithms.paths;

import io.magpie.algorithms.SwappedInputs;
import io.magpie.algorithms.graph.DirectedGraph;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import org.junit.jupiter.api.Test;

/** A graph is an input of paths: where it is given for a result, nothing is launched. */
class SwappedInputsTest {
  @Test
  void aGraphIsNotWritten() {
    DirectedGraph given = DirectedGraph.of(GraphGenerators.generate("road:9"));
    try (DeviceGraph graph =
            new DeviceGraph(new DeviceMemory(PathsVariants.device("cpu:1")), given);
        DeviceArray<int[]> degree = graph.device().ints(graph.vertices())) {
      graph.require(true, true);
      for (DeviceGraph.Arcs arcs : new DeviceGraph.Arcs[] {graph.leaving(), graph.entering()}) {
        for (DeviceArray<?> input :
            new DeviceArray<?>[] {arcs.offsets(), arcs.weights(false), arcs.weights(true)}) {
          SwappedInputs.assertRefused(
              graph.module(),
              "measure_degrees",
              fields(input, degree),
              fields(degree, input),
              "degree");
        }
      }
    }
  }

  private static Fields fields(DeviceArray<?> offsets, DeviceArray<?> degree) {
    return new Fields().set("vertices", 0).set("offsets", offsets).set("degree", degree);
  }
}
