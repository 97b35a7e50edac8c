package io.magpie.algorithms.graph;

import java.io.IOException;

/** The edges of a binary file, which are read from where they are. For one pass. */
interface EdgeLayout {
  int vertices();

  /** The most edges that there can be. */
  long edges();

  /** The type of the weights as they are taken; null if there are none. */
  WeightType weightType();

  /** Whether numbers of edges follow each other. */
  boolean consecutive();

  /** As {@link EdgePass#next}. */
  int next(int[] sources, int[] targets, Object weights, long[] numbers) throws IOException;
}
