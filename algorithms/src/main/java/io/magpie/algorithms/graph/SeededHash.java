package io.magpie.algorithms.graph;

/**
 * Counter-based random numbers: a value depends on the seed and on what it is for, never on the
 * order of calls, so generators may run in parallel. The mixing step is SplitMix64's (Steele, Lea,
 * Flood: Fast splittable pseudorandom number generators, OOPSLA 2014).
 */
final class SeededHash {
  private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

  private SeededHash() {}

  /** A bijection of 64-bit values that spreads every input bit over all output bits. */
  static long mix(long value) {
    long z = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  /** Number {@code index} of the sequence named by {@code seed}. */
  static long at(long seed, long index) {
    return mix(mix(seed + GOLDEN_GAMMA) + (index + 1) * GOLDEN_GAMMA);
  }

  /** A value in {@code 0 .. bound - 1} from the upper half of {@code random}; bound 1 .. 2^31. */
  static int below(long random, long bound) {
    return (int) (((random >>> 32) * bound) >>> 32);
  }

  /** The weight of the edges between two vertices, in {@code min .. max}, whatever their order. */
  static int weight(long seed, int u, int v, int min, int max) {
    long pair = ((long) Math.min(u, v) << 32) | Math.max(u, v);
    return min + below(at(seed ^ 0x77656967687473L, pair), (long) max - min + 1);
  }
}
