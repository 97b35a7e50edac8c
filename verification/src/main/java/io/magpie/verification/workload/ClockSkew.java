package io.magpie.verification.workload;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelModule;
import java.util.Arrays;

/**
 * How far the timers that a device's threads read can differ.
 *
 * <p>Threads on all multiprocessors look at the timer before and after additions to one word, whose
 * values tell the true order of the additions. If b's came before a's, then b had looked before a
 * looked again, so a's timer is ahead of b's by at most what lies between the two looks. The least
 * of these over all samples, and over chains of threads, bounds each pair; the largest bound of a
 * pair is the device's. It holds for timers whose difference does not change meanwhile, and is
 * about the time of one addition under contention where they do not differ at all.
 *
 * @param nanos the bound, resolution included
 * @param resolution smallest step of the timer that was seen, in nanoseconds
 * @param participants threads that took part
 */
public record ClockSkew(long nanos, long resolution, int participants) {
  private static final int SAMPLES = 256;
  private static final long UNKNOWN = Long.MAX_VALUE / 4;

  /**
   * Measures, in a few milliseconds.
   *
   * @throws IllegalStateException if some threads' timers could not be compared because they did
   *     not run at the same time
   */
  public static ClockSkew measure(Device device) {
    int width = device.warpWidth();
    int stride = width == 1 ? 1 : 256;
    int participants = device.description().parallelism() * (width == 1 ? 1 : 2);
    long events = (long) participants * SAMPLES;
    try (KernelModule module = device.load("clock_skew");
        DeviceArray<long[]> word = device.longs(1);
        DeviceArray<long[]> before = device.longs(events);
        DeviceArray<long[]> turn = device.longs(events);
        DeviceArray<long[]> after = device.longs(events)) {
      module
          .kernel("clock_skew")
          .run(
              (long) participants * stride,
              new Fields()
                  .set("participants", participants)
                  .set("stride", stride)
                  .set("samples", SAMPLES)
                  .set("word", word)
                  .set("before", before)
                  .set("turn", turn)
                  .set("after", after));
      return of(participants, before.toArray(), turn.toArray(), after.toArray());
    }
  }

  /**
   * The bound that some samples give.
   *
   * @param before of all samples, those of one participant together and in order
   * @param turn the values of the word, each once from 0 on
   * @param after of all samples
   */
  static ClockSkew of(int participants, long[] before, long[] turn, long[] after) {
    int samples = before.length / participants;
    int[] order = new int[before.length];
    for (int event = 0; event < order.length; event++) {
      order[Math.toIntExact(turn[event])] = event;
    }
    // ahead[a][b]: a's timer is ahead of b's by at most this.
    long[][] ahead = new long[participants][participants];
    for (long[] row : ahead) {
      Arrays.fill(row, UNKNOWN);
    }
    long[] latest = new long[participants];
    Arrays.fill(latest, Long.MIN_VALUE);
    for (int event : order) {
      int a = event / samples;
      for (int b = 0; b < participants; b++) {
        if (b != a && latest[b] != Long.MIN_VALUE) {
          ahead[a][b] = Math.min(ahead[a][b], after[event] - latest[b]);
        }
      }
      latest[a] = before[event];
    }
    closeChains(ahead);
    long largest = 0;
    for (int a = 0; a < participants; a++) {
      for (int b = 0; b < participants; b++) {
        largest = a == b ? largest : Math.max(largest, ahead[a][b]);
      }
    }
    if (largest >= UNKNOWN) {
      throw new IllegalStateException(
          "the timers of some threads could not be compared, as they did not run at the same time");
    }
    long resolution = resolution(before, after);
    return new ClockSkew(largest + resolution, resolution, participants);
  }

  /** Floyd and Warshall. */
  private static void closeChains(long[][] ahead) {
    for (int through = 0; through < ahead.length; through++) {
      for (long[] row : ahead) {
        for (int b = 0; b < row.length; b++) {
          row[b] = Math.min(row[b], row[through] + ahead[through][b]);
        }
      }
    }
  }

  private static long resolution(long[] before, long[] after) {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < before.length; i++) {
      if (after[i] > before[i]) {
        least = Math.min(least, after[i] - before[i]);
      }
    }
    return least == Long.MAX_VALUE ? 0 : least;
  }
}
