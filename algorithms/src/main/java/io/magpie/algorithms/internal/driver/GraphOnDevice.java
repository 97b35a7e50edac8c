package io.magpie.algorithms.internal.driver;

import io.magpie.algorithms.graph.Graph;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.KernelModule;
import io.magpie.stm.StmObjects;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * An undirected graph on a device, with what outlives a computation on it: the module and the
 * working arrays.
 *
 * <p>It owns all of them. Bytes of the graph: 4 for each vertex and 4 for each arc.
 */
public class GraphOnDevice implements AutoCloseable {
  private final Graph graph;
  private final DeviceMemory memory;
  private final KernelModule module;
  private final Scratch scratch;
  private final DeviceArray<int[]> offsets;
  private final DeviceArray<int[]> neighbors;
  private final List<AutoCloseable> made = new ArrayList<>();
  private double uploadMillis;
  private StmObjects objects;

  /**
   * Copies a graph.
   *
   * @param module the name of the module that the computations need
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   */
  public GraphOnDevice(Device device, Graph graph, String module) {
    this.graph = graph;
    this.memory = new DeviceMemory(device);
    this.module = device.load(module);
    made.add(this.module);
    this.scratch = new Scratch(memory);
    made.add(scratch);
    this.offsets = upload(() -> kept(memory.copyOf(graph.offsets())));
    this.neighbors = upload(() -> kept(memory.copyOf(graph.neighbors())));
  }

  /** Copies something; its time counts as upload, and if it fails, all is freed. */
  private DeviceArray<int[]> upload(Supplier<DeviceArray<int[]>> copy) {
    long begin = System.nanoTime();
    try {
      return copy.get();
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    } finally {
      uploadMillis += (System.nanoTime() - begin) / 1e6;
    }
  }

  private DeviceArray<int[]> kept(DeviceArray<int[]> array) {
    made.add(() -> memory.free(array));
    return array;
  }

  /** A copy of one value for each arc, owned by this; ones if {@code values} is null. */
  protected final DeviceArray<int[]> uploadForArcs(int[] values) {
    return upload(
        () -> {
          if (values != null) {
            return kept(memory.copyOf(values));
          }
          DeviceArray<int[]> ones = kept(memory.ints(arcs()));
          ones.fill(1);
          return ones;
        });
  }

  public final Graph graph() {
    return graph;
  }

  public final Device device() {
    return memory.device();
  }

  public final KernelModule module() {
    return module;
  }

  /** How long it took to copy the graph here. */
  public final double uploadMillis() {
    return uploadMillis;
  }

  /** Working arrays, kept from computation to computation. */
  public final Scratch scratch() {
    return scratch;
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
      objects = memory.objects(vertices());
      made.add(() -> memory.free(objects));
    }
    return objects;
  }

  /** Frees all. Closing twice is harmless. */
  @Override
  public final void close() {
    List<AutoCloseable> due = List.copyOf(made);
    made.clear();
    Resources.close(due);
  }
}
