package io.magpie.stm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a region does that would end the process ends its run, by name, and nothing else. */
class RegionFaultsTest {
  private static final int ITEMS = 100;
  private static final int CULPRIT = 41;
  private static final int ENDLESS = 4;

  @ParameterizedTest
  @ValueSource(strings = {"cpu:1", "cpu:3", "cpu-checked:2", "sim:0:1", "sim:3:8"})
  void aFaultOfTheProcessorEndsTheRun(String spec) {
    String[] said = {
      "division of an integer by zero",
      "access through a null pointer, at address 0x10",
      "access to address 0x123456789000, where it has no memory",
      "overflow of the thread's stack"
    };
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("deeds.cu"), Devices.FIXED_LOGS);
        StmObjects objects = device.objects(ITEMS);
        DeviceArray<int[]> value = device.ints(ITEMS)) {
      Region region = module.region("do_deed");
      for (int again = 0; again < 3; again++) {
        for (int deed = 0; deed < said.length; deed++) {
          int which = deed;
          KernelFaultException e =
              assertThrows(
                  KernelFaultException.class,
                  () ->
                      region.run(
                          ITEMS,
                          new Fields()
                              .set("cells", objects)
                              .set("value", value)
                              .set("culprit", CULPRIT)
                              .set("deed", which)
                              .set("zero", 0)));
          assertTrue(e.getMessage().contains("stopped by the processor"), e::getMessage);
          assertTrue(e.getMessage().contains(said[deed]), e::getMessage);
          assertTrue(e.getMessage().startsWith("region do_deed (policy hand_off, "), e::getMessage);
          assertFalse(e.getMessage().contains("do_deed__hand_off"), e::getMessage);
          if (!spec.startsWith("cpu:")) {
            assertTrue(e.getMessage().contains(", item " + CULPRIT + ": "), e::getMessage);
          }
          assertFalse(e.deviceDead());
        }
        value.fill(0);
        region
            .run(
                ITEMS,
                new Fields()
                    .set("cells", objects)
                    .set("value", value)
                    .set("culprit", ITEMS)
                    .set("deed", 0)
                    .set("zero", 0))
            .requireComplete();
        assertArrayEquals(IntStream.generate(() -> 1).limit(ITEMS).toArray(), value.toArray());
        assertEquals(0, objects.claimed());
        assertNullPointersAreStillTheJvms();
      }
    }
  }

  /** The JVM raises the same signals for its own purposes, on all threads. */
  private static void assertNullPointersAreStillTheJvms() {
    int caught = 0;
    for (int i = 0; i < 20_000; i++) {
      try {
        String text = i % 2 == 0 ? null : "x";
        caught += text.length() - 1;
      } catch (NullPointerException e) {
        caught++;
      }
    }
    assertEquals(10_000, caught);
    int divisor = caught - 10_000;
    assertThrows(ArithmeticException.class, () -> System.out.println(1 / divisor));
    assertThrows(StackOverflowError.class, () -> descend(Integer.MAX_VALUE));
  }

  private static int descend(int left) {
    return left == 0 ? 0 : descend(left - 1) + 1;
  }

  @ParameterizedTest
  @ValueSource(strings = {"cpu-checked:2", "sim:0:1"})
  void anIndexFaultNamesFieldIndexLengthAndItem(String spec) {
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("deeds.cu"), Devices.FIXED_LOGS);
        StmObjects objects = device.objects(ITEMS);
        DeviceArray<int[]> value = device.ints(ITEMS)) {
      Region region = module.region("do_deed");
      KernelFaultException e =
          assertThrows(
              KernelFaultException.class,
              () ->
                  region.run(
                      ITEMS,
                      new Fields()
                          .set("cells", objects)
                          .set("value", value)
                          .set("culprit", CULPRIT)
                          .set("deed", 5)
                          .set("zero", 0)));
      assertTrue(
          e.getMessage().contains(", item 41: index 1041 is outside 'value' of length 100"),
          e::getMessage);
      e =
          assertThrows(
              KernelFaultException.class,
              () ->
                  region.run(
                      ITEMS + 1,
                      new Fields()
                          .set("cells", objects)
                          .set("value", value)
                          .set("culprit", CULPRIT)
                          .set("deed", 9)
                          .set("zero", 0)));
      assertTrue(
          e.getMessage().contains(", item 100: index 100 is outside 'cells' of length 100"),
          e::getMessage);
    }
  }

  @ParameterizedTest
  @CsvSource({"cpu:1, 1", "cpu:3, 100", "cpu-checked:2, 100", "sim:0:1, 100", "sim:3:8, 100"})
  @Tag("slow")
  void anEndlessLoopEndsSoonAfterItsTime(String spec, int items) {
    StmOptions options = StmOptions.defaults().withTimeout(Duration.ofSeconds(2));
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("deeds.cu"), Devices.FIXED_LOGS);
        StmObjects objects = device.objects(ITEMS);
        DeviceArray<int[]> value = device.ints(ITEMS)) {
      Region region = module.region("do_deed");
      int culprit = items - 1;
      KernelFaultException e =
          assertThrows(
              KernelFaultException.class,
              () ->
                  region.run(
                      options,
                      items,
                      new Fields()
                          .set("cells", objects)
                          .set("value", value)
                          .set("culprit", culprit)
                          .set("deed", ENDLESS)
                          .set("zero", 0)));
      assertTrue(e.getMessage().contains("no end: "), e::getMessage);
      assertTrue(e.getMessage().contains("still running after its time was up"), e::getMessage);
      value.fill(0);
      region
          .run(
              items,
              new Fields()
                  .set("cells", objects)
                  .set("value", value)
                  .set("culprit", ITEMS)
                  .set("deed", 0)
                  .set("zero", 0))
          .requireComplete();
      assertEquals(items, IntStream.of(value.toArray()).sum());
    }
  }

  /** Item 0 asks for another attempt forever; the others commit. */
  @ParameterizedTest
  @ValueSource(strings = {"cpu:1", "cpu:3", "sim:3:8"})
  void aRunCanBeCanceledFromAnotherThread(String spec) throws Exception {
    StmOptions options = StmOptions.defaults().withTimeout(Duration.ZERO);
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("troubles.cu"))) {
      device.cancelRun(); // of nothing
      Region region = module.region("refuse_each");
      AtomicBoolean ended = new AtomicBoolean();
      Thread impatient =
          new Thread(
              () -> {
                while (!ended.get()) {
                  LockSupport.parkNanos(50_000_000);
                  device.cancelRun();
                }
              });
      impatient.start();
      RegionReport report = region.run(options, 1000, new Fields().set("every", 1000));
      ended.set(true);
      impatient.join();
      assertTrue(report.canceled());
      assertTrue(report.timedOut());
      assertFalse(report.complete());
      assertTrue(
          report.unfinishedReason().contains("stopped because the run was canceled"),
          report::unfinishedReason);
      RegionReport next =
          region.run(options.withMaxAttempts(3), 1000, new Fields().set("every", 1000));
      assertFalse(next.canceled());
      assertFalse(next.timedOut());
      assertEquals(1, next.unfinishedByAttempts());
    }
  }
}
