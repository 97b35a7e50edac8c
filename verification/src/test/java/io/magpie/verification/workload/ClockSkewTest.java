package io.magpie.verification.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.Device;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ClockSkewTest {
  /** Samples of participants that take turns at random, each with a timer of its own. */
  private static ClockSkew measured(long[] ahead, int samples, int width, long seed) {
    Random random = new Random(seed);
    int all = ahead.length * samples;
    long[] before = new long[all];
    long[] turn = new long[all];
    long[] after = new long[all];
    int[] taken = new int[ahead.length];
    long now = 1000;
    for (int t = 0; t < all; ) {
      int who = random.nextInt(ahead.length);
      if (taken[who] == samples) {
        continue;
      }
      int at = who * samples + taken[who]++;
      before[at] = now + ahead[who] - 1 - random.nextInt(width);
      turn[at] = t++;
      after[at] = now + ahead[who] + 1 + random.nextInt(width);
      now += 3L * width;
    }
    return ClockSkew.of(ahead.length, before, turn, after);
  }

  @Test
  void boundsTheTrueDifferenceFromAbove() {
    for (long seed = 1; seed <= 50; seed++) {
      long[] ahead = {0, 40, -17, 900, 3};
      ClockSkew skew = measured(ahead, 200, 10, seed);
      assertTrue(skew.nanos() >= 917, () -> "a bound of " + skew);
      assertTrue(skew.nanos() <= 917 + 3 * 30 + 20 + skew.resolution(), () -> "loose: " + skew);
      assertEquals(5, skew.participants());
    }
  }

  @Test
  void timersThatNeverMetAreNotCompared() {
    assertThrows(
        IllegalStateException.class,
        () -> ClockSkew.of(2, new long[] {1, 5}, new long[] {0, 1}, new long[] {2, 6}));
  }

  @Test
  void oneThreadHasNoSkewBeyondItsResolution() {
    try (Device device = Device.open("cpu:1")) {
      ClockSkew skew = ClockSkew.measure(device);
      assertEquals(1, skew.participants());
      assertEquals(skew.resolution(), skew.nanos());
      assertTrue(skew.resolution() > 0 && skew.resolution() < 1_000_000, skew::toString);
    }
  }
}
