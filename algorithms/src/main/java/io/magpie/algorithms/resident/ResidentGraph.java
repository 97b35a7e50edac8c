package io.magpie.algorithms.resident;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphFormats;
import io.magpie.algorithms.graph.ReadOptions;
import io.magpie.algorithms.graph.SnapshotParts;
import io.magpie.algorithms.graph.WeightType;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * An undirected graph whose arrays are on a device, in the form of a {@link Graph}: both directions
 * of every edge, a self-loop once. Its vertices have no weights; its arcs have some if it was read
 * or copied with them.
 *
 * <p>It is what another call has left there, or what a file holds; a snapshot ({@code .mpg}) comes
 * there without Java arrays between:
 *
 * <pre>{@code
 * try (ResidentGraph roads = ResidentGraph.read(device, Path.of("roads.mpg"));
 *     MinimumSpanningForest forest = new MinimumSpanningForest(roads)) {
 *   MsfResult result = forest.run(MsfOptions.defaults());
 * }
 * }</pre>
 *
 * <pre>{@code
 * try (ResultArrays arrays = ResultArrays.onDevice(device);
 *     ResidentGraph dual =
 *         MeshRefinement.run(device, mesh, RefinementOptions.defaults(), arrays).dualGraph()) {
 *   PartitionResult parts = GraphPartitioner.run(dual, PartitionOptions.of(64));
 * }
 * }</pre>
 *
 * <p>It owns its arrays: 4 bytes for each vertex and 4 for each arc, and the arcs' weights. Calls
 * that take one copy them on the device or read them there, and write nothing to them. Not for use
 * by several threads at once.
 */
public final class ResidentGraph implements AutoCloseable {
  private final DeviceArray<int[]> offsets;
  private final DeviceArray<int[]> neighbors;
  private final DeviceArray<?> weights; // null if there are none
  private final WeightType type;
  private final long edges; // -1 if nobody has counted them
  private final boolean negative;
  private Graph copy;
  private boolean closed;

  private ResidentGraph(Arrays arrays, long edges, boolean negative) {
    this.offsets = arrays.offsets;
    this.neighbors = arrays.neighbors;
    this.weights = arrays.weights;
    this.type = arrays.type;
    this.edges = edges;
    this.negative = negative;
  }

  /** The arrays, while they are filled; closed unless the graph has taken them over. */
  private static final class Arrays implements SnapshotParts.Taker, AutoCloseable {
    private final List<DeviceArray<?>> owned = new ArrayList<>();
    private final DeviceArray<int[]> offsets;
    private final DeviceArray<int[]> neighbors;
    private final DeviceArray<?> weights;
    private final WeightType type;

    private Arrays(
        DeviceArray<int[]> offsets,
        DeviceArray<int[]> neighbors,
        DeviceArray<?> weights,
        WeightType type) {
      this.offsets = offsets;
      this.neighbors = neighbors;
      this.weights = weights;
      this.type = type;
    }

    /**
     * New ones.
     *
     * @param type of the weights; null if there are none
     */
    Arrays(Device device, int vertices, long arcs, WeightType type) {
      try {
        this.offsets = owned(device.ints(vertices + 1L));
        this.neighbors = owned(device.ints(arcs));
        this.weights = type == null ? null : owned(weights(device, type, arcs));
        this.type = type == null ? WeightType.INT : type;
      } catch (RuntimeException | Error e) {
        close();
        throw e;
      }
    }

    private static DeviceArray<?> weights(Device device, WeightType type, long arcs) {
      return switch (type) {
        case INT -> device.ints(arcs);
        case LONG -> device.longs(arcs);
        case FLOAT -> device.floats(arcs);
        case DOUBLE -> device.doubles(arcs);
      };
    }

    private <A> DeviceArray<A> owned(DeviceArray<A> array) {
      owned.add(array);
      return array;
    }

    @Override
    public void offsets(int first, ByteBuffer part) {
      offsets.copyFrom(part, first);
    }

    @Override
    public void neighbors(int first, ByteBuffer part) {
      neighbors.copyFrom(part, first);
    }

    @Override
    public void weights(int first, ByteBuffer part) {
      weights.copyFrom(part, first);
    }

    /** The graph of these arrays, which it closes from now on. */
    ResidentGraph graph(long edges, boolean negative) {
      owned.clear();
      return new ResidentGraph(this, edges, negative);
    }

    @Override
    public void close() {
      owned.forEach(DeviceArray::close);
    }
  }

  /**
   * Reads a graph from a file to a device with the {@linkplain ReadOptions#defaults() default
   * options}.
   *
   * @param device where to; it must outlive the graph
   * @param file the file; its suffix tells format and compression
   * @return the graph
   * @throws io.magpie.algorithms.FileFormatException as {@link GraphFormats#read}
   * @throws IOException when it cannot be read
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   */
  public static ResidentGraph read(Device device, Path file) throws IOException {
    return read(device, file, ReadOptions.defaults());
  }

  /**
   * Reads a graph from a file to a device: the graph that {@link GraphFormats#read} gives, without
   * weights of vertices, and refuses what that refuses, in the same words. The arrays of a snapshot
   * ({@code .mpg}) that is not compressed and has both directions of every edge go from the
   * system's cache of the file to the device, block by block, checked on their way. Those of other
   * files are in Java's memory first, and stay there as {@link #graph}.
   *
   * @param device where to; it must outlive the graph, and must not be in a call of this thread's
   * @param file the file, or a pipe; its suffix tells format and compression, if the options do not
   * @param options how to treat what the file leaves open
   * @return the graph
   * @throws io.magpie.algorithms.FileFormatException as {@link GraphFormats#read}
   * @throws IOException when it cannot be read
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   */
  public static ResidentGraph read(Device device, Path file, ReadOptions options)
      throws IOException {
    Objects.requireNonNull(device, "device");
    Optional<SnapshotParts> opened = SnapshotParts.open(file, options);
    if (opened.isPresent()) {
      try (SnapshotParts parts = opened.get();
          Arrays arrays =
              new Arrays(device, parts.vertices(), parts.arcs(), parts.weightType().orElse(null))) {
        if (parts.read(arrays)) {
          return arrays.graph(parts.edges(), parts.hasNegativeWeights());
        }
      }
    }
    return copyOf(device, GraphFormats.read(file, options));
  }

  /**
   * Copies a graph to a device, without weights of vertices.
   *
   * @param device where to; it must outlive the graph
   * @param graph the graph, which stays in Java's memory as {@link #graph}
   * @return the graph there
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   */
  public static ResidentGraph copyOf(Device device, Graph graph) {
    Objects.requireNonNull(device, "device");
    WeightType type = graph.weighted() ? graph.weightType() : null;
    try (Arrays arrays = new Arrays(device, graph.vertices(), graph.arcs(), type)) {
      arrays.offsets.copyFrom(graph.offsets());
      arrays.neighbors.copyFrom(graph.neighbors());
      if (type != null) {
        copyWeights(graph, arrays.weights);
      }
      ResidentGraph result = arrays.graph(graph.edges(), graph.hasNegativeWeights());
      result.copy = graph.vertexWeights() == null ? graph : graph.withoutVertexWeights();
      return result;
    }
  }

  @SuppressWarnings("unchecked") // allocated by the same type
  private static void copyWeights(Graph graph, DeviceArray<?> to) {
    switch (graph.weightType()) {
      case INT -> ((DeviceArray<int[]>) to).copyFrom(graph.weights());
      case LONG -> ((DeviceArray<long[]>) to).copyFrom(graph.longWeights());
      case FLOAT -> ((DeviceArray<float[]>) to).copyFrom(graph.floatWeights());
      case DOUBLE -> ((DeviceArray<double[]>) to).copyFrom(graph.doubleWeights());
    }
  }

  /**
   * A graph without weights of arrays that kernels have filled, which it closes in the end. What is
   * in them is not checked: were it no graph, kernels might fault. {@link #graph} checks it.
   *
   * @param offsets one more than vertices: the arcs of vertex v are {@code offsets[v]} to {@code
   *     offsets[v + 1] - 1}
   * @param neighbors where each arc leads to
   * @return the graph
   * @throws IllegalArgumentException if the arrays are on two devices, {@code offsets} is empty, or
   *     they are longer than those of a {@link Graph} may be
   */
  public static ResidentGraph of(DeviceArray<int[]> offsets, DeviceArray<int[]> neighbors) {
    Objects.requireNonNull(offsets, "offsets");
    Objects.requireNonNull(neighbors, "neighbors");
    if (offsets.device() != neighbors.device()) {
      throw new IllegalArgumentException(
          "the offsets are on "
              + offsets.device().description().spec()
              + ", and the neighbors on "
              + neighbors.device().description().spec());
    }
    if (offsets.length() < 1 || offsets.length() > Graph.MAX_VERTICES + 1L) {
      throw new IllegalArgumentException(
          "offsets must be 1 to " + (Graph.MAX_VERTICES + 1L) + ", got " + offsets.length());
    }
    if (neighbors.length() > Graph.MAX_ARCS) {
      throw new IllegalArgumentException(
          "arcs must be at most " + Graph.MAX_ARCS + ", got " + neighbors.length());
    }
    return new ResidentGraph(new Arrays(offsets, neighbors, null, WeightType.INT), -1, false);
  }

  /** Where it is. */
  public Device device() {
    return offsets.device();
  }

  /** The number of vertices. */
  public int vertices() {
    return (int) (offsets.length() - 1);
  }

  /** The number of arcs: two for each edge, one for each self-loop. */
  public int arcs() {
    return (int) neighbors.length();
  }

  /**
   * The number of edges. Of arrays that kernels have filled, the first call may have to {@linkplain
   * #graph copy} them.
   */
  public long edges() {
    return edges >= 0 ? edges : graph().edges();
  }

  /** Whether arcs have weights. */
  public boolean weighted() {
    return weights != null;
  }

  /** The type of the weights; {@link WeightType#INT} if there are none, where arcs weigh 1. */
  public WeightType weightType() {
    return type;
  }

  /** Whether some arc has a weight less than 0. */
  public boolean hasNegativeWeights() {
    return negative;
  }

  /**
   * The weights of all arcs: an array of ints, longs, floats or doubles, as {@link #weightType}
   * says. Not a copy.
   *
   * @throws IllegalStateException if there are none, or it is closed
   */
  public DeviceArray<?> weights() {
    requireOpen();
    if (weights == null) {
      throw new IllegalStateException("there are no weights: " + this);
    }
    return weights;
  }

  /**
   * One more than vertices: the arcs of vertex v are {@code offsets[v]} to {@code offsets[v + 1] -
   * 1}. Not a copy.
   *
   * @throws IllegalStateException if it is closed
   */
  public DeviceArray<int[]> offsets() {
    requireOpen();
    return offsets;
  }

  /**
   * Where each arc leads to; not a copy.
   *
   * @throws IllegalStateException if it is closed
   */
  public DeviceArray<int[]> neighbors() {
    requireOpen();
    return neighbors;
  }

  /**
   * The same in Java's memory. Copied and checked by the first call, always the same one, also when
   * this is closed then.
   *
   * @throws IllegalArgumentException if the arrays are no graph's
   * @throws IllegalStateException if it was closed before the first call
   */
  public Graph graph() {
    if (copy == null) {
      Graph graph = Graph.of(offsets().toArray(), neighbors().toArray(), null);
      copy = weights == null ? graph : withWeights(graph, weights.toArray());
    }
    return copy;
  }

  private static Graph withWeights(Graph graph, Object weights) {
    if (weights instanceof int[] ints) {
      return graph.withWeights(ints);
    } else if (weights instanceof long[] longs) {
      return graph.withWeights(longs);
    } else if (weights instanceof float[] floats) {
      return graph.withWeights(floats);
    }
    return graph.withWeights((double[]) weights);
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("this is closed: " + this);
    }
  }

  /** Frees its arrays. Closing twice is harmless. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      try {
        offsets.close();
      } finally {
        closeArcs();
      }
    }
  }

  private void closeArcs() {
    try {
      neighbors.close();
    } finally {
      if (weights != null) {
        weights.close();
      }
    }
  }

  @Override
  public String toString() {
    return "ResidentGraph[device="
        + device().description().spec()
        + ", vertices="
        + vertices()
        + ", arcs="
        + arcs()
        + (weights == null ? "]" : ", " + type + " weights]");
  }
}
