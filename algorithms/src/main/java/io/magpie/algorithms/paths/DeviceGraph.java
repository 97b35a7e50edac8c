package io.magpie.algorithms.paths;

import io.magpie.algorithms.graph.DirectedGraph;
import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.algorithms.internal.driver.Holder;
import io.magpie.algorithms.internal.driver.Workspace;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.StmObjects;
import java.util.IntSummaryStatistics;
import java.util.stream.IntStream;

/**
 * A directed graph on a device, with what outlives a computation on it.
 *
 * <p>Bytes of the graph: 4 for each vertex and 4 for each arc, with weights 8; as much again once
 * it has been turned around, which is kept in Java's memory, too.
 */
final class DeviceGraph extends Workspace {
  static final String MODULE = "paths";

  /** Arcs on the device, in the order of the vertices that they leave, or that they enter. */
  final class Arcs {
    private final DirectedGraph graph;
    private final DeviceArray<int[]> offsets;
    private final DeviceArray<int[]> neighbors;
    private DeviceArray<?> weights;

    private Arcs(DirectedGraph graph) {
      this.graph = graph;
      try (Holder held = new Holder(memory())) {
        DeviceArray<int[]> begins = upload(() -> held.copyOf(graph.offsets()));
        DeviceArray<int[]> ends = upload(() -> held.copyOf(graph.neighbors()));
        held.release(begins, ends);
        offsets = keptInput(begins);
        neighbors = keptInput(ends);
      }
    }

    /** One more than vertices: where the arcs of each begin. */
    DeviceArray<int[]> offsets() {
      return offsets;
    }

    /** Copies weights, if there are any and they are not there yet. */
    private Arcs with(boolean weighted) {
      if (weighted && graph.weighted() && weights == null) {
        weights =
            floats()
                ? upload(() -> keptInput(memory().copyOf(graph.floatWeights())))
                : upload(() -> keptInput(memory().copyOf(graph.weights())));
      }
      return this;
    }

    /** The fields that say where they are. */
    void addTo(Fields fields, boolean weighted) {
      fields.set("offsets", offsets);
      addTargetsTo(fields, weighted);
    }

    /** The same without offsets: where others say which arcs leave what. */
    void addTargetsTo(Fields fields, boolean weighted) {
      fields.set("neighbors", neighbors).set("weights", weights(weighted));
    }

    /** Weights; if they are not read, another array. */
    DeviceArray<?> weights(boolean weighted) {
      return weighted ? weights : neighbors;
    }
  }

  private final DirectedGraph graph;
  private final Arcs leaving;
  private Arcs entering;
  private StmObjects objects;
  private LengthSums sums;
  private FloatSums floatSums;
  private int mostArcs = -1;
  private double meanArcs;

  /**
   * Copies a graph.
   *
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   */
  DeviceGraph(DeviceMemory memory, DirectedGraph graph) {
    super(memory, MODULE);
    this.graph = graph;
    try {
      this.leaving = new Arcs(graph);
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  DirectedGraph graph() {
    return graph;
  }

  int vertices() {
    return graph.vertices();
  }

  int arcs() {
    return graph.arcs();
  }

  /**
   * Copies what a computation needs and is not there yet, and looks once at what the host has to
   * know of degrees and weights. To be called before the time of the computation is taken.
   */
  void require(boolean turned, boolean weighted) {
    leaving.with(weighted);
    if (mostArcs < 0) {
      IntSummaryStatistics arcs =
          IntStream.range(0, graph.vertices())
              .map(graph::outDegree)
              .filter(each -> each > 0)
              .summaryStatistics();
      mostArcs = Math.max(0, arcs.getMax());
      meanArcs = arcs.getAverage();
    }
    if (weighted && floats()) {
      floatSums = floatSums == null ? FloatSums.of(graph) : floatSums;
    } else if (weighted && sums == null) {
      sums = LengthSums.of(graph);
    }
    if (turned && entering == null) {
      entering = new Arcs(upload(graph::transposed));
    }
    if (turned) {
      entering.with(weighted);
    }
  }

  /** The arcs in the order of the vertices that they leave. */
  Arcs leaving() {
    return leaving;
  }

  /** The arcs in the order of the vertices that they enter, if they were required. */
  Arcs entering() {
    return entering;
  }

  /** The most arcs that leave a vertex. */
  int mostArcs() {
    return mostArcs;
  }

  /** The arcs that leave a vertex on average, of those that any leave. */
  double meanArcs() {
    return meanArcs;
  }

  /** Whether weights are floats. */
  boolean floats() {
    return graph.weightType() == WeightType.FLOAT;
  }

  /** What its weights add up to, if weights were required and are not floats. */
  LengthSums sums() {
    return sums;
  }

  /** What its weights add up to, if weights were required and are floats. */
  FloatSums floatSums() {
    return floatSums;
  }

  /** An object for each vertex, allocated by the first call. */
  StmObjects objects() {
    if (objects == null) {
      objects = kept(memory().objects(vertices()));
    }
    return objects;
  }
}
