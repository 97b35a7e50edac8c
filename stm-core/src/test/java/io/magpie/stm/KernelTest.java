package io.magpie.stm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.magpie.stm.DeviceDescription.Machine;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class KernelTest {
  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void doesEachItemOnceWhateverTheirNumber(String spec) {
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("vectors.cu"))) {
      Kernel phase = module.kernel("scaled_sum");
      for (int n : new int[] {0, 1, 2, 31, 32, 33, 255, 257, 1000, 30_011}) {
        int[] x = IntStream.range(0, n).toArray();
        int[] expected = IntStream.range(0, n).map(i -> 5 - 3 * i).toArray();
        try (DeviceArray<int[]> xs = device.copyOf(x);
            DeviceArray<int[]> ys = device.ints(n);
            DeviceArray<long[]> done = device.longs(1)) {
          ys.fill(5);
          Kernel.Report report =
              phase.run(
                  n,
                  new Fields()
                      .set("n", n)
                      .set("factor", -3)
                      .set("x", xs)
                      .set("y", ys)
                      .set("done", done));
          assertArrayEquals(expected, ys.toArray());
          assertEquals(n, done.getLong(0));
          assertEquals(n, report.items());
          assertEquals("scaled_sum", report.kernel());
          assertTrue(n == 0 || report.threads() >= 1, report::toString);
          assertTrue(report.kernelMillis() >= 0, report::toString);
        }
      }
    }
  }

  /** However many items: of threads that could not run at the same time there are none. */
  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void threadsOfAGridWaitForEachOther(String spec) {
    int rounds = 10;
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("meetings.cu"))) {
      assumeTrue(device.hasGridBarrier() || device.machine() == Machine.CPU, "cannot wait");
      Kernel meeting = module.kernel("meet_often");
      for (int items : new int[] {1, 100, 3_000_000}) {
        try (DeviceArray<int[]> words = device.ints(items + 1024L);
            DeviceArray<int[]> arrived = device.ints(1);
            DeviceArray<int[]> found = device.ints(3)) {
          meeting.run(
              items,
              new Fields()
                  .set("rounds", rounds)
                  .set("words", words)
                  .set("arrived", arrived)
                  .set("found", found));
          int threads = found.getInt(0);
          assertEquals(rounds * threads, found.getInt(1));
          assertEquals(0, found.getInt(2));
          if (items > 64) {
            assertEquals(device.hasGridBarrier(), threads > 1);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void launchesRunInTheirOrder(String spec) {
    int n = 4096;
    int rounds = 200;
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("vectors.cu"));
        DeviceArray<int[]> a = device.ints(n);
        DeviceArray<int[]> b = device.ints(n);
        DeviceArray<long[]> done = device.longs(1)) {
      a.fill(1);
      Kernel phase = module.kernel("scaled_sum");
      Timer timer = device.startTimer();
      for (int i = 0; i < rounds; i++) {
        phase.launch(
            n, new Fields().set("n", n).set("factor", 1).set("x", a).set("y", b).set("done", done));
        if (i == rounds / 2) {
          a.fill(2);
        }
      }
      double millis = timer.millis();
      assertTrue(millis > 0 && millis == timer.millis());
      int expected = (rounds / 2 + 1) + 2 * (rounds - rounds / 2 - 1);
      assertTrue(Arrays.stream(b.toArray()).allMatch(v -> v == expected));
      assertEquals((long) n * rounds, done.getLong(0));
      device.synchronize();
    }
  }

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void everyKindOfFieldArrives(String spec) {
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("vectors.cu"));
        DeviceArray<long[]> words = device.longs(6);
        DeviceArray<float[]> floats = device.floats(1);
        DeviceArray<double[]> doubles = device.doubles(1)) {
      Kernel phase = module.kernel("every_kind");
      phase.run(
          1,
          new Fields()
              .set("a", -7)
              .set("b", -1)
              .set("c", -8L)
              .set("d", -9L)
              .set("e", 1.25f)
              .set("f", 2.5)
              .set("words", words)
              .set("floats", floats)
              .set("doubles", doubles)
              .set("nothing", (DeviceArray<?>) null));
      assertArrayEquals(new long[] {-7, 0xffffffffL, -8, -9, 6, 1}, words.toArray());
      assertEquals(1.25, floats.getDouble(0));
      assertEquals(2.5, doubles.getDouble(0));
      // Longs in range for 32 bits, ints for 64, a float for a double.
      try (DeviceArray<int[]> something = device.ints(1)) {
        phase.run(
            1,
            new Fields()
                .set("a", 5L)
                .set("b", 0xfffffffeL)
                .set("c", 6)
                .set("d", 7)
                .set("e", 1.25f)
                .set("f", 0.5f)
                .set("words", words.slice(0, 6))
                .set("floats", floats)
                .set("doubles", doubles)
                .set("nothing", something));
      }
      assertArrayEquals(new long[] {5, 0xfffffffeL, 6, 7, 6, 0}, words.toArray());
      assertEquals(0.5, doubles.getDouble(0));
    }
  }

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void structsComeInArraysOfTheirSize(String spec) {
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("vectors.cu"));
        DeviceArray<long[]> pairs = device.copyOf(1L, 2L, 3L, 4L)) {
      module.kernel("swap_pairs").run(2, new Fields().set("pairs", pairs));
      assertArrayEquals(new long[] {2, 1, 4, 3}, pairs.toArray());
      module.kernel("swap_pairs").run(1, new Fields().set("pairs", pairs.slice(2, 2)));
      assertArrayEquals(new long[] {2, 1, 3, 4}, pairs.toArray());
      ArgumentMismatchException odd =
          assertThrows(
              ArgumentMismatchException.class,
              () ->
                  module.kernel("swap_pairs").run(1, new Fields().set("pairs", pairs.slice(0, 3))));
      assertTrue(odd.getMessage().contains("16-byte structs"), odd::getMessage);
      ArgumentMismatchException unaligned =
          assertThrows(
              ArgumentMismatchException.class,
              () ->
                  module.kernel("swap_pairs").run(1, new Fields().set("pairs", pairs.slice(1, 2))));
      assertTrue(unaligned.getMessage().contains("multiple of 16"), unaligned::getMessage);
    }
  }

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void theWarpIsAsWideAsTheDeviceSays(String spec) {
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("vectors.cu"));
        DeviceArray<int[]> facts = device.ints(3)) {
      int width = device.warpWidth();
      Kernel.Report report =
          module.kernel("warp_facts").run(1000, new Fields().set("facts", facts));
      assertEquals(width, facts.getInt(0));
      assertEquals(width * (width - 1) / 2, facts.getInt(1));
      assertEquals(report.threads(), facts.getInt(2));
      if (device.machine() == Machine.CPU) {
        assertEquals(1, width);
      }
    }
  }

  /** Loaded into one process, the libraries of one source must not see each other. */
  @Test
  void devicesOfOneProcessKeepTheirCodeApart() {
    List<String> specs = Devices.all().toList();
    List<Device> devices = specs.stream().map(Device::open).toList();
    try {
      List<KernelModule> modules =
          devices.stream().map(d -> d.compile(Devices.source("vectors.cu"))).toList();
      for (int round = 0; round < 2; round++) {
        for (int i = 0; i < devices.size(); i++) {
          DeviceArray<int[]> facts = devices.get(i).ints(3);
          modules.get(i).kernel("warp_facts").run(64, new Fields().set("facts", facts));
          assertEquals(devices.get(i).warpWidth(), facts.getInt(0), specs.get(i));
          facts.close();
        }
      }
      modules.forEach(KernelModule::close);
    } finally {
      devices.forEach(Device::close);
    }
  }

  @Test
  void checkedDevicesNameTheIndexOutOfBounds() {
    for (String spec : new String[] {"cpu-checked:2", "sim:0:4", "sim:3:32"}) {
      try (Device device = Device.open(spec);
          KernelModule module = device.compile(Devices.source("vectors.cu"));
          DeviceArray<int[]> target = device.ints(10)) {
        Kernel phase = module.kernel("write_at");
        phase.run(1, new Fields().set("index", 9).set("target", target));
        KernelFaultException fault =
            assertThrows(
                KernelFaultException.class,
                () -> phase.run(64, new Fields().set("index", 10).set("target", target)));
        assertEquals("write_at", fault.kernel());
        assertTrue(fault.launchShape().contains("threads"), fault::getMessage);
        assertTrue(fault.getMessage().contains("index 10"), fault::getMessage);
        assertTrue(fault.getMessage().contains("length 10"), fault::getMessage);
        // Not the end of a device that has no context to lose.
        assertTrue(!fault.deviceDead() && !device.isDead());
        phase.run(1, new Fields().set("index", 3).set("target", target));
        assertEquals(1, target.getInt(3));
      }
    }
  }

  @Test
  void namesThatDoNotExistAreAnsweredWithThoseThatDo() {
    try (Device device = Device.open("cpu:1");
        KernelModule module = device.compile(Devices.source("vectors.cu"))) {
      ModuleNotFoundException missing =
          assertThrows(ModuleNotFoundException.class, () -> module.kernel("scaled_sun"));
      assertTrue(missing.getMessage().contains("scaled_sun"), missing::getMessage);
      assertTrue(missing.getMessage().contains("scaled_sum, every_kind"), missing::getMessage);
      missing = assertThrows(ModuleNotFoundException.class, () -> module.region("transfer"));
      assertEquals(
          "module vectors has no region 'transfer'; it has: none; end the file with"
              + " MAGPIE_REGION(transfer)",
          missing.getMessage());
      assertTrue(module.kernels().contains("swap_pairs"));
      assertEquals("vectors", module.name());
      Kernel phase = module.kernel("warp_facts");
      closedTwice(module);
      try (DeviceArray<int[]> facts = device.ints(3)) {
        IllegalStateException closed =
            assertThrows(
                IllegalStateException.class, () -> phase.run(1, new Fields().set("facts", facts)));
        assertTrue(closed.getMessage().contains("module vectors"), closed::getMessage);
        assertThrows(
            IllegalArgumentException.class, () -> phase.run(-1, new Fields().set("facts", facts)));
      }
    }
  }

  private static void closedTwice(KernelModule module) {
    module.close();
    module.close();
  }

  /**
   * More arguments that take turns than are remembered, and changes that only a struct within
   * tells.
   */
  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void argumentsThatTakeTurnsAreTheLatest(String spec) {
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("vectors.cu"));
        DeviceArray<int[]> out = device.ints(7)) {
      Kernel unpack = module.kernel("unpack_box");
      Fields corner = new Fields().set("row", 2).set("column", 3);
      for (int turns = 1; turns <= 6; turns++) {
        Fields[] fields = new Fields[turns];
        for (int i = 0; i < turns; i++) {
          Fields box =
              new Fields().set("to", corner).set("from", corner).set("height", 6); // shared by all
          fields[i] = new Fields().set("last", 7).set("in", box).set("out", out).set("first", i);
        }
        for (int round = 0; round < 3; round++) {
          corner.set("row", 100 * turns + round);
          for (int i = 0; i < turns; i++) {
            unpack.run(1, fields[i]);
            int row = 100 * turns + round;
            assertArrayEquals(new int[] {i, row, 3, row, 3, 6, 7}, out.toArray());
          }
          fields[0].set("last", 7);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void structsAreSetOnceAndNamed(String spec) {
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("vectors.cu"));
        DeviceArray<int[]> out = device.ints(7)) {
      assertEquals(5, module.constant("box_words"));
      ModuleNotFoundException none =
          assertThrows(ModuleNotFoundException.class, () -> module.constant("box_word"));
      assertTrue(none.getMessage().endsWith("it has: box_words"), none::getMessage);
      Fields corner = new Fields().set("row", 2).set("column", 3);
      Fields box =
          new Fields()
              .set("to", new Fields().set("column", 5).set("row", 4))
              .set("from", corner)
              .set("height", 6);
      Fields fields = new Fields().set("last", 7).set("in", box).set("out", out).set("first", 1);
      Kernel unpack = module.kernel("unpack_box");
      unpack.run(1, fields);
      assertArrayEquals(new int[] {1, 2, 3, 4, 5, 6, 7}, out.toArray());
      corner.set("row", 20);
      unpack.run(1, fields.set("last", 70));
      assertArrayEquals(new int[] {1, 20, 3, 4, 5, 6, 70}, out.toArray());
      Map<String, Object> flat = new HashMap<>();
      flat.put("first", 1);
      flat.put("in.from.row", 8);
      flat.put("in.from.column", 9);
      flat.put("in.to.row", 8);
      flat.put("in.to.column", 9);
      flat.put("in.height", 8);
      flat.put("out", out);
      flat.put("last", 9);
      unpack.run(1, Fields.of(flat));
      assertArrayEquals(new int[] {1, 8, 9, 8, 9, 8, 9}, out.toArray());
      refused(unpack, new Fields().set("first", 1), "'in' of kernel unpack_box must be a struct");
      flat.remove("in.to.row");
      refused(unpack, Fields.of(flat), "'in.to.row' of kernel unpack_box must be a scalar");
      flat.put("in.to.row", 8);
      flat.put("in.to.rwo", 8);
      refused(
          unpack, Fields.of(flat), "'in.to.rwo' of kernel unpack_box must be one of its fields");
      flat.remove("in.to.rwo");
      // One by one, into the struct's own fields, which others share.
      fields.set("in.from.row", 30).set("in.height", 60);
      unpack.run(1, fields);
      assertArrayEquals(new int[] {1, 30, 3, 4, 5, 60, 70}, out.toArray());
      unpack.run(1, new Fields().set("first", 1).set("in", box).set("out", out).set("last", 7));
      assertArrayEquals(new int[] {1, 30, 3, 4, 5, 60, 7}, out.toArray());
      IllegalArgumentException scalar =
          assertThrows(IllegalArgumentException.class, () -> fields.set("last.row", 1));
      Fields pointer = new Fields().set("out", (DeviceArray<?>) null);
      assertThrows(IllegalArgumentException.class, () -> pointer.set("out.data", 1));
      assertEquals(
          "'last' has a value of its own, so it is no struct with fields to set",
          scalar.getMessage());
      flat.put("box.height", 8);
      refused(unpack, Fields.of(flat), "'box' of kernel unpack_box must be one of its fields");
    }
  }

  private static void refused(Kernel kernel, Fields fields, String message) {
    ArgumentMismatchException e =
        assertThrows(ArgumentMismatchException.class, () -> kernel.run(1, fields));
    assertTrue(e.getMessage().startsWith(message), e::getMessage);
  }
}
