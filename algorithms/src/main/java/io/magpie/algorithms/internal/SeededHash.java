package io.magpie.algorithms.internal;

/**
 * Counter-based random numbers: a value depends on the seed and on what it is for, never on the
 * order of calls, so generators may run in parallel. The mixing step is SplitMix64's (Steele, Lea,
 * Flood: Fast splittable pseudorandom number generators, OOPSLA 2014).
 */
public final class SeededHash {
  private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

  private SeededHash() {}

  /** A bijection of 64-bit values that spreads every input bit over all output bits. */
  public static long mix(long value) {
    long z = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  /** The key of the sequence named by {@code seed}, for many calls of {@link #draw}. */
  public static long key(long seed) {
    return mix(seed + GOLDEN_GAMMA);
  }

  /** Number {@code index} of a sequence given by its key. */
  public static long draw(long key, long index) {
    return mix(key + (index + 1) * GOLDEN_GAMMA);
  }

  /** Number {@code index} of the sequence named by {@code seed}. */
  public static long at(long seed, long index) {
    return draw(key(seed), index);
  }

  /**
   * A value in {@code 0 .. bound - 1} from the upper half of {@code random}; bound 1 .. 2^32, where
   * values of more than 31 bits are unsigned.
   */
  public static int below(long random, long bound) {
    return (int) (((random >>> 32) * bound) >>> 32);
  }

  /** A value in {@code [0, 1)}, a multiple of 2^-53, from the upper bits of {@code random}. */
  public static double unit(long random) {
    return (random >>> 11) * 0x1p-53;
  }
}
