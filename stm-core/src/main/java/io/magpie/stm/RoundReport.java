package io.magpie.stm;

/**
 * One round of a {@linkplain Region#runRounds run in rounds}. Each of its items ended, was
 * deferred, or is unfinished.
 *
 * @param round its number, from 0
 * @param carried how many of its items the round before deferred
 * @param waiting items of the next round: those deferred and those pushed
 * @param region what its launches did, with the counts of commits, aborts and so on
 */
public record RoundReport(int round, long carried, long waiting, RegionReport region) {
  /** Number of items at its beginning. */
  public long items() {
    return region.items();
  }

  /** Items that committed; -1 without statistics. */
  public long commits() {
    return region.commits();
  }

  /** Items that the region canceled; -1 without statistics. */
  public long cancels() {
    return region.cancels();
  }

  /** Items that were left to the next round. */
  public long deferred() {
    return region.deferred();
  }

  /** Items that commits pushed. */
  public long pushed() {
    return region.pushed();
  }

  /** Of the deferred items, those for which a pool had no slot. */
  public long withoutSlot() {
    return region.withoutSlot();
  }

  /** Items that ended for good: by commit or cancel. */
  public long ended() {
    return region.items() - region.deferred() - region.unfinished();
  }

  /** Time in kernels, in milliseconds. */
  public double kernelMillis() {
    return region.kernelMillis();
  }
}
