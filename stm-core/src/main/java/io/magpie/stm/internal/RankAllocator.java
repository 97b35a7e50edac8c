package io.magpie.stm.internal;

/**
 * Gives launches disjoint, falling intervals of ranks, so that no two running transactions have
 * equal ranks and older ones outrank younger ones. Ranks have 31 bits; 0 is reserved for
 * "unclaimed", the highest number for irrevocable attempts. When no launch is in flight the
 * interval starts over. Not thread-safe: its device's queue guards it.
 */
public final class RankAllocator {
  /** The highest rank of an item; {@code highest_rank} of {@code detail/objects.cuh}. */
  public static final int HIGHEST = Integer.MAX_VALUE - 1;

  private long next = HIGHEST;
  private int inFlight;

  /** The highest rank that the next launch could get. */
  public long next() {
    return inFlight == 0 ? HIGHEST : next;
  }

  /** Whether no launch is in flight. */
  public boolean quiescent() {
    return inFlight == 0;
  }

  /**
   * Begins a launch with ranks {@code first, first - 1, ..., first - count + 1}.
   *
   * @param first the launch's highest rank, at most {@link #next()}
   * @param count number of ranks, from 0 to {@code first}
   */
  public void begin(long first, long count) {
    if (first > next() || count < 0 || count > first) {
      throw new IllegalArgumentException(
          "ranks " + first + " down to " + (first - count + 1) + " are not free below " + next());
    }
    next = first - count;
    inFlight++;
  }

  /** Ends a launch. */
  public void end() {
    if (inFlight == 0) {
      throw new IllegalStateException("no launch is in flight");
    }
    inFlight--;
  }
}
