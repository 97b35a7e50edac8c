package io.magpie.examples.cli.commands;

import io.magpie.verification.workload.CheckedRounds;
import io.magpie.verification.workload.RecordedRuns;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Recorded runs of a workload of which several are made and checked at the same time: each on a
 * thread of its own, which opens a device and makes the workload anew. If only one is made at a
 * time, there are no threads: the caller makes each when it waits for it.
 */
final class RunQueue implements AutoCloseable {
  /**
   * A run that has ended.
   *
   * @param number which one it is, from 0; -1 if a thread failed without one
   * @param rounds what came of it; null if it failed
   * @param failure what it threw; null if nothing
   */
  record Ended(long number, CheckedRounds rounds, Throwable failure) {}

  /** What a thread works with. */
  interface Worker extends AutoCloseable {
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

  /** After which a run that still goes on is ended again: its launch may not have begun. */
  private static final long MILLIS_TO_END = 100;

  private final RecordedRuns first;
  private final Run run;
  private final int atOnce;
  private final BlockingQueue<Asked> asked = new LinkedBlockingQueue<>();
  private final BlockingQueue<Ended> ended = new LinkedBlockingQueue<>();
  private final List<Worker> workers = new ArrayList<>(); // but the first
  private final List<Thread> threads = new ArrayList<>();
  private boolean ending;
  private int pending;
  private long number;

  /**
   * @param first the runs of one of the threads; stay the caller's
   * @param atOnce runs at the same time, at least 1
   * @param opener makes what the other threads have
   */
  RunQueue(RecordedRuns first, int atOnce, Opener opener, Run run) {
    this.first = first;
    this.run = run;
    this.atOnce = atOnce;
    for (int i = 0; atOnce > 1 && i < atOnce; i++) {
      int job = i + 1;
      Thread thread = new Thread(() -> work(job, opener), "magpie-verify-" + job);
      thread.setDaemon(true);
      threads.add(thread);
    }
    threads.forEach(Thread::start);
  }

  private void work(int job, Opener opener) {
    if (job == 1) {
      work(first);
      return;
    }
    try (Worker own = opener.open()) {
      synchronized (this) {
        workers.add(own);
        if (ending) {
          own.runs().end();
        }
      }
      work(own.runs());
    } catch (Exception | Error e) { // the caller has to know
      ended.add(new Ended(-1, null, new JobException(job, atOnce, e)));
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

  /**
   * Ends the runs that are under way, and those that were asked for: they fail soon, or tell only
   * what they had done. No other can be asked for.
   */
  synchronized void endRuns() {
    ending = true;
    first.end();
    workers.forEach(worker -> worker.runs().end());
  }

  /** Waits for a run to end, whichever is the first. */
  Ended next() {
    try {
      Ended next = atOnce == 1 ? ended(first, asked.take()) : null;
      while (next == null) {
        next = ended.poll(MILLIS_TO_END, TimeUnit.MILLISECONDS);
        if (next == null && isEnding()) {
          endRuns();
        }
      }
      if (next.number >= 0) {
        pending--;
      }
      return next;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while runs are checked", e);
    }
  }

  private synchronized boolean isEnding() {
    return ending;
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
    asked.clear();
    threads.forEach(thread -> asked.add(NO_MORE));
    try {
      for (Thread thread : threads) {
        while (thread.isAlive()) {
          if (pending > 0) { // nobody wants to know what comes of them
            endRuns();
          }
          thread.join(MILLIS_TO_END);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
