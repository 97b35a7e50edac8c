package io.magpie.algorithms.components;

import java.util.BitSet;

/** One of the ways to unite the trees of a graph. */
interface ComponentsForm {
  /**
   * Unites trees until each component is one, and points every vertex to its root; gives the number
   * of rounds.
   */
  int solve();

  /**
   * After that: the arcs of the edges over which roots were hooked.
   *
   * @param edges the edges, by the numbers that the form's kernels gave them
   * @return an arc of each, of either direction, ascending
   */
  int[] arcs(BitSet edges);
}
