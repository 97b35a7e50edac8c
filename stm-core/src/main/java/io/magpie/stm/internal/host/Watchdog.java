package io.magpie.stm.internal.host;

import com.sun.jna.Pointer;
import io.magpie.stm.internal.Backend;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Raises the stop flags of runs on {@code cpu} and {@code sim} whose time is up.
 *
 * <p>One thread sleeps until the earliest end of time that it knew of when it looked last. Most
 * runs end long before: neither their begin nor their end wakes it, so that a watch costs a run
 * next to nothing.
 */
final class Watchdog {
  private static final long NEVER = Long.MAX_VALUE / 2;
  private static final Set<Guard> WATCHED = ConcurrentHashMap.newKeySet();

  /** When the thread looks next; later than that no deadline needs to wake it. */
  private static volatile long nextLook = System.nanoTime();

  private static final Thread CLOCK = clock();

  private Watchdog() {}

  private static Thread clock() {
    Thread thread = new Thread(Watchdog::watch, "magpie-watchdog");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private static void watch() {
    while (true) {
      long now = System.nanoTime();
      long wait = NEVER;
      for (Guard guard : WATCHED) {
        long left = guard.deadline - now;
        if (left <= 0) {
          guard.raise();
          WATCHED.remove(guard);
        } else {
          wait = Math.min(wait, left);
        }
      }
      long look = now + wait;
      nextLook = look;
      // A guard with less time that came before this line is seen here; a later one wakes us.
      if (WATCHED.stream().noneMatch(guard -> guard.deadline - look < 0)) {
        LockSupport.parkNanos(Watchdog.class, look - System.nanoTime());
      }
    }
  }

  /** A watch that is running. */
  static final class Guard {
    private final long flag;
    private final long deadline;
    private boolean over;
    private boolean raised;

    private Guard(Backend.Watch watch) {
      flag = watch.flag();
      deadline = System.nanoTime() + Math.min(watch.nanos(), NEVER);
    }

    private synchronized void raise() {
      if (!over) {
        raised = true;
        new Pointer(flag).setInt(0, 1);
      }
    }

    /** Ends the watch; after it the flag is no longer written. Gives whether it was raised. */
    boolean end() {
      WATCHED.remove(this);
      synchronized (this) {
        over = true;
        return raised;
      }
    }
  }

  /** Starts a watch. */
  static Guard start(Backend.Watch watch) {
    Guard guard = new Guard(watch);
    WATCHED.add(guard);
    if (guard.deadline - nextLook < 0) {
      LockSupport.unpark(CLOCK);
    }
    return guard;
  }
}
