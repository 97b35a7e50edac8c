package io.magpie.stm;

import io.magpie.stm.internal.ControlBlock;

/**
 * The logs of one pass over the items that overflowed those before. The rule, which {@code
 * magpie/host/larger_logs.hpp} has too (one table of cases holds both to it): each pass has logs 16
 * times as large as the one before, in as many threads as the scratch memory then has room for, in
 * whole warps. Where there is no room for a warp, or one log of that size would be more than all of
 * the memory, the rest runs item by item with a log as large as the memory.
 *
 * @param objects objects of one transaction; 0: there is no room for even one log as large as the
 *     region's own
 * @param writes writes of one transaction
 * @param threads threads at once: whole warps, or 1 if {@code alone}
 * @param alone whether each item has a launch of its own; no pass follows
 */
record LargerLogs(long objects, long writes, long threads, boolean alone) {
  private static final int GROWTH = 16;

  /** Places of one log. */
  private static final long MOST_PLACES = Integer.MAX_VALUE;

  /**
   * The logs of a pass.
   *
   * @param pass its number among those over items that overflowed, counted from 1
   * @param maxObjects the region's
   * @param maxWrites the region's
   * @param scratchBytes memory for all logs of the pass
   * @param warpWidth threads of a warp
   * @param mostThreads bound of the threads at once, at least 1; less than a warp counts as one
   * @param policy what a thread has in scratch memory besides its log is this one's
   */
  static LargerLogs of(
      int pass,
      int maxObjects,
      int maxWrites,
      long scratchBytes,
      int warpWidth,
      long mostThreads,
      Policy policy) {
    long objects = Math.max(1, maxObjects);
    long writes = Math.max(1, maxWrites);
    // Of two, as these are not rounded up: so it is never too small.
    long largest =
        scratchBytes
            / (ControlBlock.PAGED_OBJECT_BYTES * objects
                + ControlBlock.PAGED_WRITE_BYTES * writes
                + (policy.threadBytes(2 * objects, 2 * writes) - policy.threadBytes(0, 0)) / 2);
    while (largest > 0 && bytes(largest * objects, largest * writes, policy) > scratchBytes) {
      largest--;
    }
    largest = Math.min(largest, MOST_PLACES / Math.max(objects, writes));
    long scale = 1;
    for (int i = 0; i < pass && scale < largest; i++) {
      scale *= GROWTH;
    }
    if (scale < largest) {
      long fit = scratchBytes / bytes(scale * objects, scale * writes, policy);
      long threads = Math.min(fit, Math.max(warpWidth, mostThreads)) / warpWidth * warpWidth;
      if (threads > 0) {
        return new LargerLogs(scale * objects, scale * writes, threads, false);
      }
    }
    return new LargerLogs(largest * objects, largest * writes, 1, true);
  }

  /** Scratch memory that the threads use under this policy, in bytes. */
  long bytes(Policy policy) {
    return threads * bytes(objects, writes, policy);
  }

  /** Of one thread. */
  private static long bytes(long objects, long writes, Policy policy) {
    return ControlBlock.pagedLogBytes(objects, writes) + policy.threadBytes(objects, writes);
  }
}
