package io.magpie.stm.internal;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Host threads that work on one task at a time together with the caller. Threads that wake too late
 * are not waited for: a task ends when those that entered it have left and nothing is left to
 * enter.
 *
 * <p>A thread that has left a task looks for another one for about as long as it would take to wake
 * it, and then sleeps: tasks often follow each other closely, and many are shorter than that. It
 * sleeps at once if the threads of all pools that are awake would leave no processor to the
 * callers.
 */
public final class WorkerPool implements AutoCloseable {
  /** What each participant does; it returns when there is no more work. */
  @FunctionalInterface
  public interface Task {
    void run(int worker);
  }

  private static final int CLOSED = 1 << 30;

  /** For how long something is looked for before the thread sleeps. */
  private static final long PATIENCE_NANOS = 30_000;

  /** Looks in a row; after them another thread gets the processor if it wants it. */
  private static final int LOOKS = 64;

  private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

  /** Threads of all pools that do not sleep. */
  private static final AtomicInteger AWAKE = new AtomicInteger();

  private static final class Job {
    final Task task;
    final int helpers;
    final Thread caller = Thread.currentThread();
    final AtomicInteger state = new AtomicInteger();
    final AtomicReference<Throwable> failure = new AtomicReference<>();

    Job(Task task, int helpers) {
      this.task = task;
      this.helpers = helpers;
    }

    void work(int worker) {
      try {
        task.run(worker);
      } catch (Throwable e) {
        failure.compareAndSet(null, e);
      }
    }

    void rethrow() {
      Throwable e = failure.get();
      if (e instanceof Error error) {
        throw error;
      }
      if (e != null) {
        throw (RuntimeException) e;
      }
    }

    boolean enter() {
      for (int now = state.get(); (now & CLOSED) == 0; now = state.get()) {
        if (state.compareAndSet(now, now + 1)) {
          return true;
        }
      }
      return false;
    }

    void leave() {
      if (state.decrementAndGet() == CLOSED) {
        LockSupport.unpark(caller);
      }
    }

    void closeAndWait() {
      if (state.addAndGet(CLOSED) == CLOSED || isSoon(() -> state.get() == CLOSED)) {
        return;
      }
      while (state.get() != CLOSED) {
        LockSupport.park(this);
      }
    }
  }

  /** Looks for something for a while, if there are processors for that; gives whether it is so. */
  private static boolean isSoon(BooleanSupplier something) {
    if (AWAKE.get() >= PROCESSORS) {
      return false;
    }
    long begin = System.nanoTime();
    do {
      for (int look = 0; look < LOOKS; look++) {
        if (something.getAsBoolean()) {
          return true;
        }
        Thread.onSpinWait();
      }
      Thread.yield();
    } while (System.nanoTime() - begin < PATIENCE_NANOS);
    return false;
  }

  private final Worker[] threads;
  private volatile Job job;
  private volatile boolean stopped;

  /**
   * @param size participants, the caller included; at least 1
   * @param name prefix of the threads' names
   */
  public WorkerPool(int size, String name) {
    threads = new Worker[size - 1];
    for (int i = 0; i < threads.length; i++) {
      threads[i] = new Worker(i + 1, name);
      threads[i].start();
    }
  }

  public int size() {
    return threads.length + 1;
  }

  /**
   * Runs a task on the caller, as worker 0, and on up to {@code helpers} threads of the pool;
   * returns when all have left it. What the first of them threw, if any, is thrown here; the others
   * go on, so a task that should end early must see to that. One caller at a time.
   */
  public void run(Task task, int helpers) {
    int awake = Math.min(helpers, threads.length);
    if (awake == 0) {
      task.run(0);
      return;
    }
    Job mine = new Job(task, awake);
    job = mine;
    for (int i = 0; i < awake; i++) {
      if (threads[i].asleep) { // else it sees the job before it falls asleep
        LockSupport.unpark(threads[i]);
      }
    }
    mine.work(0);
    job = null;
    mine.closeAndWait();
    mine.rethrow();
  }

  private final class Worker extends Thread {
    private final int number;
    private Job last; // that it has seen
    private volatile boolean asleep;

    Worker(int number, String name) {
      super(name + "-" + number);
      this.number = number;
      setDaemon(true);
    }

    @Override
    public void run() {
      AWAKE.incrementAndGet();
      while (!stopped) {
        Job now = unseen();
        if (now == null) {
          if (!isSoon(this::hasNews)) {
            sleep();
          }
          continue;
        }
        last = now;
        if (now.enter()) {
          now.work(number);
          now.leave();
        }
      }
      AWAKE.decrementAndGet();
    }

    /** The job of the pool, if it has not seen it, and may take part in it; else null. */
    private Job unseen() {
      Job now = job;
      return now != null && now != last && number <= now.helpers ? now : null;
    }

    private boolean hasNews() {
      return stopped || unseen() != null;
    }

    /** Whoever brings news after it was seen to be asleep wakes it; before that, it sees them. */
    private void sleep() {
      AWAKE.decrementAndGet();
      asleep = true;
      while (!hasNews()) {
        LockSupport.park(WorkerPool.this);
      }
      asleep = false;
      AWAKE.incrementAndGet();
    }
  }

  @Override
  public void close() {
    stopped = true;
    for (Worker thread : threads) {
      LockSupport.unpark(thread);
    }
  }
}
