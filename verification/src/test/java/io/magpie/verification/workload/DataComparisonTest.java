package io.magpie.verification.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class DataComparisonTest {
  @Test
  void halfOfTheHeapIsForComparisons() {
    long gibibyte = 1L << 30;
    assertEquals(gibibyte / 200, DataComparison.mostAccesses(gibibyte));
    assertEquals(1 << 28, DataComparison.mostAccesses(Long.MAX_VALUE));
  }

  /** With eight accesses each, and as many objects opened. */
  @Test
  void aMillionItemsFitInFourGibibytes() {
    assertTrue(DataComparison.mostAccesses(1L << 32) >= 17 * 1_000_000);
  }
}
