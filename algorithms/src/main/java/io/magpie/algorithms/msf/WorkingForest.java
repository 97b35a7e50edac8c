package io.magpie.algorithms.msf;

import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.stm.Fields;
import io.magpie.stm.StmObjects;

/**
 * The forest of a graph on the device while it is computed: the arrays that forest.cuh describes,
 * and the launches that work on them. All forms of the algorithm grow one.
 */
final class WorkingForest extends HookedForest {
  private final DeviceGraph graph;

  WorkingForest(DeviceGraph graph, MsfOptions options) {
    super(
        graph,
        graph.vertices(),
        options,
        new Launches(graph.module(), options.phaseTimes(), options.stm()),
        false);
    this.graph = graph;
  }

  DeviceGraph graph() {
    return graph;
  }

  @Override
  StmObjects objects() {
    return graph.objects();
  }

  /**
   * Runs a kernel over the pieces of the graph, a warp for each; adds the fields that say which.
   */
  void runPieces(String kernel, Fields fields) {
    launches()
        .run(
            kernel,
            (long) graph.pieces() * graph.device().warpWidth(),
            fields
                .set("vertices", graph.vertices())
                .set("piece", graph.piece())
                .set("count", graph.pieces()));
  }
}
