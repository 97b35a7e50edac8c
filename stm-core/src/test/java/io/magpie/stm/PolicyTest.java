package io.magpie.stm;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What policies need of a launch. */
class PolicyTest {
  /** What three descriptors have, counted entry by entry, and what documentation says they need. */
  @Test
  void descriptorsHaveTheBytesOfTheFormula() {
    for (int objects = 0; objects < 9; objects++) {
      for (int writes = 0; writes < 9; writes++) {
        long entries = 3 * objects + (writes + objects) + 2 * (writes + objects);
        long descriptor = 8 * (2 + 3 * entries);
        descriptor += descriptor % 16;
        long bytes = Policy.OBSTRUCTION_FREE.threadBytes(objects, writes);
        assertEquals(3 * descriptor, bytes);
        assertEquals(48 + 432 * objects + 216 * writes + 24 * (writes % 2), bytes);
      }
    }
  }

  @Test
  void moreThreadsThanRecordsCanNameAreRefused() {
    int most = 5_592_405;
    assertDoesNotThrow(() -> Policy.OBSTRUCTION_FREE.requireThreads(most));
    MagpieException refused =
        assertThrows(MagpieException.class, () -> Policy.OBSTRUCTION_FREE.requireThreads(most + 1));
    assertEquals(
        "a launch under obstruction_free has at most 5,592,405 threads, whose descriptors records"
            + " can name; this one has 5,592,406: ask for fewer with StmOptions.threadsInFlight",
        refused.getMessage());
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "OBSTRUCTION_FREE")
  void othersHaveAnyNumberOfThreads(Policy policy) {
    assertDoesNotThrow(() -> policy.requireThreads(1L << 40));
    assertEquals(0, policy.threadBytes(7, 7));
  }
}
