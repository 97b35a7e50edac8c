package io.magpie.algorithms.partition;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.algorithms.internal.driver.Holder;
import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.algorithms.internal.driver.Resources;
import io.magpie.algorithms.resident.ResidentGraph;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelModule;
import io.magpie.stm.StmOptions;
import io.magpie.stm.parallel.Primitives;
import io.magpie.stm.parallel.ScanOperator;
import java.util.ArrayList;
import java.util.List;

/**
 * A graph on a device: both directions of every edge, with equal weights; no self-loops. Parallel
 * edges stay as they are in a copied graph; a coarser one has none.
 *
 * <p>It owns its arrays, which nobody writes any more; it gives const views of them. Bytes: 4 for
 * each vertex, twice, and 8 for each arc.
 */
final class DeviceGraph implements AutoCloseable {
  private final DeviceMemory memory;
  private final int vertices;
  private final int arcs;
  private final List<DeviceArray<int[]>> owned;
  private final DeviceArray<int[]> offsets;
  private final DeviceArray<int[]> neighbors;
  private final DeviceArray<int[]> weights;
  private final DeviceArray<int[]> vertexWeights;

  /** Takes arrays over: the first has an element more than there are vertices. */
  DeviceGraph(
      DeviceMemory memory,
      DeviceArray<int[]> offsets,
      DeviceArray<int[]> neighbors,
      DeviceArray<int[]> weights,
      DeviceArray<int[]> vertexWeights) {
    this.memory = memory;
    this.vertices = Math.toIntExact(vertexWeights.length());
    this.arcs = Math.toIntExact(neighbors.length());
    this.owned = List.of(offsets, neighbors, weights, vertexWeights);
    this.offsets = offsets.asConst().named("offsets");
    this.neighbors = neighbors.asConst().named("neighbors");
    this.weights = weights.asConst().named("weights");
    this.vertexWeights = vertexWeights.asConst().named("vertex_weights");
  }

  /**
   * Copies a graph; edges and vertices without weights weigh 1, self-loops are left out.
   *
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   */
  static DeviceGraph copyOf(DeviceMemory memory, Graph graph) {
    try (Holder held = new Holder(memory)) {
      DeviceArray<int[]> offsets = held.copyOf(graph.offsets());
      DeviceArray<int[]> neighbors = held.copyOf(graph.neighbors());
      DeviceArray<int[]> weights =
          graph.weighted() ? held.copyOf(graph.weights()) : held.ones(graph.arcs());
      DeviceArray<int[]> vertexWeights =
          graph.vertexWeights() != null
              ? held.copyOf(graph.vertexWeights())
              : held.ones(graph.vertices());
      return proper(held, offsets, neighbors, weights, vertexWeights);
    }
  }

  /**
   * Copies a graph that is on the device; self-loops are left out.
   *
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   */
  static DeviceGraph copyOf(DeviceMemory memory, ResidentGraph graph) {
    try (Holder held = new Holder(memory)) {
      DeviceArray<int[]> offsets = held.ints(graph.offsets().length());
      offsets.copyFrom(graph.offsets());
      DeviceArray<int[]> neighbors = held.ints(graph.arcs());
      neighbors.copyFrom(graph.neighbors());
      DeviceArray<int[]> weights = held.ones(graph.arcs());
      return proper(held, offsets, neighbors, weights, held.ones(graph.vertices()));
    }
  }

  /** Of arrays that are held, without self-loops; releases what it is made of. */
  private static DeviceGraph proper(
      Holder held,
      DeviceArray<int[]> offsets,
      DeviceArray<int[]> neighbors,
      DeviceArray<int[]> weights,
      DeviceArray<int[]> vertexWeights) {
    DeviceGraph proper = withoutLoops(held, offsets, neighbors, weights, vertexWeights);
    proper.leave(held);
    return proper;
  }

  /** Takes its arrays from who has held them while it was made. */
  void leave(Holder held) {
    owned.forEach(held::release);
  }

  private static DeviceGraph withoutLoops(
      Holder held,
      DeviceArray<int[]> offsets,
      DeviceArray<int[]> neighbors,
      DeviceArray<int[]> weights,
      DeviceArray<int[]> vertexWeights) {
    int vertices = Math.toIntExact(vertexWeights.length());
    int arcs = Math.toIntExact(neighbors.length());
    Device device = held.memory().device();
    DeviceArray<int[]> ranks = held.ints(arcs + 1L);
    DeviceArray<int[]> loops = held.ints(1).named("loops");
    try (KernelModule module = device.load(Coarsening.MODULE)) {
      Launches launches = new Launches(module, false, StmOptions.defaults());
      DeviceArray<int[]> proper = ranks.slice(0, arcs);
      long work = (long) vertices + arcs;
      int pieces = launches.pieces(work);
      launches.runPieces(
          "mark_proper_arcs",
          work,
          pieces,
          new Fields()
              .set("vertices", vertices)
              .set("pieces", pieces)
              .set("offsets", offsets)
              .set("neighbors", neighbors)
              .set("proper", proper)
              .set("loops", loops));
      int found = loops.getInt(0);
      if (found == 0) {
        return new DeviceGraph(held.memory(), offsets, neighbors, weights, vertexWeights);
      }
      Primitives primitives = Primitives.of(device);
      DeviceArray<int[]> keptNeighbors = held.ints(arcs - found);
      DeviceArray<int[]> keptWeights = held.ints(arcs - found);
      primitives.pack(neighbors, proper, keptNeighbors);
      primitives.pack(weights, proper, keptWeights);
      primitives.exclusiveScan(proper, ranks, ScanOperator.ADD);
      DeviceArray<int[]> newOffsets = held.ints(vertices + 1L);
      launches.run(
          "gather",
          vertices + 1L,
          new Fields()
              .set("n", vertices + 1)
              .set("index", offsets)
              .set("from", ranks)
              .set("to", newOffsets));
      return new DeviceGraph(held.memory(), newOffsets, keptNeighbors, keptWeights, vertexWeights);
    }
  }

  /** Number of vertices. */
  int vertices() {
    return vertices;
  }

  /** Number of arcs: two for each edge. */
  int arcs() {
    return arcs;
  }

  /** One more than vertices: the arcs of vertex v are offsets[v] to offsets[v + 1] - 1. */
  DeviceArray<int[]> offsets() {
    return offsets;
  }

  /** Where each arc leads to. */
  DeviceArray<int[]> neighbors() {
    return neighbors;
  }

  /** The weight of each arc. */
  DeviceArray<int[]> weights() {
    return weights;
  }

  /** The weight of each vertex. */
  DeviceArray<int[]> vertexWeights() {
    return vertexWeights;
  }

  /** Frees its arrays. */
  @Override
  public void close() {
    List<AutoCloseable> due = new ArrayList<>();
    owned.forEach(array -> due.add(() -> memory.free(array)));
    Resources.close(due);
  }
}
