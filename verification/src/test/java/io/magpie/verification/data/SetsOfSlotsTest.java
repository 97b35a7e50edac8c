package io.magpie.verification.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SetsOfSlotsTest {
  private static boolean areSame(long slots, long others, Map<Long, Set<Long>> names) {
    return SetsOfSlots.areSame(
        slots, others, (slot, other) -> names.getOrDefault(slot, Set.of(slot)).contains(other));
  }

  @Test
  void slotsStandForOthers() {
    Map<Long, Set<Long>> names = Map.of(0L, Set.of(2L), 1L, Set.of(0L), 2L, Set.of(1L));
    assertTrue(areSame(0b011, 0b101, names));
    assertFalse(areSame(0b011, 0b110, names));
    assertFalse(areSame(0b011, 0b001, names), "one is missing");
    assertTrue(areSame(0, 0, names));
    assertTrue(areSame(0b1000, 0b1000, names), "what has no other name is itself");
    assertFalse(areSame(0b1000, 0b10000, names));
    assertTrue(areSame(1L << 63 | 1, 1L << 63 | 4, names));
  }

  @Test
  void eachStandsForOneOnly() {
    assertFalse(areSame(0b011, 0b110, Map.of(0L, Set.of(1L), 1L, Set.of(1L))));
    // The first may be either of two, and the second only the one that comes first.
    assertTrue(areSame(0b011, 0b110, Map.of(0L, Set.of(1L, 2L), 1L, Set.of(1L))));
  }

  /** By trying all ways to give partners. */
  @Test
  void matchingIsThatOfAllPermutations() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 2000; i++) {
      int[] allowed = IntStream.range(0, 5).map(slot -> random.nextInt(32)).toArray();
      long slots = random.nextInt(32);
      long others = random.nextInt(32);
      boolean same =
          SetsOfSlots.areSame(
              slots, others, (slot, other) -> (allowed[(int) slot] >> other & 1) != 0);
      boolean some =
          Long.bitCount(slots) == Long.bitCount(others) && isMatched(slots, others, allowed);
      assertEquals(some, same, "seed " + seed + ", case " + i);
    }
  }

  private static boolean isMatched(long slots, long others, int[] allowed) {
    if (slots == 0) {
      return true;
    }
    int slot = Long.numberOfTrailingZeros(slots);
    return IntStream.range(0, 5)
        .filter(other -> (others >> other & 1) != 0 && (allowed[slot] >> other & 1) != 0)
        .anyMatch(other -> isMatched(slots & slots - 1, others & ~(1L << other), allowed));
  }
}
