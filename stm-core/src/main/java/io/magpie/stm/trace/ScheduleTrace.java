package io.magpie.stm.trace;

import java.util.List;

/**
 * What became of a launch on the simulator.
 *
 * @param choices the launch's deviations from the default schedule: {@link Schedule#withChoices}
 *     with them replays it, to the same {@link #hash()}. The first {@link #MOST_CHOICES} only
 * @param deviations how many there were
 * @param steps switch points
 * @param switches switch points at which another thread went on
 * @param hash of the sequence of threads and versions chosen
 * @param lassoBegin step of the state that came again; 0 with {@link #lassoEnd()} 0: none did
 * @param lassoEnd step at which it came again
 * @param code how the launch ended: {@link #OK}, or which fault
 * @param message the fault in words; empty if there was none
 * @param states the states before each step, up to the first end of an item or {@link
 *     #MOST_STATES}, if {@link Schedule#withStates} asked for them: hashes of what threads stored
 *     and of where each thread is. Equal only within one process and for the same memory
 * @param threads the thread that went on from each of these states
 */
public record ScheduleTrace(
    List<Schedule.Choice> choices,
    long deviations,
    long steps,
    long switches,
    long hash,
    long lassoBegin,
    long lassoEnd,
    int code,
    String message,
    long[] states,
    int[] threads) {
  /** The launch ended as it should. */
  public static final int OK = 0;

  /** An index was out of bounds. */
  public static final int OUT_OF_BOUNDS = 1;

  /** A collective was called that some lanes of the warp cannot reach. */
  public static final int MISSING_LANES = 2;

  /** The bound of steps was reached, or every thread waits. */
  public static final int NO_PROGRESS = 3;

  /** A state came again without progress; see {@link Schedule#withLassoDetection}. */
  public static final int LASSO = 5;

  /** Only the stopped thread was left; see {@link Schedule#withStoppedThread}. */
  public static final int THREAD_STOPPED = 6;

  /** It was still running after its time was up, and was interrupted. */
  public static final int INTERRUPTED = 10;

  /** States of one launch that are kept. */
  public static final int MOST_STATES = 1 << 14;

  /** Deviations of one launch that are kept. */
  public static final int MOST_CHOICES = 1 << 20;

  /** Whether {@link #choices()} has all deviations. */
  public boolean replayable() {
    return choices.size() == deviations;
  }
}
