package io.magpie.algorithms.msf;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.internal.driver.GraphOnDevice;
import io.magpie.algorithms.msf.MsfOptions.Objective;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.Fields;
import java.util.Arrays;

/** A graph on a device, with keys of its weights: 4 bytes for each vertex and 8 for each arc. */
final class DeviceGraph extends GraphOnDevice {
  static final String MODULE = "msf";

  /** Vertices and arcs together that one warp takes at a time. */
  private static final int PIECE = 512;

  private static final int PIECE_ON_CPU = 8192;

  private static final int LEAST_PIECE = 16;

  /** Keys that stand for all. */
  private static final int SAMPLES = 4096;

  private final int piece;
  private final int pieces;
  private final DeviceArray<int[]> keys;
  private final DeviceArray<int[]> weights; // a view of the keys, for kernels
  private Objective objective;
  private int[] sample;

  /**
   * Copies a graph; edges of an unweighted one weigh 1.
   *
   * @param objective of the first forest
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   */
  DeviceGraph(Device device, Graph graph, Objective objective) {
    super(device, graph, MODULE);
    this.objective = objective;
    this.keys = uploadOrClose(() -> kept(memory().ints(arcs())).named("keys"));
    this.weights = keys.asConst().named("weights");
    uploadOrClose(
        () -> {
          makeKeys(objective);
          return keys;
        });
    long total = vertices() + (long) arcs();
    // Small graphs are cut into many pieces too: that keeps all cores busy.
    int most = device.machine() == Machine.CPU ? PIECE_ON_CPU : PIECE;
    this.piece = (int) Math.max(LEAST_PIECE, Math.min(most, total / 64));
    this.pieces = (int) ((total + piece - 1) / piece);
  }

  /** Makes it one for forests of an objective, which costs a copy if it was one for the other. */
  void serve(Objective other) {
    if (objective != other && graph().weighted()) {
      objective = null; // for neither if the copy fails
      upload(
          () -> {
            makeKeys(other);
            return keys;
          });
      sample = null;
    }
    objective = other;
  }

  private void makeKeys(Objective wanted) {
    if (!graph().weighted()) {
      keys.fill(1);
    } else if (WeightKeys.areWeights(graph(), wanted)) {
      keys.copyFrom(graph().weights());
    } else {
      new DeviceKeys(memory(), module(), graph(), keys).make(wanted);
    }
  }

  /** The {@linkplain WeightKeys key} of each arc's weight. */
  DeviceArray<int[]> weights() {
    return weights;
  }

  /**
   * The key that about this share of the arcs of a weighted graph has at most, by a sample that the
   * first call takes.
   *
   * @param share 0 to 1
   */
  int keyOfShare(double share) {
    if (sample == null) {
      sample = keysAt(sampledArcs());
      Arrays.sort(sample);
    }
    return sample[(int) Math.min(sample.length - 1L, (long) (share * sample.length))];
  }

  private int[] sampledArcs() {
    int[] sampled = new int[Math.min(SAMPLES, arcs())];
    long state = 0x9e3779b97f4a7c15L;
    for (int i = 0; i < sampled.length; i++) {
      state = state * 6364136223846793005L + 1442695040888963407L;
      sampled[i] = (int) Math.floorMod(state >>> 16, (long) arcs());
    }
    return sampled;
  }

  /** Keys of some arcs, from Java's memory if they are there. */
  private int[] keysAt(int[] sampled) {
    if (WeightKeys.areWeights(graph(), objective)) {
      int[] all = graph().weights();
      return Arrays.stream(sampled).map(arc -> all[arc]).toArray();
    }
    DeviceArray<int[]> order = scratch().ints("order", sampled.length);
    DeviceArray<int[]> found = scratch().ints("keys", sampled.length);
    order.copyFrom(sampled);
    module()
        .kernel("gather_keys")
        .launch(
            sampled.length,
            new Fields()
                .set("arcs", sampled.length)
                .set("order", order)
                .set("in", weights)
                .set("keys", found));
    return found.toArray();
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
