package io.magpie.examples.benchmarks;

import java.util.SplittableRandom;

/**
 * Numbers 0 to n - 1, drawn by {@link Zipf}'s law and scattered, so that those that are drawn often
 * do not lie side by side. The scattering is one to one: YCSB's hash, modulo n, lets some numbers
 * share a place and leaves others out.
 */
final class ScrambledKeys {
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
    long candidate = n <= 2 ? 1 : random.nextLong(n / 2, n);
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
