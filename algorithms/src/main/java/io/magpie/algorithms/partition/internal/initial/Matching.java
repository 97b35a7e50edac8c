package io.magpie.algorithms.partition.internal.initial;

import java.util.Arrays;

/**
 * Groups of one or two vertices for coarsening: each vertex, in random order, takes the free
 * neighbor of the best rating; where many are left over, those that are heaviest joined to the same
 * vertex are paired with each other (two-hop matching), so that stars do not stall it.
 */
final class Matching {
  /** Above this share of vertices left alone, two-hop pairs are made. */
  private static final double MOST_ALONE = 0.1;

  /** How the neighbors of a vertex are rated. */
  enum Rating {
    /** By the edge's weight. */
    HEAVY_EDGE,
    /**
     * By the edge's weight over the product of the vertices' weights, which keeps weights even
     * (Holtgrewe, Sanders, Schulz: Engineering a scalable high quality graph partitioner, 2010).
     */
    EVEN
  }

  private final SmallGraph graph;
  private final int[] part;
  private final long heaviest;
  private final int[] mate;

  private Matching(SmallGraph graph, int[] part, long heaviest) {
    this.graph = graph;
    this.part = part;
    this.heaviest = heaviest;
    this.mate = new int[graph.vertices];
    Arrays.fill(mate, -1);
  }

  /**
   * Groups the vertices; those that are fixed to different parts stay apart.
   *
   * @param part vertices of different parts stay apart; null if all may join
   * @param heaviest the most that a pair may weigh
   * @param group receives for each vertex its group
   * @return the number of groups
   */
  static int of(
      SmallGraph graph, int[] part, long heaviest, Rating rating, Draws draws, int[] group) {
    Matching matching = new Matching(graph, part, heaviest);
    int[] order = draws.permutation(graph.vertices);
    int pairs = matching.matchNeighbors(order, rating);
    if (graph.vertices - 2 * pairs > MOST_ALONE * graph.vertices) {
      matching.matchTwoHops(order);
    }
    int groups = 0;
    for (int v = 0; v < graph.vertices; v++) {
      int other = matching.mate[v];
      group[v] = other >= 0 && other < v ? group[other] : groups++;
    }
    return groups;
  }

  private boolean mayJoin(int u, int v) {
    return (part == null || part[u] == part[v])
        && (!graph.isFixed(u) || !graph.isFixed(v) || graph.fixed[u] == graph.fixed[v])
        && (long) graph.vertexWeights[u] + graph.vertexWeights[v] <= heaviest;
  }

  private void join(int u, int v) {
    mate[u] = v;
    mate[v] = u;
  }

  /** Returns the number of pairs. */
  private int matchNeighbors(int[] order, Rating rating) {
    int pairs = 0;
    for (int v : order) {
      if (mate[v] >= 0) {
        continue;
      }
      int best = -1;
      double bestRating = -1;
      for (int a = graph.offsets[v]; a < graph.offsets[v + 1]; a++) {
        int u = graph.neighbors[a];
        if (mate[u] >= 0 || !mayJoin(u, v)) {
          continue;
        }
        double rated = graph.weights[a];
        if (rating == Rating.EVEN) {
          rated /= Math.max(1, graph.vertexWeights[u]);
        }
        if (rated > bestRating) {
          best = u;
          bestRating = rated;
        }
      }
      if (best >= 0) {
        join(v, best);
        pairs++;
      }
    }
    return pairs;
  }

  private void matchTwoHops(int[] order) {
    // The last entry is for vertices without neighbors.
    int[] waiting = new int[graph.vertices + 1];
    Arrays.fill(waiting, -1);
    for (int v : order) {
      if (mate[v] >= 0) {
        continue;
      }
      int middle = graph.vertices;
      int heaviestArc = -1;
      for (int a = graph.offsets[v]; a < graph.offsets[v + 1]; a++) {
        if (graph.weights[a] > heaviestArc) {
          heaviestArc = graph.weights[a];
          middle = graph.neighbors[a];
        }
      }
      int other = waiting[middle];
      if (other >= 0 && mayJoin(other, v)) {
        join(v, other);
        waiting[middle] = -1;
      } else {
        waiting[middle] = v;
      }
    }
  }
}
