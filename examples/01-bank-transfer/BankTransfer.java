package io.magpie.examples.tutorials;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.DeviceDescription;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelModule;
import io.magpie.stm.RegionReport;
import io.magpie.stm.StmObjects;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Random transfers between accounts, on every device: no money may be made or lost. */
public final class BankTransfer {
  private static final int ACCOUNTS = 1_000;
  private static final int AMOUNT = 7;

  private BankTransfer() {}

  /** Takes this folder, then devices; all there are if none are named. */
  public static void main(String[] arguments) {
    List<String> devices =
        arguments.length > 1
            ? Arrays.asList(arguments).subList(1, arguments.length)
            : Device.list().stream().map(DeviceDescription::spec).toList();
    for (String spec : devices) {
      transfer(spec, Path.of(arguments[0], "transfer.cu"));
    }
  }

  private static void transfer(String spec, Path source) {
    int[] initial = IntStream.range(0, ACCOUNTS).map(i -> 100).toArray();
    int transfers =
        spec.startsWith("sim") ? 20_000 : 1_000_000; // the simulator is for finding bugs
    int[] from = new SplittableRandom(1).ints(transfers, 0, ACCOUNTS).toArray();
    int[] to = new SplittableRandom(2).ints(transfers, 0, ACCOUNTS).toArray();
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(source); // compiled now, or taken from the cache
        StmObjects accounts = device.objects(ACCOUNTS);
        DeviceArray<int[]> balance = device.copyOf(initial);
        DeviceArray<int[]> payers = device.copyOf(from);
        DeviceArray<int[]> payees = device.copyOf(to)) {
      RegionReport report =
          module
              .region("transfer")
              .run(
                  transfers,
                  new Fields()
                      .set("balance", balance, accounts)
                      .set("from", payers)
                      .set("to", payees)
                      .set("amount", AMOUNT));
      System.out.print(report.requireComplete());
      long total = Arrays.stream(balance.toArray()).asLongStream().sum();
      System.out.printf("  money before %,d, after %,d%n%n", 100 * ACCOUNTS, total);
      if (total != 100 * ACCOUNTS || Arrays.stream(balance.toArray()).anyMatch(b -> b < 0)) {
        throw new AssertionError("the transfers did not conserve the money on " + device);
      }
    }
  }
}
