package io.magpie.algorithms.graph;

import java.util.Map;

/** Ends of edges as a function of the edge's number that a kernel can compute, too. */
interface NumberedEnds extends ReplayedEdges.Source {
  /** What the function depends on, by the names in the module {@code edges}. */
  Map<String, Number> constants();
}
