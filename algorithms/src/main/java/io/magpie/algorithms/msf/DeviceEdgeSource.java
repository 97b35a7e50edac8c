package io.magpie.algorithms.msf;

import io.magpie.stm.Device;

/**
 * Edges that a device can compute itself, so that none are copied there. {@link StreamedForest}
 * asks for chunks by {@link #fill} then and never by {@link #next}, which serves what works without
 * a device, such as {@link StreamVerifier}; one stream of chunks comes by one of the two alone.
 *
 * <pre>{@code
 * final class Ring implements DeviceEdgeSource {
 *   public void fill(DeviceEdgeChunk chunk) {
 *     int count = (int) Math.min(chunk.capacity(), vertices() - next);
 *     try (KernelModule ring = chunk.device().load("ring")) {
 *       ring.kernel("ring_edges").launch(count, new Fields()
 *           .set("count", count).set("first", next).set("sources", chunk.sources())
 *           .set("targets", chunk.targets()).set("weights", chunk.weights()));
 *     }
 *     chunk.setConsecutive(next, count);
 *     next += count;
 *   }
 *   ...
 * }
 * }</pre>
 */
public interface DeviceEdgeSource extends EdgeSource {
  /**
   * Loads what {@link #fill} needs on a device, such as a module. Called before the first call of
   * that, once for each device where there are several; reports do not count its time, as what is
   * loaded stays with the device.
   *
   * @param device where chunks will be
   */
  default void prepare(Device device) {}

  /**
   * Gives the next edges by work on the chunk's device, which need not be done when this returns,
   * and is another from call to call where there are several. Edges that are wrong are refused by
   * their number, as those of {@link #next} are.
   *
   * @param chunk receives them; empty when it comes, and empty afterwards only if there are no more
   */
  void fill(DeviceEdgeChunk chunk);
}
