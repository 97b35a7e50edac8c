package io.magpie.examples.input;

import io.magpie.algorithms.nbody.Bodies;
import io.magpie.algorithms.nbody.BodyGenerator;

/**
 * Generated bodies.
 *
 * @param generator what makes them
 */
public record GeneratedBodies(BodyGenerator generator) implements BodiesInput, GeneratedInput {
  /**
   * The bodies of a specification, such as {@code plummer:30k}.
   *
   * @throws IllegalArgumentException if it is malformed
   */
  public static GeneratedBodies of(String spec) {
    return new GeneratedBodies(BodyGenerator.parse(spec));
  }

  @Override
  public Bodies bodies() {
    return GeneratedInput.made(generator);
  }
}
