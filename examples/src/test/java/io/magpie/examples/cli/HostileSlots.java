package io.magpie.examples.cli;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.Region;
import io.magpie.stm.SlotPool;
import io.magpie.stm.StmObjects;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Runs a region that breaks the rules of pools again and again, and ends with the status of its
 * failure, or with 1 if the pool's counts are impossible and nothing said so. Called by {@code
 * src/test/hostile/regions.sh}:
 *
 * <pre>HostileSlots slots.cu DEVICE MODE</pre>
 */
final class HostileSlots {
  private static final int LAUNCHES = 60;
  private static final int SLOTS = 64;
  private static final int ITEMS = 8;

  private HostileSlots() {}

  public static void main(String[] arguments) {
    Locale.setDefault(Locale.ROOT);
    int status;
    try {
      run(Path.of(arguments[0]), arguments[1], Integer.parseInt(arguments[2]));
      status = 0;
    } catch (RuntimeException e) {
      System.err.println("magpie: " + e.getMessage());
      status = e instanceof ImpossibleCounts ? 1 : ExitStatus.of(e).code();
    }
    System.exit(status);
  }

  private static void run(Path source, String spec, int mode) {
    try (Device device = Device.open(spec);
        StmObjects cells = device.objects(SLOTS);
        DeviceArray<int[]> tries = device.ints(ITEMS);
        SlotPool pool = device.newSlotPool(SLOTS, 0)) {
      Region region = device.compile(source).region("spill");
      for (int launch = 0; launch < LAUNCHES; launch++) {
        tries.fill(0);
        region.run(
            ITEMS,
            new Fields()
                .set("cells", cells)
                .set("tries", tries)
                .set("slots", pool)
                .set("mode", mode));
        if (pool.live() < 0 || pool.free() < 0 || pool.live() + pool.free() != SLOTS) {
          throw new ImpossibleCounts(pool);
        }
      }
      System.out.printf("live %d, free %d of %d%n", pool.live(), pool.free(), SLOTS);
      if (pool.live() != 0) { // each item gives back what it takes
        throw new ImpossibleCounts(pool);
      }
    }
  }

  private static final class ImpossibleCounts extends RuntimeException {
    private static final long serialVersionUID = 1;

    ImpossibleCounts(SlotPool pool) {
      super("impossible counts: live " + pool.live() + ", free " + pool.free() + " of " + SLOTS);
    }
  }
}
