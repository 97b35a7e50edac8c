package io.magpie.algorithms.internal.driver;

import io.magpie.algorithms.ResultArrays;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.resident.ResidentGraph;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.StmObjects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * An undirected graph on a device, with what outlives a computation on it.
 *
 * <p>Bytes of the graph: 4 for each vertex and 4 for each arc.
 */
public class GraphOnDevice extends Workspace {
  private final Graph inJava; // null if it was on the device before
  private final ResidentGraph resident; // null if not
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
    this.inJava = graph;
    this.resident = null;
    this.offsets =
        uploadOrClose(() -> keptInput(memory().copyOf(graph.offsets())).named("offsets"));
    this.neighbors =
        uploadOrClose(() -> keptInput(memory().copyOf(graph.neighbors())).named("neighbors"));
  }

  /**
   * Reads a graph that is there, and does not close it.
   *
   * @param module the name of the module that the computations need
   * @throws IllegalStateException if it is closed
   */
  public GraphOnDevice(ResidentGraph graph, String module) {
    super(new DeviceMemory(graph.device()), module);
    this.inJava = null;
    this.resident = graph;
    try {
      this.offsets = graph.offsets().asConst().named("offsets");
      this.neighbors = graph.neighbors().asConst().named("neighbors");
    } catch (RuntimeException e) {
      close();
      throw e;
    }
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

  /** The graph in Java's memory, copied there by the first call if need be. */
  public final Graph graph() {
    return inJava != null ? inJava : resident.graph();
  }

  /** The same for results, which outlive this. */
  public final Supplier<Graph> source() {
    Graph known = inJava;
    return known != null ? () -> known : resident::graph;
  }

  /** Whether the graph was in Java's memory before it was on the device. */
  public final boolean isInJava() {
    return inJava != null;
  }

  /** What is computed on, for messages. */
  public final String described() {
    return String.valueOf(inJava != null ? inJava : resident);
  }

  /** Number of edges. */
  public final long edges() {
    return inJava != null ? inJava.edges() : resident.edges();
  }

  /** Whether arcs have weights. */
  public final boolean weighted() {
    return inJava != null ? inJava.weighted() : resident.weighted();
  }

  /** The type of the weights; that of ints if there are none. */
  public final WeightType weightType() {
    return inJava != null ? inJava.weightType() : resident.weightType();
  }

  /** Whether some arc has a weight less than 0. */
  public final boolean hasNegativeWeights() {
    return inJava != null ? inJava.hasNegativeWeights() : resident.hasNegativeWeights();
  }

  /** Weights that were on the device before, and that nobody writes; empty if there are none. */
  public final Optional<DeviceArray<?>> weightsThere() {
    return resident != null && resident.weighted()
        ? Optional.of(resident.weights().asConst())
        : Optional.empty();
  }

  /** Checks, before any work, that result arrays suit, as {@link ResultArray#check} does. */
  public final void check(ResultArrays arrays, String name) {
    if (inJava != null) {
      ResultArray.check(arrays, inJava, name);
    } else if (arrays != null) {
      arrays.requireNames(name);
    }
  }

  public final int vertices() {
    return (int) (offsets.length() - 1);
  }

  /** Number of arcs: two for each edge, one for each self-loop. */
  public final int arcs() {
    return (int) neighbors.length();
  }

  /**
   * One more than vertices: the arcs of vertex v are offsets[v] to offsets[v + 1] - 1. As those of
   * neighbors, nothing is written through this view.
   */
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
