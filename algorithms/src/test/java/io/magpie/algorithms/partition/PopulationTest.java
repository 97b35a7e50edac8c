package io.magpie.algorithms.partition;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class PopulationTest {
  @Test
  void membersAreAsManyAsKernelsCanCount() {
    assertEquals(12, Population.mostMembers(12, 8192, 1024));
    assertEquals(12, Population.mostMembers(12, 357_000_000, 8));
    assertEquals(11, Population.mostMembers(12, 357_913_930, 8));
    assertEquals(1, Population.mostMembers(12, Integer.MAX_VALUE, 8));
    assertEquals(4, Population.mostMembers(12, 400_000_000, 500_000_000));
    assertEquals(1, Population.mostMembers(12, Integer.MAX_VALUE, Integer.MAX_VALUE));
  }

  /** Keys of gains 9 7 5 | 4 2 | 1 | 0 | -1 -8, and of lists without some of these. */
  @Test
  void rangesOfGainsHalve() {
    assertArrayEquals(
        new int[] {3, 5, 6, 7, 9}, Population.endsOfRanges(keys(9, 7, 5, 4, 2, 1, 0, -1, -8)));
    assertArrayEquals(new int[] {1}, Population.endsOfRanges(keys(0)));
    assertArrayEquals(new int[] {3}, Population.endsOfRanges(keys(-1, -2, -1_000_000_000)));
    assertArrayEquals(
        new int[] {2, 3},
        Population.endsOfRanges(keys(Integer.MAX_VALUE, 1 << 30, Integer.MIN_VALUE + 1)));
  }

  private static int[] keys(int... gains) {
    return Arrays.stream(gains).map(gain -> Integer.MAX_VALUE - gain).toArray();
  }
}
