package io.magpie.algorithms.graph;

/** What to do about arcs whose other direction may be missing. */
public enum Symmetry {
  /**
   * Add what is missing. For each pair of vertices and each weight the result has as many edges as
   * the more frequent direction had arcs: an arc and its reverse of equal weight are one edge; an
   * arc without its reverse becomes an edge of its own weight. So arcs of different weights in the
   * two directions become two parallel edges: nothing that was given is lost, and an algorithm that
   * wants the lighter one finds it. Data that is symmetric already is kept as it is, in its order.
   */
  SYMMETRIZE,

  /** Refuse data in which some arc lacks its other direction, naming the first one. */
  REQUIRE,
}
