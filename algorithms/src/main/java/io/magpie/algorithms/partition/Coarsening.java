package io.magpie.algorithms.partition;

import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.algorithms.internal.driver.Holder;
import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.algorithms.internal.driver.Resources;
import io.magpie.algorithms.internal.driver.Scratch;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.KernelModule;
import io.magpie.stm.Timer;
import io.magpie.stm.parallel.Primitives;
import java.util.Objects;

/**
 * Makes coarser graphs on a device: vertices are matched in pairs, and each pair becomes one
 * vertex. Working arrays are kept from level to level. Not for use by several threads at once.
 *
 * <p>With {@link PartitionOptions.Matching#PROPOSALS} the graphs are the same, up to the order of
 * arcs in a vertex's list, on every device and in every run.
 *
 * <p>Bytes of the working arrays for a graph of n vertices and m arcs: at most 32 n + 12 m, with
 * {@link PartitionOptions.Contraction#SORT} 32 n + 20 m, and what primitives take; 4 n more with
 * {@link PartitionOptions.Matching#STM}.
 */
final class Coarsening implements AutoCloseable {
  /** The module of all kernels of the partitioner. */
  static final String MODULE = "partition";

  /** A level must have at most this share of the vertices of the one before. */
  private static final double MOST_LEFT = 0.95;

  private final DeviceMemory memory;
  private final PartitionOptions options;
  private final Launches launches;
  private final Scratch scratch;
  private final VertexMatching matching;
  private final RowContraction contraction;

  /**
   * A coarser graph.
   *
   * @param graph the graph; the caller closes it
   * @param map the coarse vertex of each fine vertex; the caller closes it
   * @param counts how the fine vertices were matched
   * @param millis what it took on the device; NaN without {@link PartitionOptions#phaseTimes()}
   */
  record Coarser(DeviceGraph graph, DeviceArray<int[]> map, MatchCounts counts, double millis) {}

  /**
   * Nothing is allocated yet.
   *
   * @param memory where the graphs lie
   * @param module the module {@value #MODULE} on its device
   * @param primitives those of the device
   * @param options how
   */
  Coarsening(
      DeviceMemory memory, KernelModule module, Primitives primitives, PartitionOptions options) {
    this.memory = Objects.requireNonNull(memory, "memory");
    this.options = Objects.requireNonNull(options, "options");
    this.launches = new Launches(module, options.phaseTimes(), options.stm());
    this.scratch = new Scratch(memory);
    this.matching = new VertexMatching(launches, primitives, scratch, options);
    this.contraction = new RowContraction(launches, primitives, scratch, options.contraction());
  }

  /**
   * One level.
   *
   * @param fine the graph
   * @param maxVertexWeight the most that two vertices that are matched weigh together
   * @param salt distinguishes the random choices of this call from those of others
   * @return null if the graph would shrink by less than 5 %
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   * @throws io.magpie.stm.UnfinishedItemsException if transactions did not finish
   */
  Coarser coarsen(DeviceGraph fine, int maxVertexWeight, int salt) {
    return coarsen(fine, maxVertexWeight, salt, null, 1);
  }

  /**
   * One level, of which every vertex has fine vertices of one part only.
   *
   * @param parts the part of each vertex, 0 to {@code numbers - 1}, or -1 for one that may be with
   *     those of any one part; null for no such bound
   * @see #coarsen(DeviceGraph, int, int)
   */
  Coarser coarsen(
      DeviceGraph fine, int maxVertexWeight, int salt, DeviceArray<int[]> parts, int numbers) {
    int vertices = fine.vertices();
    if (vertices == 0) {
      return null;
    }
    Timer timer = options.phaseTimes() ? memory.device().startTimer() : null;
    try (Holder held = new Holder(memory)) {
      DeviceArray<int[]> match = scratch.ints("match", vertices);
      MatchCounts counts = matching.match(fine, maxVertexWeight, salt, parts, numbers, match);
      int coarse = vertices - (vertices - counts.alone()) / 2;
      if (coarse > MOST_LEFT * vertices) {
        return null;
      }
      DeviceArray<int[]> map = held.ints(vertices).named("map");
      DeviceArray<int[]> members = scratch.ints("members", coarse);
      contraction.map(vertices, match, map, members);
      DeviceGraph graph = contraction.contract(fine, match, map, members, coarse);
      held.release(map);
      return new Coarser(graph, map, counts, timer == null ? Double.NaN : timer.millis());
    } finally {
      if (timer != null) {
        timer.close();
      }
    }
  }

  /** What its kernels did so far. */
  Launches launches() {
    return launches;
  }

  /** Frees the working arrays. */
  @Override
  public void close() {
    Resources.close(scratch, matching);
  }
}
