package io.magpie.stm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TransactionalRegionTest {
  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void transfersKeepTheTotal(String spec) {
    int items = 2000;
    int accounts = 64;
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("transfers.cu"));
        StmObjects objects = device.objects(accounts);
        DeviceArray<int[]> balance = device.ints(accounts);
        DeviceArray<int[]> from = device.copyOf(random(1, items, accounts));
        DeviceArray<int[]> to = device.copyOf(random(2, items, accounts))) {
      balance.fill(100);
      RegionReport report = module.region("transfer").run(items, objects, balance, from, to, 7);
      assertTrue(report.complete(), report::toString);
      assertEquals(items, report.commits() + report.cancels(), report::toString);
      assertEquals(100 * accounts, Arrays.stream(balance.toArray()).sum());
      assertEquals(0, objects.claimed());
      System.out.println(report);
    }
  }

  static int[] random(int seed, int length, int bound) {
    return new Random(seed).ints(length, 0, bound).toArray();
  }
}
