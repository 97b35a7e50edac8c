package io.magpie.algorithms.msf;

import io.magpie.algorithms.graph.WeightType;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import java.util.Objects;

/**
 * Edges of a {@link DeviceEdgeSource} on a device, whose numbers follow each other: they are
 * written to the arrays and then {@linkplain #setConsecutive counted}. Device memory: 12 bytes for
 * each edge that it has room for.
 */
public final class DeviceEdgeChunk {
  private final WeightType weightType;
  private final DeviceArray<int[]> sources;
  private final DeviceArray<int[]> targets;
  private final DeviceArray<int[]> weights;
  private long first;
  private int size;

  /** An empty chunk of arrays of one length. */
  DeviceEdgeChunk(
      WeightType weightType,
      DeviceArray<int[]> sources,
      DeviceArray<int[]> targets,
      DeviceArray<int[]> weights) {
    this.weightType = weightType;
    this.sources = sources;
    this.targets = targets;
    this.weights = weights;
  }

  /** Where the arrays are. */
  public Device device() {
    return sources.device();
  }

  /** Edges that it has room for. */
  public int capacity() {
    return (int) sources.length();
  }

  /** Edges that it has. */
  public int size() {
    return size;
  }

  /** The type of the weights. */
  public WeightType weightType() {
    return weightType;
  }

  /** One end of each edge, a vertex from 0; as long as {@link #capacity}. */
  public DeviceArray<int[]> sources() {
    return sources;
  }

  /** The other end of each edge; as long as {@link #capacity}. */
  public DeviceArray<int[]> targets() {
    return targets;
  }

  /**
   * The weights; as long as {@link #capacity}. Floats, all finite, stand there as {@link
   * Float#floatToRawIntBits} gives them.
   */
  public DeviceArray<int[]> weights() {
    return weights;
  }

  /** The number of the first edge. */
  public long first() {
    return first;
  }

  /**
   * Takes the edges that were written to the arrays, or will have been before any later work of the
   * device, in place of those that it has.
   *
   * @param firstNumber the number of the first; the others follow it
   * @param count how many
   * @throws IndexOutOfBoundsException if there is no room for so many
   */
  public void setConsecutive(long firstNumber, int count) {
    Objects.checkFromIndexSize(0, count, capacity());
    first = firstNumber;
    size = count;
  }

  /** Removes all edges. */
  public void clear() {
    size = 0;
  }

  @Override
  public String toString() {
    return size + " of at most " + capacity() + " edges with weights of type " + weightType;
  }
}
