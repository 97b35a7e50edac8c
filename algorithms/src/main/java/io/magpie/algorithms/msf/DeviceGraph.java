package io.magpie.algorithms.msf;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.algorithms.internal.driver.Resources;
import io.magpie.algorithms.internal.driver.Scratch;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.KernelModule;
import io.magpie.stm.StmObjects;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A graph on a device, with what outlives a computation on it: the module and the working arrays.
 *
 * <p>It owns all of them. Bytes of the graph: 4 for each vertex and 8 for each arc.
 */
final class DeviceGraph implements AutoCloseable {
  static final String MODULE = "msf";

  /** Vertices and arcs together that one warp takes at a time. */
  private static final int PIECE = 512;

  private static final int PIECE_ON_CPU = 8192;

  private static final int LEAST_PIECE = 16;

  /** Weights that stand for all. */
  private static final int SAMPLES = 4096;

  private final Graph graph;
  private final DeviceMemory memory;
  private final KernelModule module;
  private final Scratch scratch;
  private final int piece;
  private final int pieces;
  private final DeviceArray<int[]> offsets;
  private final DeviceArray<int[]> neighbors;
  private final DeviceArray<int[]> weights;
  private final List<AutoCloseable> made = new ArrayList<>();
  private final double uploadMillis;
  private StmObjects objects;
  private int[] sample;

  /**
   * Copies a graph; edges of an unweighted one weigh 1.
   *
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   */
  DeviceGraph(Device device, Graph graph) {
    this.graph = graph;
    this.memory = new DeviceMemory(device);
    int arcs = Math.toIntExact(graph.arcs());
    long total = graph.vertices() + (long) arcs;
    // Small graphs in many pieces all the same: it keeps the cores busy.
    int most = device.machine() == Machine.CPU ? PIECE_ON_CPU : PIECE;
    this.piece = (int) Math.max(LEAST_PIECE, Math.min(most, total / 64));
    this.pieces = (int) ((total + piece - 1) / piece);
    this.module = device.load(MODULE);
    made.add(module);
    this.scratch = new Scratch(memory);
    made.add(scratch);
    long begin = System.nanoTime();
    try {
      this.offsets = kept(memory.copyOf(graph.offsets()));
      this.neighbors = kept(memory.copyOf(graph.neighbors()));
      if (graph.weighted()) {
        this.weights = kept(memory.copyOf(graph.weights()));
      } else {
        this.weights = kept(memory.ints(arcs));
        weights.fill(1);
      }
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

  /** The weight of each arc. */
  DeviceArray<int[]> weights() {
    return weights;
  }

  /**
   * The weight that about this share of the arcs of a weighted graph has at most, by a sample that
   * the first call takes.
   *
   * @param share 0 to 1
   */
  int weightOfShare(double share) {
    if (sample == null) {
      int[] all = graph.weights();
      sample = new int[Math.min(SAMPLES, all.length)];
      long state = 0x9e3779b97f4a7c15L;
      for (int i = 0; i < sample.length; i++) {
        state = state * 6364136223846793005L + 1442695040888963407L;
        sample[i] = all[(int) Math.floorMod(state >>> 16, (long) all.length)];
      }
      Arrays.sort(sample);
    }
    return sample[(int) Math.min(sample.length - 1L, (long) (share * sample.length))];
  }

  /** Vertices and arcs in a piece; see {@code pieces} of forest.cuh. */
  int piece() {
    return piece;
  }

  /** How many pieces there are; 0 for a graph without vertices. */
  int pieces() {
    return pieces;
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
