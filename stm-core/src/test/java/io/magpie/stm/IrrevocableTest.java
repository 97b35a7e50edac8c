package io.magpie.stm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Regions whose transactions become irrevocable, through the facade. */
class IrrevocableTest {
  private static final int ITEMS = 500;

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void whatCannotBeUndoneIsDoneOnce(String spec) {
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("irrevocable.cu"));
        StmObjects accounts = device.objects(5);
        DeviceArray<int[]> balance = device.copyOf(100, 100, 100, 100, 100);
        DeviceArray<int[]> times = device.ints(ITEMS)) {
      for (Policy policy : new Policy[] {Policy.HAND_OFF, Policy.COARSE_LOCK}) {
        times.fill(0);
        module
            .region("receipts")
            .run(
                StmOptions.defaults().withPolicy(policy),
                ITEMS,
                new Fields().set("accounts", accounts).set("balance", balance).set("times", times))
            .requireComplete();
        assertEquals(500, Arrays.stream(balance.toArray()).sum());
        assertArrayEquals(Arrays.stream(new int[ITEMS]).map(x -> 1).toArray(), times.toArray());
      }
    }
  }

  @Test
  void aBrokenWordIsNamed() {
    try (Device device = Device.open("cpu");
        KernelModule module = device.compile(Devices.source("irrevocable.cu"));
        StmObjects accounts = device.objects(5);
        DeviceArray<int[]> balance = device.copyOf(100, 100, 100, 100, 100);
        DeviceArray<int[]> times = device.ints(3)) {
      RegionReport report =
          module
              .region("breaks_its_word")
              .run(
                  StmOptions.defaults(),
                  3,
                  new Fields()
                      .set("accounts", accounts)
                      .set("balance", balance)
                      .set("times", times));
      assertEquals(3, report.unfinishedByRevocation());
      assertEquals(0, report.unfinishedBySlots());
      assertEquals(
          "3 became irrevocable and did not commit: give outcome::commit after that, and ask for"
              + " enough room",
          report.unfinishedReason());
      assertArrayEquals(new int[] {1, 1, 1}, times.toArray());
      assertEquals(500, Arrays.stream(balance.toArray()).sum());
    }
  }

  @Test
  void otherRegionsOfTheModuleRunUnderAllPolicies() {
    try (Device device = Device.open("cpu");
        KernelModule module = device.compile(Devices.source("irrevocable.cu"));
        StmObjects accounts = device.objects(5);
        DeviceArray<int[]> balance = device.ints(5)) {
      module
          .region("deposits")
          .run(
              StmOptions.defaults().withPolicy(Policy.LOCKS),
              30,
              new Fields().set("accounts", accounts).set("balance", balance))
          .requireComplete();
      assertArrayEquals(new int[] {6, 6, 6, 6, 6}, balance.toArray());
    }
  }

  @Test
  void otherPoliciesAreRefused() {
    try (Device device = Device.open("cpu");
        KernelModule module = device.compile(Devices.source("irrevocable.cu"));
        StmObjects accounts = device.objects(5);
        DeviceArray<int[]> balance = device.ints(5);
        DeviceArray<int[]> times = device.ints(3)) {
      IllegalStateException e =
          assertThrows(
              IllegalStateException.class,
              () ->
                  module
                      .region("receipts")
                      .run(
                          StmOptions.defaults().withPolicy(Policy.LOCKS),
                          3,
                          new Fields()
                              .set("accounts", accounts)
                              .set("balance", balance)
                              .set("times", times)));
      assertTrue(
          e.getMessage()
              .contains(
                  "region receipts has no variant for policy locks, fixed: compile its module without"
                      + " MAGPIE_ONLY_REGION, or with another; one that declares irrevocable runs"
                      + " under hand_off and coarse_lock, one with apply"
                      + " not under obstruction_free, nor where writes are in place"),
          e.getMessage());
    }
  }
}
