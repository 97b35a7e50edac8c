package io.magpie.examples.compare;

import java.util.Optional;

/**
 * A program without a device to compare with, such as a sequential one.
 *
 * @param name as on the command line
 * @param description what it is, in a few words
 * @param missing why it cannot be used here, with the remedy; empty if it can
 */
public record Baseline(String name, String description, Optional<String> missing) {
  /** A baseline that is always there. */
  public static Baseline of(String name, String description) {
    return new Baseline(name, description, Optional.empty());
  }

  /**
   * A program of somebody else, which is there if PATH leads to it.
   *
   * @param name the program's, and the baseline's
   * @param install what has to be installed for it
   */
  static Baseline onPath(String name, String description, String install) {
    return new Baseline(
        name,
        description,
        ExternalProgram.find(name).isPresent()
            ? Optional.empty()
            : Optional.of("there is no " + name + " on PATH; install " + install));
  }
}
