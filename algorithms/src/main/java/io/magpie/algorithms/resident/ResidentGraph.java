package io.magpie.algorithms.resident;

import io.magpie.algorithms.graph.Graph;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import java.util.Objects;

/**
 * An undirected graph without weights whose arrays are on a device, in the form of a {@link Graph}:
 * both directions of every edge, a self-loop once.
 *
 * <pre>{@code
 * try (ResultArrays arrays = ResultArrays.onDevice(device);
 *     ResidentGraph dual =
 *         MeshRefinement.run(device, mesh, RefinementOptions.defaults(), arrays).dualGraph()) {
 *   PartitionResult parts = GraphPartitioner.run(dual, PartitionOptions.of(64));
 * }
 * }</pre>
 *
 * <p>It owns its arrays: 4 bytes for each vertex and 4 for each arc. Calls that take one copy them
 * on the device or read them there, and write nothing to them. Not for use by several threads at
 * once.
 */
public final class ResidentGraph implements AutoCloseable {
  private final DeviceArray<int[]> offsets;
  private final DeviceArray<int[]> neighbors;
  private Graph copy;
  private boolean closed;

  private ResidentGraph(DeviceArray<int[]> offsets, DeviceArray<int[]> neighbors) {
    this.offsets = offsets;
    this.neighbors = neighbors;
  }

  /**
   * A graph of arrays that kernels have filled, which it closes in the end. What is in them is not
   * checked: were it no graph, kernels might fault. {@link #graph} checks it.
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
    return new ResidentGraph(offsets, neighbors);
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
      copy = Graph.of(offsets().toArray(), neighbors().toArray(), null);
    }
    return copy;
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
        neighbors.close();
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
        + "]";
  }
}
