package io.magpie.stm.internal.host;

import com.sun.jna.Pointer;
import io.magpie.stm.internal.Backend;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends launches on {@code cpu} and {@code sim} whose time is up: raises their stop flag, and
 * interrupts those that are still running {@link #GRACE} later.
 *
 * <p>One thread sleeps until the earliest end of time that it knew of when it looked last. Most
 * runs end long before: neither their begin nor their end wakes it, so that a watch costs a run
 * next to nothing.
 */
final class Watchdog {
  /** What a region that looks at the flag has to end in. */
  static final Duration GRACE = Duration.ofSeconds(5);

  /** Between two interrupts of a launch: one may find it where it cannot be left. */
  private static final long AGAIN_NANOS = 20_000_000;

  private static final Logger LOG = LoggerFactory.getLogger(Watchdog.class);
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
        try {
          wait = Math.min(wait, guard.actIfDue(now) - now);
        } catch (RuntimeException | Error e) {
          LOG.error("cannot end a launch whose time is up", e); // the others' times go on
          WATCHED.remove(guard);
        }
      }
      long look = now + wait;
      nextLook = look;
      // A guard with less time that came before this line is seen here; a later one wakes us.
      if (WATCHED.stream().noneMatch(guard -> guard.next - look < 0)) {
        LockSupport.parkNanos(Watchdog.class, look - System.nanoTime());
      }
    }
  }

  /** A launch that is running. */
  static final class Guard {
    private final long flag;
    private final Runnable interrupt;

    /** When there is something to do. */
    private volatile long next;

    private boolean over;
    private boolean raised;

    private Guard(long flag, long nanos, Runnable interrupt) {
      this.flag = flag;
      this.interrupt = interrupt;
      next = System.nanoTime() + (nanos == 0 ? NEVER : Math.min(nanos, NEVER));
    }

    private synchronized long actIfDue(long now) {
      if (!over && next - now <= 0) {
        if (raised) {
          interrupt.run();
          next = now + AGAIN_NANOS;
        } else {
          raise(now);
        }
      }
      return next;
    }

    private void raise(long now) {
      raised = true;
      if (flag != 0) {
        new Pointer(flag).setInt(0, 1);
      }
      next = now + GRACE.toNanos();
    }

    /** Its time is up now. */
    void endEarly() {
      synchronized (this) {
        if (over || raised) {
          return;
        }
        raise(System.nanoTime());
      }
      wakeFor(this);
    }

    /**
     * Ends the watch; after it the flag is no longer written and nothing interrupted. Gives whether
     * its time was up.
     */
    boolean end() {
      WATCHED.remove(this);
      synchronized (this) {
        over = true;
        return raised;
      }
    }
  }

  /**
   * Starts to watch a launch.
   *
   * @param watch null = it has no bound
   * @param interrupt interrupts the launch
   */
  static Guard start(Backend.Watch watch, Runnable interrupt) {
    Guard guard =
        watch == null
            ? new Guard(0, 0, interrupt)
            : new Guard(watch.flag(), watch.nanos(), interrupt);
    WATCHED.add(guard);
    wakeFor(guard);
    return guard;
  }

  private static void wakeFor(Guard guard) {
    if (guard.next - nextLook < 0) {
      LockSupport.unpark(CLOCK);
    }
  }
}
