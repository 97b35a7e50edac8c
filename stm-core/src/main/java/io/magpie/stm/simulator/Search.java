package io.magpie.stm.simulator;

import io.magpie.stm.simulator.Search.StepLog.Step;
import java.util.List;

/**
 * How a launch is one of a search through schedules. It follows its schedule's choices, which give
 * the threads of its first steps; then the default schedule, but for threads that sleep or have
 * paused as often as they may. It ends as {@link Simulator.Trace#ASLEEP} or {@link
 * Simulator.Trace#CUT} where no other thread can go on.
 *
 * @param asleep next steps of threads, which sleep until another thread does a step that depends on
 *     theirs
 * @param asleepFrom the step before which they stand there
 * @param mostPauses of each thread; -1 = no bound
 */
public record Search(List<Step> asleep, long asleepFrom, long mostPauses) {
  /** Steps of one launch that are kept. */
  public static final int MOST_STEPS = 1 << 18;

  public Search {
    asleep = List.copyOf(asleep);
    if (asleepFrom < 0) {
      throw new IllegalArgumentException("asleepFrom must be at least 0, got " + asleepFrom);
    }
    if (mostPauses < -1) {
      throw new IllegalArgumentException("mostPauses must be at least -1, got " + mostPauses);
    }
  }

  /**
   * What the steps of a launch under {@link Schedule#withSearch} did to what threads share, in
   * order: {@code sim/step_log.hpp} has the rules.
   *
   * @param steps the steps, and what collectives did in between
   * @param complete whether these are all: else the launch had more steps than room was made for
   */
  public record StepLog(List<Step> steps, boolean complete) {
    /** Of a launch without a search. */
    public static final StepLog NONE = new StepLog(List.of(), true);

    /**
     * What a step does: {@code step_kind} in launch_args.hpp. The order matters: kinds before
     * {@link #LOAD} depend on no other step.
     */
    public enum Kind {
      /** Nothing: the thread starts, fences, or leaves a collective. */
      LOCAL,
      /** The thread lets others go first. */
      PAUSE,
      /** It reads. */
      LOAD,
      /** It writes. */
      STORE,
      /** It reads and writes at once. */
      UPDATE,
      /** The same, and left the word as it was. */
      LOOK,
      /** It adds without a result; two of this and of each that follows up to MAX commute. */
      ADD,
      /** It clears bits. */
      AND,
      /** It sets bits. */
      OR,
      /** It lowers to a minimum. */
      MIN,
      /** It raises to a maximum. */
      MAX,
      /** An attempt looks at the time where it begins. */
      BEGIN,
      /** An attempt looks at the time where it ends. */
      END,
      /** An attempt takes its place in the serial order. */
      ORDER,
      /** No step: a collective lets lanes go. */
      MET;

      private boolean isBefore(Kind other) {
        return compareTo(other) < 0;
      }
    }

    public StepLog {
      steps = List.copyOf(steps);
    }

    /**
     * A step, or what a collective did.
     *
     * @param address of the access; of a collective the lanes that it let go, bit 0 for the warp's
     *     first
     * @param thread the thread's rank
     * @param bytes of the access; of a collective the thread's lane
     * @param kind what it does
     */
    public record Step(long address, int thread, int bytes, Kind kind) {
      /** Whether it is no step: a collective that lets lanes of the thread's warp go. */
      public boolean isMeeting() {
        return kind == Kind.MET;
      }

      /** Whether the thread lets others go first. */
      public boolean isPause() {
        return kind == Kind.PAUSE;
      }

      /** The same, where it is not known yet what a read-modify-write does to its word. */
      public Step undecided() {
        return kind == Kind.LOOK ? new Step(address, thread, bytes, Kind.UPDATE) : this;
      }

      /** Whether the order of this and another thread's step matters. */
      public boolean dependsOn(Step other) {
        if (kind.isBefore(Kind.LOAD) || other.kind.isBefore(Kind.LOAD)) {
          return false;
        }
        if (!kind.isBefore(Kind.BEGIN) || !other.kind.isBefore(Kind.BEGIN)) {
          return kind == Kind.BEGIN && other.kind == Kind.END
              || kind == Kind.END && other.kind == Kind.BEGIN
              || kind == Kind.ORDER && other.kind == Kind.ORDER;
        }
        if (address + bytes <= other.address || other.address + other.bytes <= address) {
          return false;
        }
        if (address == other.address && bytes == other.bytes) {
          return !(reads() && other.reads()) && !(kind == other.kind && !kind.isBefore(Kind.ADD));
        }
        return kind != Kind.LOAD || other.kind != Kind.LOAD;
      }

      private boolean reads() {
        return kind == Kind.LOAD || kind == Kind.LOOK;
      }
    }
  }
}
