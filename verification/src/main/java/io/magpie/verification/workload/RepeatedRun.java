package io.magpie.verification.workload;

import io.magpie.stm.Recording.Format;
import io.magpie.stm.simulator.AccessTrace;
import io.magpie.verification.explore.Violation;
import java.util.Optional;

/** A run whose attempts are each first made, once or several times, and rolled back, in words. */
final class RepeatedRun {

  private static final String REMEDY = String.format("%nremedy: ");

  private RepeatedRun() {}

  /**
   * What such a run did wrong: the run itself need not.
   *
   * @param times how often each item was first rolled back
   */
  static Violation told(Violation found, AccessTrace repeated, int times) {
    return told(found, isInTurn(repeated), times);
  }

  /**
   * The same.
   *
   * @param inTurn whether its items ran one after the other
   */
  static Violation told(Violation found, boolean inTurn, int times) {
    return new Violation(
        found.kind(),
        String.format(
            "the same items%s, each attempt first made %s and rolled back: %s",
            inTurn ? " one after the other" : "", times(times), found.text()));
  }

  /** How often, in words. */
  static String times(int times) {
    return times == 1 ? "once" : times + " times";
  }

  /** Whether no item began before the one before it had committed or canceled. */
  static boolean isInTurn(AccessTrace run) {
    long item = -1; // none
    for (int i = 0; i < run.size(); i++) {
      if (run.kind(i) == AccessTrace.Kind.BEGIN) {
        if (item >= 0 && run.item(i) != item) {
          return false;
        }
        item = run.item(i);
      } else if (run.kind(i) == AccessTrace.Kind.END
          && (run.value(i) == Format.COMMIT || run.value(i) == Format.CANCEL)) {
        item = -1;
      }
    }
    return true;
  }

  /**
   * A fault that the run itself does not have, by what may have led to it.
   *
   * @param left the read on which it depends of what an attempt left that was undone, if there is
   *     one
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
