package io.magpie.verification.explore;

import io.magpie.verification.explore.Violation.Kind;
import java.util.Locale;
import java.util.Optional;

/**
 * Why runs show nothing, or less than they seem to: in each way there are right regions and wrong
 * ones, and what they did does not tell which.
 *
 * <p>{@link #of} is without any verdict: nothing was there to be verified. The others only leave
 * something open: regions that do nothing but read, and whose items have nothing to do with each
 * other, may be right as they are.
 */
public final class Vacuity {
  /** Of recorded runs: what is written past transactions shows in no history. */
  public static final Violation NOTHING_WRITTEN_THROUGH_TX =
      violation(
          "nothing was written through tx, so no order of items could be wrong",
          "give it arguments with which items write; if they should with these, write by tx.write or"
              + " tx.set, or by tx.store in apply");

  /** Of runs all of whose accesses are seen. */
  public static final Violation NOTHING_WRITTEN =
      violation(
          "no item that committed wrote, pushed, took or freed anything, so no order of items could"
              + " be wrong",
          "give it arguments with which items write; if they should with these, write by tx.write or"
              + " tx.set, or by tx.store in apply");

  /** Of recorded runs. */
  public static final Violation NONE_SHARED_AN_OBJECT =
      violation(
          "no two items used the same object, so they could not conflict",
          "use more items, or arguments that make them conflict");

  /** Of runs all of whose accesses are seen. */
  public static final Violation NONE_MET =
      violation(
          "no two items used the same object, or a datum that one of them wrote, so no order could be"
              + " wrong",
          "use more items, or arguments that make them conflict");

  private Vacuity() {}

  /**
   * Why nothing was verified; empty if something was.
   *
   * @param ended how the items of all runs ended, in none of which something else was wrong
   */
  public static Optional<Violation> of(Tally ended) {
    if (ended.commits() == 0) {
      String canceled =
          String.format(
              Locale.ROOT,
              "nothing committed, so nothing was verified: %,d items were canceled",
              ended.cancels());
      return Optional.of(
          ended.givenUp() == 0
              ? violation(
                  canceled,
                  "give it arguments with which items commit; if they should with these, look at why"
                      + " the region cancels")
              : violation(
                  String.format(
                      Locale.ROOT,
                      "%s, %,d of them although the body returned commit: an inner transaction had"
                          + " canceled before",
                      canceled,
                      ended.givenUp()),
                  "an inner transaction that cancels rolls back the one around it, too; to go on"
                      + " without it, use tx.or_else with an alternative that commits"));
    }
    if (ended.accesses() > 0) {
      return Optional.empty();
    }
    return Optional.of(
        violation(
            String.format(
                Locale.ROOT,
                "%,d transactions committed, but read and wrote nothing through tx, so nothing was"
                    + " verified",
                ended.commits()),
            "give it arguments with which items do something, and let them use what they share by"
                + " tx.read and tx.write, or tx.get and tx.set"));
  }

  private static Violation violation(String why, String remedy) {
    return new Violation(Kind.VACUOUS_RUN, String.format("%s%nremedy: %s", why, remedy));
  }
}
