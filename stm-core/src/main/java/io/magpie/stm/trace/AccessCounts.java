package io.magpie.stm.trace;

/**
 * What launches on the simulator accessed, added up: the quantities of the threaded many-core
 * memory model. Accesses are those of shared memory; what a thread has in variables is none.
 *
 * @param launches launches that ended without a fault
 * @param work accesses of all threads
 * @param span of each launch the accesses of the thread that did most, added up: the time that its
 *     number of processors takes at least
 * @param transfers sectors of 32 bytes that warps accessed, their lanes being taken to run in step:
 *     the <i>n</i>-th accesses of lanes at one place in the code are one of the warp. It depends on
 *     the compiled code too
 */
public record AccessCounts(long launches, long work, long span, long transfers) {
  /** Nothing. */
  public static final AccessCounts NONE = new AccessCounts(0, 0, 0, 0);

  /** Both together. */
  public AccessCounts plus(AccessCounts other) {
    return new AccessCounts(
        launches + other.launches,
        work + other.work,
        span + other.span,
        transfers + other.transfers);
  }

  /** What came after an earlier state. */
  public AccessCounts since(AccessCounts earlier) {
    return new AccessCounts(
        launches - earlier.launches,
        work - earlier.work,
        span - earlier.span,
        transfers - earlier.transfers);
  }
}
