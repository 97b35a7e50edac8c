package io.magpie.verification.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.verification.history.History;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RecordedOrderTest {
  private static Optional<int[]> order(RecordedLog log, boolean latestFirst) {
    History history = log.history();
    return RecordedOrder.of(history, IntStream.range(0, history.size()).toArray(), latestFirst);
  }

  private static void assertOrders(RecordedLog log, int[] first, int[] latestFirst) {
    assertArrayEquals(first, order(log, false).orElseThrow());
    assertArrayEquals(latestFirst, order(log, true).orElseThrow());
  }

  @Test
  void turnsOrderWhatHasAnObjectInCommon() {
    assertOrders(
        new RecordedLog()
            .opens(0, 1)
            .commits(0)
            .opens(1, 0)
            .commits(1)
            .opens(0, 0)
            .opens(1, 1)
            .commits(2),
        new int[] {1, 2, 0},
        new int[] {1, 2, 0});
  }

  @Test
  void whatNoObjectOrdersMayBeEitherWay() {
    assertOrders(
        new RecordedLog().opens(0, 0).commits(0).opens(1, 0).commits(1).opens(0, 1).commits(2),
        new int[] {0, 1, 2},
        new int[] {1, 0, 2});
  }

  /** Two cancels before a commit that has the same turn, and one after it. */
  @Test
  void cancelsComeBeforeTheCommitOfTheSameTurn() {
    assertOrders(
        new RecordedLog()
            .opens(0, 0)
            .commits(0)
            .opens(0, 0)
            .cancels(1)
            .opens(0, 1)
            .cancels(2)
            .opens(0, 0)
            .cancels(3),
        new int[] {1, 3, 0, 2},
        new int[] {3, 1, 0, 2});
  }

  /** Attempt 1 peeks at the version that attempt 0 made and attempt 2 replaced. */
  private static RecordedLog peeked() {
    return new RecordedLog()
        .opens(0, 0)
        .writes(0, 0, 8, 1)
        .commits(0)
        .peeks(0, 1, 8)
        .commits(1)
        .opens(0, 1)
        .writes(0, 1, 8, 1)
        .commits(2);
  }

  /** Nothing holds what was seen, so that in another order it may have been replaced. */
  @Test
  void peeksComeBehindTheCommitOfTheirVersionAndInPlaceBeforeTheNext() {
    assertOrders(peeked(), new int[] {0, 1, 2}, new int[] {0, 2, 1});
  }

  @Test
  void anOrderKeepsTurnsWhereverPeeksAre() {
    History history = peeked().history();
    assertTrue(RecordedOrder.keepsTurns(history, new int[] {0, 1, 2}));
    assertTrue(RecordedOrder.keepsTurns(history, new int[] {1, 0, 2}));
    assertTrue(RecordedOrder.keepsTurns(history, new int[] {0, 2, 1}));
    assertFalse(RecordedOrder.keepsTurns(history, new int[] {2, 0, 1}));
  }

  @Test
  void contradictionsHaveNoOrder() {
    RecordedLog log =
        new RecordedLog().opens(0, 0).opens(1, 1).commits(0).opens(0, 1).opens(1, 0).commits(1);
    assertEquals(Optional.empty(), order(log, false).map(all -> all.length));
  }
}
