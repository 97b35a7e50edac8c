package io.magpie.algorithms.internal;

import java.util.HashMap;
import java.util.Map;

/**
 * A seeded permutation of {@code 0 .. n - 1}, computed on the fly. It renumbers vertices whose
 * original numbers reveal their degrees, and shuffles lists.
 *
 * <p>It is one of {@code 0 .. 2^bits - 1}, of steps that can all be undone, for the least such
 * power that holds n numbers. Where that is more, it is applied again to what lies beyond n, until
 * a number below n is found (cycle walking): each number is on one cycle of the larger permutation,
 * of which the smaller one takes out those beyond. Less than half of all lie there, so two
 * applications are enough on average.
 */
public final class SeededPermutation {
  private static final int STEPS = 4;

  private final int n;
  private final int mask;
  private final int shift;
  private final int[] factors = new int[STEPS];
  private final int[] summands = new int[STEPS];

  /**
   * @param n how many numbers, 0 or more
   */
  public SeededPermutation(int n, long seed) {
    int bits = bits(n);
    this.n = n;
    mask = (int) ((1L << bits) - 1);
    shift = (bits + 1) / 2;
    for (int step = 0; step < STEPS; step++) {
      long random = SeededHash.at(seed ^ 0x7065726dL, step);
      factors[step] = (int) random | 1;
      summands[step] = (int) (random >>> 32);
    }
  }

  /** The least number of bits that tell n numbers apart; 0 where there is one or none. */
  public static int bits(int n) {
    return n < 2 ? 0 : 32 - Integer.numberOfLeadingZeros(n - 1);
  }

  /**
   * What it depends on besides how many numbers there are, by the names in edges/permutation.cuh.
   */
  public Map<String, Number> constants() {
    Map<String, Number> all = new HashMap<>();
    all.put("mask", mask);
    all.put("shift", shift);
    for (int step = 0; step < STEPS; step++) {
      all.put("factor" + step, factors[step]);
      all.put("summand" + step, summands[step]);
    }
    return all;
  }

  /** Where a number of {@code 0 .. n - 1} goes. */
  public int of(int value) {
    int x = value;
    do {
      for (int step = 0; step < STEPS; step++) {
        x = (x * factors[step] + summands[step]) & mask;
        x ^= x >>> shift;
      }
    } while (x >= n);
    return x;
  }
}
