package io.magpie.algorithms.partition;

import io.magpie.algorithms.internal.SeededHash;
import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.algorithms.internal.driver.Holder;
import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;

/**
 * Clusters of bounded weight on a device, by the kernels of clusters.cuh: vertices of one cluster
 * have more edges with each other than with vertices outside.
 */
final class Clustering {
  /** Rounds, each of about half of the vertices. */
  private static final int ROUNDS = 10;

  private final Launches launches;
  private final DeviceMemory memory;
  private final long seed;

  Clustering(DeviceMemory memory, Launches launches, long seed) {
    this.memory = memory;
    this.launches = launches;
    this.seed = seed;
  }

  /**
   * Clusters the vertices of a graph.
   *
   * @param fixed the part that each vertex stays in, or -1; vertices that are fixed to different
   *     parts are in different clusters; null if none is fixed
   * @param heaviest what a cluster of several vertices may weigh
   * @param level distinguishes the random choices of levels
   * @return for each vertex its cluster, named by a vertex, those of fixed ones by a part behind
   *     all vertices; the caller frees it
   */
  DeviceArray<int[]> of(DeviceGraph graph, DeviceArray<int[]> fixed, int heaviest, int level) {
    int n = graph.vertices();
    long levelSeed = SeededHash.at(~seed, level);
    try (Holder held = new Holder(memory)) {
      DeviceArray<int[]> labels = held.ints(n).named("labels");
      DeviceArray<int[]> sizes = held.ints(n).named("sizes");
      launches.run("count_up", n, new Fields().set("count", n).set("numbers", labels));
      sizes.copyFrom(graph.vertexWeights());
      for (int round = 0; round < ROUNDS; round++) {
        launches.run(
            "join_clusters",
            n,
            new Fields()
                .set("vertices", n)
                .set("bound", heaviest)
                .set("key", SeededHash.at(levelSeed, round))
                .set("offsets", graph.offsets())
                .set("neighbors", graph.neighbors())
                .set("weights", graph.weights())
                .set("vertex_weights", graph.vertexWeights())
                .set("labels", labels)
                .set("sizes", sizes));
      }
      if (fixed != null) {
        launches.run(
            "set_fixed_apart",
            n,
            new Fields().set("vertices", n).set("fixed", fixed).set("labels", labels));
      }
      held.release(labels);
      return labels;
    }
  }
}
