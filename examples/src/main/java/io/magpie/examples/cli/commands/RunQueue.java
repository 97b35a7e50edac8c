package io.magpie.examples.cli.commands;

import io.magpie.stm.Device;
import io.magpie.verification.workload.CheckedRounds;
import io.magpie.verification.workload.RecordedRuns;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Recorded runs of a workload of which several are made and checked at the same time: each on a
 * thread of its own, which opens a device and makes the workload anew. Of one at a time the caller
 * makes them all.
 */
final class RunQueue implements AutoCloseable {
  /**
   * A run that has ended.
   *
   * @param number which one it is, from 0
   * @param rounds what came of it; null if it failed
   * @param failure what it threw; null if nothing
   */
  record Ended(long number, CheckedRounds rounds, Throwable failure) {}

  /** What a thread works with. */
  interface Worker extends AutoCloseable {
    /** The device that its runs are on. */
    Device device();

    /** Its runs. */
    RecordedRuns runs();

    @Override
    void close();
  }

  /** Makes what another thread works with, on that thread. */
  @FunctionalInterface
  interface Opener {
    /** What it works with, and closes. */
    Worker open() throws Exception;
  }

  /** One run. */
  @FunctionalInterface
  interface Run {
    /** Makes it, and checks it. */
    CheckedRounds make(RecordedRuns runs, long items, long number);
  }

  /** A run that is to be made; without items, that there are no more. */
  private record Asked(long items, long number) {}

  private static final Asked NO_MORE = new Asked(0, -1);

  /** After which a run that still goes on is canceled again: it may be of several launches. */
  private static final long MILLIS_TO_END = 100;

  private final Device device;
  private final RecordedRuns first;
  private final Run run;
  private final int atOnce;
  private final BlockingQueue<Asked> asked = new LinkedBlockingQueue<>();
  private final BlockingQueue<Ended> ended = new LinkedBlockingQueue<>();
  private final List<Worker> workers = new ArrayList<>(); // but the first
  private final List<Thread> threads = new ArrayList<>();
  private boolean closed;
  private int pending;
  private long number;

  /**
   * @param device that one of the threads has
   * @param first its runs; stay the caller's
   * @param atOnce runs at the same time, at least 1
   * @param opener makes what the other threads have
   */
  RunQueue(Device device, RecordedRuns first, int atOnce, Opener opener, Run run) {
    this.device = device;
    this.first = first;
    this.run = run;
    this.atOnce = atOnce;
    for (int i = 0; atOnce > 1 && i < atOnce; i++) {
      boolean own = i > 0;
      Thread thread =
          new Thread(() -> work(own ? opener : null), "magpie-verify-" + threads.size());
      thread.setDaemon(true);
      threads.add(thread);
    }
    threads.forEach(Thread::start);
  }

  private void work(Opener opener) {
    if (opener == null) {
      work(first);
      return;
    }
    try (Worker own = opener.open()) {
      synchronized (this) {
        if (closed) {
          return;
        }
        workers.add(own);
      }
      work(own.runs());
    } catch (Exception | Error e) { // the caller has to know
      ended.add(new Ended(-1, null, e));
    }
  }

  private void work(RecordedRuns runs) {
    try {
      for (Asked next = asked.take(); next.items > 0; next = asked.take()) {
        ended.add(ended(runs, next));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Ended ended(RecordedRuns runs, Asked next) {
    try {
      return new Ended(next.number, run.make(runs, next.items, next.number), null);
    } catch (RuntimeException | Error e) {
      return new Ended(next.number, null, e);
    }
  }

  /** Whether another run can be asked for before one has ended. */
  boolean hasRoom() {
    return pending < atOnce;
  }

  /** How many runs were asked for whose end nobody knows. */
  int pending() {
    return pending;
  }

  /** Asks for another run of so many items. */
  void ask(long items) {
    pending++;
    asked.add(new Asked(items, number++));
  }

  /** Waits for a run to end, whichever is the first. */
  Ended next() {
    try {
      Ended next = atOnce == 1 ? ended(first, asked.take()) : ended.take();
      pending--;
      return next;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while runs are checked", e);
    }
  }

  /** What all threads have run so far; only as long as none runs. */
  synchronized List<RecordedRuns> all() {
    List<RecordedRuns> all = new ArrayList<>(List.of(first));
    workers.forEach(worker -> all.add(worker.runs()));
    return all;
  }

  /** Ends what still runs, and waits for that. */
  @Override
  public void close() {
    List<Worker> running;
    synchronized (this) {
      closed = true;
      running = List.copyOf(workers);
    }
    asked.clear();
    threads.forEach(thread -> asked.add(NO_MORE));
    try {
      for (Thread thread : threads) {
        while (thread.isAlive()) {
          if (pending > 0) { // nobody wants to know what comes of them
            device.cancelRun();
            running.forEach(worker -> worker.device().cancelRun());
          }
          thread.join(MILLIS_TO_END);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
