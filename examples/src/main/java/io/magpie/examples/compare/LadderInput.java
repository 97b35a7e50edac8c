package io.magpie.examples.compare;

import io.magpie.examples.input.Input;
import java.util.Objects;
import java.util.function.DoubleFunction;

/**
 * An input that a ladder is run on.
 *
 * @param name as the published table has it; of what only looks like that input, with {@code -like}
 * @param atFraction the input at a fraction of the published size, which is more than 0, and 1 at
 *     most; an {@link IllegalArgumentException} says that there is none of that size
 */
public record LadderInput(String name, DoubleFunction<? extends Input> atFraction) {
  /**
   * Checks the name.
   *
   * @throws IllegalArgumentException if it is blank
   */
  public LadderInput {
    if (name.isBlank()) {
      throw new IllegalArgumentException("an input of a ladder has a blank name");
    }
    Objects.requireNonNull(atFraction, "atFraction");
  }
}
