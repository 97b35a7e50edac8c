package io.magpie.algorithms.graph;

/**
 * A weight as a function of an edge's end points; must be symmetric and safe to call in parallel.
 */
@FunctionalInterface
interface EdgeWeight {
  /** The weight of the edges between {@code u} and {@code v}, 0 or more. */
  int of(int u, int v);
}
