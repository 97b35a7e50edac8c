package io.magpie.examples.benchmarks;

import java.util.SplittableRandom;

/**
 * Numbers 0 to n - 1, drawn by {@link Zipf}'s law and scattered, so that those that are drawn often
 * do not lie side by side. The scattering is one to one: YCSB's hash, modulo n, lets some numbers
 * share a place and leaves others out.
 */
final class ScrambledKeys {
  /** Its first multiples lie far from each other, modulo 1. */
  private static final double GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

  private final int n;
  private final Zipf ranks;
  private final long factor;
  private final long offset;

  /**
   * @param n numbers
   * @param s 0 for all alike, up to below 1
   * @param random decides how they are scattered
   */
  ScrambledKeys(int n, double s, SplittableRandom random) {
    this.n = n;
    this.ranks = new Zipf(n, s);
    long candidate = Math.max(1, Math.round(n * GOLDEN_RATIO) + random.nextLong(n / 100 + 1));
    while (gcd(candidate, n) != 1) {
      candidate++;
    }
    factor = candidate;
    offset = random.nextLong(n);
  }

  private static long gcd(long a, long b) {
    return b == 0 ? a : gcd(b, a % b);
  }

  /** A number. */
  int next(SplittableRandom random) {
    return at(ranks.next(random) - 1);
  }

  /** The number that is drawn as often as the rank-th, counted from 0. */
  int at(int rank) {
    return (int) ((rank * factor + offset) % n);
  }
}
