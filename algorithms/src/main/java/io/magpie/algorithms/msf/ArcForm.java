package io.magpie.algorithms.msf;

import io.magpie.algorithms.internal.forest.CanonicalArcs;
import io.magpie.stm.DeviceArray;

/** A form that looks at both directions of an edge, and records whichever arc it chose. */
abstract class ArcForm implements ForestForm {
  final WorkingForest forest;
  final DeviceGraph graph;

  ArcForm(WorkingForest forest) {
    this.forest = forest;
    this.graph = forest.graph();
  }

  /** Nobody asks for it: no arc is flagged. */
  @Override
  public final DeviceArray<int[]> choices() {
    return forest.edgeOf();
  }

  @Override
  public final ArcSet canonical(ArcSet arcs) {
    return ArcSet.of(CanonicalArcs.of(graph.graph(), arcs.arcs()));
  }

  /** Ends what goes in circles. */
  static void checkRounds(int rounds) {
    if (rounds == WorkingForest.MAX_ROUNDS) {
      throw new IllegalStateException("no end after " + rounds + " rounds");
    }
  }
}
