package io.magpie.examples.input;

import io.magpie.algorithms.pointsto.ConstraintSet;
import java.io.IOException;

/** Where constraints of a points-to analysis come from. */
public interface ConstraintInput extends Input {
  /**
   * Reads or generates the constraints.
   *
   * @throws IOException if a file cannot be read or is malformed
   */
  ConstraintSet constraints() throws IOException;

  /**
   * The same input, drawn with a seed. Unless a kind of input draws something, there is none.
   *
   * @throws IllegalArgumentException if it cannot have one; the message is for users
   */
  default ConstraintInput withSeed(long seed) {
    throw new IllegalArgumentException("--seed has no effect on " + description());
  }
}
