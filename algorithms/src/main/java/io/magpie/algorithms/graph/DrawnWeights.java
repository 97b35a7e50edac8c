package io.magpie.algorithms.graph;

import io.magpie.algorithms.internal.SeededHash;

/** Weights drawn uniformly from a range, the same for both orders of an edge's end points. */
final class DrawnWeights implements EdgeWeight {
  private final long key;
  private final WeightRange range;
  private final boolean ints;
  private final long least;
  private final long bound;

  DrawnWeights(long seed, WeightRange range) {
    this.key = SeededHash.key(seed ^ 0x77656967687473L);
    this.range = range;
    this.ints = range.type() == WeightType.INT;
    this.least = ints ? range.least().intValue() : 0;
    this.bound = ints ? range.largest().longValue() - least + 1 : 0;
  }

  @Override
  public long of(int u, int v) {
    long random = SeededHash.draw(key, (long) Math.min(u, v) << 32 | Math.max(u, v));
    return ints ? (int) (least + SeededHash.below(random, bound)) : range.key(random);
  }

  @Override
  public WeightType type() {
    return range.type();
  }

  /** What they are drawn from. */
  WeightRange range() {
    return range;
  }

  /** The key of the random numbers that draw them, each numbered by the lesser end, the larger. */
  long key() {
    return key;
  }
}
