package io.magpie.examples.input;

import io.magpie.algorithms.nbody.Bodies;
import java.io.IOException;

/** Where bodies come from. */
public interface BodiesInput extends Input {
  /**
   * Reads the bodies, or makes them.
   *
   * @throws IOException if a file cannot be read or is malformed
   * @throws InputException if they do not fit into memory
   */
  Bodies bodies() throws IOException;
}
