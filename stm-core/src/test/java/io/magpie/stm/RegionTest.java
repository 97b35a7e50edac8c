package io.magpie.stm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.RegionReport.AbortCause;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RegionTest {
  static Stream<Arguments> devicesAndPolicies() {
    return Devices.all()
        .flatMap(spec -> Devices.SHIPPED.stream().map(policy -> Arguments.of(spec, policy)));
  }

  @ParameterizedTest
  @MethodSource("devicesAndPolicies")
  void transfersKeepTheTotal(String spec, Policy policy) {
    int items = 2000;
    int accounts = 64;
    // Bounded: priority_rule is not live.
    StmOptions options =
        StmOptions.defaults().withPolicy(policy).withMaxAttempts(1 << 20).withBackOffNanos(20_000);
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("transfers.cu"));
        StmObjects objects = device.objects(accounts);
        DeviceArray<int[]> balance = device.ints(accounts);
        DeviceArray<int[]> from = device.copyOf(random(1, items, accounts));
        DeviceArray<int[]> to = device.copyOf(random(2, items, accounts))) {
      balance.fill(100);
      Region transfer = module.region("transfer");
      RegionReport report =
          transfer.run(
              options,
              items,
              new Fields()
                  .set("accounts", objects)
                  .set("balance", balance)
                  .set("from", from)
                  .set("to", to)
                  .set("amount", 7));
      assertTrue(report.complete(), report::toString);
      assertSame(report, report.requireComplete());
      assertEquals(items, report.commits() + report.cancels(), report::toString);
      assertTrue(report.commits() > items / 2, report::toString);
      assertEquals(100 * accounts, Arrays.stream(balance.toArray()).sum());
      assertEquals(0, objects.claimed());
      assertEquals(items, LongStream.of(report.retriesHistogram()).sum(), report::toString);
      assertEquals(
          report.commits(), LongStream.of(report.objectsHistogram()).sum(), report::toString);
      assertEquals(report.commits(), report.objectsHistogram()[2], report::toString);
      assertEquals(AbortCause.values().length, report.abortsByCause().size());
      assertTrue(report.mostAttempts() >= 1, report::toString);
      assertEquals(1, report.passes().size());
      assertEquals(100 * accounts, Arrays.stream(balance.toArray()).sum());
      assertEquals(0, objects.claimed());
    }
  }

  /**
   * More threads than items, far more items than threads, and more threads than the device holds.
   */
  @ParameterizedTest
  @MethodSource("devicesAndPolicies")
  void threadsAndItemsAreInAnyProportion(String spec, Policy policy) {
    // Bounded: priority_rule is not live, and in step it shows.
    boolean live = policy.progress() == Policy.Progress.STARVATION_FREE;
    StmOptions options =
        StmOptions.defaults()
            .withPolicy(policy)
            .withMaxAttempts(live ? 0 : 1000)
            .withBackOffNanos(20_000);
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("transfers.cu"))) {
      // A GPU's resident threads are fewer than 2^21; elsewhere threads wait for processors.
      int many = device.machine() == Machine.CUDA ? 1 << 21 : 3000;
      int[][] settings = {{300, 3, 2}, {2, 5000, 40}, {many, many, 4 * many}};
      for (int[] setting : settings) {
        int items = setting[1];
        int accounts = setting[2];
        try (StmObjects objects = device.objects(accounts);
            DeviceArray<int[]> balance = device.ints(accounts);
            DeviceArray<int[]> from = device.copyOf(random(1, items, accounts));
            DeviceArray<int[]> to = device.copyOf(random(2, items, accounts))) {
          balance.fill(100);
          RegionReport report =
              module
                  .region("transfer")
                  .run(
                      options.withThreadsInFlight(setting[0]),
                      items,
                      new Fields()
                          .set("accounts", objects)
                          .set("balance", balance)
                          .set("from", from)
                          .set("to", to)
                          .set("amount", 1));
          assertTrue(report.passes().get(0).threads() <= setting[0], report::toString);
          if (setting[0] == many && device.machine() == Machine.CUDA) {
            assertEquals(many, report.passes().get(0).threads(), report::toString);
          }
          assertEquals(
              items,
              report.commits() + report.cancels() + report.unfinishedByAttempts(),
              report::toString);
          assertTrue(report.complete() || !live, report::toString);
          assertEquals(100L * accounts, IntStream.of(balance.toArray()).asLongStream().sum());
          assertEquals(0, objects.claimed());
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void policiesTakeTurnsOnTheSameObjects(String spec) {
    int items = 300;
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("transfers.cu"));
        StmObjects objects = device.objects(50);
        DeviceArray<int[]> value = device.ints(50)) {
      for (Policy policy :
          List.of(Policy.HAND_OFF, Policy.PRIORITY_RULE, Policy.HAND_OFF, Policy.PRIORITY_RULE)) {
        StmOptions options = StmOptions.defaults().withPolicy(policy);
        module
            .region("sweep")
            .run(
                options,
                items,
                new Fields()
                    .set("cells", objects)
                    .set("value", value)
                    .set("every", 1)
                    .set("many", 1))
            .requireComplete();
        assertEquals(0, objects.claimed());
      }
      assertTrue(Arrays.stream(value.toArray()).allMatch(v -> v == 4 * items / 50));
    }
  }

  /** Only eager attempts end at locks; also in passes with larger logs. */
  @Test
  void eagerAttemptsComeFirst() {
    int items = 300;
    try (Device device = Device.open("sim:1:4");
        KernelModule module = device.compile(Devices.source("transfers.cu"));
        StmObjects objects = device.objects(50);
        DeviceArray<int[]> value = device.ints(50)) {
      for (int eager : new int[] {0, 2}) {
        for (int many : new int[] {1, 4}) {
          value.fill(0);
          RegionReport report =
              module
                  .region("sweep")
                  .run(
                      StmOptions.defaults().withEagerAttempts(eager),
                      items,
                      new Fields()
                          .set("cells", objects)
                          .set("value", value)
                          .set("every", 1)
                          .set("many", many))
                  .requireComplete();
          assertEquals(
              eager > 0, report.abortsByCause().get(AbortCause.LOCKED) > 0, report::toString);
          assertEquals(items, report.commits(), report::toString);
          assertEquals((long) items * many, IntStream.of(value.toArray()).sum());
          assertEquals(0, objects.claimed());
        }
      }
    }
  }

  @Test
  void anotherPolicyIsNotCompiledFromAnotherSource(@TempDir Path folder) throws IOException {
    Path source = folder.resolve("adds.cu");
    String text =
        """
        #include "magpie/stm.cuh"
        struct adds {
          magpie::stm::objects cells;
          magpie::array<std::int32_t> value;
          static constexpr std::uint32_t max_objects = 1, max_writes = 1;
          template <class Tx>
          MAGPIE_DEVICE magpie::stm::outcome operator()(Tx& tx, std::uint32_t) const {
            const auto cell = tx.open(cells, 0);
            std::int32_t x;
            if (!cell || !tx.read(cell, &value[0], x)) return magpie::stm::outcome::retry;
            if (!tx.write(cell, &value[0], x + 1)) return magpie::stm::outcome::retry;
            return magpie::stm::outcome::commit;
          }
        };
        MAGPIE_REGION(adds)
        """;
    Files.writeString(source, text);
    try (Device device = Device.open("cpu:2");
        KernelModule module = device.compile(source);
        StmObjects cells = device.objects(1);
        DeviceArray<int[]> value = device.ints(1)) {
      Region adds = module.region("adds");
      Fields fields = new Fields().set("cells", cells).set("value", value);
      StmOptions rule = StmOptions.defaults().withPolicy(Policy.PRIORITY_RULE);
      Files.writeString(
          source,
          text.replace(
              "magpie::stm::objects cells;\n  magpie::array<std::int32_t> value;",
              "magpie::array<std::int32_t> value;\n  magpie::stm::objects cells;"));
      String message =
          assertThrows(IllegalStateException.class, () -> adds.run(rule, 10, fields)).getMessage();
      assertTrue(message.contains("another source"), message);
      assertEquals(0, value.getInt(0));
      adds.run(10, fields).requireComplete();
      assertEquals(10, value.getInt(0));
      module.close();
      assertThrows(IllegalStateException.class, () -> adds.run(rule, 10, fields));
      assertEquals(10, value.getInt(0));
    }
  }

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void transactionsThatOutgrowTheirLogsFinishInLaterPasses(String spec) {
    int items = 400;
    int cells = 1000;
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("transfers.cu"));
        StmObjects objects = device.objects(cells);
        DeviceArray<int[]> value = device.ints(cells)) {
      Region sweep = module.region("sweep");
      assertEquals(1, sweep.maxObjects());
      for (int many : new int[] {2, 16, 17, 700}) {
        value.fill(0);
        RegionReport report =
            sweep
                .run(
                    items,
                    new Fields()
                        .set("cells", objects)
                        .set("value", value)
                        .set("every", 100)
                        .set("many", many))
                .requireComplete();
        assertArrayEquals(swept(items, cells, 100, many), value.toArray());
        assertEquals(0, objects.claimed());
        assertTrue(report.passes().size() >= (many <= 16 ? 2 : 3), report::toString);
        assertEquals(4, report.passes().get(0).overflows(), report::toString);
        assertTrue(report.overflows() >= 4, report::toString);
        assertEquals(items, report.commits(), report::toString);
        assertEquals(items, LongStream.of(report.retriesHistogram()).sum() - report.overflows());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void oneTransactionMayHaveAllTheScratchAndNoMore(String spec) {
    int items = 40;
    int cells = 1000;
    // 4096 bytes hold one transaction of 64 objects and writes.
    StmOptions options = StmOptions.defaults().withScratchBytes(4096);
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("transfers.cu"));
        StmObjects objects = device.objects(cells);
        DeviceArray<int[]> value = device.ints(cells)) {
      Region sweep = module.region("sweep");
      RegionReport fits =
          sweep
              .run(
                  options,
                  items,
                  new Fields()
                      .set("cells", objects)
                      .set("value", value)
                      .set("every", 10)
                      .set("many", 64))
              .requireComplete();
      assertArrayEquals(swept(items, cells, 10, 64), value.toArray());
      assertEquals(items, fits.commits(), fits::toString);

      value.fill(0);
      RegionReport report =
          sweep.run(
              options,
              items,
              new Fields()
                  .set("cells", objects)
                  .set("value", value)
                  .set("every", 10)
                  .set("many", 65));
      assertEquals(4, report.unfinished(), report::toString);
      assertArrayEquals(new long[] {0, 10, 20, 30}, report.unfinishedItems());
      assertEquals(4, report.unfinishedByOverflow(), report::toString);
      assertEquals(0, report.unfinishedByTimeout() + report.unfinishedByAttempts());
      assertEquals(items - 4, report.commits(), report::toString);
      assertTrue(report.unfinishedReason().contains("64 objects"), report::unfinishedReason);
      assertEquals(0, objects.claimed());
      assertEquals(items - 4, Arrays.stream(value.toArray()).sum());
      UnfinishedItemsException e =
          assertThrows(UnfinishedItemsException.class, report::requireComplete);
      assertSame(report, e.report());
      assertTrue(e.getMessage().contains("4 of 40 items"), e::getMessage);

      // What one run leaves in the bitmap is not the next one's.
      value.fill(0);
      sweep
          .run(
              options,
              items,
              new Fields()
                  .set("cells", objects)
                  .set("value", value)
                  .set("every", 10)
                  .set("many", 1))
          .requireComplete();
    }
  }

  @Test
  void oneTransactionMayBeLong() {
    int many = 100_000;
    int cells = 150_000;
    StmOptions options = StmOptions.defaults().withTimeout(Duration.ofSeconds(30));
    try (Device device = Device.open("cpu");
        KernelModule module = device.compile(Devices.source("transfers.cu"));
        StmObjects objects = device.objects(cells);
        DeviceArray<int[]> value = device.ints(cells)) {
      // Alone, and thirty of which those that run at the same time meet.
      for (int items : new int[] {1, 30}) {
        value.fill(0);
        module
            .region("sweep")
            .run(
                options,
                items,
                new Fields()
                    .set("cells", objects)
                    .set("value", value)
                    .set("every", 20)
                    .set("many", many))
            .requireComplete();
        assertArrayEquals(swept(items, cells, 20, many), value.toArray());
        assertEquals(0, objects.claimed());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void whatIsPendingRunsAgainAndNothingElse(String spec) {
    int cells = 6000;
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("transfers.cu"));
        StmObjects objects = device.objects(cells);
        DeviceArray<int[]> value = device.ints(cells)) {
      // So few that they are listed, all that there is room for, one more, and most of them. What a
      // run listed is not in the bitmap of a larger one.
      int[][] runs = {{5000, 1000}, {64, 64}, {5000, 1000}, {320, 32}, {320, 31}, {5000, 2}};
      for (int[] run : runs) {
        int items = run[0];
        int every = run[1];
        value.fill(0);
        RegionReport report =
            module
                .region("sweep")
                .run(
                    items,
                    new Fields()
                        .set("cells", objects)
                        .set("value", value)
                        .set("every", every)
                        .set("many", 20))
                .requireComplete();
        assertArrayEquals(swept(items, cells, every, 20), value.toArray());
        assertEquals(items, report.commits(), report::toString);
        assertEquals(0, objects.claimed());
      }
    }
  }

  private static int[] swept(int items, int cells, int every, int many) {
    int[] value = new int[cells];
    for (int item = 0; item < items; item++) {
      for (int i = 0; i < (item % every == 0 ? many : 1); i++) {
        value[(item + i) % cells]++;
      }
    }
    return value;
  }

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void itemsOutOfAttemptsAreReported(String spec) {
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("transfers.cu"));
        DeviceArray<int[]> done = device.ints(100)) {
      RegionReport report =
          module
              .region("refuse")
              .run(
                  StmOptions.defaults().withMaxAttempts(5),
                  100,
                  new Fields().set("stubborn", 42).set("done", done));
      assertArrayEquals(new long[] {42}, report.unfinishedItems());
      assertEquals(1, report.unfinishedByAttempts(), report::toString);
      assertEquals(99, report.commits(), report::toString);
      assertEquals(5, report.mostAttempts(), report::toString);
      assertFalse(report.timedOut());
      assertTrue(report.toString().contains("1 out of 5 attempts"), report::toString);
      int[] expected = new int[100];
      Arrays.fill(expected, 1);
      expected[42] = 0;
      assertArrayEquals(expected, done.toArray());
    }
  }

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void theWatchdogEndsWhatDoesNotEnd(String spec) {
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("transfers.cu"));
        DeviceArray<int[]> done = device.ints(100)) {
      Duration patience = Duration.ofMillis(100);
      StmOptions options = StmOptions.defaults().withTimeout(patience);
      long begin = System.nanoTime();
      RegionReport report =
          module
              .region("refuse")
              .run(options, 100, new Fields().set("stubborn", 42).set("done", done));
      // Its time begins before the kernel does: how long before is for the machine to say.
      assertTrue(System.nanoTime() - begin >= patience.toNanos(), report::toString);
      assertTrue(report.timedOut(), report::toString);
      assertTrue(LongStream.of(report.unfinishedItems()).anyMatch(i -> i == 42));
      assertEquals(report.unfinished(), report.unfinishedByTimeout(), report::toString);
      assertEquals(100, report.commits() + report.unfinished(), report::toString);
      assertTrue(report.kernelMillis() > 0 && report.kernelMillis() < 20_000, report::toString);
      assertTrue(report.toString().contains("stopped after 0.1s"), report::toString);
      // The flag is down again, the device goes on.
      RegionReport next =
          module
              .region("refuse")
              .run(
                  StmOptions.defaults(), 100, new Fields().set("stubborn", 1000).set("done", done));
      assertTrue(next.complete() && !next.timedOut(), next::toString);
    }
  }

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void aHandleThatWasNeverOpenedIsNamedAtOnce(String spec) {
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("troubles.cu"));
        StmObjects objects = device.objects(3);
        DeviceArray<int[]> value = device.ints(3)) {
      Region loose = module.region("loose_handle");
      for (int writes = 0; writes < 2; writes++) {
        Fields fields =
            new Fields().set("cells", objects).set("value", value).set("writes", writes);
        String access = writes != 0 ? "writes" : "reads";
        if (spec.startsWith("sim") || spec.startsWith("cpu-checked")) {
          KernelFaultException fault =
              assertThrows(KernelFaultException.class, () -> loose.run(3, fields));
          assertTrue(
              fault.getMessage().contains(access + " through a handle that was never opened"),
              fault::getMessage);
        } else {
          RegionReport report = loose.run(3, fields);
          assertEquals(3, report.unfinishedByHandles());
          assertEquals(0, report.unfinishedBySlots());
          assertEquals(1, report.mostAttempts());
          assertEquals(
              "3 read or wrote through a handle that was never opened: open the object first",
              report.unfinishedReason());
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void retriesThatTheRegionAskedForAreSaidToBeItsOwn(String spec) {
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("troubles.cu"))) {
      for (String name : List.of("refuse_each", "put_off_alone")) {
        Region region = module.region(name);
        Fields fields = new Fields().set(region.fields().keySet().iterator().next(), 2);
        StmOptions bounded = StmOptions.defaults().withMaxAttempts(5);
        RegionReport report = region.run(bounded, 6, fields);
        assertEquals(3, report.unfinishedByAttempts());
        assertEquals(3, report.unfinishedByRequest());
        assertEquals(
            "3 out of 5 attempts; the last attempt of 3 of these ended because the region itself"
                + " asked for another (outcome::retry although nothing had failed, or"
                + " outcome::defer outside of rounds)",
            report.unfinishedReason());
        // On a busy machine items may be stopped before their first attempt.
        Duration time = Duration.ofMillis(250);
        do {
          time = time.multipliedBy(2);
          report = region.run(StmOptions.defaults().withTimeout(time), 6, fields);
          assertTrue(report.unfinishedByTimeout() > 0, report::toString);
        } while (report.unfinishedByRequest() == 0 && time.toSeconds() < 60);
        assertTrue(report.unfinishedByRequest() > 0, report::toString);
        String message =
            assertThrows(UnfinishedItemsException.class, report::requireComplete).getMessage();
        assertTrue(message.contains("the region itself asked for another"), message);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void aLoopOverReadsEndsWhenTimeIsUp(String spec) {
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("troubles.cu"));
        StmObjects objects = device.objects(3);
        DeviceArray<int[]> value = device.ints(3)) {
      StmOptions options = StmOptions.defaults().withTimeout(Duration.ofMillis(200));
      RegionReport report =
          assertTimeoutPreemptively(
              Duration.ofSeconds(60),
              () ->
                  module
                      .region("wait_for_change")
                      .run(options, 3, new Fields().set("cells", objects).set("value", value)));
      assertTrue(report.timedOut());
      assertEquals(3, report.unfinishedByTimeout());
      assertEquals(0, objects.claimed());
    }
  }

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void manyItemsGoIntoSeveralLaunches(String spec) {
    int items = 1000;
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("transfers.cu"));
        StmObjects objects = device.objects(items);
        DeviceArray<int[]> value = device.ints(items)) {
      Region sweep = module.region("sweep").withMostItemsPerLaunch(300);
      RegionReport report =
          sweep
              .run(
                  items,
                  new Fields()
                      .set("cells", objects)
                      .set("value", value)
                      .set("every", 250)
                      .set("many", 20))
              .requireComplete();
      assertEquals(items, report.commits(), report::toString);
      assertArrayEquals(swept(items, items, 250, 20), value.toArray());
      report =
          sweep.run(
              StmOptions.defaults().withScratchBytes(4096),
              items,
              new Fields()
                  .set("cells", objects)
                  .set("value", value)
                  .set("every", 250)
                  .set("many", 500));
      assertArrayEquals(new long[] {0, 250, 500, 750}, report.unfinishedItems());
    }
  }

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void listedItemsRunAndOnlyThey(String spec) {
    int[] ids = IntStream.range(0, 500).map(i -> 999 - 2 * i).toArray();
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("transfers.cu"));
        StmObjects objects = device.objects(1000);
        DeviceArray<int[]> list = device.copyOf(ids);
        DeviceArray<int[]> value = device.ints(1000)) {
      for (int most : new int[] {1 << 30, 120}) {
        value.fill(0);
        Region sweep = module.region("sweep").withMostItemsPerLaunch(most);
        RegionReport report =
            sweep.runList(
                StmOptions.defaults(),
                list,
                400,
                new Fields()
                    .set("cells", objects)
                    .set("value", value)
                    .set("every", 5)
                    .set("many", 40));
        report.requireComplete();
        int[] expected = new int[1000];
        for (int p = 0; p < 400; p++) {
          for (int i = 0; i < (ids[p] % 5 == 0 ? 40 : 1); i++) {
            expected[(ids[p] + i) % 1000]++;
          }
        }
        assertArrayEquals(expected, value.toArray());
        report =
            sweep.runList(
                StmOptions.defaults().withScratchBytes(4096),
                list,
                400,
                new Fields()
                    .set("cells", objects)
                    .set("value", value)
                    .set("every", 5)
                    .set("many", 400));
        assertArrayEquals(
            Arrays.stream(ids, 0, 400).filter(i -> i % 5 == 0).asLongStream().toArray(),
            report.unfinishedItems());
      }
      assertThrows(
          IndexOutOfBoundsException.class,
          () ->
              module
                  .region("sweep")
                  .runList(
                      StmOptions.defaults(),
                      list,
                      501,
                      new Fields()
                          .set("cells", objects)
                          .set("value", value)
                          .set("every", 1)
                          .set("many", 1)));
    }
  }

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void fewerTransactionsInFlightAreStillAllOfThem(String spec) {
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("transfers.cu"));
        StmObjects objects = device.objects(10);
        DeviceArray<int[]> value = device.ints(10)) {
      int expected = 0;
      for (int threads : new int[] {1, 2, 33, 256, 300}) {
        for (StmOptions.GiveWay giveWay : StmOptions.GiveWay.values()) {
          StmOptions options =
              StmOptions.defaults().withThreadsInFlight(threads).withGiveWay(giveWay);
          RegionReport report =
              module
                  .region("sweep")
                  .run(
                      options,
                      500,
                      new Fields()
                          .set("cells", objects)
                          .set("value", value)
                          .set("every", 1)
                          .set("many", 1))
                  .requireComplete();
          assertTrue(report.passes().get(0).threads() <= threads, report::toString);
          expected += 50;
        }
      }
      int all = expected;
      assertTrue(Arrays.stream(value.toArray()).allMatch(v -> v == all));
    }
  }

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void nothingToDoIsDone(String spec) {
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("transfers.cu"));
        StmObjects objects = device.objects(10);
        DeviceArray<int[]> value = device.ints(10)) {
      RegionReport report =
          module
              .region("sweep")
              .run(
                  0,
                  new Fields()
                      .set("cells", objects)
                      .set("value", value)
                      .set("every", 1)
                      .set("many", 1));
      assertTrue(report.complete());
      assertEquals(0, report.commits());
      assertTrue(report.passes().isEmpty());
      assertThrows(
          IllegalArgumentException.class,
          () ->
              module
                  .region("sweep")
                  .run(
                      -1,
                      new Fields()
                          .set("cells", objects)
                          .set("value", value)
                          .set("every", 1)
                          .set("many", 1)));
      assertThrows(
          IllegalArgumentException.class,
          () ->
              module
                  .region("sweep")
                  .run(
                      (1L << 32) + 1,
                      new Fields()
                          .set("cells", objects)
                          .set("value", value)
                          .set("every", 1)
                          .set("many", 1)));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"cpu-checked:4", "sim:1:4", "sim:7:32"})
  void aFaultEndsTheRunAtOnceAndItsClaimsWithIt(String spec) {
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("troubles.cu"));
        StmObjects objects = device.objects(3);
        DeviceArray<int[]> value = device.ints(1)) {
      Region stumble = module.region("stumble");
      for (Policy policy : Devices.SHIPPED) {
        StmOptions options =
            StmOptions.defaults().withPolicy(policy).withTimeout(Duration.ofSeconds(20));
        // Compiles for the policy, before anything is timed.
        value.fill(0);
        stumble
            .run(
                options,
                200,
                new Fields().set("cells", objects).set("value", value).set("culprit", 1000))
            .requireComplete();
        for (int culprit : new int[] {0, 50, 199}) {
          value.fill(0);
          long begin = System.nanoTime();
          KernelFaultException e =
              assertThrows(
                  KernelFaultException.class,
                  () ->
                      stumble.run(
                          options,
                          200,
                          new Fields()
                              .set("cells", objects)
                              .set("value", value)
                              .set("culprit", culprit)));
          // Without a stop those that wait for the culprit's claim wait for the watchdog.
          assertTrue(System.nanoTime() - begin < 10_000_000_000L);
          assertFalse(e.deviceDead());
          assertTrue(value.getInt(0) < 200);
          // It broke the rule in the middle of its commit.
          assertArrayEquals(new long[] {0}, objects.lockedObjects());
          assertEquals(0, objects.claimedObjects().length);
          assertTrue(e.getMessage().contains("suspect: 1 of 3 objects on"), e::getMessage);

          value.fill(0);
          RegionReport report =
              stumble.run(
                  options,
                  200,
                  new Fields().set("cells", objects).set("value", value).set("culprit", 1000));
          assertTrue(report.complete(), report::toString);
          assertEquals(200, value.getInt(0));
          assertEquals(0, objects.claimed());
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void threadsInFlightBoundTheTransactionsThatAreInside(String spec) {
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("troubles.cu"));
        DeviceArray<int[]> value = device.ints(2)) {
      Region crowd = module.region("crowd");
      for (int threads : new int[] {1, 3, 5, 33, 1 << 20}) {
        value.fill(0);
        RegionReport report =
            crowd
                .run(
                    StmOptions.defaults().withThreadsInFlight(threads),
                    400,
                    new Fields().set("value", value))
                .requireComplete();
        assertEquals(0, value.getInt(0));
        assertTrue(value.getInt(1) >= 1 && value.getInt(1) <= threads, report::toString);
        assertTrue(report.passes().get(0).threads() <= threads, report::toString);
      }
      // Fewer lanes than asked for stay fewer.
      if (device.warpWidth() > 3) {
        value.fill(0);
        crowd
            .run(
                StmOptions.defaults().withThreadsInFlight(3).withLanes(1),
                100,
                new Fields().set("value", value))
            .requireComplete();
        assertEquals(1, value.getInt(1));
      }
    }
  }

  @Test
  void theSimulatorsGridIsBoundedByWhatItHolds() {
    for (String spec : List.of("sim:0:1", "sim:0:24")) {
      try (Device device = Device.open(spec);
          KernelModule module = device.compile(Devices.source("troubles.cu"));
          DeviceArray<int[]> value = device.ints(2)) {
        RegionReport report =
            module
                .region("crowd")
                .run(
                    StmOptions.defaults().withThreadsInFlight(40_000),
                    40_000,
                    new Fields().set("value", value))
                .requireComplete();
        long threads = report.passes().get(0).threads();
        assertTrue(threads > 32_000 && threads <= 32_768, report::toString);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#host")
  void withoutMemoryForLargerLogsThereIsAReport(String spec) {
    int items = 40;
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("transfers.cu"));
        StmObjects objects = device.objects(1000);
        DeviceArray<int[]> value = device.ints(1000)) {
      Region sweep = module.region("sweep");
      for (int most : new int[] {1000, 25}) {
        value.fill(0);
        RegionReport report =
            sweep
                .withMostItemsPerLaunch(most)
                .run(
                    StmOptions.defaults().withScratchBytes(1L << 60),
                    items,
                    new Fields()
                        .set("cells", objects)
                        .set("value", value)
                        .set("every", 10)
                        .set("many", 103));
        assertArrayEquals(new long[] {0, 10, 20, 30}, report.unfinishedItems());
        assertEquals(4, report.unfinishedByOverflow(), report::toString);
        assertEquals(items - 4, report.commits(), report::toString);
        assertEquals(items - 4, Arrays.stream(value.toArray()).sum());
        assertTrue(report.unfinishedReason().contains("larger logs"), report::unfinishedReason);
        assertEquals(0, objects.claimed());
      }
      value.fill(0);
      sweep
          .run(
              items,
              new Fields()
                  .set("cells", objects)
                  .set("value", value)
                  .set("every", 10)
                  .set("many", 103))
          .requireComplete();
      assertArrayEquals(swept(items, 1000, 10, 103), value.toArray());
    }
  }

  @Test
  void aRefusedRunLeavesTheObjectsAsTheyWere() {
    try (Device device = Device.open("cpu:1");
        Device other = Device.open("cpu:1");
        KernelModule module = device.compile(Devices.source("transfers.cu"));
        StmObjects own = device.objects(10);
        StmObjects foreign = other.objects(10);
        DeviceArray<int[]> value = device.ints(10)) {
      Region sweep = module.region("sweep");
      StmOptions options = StmOptions.defaults().withPolicy(Policy.PRIORITY_RULE);
      assertThrows(
          ArgumentMismatchException.class,
          () ->
              sweep.run(
                  options,
                  10,
                  new Fields()
                      .set("cells", foreign)
                      .set("value", value)
                      .set("every", 1)
                      .set("many", 1)));
      assertThrows(
          ArgumentMismatchException.class,
          () ->
              sweep.run(
                  options,
                  10,
                  new Fields()
                      .set("cells", own)
                      .set("value", value)
                      .set("every", 1f)
                      .set("many", 1)));
      assertEquals(Policy.HAND_OFF.tag(), foreign.policyTag());
      assertEquals(Policy.HAND_OFF.tag(), own.policyTag());
    }
  }

  /** More than are read at once, with gaps between them, behind each other and in order. */
  @Test
  void manyUnfinishedItemsOfAListAreNamedInOrder() {
    int n = 700_000;
    int[] ids = IntStream.range(0, n).map(i -> (int) (i * 2654435761L % 1_000_000_007L)).toArray();
    try (Device device = Device.open("cpu:2");
        KernelModule module = device.compile(Devices.source("troubles.cu"));
        DeviceArray<int[]> list = device.copyOf(ids)) {
      for (int every : new int[] {1, 3, 100_003}) {
        RegionReport report =
            module
                .region("refuse_each")
                .runList(
                    StmOptions.defaults().withMaxAttempts(1),
                    list,
                    n - 5,
                    new Fields().set("every", every));
        assertArrayEquals(
            Arrays.stream(ids, 0, n - 5).filter(i -> i % every == 0).asLongStream().toArray(),
            report.unfinishedItems());
      }
    }
    assertEquals(32, RegionRun.grown(16));
    assertEquals(Integer.MAX_VALUE - 8, RegionRun.grown(1 << 30));
    assertThrows(MagpieException.class, () -> RegionRun.grown(Integer.MAX_VALUE - 8));
  }

  static int[] random(int seed, int length, int bound) {
    return new Random(seed).ints(length, 0, bound).toArray();
  }
}
