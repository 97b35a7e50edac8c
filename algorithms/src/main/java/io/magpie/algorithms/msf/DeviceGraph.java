package io.magpie.algorithms.msf;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.internal.driver.GraphOnDevice;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.DeviceDescription.Machine;
import java.util.Arrays;

/** A weighted graph on a device: 4 bytes for each vertex and 8 for each arc. */
final class DeviceGraph extends GraphOnDevice {
  static final String MODULE = "msf";

  /** Vertices and arcs together that one warp takes at a time. */
  private static final int PIECE = 512;

  private static final int PIECE_ON_CPU = 8192;

  private static final int LEAST_PIECE = 16;

  /** Weights that stand for all. */
  private static final int SAMPLES = 4096;

  private final int piece;
  private final int pieces;
  private final DeviceArray<int[]> weights;
  private int[] sample;

  /**
   * Copies a graph; edges of an unweighted one weigh 1.
   *
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   */
  DeviceGraph(Device device, Graph graph) {
    super(device, graph, MODULE);
    this.weights = uploadForArcs(graph.weighted() ? graph.weights() : null);
    long total = vertices() + (long) arcs();
    // Small graphs are cut into many pieces too: that keeps all cores busy.
    int most = device.machine() == Machine.CPU ? PIECE_ON_CPU : PIECE;
    this.piece = (int) Math.max(LEAST_PIECE, Math.min(most, total / 64));
    this.pieces = (int) ((total + piece - 1) / piece);
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
      int[] all = graph().weights();
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
}
