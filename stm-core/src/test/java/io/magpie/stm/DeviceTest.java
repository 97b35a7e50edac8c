package io.magpie.stm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.Device.Leak;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.internal.ControlBlock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceTest {
  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void describesItself(String spec) {
    try (Device device = Device.open(spec)) {
      DeviceDescription description = device.description();
      assertTrue(description.spec().startsWith(spec), description::toString);
      assertEquals(description.machine(), device.machine());
      assertEquals(description.warpWidth(), device.warpWidth());
      assertTrue(description.memoryBytes() > 1 << 20, description::toString);
      assertTrue(device.freeBytes() > 0);
      assertTrue(device.freeBytes() <= description.memoryBytes());
      assertFalse(device.isDead());
      // What it calls itself opens the same.
      try (Device again = Device.open(description.spec())) {
        assertEquals(description, again.description());
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "cpu:3, CPU, 3, 1",
    "cpu-checked:2, CPU, 2, 1",
    "sim, SIM, 1, 32",
    "sim:5, SIM, 1, 32",
    "sim:5:7, SIM, 1, 7"
  })
  void specificationsChooseThreadsAndWidth(String spec, Machine machine, int threads, int width) {
    try (Device device = Device.open(spec)) {
      assertEquals(machine, device.machine());
      assertEquals(threads, device.description().parallelism());
      assertEquals(width, device.warpWidth());
    }
  }

  @Test
  void autoIsTheGpuOrElseTheProcessor() {
    try (Device device = Device.open("auto")) {
      assertEquals(Device.whyNoGpu().isEmpty() ? Machine.CUDA : Machine.CPU, device.machine());
    }
    List<Machine> machines = Device.list().stream().map(DeviceDescription::machine).toList();
    assertTrue(machines.contains(Machine.CPU) && machines.contains(Machine.SIM));
    assertEquals(Device.whyNoGpu().isEmpty(), machines.contains(Machine.CUDA));
    for (DeviceDescription each : Device.list()) {
      Device.open(each.spec()).close();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "tpu",
        "CPU",
        "cpu:",
        "cpu:0",
        "cpu:-1",
        "cpu:1025",
        "cpu:2:3",
        "cpu:x",
        "cpu:+2",
        "cpu:\u0662",
        "auto:1",
        "sim:abc",
        "sim:-1",
        "sim:1:0",
        "sim:1:33",
        "sim:1:2:3",
        "cuda:-1",
        "cuda:x",
        "cuda:0:0",
        "cpu-checked:0",
        "sim:99999999999999999999"
      })
  void badSpecificationsAreAnsweredWithTheAllowedOnes(String spec) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> Device.open(spec));
    assertTrue(e.getMessage().startsWith("device '" + spec + "': "), e::getMessage);
    assertTrue(
        e.getMessage()
            .endsWith(
                "allowed: auto | cuda[:number] | cpu[:threads] | cpu-checked[:threads]"
                    + " | sim[:seed[:width]]"),
        e::getMessage);
  }

  @Test
  void missingGpusAreAnsweredWithWhatThereIs() {
    DeviceUnavailableException e =
        assertThrows(DeviceUnavailableException.class, () -> Device.open("cuda:999"));
    assertTrue(e.getMessage().startsWith("device 'cuda:999': "), e::getMessage);
    assertTrue(e.getMessage().contains("there are: "), e::getMessage);
    assertTrue(e.getMessage().contains("sim"), e::getMessage);
  }

  @Test
  void whyThereIsNoGpuIsSaid() {
    Assumptions.assumeTrue(Device.whyNoGpu().isPresent(), "there is a GPU");
    assertTrue(Device.whyNoGpu().orElseThrow().startsWith("no GPU here ("));
    DeviceUnavailableException e =
        assertThrows(DeviceUnavailableException.class, () -> Device.open("cuda"));
    assertTrue(e.getMessage().contains(Device.whyNoGpu().orElseThrow()), e::getMessage);
  }

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void leaksAreToldWithTheirPlace(String spec) {
    Device device = Devices.openTracking("true", spec);
    assertTrue(device.leaks().isEmpty());
    DeviceArray<int[]> ints = device.ints(12);
    StmObjects objects = device.objects(5);
    KernelModule module = device.compile(Devices.source("vectors.cu"));
    List<Leak> leaks = new ArrayList<>(device.leaks());
    leaks.sort(Comparator.comparing(Leak::what));
    assertEquals(
        List.of("array of 5 objects", "int array of 12 elements", "module vectors"),
        leaks.stream().map(Leak::what).toList());
    for (Leak leak : leaks) {
      assertTrue(leak.toString().contains("DeviceTest.leaksAreToldWithTheirPlace"), leak::what);
    }
    ints.close();
    assertEquals(2, device.leaks().size());
    module.close();
    objects.close();
    assertTrue(device.leaks().isEmpty());
    device.close();
  }

  @Test
  void aLeakFailsWhereThePropertySaysSo() {
    Device device = Devices.openTracking("fail", "cpu:2");
    DeviceArray<int[]> left = device.ints(12);
    IllegalStateException leaked = assertThrows(IllegalStateException.class, device::close);
    assertEquals("cpu:2 closes, but still open: int array of 12 elements", leaked.getMessage());
    StackTraceElement[] allocation = leaked.getSuppressed()[0].getStackTrace();
    assertTrue(
        Stream.of(allocation)
            .anyMatch(frame -> frame.getMethodName().equals("aLeakFailsWhereThePropertySaysSo")),
        () -> List.of(allocation).toString());
    // Told once, and closed.
    assertThrows(IllegalStateException.class, left::toArray);
    device.close();
  }

  @Test
  void aLeakIsLoggedWhereThePropertySaysSo() {
    PrintStream standard = System.err;
    ByteArrayOutputStream logged = new ByteArrayOutputStream();
    System.setErr(new PrintStream(logged, true, StandardCharsets.UTF_8));
    try (Device silent = Devices.openLenient("cpu:1");
        Device told = Devices.openTracking("true", "cpu:2")) {
      silent.ints(1);
      told.ints(12);
    } finally {
      System.setErr(standard);
    }
    String text = logged.toString(StandardCharsets.UTF_8);
    assertTrue(
        text.contains("cpu:2 closes, but its int array of 12 elements is still open\n    at "),
        text);
    assertTrue(text.contains("DeviceTest.aLeakIsLoggedWhereThePropertySaysSo"), text);
    assertFalse(text.contains("cpu:1"), text);
  }

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void threadsTakeTurns(String spec) throws Exception {
    int rounds = 20;
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("transfers.cu"));
        StmObjects objects = device.objects(64);
        DeviceArray<int[]> value = device.ints(64)) {
      Region sweep = module.region("sweep");
      List<Future<?>> running = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        running.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < rounds; i++) {
                    sweep
                        .run(
                            64,
                            new Fields()
                                .set("cells", objects)
                                .set("value", value)
                                .set("every", 1)
                                .set("many", 2))
                        .requireComplete();
                  }
                }));
      }
      for (Future<?> each : running) {
        each.get();
      }
      for (int v : value.toArray()) {
        assertEquals(4 * rounds * 2, v);
      }
      assertEquals(0, objects.claimed());
    } finally {
      threads.shutdown();
    }
  }

  /** Whatever a device gave out before it closed is closed with it. */
  @Test
  void closingRacesWithAllocating() throws Exception {
    ExecutorService other = Executors.newSingleThreadExecutor();
    try {
      for (int round = 0; round < 200; round++) {
        Device device = Devices.openLenient("cpu:1");
        CountDownLatch begun = new CountDownLatch(1);
        Future<?> allocating =
            other.submit(
                () -> {
                  begun.countDown();
                  try {
                    assertEquals(8, device.ints(8).length());
                  } catch (IllegalStateException e) {
                    assertTrue(e.getMessage().contains("closed"), e::getMessage);
                  }
                });
        begun.await();
        device.close();
        allocating.get();
        assertEquals(List.of(), device.leaks());
      }
    } finally {
      other.shutdown();
    }
  }

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void aTimerHoldsNothingOnceItIsReadOrClosed(String spec) {
    try (Device device = Device.open(spec)) {
      Timer read = device.startTimer();
      Timer closed = device.startTimer();
      assertEquals(List.of("timer", "timer"), device.leaks().stream().map(Leak::what).toList());
      double millis = read.millis();
      closed.close();
      assertEquals(List.of(), device.leaks());
      read.close();
      closed.close();
      assertEquals(millis, read.millis());
      assertThrows(IllegalStateException.class, closed::millis);
      assertTrue(device.startTimer().millis() >= 0);
    }
  }

  /** What comes after its end does not count, although it is read later. */
  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void aTimerEndsWhereItIsStopped(String spec) throws InterruptedException {
    try (Device device = Device.open(spec)) {
      Timer whole = device.startTimer();
      Timer stopped = device.startTimer(); // later, however long the machine takes in between
      stopped.stop();
      assertEquals(2, device.leaks().size(), "a stopped one is still to be read");
      Thread.sleep(30);
      stopped.stop();
      assertTrue(whole.millis() > stopped.millis() + 20);
      stopped.stop();
      Timer closed = device.startTimer();
      closed.close();
      assertThrows(IllegalStateException.class, closed::stop);
      assertEquals(List.of(), device.leaks());
    }
  }

  /** A built-in module is loaded once; closing one user's ends that user's only. */
  @Test
  void builtInModulesAreLoadedOnce(@TempDir Path folder) throws IOException {
    Path modules = Files.createDirectories(folder.resolve("META-INF/magpie/modules/vectors"));
    Files.createFile(modules.resolve("index.properties"));
    Path sources = Files.createDirectories(folder.resolve("META-INF/magpie/source/vectors"));
    Files.copy(Devices.source("vectors.cu"), sources.resolve("vectors.cu"));
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()}, before);
        Device device = Device.open("cpu:1");
        DeviceArray<int[]> facts = device.ints(3)) {
      thread.setContextClassLoader(loader);
      KernelModule one = device.load("vectors");
      KernelModule variant = device.load("vectors", Map.of("UNUSED", "1"));
      thread.setContextClassLoader(before);
      KernelModule two = device.load("vectors");
      assertSame(one.loaded(), two.loaded());
      assertNotSame(one.loaded(), variant.loaded());
      assertEquals(
          "META-INF/magpie/source/vectors/vectors.cu of " + folder + " with UNUSED=1",
          variant.origin());
      try (KernelModule again = device.load("vectors", Map.of("UNUSED", "1"))) {
        assertSame(variant.loaded(), again.loaded());
      }
      device.define("vectors", Map.of("UNUSED", "1"));
      try (KernelModule defined = device.load("vectors")) {
        assertSame(variant.loaded(), defined.loaded());
      }
      device.define("vectors", Map.of());
      try (KernelModule again = device.load("vectors")) {
        assertSame(one.loaded(), again.loaded());
      }
      variant.close();
      assertThrows(
          IllegalArgumentException.class, () -> device.define("vectors", Map.of("UNUSED", "-")));
      one.close();
      assertThrows(IllegalStateException.class, one::loaded);
      two.kernel("warp_facts").run(1, new Fields().set("facts", facts));
      assertEquals(1, facts.getInt(0));
      two.close();
      try (KernelModule last = device.load("vectors")) {
        last.kernel("warp_facts").run(1, new Fields().set("facts", facts));
      }
      assertThrows(ModuleNotFoundException.class, () -> device.load("nothing"));
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @ParameterizedTest
  @EnumSource
  void optionsAreThePolicysWhereTheySayNothing(Policy policy) {
    StmOptions options = StmOptions.defaults().withPolicy(policy);
    assertEquals(policy.defaultBackOffNanos(), options.effectiveBackOffNanos());
    assertEquals(7, options.withBackOffNanos(7).effectiveBackOffNanos());
    long policys = policy.defaultBackOffNanos() | ControlBlock.POLICYS_BACK_OFF;
    assertEquals(policys, RegionRun.backOff(options));
    StmOptions linear = options.withBackOff(StmOptions.BackOff.LINEAR);
    assertEquals(policys | ControlBlock.LINEAR_BACK_OFF, RegionRun.backOff(linear));
    for (int asked : new int[] {0, 7, 4096, (1 << 30) - 1}) { // kept, also if it is the policy's
      assertEquals(asked, RegionRun.backOff(options.withBackOffNanos(asked)));
    }
    assertEquals((1 << 30) - 1, RegionRun.backOff(options.withBackOffNanos(Integer.MAX_VALUE)));
    for (int objects : new int[] {1, 4, 5, 256, 257}) {
      int eager = policy.defaultEagerAttempts(objects);
      assertEquals(eager, options.effectiveEagerAttempts(objects));
    }
    assertEquals(7, options.withEagerAttempts(7).effectiveEagerAttempts(257));
    for (int attempts : new int[] {1, 2, 5}) { // claims follow
      StmOptions bounded = options.withMaxAttempts(attempts).withEagerAttempts(7);
      assertEquals(attempts / 2, bounded.effectiveEagerAttempts(1));
    }
  }
}
