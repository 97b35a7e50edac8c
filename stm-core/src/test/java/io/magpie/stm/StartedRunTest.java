package io.magpie.stm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs that are started and awaited later: on all devices, and on a processor and a simulator that
 * do what is asked of them only when something is waited for ({@link QueuedBackend}).
 */
class StartedRunTest {
  private static final String QUEUED = "queued ";
  private static final int ITEMS = 400;
  private static final int CELLS = 1000;

  static Stream<String> all() {
    return Stream.concat(Devices.all(), queued());
  }

  static Stream<String> queued() {
    return Stream.of(QUEUED + "cpu:4", QUEUED + "sim:7:32");
  }

  private static Device open(String spec) {
    return spec.startsWith(QUEUED)
        ? new Device(new QueuedBackend(spec.substring(QUEUED.length())))
        : Device.open(spec);
  }

  private static Fields sweep(StmObjects cells, DeviceArray<int[]> value, int every, int many) {
    return new Fields()
        .set("cells", cells)
        .set("value", value)
        .set("every", every)
        .set("many", many);
  }

  /** What {@code sweep} adds to each cell, counted one by one. */
  private static void addSwept(int[] value, int items, int every, int many) {
    for (int item = 0; item < items; item++) {
      for (int i = 0; i < (item % every == 0 ? many : 1); i++) {
        value[(item + i) % value.length]++;
      }
    }
  }

  /** Each has counters of its own, and what is launched between them finds what they did. */
  @ParameterizedTest
  @MethodSource("all")
  void manyRunsAreInFlightAtOnce(String spec) {
    try (Device device = open(spec);
        KernelModule module = device.compile(Devices.source("transfers.cu"));
        StmObjects cells = device.objects(CELLS);
        DeviceArray<int[]> value = device.ints(CELLS);
        DeviceArray<int[]> halfWay = device.ints(CELLS)) {
      Region sweep = module.region("sweep");
      List<StartedRun> runs = new ArrayList<>();
      int[] expected = new int[CELLS];
      int[] expectedHalfWay = null;
      for (int number = 1; number <= 6; number++) {
        runs.add(sweep.start(StmOptions.defaults(), 100 * number, sweep(cells, value, 1, 1)));
        addSwept(expected, 100 * number, 1, 1);
        if (number == 3) {
          halfWay.copyFrom(value);
          expectedHalfWay = expected.clone();
        }
      }
      for (int number : new int[] {4, 1, 6, 2, 3, 5}) { // in any order
        RegionReport report = runs.get(number - 1).await().requireComplete();
        assertEquals(100 * number, report.items());
        assertEquals(100 * number, report.commits(), report::toString);
        assertEquals(1, report.passes().size());
        assertFalse(report.timedOut() || report.canceled());
        assertSame(report, runs.get(number - 1).await());
        assertTrue(runs.get(number - 1).hasEnded());
      }
      assertArrayEquals(expectedHalfWay, halfWay.toArray());
      assertArrayEquals(expected, value.toArray());
      assertEquals(0, cells.claimed());
      assertEquals(0, device.leaks().stream().filter(leak -> leak.what().contains("run")).count());
    }
  }

  @ParameterizedTest
  @MethodSource("queued")
  void nothingIsWaitedForBeforeARunIsAwaited(String spec) {
    QueuedBackend backend = new QueuedBackend(spec.substring(QUEUED.length()));
    try (Device device = new Device(backend);
        KernelModule module = device.compile(Devices.source("transfers.cu"));
        StmObjects cells = device.objects(CELLS);
        DeviceArray<int[]> value = device.ints(CELLS)) {
      device.synchronize();
      Fields fields = sweep(cells, value, 1, 1);
      try (StartedRun first = module.region("sweep").start(StmOptions.defaults(), ITEMS, fields);
          StartedRun second = module.region("sweep").start(StmOptions.defaults(), ITEMS, fields)) {
        assertEquals(2, backend.runs());
        assertTrue(backend.due() >= 2);
        assertFalse(first.hasEnded() || second.hasEnded());
        assertEquals(ITEMS, second.await().commits());
        assertEquals(0, backend.due());
        assertFalse(first.hasEnded());
        assertEquals(ITEMS, first.await().commits());
      }
      assertEquals(2, backend.runs());
      assertEquals(2 * ITEMS, Arrays.stream(value.toArray()).sum());
    }
  }

  /** Also behind a run that had the objects under another policy, and after they have grown. */
  @ParameterizedTest
  @MethodSource("all")
  void itemsThatOutgrowTheirLogsRunWhenTheRunIsAwaited(String spec) {
    try (Device device = open(spec);
        KernelModule module = device.compile(Devices.source("transfers.cu"));
        StmObjects cells = device.objects(CELLS);
        DeviceArray<int[]> value = device.ints(CELLS)) {
      Region sweep = module.region("sweep");
      for (int many : new int[] {2, 17, 700}) {
        value.fill(0);
        StartedRun run = sweep.start(StmOptions.defaults(), ITEMS, sweep(cells, value, 100, many));
        RegionReport other =
            sweep.run(
                StmOptions.defaults().withPolicy(Policy.PRIORITY_RULE),
                ITEMS,
                sweep(cells, value, 1, 1));
        assertEquals(ITEMS, other.requireComplete().commits());
        RegionReport report = run.await().requireComplete();
        int[] expected = new int[CELLS];
        addSwept(expected, ITEMS, 100, many);
        addSwept(expected, ITEMS, 1, 1);
        assertArrayEquals(expected, value.toArray());
        assertEquals(ITEMS, report.commits(), report::toString);
        assertEquals(4, report.passes().get(0).overflows(), report::toString);
        assertTrue(report.passes().size() >= (many <= 16 ? 2 : 3), report::toString);
        assertEquals(0, cells.claimed());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("queued")
  void arrayThatIsClosedTooEarlyIsNamedIfItIsNeeded(String spec) {
    try (Device device = open(spec);
        KernelModule module = device.compile(Devices.source("transfers.cu"));
        StmObjects cells = device.objects(CELLS)) {
      Region sweep = module.region("sweep");
      DeviceArray<int[]> value = device.ints(CELLS);
      StartedRun fits = sweep.start(StmOptions.defaults(), ITEMS, sweep(cells, value, 1, 1));
      StartedRun outgrows = sweep.start(StmOptions.defaults(), ITEMS, sweep(cells, value, 9, 9));
      value.close();
      assertEquals(ITEMS, fits.await().commits());
      String message = assertThrows(IllegalStateException.class, outgrows::await).getMessage();
      assertTrue(message.contains("int array of " + CELLS), message);
      assertThrows(IllegalStateException.class, outgrows::await);
      // Nothing is left of it.
      try (DeviceArray<int[]> other = device.ints(CELLS)) {
        sweep.run(ITEMS, sweep(cells, other, 9, 9)).requireComplete();
        int[] expected = new int[CELLS];
        addSwept(expected, ITEMS, 9, 9);
        assertArrayEquals(expected, other.toArray());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("queued")
  void listThatIsClosedTooEarlyIsNamedIfItIsNeeded(String spec) {
    try (Device device = open(spec);
        KernelModule module = device.compile(Devices.source("transfers.cu"));
        StmObjects cells = device.objects(CELLS);
        DeviceArray<int[]> value = device.ints(CELLS);
        DeviceArray<int[]> done = device.ints(100)) {
      Region sweep = module.region("sweep");
      Region refuse = module.region("refuse");
      DeviceArray<int[]> list = device.copyOf(5, 3, 8);
      StmOptions options = StmOptions.defaults().withMaxAttempts(5);
      Fields stubborn = new Fields().set("stubborn", 3).set("done", done);
      StartedRun fits = sweep.startList(options, list, 3, sweep(cells, value, 1, 1));
      StartedRun outgrows = sweep.startList(options, list, 3, sweep(cells, value, 1, 9));
      StartedRun unfinished = refuse.startList(options, list, 3, stubborn);
      StartedRun ofSlice = refuse.startList(options, list.slice(0, 2), 2, stubborn);
      list.close();
      assertEquals(3, fits.await().requireComplete().commits());
      for (StartedRun needy : List.of(outgrows, unfinished)) {
        String message = assertThrows(IllegalStateException.class, needy::await).getMessage();
        assertTrue(message.contains("int array of 3"), message);
      }
      String message = assertThrows(IllegalStateException.class, ofSlice::await).getMessage();
      assertTrue(message.contains("slice"), message);
      // Nothing is left of them.
      sweep.run(ITEMS, sweep(cells, value, 1, 9)).requireComplete();
      assertEquals(3 + 9 * ITEMS, Arrays.stream(value.toArray()).sum());
      assertEquals(0, cells.claimed());
    }
  }

  @ParameterizedTest
  @MethodSource("queued")
  void moduleThatIsClosedTooEarlyIsNamedIfItIsNeeded(String spec) {
    try (Device device = open(spec);
        StmObjects cells = device.objects(CELLS);
        DeviceArray<int[]> value = device.ints(CELLS)) {
      KernelModule module = device.compile(Devices.source("transfers.cu"));
      Region sweep = module.region("sweep");
      StmOptions options = StmOptions.defaults();
      StartedRun fits = sweep.start(options, ITEMS, sweep(cells, value, 1, 1));
      StartedRun outgrows = sweep.start(options, ITEMS, sweep(cells, value, 9, 9));
      StartedRun other =
          sweep.start(options.withPolicy(Policy.PRIORITY_RULE), 9, sweep(cells, value, 1, 9));
      module.close();
      assertEquals(ITEMS, fits.await().requireComplete().commits());
      for (StartedRun needy : List.of(outgrows, other)) {
        String message = assertThrows(IllegalStateException.class, needy::await).getMessage();
        assertTrue(message.startsWith("module transfers on "), message);
        assertTrue(message.endsWith(" is closed"), message);
      }
      assertEquals(List.of(), startedRuns(device));
    }
  }

  /** It ends a run of which larger logs are left, and needs nothing for that. */
  @ParameterizedTest
  @MethodSource("queued")
  void aCancelBehindTheFirstPassEndsWhatHasNotEnded(String spec) {
    try (Device device = open(spec);
        StmObjects cells = device.objects(CELLS)) {
      KernelModule module = device.compile(Devices.source("transfers.cu"));
      DeviceArray<int[]> value = device.ints(CELLS);
      Region sweep = module.region("sweep");
      StmOptions options = StmOptions.defaults();
      StartedRun fits = sweep.start(options, ITEMS, sweep(cells, value, 1, 1));
      StartedRun outgrows = sweep.start(options, ITEMS, sweep(cells, value, 100, 9));
      device.synchronize();
      device.cancelRun();
      value.close();
      module.close();
      RegionReport whole = fits.await().requireComplete();
      assertFalse(whole.canceled() || whole.timedOut(), whole::toString);
      RegionReport report = outgrows.await();
      assertTrue(report.canceled() && report.timedOut(), report::toString);
      assertArrayEquals(new long[] {0, 100, 200, 300}, report.unfinishedItems());
      assertEquals(1, report.passes().size());
    }
  }

  /** Of runs in flight the large one is another one each time. */
  @ParameterizedTest
  @MethodSource("queued")
  void bitmapsAreHadAgainByRunsOfTheirSize(String spec) {
    QueuedBackend backend = new QueuedBackend(spec.substring(QUEUED.length()));
    try (Device device = new Device(backend);
        KernelModule module = device.compile(Devices.source("transfers.cu"));
        StmObjects cells = device.objects(CELLS);
        DeviceArray<int[]> value = device.ints(CELLS)) {
      Region sweep = module.region("sweep");
      Fields fields = sweep(cells, value, 1, 1);
      long held = 0;
      for (int large = 0; large < 4; large++) {
        List<StartedRun> runs = new ArrayList<>();
        for (int number = 0; number < 4; number++) {
          runs.add(sweep.start(StmOptions.defaults(), number == large ? 4096 : 64, fields));
        }
        runs.forEach(run -> run.await().requireComplete());
        held = large == 0 ? backend.held() : held;
        assertEquals(held, backend.held());
      }
      // Memory that they do not use is there for others.
      backend.bound(held);
      try (DeviceArray<int[]> other = device.ints(200)) {
        assertTrue(backend.held() < held);
        sweep.run(64, fields).requireComplete();
        String message =
            assertThrows(DeviceOutOfMemoryException.class, () -> sweep.run(4096, fields))
                .getMessage();
        assertTrue(message.contains("bitmap of 4096 items"), message);
        assertEquals(200, other.length());
      }
      sweep.run(4096, fields).requireComplete();
      assertEquals(4 * (4096 + 3 * 64) + 64 + 4096, Arrays.stream(value.toArray()).sum());
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void itemsOfAListThatDoNotFinishAreReported(String spec) {
    try (Device device = open(spec);
        KernelModule module = device.compile(Devices.source("transfers.cu"));
        DeviceArray<int[]> list = device.copyOf(new int[] {7, 42, 3, 42, 9});
        DeviceArray<int[]> done = device.ints(100)) {
      Region refuse = module.region("refuse");
      Fields fields = new Fields().set("stubborn", 42).set("done", done);
      StmOptions options = StmOptions.defaults().withMaxAttempts(5);
      StartedRun run = refuse.startList(options, list, 5, fields);
      StartedRun next = refuse.start(options, 100, fields);
      RegionReport report = run.await();
      assertArrayEquals(new long[] {42, 42}, report.unfinishedItems());
      assertEquals(2, report.unfinishedByAttempts(), report::toString);
      assertEquals(3, report.commits(), report::toString);
      assertArrayEquals(new long[] {42}, next.await().unfinishedItems());
      int[] expected = new int[100];
      Arrays.fill(expected, 1);
      expected[42] = 0;
      IntStream.of(7, 3, 9).forEach(item -> expected[item] = 2);
      assertArrayEquals(expected, done.toArray());
      // Bits that they left are nobody else's.
      fields.set("stubborn", 1000);
      refuse.start(options, 100, fields).await().requireComplete();
      refuse.start(options, 100, fields).await().requireComplete();
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void aRunThatDoesNotEndIsEndedByItsTimeAndNoOther(String spec) {
    try (Device device = open(spec);
        KernelModule module = device.compile(Devices.source("transfers.cu"));
        DeviceArray<int[]> done = device.ints(100)) {
      Region refuse = module.region("refuse");
      Fields endless = new Fields().set("stubborn", 42).set("done", done);
      Fields others = new Fields().set("stubborn", 1000).set("done", done);
      StmOptions timed = StmOptions.defaults().withTimeout(Duration.ofMillis(100));
      StartedRun run = refuse.start(timed, 100, endless);
      StartedRun next = refuse.start(StmOptions.defaults(), 100, others);
      done.getInt(0); // ends it, too
      assertTrue(next.await().complete() && !next.await().timedOut());
      RegionReport report = run.await();
      assertTrue(report.timedOut(), report::toString);
      assertTrue(Arrays.stream(report.unfinishedItems()).anyMatch(item -> item == 42));
      assertEquals(report.unfinished(), report.unfinishedByTimeout(), report::toString);
    }
  }

  @ParameterizedTest
  @MethodSource("queued")
  void allRunsInFlightAreCanceled(String spec) {
    try (Device device = open(spec);
        KernelModule module = device.compile(Devices.source("transfers.cu"));
        DeviceArray<int[]> done = device.ints(100)) {
      Region refuse = module.region("refuse");
      Fields endless = new Fields().set("stubborn", 42).set("done", done);
      List<StartedRun> runs = new ArrayList<>();
      for (int number = 0; number < 3; number++) {
        runs.add(refuse.start(StmOptions.defaults().withTimeout(Duration.ZERO), 100, endless));
      }
      device.cancelRun();
      for (StartedRun run : runs) {
        RegionReport report = run.await();
        assertTrue(report.canceled() && !report.complete(), report::toString);
        assertTrue(Arrays.stream(report.unfinishedItems()).anyMatch(item -> item == 42));
      }
      device.cancelRun(); // of none
      Fields others = new Fields().set("stubborn", 1000).set("done", done);
      RegionReport next = refuse.start(StmOptions.defaults(), 100, others).await();
      assertTrue(next.complete() && !next.canceled(), next::toString);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"cpu:3", "sim:3:8"})
  void aFaultIsToldByTheCallThatWaits(String spec) {
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("deeds.cu"), Devices.FIXED_LOGS);
        StmObjects cells = device.objects(100);
        DeviceArray<int[]> value = device.ints(100)) {
      Fields fields = deeds(cells, value);
      Region region = module.region("do_deed");
      assertThrows(
          KernelFaultException.class, () -> region.start(StmOptions.defaults(), 100, fields));
      assertEquals(List.of(), startedRuns(device));
      region.run(100, fields.set("culprit", 1000)).requireComplete();
    }
    for (int call = 0; call < 3; call++) {
      Device device = new Device(new QueuedBackend(spec));
      KernelModule module = device.compile(Devices.source("deeds.cu"), Devices.FIXED_LOGS);
      StmObjects cells = device.objects(100);
      DeviceArray<int[]> value = device.ints(100);
      Region region = module.region("do_deed");
      StartedRun run = region.start(StmOptions.defaults(), 100, deeds(cells, value));
      StartedRun next = region.start(StmOptions.defaults(), 100, deeds(cells, value));
      KernelFaultException fault =
          assertThrows(
              KernelFaultException.class,
              List.<org.junit.jupiter.api.function.Executable>of(
                      run::await, next::close, value::toArray)
                  .get(call));
      assertTrue(fault.getMessage().contains("do_deed"), fault::getMessage);
      assertTrue(device.isDead());
      for (StartedRun each : List.of(run, next)) {
        MagpieException dead = assertThrows(MagpieException.class, each::await);
        assertTrue(dead.getMessage().contains("dead"), dead::getMessage);
        each.close(); // harmless
      }
      assertEquals(List.of(), startedRuns(device));
      List.of(value, cells, module, device).forEach(StartedRunTest::close);
    }
  }

  private static void close(AutoCloseable each) {
    try {
      each.close();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static Fields deeds(StmObjects cells, DeviceArray<int[]> value) {
    return new Fields()
        .set("cells", cells)
        .set("value", value)
        .set("culprit", 41)
        .set("deed", 0)
        .set("zero", 0);
  }

  private static List<String> startedRuns(Device device) {
    return device.leaks().stream()
        .map(Device.Leak::what)
        .filter(what -> what.startsWith("started run"))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("queued")
  void aRunThatIsClosedHasRunButForWhatIsLeft(String spec) {
    try (Device device = open(spec);
        KernelModule module = device.compile(Devices.source("transfers.cu"));
        StmObjects cells = device.objects(CELLS);
        DeviceArray<int[]> value = device.ints(CELLS)) {
      Region sweep = module.region("sweep");
      StartedRun run = sweep.start(StmOptions.defaults(), ITEMS, sweep(cells, value, 100, 9));
      assertEquals(List.of("started run of region sweep"), startedRuns(device));
      run.close();
      run.close();
      assertEquals(List.of(), startedRuns(device));
      String message = assertThrows(IllegalStateException.class, run::await).getMessage();
      assertTrue(message.startsWith("started run of region sweep on "), message);
      assertTrue(message.endsWith(" is closed"), message);
      assertEquals(ITEMS - 4, Arrays.stream(value.toArray()).sum());
      assertEquals(0, cells.claimed());
      sweep.run(ITEMS, sweep(cells, value, 100, 9)).requireComplete();
      assertEquals(2 * ITEMS + 4 * 8 - 4, Arrays.stream(value.toArray()).sum());
    }
  }

  @Test
  void aDeviceClosesWithRunsInFlight() {
    Device device = Devices.lenient(new QueuedBackend("cpu:2"));
    KernelModule module = device.compile(Devices.source("transfers.cu"));
    StmObjects cells = device.objects(CELLS);
    DeviceArray<int[]> value = device.ints(CELLS);
    Fields fields = sweep(cells, value, 1, 1);
    StartedRun awaited = module.region("sweep").start(StmOptions.defaults(), ITEMS, fields);
    RegionReport report = awaited.await();
    StartedRun run = module.region("sweep").start(StmOptions.defaults(), ITEMS, fields);
    device.close();
    assertThrows(IllegalStateException.class, run::await);
    run.close();
    assertSame(report, awaited.await());
  }

  /** Where the host must learn of the run before anything else happens. */
  @ParameterizedTest
  @MethodSource("queued")
  void someRunsAreWaitedForAtOnce(String spec) {
    try (Device device = open(spec);
        KernelModule module = device.compile(Devices.source("transfers.cu"));
        StmObjects cells = device.objects(CELLS);
        DeviceArray<int[]> value = device.ints(CELLS)) {
      Region sweep = module.region("sweep");
      StmOptions options = StmOptions.defaults();
      Fields fields = sweep(cells, value, 1, 1);
      assertEndedAtOnce(0, sweep.start(options, 0, fields));
      assertEndedAtOnce(
          ITEMS, sweep.withMostItemsPerLaunch(ITEMS - 1).start(options, ITEMS, fields));
      assertEndedAtOnce(ITEMS, sweep.start(options.withConflictSampling(true), ITEMS, fields));
      assertEquals(2 * ITEMS, Arrays.stream(value.toArray()).sum());
    }
  }

  @ParameterizedTest
  @MethodSource("queued")
  void aRecordedRunIsWaitedForAtOnce(String spec) {
    try (Device device = open(spec);
        KernelModule module =
            device.compile(Devices.source("transfers.cu"), Map.of("MAGPIE_RECORD", "1"));
        Recording recording = device.recording(Recording.Options.defaults());
        StmObjects cells = device.objects(CELLS);
        DeviceArray<int[]> value = device.ints(CELLS)) {
      int[] ended = {0};
      device.setRunRecorder(
          new RunRecorder() {
            @Override
            public Recording begin(UpcomingRun run) {
              assertEquals(ITEMS, run.items());
              return recording;
            }

            @Override
            public void end(RecordedRun run) {
              assertEquals(ITEMS, run.report().commits());
              ended[0]++;
            }

            @Override
            public void failed(String region) {
              throw new AssertionError(region);
            }
          });
      Fields fields = sweep(cells, value, 1, 1);
      assertEndedAtOnce(ITEMS, module.region("sweep").start(StmOptions.defaults(), ITEMS, fields));
      assertEquals(1, ended[0]);
      device.setRunRecorder(null);
    }
  }

  private static void assertEndedAtOnce(int items, StartedRun run) {
    assertTrue(run.hasEnded());
    assertEquals(items, run.await().requireComplete().commits());
    run.close();
    assertEquals(items, run.await().items());
  }

  @ParameterizedTest
  @MethodSource("all")
  void whatDoesNotFitIsNotStarted(String spec) {
    try (Device device = open(spec);
        KernelModule module = device.compile(Devices.source("transfers.cu"));
        StmObjects cells = device.objects(CELLS);
        DeviceArray<int[]> value = device.ints(CELLS)) {
      Region sweep = module.region("sweep");
      StmOptions options = StmOptions.defaults();
      Fields fields = sweep(cells, value, 1, 1);
      assertThrows(IllegalArgumentException.class, () -> sweep.start(options, -1, fields));
      assertThrows(
          MagpieException.class,
          () -> sweep.start(options, ITEMS, sweep(cells, value, 1, 1).set("extra", 1)));
      try (DeviceArray<long[]> longs = device.longs(CELLS)) {
        fields.set("value", longs);
        assertThrows(ArgumentMismatchException.class, () -> sweep.start(options, ITEMS, fields));
      }
      assertEquals(List.of(), startedRuns(device));
      assertEquals(0, Arrays.stream(value.toArray()).sum());
    }
  }
}
