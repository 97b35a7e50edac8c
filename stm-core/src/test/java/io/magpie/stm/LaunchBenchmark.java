package io.magpie.stm;

import java.util.Locale;

/**
 * Times launches of a small kernel of five arguments.
 *
 * <p>Arguments: a device, such as {@code cuda}; the number of rounds, default 9. Prints a line of
 * CSV for each round: microseconds for each of 50,000 launches in a row, and for each of 5,000 that
 * are waited for. A first round, which is not printed, warms up. Exit status 1 if a launch was
 * lost.
 */
final class LaunchBenchmark {
  private static final int ITEMS = 64;
  private static final int IN_A_ROW = 50_000;
  private static final int WAITED_FOR = 5_000;

  private LaunchBenchmark() {}

  /** Runs the benchmark. */
  public static void main(String[] arguments) {
    int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 9;
    try (Device device = Device.open(arguments.length > 0 ? arguments[0] : "auto");
        KernelModule module = device.compile(Devices.source("vectors.cu"));
        DeviceArray<int[]> x = device.ints(ITEMS);
        DeviceArray<int[]> y = device.ints(ITEMS);
        DeviceArray<long[]> done = device.longs(1)) {
      Kernel kernel = module.kernel("scaled_sum");
      Fields fields =
          new Fields().set("n", ITEMS).set("factor", 1).set("x", x).set("y", y).set("done", done);
      System.out.println("device,round,launch_us,launch_and_wait_us");
      for (int round = -1; round < rounds; round++) {
        long begin = System.nanoTime();
        for (int i = 0; i < IN_A_ROW; i++) {
          kernel.launch(ITEMS, fields);
        }
        done.getLong(0); // waits
        long between = System.nanoTime();
        for (int i = 0; i < WAITED_FOR; i++) {
          kernel.run(ITEMS, fields);
        }
        long end = System.nanoTime();
        if (round >= 0) {
          System.out.printf(
              Locale.ROOT,
              "%s,%d,%.3f,%.3f%n",
              device.description().spec(),
              round,
              (between - begin) / 1e3 / IN_A_ROW,
              (end - between) / 1e3 / WAITED_FOR);
        }
      }
      long expected = (rounds + 1L) * (IN_A_ROW + WAITED_FOR) * ITEMS;
      if (done.getLong(0) != expected) {
        System.err.printf(Locale.ROOT, "%d items were done, not %d%n", done.getLong(0), expected);
        System.exit(1);
      }
    }
  }
}
