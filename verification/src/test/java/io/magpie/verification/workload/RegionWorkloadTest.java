package io.magpie.verification.workload;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.KernelModule;
import io.magpie.stm.Policy;
import io.magpie.stm.Recording;
import io.magpie.stm.RegionReport;
import io.magpie.stm.StmObjects;
import io.magpie.stm.StmOptions;
import io.magpie.verification.explore.RunOutOfTimeException;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.history.History;
import io.magpie.verification.history.HistoryBuilder;
import io.magpie.verification.workload.RegionWorkload.Runs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RegionWorkloadTest {
  static final Path SOURCE =
      Path.of(System.getProperty("magpie.basedir", "."), "src", "test", "cuda", "fields.cu");

  static final Path MISBEHAVES = SOURCE.resolveSibling("misbehaves.cu");

  static final Path INVARIANTS = SOURCE.resolveSibling("invariants.cu");

  @TempDir Path folder;

  private static final StmOptions OPTIONS = StmOptions.defaults();

  /** All regions of the tests fit their logs, but for those that name larger ones. */
  private static final Runs RUNS = new Runs(Policy.HAND_OFF, true, true);

  /** Where no test needs traces, builds that leave out the slow tests save compiling them. */
  private static final Runs TRACED_IF_FULL =
      new Runs(
          Policy.HAND_OFF,
          true,
          Boolean.parseBoolean(System.getProperty("magpie.test.full", "true")));

  private static Device device;
  private static KernelModule module;
  private static List<Device.Leak> open; // what is, as long as a test has made nothing

  @BeforeAll
  static void open() {
    device = Device.open("cpu-checked:1"); // compiles faster than cpu
    module = device.compile(SOURCE, RegionWorkload.defines(device, null, TRACED_IF_FULL));
    open = device.leaks();
  }

  @AfterAll
  static void close() {
    module.close();
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

  @Test
  void listsReachTheRegion() {
    double[] seen =
        seen(
            specs(
                "i32=[-2147483648, 2, 3, 4]",
                "u32=[-1,0,0,0]",
                "i64=[-9223372036854775808,0,0,0]",
                "u64=[-1,0,0,0]",
                "f32=[0.5,1e3,0,0]",
                "f64=[0.1,-7,0,0]",
                "pointer=[8,9,10,11]"));
    assertArrayEquals(
        new double[] {-2147483648.0, 4294967295.0, -0x1p63, 0x1p64, 0.5, 0.1, 8 + 6},
        Arrays.copyOf(seen, 7));
    assertArrayEquals(new double[] {2, 0, 0, 0, 1000, -7, 9 + 6}, Arrays.copyOfRange(seen, 8, 15));
    Map<String, ArgumentSpec> specs = specs();
    specs.put("u32", ArgumentSpec.list("given", NumberList.of(7, 8, 9, 10)));
    assertEquals(10, seen(specs)[25]);
  }

  @Test
  void listsThatDoNotFitAreNamedWithTheirElement() {
    refused("every_kind", specs("u32=[5,-2]"), "u32 (an array", "element 1: '-2'", "0 to 42949672");
    refused("every_kind", specs("i32=[2147483648]"), "element 0: '2147483648'", "to 2147483647");
    refused("every_kind", specs("u64=[18446744073709551616]"), "element 0: '184", "to 1844674407");
    refused("every_kind", specs("i64=[1.5]"), "i64 (an array of i64): element 0: '1.5'");
    refused("every_kind", specs("f32=[0,1e39]"), "element 1: '1e39'", "to 3.4028235e38");
    refused("every_kind", specs("structs=[1]"), "structs", "'[1]' does not fit", "zeros:LENGTH");
    refused("every_kind", specs("cells=[1]"), "cells (objects", "objects:COUNT");
    refused("every_kind", specs("a=[1]"), "a (a scalar of type i32)", "a number");
    refused("every_kind", specs("u32=1"), "u32", "'1' does not fit", "or [N,N,...]");
    Map<String, ArgumentSpec> specs = specs();
    specs.put(
        "u32", ArgumentSpec.list("file:w", NumberList.of(List.of("1", "-2"), i -> "w:" + (i + 3))));
    refused("every_kind", specs, "u32 (an array of u32): w:4: '-2' is not one of its values");
  }

  @Test
  void bytesAndShortsReachTheRegion() {
    assertArrayEquals(new double[] {-1, 2}, sums());
    assertArrayEquals(
        new double[] {-128 + 255 - 32768 + 65535, 127 + 1 + 32767},
        sums("i8=[-128,127]", "u8=[255,1]", "i16=[-32768,32767]", "u16=[65535,0]"));
    assertArrayEquals(
        new double[] {-1 + 255 + 65535, -1 + 255 + 1 + 65535},
        sums("u8=fill:-1:2", "i16=iota:2", "u16=fill:-1:2"),
        "-1 is the greatest of unsigned numbers");
    assertArrayEquals(
        new double[] {-3 + 200 - 300 + 60000, -3 + 200 - 300 + 60000},
        sums("i8=fill:-3:2", "u8=fill:200:2", "i16=fill:-300:2", "u16=fill:60000:2"));
    double[] drawn =
        sums("i8=random:100:2", "u8=random:200:2", "i16=random:300:2", "u16=random:9:2");
    assertArrayEquals(
        drawn, sums("i8=random:100:2", "u8=random:200:2", "i16=random:300:2", "u16=random:9:2"));
    assertTrue(drawn[0] >= 0 && drawn[0] < 609 && drawn[0] != drawn[1]);
  }

  private static final String[] NARROW = {
    "sums.data=zeros:2",
    "sums.guards=objects:2",
    "i8=fill:-1:2",
    "u8=iota:256",
    "i16=iota:2",
    "u16=iota:3",
    "structs.data=zeros:4",
    "structs.columns=2"
  };

  private static Map<String, ArgumentSpec> narrow(String... changes) {
    Map<String, ArgumentSpec> specs = new LinkedHashMap<>();
    for (String[] list : List.of(NARROW, changes)) {
      for (String each : list) {
        String[] pair = each.split("=", 2);
        specs.put(pair[0], ArgumentSpec.parse(pair[1]));
      }
    }
    return specs;
  }

  /** What region {@code narrow_kinds} adds up. */
  private static double[] sums(String... changes) {
    try (RegionArguments arguments =
        RegionArguments.allocate(device, module.region("narrow_kinds"), narrow(changes))) {
      module.region("narrow_kinds").run(2, arguments.fields()).requireComplete();
      @SuppressWarnings("unchecked")
      DeviceArray<double[]> sums = (DeviceArray<double[]>) arguments.array("sums.data");
      return sums.toArray();
    }
  }

  /** One after the other. */
  @Test
  void structsAreListedByTheirWords() {
    try (RegionArguments arguments =
        RegionArguments.allocate(
            device, module.region("every_kind"), specs("structs=[1,-2,4294967295,7]"))) {
      assertArrayEquals(new int[] {1, -2, -1, 7}, (int[]) arguments.array("structs").toArray());
    }
    refused("every_kind", specs("structs=[1,2,3]"), "does not fit", "32-bit words", "2 of each");
    refused("every_kind", specs("structs=[1,4294967296]"), "element 1: '4294967296'", "32-bit");
    refused("every_kind", specs("structs=[1,0.5]"), "element 1: '0.5'", "to 4294967295");
  }

  @Test
  void numbersBeyondBytesAndShortsAreRefused() {
    refused(
        "narrow_kinds", narrow("i8=[0,128]"), "i8 (an array of i8): element 1: '128'", "to 127");
    refused(
        "narrow_kinds", narrow("u8=[256]"), "u8 (an array of u8): element 0: '256'", "0 to 255");
    refused("narrow_kinds", narrow("u8=fill:-2:2"), "'-2' is not one of its values", "0 to 255");
    refused("narrow_kinds", narrow("i16=fill:40000:2"), "'40000'", "from -32768 to 32767");
    refused("narrow_kinds", narrow("u16=random:65536:2"), "u16 (a pointer to u16", "0 to 65535");
    refused("narrow_kinds", narrow("u16=random:-1:2"), "a BOUND above 0");
    refused("narrow_kinds", narrow("u8=iota:257"), "element 256: '256' is not one of its values");
    refused("narrow_kinds", narrow("i8=iota:129"), "element 128: '128' is not one of its values");
    refused("narrow_kinds", narrow("structs.data=[1]"), "array of 3-byte structs", "zeros:LENGTH");
  }

  private static Map<String, ArgumentSpec> cells(String... changes) {
    Map<String, ArgumentSpec> specs = new LinkedHashMap<>();
    specs.put("entries", ArgumentSpec.parse("[1,0,7,0,-1,0,2,0]"));
    specs.put("small", ArgumentSpec.parse("[-5,6]"));
    specs.put("pairs", ArgumentSpec.parse("[1,2,3,4]"));
    for (String change : changes) {
      String[] parts = change.split("=", 2);
      specs.put(parts[0], ArgumentSpec.parse(parts[1]));
    }
    return specs;
  }

  /** Of which some are aligned to 8 bytes, and some smaller than a word. */
  @Test
  void cellsAreGivenByTheirName() {
    try (RegionArguments arguments =
        RegionArguments.allocate(device, module.region("in_cells"), cells())) {
      int[] entries = {1, 0, 7, 0, -1, 0, 2, 0};
      assertArrayEquals(entries, (int[]) arguments.array("entries.data").toArray());
      assertArrayEquals(new int[] {1, 2, 3, 4}, (int[]) arguments.array("pairs.data").toArray());
      arguments.set("pairs.data", 12, 4, 9);
      arguments.set("small.data", 2, 2, 300);
      assertArrayEquals(new int[] {1, 2, 3, 9}, (int[]) arguments.array("pairs.data").toArray());
      assertArrayEquals(new short[] {-5, 300}, (short[]) arguments.array("small.data").toArray());
      arguments.reset();
      assertArrayEquals(new short[] {-5, 6}, (short[]) arguments.array("small.data").toArray());
    }
    refused("in_cells", cells("small=[1,40000]"), "element 1: '40000'", "32767");
    refused("in_cells", cells("pairs=[1,2,3]"), "does not fit", "2 of each");
    refused("in_cells", cells("pairs=small.guards"), "pairs (cells of 8-byte structs");
    refused("in_cells", cells("pairs.guards=objects:3"), "lie in cells with their data");
    refused("in_cells", cells("pairs.guards=small.guards"), "lie in cells with their data");
  }

  /** A tally is no difference, also where it is in the upper half of 8 bytes. */
  @Test
  void cellsAreCompared() {
    try (RegionWorkload workload = workload("in_cells", cells());
        RecordedRuns runs =
            new RecordedRuns(
                workload, OPTIONS, Recording.Options.defaults().withData(true), 0, 1 << 26)) {
      CheckedRun run = runs.run(40, 0);
      assertEquals(List.of(), run.violations());
      assertEquals(40, run.verdict().extent().committed());
    }
  }

  /** Between commits memory is made anew, in cells as well. */
  @Test
  void anInvariantIsLookedAtInCells() {
    try (Device sim = Device.open("sim:0:4");
        RegionWorkload workload =
            new RegionWorkload(
                sim,
                SOURCE,
                "in_cells",
                cells(),
                Optional.of("few"),
                Optional.of(Runs.scheduled(Policy.HAND_OFF)));
        WorkloadSubject subject = new WorkloadSubject(workload, OPTIONS, 8)) {
      String found = subject.defaultRun().violations().get(0).text();
      assertTrue(found.contains("few does not hold at 1, after the commit of item"), found);
      assertTrue(found.contains("it made pairs.data[1]"), found);
    }
    try (Device sim = Device.open("sim:0:4");
        RegionWorkload workload =
            new RegionWorkload(
                sim,
                SOURCE,
                "in_cells",
                cells(),
                Optional.of("few"),
                Optional.of(Runs.scheduled(Policy.HAND_OFF)));
        WorkloadSubject subject = new WorkloadSubject(workload, OPTIONS, 6)) {
      assertEquals(List.of(), subject.defaultRun().violations());
    }
  }

  @Test
  void membersAreForStructs() {
    Map<String, ArgumentSpec> rows = Map.of("offsets", ArgumentSpec.parse("[0,1,1]"));
    Map<String, ArgumentSpec> specs = new LinkedHashMap<>();
    specs.put("cells", ArgumentSpec.parse("objects:2"));
    specs.put("degrees", ArgumentSpec.parse("zeros:2"));
    specs.put("rows", ArgumentSpec.members("csr:x", rows));
    refused(
        "degree",
        specs,
        "rows.targets (an array of u32): 'csr:x' gives only offsets",
        "--arg rows.targets=zeros:LENGTH");
    specs.put("rows.targets", ArgumentSpec.parse("[1]"));
    try (RegionWorkload workload = workload("degree", specs);
        RecordedRuns runs =
            new RecordedRuns(workload, OPTIONS, Recording.Options.defaults(), 0, 1 << 26)) {
      CheckedRun run = runs.run(2, 0);
      assertEquals(List.of(), run.violations());
      assertEquals(1, run.verdict().extent().committed(), "vertex 1 has no arc and is canceled");
    }
    specs.put("cells", ArgumentSpec.members("csr:x", rows));
    refused("degree", specs, "cells (objects", "'csr:x' does not fit");
    specs.put("columns", specs.put("cells", ArgumentSpec.parse("objects:2")));
    refused("degree", specs, "no field 'columns'", "rows.offsets (an array of u32)");
  }

  /** What the region wrote into the array {@code seen}. */
  private static double[] seen(Map<String, ArgumentSpec> specs) {
    try (RegionArguments arguments =
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

  private static RegionWorkload workload(String region, Map<String, ArgumentSpec> specs) {
    return new RegionWorkload(module, region, specs, (history, verdict) -> Optional.empty());
  }

  private static void refused(String region, Map<String, ArgumentSpec> specs, String... words) {
    refused(() -> workload(region, specs).close(), words);
  }

  private static void refused(Executable making, String... words) {
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, making);
    for (String word : words) {
      assertTrue(e.getMessage().contains(word), "'" + word + "' is not in: " + e.getMessage());
    }
    assertEquals(open, device.leaks(), "what was made before is freed");
  }

  @Test
  void whatDoesNotFitIsNamedWithFieldAndKind() {
    refused("every_kind", specs("cells=zeros:4"), "cells (objects", "'zeros:4'", "objects:COUNT");
    refused("every_kind", specs("i32=objects:4"), "i32 (an array of i32)", "iota:LENGTH");
    refused("every_kind", specs("i32=null"), "i32 (an array of i32)", "'null'");
    refused("every_kind", specs("i32=fill:2147483648:4"), "i32", "'2147483648'");
    refused("every_kind", specs("u32=fill:-2:4"), "u32", "'-2'");
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
    for (String[] wrong : new String[][] {{null, "fields.cu#NAME"}, {"nothing", "'nothing'"}}) {
      refused(
          () ->
              new RegionWorkload(
                  device,
                  SOURCE,
                  wrong[0],
                  Map.of(),
                  Optional.empty(),
                  Optional.of(TRACED_IF_FULL)),
          wrong[1],
          "every_kind, narrow_kinds, two_arrays");
    }
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
    Runs scheduled = Runs.scheduled(Policy.HAND_OFF); // for which there is less to compile
    try (Device sim = Device.open("sim:3:4");
        RegionWorkload workload =
            new RegionWorkload(
                sim, SOURCE, "two_arrays", specs, Optional.empty(), Optional.of(scheduled));
        RecordedRuns runs =
            new RecordedRuns(
                workload,
                OPTIONS,
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

  /** Each item takes a slot of the pool; there is an element of {@code owner} for so many slots. */
  static RegionWorkload taking(Device device, Runs runs, String pool, int owners) {
    Map<String, ArgumentSpec> specs = new LinkedHashMap<>();
    specs.put("cells", ArgumentSpec.parse("objects:6"));
    specs.put("owner", ArgumentSpec.parse("zeros:" + owners));
    if (pool != null) {
      specs.put("slots", ArgumentSpec.parse(pool));
    }
    return new RegionWorkload(
        device, MISBEHAVES, "takes", specs, Optional.empty(), Optional.of(runs));
  }

  @Test
  void poolsAreMadeAndMadeAnew() {
    try (RegionWorkload workload = taking(device, RUNS, "pool:6:2", 6);
        RecordedRuns runs =
            new RecordedRuns(workload, OPTIONS, Recording.Options.defaults(), 0, 1 << 26)) {
      for (int number = 0; number < 3; number++) {
        CheckedRun run = runs.run(4, number);
        assertTrue(run.report().complete(), run.report().unfinishedReason());
        assertEquals(List.of(), run.violations());
      }
    }
    for (String wrong : List.of("zeros:6", "pool:1:2", "pool:2147483648")) {
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> taking(device, RUNS, wrong, 6));
      assertTrue(e.getMessage().contains("slots (a pool of slots"), e.getMessage());
      assertTrue(e.getMessage().contains("expected pool:CAPACITY[:LIVE]"), e.getMessage());
    }
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> taking(device, RUNS, null, 6));
    assertTrue(e.getMessage().endsWith("--arg slots=pool:CAPACITY[:LIVE]"), e.getMessage());
    assertEquals(open, device.leaks());
  }

  private static RegionWorkload pushing(String first) {
    return pushing(first, RUNS);
  }

  private static RegionWorkload pushing(String first, Runs runs) {
    return new RegionWorkload(
        device,
        MISBEHAVES,
        "pushes",
        Map.of(
            "cells", ArgumentSpec.parse("objects:1"),
            "values", ArgumentSpec.parse("fill:" + first + ":1")),
        Optional.empty(),
        Optional.of(runs));
  }

  private static RecordedRuns smallLogs(Workload workload) {
    return new RecordedRuns(
        workload, OPTIONS, Recording.Options.defaults().withWordsPerThread(16), 0, 1 << 26);
  }

  @Test
  void aRegionThatPushesIsRecordedRoundByRound() {
    try (RegionWorkload workload = pushing("0");
        RecordedRuns runs = smallLogs(workload)) {
      // Items 0 to 19 push 0 to 18, these 0 to 17, and so on.
      CheckedRounds rounds = runs.rounds(20, 0, Long.MAX_VALUE, Duration.ZERO);
      assertEquals(20, rounds.all().size());
      for (int round = 0; round < 20; round++) {
        assertEquals(List.of(), rounds.all().get(round).violations());
        assertEquals(20 - round, rounds.all().get(round).report().items());
      }
      assertEquals(new Rounds(20, 190, 0, 0), rounds.sum());
      assertEquals(210, rounds.all().stream().mapToLong(each -> each.report().commits()).sum());
      assertNull(rounds.all().get(18).history(), "only the last one's is kept");
      assertEquals(1, rounds.last().history().size());
      CheckedRounds bounded = runs.rounds(20, 1, 2, Duration.ofMinutes(1));
      assertEquals(new Rounds(2, 37, 0, 18), bounded.sum());
      assertEquals(new Rounds(22, 227, 0, 18), bounded.sum().plus(rounds.sum()));
      assertFalse(bounded.timedOut(), "the number of rounds ended it");
      CheckedRounds late = runs.rounds(20, 2, Long.MAX_VALUE, Duration.ofNanos(1));
      assertEquals(1, late.all().size(), "the first one takes all of the time");
      assertTrue(late.timedOut() && late.last().report().complete());
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> runs.run(1L << 31, 3));
      assertTrue(e.getMessage().contains("take at most 2,147,483,639"), e.getMessage());
    }
  }

  /** As outside of rounds: there it is unfinished, here it waits. */
  @Test
  void whatTimeEndsInARoundIsNotRunAgainWithLargerLogs() {
    List<String> calls = new ArrayList<>();
    Runs untraced = new Runs(RUNS.policy(), RUNS.oneLaunch(), false);
    try (RegionWorkload workload = pushing("4294967295", untraced);
        RecordedRuns runs = smallLogs(RecordedRunsTest.watched(workload, calls::add))) {
      RunOutOfTimeException e =
          assertThrows(
              RunOutOfTimeException.class,
              () -> runs.rounds(2, 0, Long.MAX_VALUE, Duration.ofMillis(500)));
      assertTrue(e.getMessage().contains("2 items wait"), e.getMessage());
      assertEquals(1, Collections.frequency(calls, "record"));
    }
  }

  /** Where all accesses are seen. */
  @Test
  @Tag("slow") // plain builds have such a loop in VerifyCommandTest
  void theLoopThatTimeEndsIsTold() {
    List<String> calls = new ArrayList<>();
    try (RegionWorkload workload = pushing("4294967295");
        RecordedRuns runs = smallLogs(RecordedRunsTest.watched(workload, calls::add))) {
      List<Violation> found =
          runs.rounds(2, 0, Long.MAX_VALUE, Duration.ofSeconds(5)).last().violations();
      assertEquals(List.of(Violation.Kind.NO_END), found.stream().map(Violation::kind).toList());
      String text = found.get(0).text();
      assertTrue(text.matches("(?s)item \\d is in an endless loop.*misbehaves.cu:.*"), text);
      assertEquals(1, Collections.frequency(calls, "record"));
    }
  }

  @Test
  void whatARoundLosesIsNoticed() {
    History history = new HistoryBuilder().build();
    Workload.Round round = new Workload.Round(0, List.of(4, 4, 7), List.of(7));
    assertTrue(
        RunChecks.lostInRound(history, round, new long[] {4})
            .get(0)
            .text()
            .contains("item 4 did not end"));
    assertEquals(List.of(), RunChecks.lostInRound(history, round, new long[] {4, 4}));
    assertTrue(
        RunChecks.lostInRound(history, round, new long[] {4, 4, 7})
            .get(0)
            .text()
            .contains("item 7 ended or is left more often"));
  }

  /** Of several passes only the last is traced. */
  @Test
  @Tag("slow") // compiles larger logs
  void passesThatAreNotTracedAreSaid() {
    Map<String, ArgumentSpec> specs =
        Map.of("cells", ArgumentSpec.parse("objects:3"), "values", ArgumentSpec.parse("zeros:3"));
    try (RegionWorkload workload =
            new RegionWorkload(
                device,
                SOURCE,
                "outgrows",
                specs,
                Optional.empty(),
                Optional.of(Runs.recorded(Policy.HAND_OFF)));
        RecordedRuns runs =
            new RecordedRuns(workload, OPTIONS, Recording.Options.defaults(), 0, 1 << 26)) {
      assertEquals(List.of(), runs.run(1, 0).violations());
      assertFalse(runs.seesAllAccesses());
      assertEquals(1, runs.notTraced().size());
      assertTrue(runs.notTraced().get(0).contains("outgrew"), runs.notTraced().get(0));
    }
  }

  /** A trace has room for so many events only. */
  @Test
  void accessesThatAreNotTracedAreSaid() {
    try (KernelModule all =
        device.compile(MISBEHAVES, RegionWorkload.defines(device, "misbehaves", RUNS))) {
      for (int what : new int[] {0, 18}) {
        Map<String, ArgumentSpec> arguments =
            Map.of(
                "cells",
                ArgumentSpec.parse("objects:20"),
                "values",
                ArgumentSpec.parse("zeros:20"),
                "what",
                ArgumentSpec.parse(Integer.toString(what)));
        try (RegionWorkload workload =
                new RegionWorkload(
                    all, "misbehaves", arguments, (history, verdict) -> Optional.empty());
            RecordedRuns runs =
                new RecordedRuns(workload, OPTIONS, Recording.Options.defaults(), 0, 1 << 26)) {
          assertEquals(List.of(), runs.run(2, 0).violations());
          assertEquals(what == 0, runs.seesAllAccesses());
          assertEquals(
              what == 0
                  ? List.of()
                  : List.of(
                      "Runs made too many accesses to check those past tx; take fewer --items or"
                          + " less data."),
              runs.notTraced());
        }
      }
    }
  }

  @Test
  @Tag("slow")
  void onlyWhatRunsIsCompiled() throws IOException {
    Path source = folder.resolve("compiled_here.cu"); // the bundle has the other one whole
    Files.copy(SOURCE, source);
    Map<String, ArgumentSpec> specs =
        Map.of("cells", ArgumentSpec.parse("objects:3"), "values", ArgumentSpec.parse("zeros:3"));
    try (RegionWorkload workload =
            new RegionWorkload(
                device,
                source,
                "outgrows",
                specs,
                Optional.empty(),
                Optional.of(Runs.recorded(Policy.HAND_OFF)));
        Recording recording = device.recording(Recording.Options.defaults())) {
      // Larger logs are there; the other policy is compiled when it is asked for.
      for (Policy policy : List.of(Policy.HAND_OFF, Policy.PRIORITY_RULE, Policy.INVISIBLE_READS)) {
        workload.reset();
        recording.reset();
        RegionReport report = workload.record(recording, OPTIONS.withPolicy(policy), 1, 0);
        assertTrue(report.requireComplete().passes().size() > 1, report::toString);
      }
    }
    Map<String, String> defines =
        RegionWorkload.defines(device, "outgrows", Runs.recorded(Policy.HAND_OFF));
    try (KernelModule one = device.compile(source, defines);
        RegionWorkload other =
            new RegionWorkload(one, "neighbors", specs, (history, verdict) -> Optional.empty());
        Recording recording = device.recording(Recording.Options.defaults())) {
      IllegalStateException e =
          assertThrows(IllegalStateException.class, () -> other.record(recording, OPTIONS, 2, 0));
      assertTrue(e.getMessage().contains("MAGPIE_ONLY_REGION"), e.getMessage());
    }
    try (Device sim = Device.open("sim:0:1");
        RegionWorkload workload =
            new RegionWorkload(
                sim,
                source,
                "outgrows",
                specs,
                Optional.empty(),
                Optional.of(Runs.scheduled(Policy.HAND_OFF)));
        Recording recording = sim.recording(Recording.Options.defaults())) {
      RegionReport report = workload.record(recording, OPTIONS, 1, 0);
      assertEquals(1, report.passes().size(), "larger logs are not there");
      assertEquals(1, report.unfinishedByOverflow());
      assertThrows(OutgrownLogException.class, () -> new WorkloadSubject(workload, OPTIONS, 1));
    }
  }

  @Test
  void guardedArraysBringTheirObjects() throws IOException {
    Path source = folder.resolve("guarded.cu");
    Files.writeString(
        source,
        """
        #include "magpie/stm.cuh"
        using magpie::stm::outcome;
        struct halves {
          MAGPIE_DEVICE std::uint32_t operator()(std::uint64_t i) const { return i / 5; }
        };
        struct moves {
          magpie::stm::guarded<std::uint32_t> balance;
          magpie::stm::guarded<std::uint32_t> count;
          magpie::stm::guarded<std::uint32_t, magpie::stm::blocks_of<4>> sums;
          magpie::stm::guarded_matrix<std::uint32_t> rows;
          magpie::stm::guarded<std::uint32_t, halves> seen;
          magpie::stm::guarded<std::uint32_t, magpie::stm::one_object> all;
          static constexpr std::uint32_t max_objects = 5, max_writes = 5;
          template <class Tx>
          MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
            MAGPIE_TRY(tx.set(balance, item, MAGPIE_TRY(tx.get(balance, item)) + 1));
            MAGPIE_TRY(tx.set(count, item, MAGPIE_TRY(tx.get(count, item)) + 1));
            MAGPIE_TRY(tx.set(sums, item, MAGPIE_TRY(tx.get(sums, item)) + 1));
            MAGPIE_TRY(tx.set(rows.row(item), 2, item));
            MAGPIE_TRY(tx.set(seen, item, 1));
            return outcome::commit;
          }
        };
        MAGPIE_REGION(moves)
        """);
    Map<String, ArgumentSpec> specs = new LinkedHashMap<>();
    for (String each :
        List.of(
            "balance=zeros:9",
            "sums=zeros:9",
            "rows=zeros:27",
            "rows.columns=3",
            "seen=zeros:9",
            "all=zeros:9")) {
      String[] pair = each.split("=");
      specs.put(pair[0], ArgumentSpec.parse(pair[1]));
    }
    String lacks = refusal(source, specs);
    assertTrue(lacks.contains("count (an array of u32), seen.guards (objects"), lacks);
    assertTrue(lacks.endsWith("--arg count=zeros:LENGTH"), lacks);
    specs.put("count", ArgumentSpec.parse("zeros:9"));
    specs.put("count.guards", ArgumentSpec.parse("balance.guards"));
    specs.put("seen.guards", ArgumentSpec.parse("objects:2"));
    try (RegionWorkload workload = guarded(source, specs);
        RecordedRuns runs =
            new RecordedRuns(workload, OPTIONS, Recording.Options.defaults(), 0, 1 << 26)) {
      assertEquals(
          List.of("balance.guards", "sums.guards", "rows.guards", "seen.guards", "all.guards"),
          workload.objectNames());
      assertEquals(
          List.of(9L, 3L, 9L, 2L, 1L), workload.objects().stream().map(StmObjects::count).toList());
      assertEquals(List.of(), runs.run(9, 0).violations());
    }
    specs.put("count.guards", ArgumentSpec.parse("other.guards"));
    assertTrue(refusal(source, specs).contains("'other.guards' does not fit"));
  }

  @Test
  void cellsAreRefusedUnderAPolicyThatDoesNotTakeThem() throws IOException {
    assertCellsAreRefused(Policy.PR_STM);
  }

  @Tag("slow") // compiles for each
  @ParameterizedTest
  @EnumSource(names = {"OPTIMISTIC_HAND_OFF", "OBSTRUCTION_FREE"})
  void cellsAreRefusedUnderOthersThatDoNotTakeThem(Policy policy) throws IOException {
    assertCellsAreRefused(policy);
  }

  private void assertCellsAreRefused(Policy policy) throws IOException {
    Path source = folder.resolve("cells.cu");
    Files.writeString(
        source,
        """
        #include "magpie/stm.cuh"
        struct adds {
          magpie::stm::guarded_cells<std::uint32_t> sums;
          static constexpr std::uint32_t max_objects = 1, max_writes = 1;
          template <class Tx>
          MAGPIE_DEVICE magpie::stm::outcome operator()(Tx& tx, std::uint32_t) const {
            MAGPIE_TRY(tx.set(sums, 0, MAGPIE_TRY(tx.get(sums, 0)) + 1));
            return magpie::stm::outcome::commit;
          }
        };
        MAGPIE_REGION(adds)
        """);
    Map<String, ArgumentSpec> specs = Map.of("sums", ArgumentSpec.parse("zeros:3"));
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                new RegionWorkload(
                        device,
                        source,
                        null,
                        specs,
                        Optional.empty(),
                        Optional.of(new Runs(policy, true, false)))
                    .close());
    assertTrue(
        e.getMessage()
            .matches("data of region adds lie in cells .*sums.* use guarded<T>, or another policy"),
        e.getMessage());
  }

  private static String refusal(Path source, Map<String, ArgumentSpec> specs) {
    return assertThrows(IllegalArgumentException.class, () -> guarded(source, specs).close())
        .getMessage();
  }

  private static RegionWorkload guarded(Path source, Map<String, ArgumentSpec> specs) {
    return new RegionWorkload(
        device, source, null, specs, Optional.empty(), Optional.of(TRACED_IF_FULL));
  }

  private static RegionWorkload withInvariant(String invariant, int first) {
    return new RegionWorkload(
        device,
        INVARIANTS,
        "increment",
        Map.of(
            "cells", ArgumentSpec.parse("objects:8"),
            "values", ArgumentSpec.parse("fill:" + first + ":8"),
            "step", ArgumentSpec.parse("3")),
        Optional.of(invariant),
        Optional.of(TRACED_IF_FULL));
  }

  @Test
  void invariantsAreLookedAtAfterEachRun() {
    try (RegionWorkload workload = withInvariant("none_above_three", 0);
        RecordedRuns runs =
            new RecordedRuns(workload, OPTIONS, Recording.Options.defaults(), 0, 1 << 24)) {
      assertEquals(List.of(), runs.run(8, 0).violations());
      // Items 8 to 11 increment values 0 to 3 again.
      assertEquals(
          List.of(
              new Violation(
                  Violation.Kind.INVARIANT,
                  "none_above_three does not hold at 4 places, the first at 0")),
          runs.run(12, 1).violations());
      assertEquals(List.of(), runs.run(8, 2).violations()); // nothing is left of the last run
    }
    try (RegionWorkload workload = withInvariant("last_is_small", 0);
        RecordedRuns runs =
            new RecordedRuns(workload, OPTIONS, Recording.Options.defaults(), 0, 1 << 24)) {
      assertEquals(
          List.of(new Violation(Violation.Kind.INVARIANT, "last_is_small does not hold at 7")),
          runs.run(8, 0).violations());
    }
  }

  @Test
  void invariantsMustFitTheirRegion() {
    assertEquals(
        "invariant none_above_three does not hold at 8 places, the first at 0 before the region has"
            + " run; begin with arguments for which it holds",
        assertThrows(
                IllegalArgumentException.class, () -> withInvariant("none_above_three", 4).close())
            .getMessage());
    for (String[] wrong :
        new String[][] {
          {"no_such", "has no kernel 'no_such' to be the invariant; end it with MAGPIE_KERNEL"},
          {"says_nothing", "needs a field 'magpie::array<std::uint32_t> violations'"},
          {"says_floats", "needs a field 'magpie::array<std::uint32_t> violations'"},
          {"knows_more", "has a field 'unknown', which the region has not"},
          {"reads_floats", "values"}
        }) {
      RuntimeException refused =
          assertThrows(RuntimeException.class, () -> withInvariant(wrong[0], 0).close());
      assertTrue(refused.getMessage().contains(wrong[1]), refused::getMessage);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "MAGPIE_REGION(adds)",
        "#include \"adds.cuh\"",
        "#include <adds.cuh>",
        "# include <own/adds>",
        "#import \"adds.cuh\"",
        "#include \"magpie/adds.cuh\""
      })
  void aRegionMayComeFromAHeader(String line) {
    String source =
        "#include \"magpie/stm.cuh\"\n#include <cstdint>\n#include <magpie/kernel.cuh>\n";
    assertTrue(RegionWorkload.mayDeclareRegion(source + line + "\n"));
    assertFalse(RegionWorkload.mayDeclareRegion(source + "struct adds {};\n"));
  }
}
