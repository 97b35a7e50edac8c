package io.magpie.algorithms.msf;

import io.magpie.algorithms.internal.Elapsed;
import io.magpie.stm.Device;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;

/**
 * The forest of a source's edges by several devices, each on a thread of its own: each takes the
 * next chunk when it is done with its last, and their forests are merged in pairs.
 */
final class ForestOnDevices {
  private final List<Device> devices;
  private final MsfOptions options;
  private final int chunk;

  ForestOnDevices(List<Device> devices, MsfOptions options, int chunk) {
    this.devices = devices;
    this.options = options;
    this.chunk = chunk;
  }

  /**
   * Computes it.
   *
   * @param known the most edges that the source may have
   */
  NumberedForest of(EdgeSource source, long known) {
    devices.forEach(device -> StreamedForest.prepare(device, source));
    long begin = System.nanoTime();
    SharedEdges edges = new SharedEdges(source, known);
    List<Supplier<NumberedForest>> reading = new ArrayList<>();
    for (Device device : devices) {
      EdgeSource reader = edges.reader();
      reading.add(() -> StreamedForest.run(device, reader, options, chunk));
    }
    List<NumberedForest> forests = together(reading, edges);
    List<StreamReport> ofChunks = reports(forests);
    long read = System.nanoTime();
    List<StreamReport> ofMerges = new ArrayList<>();
    while (forests.size() > 1) {
      List<NumberedForest> merged = together(mergesInPairs(forests), edges);
      ofMerges.addAll(reports(merged));
      if (forests.size() % 2 == 1) {
        merged.add(forests.get(forests.size() - 1));
      }
      forests = merged;
    }
    StreamReport report =
        StreamReport.ofSeveral(
            ofChunks, ofMerges, Elapsed.millisSince(read), Elapsed.millisSince(begin));
    return forests.get(0).withReport(report);
  }

  private List<Supplier<NumberedForest>> mergesInPairs(List<NumberedForest> forests) {
    List<Supplier<NumberedForest>> merges = new ArrayList<>();
    for (int i = 0; i + 1 < forests.size(); i += 2) {
      Device device = devices.get(i / 2);
      EdgeSource both = StreamedForest.merged(forests.get(i), forests.get(i + 1), options);
      merges.add(() -> StreamedForest.run(device, both, options, chunk));
    }
    return merges;
  }

  private static List<StreamReport> reports(List<NumberedForest> forests) {
    return forests.stream().map(forest -> forest.report().orElseThrow()).toList();
  }

  /**
   * Runs all at once, and waits until all have ended, one way or another: where one fails, no more
   * edges come. The failure that came first is thrown, with the others behind it.
   */
  private static List<NumberedForest> together(
      List<Supplier<NumberedForest>> runs, SharedEdges edges) {
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    NumberedForest[] results = new NumberedForest[runs.size()];
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < results.length; i++) {
      int place = i;
      Runnable run =
          () -> {
            try {
              results[place] = runs.get(place).get();
            } catch (RuntimeException | Error e) {
              failures.add(e);
              edges.stop();
            }
          };
      Thread thread = new Thread(run, "magpie device " + place);
      thread.setDaemon(true);
      threads.add(thread);
    }
    try {
      threads.forEach(Thread::start);
    } catch (Error e) { // there is no room for one more
      failures.add(e);
      edges.stop();
    }
    threads.forEach(ForestOnDevices::join);
    if (!failures.isEmpty()) {
      Throwable first = failures.remove(0);
      failures.stream().filter(failure -> failure != first).forEach(first::addSuppressed);
      if (first instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) first;
    }
    return new ArrayList<>(List.of(results));
  }

  /** Waits for the end of a thread. An interrupt ends no run of a device, so neither of several. */
  private static void join(Thread thread) {
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
