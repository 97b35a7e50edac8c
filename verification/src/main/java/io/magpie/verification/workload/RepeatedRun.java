package io.magpie.verification.workload;

import io.magpie.verification.explore.Violation;
import java.util.Optional;

/** A run whose attempts are each first made once and rolled back, in words. */
final class RepeatedRun {
  /** How it differs from the run itself. */
  static final String HOW = ", each attempt first made once and rolled back";

  private static final String REMEDY = String.format("%nremedy: ");

  private RepeatedRun() {}

  /**
   * A fault that the run itself does not have, by what may have led to it.
   *
   * @param left the read of what an attempt left that was undone, if there is one
   */
  static Violation faulted(Violation fault, Optional<Violation> left) {
    return left.map(
            each ->
                new Violation(
                    each.kind(),
                    String.format(
                        "%s%nthe run ends by a fault, as it does not otherwise: %s%sbegin every"
                            + " attempt by setting what it uses, and remember nothing of one that"
                            + " was undone, such as a slot that it took",
                        withoutRemedy(each), withoutRemedy(fault), REMEDY)))
        .orElse(fault);
  }

  private static String withoutRemedy(Violation found) {
    int end = found.text().indexOf(REMEDY);
    return end < 0 ? found.text() : found.text().substring(0, end);
  }
}
