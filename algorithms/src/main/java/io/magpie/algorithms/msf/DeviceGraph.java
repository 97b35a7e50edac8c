package io.magpie.algorithms.msf;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.internal.driver.GraphOnDevice;
import io.magpie.algorithms.msf.MsfOptions.Objective;
import io.magpie.algorithms.resident.ResidentGraph;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.Fields;
import java.util.Arrays;

/**
 * A graph on a device, with keys of its weights: 4 bytes for each vertex and 8 for each arc.
 * Weights that are there and are keys take their place.
 */
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
  private DeviceArray<int[]> keys; // null while weights that are there are the keys
  private DeviceArray<int[]> weights; // the keys, for kernels, which write none of them
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
    this.weights = uploadOrClose(() -> keysFor(objective));
    this.piece = pieceOf(vertices() + (long) arcs());
    this.pieces = piecesOf(vertices() + (long) arcs());
  }

  /**
   * Reads a graph that is on the device, and does not close it.
   *
   * @param objective of the first forest
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   */
  DeviceGraph(ResidentGraph graph, Objective objective) {
    super(graph, MODULE);
    this.objective = objective;
    this.weights = uploadOrClose(() -> keysFor(objective));
    this.piece = pieceOf(vertices() + (long) arcs());
    this.pieces = piecesOf(vertices() + (long) arcs());
  }

  private int pieceOf(long total) {
    // Small graphs are cut into many pieces too: that keeps all cores busy.
    int most = device().machine() == Machine.CPU ? PIECE_ON_CPU : PIECE;
    return (int) Math.max(LEAST_PIECE, Math.min(most, total / 64));
  }

  private int piecesOf(long total) {
    return (int) ((total + piece - 1) / piece);
  }

  /** Makes it one for forests of an objective, which costs a copy if it was one for the other. */
  void serve(Objective other) {
    if (objective != other && weighted()) {
      objective = null; // for neither if the copy fails
      weights = upload(() -> keysFor(other));
      sample = null;
    }
    objective = other;
  }

  /** Whether keys are the weights themselves. */
  boolean keysAreWeights(Objective wanted) {
    return !weighted() || WeightKeys.areWeights(weightType(), hasNegativeWeights(), wanted);
  }

  private DeviceArray<int[]> keysFor(Objective wanted) {
    DeviceArray<?> there = weightsThere().orElse(null);
    if (there != null && keysAreWeights(wanted)) {
      return ints(there).asConst().named("weights");
    }
    if (keys == null) {
      keys = kept(memory().ints(arcs())).named("keys");
    }
    if (!weighted()) {
      keys.fill(1);
    } else if (there != null) {
      new DeviceKeys(memory(), module(), keys).make(there, weightType(), wanted);
    } else if (keysAreWeights(wanted)) {
      keys.copyFrom(graph().weights());
    } else {
      DeviceArray<?> copy = copyOfWeights();
      try {
        new DeviceKeys(memory(), module(), keys).make(copy, weightType(), wanted);
      } finally {
        memory().free(copy);
      }
    }
    return keys.asConst().named("weights");
  }

  @SuppressWarnings("unchecked") // weights of a type that is that of ints
  private static DeviceArray<int[]> ints(DeviceArray<?> weights) {
    return (DeviceArray<int[]>) weights;
  }

  private DeviceArray<?> copyOfWeights() {
    return switch (weightType()) {
      case INT -> memory().copyOf(graph().weights());
      case LONG -> memory().copyOf(graph().longWeights());
      case FLOAT -> memory().copyOf(graph().floatWeights());
      case DOUBLE -> memory().copyOf(graph().doubleWeights());
    };
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
    if (isInJava() && keysAreWeights(objective)) {
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
