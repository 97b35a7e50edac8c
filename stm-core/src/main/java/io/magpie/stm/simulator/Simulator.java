package io.magpie.stm.simulator;

import io.magpie.stm.simulator.Search.StepLog;
import java.util.List;

/**
 * What a device of the kind {@code sim} has beyond others: launches run as a schedule says, tell
 * what became of them, and are counted in what they access. Thread-safe as its device is: calls
 * take turns.
 */
public interface Simulator extends AccessTrace.Tracer {
  /**
   * Says how the launches that follow are scheduled, each of them from its step 0: a run of a
   * region whose transactions outgrow their logs has several. The seed of a run's options then has
   * no effect.
   *
   * @param schedule null, as initially, leaves it to the seed
   */
  void setSchedule(Schedule schedule);

  /**
   * What became of the last launch that had a schedule, whether or not it ended with a fault.
   *
   * @throws IllegalStateException if there was no such launch
   */
  Trace lastTrace();

  /**
   * Says whether to count what threads access, in launches that have a schedule ({@link
   * #setSchedule}) and end without a fault, from 0 on.
   */
  void setCounting(boolean wanted);

  /** What was counted since {@link #setCounting}. */
  AccessCounts accessCounts();

  /**
   * What became of a launch.
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
   * @param log what the steps did, if {@link Schedule#withSearch} asked for that
   */
  record Trace(
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
      int[] threads,
      StepLog log) {
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

    /** It was still running after its time was up, and was ended at a step. */
    public static final int INTERRUPTED = 10;

    /** Of a search: every thread that could go on sleeps. */
    public static final int ASLEEP = 11;

    /** Of a search: every thread that could go on has paused as often as it may. */
    public static final int CUT = 12;

    /** Of a search: it was not finished after all its steps, and threads had paused. */
    public static final int TOO_LONG = 13;

    /**
     * It was still running after its time was up, in a thread that then made no step for three
     * seconds of its own processor time: the kernel's own code does not end.
     */
    public static final int STUCK = 14;

    /** States of one launch that are kept. */
    public static final int MOST_STATES = 1 << 14;

    /** Deviations of one launch that are kept. */
    public static final int MOST_CHOICES = 1 << 20;

    /** Whether the launch ended because a search had no use for the rest of it. */
    public boolean abandoned() {
      return code == ASLEEP || code == CUT || code == TOO_LONG;
    }

    /** Whether {@link #choices()} has all deviations. */
    public boolean replayable() {
      return choices.size() == deviations;
    }
  }

  /**
   * What launches accessed, added up: the quantities of the threaded many-core memory model.
   * Accesses are those of shared memory; what a thread has in variables is none.
   *
   * @param launches launches that ended without a fault
   * @param work accesses of all threads
   * @param span of each launch the accesses of the thread that did most, added up: the time that
   *     its number of processors takes at least
   * @param transfers sectors of 32 bytes that warps accessed, their lanes being taken to run in
   *     step: the <i>n</i>-th accesses of lanes at one place in the code are one of the warp. It
   *     depends on the compiled code too
   */
  record AccessCounts(long launches, long work, long span, long transfers) {
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
}
