package io.magpie.examples.cli.output;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What is known of a result, for people and for programs.
 *
 * @param verified whether it was verified
 * @param mistakes what is wrong; empty if nothing is, or it was not verified
 */
public record Verdict(boolean verified, List<String> mistakes) {
  public Verdict {
    mistakes = List.copyOf(mistakes);
  }

  /** Whether something is wrong. */
  public boolean wrong() {
    return !mistakes.isEmpty();
  }

  /** Its mistakes in one line. */
  public String mistake() {
    return String.join("; ", mistakes);
  }

  /**
   * Tells people what is wrong, or what was verified; nothing if it was not.
   *
   * @param holds what is known of a result that was verified and is right
   */
  public void print(NamedLines to, Supplier<String> holds) {
    if (wrong()) {
      to.line("WRONG", "%s", mistake());
    } else if (verified) {
      to.line("verified", "%s", holds.get());
    }
  }

  /** Tells programs the same. */
  public void addTo(Map<String, Object> json) {
    json.put("verdict", !verified ? "not verified" : wrong() ? "wrong" : "verified");
    if (wrong()) {
      json.put("mistakes", mistakes);
    }
  }
}
