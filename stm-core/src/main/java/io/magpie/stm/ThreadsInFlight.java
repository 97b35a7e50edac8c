package io.magpie.stm;

/**
 * How many threads are in flight in a launch of a region that declares {@code scattered_accesses},
 * where none were asked for. The rule, which {@code magpie/host/threads_in_flight.hpp} has too (one
 * table of cases holds both to it): half of a full grid where the words of the region's objects and
 * the data that they guard exceed the L2 cache, three eighths where they exceed four of it, in
 * whole warps. A full grid where all fit, and where it has a thread for each item.
 */
final class ThreadsInFlight {
  private ThreadsInFlight() {}

  /**
   * The threads.
   *
   * @param fullGrid as many as can be resident at once
   * @param warpWidth threads of a warp
   * @param items of the launch
   * @param bytes of the words of all objects and of the data that they guard
   * @param cacheBytes of the L2 cache
   */
  static long forScatteredAccesses(
      long fullGrid, int warpWidth, long items, long bytes, long cacheBytes) {
    if (items <= fullGrid || bytes <= cacheBytes) {
      return fullGrid;
    }
    long fewer = fullGrid * (bytes <= 4 * cacheBytes ? 4 : 3) / 8;
    return Math.min(fullGrid, Math.max(1, fewer / warpWidth) * warpWidth);
  }
}
