package io.magpie.stm.internal.host;

import com.sun.jna.Pointer;
import io.magpie.stm.internal.Backend;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Raises the stop flags of runs on {@code cpu} and {@code sim} whose time is up. */
final class Watchdog {
  private static final ScheduledThreadPoolExecutor CLOCK = clock();

  private Watchdog() {}

  private static ScheduledThreadPoolExecutor clock() {
    ScheduledThreadPoolExecutor clock =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "magpie-watchdog");
              thread.setDaemon(true);
              return thread;
            });
    clock.setRemoveOnCancelPolicy(true);
    return clock;
  }

  /** A watch that is running. */
  static final class Guard {
    private final long flag;
    private final ScheduledFuture<?> alarm;
    private boolean over;
    private boolean raised;

    private Guard(Backend.Watch watch) {
      flag = watch.flag();
      alarm = CLOCK.schedule(this::raise, watch.nanos(), TimeUnit.NANOSECONDS);
    }

    private synchronized void raise() {
      if (!over) {
        raised = true;
        new Pointer(flag).setInt(0, 1);
      }
    }

    /** Ends the watch; after it the flag is no longer written. Gives whether it was raised. */
    boolean end() {
      alarm.cancel(false);
      synchronized (this) {
        over = true;
        return raised;
      }
    }
  }

  /** Starts a watch. */
  static Guard start(Backend.Watch watch) {
    return new Guard(watch);
  }
}
