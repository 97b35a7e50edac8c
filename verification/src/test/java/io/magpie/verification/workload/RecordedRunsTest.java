package io.magpie.verification.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceOutOfMemoryException;
import io.magpie.stm.KernelFaultException;
import io.magpie.stm.KernelModule;
import io.magpie.stm.Policy;
import io.magpie.stm.Recording;
import io.magpie.stm.StmOptions;
import io.magpie.stm.UnfinishedItemsException;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.workload.RegionWorkload.Runs;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Recorded runs whose data are compared, with elements of every type. */
class RecordedRunsTest {
  private static final String[] ARGUMENTS = {
    "cells=objects:4",
    "i8=zeros:2",
    "u8=zeros:3",
    "i16=zeros:2",
    "u16=zeros:3",
    "i32.data=zeros:6",
    "i32.columns=3",
    "u64=zeros:2",
    "f32=zeros:2",
    "f64=zeros:2",
    "structs=zeros:4"
  };

  /** Runs of items that wait for each other: on a busy machine one may be over before the other. */
  private static final int MOST_UNTIL_ITEMS_MEET = 100;

  private static Device device;
  private static KernelModule module;
  private static KernelModule traced;

  /** As on a GPU, where what is past transactions shows by its effects. */
  private static final Runs UNTRACED = new Runs(Policy.HAND_OFF, true, false);

  /** Of regions that fit their logs. */
  private static final Runs TRACED = new Runs(Policy.HAND_OFF, true, true);

  @BeforeAll
  static void open() {
    device = Device.open("cpu:2");
    module =
        device.compile(
            Path.of(System.getProperty("magpie.basedir", "."), "src/test/cuda/elements.cu"),
            RegionWorkload.defines(device, "elements", UNTRACED));
    traced =
        device.compile(
            Path.of(System.getProperty("magpie.basedir", "."), "src/test/cuda/elements.cu"),
            RegionWorkload.defines(device, "elements", TRACED));
  }

  @AfterAll
  static void close() {
    traced.close();
    module.close();
    device.close();
  }

  /** What a run of two items finds, and then what was not compared. */
  private static List<String> found(int wrong, String... changes) {
    try (RegionWorkload workload = workload(wrong, changes)) {
      return found(workload);
    }
  }

  private static List<String> found(RegionWorkload workload) {
    return found(workload, 1);
  }

  /** The same of the first of so many runs in which anything is found. */
  private static List<String> found(RegionWorkload workload, int most) {
    try (RecordedRuns runs =
        new RecordedRuns(
            workload, StmOptions.defaults(), Recording.Options.defaults(), 0, 1 << 20)) {
      assertTrue(runs.comparesData());
      List<String> all = new ArrayList<>();
      for (int number = 0; all.isEmpty() && number < most; number++) {
        for (Violation each : runs.run(2, number).violations()) {
          all.add(each.kind() + " " + each.text());
        }
      }
      all.addAll(runs.notCompared());
      return all;
    }
  }

  private static RegionWorkload workload(int wrong, String... changes) {
    return new RegionWorkload(
        module, "elements", specs(wrong, changes), (history, verdict) -> Optional.empty());
  }

  private static Map<String, ArgumentSpec> specs(int wrong, String... changes) {
    Map<String, ArgumentSpec> specs = new LinkedHashMap<>();
    for (String[] list : new String[][] {ARGUMENTS, {"wrong=" + wrong}, changes}) {
      for (String each : list) {
        String[] pair = each.split("=", 2);
        specs.put(pair[0], ArgumentSpec.parse(pair[1]));
      }
    }
    return specs;
  }

  @ParameterizedTest
  @CsvSource({
    "1, i8[1], -7, -8",
    "2, u8[1], 200, 201",
    "3, i16[1], -300, -301",
    "4, u16[1], 60000, 60001",
    "5, i32.data[4], -5, -6",
    "6, u64[1], 18446744073709551615, 18446744073709551614",
    "7, f32[1], 0.5, 1.5",
    "8, f64[1], 0.25, 1.25",
    "9, structs[2] + 4 bytes, 300, 301"
  })
  void aDifferenceIsToldInTheElementsType(int wrong, String datum, String first, String second) {
    List<String> found = found(wrong);
    assertEquals(1, found.size(), found::toString);
    // By how the two items met: the run itself is wrong, or its other order is.
    String text = found.get(0).replace("WRONG_RESULT ", "").replace("UNGUARDED_ACCESS ", "");
    text = text.replace(", but", " or");
    assertTrue(
        text.startsWith(datum + " ends as " + first + " or as " + second)
            || text.startsWith(datum + " ends as " + second + " or as " + first),
        text);
  }

  @Test
  void whatIsRightIsAlikeInAllRuns() {
    assertEquals(List.of(), found(0));
  }

  @ParameterizedTest
  @CsvSource({"false, 3", "true, 2"})
  void theOtherOrderCanBeLeftOut(boolean leftOut, int serialRuns) {
    List<String> calls = new ArrayList<>();
    try (RegionWorkload workload = workload(0)) {
      if (leftOut) {
        workload.leaveOutOtherOrder();
      }
      try (RecordedRuns runs =
          new RecordedRuns(
              watched(workload, calls::add),
              StmOptions.defaults(),
              Recording.Options.defaults(),
              0,
              1 << 20)) {
        assertEquals(List.of(), runs.run(2, 0).violations());
        assertEquals(serialRuns, Collections.frequency(calls, "recordList"));
      }
    }
  }

  /** Who writes last is left open, but both have to be counted in any order. */
  @Test
  void withoutTheOtherOrderALostUpdateIsFoundAndWhoWritesLastIsNot() {
    try (RegionWorkload workload = workload(11)) {
      workload.leaveOutOtherOrder();
      List<String> found = found(workload, MOST_UNTIL_ITEMS_MEET);
      assertEquals(1, found.size(), found::toString);
      assertTrue(
          found.get(0).startsWith("WRONG_RESULT u64[1] ends as 1, but as 2"), found::toString);
    }
    String notCompared =
        "Not compared with a serial run: what depends on the order of items that no object orders.";
    for (int wrong = 1; wrong <= 9; wrong++) {
      try (RegionWorkload workload = workload(wrong)) {
        workload.leaveOutOtherOrder();
        List<String> found = found(workload);
        assertTrue(List.of(List.of(), List.of(notCompared)).contains(found), found::toString);
      }
    }
  }

  /** Whatever is tried leaves the same data: only how items end differs. */
  @Test
  void whoCommitsIsCompared() {
    List<String> found = found(12);
    assertEquals(1, found.size(), found::toString);
    assertTrue(
        found.get(0).matches("(?s)[A-Z_]+ item [01] (commits|cancels)(, but| if| or) .*"),
        found::toString);
  }

  /** What serial runs for a GPU leave on a processor settles nothing unless it is the same. */
  @ParameterizedTest
  @CsvSource({
    // where the processor does the same; another; and the same wrong, which the run did not do
    "0, 0, 1:2, true, 0",
    "0, 0, 7:2, false, 3",
    "11, 11, 1:2, false, 1",
  })
  void aProcessorRunsItemsForAGpu(
      int wrong, int wrongThere, String bytesThere, boolean settles, int expectedOwnRuns) {
    List<String> calls = new ArrayList<>();
    try (RegionWorkload own = workload(wrong, "i8=fill:1:2");
        RegionWorkload there = workload(wrongThere, "i8=fill:" + bytesThere);
        RecordedRuns runs =
            new RecordedRuns(
                onGpu(own, there, calls),
                StmOptions.defaults(),
                Recording.Options.defaults(),
                0,
                1 << 20,
                1,
                Duration.ZERO)) {
      List<Violation> found = new ArrayList<>();
      int most = wrong == 0 ? 3 : MOST_UNTIL_ITEMS_MEET;
      for (int number = 1; number <= most && found.isEmpty(); number++) {
        found.addAll(runs.run(2, number).violations());
      }
      if (wrong == 0) {
        assertEquals(List.of(), found);
        assertEquals(List.of(), runs.notCompared());
      } else {
        assertEquals(Violation.Kind.WRONG_RESULT, found.get(0).kind());
        assertTrue(found.get(0).text().startsWith("u64[1] ends as 1, but as 2"), found::toString);
      }
      int ownRuns = Collections.frequency(calls, "recordList");
      assertEquals(settles, ownRuns == 0, calls::toString);
      assertTrue(ownRuns >= expectedOwnRuns, calls::toString);
      int asked = Collections.frequency(calls, "onProcessor");
      assertEquals(1, asked, "the workload there is made once");
    }
  }

  /** What a processor's memory, or a log of ends, has no room for is left to the device. */
  @ParameterizedTest
  @CsvSource({"true, 3", "false, 1"})
  void whatLacksMemoryIsComparedOtherwise(boolean there, int failing) {
    List<String> calls = new ArrayList<>();
    Consumer<String> lacks =
        call -> {
          calls.add(call);
          boolean fails = call.equals(there ? "device" : "recordList");
          if (fails && Collections.frequency(calls, call) <= failing) {
            throw new DeviceOutOfMemoryException("logs", "cpu", 2, 1);
          }
        };
    try (RegionWorkload own = workload(0);
        RegionWorkload processor = workload(0);
        RecordedRuns runs =
            new RecordedRuns(
                there
                    ? onGpu(own, watched(processor, lacks), new ArrayList<>())
                    : watched(own, lacks),
                StmOptions.defaults(),
                Recording.Options.defaults(),
                0,
                1 << 20,
                1,
                Duration.ZERO)) {
      assertEquals(List.of(), runs.run(2, 1).violations());
      assertEquals(List.of(), runs.notCompared());
      assertTrue(calls.contains(there ? "device" : "recordList"), calls::toString);
    }
  }

  /** The first run, which also tries other orders, is compared on the device itself. */
  @Test
  void theFirstRunIsComparedWhereItRan() {
    List<String> calls = new ArrayList<>();
    try (RegionWorkload own = workload(0);
        RegionWorkload there = workload(0);
        RecordedRuns runs =
            new RecordedRuns(
                onGpu(own, there, calls),
                StmOptions.defaults(),
                Recording.Options.defaults(),
                0,
                1 << 20,
                1,
                Duration.ZERO)) {
      assertEquals(List.of(), runs.run(2, 0).violations());
      assertEquals(3, Collections.frequency(calls, "recordList"));
      assertEquals(0, Collections.frequency(calls, "onProcessor"));
    }
  }

  /**
   * A GPU's items run on a processor as well, where what is lost, and changes no result, is seen;
   * and what has no name on the GPU gets one.
   */
  @ParameterizedTest
  @CsvSource({
    "0, 0, 0, ", // right
    "0, 1, 1, EFFECT_NOT_UNDONE the same items on a processor: i8[1]: ",
    "1, 1, 2, EFFECT_NOT_UNDONE the same items on a processor: i8[1]: ",
  })
  void aGpusItemsRunOnAProcessor(int wrong, int wrongThere, int findings, String last) {
    List<String> calls = new ArrayList<>();
    try (RegionWorkload own = workload(wrong);
        RegionWorkload there = tracedWorkload(wrongThere);
        RecordedRuns runs =
            new RecordedRuns(
                onGpu("tracedOnProcessor", own, there, calls::add),
                StmOptions.defaults(),
                Recording.Options.defaults(),
                0,
                1 << 20)) {
      List<Violation> found = runs.run(2, 0).violations();
      assertEquals(findings, found.size(), found::toString);
      if (findings > 0) {
        Violation traced = found.get(findings - 1);
        String text = traced.kind() + " " + traced.text();
        assertTrue(text.startsWith(last), text);
        assertTrue(text.contains("(elements.cu:"), text);
      }
      assertEquals(findings == 0, runs.seesAllOnProcessor());
      if (wrong == 0) {
        assertEquals(List.of(), runs.run(2, 1).violations(), "later runs are the GPU's alone");
      }
      assertEquals(1, Collections.frequency(calls, "tracedOnProcessor"));
    }
  }

  /** By its name, with the line. */
  @Test
  void aFaultOfAGpuIsToldByAProcessor() {
    Consumer<String> dies =
        call -> {
          if (call.equals("record")) {
            throw new KernelFaultException("elements", "2 threads", "no end", true);
          }
        };
    for (int wrongThere : new int[] {0, 1}) {
      try (RegionWorkload own = workload(0);
          RegionWorkload there = tracedWorkload(wrongThere);
          RecordedRuns runs =
              new RecordedRuns(
                  onGpu("tracedOnProcessor", own, there, dies),
                  StmOptions.defaults(),
                  Recording.Options.defaults(),
                  0,
                  1 << 20)) {
        if (wrongThere == 0) {
          assertThrows(KernelFaultException.class, () -> runs.run(2, 0));
        } else {
          FaultFoundException e = assertThrows(FaultFoundException.class, () -> runs.run(2, 0));
          assertEquals(Violation.Kind.EFFECT_NOT_UNDONE, e.violation().kind());
        }
      }
    }
  }

  /** The workload where every access is seen. */
  private static RegionWorkload tracedWorkload(int wrong) {
    return new RegionWorkload(
        traced, "elements", specs(wrong), (history, verdict) -> Optional.empty());
  }

  /** A workload that has another one on a processor, as on a GPU. */
  private static Workload onGpu(Workload own, Workload there, List<String> calls) {
    return onGpu("onProcessor", own, there, calls::add);
  }

  private static Workload onGpu(String way, Workload own, Workload there, Consumer<String> first) {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          first.accept(method.getName());
          return method.getName().equals(way) ? Optional.of(there) : method.invoke(own, arguments);
        };
    return (Workload)
        Proxy.newProxyInstance(
            Workload.class.getClassLoader(), new Class<?>[] {Workload.class}, handler);
  }

  /** No log is large enough for what an attempt reads that only time ends: none is tried. */
  @Test
  void whatTimeEndsIsUnfinishedAtOnce() {
    StmOptions options = StmOptions.defaults().withTimeout(Duration.ofMillis(500));
    List<String> calls = new ArrayList<>();
    try (RegionWorkload workload = workload(10);
        RecordedRuns runs =
            new RecordedRuns(
                watched(workload, calls::add),
                options,
                Recording.Options.defaults().withTotalBytes(1 << 16),
                0,
                1L << 30)) {
      UnfinishedItemsException e =
          assertThrows(UnfinishedItemsException.class, () -> runs.run(2, 0));
      assertTrue(e.getMessage().contains("2 of 2 items are unfinished"), e.getMessage());
      assertEquals(1, Collections.frequency(calls, "record"));
    }
  }

  /** Else closing the device fails, which counts what is open. */
  @Test
  void nothingStaysOpenWhereThereIsOneRecordingAlone() {
    List<String> calls = new ArrayList<>();
    Consumer<String> fails =
        call -> {
          calls.add(call);
          if (call.equals("device") && Collections.frequency(calls, call) == 5) {
            throw new IllegalStateException("no memory for the other one");
          }
        };
    try (RegionWorkload workload = workload(0)) {
      Workload failing = watched(workload, fails);
      assertThrows(
          IllegalStateException.class,
          () ->
              new RecordedRuns(
                  failing, StmOptions.defaults(), Recording.Options.defaults(), 0, 1 << 20));
    }
  }

  /** A serial run kills a GPU: the first, that with forced retries, or that in another order. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1 | the same items one after the other: ",
        "2 | the same items one after the other, each attempt first made once and rolled back: ",
        "3 | the same items one after the other, in another order: "
      })
  void nothingRunsAfterAFaultOfASerialRun(int deadly, String how) {
    List<String> calls = new ArrayList<>();
    Consumer<String> dies =
        call -> {
          calls.add(call);
          if (call.equals("recordList") && Collections.frequency(calls, call) == deadly) {
            throw new KernelFaultException("elements", "1 thread", "no end", true);
          }
        };
    try (RegionWorkload workload = workload(0);
        RecordedRuns runs =
            new RecordedRuns(
                watched(workload, dies),
                StmOptions.defaults(),
                Recording.Options.defaults(),
                0,
                1 << 20)) {
      Violation found = runs.run(2, 0).violations().get(0);
      assertEquals(Violation.Kind.FAULT, found.kind());
      assertTrue(found.text().startsWith(how), found.text());
      assertTrue(found.text().contains("no end"), found.text());
      assertEquals(deadly, Collections.frequency(calls, "recordList"));
    }
  }

  /** As where another run has found something, and nobody waits for this one. */
  @Test
  void nothingRunsAfterTheEnd() {
    List<String> calls = new ArrayList<>();
    AtomicReference<RecordedRuns> ended = new AtomicReference<>();
    Consumer<String> ends =
        call -> {
          calls.add(call);
          if (call.equals("recordList")) {
            ended.get().end();
          }
        };
    try (RegionWorkload workload = workload(0);
        RecordedRuns runs =
            new RecordedRuns(
                watched(workload, ends),
                StmOptions.defaults(),
                Recording.Options.defaults(),
                0,
                1 << 20)) {
      ended.set(runs);
      assertEquals(List.of(), runs.run(2, 0).violations());
      assertEquals(1, Collections.frequency(calls, "recordList"));
      assertThrows(CancellationException.class, () -> runs.run(2, 1));
      assertEquals(1, Collections.frequency(calls, "record"));
    }
  }

  /** Its attempts read until they are stopped, and would be repeated with larger logs. */
  @Test
  @Timeout(300)
  void aRunThatWouldNotEndIsEnded() throws InterruptedException {
    try (RegionWorkload workload = workload(10);
        RecordedRuns runs =
            new RecordedRuns(
                workload,
                StmOptions.defaults(),
                Recording.Options.defaults().withTotalBytes(1 << 16),
                0,
                1L << 30)) {
      Thread thread = new Thread(() -> assertThrows(RuntimeException.class, () -> runs.run(2, 0)));
      thread.start();
      do {
        runs.end();
        thread.join(10);
      } while (thread.isAlive());
    }
  }

  /** The order of tickets is their own, whoever hands them out. */
  @Test
  void resultsMayDependOnAtomicOperationsOfTheStandardLibrary() {
    Path tickets = Path.of(System.getProperty("magpie.basedir", "."), "src/test/cuda/tickets.cu");
    Map<String, ArgumentSpec> specs =
        Map.of(
            "cells", ArgumentSpec.parse("objects:1"),
            "next", ArgumentSpec.parse("zeros:1"),
            "commits", ArgumentSpec.parse("zeros:1"),
            "drawn", ArgumentSpec.parse("zeros:2"));
    try (RegionWorkload workload =
            new RegionWorkload(
                device, tickets, null, specs, Optional.empty(), Optional.of(TRACED));
        RecordedRuns runs =
            new RecordedRuns(
                workload, StmOptions.defaults(), Recording.Options.defaults(), 0, 1 << 20)) {
      assertEquals(List.of(), runs.run(2, 0).violations());
      assertEquals(
          List.of(
              "Not compared with a serial run: what depends on the order of atomic operations."),
          runs.notCompared());
    }
  }

  /** The serial order is that of the commits, also where the order of items may decide. */
  @ParameterizedTest
  @CsvSource({"0, tx.glance", "1, tx.peek"})
  void whatAHintSawBeforeItsItemsTurnIsTold(int peeks, String how) {
    Path hints =
        Path.of(System.getProperty("magpie.basedir", "."), "src/test/cuda/hints_from_before.cu");
    Map<String, ArgumentSpec> specs =
        Map.of(
            "flag", ArgumentSpec.parse("zeros:1"),
            "seen", ArgumentSpec.parse("zeros:1"),
            "peeks", ArgumentSpec.parse("" + peeks));
    try (RegionWorkload workload =
        new RegionWorkload(device, hints, null, specs, Optional.empty(), Optional.of(TRACED))) {
      List<String> found = found(workload);
      assertEquals(1, found.size(), found::toString);
      assertTrue(
          found
              .get(0)
              .startsWith(
                  "UNCHECKED_HINT item 1 writes seen.data[0] and makes it 1 ("
                      + "hints_from_before.cu:28), but 2 when it runs alone in its turn"),
          found.get(0));
      assertTrue(
          found
              .get(0)
              .contains(
                  "first it reads, by "
                      + how
                      + ", flag.data[0] and gets 0 (hints_from_before.cu:25); alone"),
          found.get(0));
    }
  }

  /** What a traced run of a wrong region finds first. */
  private static Violation foundIn(
      String file, Map<String, String> arguments, long items, int threads) {
    return foundIn(file, arguments, items, threads, TRACED);
  }

  private static Violation foundIn(
      String file, Map<String, String> arguments, long items, int threads, Runs how) {
    Path wrong = Path.of(System.getProperty("magpie.basedir", "."), "src/test/regions/wrong", file);
    Map<String, ArgumentSpec> specs = new LinkedHashMap<>();
    arguments.forEach((name, spec) -> specs.put(name, ArgumentSpec.parse(spec)));
    try (RegionWorkload workload =
            new RegionWorkload(device, wrong, null, specs, Optional.empty(), Optional.of(how));
        RecordedRuns runs =
            new RecordedRuns(
                workload,
                StmOptions.defaults().withThreadsInFlight(threads),
                Recording.Options.defaults(),
                0,
                1 << 20)) {
      return runs.run(items, 0).violations().get(0);
    }
  }

  /** A compiler puts no call in front of what it copies for a call. */
  @Test
  void whatIsHandedOverByValueIsSeen() {
    Violation found =
        foundIn("neighbor_by_value.cu", Map.of("cells", "objects:4", "places", "zeros:4"), 4, 4);
    assertEquals(Violation.Kind.UNGUARDED_ACCESS, found.kind());
    assertTrue(found.text().contains("(neighbor_by_value.cu:24)"), found.text());
  }

  /** One thread is never rolled back by itself. */
  @Test
  void whatOnlyAttemptsInVainDoWrongIsToldAsTheirs() {
    Violation found =
        foundIn(
            "hook_counts_failures.cu",
            Map.of("cells", "objects:1", "values", "zeros:1", "failures", "zeros:1"),
            3,
            1);
    assertEquals(Violation.Kind.SHARED_HOOK, found.kind());
    assertTrue(
        found
            .text()
            .startsWith(
                "the same items one after the other, each attempt first made once and rolled"
                    + " back: failures[0]: a hook runs when"),
        found.text());
  }

  /** As a state is, whose members an attempt may leave as they are. */
  @Test
  void whatAttemptsKeepOfThoseBeforeShowsByItsEffects() {
    Violation found =
        foundIn(
            "scratch_is_kept.cu",
            Map.of("cells", "objects:4", "values", "fill:5:4", "scratch", "zeros:4"),
            3,
            1,
            UNTRACED);
    assertEquals(Violation.Kind.NOT_REPEATABLE, found.kind(), found::text);
    assertTrue(found.text().contains("if each attempt is first made once"), found.text());
    assertTrue(found.text().contains("set what it uses, members of its state and"), found.text());
  }

  /** The next round begins with what such a round left, and is still compared. */
  @Test
  void aRoundWithUnfinishedItemsIsNotCompared() {
    Path rounds = Path.of(System.getProperty("magpie.basedir", "."), "src/test/cuda/rounds.cu");
    Map<String, ArgumentSpec> specs =
        Map.of("cells", ArgumentSpec.parse("objects:2"), "digits", ArgumentSpec.parse("zeros:1"));
    List<String> calls = new ArrayList<>();
    try (RegionWorkload workload =
            new RegionWorkload(
                device,
                rounds,
                "outgrows_its_log",
                specs,
                Optional.empty(),
                Optional.of(UNTRACED)); // there are no larger logs
        RecordedRuns runs =
            new RecordedRuns(
                watched(workload, calls::add),
                StmOptions.defaults(),
                Recording.Options.defaults(),
                0,
                1 << 20)) {
      CheckedRounds run = runs.rounds(2, 0, 10, Duration.ofSeconds(60));
      assertEquals(List.of(1L, 0L), run.all().stream().map(e -> e.report().unfinished()).toList());
      assertEquals(List.of(), run.last().violations());
      assertEquals(
          List.of("Not compared with a serial run: rounds that left items unfinished."),
          runs.notCompared());
      assertTrue(calls.contains("recordList"), "the second one is compared");
    }
  }

  /** The same workload; first tells what is called. */
  static Workload watched(Workload workload, Consumer<String> first) {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          first.accept(method.getName());
          return method.invoke(workload, arguments);
        };
    return (Workload)
        Proxy.newProxyInstance(
            Workload.class.getClassLoader(), new Class<?>[] {Workload.class}, handler);
  }

  /** The fault is there, but not looked for. */
  @Test
  void dataThatAreTooLargeAreNotCompared() {
    assertEquals(
        List.of("Not compared with a serial run: arguments of more than 67,108,864 bytes."),
        found(7, "f64=zeros:9000000"));
  }
}
