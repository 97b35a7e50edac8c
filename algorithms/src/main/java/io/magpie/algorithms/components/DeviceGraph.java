package io.magpie.algorithms.components;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.algorithms.internal.driver.Resources;
import io.magpie.algorithms.internal.driver.Scratch;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.KernelModule;
import io.magpie.stm.StmObjects;
import java.util.ArrayList;
import java.util.List;

/**
 * A graph on a device, with what outlives a computation on it: the module and the working arrays.
 *
 * <p>It owns all of them. Bytes of the graph: 4 for each vertex and 4 for each arc.
 */
final class DeviceGraph implements AutoCloseable {
  static final String MODULE = "components";

  private final Graph graph;
  private final DeviceMemory memory;
  private final KernelModule module;
  private final Scratch scratch;
  private final DeviceArray<int[]> offsets;
  private final DeviceArray<int[]> neighbors;
  private final List<AutoCloseable> made = new ArrayList<>();
  private final double uploadMillis;
  private StmObjects objects;

  /**
   * Copies a graph.
   *
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   */
  DeviceGraph(Device device, Graph graph) {
    this.graph = graph;
    this.memory = new DeviceMemory(device);
    this.module = device.load(MODULE);
    made.add(module);
    this.scratch = new Scratch(memory);
    made.add(scratch);
    long begin = System.nanoTime();
    try {
      this.offsets = kept(memory.copyOf(graph.offsets()));
      this.neighbors = kept(memory.copyOf(graph.neighbors()));
    } catch (RuntimeException | Error e) {
      Resources.close(made);
      throw e;
    }
    this.uploadMillis = (System.nanoTime() - begin) / 1e6;
  }

  private DeviceArray<int[]> kept(DeviceArray<int[]> array) {
    made.add(() -> memory.free(array));
    return array;
  }

  Graph graph() {
    return graph;
  }

  Device device() {
    return memory.device();
  }

  KernelModule module() {
    return module;
  }

  /** How long it took to copy the graph here. */
  double uploadMillis() {
    return uploadMillis;
  }

  /** Working arrays, kept from computation to computation. */
  Scratch scratch() {
    return scratch;
  }

  int vertices() {
    return graph.vertices();
  }

  /** Number of arcs: two for each edge, one for each self-loop. */
  int arcs() {
    return graph.neighbors().length;
  }

  /** One more than vertices: the arcs of vertex v are offsets[v] to offsets[v + 1] - 1. */
  DeviceArray<int[]> offsets() {
    return offsets;
  }

  /** Where each arc leads to. */
  DeviceArray<int[]> neighbors() {
    return neighbors;
  }

  /** An object for each vertex, allocated by the first call. */
  StmObjects objects() {
    if (objects == null) {
      objects = memory.objects(vertices());
      made.add(() -> memory.free(objects));
    }
    return objects;
  }

  /** Frees all. Closing twice is harmless. */
  @Override
  public void close() {
    List<AutoCloseable> due = List.copyOf(made);
    made.clear();
    Resources.close(due);
  }
}
