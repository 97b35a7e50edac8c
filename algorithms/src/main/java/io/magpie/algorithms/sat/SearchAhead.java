package io.magpie.algorithms.sat;

import java.util.concurrent.CancellationException;
import java.util.function.Supplier;

/**
 * A search of the host that a thread of its own gets ready, while another one has something else to
 * do. {@link #close} stops that thread by an interrupt and waits for its end, so nothing runs
 * afterwards, whether the search was needed or not.
 */
final class SearchAhead implements AutoCloseable {
  private final Thread thread;
  private SequentialSearch search; // like the next one written by the thread, read after its end
  private Throwable failure;

  /**
   * Begins.
   *
   * @param ready gives the search, or ends by any exception soon after its thread is interrupted
   */
  SearchAhead(Supplier<SequentialSearch> ready) {
    thread = new Thread(() -> make(ready), "magpie local search");
    thread.setDaemon(true);
    thread.start();
  }

  private void make(Supplier<SequentialSearch> ready) {
    try {
      search = ready.get();
    } catch (RuntimeException | Error e) {
      failure = e;
    }
  }

  /**
   * Waits for the search. What getting it ready throws is thrown here; if nobody asks, it is of no
   * consequence.
   *
   * @throws CancellationException if the calling thread was interrupted, which it still is then
   */
  SequentialSearch get() {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted in the local search");
    }
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure != null) {
      throw (RuntimeException) failure;
    }
    return search;
  }

  @Override
  public void close() {
    thread.interrupt();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
