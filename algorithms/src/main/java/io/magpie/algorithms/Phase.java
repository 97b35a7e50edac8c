package io.magpie.algorithms;

import io.magpie.stm.simulator.Simulator.AccessCounts;

/**
 * What the launches of one kernel or region did in a run of an algorithm, or what the host did for
 * itself in between.
 *
 * @param name the kernel's or region's, or of the host's work
 * @param rule what it synchronizes by
 * @param launches how many; of the host's work, how often it was done
 * @param items items of all launches
 * @param millis time in its kernels, or of the host's work; NaN for a lock-free phase unless the
 *     run was asked for the times of its phases
 * @param commits committed transactions; 0 for other phases
 * @param aborts attempts that were rolled back, likewise
 * @param accesses what its launches accessed; nothing unless the device counts that ({@link
 *     io.magpie.stm.simulator.Simulator#setCounting})
 */
public record Phase(
    String name,
    Rule rule,
    int launches,
    long items,
    double millis,
    long commits,
    long aborts,
    AccessCounts accesses) {

  /** Whether a run times each phase by itself, which waits for the device after each launch. */
  public static final Setting<Boolean> TIMES =
      Setting.inJava("phase-times", true, "whether each phase is timed by itself");

  /**
   * What this one and another of the same kernel or region did together; a time that is unknown of
   * one is unknown of both.
   */
  public Phase plus(Phase other) {
    if (!name.equals(other.name) || rule != other.rule) {
      throw new IllegalArgumentException(
          "phases of one name are added, but these are " + name + " and " + other.name);
    }
    return new Phase(
        name,
        rule,
        launches + other.launches,
        items + other.items,
        millis + other.millis,
        commits + other.commits,
        aborts + other.aborts,
        accesses.plus(other.accesses));
  }

  /** What a phase synchronizes by. */
  public enum Rule {
    /** Monotone, idempotent, or one writer for each word: atomics or less. */
    LOCK_FREE,
    /** Transactions. */
    TRANSACTIONAL,
    /**
     * Nothing: the host does it in Java, while the device waits. What it got ready for that while
     * the device worked is in the time of no phase, but waiting for it is.
     */
    HOST
  }
}
