package io.magpie.examples.cli.commands;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** A result that may have been verified, and what is said of that. */
interface CheckedOutcome extends Outcome {
  /** Whether it was verified. */
  boolean verified();

  /** What is wrong; empty if nothing is, or it was not verified. */
  List<String> mistakes();

  @Override
  default boolean wrong() {
    return !mistakes().isEmpty();
  }

  /** Its mistakes in one line. */
  default String mistake() {
    return String.join("; ", mistakes());
  }

  /**
   * Tells people what is wrong, or what was verified; nothing if it was not.
   *
   * @param holds what is known of a result that was verified and is right
   */
  default void printVerdict(NamedLines to, Supplier<String> holds) {
    if (wrong()) {
      to.line("WRONG", "%s", mistake());
    } else if (verified()) {
      to.line("verified", "%s", holds.get());
    }
  }

  /** Tells programs the same. */
  default void addVerdict(Map<String, Object> json) {
    json.put("verdict", !verified() ? "not verified" : wrong() ? "wrong" : "verified");
    if (wrong()) {
      json.put("mistakes", mistakes());
    }
  }
}
