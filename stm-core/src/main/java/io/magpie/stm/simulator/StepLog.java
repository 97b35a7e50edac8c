package io.magpie.stm.simulator;

import java.util.ArrayList;
import java.util.List;

/**
 * What the steps of a launch under {@link Schedule#withSearch} did to what threads share, in order:
 * {@code sim/step_log.hpp} has the rules.
 *
 * @param steps the steps, and what collectives did in between
 * @param complete whether these are all: else the launch had more steps than room was made for
 */
public record StepLog(List<Step> steps, boolean complete) {
  /** Of a launch without a search. */
  public static final StepLog NONE = new StepLog(List.of(), true);

  /** Bytes of a step: {@code magpie_step} in launch_args.hpp. */
  public static final int STEP_BYTES = 16;

  private static final int PAUSE = 1;
  private static final int LOAD = 2;
  private static final int LOOK = 5;
  private static final int ADD = 6;
  private static final int BEGIN = 11;
  private static final int END = 12;
  private static final int ORDER = 13;
  private static final int MET = 14;
  private static final int UPDATE = 4;

  public StepLog {
    steps = List.copyOf(steps);
  }

  /** Reads two words a step. */
  public static StepLog of(long[] words, boolean complete) {
    List<Step> steps = new ArrayList<>(words.length / 2);
    for (int i = 0; i + 1 < words.length; i += 2) {
      long rest = words[i + 1];
      steps.add(
          new Step(words[i], (int) rest, (int) (rest >>> 32) & 0xffff, (int) (rest >>> 48) & 0xff));
    }
    return new StepLog(steps, complete);
  }

  /**
   * A step, or what a collective did.
   *
   * @param address of the access; of a collective the lanes that it let go, bit 0 for the warp's
   *     first
   * @param thread the thread's rank
   * @param bytes of the access; of a collective the thread's lane
   * @param kind a {@code step_kind} in launch_args.hpp
   */
  public record Step(long address, int thread, int bytes, int kind) {
    /** The second of the words that {@link StepLog#of} reads. */
    public long rest() {
      return thread | (long) bytes << 32 | (long) kind << 48;
    }

    /** Whether it is no step: a collective that lets lanes of the thread's warp go. */
    public boolean isMeeting() {
      return kind == MET;
    }

    /** Whether the thread lets others go first. */
    public boolean isPause() {
      return kind == PAUSE;
    }

    /** The same, where it is not known yet what a read-modify-write does to its word. */
    public Step undecided() {
      return kind == LOOK ? new Step(address, thread, bytes, UPDATE) : this;
    }

    /** Whether the order of this and another thread's step matters. */
    public boolean dependsOn(Step other) {
      if (kind < LOAD || other.kind < LOAD) {
        return false;
      }
      if (kind >= BEGIN || other.kind >= BEGIN) {
        return kind == BEGIN && other.kind == END
            || kind == END && other.kind == BEGIN
            || kind == ORDER && other.kind == ORDER;
      }
      if (address + bytes <= other.address || other.address + other.bytes <= address) {
        return false;
      }
      if (address == other.address && bytes == other.bytes) {
        return !(reads() && other.reads()) && !(kind == other.kind && kind >= ADD);
      }
      return kind != LOAD || other.kind != LOAD;
    }

    private boolean reads() {
      return kind == LOAD || kind == LOOK;
    }
  }
}
