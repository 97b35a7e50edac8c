package io.magpie.examples.input;

import io.magpie.algorithms.msf.EdgeSource;
import java.io.IOException;

/** Edges that come one by one, without a graph in memory. */
public interface EdgeStream extends Input {
  /** Edges that can be taken any number of times. */
  @FunctionalInterface
  interface Passes {
    /** The edges, from the first on. */
    EdgeSource begin();
  }

  /**
   * Looks at the edges; a text is read for that.
   *
   * @param weighted whether they must have weights; else weights are left out where that is a
   *     choice
   * @throws IOException if a file cannot be read or is malformed
   * @throws InputException if they have no weights
   */
  Passes open(boolean weighted) throws IOException;

  /**
   * The same edges, adjusted.
   *
   * @throws IllegalArgumentException if they cannot be adjusted so; the message is for users
   */
  EdgeStream adjusted(GraphAdjustments adjustments);
}
