package io.magpie.algorithms.components;

import io.magpie.algorithms.components.ComponentsOptions.Form;
import java.util.BitSet;

/**
 * One of the ways to unite the trees of a graph. Its constructor makes its working arrays, as long
 * as they are at most, or need to be as a rule: they are in no form's time.
 */
interface ComponentsForm {
  /** The form that the trees' options ask for. */
  static ComponentsForm of(Trees trees) {
    return trees.options().form() == Form.ATOMIC_FREE
        ? new AtomicFreeForm(trees)
        : new SampledForm(trees);
  }

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
