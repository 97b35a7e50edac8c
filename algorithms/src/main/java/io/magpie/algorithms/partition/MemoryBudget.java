package io.magpie.algorithms.partition;

import io.magpie.algorithms.partition.PartitionOptions.Coarsening;
import io.magpie.algorithms.partition.PartitionOptions.Contraction;
import io.magpie.algorithms.partition.PartitionOptions.Effort;
import io.magpie.algorithms.partition.PartitionOptions.Matching;
import io.magpie.algorithms.partition.PartitionOptions.Refinement;

/**
 * What a run may hold on its device, by the formula of {@link GraphPartitioner}: the graphs are
 * added one by one, the input first.
 */
final class MemoryBudget {
  /** For counters and sums of pieces. */
  private static final long SMALL = 1 << 18;

  private final PartitionOptions options;
  private final boolean fixed;
  private long graphs;
  private long coarsening;
  private long mostVertices;
  private long ofArcs;
  private long ofHubs;
  private int mostMembers;
  private int rows;

  /**
   * @param fixed whether vertices are
   */
  MemoryBudget(PartitionOptions options, boolean fixed) {
    this.options = options;
    this.fixed = fixed;
  }

  /**
   * A graph, and how many members were refined on it.
   *
   * @param pieces rows of sums where there are no atomic additions
   * @param hubs whether vertices have so many arcs that several warps walk over them
   */
  void add(long vertices, long arcs, int members, int pieces, boolean hubs) {
    if (graphs == 0) {
      boolean within =
          options.effort() == Effort.ULTRA || options.coarsening() == Coarsening.CLUSTERS;
      coarsening =
          (options.matching() == Matching.STM ? 36 : 32) * vertices
              + (options.contraction() == Contraction.SORT ? 44 : 12) * arcs
              + (within ? 8 : 0) * vertices;
    }
    graphs += (fixed ? 16 : 12) * vertices + 8 * arcs;
    mostVertices = Math.max(mostVertices, members * vertices);
    ofArcs = Math.max(ofArcs, members * arcs * (options.refinement().transactional() ? 16 : 8));
    ofHubs = Math.max(ofHubs, hubs ? members * arcs * 4 : 0);
    mostMembers = Math.max(mostMembers, members);
    rows = Math.max(rows, Math.max(members, pieces));
  }

  long bytes() {
    long eachVertex =
        options.refinement() == Refinement.ATOMIC
            ? 70
            : options.refinement().transactional() ? 110 : 86;
    long sums = (1100L * mostMembers + 4L * rows) * (options.parts() + 2L);
    return graphs + coarsening + eachVertex * mostVertices + ofArcs + ofHubs + sums + SMALL;
  }
}
