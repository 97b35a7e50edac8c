package io.magpie.stm.internal;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * Host threads that work on one task at a time together with the caller. Threads that wake too late
 * are not waited for: a task ends when those that entered it have left and nothing is left to
 * enter.
 */
public final class WorkerPool implements AutoCloseable {
  /** What each participant does; it returns when there is no more work. */
  @FunctionalInterface
  public interface Task {
    void run(int worker);
  }

  private static final int CLOSED = 1 << 30;
  private static final int SPINS = 200;

  private static final class Job {
    final Task task;
    final Thread caller = Thread.currentThread();
    final AtomicInteger state = new AtomicInteger();
    final AtomicReference<Throwable> failure = new AtomicReference<>();

    Job(Task task) {
      this.task = task;
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
      int now = state.addAndGet(CLOSED);
      for (int spin = 0; now != CLOSED; now = state.get()) {
        if (spin++ < SPINS) {
          Thread.onSpinWait();
        } else {
          LockSupport.park(this);
        }
      }
    }
  }

  private final Thread[] threads;
  private volatile Job job;
  private volatile boolean stopped;

  /**
   * @param size participants, the caller included; at least 1
   * @param name prefix of the threads' names
   */
  public WorkerPool(int size, String name) {
    threads = new Thread[size - 1];
    for (int i = 0; i < threads.length; i++) {
      int worker = i + 1;
      threads[i] = new Thread(() -> work(worker), name + "-" + worker);
      threads[i].setDaemon(true);
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
    Job mine = new Job(task);
    job = mine;
    for (int i = 0; i < awake; i++) {
      LockSupport.unpark(threads[i]);
    }
    mine.work(0);
    job = null;
    mine.closeAndWait();
    mine.rethrow();
  }

  private void work(int worker) {
    Job last = null;
    while (!stopped) {
      Job now = job;
      if (now == null || now == last) {
        LockSupport.park(this);
        continue;
      }
      last = now;
      if (now.enter()) {
        now.work(worker);
        now.leave();
      }
    }
  }

  @Override
  public void close() {
    stopped = true;
    for (Thread thread : threads) {
      LockSupport.unpark(thread);
    }
  }
}
