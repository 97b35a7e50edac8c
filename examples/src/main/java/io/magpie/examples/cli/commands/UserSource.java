package io.magpie.examples.cli.commands;

import io.magpie.examples.input.InputException;
import io.magpie.stm.CompilationException;

/** Sources that come from the user: what is wrong with them is wrong input. */
final class UserSource {
  private UserSource() {}

  /**
   * The failure to end with when a user's source was not compiled.
   *
   * @return an {@link InputException} if a compiler found errors in it; {@code failure} if there is
   *     no compiler, or it did not get so far
   */
  static RuntimeException rejected(CompilationException failure) {
    return failure.errors().isEmpty() ? failure : new InputException(failure.getMessage(), failure);
  }
}
