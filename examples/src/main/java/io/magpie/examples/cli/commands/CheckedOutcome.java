package io.magpie.examples.cli.commands;

import io.magpie.examples.cli.output.NamedLines;
import io.magpie.examples.cli.output.Verdict;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** A result that may have been verified, and what is said of that. */
interface CheckedOutcome extends Outcome {
  /** Whether it was verified. */
  boolean verified();

  /** What is wrong; empty if nothing is, or it was not verified. */
  List<String> mistakes();

  private Verdict verdict() {
    return new Verdict(verified(), mistakes());
  }

  @Override
  default boolean wrong() {
    return verdict().wrong();
  }

  /** Its mistakes in one line. */
  default String mistake() {
    return verdict().mistake();
  }

  /**
   * Tells people what is wrong, or what was verified; nothing if it was not.
   *
   * @param holds what is known of a result that was verified and is right
   */
  default void printVerdict(NamedLines to, Supplier<String> holds) {
    verdict().print(to, holds);
  }

  /** Tells programs the same. */
  default void addVerdict(Map<String, Object> json) {
    verdict().addTo(json);
  }
}
