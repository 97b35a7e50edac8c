package io.magpie.algorithms.partition;

import io.magpie.algorithms.internal.SeededHash;
import io.magpie.stm.DeviceArray;

/**
 * Clusters of bounded weight on a device, by the kernels of clusters.cuh: vertices of one cluster
 * have more edges with each other than with those beside.
 */
final class Clustering {
  /** Rounds, each of about half of the vertices. */
  private static final int ROUNDS = 10;

  private final Phases phases;
  private final DeviceMemory memory;
  private final long seed;

  Clustering(DeviceMemory memory, Phases phases, long seed) {
    this.memory = memory;
    this.phases = phases;
    this.seed = seed;
  }

  /**
   * Clusters the vertices of a graph.
   *
   * @param heaviest what a cluster of several vertices may weigh
   * @param level distinguishes the random choices of levels
   * @return for each vertex its cluster, named by a vertex; the caller frees it
   */
  DeviceArray<int[]> of(DeviceGraph graph, int heaviest, int level) {
    int n = graph.vertices();
    long levelSeed = SeededHash.at(~seed, level);
    try (Holder held = new Holder(memory)) {
      DeviceArray<int[]> labels = held.ints(n);
      DeviceArray<int[]> sizes = held.ints(n);
      phases.run("count_up", n, n, labels);
      sizes.copyFrom(graph.vertexWeights());
      for (int round = 0; round < ROUNDS; round++) {
        phases.run(
            "join_clusters",
            n,
            n,
            heaviest,
            SeededHash.at(levelSeed, round),
            graph.offsets(),
            graph.neighbors(),
            graph.weights(),
            graph.vertexWeights(),
            labels,
            sizes);
      }
      held.release(labels);
      return labels;
    }
  }
}
