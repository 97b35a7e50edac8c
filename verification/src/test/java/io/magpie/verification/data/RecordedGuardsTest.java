package io.magpie.verification.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.Recording;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.history.History;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RecordedGuardsTest {
  private static Optional<Violation> check(RecordedLog log) {
    History history = log.history();
    RecordedGuards.Result result =
        RecordedGuards.check(
            history,
            IntStream.range(0, history.size()).toArray(),
            datum -> "values[" + datum / 4 + "]",
            object -> "cells[" + object + "]");
    assertTrue(result.complete());
    return result.violation();
  }

  private static void assertNothing(RecordedLog log) {
    assertEquals(Optional.empty(), check(log));
  }

  @Test
  void oneObjectGuardsTheDatum() {
    assertNothing(
        new RecordedLog()
            .opens(0, 0)
            .writes(0, 0, 8, 10)
            .commits(0)
            .opens(1, 0)
            .opens(0, 1)
            .reads(0, 1, 8, 11)
            .writes(0, 1, 8, 12)
            .commits(1)
            .opens(0, 2)
            .reads(0, 2, 8, 13)
            .cancels(2));
  }

  @Test
  void differentObjectsDoNot() {
    Violation found =
        check(
                new RecordedLog()
                    .opens(0, 0)
                    .writes(0, 0, 8, 10)
                    .commits(5)
                    .opens(1, 0)
                    .writes(1, 0, 8, 12)
                    .commits(7))
            .orElseThrow();
    assertEquals(Violation.Kind.GUARD_MISMATCH, found.kind());
    String text = found.text().replace(System.lineSeparator(), " ");
    assertTrue(text.startsWith("values[2]: the two are made under different objects"), text);
    assertTrue(
        text.contains("item 7, attempt 1, writes values[2] through cells[1] (line 12)"), text);
    assertTrue(
        text.contains("item 5, attempt 1, writes values[2] through cells[0] (line 10)"), text);
  }

  /** Object 0 guards the datum, then 1; a transaction that has both stands in between. */
  @Test
  void aChainOfObjectsOrdersAccesses() {
    RecordedLog chain =
        new RecordedLog()
            .opens(0, 0)
            .writes(0, 0, 8, 10)
            .commits(0)
            .opens(0, 1)
            .opens(1, 0)
            .writes(1, 0, 4, 11)
            .commits(1)
            .opens(1, 1)
            .writes(1, 1, 8, 12)
            .commits(2);
    assertNothing(chain);
  }

  /** As before, but the one in between comes too early. */
  @Test
  void aChainInTheWrongOrderIsNone() {
    Optional<Violation> found =
        check(
            new RecordedLog()
                .opens(0, 0)
                .opens(1, 0)
                .writes(1, 0, 4, 11)
                .commits(1)
                .opens(0, 1)
                .writes(0, 0, 8, 10)
                .commits(0)
                .opens(1, 1)
                .writes(1, 1, 8, 12)
                .commits(2));
    assertEquals(
        Violation.Kind.GUARD_MISMATCH, found.map(Violation::kind).orElseThrow(), found::toString);
  }

  @Test
  void whatIsOpenedLaterGuardsNoEarlierRead() {
    RecordedLog log =
        new RecordedLog()
            .opens(0, 0)
            .writes(0, 0, 8, 10)
            .commits(0)
            .opens(1, 0)
            .reads(1, 0, 8, 11)
            .opens(0, 1)
            .commits(1);
    assertTrue(check(log).orElseThrow().text().contains("(line 11)"));
  }

  /** Of few accesses and of many, among which openings are looked for in different ways. */
  @Test
  void theAccessedObjectItselfMustBeOpenBefore() {
    for (int others : new int[] {0, 1, 100}) {
      assertNothing(through(others, true));
      assertTrue(check(through(others, false)).orElseThrow().text().contains("(line 11)"));
    }
  }

  private static RecordedLog through(int others, boolean isOpen) {
    RecordedLog log = new RecordedLog().opens(0, 0).writes(0, 0, 8, 10).commits(0).opens(1, 0);
    if (isOpen) {
      log.opens(0, 1);
    }
    for (int i = 0; i < others; i++) {
      log.reads(1, 0, 12 + 4 * i, 12);
    }
    log.writes(0, 1, 8, 11);
    return (isOpen ? log : log.opens(0, 1)).commits(1);
  }

  /** Of a canceled attempt nothing is written, but what it read decided. */
  @Test
  void readsOfCanceledAttemptsCount() {
    RecordedLog log =
        new RecordedLog()
            .opens(0, 0)
            .writes(0, 0, 8, 10)
            .commits(0)
            .opens(1, 0)
            .reads(1, 8, 11)
            .cancels(1);
    assertTrue(check(log).isPresent());
  }

  @Test
  void readsAloneNeedNoGuardNorDoHintsAndOtherMemory() {
    long nowhere = Recording.Data.NOWHERE;
    assertNothing(
        new RecordedLog()
            .opens(0, 0)
            .reads(0, 0, 8, 10)
            .writes(0, 0, nowhere, 11)
            .commits(0)
            .opens(1, 0)
            .reads(1, 0, 8, 10)
            .writes(1, 0, 16, 12)
            .writes(1, 0, nowhere, 13)
            .commits(1)
            .opens(2, 0)
            .peeks(1, 1, 16)
            .commits(2));
  }
}
