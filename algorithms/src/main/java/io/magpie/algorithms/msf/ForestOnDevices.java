package io.magpie.algorithms.msf;

import io.magpie.algorithms.internal.Elapsed;
import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.algorithms.internal.driver.Resources;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/**
 * The forest of a source's edges by several devices, each on a thread of its own: each takes the
 * next chunk when it is done with its last, and their forests are merged in pairs.
 */
final class ForestOnDevices {
  private final List<Device> devices;
  private final MsfOptions options;
  private final int chunk;
  private final int mostRoom;
  private final Function<Device, DeviceMemory> memory;

  /**
   * Computes nothing yet.
   *
   * @param mostRoom for edges behind a forest, if that is more than a chunk
   * @param memory by which a run allocates on its device
   */
  ForestOnDevices(
      List<Device> devices,
      MsfOptions options,
      int chunk,
      int mostRoom,
      Function<Device, DeviceMemory> memory) {
    this.devices = devices;
    this.options = options;
    this.chunk = chunk;
    this.mostRoom = mostRoom;
    this.memory = memory;
  }

  /**
   * Computes it.
   *
   * @param known the most edges that the source may have
   */
  NumberedForest of(EdgeSource source, long known) {
    devices.forEach(device -> StreamedForest.prepare(device, source));
    connect();
    long begin = System.nanoTime();
    List<StreamedRun> runs = new ArrayList<>();
    try {
      for (Device device : devices) {
        runs.add(new StreamedRun(memory.apply(device), options, chunk, mostRoom, devices.size()));
      }
      UpcomingForest upcoming = new UpcomingForest(source.vertices(), source.weightType());
      SharedEdges edges = new SharedEdges(source, known);
      List<Runnable> reading = new ArrayList<>();
      for (StreamedRun run : runs) {
        EdgeSource reader = edges.reader();
        UpcomingForest ofFirst = run == runs.get(0) ? upcoming : null;
        reading.add(
            () -> {
              run.read(reader, known, ofFirst);
              settle(run);
            });
      }
      together(reading, edges);
      long read = System.nanoTime();
      mergeInPairs(runs, edges);
      NumberedForest forest = runs.get(0).forest(upcoming, begin);
      return forest.withReport(
          StreamReport.ofSeveral(
              runs.stream().map(run -> run.report(0, 0)).toList(),
              Elapsed.millisSince(read),
              Elapsed.millisSince(begin)));
    } finally {
      Resources.close(runs);
    }
  }

  /**
   * Opens the ways by which devices copy edges to each other. They stay, and so are no part of a
   * run.
   */
  private void connect() {
    for (int step = 1; step < devices.size(); step *= 2) {
      for (int i = 0; i + step < devices.size(); i += 2 * step) {
        try (DeviceArray<int[]> one = devices.get(i).ints(1);
            DeviceArray<int[]> other = devices.get(i + step).ints(1)) {
          one.copyFrom(other);
        }
      }
    }
  }

  private void settle(StreamedRun run) {
    if (devices.size() > 1) {
      run.settle();
    }
  }

  /** Merges all to the first: at each step half of those that are left take over the others. */
  private void mergeInPairs(List<StreamedRun> runs, SharedEdges edges) {
    List<StreamedRun> left = runs;
    while (left.size() > 1) {
      List<StreamedRun> next = new ArrayList<>();
      List<Runnable> merges = new ArrayList<>();
      boolean last = left.size() == 2;
      for (int i = 0; i < left.size(); i += 2) {
        StreamedRun one = left.get(i);
        next.add(one);
        if (i + 1 < left.size()) {
          StreamedRun other = left.get(i + 1);
          merges.add(
              () -> {
                one.merge(other);
                if (!last) {
                  one.settle();
                }
              });
        }
      }
      together(merges, edges);
      left = next;
    }
  }

  /**
   * Runs all at once, and waits until all have ended, one way or another: where one fails, no more
   * edges come. The failure that came first is thrown, with the others behind it.
   */
  private static void together(List<Runnable> runs, SharedEdges edges) {
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      int place = i;
      Runnable run =
          () -> {
            try {
              runs.get(place).run();
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
