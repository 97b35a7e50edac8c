package io.magpie.examples.cli.commands;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Work that is done once: by the program when it gets there, or, if the process is ended from
 * outside before (SIGINT, SIGTERM, SIGHUP), in what then is left of its life.
 *
 * <p>An end from outside does not stop the program's thread at once; so who comes second waits: the
 * thread for ever, as the process is about to be gone, and the end for the thread's work.
 */
final class FinalWork implements AutoCloseable {
  /** Longest wait of the end for the program's own work. */
  private static final long PATIENCE_SECONDS = 30;

  private final AtomicBoolean begun = new AtomicBoolean();
  private final CountDownLatch done = new CountDownLatch(1);
  private final Thread atEnd;

  /**
   * From now on an end from outside does this work.
   *
   * @param fromOutside runs concurrently with whatever the program does then
   */
  FinalWork(Runnable fromOutside) {
    this.atEnd = new Thread(() -> end(fromOutside), "final work");
    try {
      Runtime.getRuntime().addShutdownHook(atEnd);
    } catch (IllegalStateException e) { // the process is ending, and nothing is there to be kept
      waitForTheEnd();
    }
  }

  private void end(Runnable fromOutside) {
    if (begun.compareAndSet(false, true)) {
      fromOutside.run();
      return;
    }
    try {
      done.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Does the work here. Does not return if an end from outside has begun to do it. */
  void run(Runnable here) {
    if (!begun.compareAndSet(false, true)) {
      waitForTheEnd();
    }
    try {
      here.run();
    } finally {
      done.countDown();
    }
  }

  private static void waitForTheEnd() {
    while (true) {
      try {
        Thread.sleep(Long.MAX_VALUE);
      } catch (InterruptedException e) { // whoever wants this thread back gets the end
      }
    }
  }

  /** An end from outside has nothing to do any more. */
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(atEnd);
    } catch (IllegalStateException e) { // the process is ending
    }
  }
}
