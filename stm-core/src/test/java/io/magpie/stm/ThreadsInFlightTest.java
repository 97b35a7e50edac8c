package io.magpie.stm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The rule by the table of cases that the C++ launcher is held to as well, and that runs follow it
 * on a machine that has a cache.
 */
class ThreadsInFlightTest {
  private static final int OBJECTS = 64;

  /** Of objects and data. */
  private static final long BYTES = OBJECTS * (4 + 4);

  /** Of a simulator, whose warps have 32. */
  private static final int FULL_GRID = 128;

  private static final int ITEMS = FULL_GRID + 1;

  static Stream<String> cases() throws IOException {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                ThreadsInFlightTest.class.getResourceAsStream("/threads_in_flight_cases.txt"),
                UTF_8))) {
      List<String> found =
          lines.lines().filter(line -> !line.isEmpty() && !line.startsWith("#")).toList();
      assertTrue(found.size() > 20);
      return found.stream();
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void threadsAreThoseOfTheTable(String text) {
    String[] sides = text.split(" -> ", -1);
    long[] given = Stream.of(sides[0].split(" ", -1)).mapToLong(Long::parseLong).toArray();
    assertEquals(
        Long.parseLong(sides[1]),
        ThreadsInFlight.forScatteredAccesses(
            given[0], (int) given[1], given[2], given[3], given[4]));
  }

  private static KernelModule compiled(Device device) {
    return device.compile(Devices.source("scattered.cu"), Devices.FIXED_LOGS);
  }

  private static long threads(RegionReport report) {
    assertEquals(1, report.requireComplete().passes().size());
    return report.passes().get(0).threads();
  }

  private static long threads(Region region, Fields fields) {
    return threads(region.run(ITEMS, fields));
  }

  /** Runs it as one that has so many bytes of objects and data. */
  private static void assertBytes(
      long expected, QueuedBackend backend, Region region, Fields fields) {
    backend.setL2CacheBytes(expected);
    assertEquals(FULL_GRID, threads(region, fields), region::name);
    backend.setL2CacheBytes(expected - 1);
    assertEquals(FULL_GRID / 2, threads(region, fields), region::name);
  }

  @Test
  void wordsAndGuardedDataCountOnce() {
    QueuedBackend backend = new QueuedBackend("sim:7:32");
    try (Device device = new Device(backend);
        KernelModule module = compiled(device);
        StmObjects objects = device.objects(OBJECTS);
        StmObjects ofRows = device.objects(16);
        DeviceArray<int[]> value = device.ints(OBJECTS);
        DeviceArray<long[]> same = device.longs(OBJECTS);
        DeviceArray<float[]> rows = device.floats(16 * 3);
        DeviceArray<int[]> unguarded = device.ints(1000);
        GuardedCells<int[]> cells = device.cells(int[].class, OBJECTS)) {
      Fields fields = new Fields().set("value", value, objects);
      assertBytes(BYTES, backend, module.region("scattered"), fields);
      Fields inCells = new Fields().set("value", cells);
      assertBytes(OBJECTS * 8, backend, module.region("scattered_in_cells"), inCells);
      Fields others =
          new Fields()
              .set("first", fields)
              .set("same", same, objects)
              .set("rows", rows, 3, ofRows)
              .set("unguarded", unguarded);
      long all = BYTES + OBJECTS * 8 + 16 * (4 + 3 * 4);
      assertBytes(all, backend, module.region("scattered_among_others"), others);
      assertEquals(4 * ITEMS, IntStream.of(value.toArray()).sum());
      assertEquals(0, objects.claimed());
    }
  }

  @Test
  void runsHaveFewerThreadsUnlessTheyAreAskedForANumber() {
    QueuedBackend backend = new QueuedBackend("sim:7:32");
    try (Device device = new Device(backend);
        KernelModule module = compiled(device);
        StmObjects objects = device.objects(OBJECTS);
        DeviceArray<int[]> value = device.ints(OBJECTS)) {
      Region scattered = module.region("scattered");
      Fields fields = new Fields().set("value", value, objects);
      StmOptions options = StmOptions.defaults();
      backend.setL2CacheBytes(BYTES / 4);
      assertEquals(FULL_GRID / 2, threads(scattered, fields));
      backend.setL2CacheBytes(BYTES / 4 - 1);
      assertEquals(32, threads(scattered, fields)); // 48 in whole warps
      try (StartedRun started = scattered.start(options, ITEMS, fields)) {
        assertEquals(32, threads(started.await()));
      }
      assertEquals(FULL_GRID, threads(scattered.run(FULL_GRID, fields)));
      for (int asked : new int[] {32, 96, FULL_GRID, 2 * FULL_GRID}) {
        RegionReport report =
            scattered.run(options.withThreadsInFlight(asked), 2 * FULL_GRID, fields);
        assertEquals(asked, threads(report));
      }
      assertEquals(FULL_GRID, threads(module.region("not_declared"), fields));
    }
  }

  /** Nor do the processor and the simulator, whose launches do not depend on a cache. */
  @ParameterizedTest
  @ValueSource(strings = {"cpu:4", "sim:7:32"})
  void otherMachinesTakeNoHeed(String spec) {
    try (Device device = Device.open(spec);
        KernelModule module = compiled(device);
        StmObjects objects = device.objects(OBJECTS);
        DeviceArray<int[]> value = device.ints(OBJECTS)) {
      Fields fields = new Fields().set("value", value, objects);
      assertEquals(
          threads(module.region("not_declared"), fields),
          threads(module.region("scattered"), fields));
    }
  }
}
