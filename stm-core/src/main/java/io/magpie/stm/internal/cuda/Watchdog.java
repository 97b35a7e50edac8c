package io.magpie.stm.internal.cuda;

import io.magpie.stm.internal.Backend.Watch;
import java.util.function.BooleanSupplier;

/**
 * When a launch's flag is raised, and when nothing stops the launch any more. Both count from its
 * beginning: the stream lowers the flag before it, and so would wipe what was raised earlier.
 */
final class Watchdog {
  /** What a look calls for. */
  enum Deed {
    /** To wait on. */
    WAIT,

    /** To raise the flag, once. */
    RAISE,

    /** To leave the launch, which did not end although its flag is up. */
    GIVE_UP
  }

  private final Watch watch;
  private final long graceNanos;
  private boolean begun;
  private long beganAt;
  private boolean raised;
  private long raisedAt;

  /**
   * @param watch null if nothing ends the launch
   * @param graceNanos what it has to end in when the flag is up
   */
  Watchdog(Watch watch, long graceNanos) {
    this.watch = watch;
    this.graceNanos = graceNanos;
  }

  /**
   * Looks at a launch that has not ended.
   *
   * @param nanos the present time
   * @param hasBegun whether the stream has come to the launch; asked until it has
   */
  Deed look(long nanos, BooleanSupplier hasBegun) {
    if (watch == null) {
      return Deed.WAIT;
    }
    if (!begun) {
      if (!hasBegun.getAsBoolean()) {
        return Deed.WAIT;
      }
      begun = true;
      beganAt = nanos;
    }
    if (raised) {
      return nanos - raisedAt >= graceNanos ? Deed.GIVE_UP : Deed.WAIT;
    }
    if (watch.canceled() || (watch.nanos() > 0 && nanos - beganAt >= watch.nanos())) {
      raised = true;
      raisedAt = nanos;
      return Deed.RAISE;
    }
    return Deed.WAIT;
  }

  /** Whether the flag was raised. */
  boolean raised() {
    return raised;
  }
}
