package io.magpie.stm;

import io.magpie.stm.internal.Backend;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Ends the runs that are under way on a device, when another thread asks for it. */
final class Cancellation {
  private boolean running;
  private boolean asked;
  private Backend.Watch watch;

  /** Those over launches that were started and have not ended. */
  private final List<Backend.Watch> started = new ArrayList<>();

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

  /** Asks all runs to end, if there are any. */
  synchronized void ask() {
    started.forEach(Backend.Watch::cancel);
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

  /** Notes the watch over a launch that was started, whose run goes on when its start returns. */
  synchronized void started(Backend.Watch next) {
    started.add(next);
    if (asked) {
      next.cancel();
    }
  }

  /** Forgets the watch over a launch that has ended. */
  synchronized void ended(Backend.Watch over) {
    started.remove(over);
  }

  /** Notes the watch over the run's next launch, which ends at once if the run was asked to. */
  synchronized void watch(Backend.Watch next) {
    watch = next;
    if (asked) {
      next.cancel();
    }
  }
}
