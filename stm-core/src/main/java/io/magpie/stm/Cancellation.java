package io.magpie.stm;

import io.magpie.stm.internal.Backend;
import java.util.function.Supplier;

/** Ends the run that is under way on a device, when another thread asks for it. */
final class Cancellation {
  private boolean running;
  private boolean asked;
  private Backend.Watch watch;

  /**
   * Does a run of one launch or many, which can be canceled until it has ended. A run within
   * another one, as of a listener to its rounds, ends with that.
   */
  <T> T during(Supplier<T> run) {
    boolean outermost;
    synchronized (this) {
      outermost = !running;
      if (outermost) {
        running = true;
        asked = false;
      }
    }
    try {
      return run.get();
    } finally {
      synchronized (this) {
        watch = null;
        running = !outermost;
      }
    }
  }

  /** Asks the run to end, if there is one. */
  synchronized void ask() {
    if (running) {
      asked = true;
      if (watch != null) {
        watch.cancel();
      }
    }
  }

  /** Whether the present run, or the one before, was asked to end. */
  synchronized boolean wasAsked() {
    return asked;
  }

  /** Notes the watch over the run's next launch, which ends at once if the run was asked to. */
  synchronized void watch(Backend.Watch next) {
    watch = next;
    if (asked) {
      next.cancel();
    }
  }
}
