package io.magpie.examples.input;

import io.magpie.algorithms.pointsto.ConstraintGenerator;
import io.magpie.algorithms.pointsto.ConstraintSet;

/**
 * Generated constraints, which are those of no program.
 *
 * @param generator what makes them
 */
public record GeneratedConstraints(ConstraintGenerator generator)
    implements ConstraintInput, GeneratedInput {
  @Override
  public GeneratedConstraints withSeed(long seed) {
    return new GeneratedConstraints(generator.withSeed(seed));
  }

  @Override
  public ConstraintSet constraints() {
    return GeneratedInput.made(generator);
  }
}
