package io.magpie.algorithms.msf;

import io.magpie.algorithms.internal.Elapsed;
import io.magpie.stm.Device;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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

  NumberedForest of(EdgeSource source) {
    long begin = System.nanoTime();
    SharedEdges edges = new SharedEdges(source);
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
      NumberedForest one = forests.get(i);
      NumberedForest other = forests.get(i + 1);
      merges.add(() -> StreamedForest.merge(device, one, other, options));
    }
    return merges;
  }

  private static List<StreamReport> reports(List<NumberedForest> forests) {
    return forests.stream().map(forest -> forest.report().orElseThrow()).toList();
  }

  /**
   * Runs all at once, and waits until all have ended, one way or another: where one fails, no more
   * edges come.
   */
  private static List<NumberedForest> together(
      List<Supplier<NumberedForest>> runs, SharedEdges edges) {
    ExecutorService threads = Executors.newFixedThreadPool(runs.size());
    try {
      List<Future<NumberedForest>> working = new ArrayList<>();
      for (Supplier<NumberedForest> run : runs) {
        working.add(
            threads.submit(
                () -> {
                  try {
                    return run.get();
                  } catch (RuntimeException | Error e) {
                    edges.stop();
                    throw e;
                  }
                }));
      }
      return results(working);
    } finally {
      threads.shutdown();
    }
  }

  /** What all of them give; else the first failure, with the others behind it. */
  private static List<NumberedForest> results(List<Future<NumberedForest>> working) {
    List<NumberedForest> results = new ArrayList<>();
    List<Throwable> failures = new ArrayList<>();
    boolean interrupted = false;
    for (Future<NumberedForest> one : working) {
      boolean ended = false;
      while (!ended) {
        try {
          results.add(one.get());
          ended = true;
        } catch (ExecutionException e) {
          failures.add(e.getCause());
          ended = true;
        } catch (InterruptedException e) {
          interrupted = true; // ends no run of a device, so neither of several
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (!failures.isEmpty()) {
      Throwable first = failures.remove(0);
      failures.stream().filter(failure -> failure != first).forEach(first::addSuppressed);
      if (first instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) first;
    }
    return results;
  }
}
