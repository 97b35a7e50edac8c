package io.magpie.verification.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class HistoryBuilderTest {
  private static final long[] LOG = {
    7 | 1L << 32,
    99 | 18L << 32 | 2L << 40,
    5,
    8,
    3 | 4L << 32,
    9 | 0xffffffffL << 32,
    0xffffffffL | 2L << 32,
    0x7ffffffeL | 0L << 32 | 1L << 40,
    8,
    10,
    1L << 31 | 3 | 4L << 32,
    8 | 1L << 32,
    98 | 1L << 32,
    11,
    11,
  };

  @Test
  void aLogHoldsRecords() {
    History history = new HistoryBuilder().thread(12).addLog(LOG, LOG.length).build();
    assertEquals(
        "magpie-history 1\n"
            + "# thread item attempt rank outcome begin end accesses\n"
            + "12 7 1 99 abort:2 5 8 r3@4 r9@4294967295\n"
            + "12 4294967295 2 2147483646 commit 8 10 w3@4\n"
            + "12 8 1 98 cancel 11 11\n",
        Histories.toString(history));
    assertEquals(9, history.greatestObject());
    assertEquals(3, history.accesses());
  }

  @Test
  void onlyTheWordsInUseAreRead() {
    assertEquals(1, new HistoryBuilder().addLog(LOG, 6).build().size());
    assertEquals(0, new HistoryBuilder().addLog(LOG, 0).build().size());
    assertThrows(IllegalArgumentException.class, () -> new HistoryBuilder().addLog(LOG, 99));
  }

  /** Of attempts that did not end their items the data are left out. */
  @Test
  void aLogMayHoldData() {
    long withData = 1L << 31;
    long[] log = {
      7 | 1L << 32,
      99 | withData | 18L << 32 | 1L << 40, // failed
      1,
      2,
      3 | 4L << 32,
      64 | 77L << 45,
      7 | 2L << 32,
      99 | withData | 3L << 40, // commits
      5,
      8,
      3 | 6L << 32,
      (1L << 40) - 1 | (3L | 16) << 40, // was opened
      3 | 4L << 32,
      64 | 77L << 45, // is read
      3 | 1L << 31 | 4L << 32,
      68 | 1L << 40 | 78L << 45, // is written
    };
    History history = new HistoryBuilder().thread(1).addLog(log, log.length).build();
    assertEquals(
        "magpie-history 1\n"
            + "# thread item attempt rank outcome begin end accesses\n"
            + "1 7 1 99 abort:2 1 2 r3@4\n"
            + "1 7 2 99 commit 5 8 r3@4 w3@4\n",
        Histories.toString(history));
    assertEquals(0, history.dataCount(0));
    assertEquals(3, history.dataCount(1));
    DataAccess opened = history.data(1, 0);
    assertEquals(DataAccess.Kind.OPENED, opened.kind());
    assertEquals(3, opened.object());
    assertEquals(6, opened.turn());
    DataAccess read = history.data(1, 1);
    assertEquals(DataAccess.Kind.READ, read.kind());
    assertEquals(64, read.datum());
    assertEquals(77, read.line());
    DataAccess write = history.data(1, 2);
    assertEquals(DataAccess.Kind.WRITE, write.kind());
    assertEquals(68, write.datum());
    assertEquals(3, write.object());
    assertEquals(78, write.line());
    assertThrows(IndexOutOfBoundsException.class, () -> history.data(1, 3));
    requireFault("12 words expected, 10 left", Arrays.copyOfRange(log, 6, 6 + 9 + 1), 4);
  }

  private static void requireFault(String message, long[] log, int accesses) {
    long[] changed = log.clone();
    changed[1] = changed[1] & ~(-1L << 40) | (long) accesses << 40;
    requireFault(message, changed);
  }

  private static void requireFault(String message, long... log) {
    HistoryBuilder builder = new HistoryBuilder().thread(3);
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> builder.addLog(log, log.length));
    assertTrue(e.getMessage().contains("of thread 3's log"), e.getMessage());
    assertTrue(e.getMessage().contains(message), e.getMessage());
  }

  @Test
  void faultsAreNamed() {
    requireFault("at word 6 of", 7 | 1L << 32, 2L << 40, 5, 8, 3, 9, 7 | 1L << 32, 0);
    requireFault("6 words expected, 5 left", 7 | 1L << 32, 2L << 40, 5, 8, 3);
    requireFault("attempt 0", 7, 0, 5, 8);
    requireFault("outcome 2", 7 | 1L << 32, 2L << 32, 5, 8);
    requireFault("outcome 15", 7 | 1L << 32, 15L << 32, 5, 8);
    requireFault("begin 8, end 5", 7 | 1L << 32, 0, 8, 5);
    requireFault("begin -1", 7 | 1L << 32, 0, -1, 5);
    assertThrows(IllegalArgumentException.class, () -> new HistoryBuilder().thread(-2));
    assertThrows(IllegalArgumentException.class, () -> Access.read(-1, 0));
  }

  @Test
  void blocksOfAttemptsFollowEachOther() {
    HistoryBuilder builder = new HistoryBuilder();
    int n = (3 << History.BLOCK_BITS) + 5;
    for (int i = 0; i < n; i++) {
      long[] accesses = new long[i % 4];
      for (int k = 0; k < accesses.length; k++) {
        accesses[k] = Access.read(i, k);
      }
      builder.add(i, 1, n - i, History.COMMIT, i, i + 1, accesses);
    }
    History history = builder.build();
    assertEquals(n, history.size());
    assertEquals(4, history.blocks());
    assertEquals(5, history.blockSize(3));
    for (int i = 0; i < n; i++) {
      assertEquals(i, history.item(i));
      assertEquals(i, history.begin(i));
      assertEquals(i % 4, history.accessCount(i));
      for (int k = 0; k < i % 4; k++) {
        assertEquals(Access.read(i, k), history.access(i, k));
      }
    }
    assertThrows(IndexOutOfBoundsException.class, () -> history.item(n));
    assertThrows(IndexOutOfBoundsException.class, () -> history.access(5, 1));
  }

  @Test
  void generatorsRefuseWhatTheyCannotMake() {
    assertThrows(
        IllegalArgumentException.class, () -> new HistoryGenerators.Shape(1, 5, 4, 1, 0.5, 0, 1));
    assertThrows(
        IllegalArgumentException.class,
        () -> new HistoryGenerators.Shape(1, 4, 4, 1, Double.NaN, 0, 1));
    HistoryGenerators.Shape shape = new HistoryGenerators.Shape(9, 4, 4, 2, 0.5, 0, 1);
    assertThrows(
        IllegalArgumentException.class,
        () -> HistoryGenerators.flawed(shape, Anomaly.WRONG_FINAL_STAMP));
  }
}
