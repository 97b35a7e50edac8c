package io.magpie.algorithms.components;

import io.magpie.algorithms.components.ComponentsOptions.Output;
import io.magpie.algorithms.internal.driver.GraphOnDevice;
import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;

/**
 * The trees while they are united: the arrays that union_find.cuh describes, and the launches that
 * work on them. Every form of the algorithm unites some.
 */
final class Trees {
  private final GraphOnDevice graph;
  private final ComponentsOptions options;
  private final Launches launches;
  private final DeviceArray<int[]> parent;
  private final DeviceArray<int[]> edgeOf;

  Trees(GraphOnDevice graph, ComponentsOptions options) {
    this.graph = graph;
    this.options = options;
    this.launches = new Launches(graph.module(), options.phaseTimes(), options.stm());
    this.parent = graph.scratch().ints("parent", graph.vertices());
    this.edgeOf = graph.scratch().ints("edge_of", forest() ? graph.vertices() : 0);
  }

  GraphOnDevice graph() {
    return graph;
  }

  ComponentsOptions options() {
    return options;
  }

  Launches launches() {
    return launches;
  }

  /** Whether the edges are kept over which trees are united. */
  boolean forest() {
    return options.output() == Output.FOREST;
  }

  /** For each vertex one nearer to its root; roots are their own. */
  DeviceArray<int[]> parent() {
    return parent;
  }

  /** For each former root the edge over which it was hooked; without elements unless asked for. */
  DeviceArray<int[]> edgeOf() {
    return edgeOf;
  }

  /** Pieces of equal work that the graph is walked over in. */
  int pieces() {
    return launches.pieces((long) graph.vertices() + graph.arcs());
  }

  /** Runs a kernel over the pieces of the graph, whose fields say which. */
  void runPieces(String kernel, Fields fields) {
    launches.runPieces(kernel, (long) graph.vertices() + graph.arcs(), pieces(), fields);
  }

  /** The fields that say over which pieces of which graph; for more to be added. */
  Fields pieceFields() {
    return new Fields()
        .set("vertices", graph.vertices())
        .set("pieces", pieces())
        .set("offsets", graph.offsets())
        .set("neighbors", graph.neighbors());
  }
}
