package io.magpie.verification.workload;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.KernelModule;
import io.magpie.stm.StmOptions;
import io.magpie.stm.trace.Recording;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RegionWorkloadTest {
  static final Path SOURCE =
      Path.of(System.getProperty("magpie.basedir", "."), "src", "test", "cuda", "fields.cu");

  static final Path MISBEHAVES = SOURCE.resolveSibling("misbehaves.cu");

  private static Device device;

  @BeforeAll
  static void open() {
    device = Device.open("cpu:1");
  }

  @AfterAll
  static void close() {
    device.close();
  }

  private static final String[] FITTING = {
    "cells=objects:4",
    "i32=fill:-3:4",
    "u32=fill:4294967295:4",
    "i64=iota:4",
    "u64=random:100:4",
    "f32=fill:0.5:4",
    "f64=random:1:4:9",
    "structs=zeros:6",
    "pointer=null",
    "a=-1",
    "b=4294967295",
    "c=-5",
    "d=18446744073709551615",
    "e=0.25",
    "f=1e3",
    "seen=zeros:32"
  };

  /**
   * The specs of {@link #FITTING}, with one changed, added, or (without text behind =) left out.
   */
  private static Map<String, ArgumentSpec> specs(String... changes) {
    Map<String, ArgumentSpec> specs = new LinkedHashMap<>();
    for (String[] list : List.of(FITTING, changes)) {
      for (String each : list) {
        String[] pair = each.split("=", 2);
        if (pair[1].isEmpty()) {
          specs.remove(pair[0]);
        } else {
          specs.put(pair[0], ArgumentSpec.parse(pair[1]));
        }
      }
    }
    return specs;
  }

  @Test
  void argumentsReachTheRegion() {
    double[] seen = seen(specs());
    double[] again = seen(specs());
    assertArrayEquals(seen, again, "random arguments are those of their seed");
    for (int item = 0; item < 4; item++) {
      assertEquals(-3, seen[8 * item]);
      assertEquals(4294967295.0, seen[8 * item + 1]);
      assertEquals(item, seen[8 * item + 2]);
      assertTrue(seen[8 * item + 3] >= 0 && seen[8 * item + 3] < 100);
      assertEquals(0.5, seen[8 * item + 4]);
      assertTrue(seen[8 * item + 5] >= 0 && seen[8 * item + 5] < 1);
      assertEquals(-1 + 6, seen[8 * item + 6], "a null pointer, six structs");
    }
    assertTrue(seen[3] != seen[11] || seen[11] != seen[19], "random is not constant");
    assertEquals(5 + 6, seen(specs("pointer=fill:5:4"))[6]);
    double scalars = seen(specs("b=7", "d=9"))[7];
    assertEquals(-1 + 7 - 5 + 9 + 0.25 + 1000, scalars);
  }

  /** What the region wrote into the array {@code seen}. */
  private static double[] seen(Map<String, ArgumentSpec> specs) {
    try (KernelModule module = device.compile(SOURCE, Map.of("MAGPIE_RECORD", "1"));
        RegionArguments arguments =
            RegionArguments.allocate(device, module.region("every_kind"), specs)) {
      module.region("every_kind").run(4, arguments.fields()).requireComplete();
      @SuppressWarnings("unchecked")
      DeviceArray<double[]> seen = (DeviceArray<double[]>) arguments.array("seen");
      double[] found = seen.toArray();
      arguments.reset();
      assertArrayEquals(new double[32], seen.toArray());
      return found;
    }
  }

  private static void refused(String region, Map<String, ArgumentSpec> specs, String... words) {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> new RegionWorkload(device, SOURCE, region, specs).close());
    for (String word : words) {
      assertTrue(e.getMessage().contains(word), "'" + word + "' is not in: " + e.getMessage());
    }
    assertEquals(List.of(), device.leaks(), "what was made before is freed");
  }

  @Test
  void whatDoesNotFitIsNamedWithFieldAndKind() {
    refused("every_kind", specs("cells=zeros:4"), "cells (objects", "'zeros:4'", "objects:COUNT");
    refused("every_kind", specs("i32=objects:4"), "i32 (an array of i32)", "iota:LENGTH");
    refused("every_kind", specs("i32=null"), "i32 (an array of i32)", "'null'");
    refused("every_kind", specs("i32=fill:2147483648:4"), "i32", "'2147483648'");
    refused("every_kind", specs("u32=fill:-1:4"), "u32", "'-1'");
    refused("every_kind", specs("u32=fill:0.5:4"), "u32", "'0.5'");
    refused("every_kind", specs("u32=random:0:4"), "u32", "BOUND above 0");
    refused("every_kind", specs("f64=random:-1:4"), "f64", "BOUND above 0");
    refused("every_kind", specs("structs=iota:4"), "structs", "8-byte structs", "zeros:LENGTH");
    refused("every_kind", specs("a=zeros:4"), "a (a scalar of type i32)", "a number");
    refused("every_kind", specs("a=2147483648"), "a (a scalar of type i32)");
    refused("every_kind", specs("a=", "f="), "lacks", "a (a scalar", "f (a scalar");
    refused("every_kind", specs("g=1"), "no field 'g'", "cells (objects", "seen (an array of f64)");
  }

  @Test
  void theRegionIsNamedIfThereAreSeveral() {
    refused(null, Map.of(), "fields.cu#NAME", "every_kind, two_arrays");
    refused("nothing", Map.of(), "'nothing'", "every_kind, two_arrays");
    refused(
        "without_objects",
        Map.of("nothing", ArgumentSpec.parse("1")),
        "without_objects has no objects");
  }

  @Test
  void severalArraysOfObjectsAreCheckedTogether() {
    Map<String, ArgumentSpec> specs =
        Map.of(
            "left", ArgumentSpec.parse("objects:3"),
            "right", ArgumentSpec.parse("objects:5"),
            "values", ArgumentSpec.parse("zeros:8"));
    try (Device sim = Device.open("sim:3:4");
        RegionWorkload workload = new RegionWorkload(sim, SOURCE, "two_arrays", specs);
        RecordedRuns runs =
            new RecordedRuns(
                workload,
                StmOptions.defaults(),
                Recording.Options.defaults().withWordsPerThread(16), // too few: they grow
                0,
                1 << 26)) {
      for (int number = 0; number < 3; number++) {
        CheckedRun run = runs.run(60, number);
        assertEquals(List.of(), run.violations());
        assertEquals(60, run.verdict().extent().committed());
        assertEquals(7, run.history().greatestObject());
        // Each commit reads and overwrites two versions; the first of each object is nobody's.
        assertEquals(2 * (2 * 60 - 8), run.edges());
      }
    }
  }

  /** Each item takes a slot of the pool. */
  static RegionWorkload taking(Device device, String pool) {
    return taking(device, pool, 6);
  }

  /** There is an element of {@code owner} for so many slots only. */
  static RegionWorkload taking(Device device, String pool, int owners) {
    return new RegionWorkload(
        device,
        MISBEHAVES,
        "takes",
        Map.of(
            "cells", ArgumentSpec.parse("objects:6"),
            "owner", ArgumentSpec.parse("zeros:" + owners),
            "slots", ArgumentSpec.parse(pool)));
  }

  @Test
  void poolsAreMadeAndMadeAnew() {
    try (RegionWorkload workload = taking(device, "pool:6:2");
        RecordedRuns runs =
            new RecordedRuns(
                workload, StmOptions.defaults(), Recording.Options.defaults(), 0, 1 << 26)) {
      for (int number = 0; number < 3; number++) {
        CheckedRun run = runs.run(4, number);
        assertTrue(run.report().complete(), run.report().unfinishedReason());
        assertEquals(List.of(), run.violations());
      }
    }
    for (String wrong : List.of("zeros:6", "pool:1:2", "pool:2147483648")) {
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> taking(device, wrong));
      assertTrue(e.getMessage().contains("slots (a pool of slots"), e.getMessage());
      assertTrue(e.getMessage().contains("expected pool:CAPACITY[:LIVE]"), e.getMessage());
    }
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                new RegionWorkload(
                    device,
                    MISBEHAVES,
                    "takes",
                    Map.of(
                        "cells", ArgumentSpec.parse("objects:6"),
                        "owner", ArgumentSpec.parse("zeros:6"))));
    assertTrue(e.getMessage().endsWith("--arg slots=pool:CAPACITY[:LIVE]"), e.getMessage());
    assertEquals(List.of(), device.leaks());
  }

  @Test
  void aRegionThatPushesIsRefused() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> new RegionWorkload(device, MISBEHAVES, "pushes", Map.of()));
    assertTrue(e.getMessage().contains("pushes items"), e.getMessage());
    assertTrue(e.getMessage().contains("RecordedAlgorithm"), e.getMessage());
  }
}
