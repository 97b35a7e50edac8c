package io.magpie.algorithms.msf;

import io.magpie.stm.DeviceArray;

/** One of the ways to grow a forest, {@link MsfOptions.Traversal}. */
interface ForestForm {
  /** Unites components until no edge leaves one; gives the number of rounds. */
  int solve();

  /**
   * After that: for each vertex the arc that a flagged entry of {@link WorkingForest#edgeOf()}
   * stands for if it names this vertex.
   */
  DeviceArray<int[]> choices();

  /**
   * Replaces the chosen arcs by the canonical arcs of their edges.
   *
   * @return the same if they are
   */
  ArcSet canonical(ArcSet arcs);
}
