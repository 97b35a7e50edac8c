package io.magpie.verification.explore;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class VacuityTest {
  private static Optional<String> told(Tally ended) {
    return Vacuity.of(ended).map(Violation::text);
  }

  @Test
  void cancelsAreNotLaidToInnerTransactionsWithoutReason() {
    assertEquals(
        Optional.of(
            String.format(
                "nothing committed, so nothing was verified: 1,200 items were canceled%n"
                    + "remedy: give it arguments with which items commit; if they should with these,"
                    + " look at why the region cancels")),
        told(new Tally(0, 1_200, 0, 0)));
  }

  @Test
  void commitsThatInnerTransactionsMadeCancelsAreTold() {
    Tally run = new Tally(0, 4, 0, 0, 3);
    assertEquals(new Tally(0, 8, 0, 0, 6), run.plus(run));
    assertEquals(
        Optional.of(
            String.format(
                "nothing committed, so nothing was verified: 4 items were canceled, 3 of them"
                    + " although the body returned commit: an inner transaction had canceled"
                    + " before%n"
                    + "remedy: an inner transaction that cancels rolls back the one around it, too; to"
                    + " go on without it, use tx.or_else with an alternative that commits")),
        told(run));
  }

  @Test
  void whatCommittedWithAccessesIsNotVacuous() {
    assertEquals(Optional.empty(), told(new Tally(1, 3, 0, 2, 3)));
  }
}
