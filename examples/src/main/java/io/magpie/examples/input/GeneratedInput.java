package io.magpie.examples.input;

import io.magpie.algorithms.Generator;

/** An input that a generator makes; such a type adds what it makes it as. */
public interface GeneratedInput extends Input {
  /** What makes it. */
  Generator<?> generator();

  @Override
  default String description() {
    return generator().spec();
  }

  @Override
  default boolean generated() {
    return true;
  }

  @Override
  default long seed() {
    return generator().seed();
  }

  /**
   * What a generator makes.
   *
   * @throws InputException if there is no memory for it, or it cannot be made
   */
  static <T> T made(Generator<T> generator) {
    try {
      return generator.generate();
    } catch (IllegalArgumentException e) {
      throw new InputException(e.getMessage(), e);
    }
  }
}
