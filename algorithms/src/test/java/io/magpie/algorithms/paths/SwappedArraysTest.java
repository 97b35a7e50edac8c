package io.magpie.algorithms.paths;

import io.magpie.algorithms.SwappedArrays;
import io.magpie.algorithms.graph.DirectedGraph;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import org.junit.jupiter.api.Test;

/** Arrays of a search: where one is given for another one, nothing is launched. */
class SwappedArraysTest {
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
          SwappedArrays.assertInputRefused(
              graph.module(),
              "measure_degrees",
              fields(input, degree),
              fields(degree, input),
              "degree");
        }
      }
    }
  }

  @Test
  void endsOfArcsAreNotSwapped() {
    DirectedGraph given = DirectedGraph.of(GraphGenerators.generate("star:30"));
    PathsOptions options =
        PathsOptions.defaults().withBalance(PathsOptions.Balance.SPLIT).withDegreeBound(3);
    try (DeviceGraph graph =
            new DeviceGraph(new DeviceMemory(PathsVariants.device("cpu:1")), given);
        DeviceArray<int[]> children = graph.device().ints(1)) {
      graph.require(false, false);
      Splitting splitting =
          new Splitting(graph, options, new Launches(graph.module(), false, options.stm()));
      Fields right = new Fields().set("first", splitting.first()).set("last", splitting.last());
      Fields swapped = new Fields().set("first", splitting.last()).set("last", splitting.first());
      for (Fields fields : new Fields[] {right, swapped}) {
        fields.set("segments", 0).set("pieces", 1).set("children", children);
        fields.set("offsets", graph.leaving().offsets()).set("parent", splitting.parent());
      }
      SwappedArrays.assertOtherRefused(
          graph.module(), "cut_vertices", right, swapped, "first", "last");
    }
  }

  private static Fields fields(DeviceArray<?> offsets, DeviceArray<?> degree) {
    return new Fields().set("vertices", 0).set("offsets", offsets).set("degree", degree);
  }
}
