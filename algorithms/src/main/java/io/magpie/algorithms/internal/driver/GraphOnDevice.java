package io.magpie.algorithms.internal.driver;

import io.magpie.algorithms.graph.Graph;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.StmObjects;
import java.util.function.Supplier;

/**
 * An undirected graph on a device, with what outlives a computation on it.
 *
 * <p>Bytes of the graph: 4 for each vertex and 4 for each arc.
 */
public class GraphOnDevice extends Workspace {
  private final Graph graph;
  private final DeviceArray<int[]> offsets;
  private final DeviceArray<int[]> neighbors;
  private StmObjects objects;

  /**
   * Copies a graph.
   *
   * @param module the name of the module that the computations need
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   */
  public GraphOnDevice(Device device, Graph graph, String module) {
    super(new DeviceMemory(device), module);
    this.graph = graph;
    this.offsets = uploadOrClose(() -> kept(memory().copyOf(graph.offsets())));
    this.neighbors = uploadOrClose(() -> kept(memory().copyOf(graph.neighbors())));
  }

  /** {@linkplain #upload Copies} something; if it fails, all is freed. */
  protected final DeviceArray<int[]> uploadOrClose(Supplier<DeviceArray<int[]>> copy) {
    try {
      return upload(copy);
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  public final Graph graph() {
    return graph;
  }

  public final int vertices() {
    return graph.vertices();
  }

  /** Number of arcs: two for each edge, one for each self-loop. */
  public final int arcs() {
    return graph.neighbors().length;
  }

  /** One more than vertices: the arcs of vertex v are offsets[v] to offsets[v + 1] - 1. */
  public final DeviceArray<int[]> offsets() {
    return offsets;
  }

  /** Where each arc leads to. */
  public final DeviceArray<int[]> neighbors() {
    return neighbors;
  }

  /** An object for each vertex, allocated by the first call. */
  public final StmObjects objects() {
    if (objects == null) {
      objects = kept(memory().objects(vertices()));
    }
    return objects;
  }
}
