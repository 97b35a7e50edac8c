package io.magpie.stm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.internal.RankAllocator;
import io.magpie.stm.simulator.Schedule;
import io.magpie.stm.simulator.Simulator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Histories that runs leave behind, read back and compared with what the run did. */
class RecordingTest {
  private static final Map<String, String> RECORDING = Devices.recording(Policy.HAND_OFF);
  private static final Recording.Options EVERYTHING =
      Recording.Options.defaults().withFirstAttempts(Integer.MAX_VALUE);
  private static final int COMMIT = 0;
  private static final int CANCEL = 1;
  private static final int FIRST_CAUSE = 16;

  private record Access(int object, boolean write, int stamp) {}

  private record Attempt(
      int thread,
      int item,
      int number,
      int rank,
      int code,
      long begin,
      long end,
      List<Access> accesses) {}

  private static List<Attempt> attempts(Recording recording) {
    List<Attempt> all = new ArrayList<>();
    recording.forEachThread(
        (thread, words, count) -> {
          int at = 0;
          while (at < count) {
            int accesses = (int) (words[at + 1] >>> 40);
            List<Access> list =
                Arrays.stream(words, at + 4, at + 4 + accesses)
                    .mapToObj(
                        word ->
                            new Access(
                                (int) word & Integer.MAX_VALUE,
                                (int) word < 0,
                                (int) (word >>> 32)))
                    .toList();
            all.add(
                new Attempt(
                    thread,
                    (int) words[at],
                    (int) (words[at] >>> 32),
                    (int) words[at + 1],
                    (int) (words[at + 1] >>> 32) & 0xff,
                    words[at + 2],
                    words[at + 3],
                    list));
            at += 4 + accesses;
          }
          assertEquals(count, at, "a log ends within a record");
        });
    return all;
  }

  private static long count(List<Attempt> attempts, int code) {
    return attempts.stream().filter(each -> each.code == code).count();
  }

  /** Every version of every object was made by one commit, each after the one before it. */
  private static void checkVersions(List<Attempt> attempts, int base, int[] last) {
    List<Set<Integer>> replaced =
        IntStream.range(0, last.length).<Set<Integer>>mapToObj(i -> new HashSet<>()).toList();
    for (Attempt attempt : attempts) {
      for (Access access : attempt.accesses) {
        int object = access.object - base;
        if (object < 0 || object >= last.length) {
          continue;
        }
        assertTrue(access.stamp <= last[object], attempt::toString);
        if (access.write) {
          assertEquals(COMMIT, attempt.code, attempt::toString);
          assertTrue(replaced.get(object).add(access.stamp), attempt::toString);
        }
      }
    }
    for (int i = 0; i < last.length; i++) {
      assertEquals(last[i], replaced.get(i).size(), "versions of object " + i);
    }
  }

  /** Of each item the first unsuccessful attempts are there, and its commit counts them all. */
  private static void checkNumbers(List<Attempt> attempts, int kept, RegionReport report) {
    Map<Integer, Set<Integer>> lost = new HashMap<>();
    for (Attempt attempt : attempts) {
      if (attempt.code >= FIRST_CAUSE) {
        assertTrue(
            lost.computeIfAbsent(attempt.item, item -> new HashSet<>()).add(attempt.number),
            attempt::toString);
      }
    }
    long aborts = 0;
    for (Attempt attempt : attempts) {
      if (attempt.code == COMMIT) {
        aborts += attempt.number - 1;
        assertEquals(
            IntStream.rangeClosed(1, Math.min(kept, attempt.number - 1))
                .boxed()
                .collect(Collectors.toSet()),
            lost.getOrDefault(attempt.item, Set.of()),
            attempt::toString);
      }
    }
    assertEquals(report.aborts(), aborts, report::toString);
  }

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void roundsAreRecordedWithTheSlotsTheyTake(String spec) {
    int nodes = 100;
    int capacity = 1_000_000;
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("rounds.cu"), RECORDING);
        StmObjects things = device.objects(3);
        DeviceArray<int[]> sums = device.ints(3);
        DeviceArray<int[]> runs = device.ints(nodes);
        StmObjects cells = device.objects(capacity);
        DeviceArray<int[]> owner = device.ints(capacity);
        SlotPool slots = device.newSlotPool(capacity, 0);
        Worklist work = device.newWorklist(1);
        Recording recording = device.recording(EVERYTHING)) {
      work.fill(0);
      Region region = module.region("grow_tree");
      StmOptions options = StmOptions.defaults().withThreadsInFlight(64).withDeferral(true);
      Fields fields =
          new Fields()
              .set("things", things)
              .set("sums", sums)
              .set("runs", runs)
              .set("cells", cells)
              .set("owner", owner)
              .set("slots", slots)
              .set("nodes", nodes);
      RoundsReport report =
          region.recordRounds(recording, options, work, null, fields).requireComplete();
      List<Attempt> attempts = attempts(recording.requireComplete());
      assertEquals(nodes, count(attempts, COMMIT));
      assertEquals(report.aborts(), attempts.size() - nodes);
      checkVersions(attempts, 0, recording.finalStamps(things));
      int base = recording.objectsBase(cells);
      checkVersions(attempts, base, recording.finalStamps(cells));
      // A commit writes the sum's object and the slot that it took.
      for (Attempt attempt : attempts) {
        if (attempt.code == COMMIT) {
          assertTrue(
              attempt.accesses.stream().anyMatch(each -> each.write && each.object >= base),
              attempt::toString);
        }
      }
      work.fill(0);
      cells.grow(capacity + 1);
      assertTrue(
          assertThrows(
                  IllegalArgumentException.class,
                  () -> region.recordRounds(recording, options, work, null, fields))
              .getMessage()
              .contains("have grown since they were first recorded"));
    }
  }

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void aHistoryHasEveryAttempt(String spec) {
    int cells = 5;
    int items = 200;
    // Where threads are preempted with locks the published rule loses a million attempts.
    int kept = 20;
    for (Policy policy : Devices.SHIPPED) {
      StmOptions options = StmOptions.defaults().withPolicy(policy).withThreadsInFlight(64);
      try (Device device = Device.open(spec);
          KernelModule module =
              device.compile(Devices.source("histories.cu"), Devices.recording(policy));
          StmObjects objects = device.objects(cells);
          DeviceArray<int[]> value = device.ints(cells);
          Recording recording = device.recording(EVERYTHING.withFirstAttempts(kept))) {
        assertTrue(module.recording());
        RegionReport report =
            module
                .region("shift")
                .record(
                    recording,
                    options,
                    items,
                    new Fields().set("cells", objects).set("value", value))
                .requireComplete();
        List<Attempt> attempts = attempts(recording.requireComplete());
        assertEquals(items, count(attempts, COMMIT));
        checkNumbers(attempts, kept, report);
        int[] last = recording.finalStamps(objects);
        assertEquals(2 * items, Arrays.stream(last).sum());
        assertEquals(0, recording.objectsBase(objects));
        checkVersions(attempts, 0, last);
        for (Attempt attempt : attempts) {
          assertTrue(attempt.thread < recording.threads(), attempt::toString);
          assertEquals(RankAllocator.HIGHEST - attempt.item, attempt.rank, attempt::toString);
          assertTrue(attempt.begin <= attempt.end, attempt::toString);
          assertTrue(attempt.code == COMMIT || attempt.code > FIRST_CAUSE, attempt::toString);
          if (attempt.code == COMMIT) {
            int from = attempt.item % cells;
            int to = (from + 1) % cells;
            assertEquals(4, attempt.accesses.size(), attempt::toString);
            // What was read is what was replaced: nobody came between.
            assertEquals(
                Set.of(
                    new Access(from, false, attempt.accesses.get(0).stamp),
                    new Access(to, false, attempt.accesses.get(1).stamp),
                    new Access(from, true, attempt.accesses.get(0).stamp),
                    new Access(to, true, attempt.accesses.get(1).stamp)),
                Set.copyOf(attempt.accesses));
          }
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"cpu:3", "sim:3:4"})
  void aHistoryGoesOnUntilItIsReset(String spec) {
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("histories.cu"), RECORDING);
        StmObjects objects = device.objects(4);
        DeviceArray<int[]> value = device.ints(4);
        Recording recording = device.recording(EVERYTHING)) {
      Region shift = module.region("shift");
      assertEquals(0, recording.usedWords());
      assertTrue(attempts(recording).isEmpty());
      for (int run = 1; run <= 3; run++) {
        // More threads each time: the logs move.
        StmOptions options = StmOptions.defaults().withThreadsInFlight(8 * run);
        shift
            .record(
                recording, options, 8 * run, new Fields().set("cells", objects).set("value", value))
            .requireComplete();
        assertEquals(8 * run, recording.threads());
        List<Attempt> attempts = attempts(recording);
        assertEquals(8 * run * (run + 1) / 2, count(attempts, COMMIT));
        checkVersions(attempts, 0, recording.finalStamps(objects));
      }
      // An unrecorded run of the same module leaves no trace.
      long words = recording.usedWords();
      shift.run(16, new Fields().set("cells", objects).set("value", value)).requireComplete();
      assertEquals(words, recording.usedWords());

      recording.reset();
      assertEquals(0, recording.usedWords());
      assertArrayEquals(new int[4], recording.finalStamps(objects));
      shift
          .record(
              recording,
              StmOptions.defaults(),
              8,
              new Fields().set("cells", objects).set("value", value))
          .requireComplete();
      List<Attempt> attempts = attempts(recording);
      assertEquals(8, count(attempts, COMMIT));
      checkVersions(attempts, 0, recording.finalStamps(objects));
    }
  }

  /** Times of {@link Recording.Clock#COUNTER} are all different; on sim they are steps. */
  @ParameterizedTest
  @CsvSource({
    "cpu:2, DEFAULT, COUNTER",
    "cpu:2, COUNTER, COUNTER",
    "cpu:2, TIMER, TIMER",
    "sim:1:4, DEFAULT, TIMER",
    "sim:1:4, COUNTER, TIMER"
  })
  void timeIsTold(String spec, Recording.Clock asked, Recording.Clock expected) {
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("histories.cu"), RECORDING);
        StmObjects objects = device.objects(50);
        DeviceArray<int[]> value = device.ints(50);
        Recording recording = device.recording(EVERYTHING.withClock(asked))) {
      assertEquals(expected, recording.clock());
      long before = System.nanoTime();
      module
          .region("shift")
          .record(
              recording,
              StmOptions.defaults(),
              100,
              new Fields().set("cells", objects).set("value", value));
      long after = System.nanoTime();
      List<Attempt> attempts = attempts(recording);
      long[] times = attempts.stream().flatMapToLong(RecordingTest::timesOf).sorted().toArray();
      long first = times[0];
      long last = times[times.length - 1];
      if (expected == Recording.Clock.COUNTER) {
        assertEquals(times.length, Arrays.stream(times).distinct().count());
        assertEquals(0, first);
      } else if (device.machine() == Machine.SIM) {
        assertTrue(first >= 0 && last < 1_000_000, first + " to " + last);
      } else {
        assertTrue(first >= before && last <= after, before + " " + first + " " + last);
      }
    }
  }

  private static java.util.stream.LongStream timesOf(Attempt attempt) {
    return java.util.stream.LongStream.of(attempt.begin, attempt.end);
  }

  @Test
  void anOverflowSaysHowMuchToAskFor() {
    try (Device device = Device.open("sim:5:1");
        KernelModule module = device.compile(Devices.source("histories.cu"), RECORDING);
        StmObjects objects = device.objects(3);
        DeviceArray<int[]> value = device.ints(3)) {
      Region shift = module.region("shift");
      StmOptions options = StmOptions.defaults().withThreadsInFlight(4);
      long needed;
      try (Recording small = device.recording(EVERYTHING.withWordsPerThread(20))) {
        shift
            .record(small, options, 40, new Fields().set("cells", objects).set("value", value))
            .requireComplete();
        Recording.OverflowException e =
            assertThrows(Recording.OverflowException.class, small::requireComplete);
        assertEquals(20, e.wordsPerThread());
        needed = e.neededWordsPerThread();
        assertTrue(needed > 10 * 8, e::getMessage);
        assertTrue(e.getMessage().contains("withWordsPerThread(" + needed + ")"), e::getMessage);
        assertThrows(
            Recording.OverflowException.class, () -> small.forEachThread((t, words, n) -> {}));
        small.reset();
        small.requireComplete();
      }
      // The schedule is the same again, so what was needed is enough, and less is not.
      try (Recording enough = device.recording(EVERYTHING.withWordsPerThread(needed))) {
        shift
            .record(enough, options, 40, new Fields().set("cells", objects).set("value", value))
            .requireComplete();
        List<Attempt> attempts = attempts(enough.requireComplete());
        assertEquals(40, count(attempts, COMMIT));
        checkVersions(attempts, 0, enough.finalStamps(objects));
      }
      try (Recording less = device.recording(EVERYTHING.withWordsPerThread(needed - 1))) {
        shift
            .record(less, options, 40, new Fields().set("cells", objects).set("value", value))
            .requireComplete();
        assertEquals(
            needed,
            assertThrows(Recording.OverflowException.class, less::requireComplete)
                .neededWordsPerThread());
      }
    }
  }

  @Test
  void noLogHoldsAnAttemptOfTooManyAccesses() {
    int most = (1 << 24) - 1;
    try (Device device = Device.open("cpu:1");
        KernelModule module = device.compile(Devices.source("histories.cu"), RECORDING);
        StmObjects objects = device.objects(1);
        DeviceArray<int[]> value = device.ints(1);
        Recording recording = device.recording(EVERYTHING.withWordsPerThread(most + 5))) {
      Region stare = module.region("stare");
      StmOptions options = StmOptions.defaults().withThreadsInFlight(1);
      stare
          .record(
              recording,
              options,
              1,
              new Fields().set("cells", objects).set("value", value).set("times", most))
          .requireComplete();
      recording.forEachThread(
          (thread, words, count) -> {
            assertEquals(4 + most, count);
            assertEquals(most, words[1] >>> 40);
          });
      assertEquals(4 + most, recording.usedWords());
      recording.reset();
      stare
          .record(
              recording,
              options,
              1,
              new Fields().set("cells", objects).set("value", value).set("times", most + 1))
          .requireComplete();
      IllegalStateException e =
          assertThrows(IllegalStateException.class, recording::requireComplete);
      assertTrue(e.getMessage().contains("more than 2^24 - 1 accesses"), e.getMessage());
      assertThrows(IllegalStateException.class, () -> recording.forEachThread((t, words, n) -> {}));
    }
  }

  @Tag("slow")
  @ParameterizedTest
  @ValueSource(strings = {"cpu:3", "sim:3:4"})
  void sharedMemoryStaysAsItIsWithMoreThreads(String spec) {
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("histories.cu"), RECORDING);
        StmObjects objects = device.objects(4);
        DeviceArray<int[]> value = device.ints(4);
        Recording recording = device.recording(EVERYTHING.withTotalBytes(1 << 16))) {
      Region shift = module.region("shift");
      for (int run = 1; run <= 3; run++) {
        StmOptions options = StmOptions.defaults().withThreadsInFlight(8 * run);
        shift
            .record(
                recording, options, 8 * run, new Fields().set("cells", objects).set("value", value))
            .requireComplete();
        assertEquals(8 * run, recording.threads());
        assertEquals((1 << 16) / 8 / (8 * run), recording.wordsPerThread());
        List<Attempt> attempts = attempts(recording);
        assertEquals(8 * run * (run + 1) / 2, count(attempts, COMMIT));
        checkVersions(attempts, 0, recording.finalStamps(objects));
      }
      // A log that does not fit into its share of 16 words any more.
      long longest = recording.wordsPerThread();
      StmOptions options = StmOptions.defaults().withThreadsInFlight(512);
      long[] used = {0};
      recording.forEachThread((thread, words, count) -> used[0] = Math.max(used[0], count));
      assertTrue(used[0] <= longest && used[0] > 16, "used " + used[0]);
      shift
          .record(recording, options, 512, new Fields().set("cells", objects).set("value", value))
          .requireComplete();
      assertEquals(16, recording.wordsPerThread());
      assertTrue(
          used[0]
              <= assertThrows(Recording.OverflowException.class, recording::requireComplete)
                  .neededWordsPerThread());
    }
  }

  @Test
  void aResetForgetsClosedArrays() {
    try (Device device = Device.open("cpu:1");
        KernelModule module = device.compile(Devices.source("histories.cu"), RECORDING);
        DeviceArray<int[]> value = device.ints(4);
        StmObjects kept = device.objects(3);
        Recording recording = device.recording(EVERYTHING)) {
      Region shift = module.region("shift");
      StmOptions options = StmOptions.defaults();
      shift
          .record(recording, options, 4, new Fields().set("cells", kept).set("value", value))
          .requireComplete();
      for (int turn = 0; turn < 3; turn++) {
        try (StmObjects passing = device.objects(4)) {
          shift
              .record(recording, options, 4, new Fields().set("cells", passing).set("value", value))
              .requireComplete();
          assertEquals(3, recording.objectsBase(passing));
          assertArrayEquals(new int[] {2, 2, 2, 2}, recording.finalStamps(passing));
          passing.close();
          assertArrayEquals(new int[] {2, 2, 2, 2}, recording.finalStamps(passing));
          recording.reset();
          assertThrows(IllegalArgumentException.class, () -> recording.objectsBase(passing));
        }
      }
      assertEquals(0, recording.objectsBase(kept));
      assertArrayEquals(new int[3], recording.finalStamps(kept));
    }
  }

  @Test
  void unsuccessfulAttemptsAreRecordedAsAsked() {
    try (Device device = Device.open("sim:0:4");
        KernelModule module = device.compile(Devices.source("histories.cu"), RECORDING);
        StmObjects objects = device.objects(3);
        DeviceArray<int[]> value = device.ints(3)) {
      Region shift = module.region("shift");
      StmOptions options = StmOptions.defaults().withBackOffNanos(0);
      long[] seen = new long[4];
      Recording.Options[] asked = {
        EVERYTHING.withFirstAttempts(0),
        EVERYTHING.withFirstAttempts(1),
        EVERYTHING.withFirstAttempts(0).withSample(2),
        EVERYTHING
      };
      for (int i = 0; i < asked.length; i++) {
        try (Recording recording = device.recording(asked[i])) {
          shift
              .record(
                  recording, options, 60, new Fields().set("cells", objects).set("value", value))
              .requireComplete();
          List<Attempt> attempts = attempts(recording);
          assertEquals(60, count(attempts, COMMIT));
          seen[i] = attempts.size() - 60;
          int first = asked[i].firstAttempts();
          assertTrue(
              asked[i].sample() > 0
                  || attempts.stream()
                      .allMatch(each -> each.code == COMMIT || each.number <= first),
              attempts::toString);
        }
      }
      assertEquals(0, seen[0]);
      assertTrue(seen[1] > 0 && seen[1] < seen[3], () -> Arrays.toString(seen));
      assertTrue(seen[2] > 0 && seen[2] < seen[3], () -> Arrays.toString(seen));
    }
  }

  /** Without accesses there are neither versions nor more than a header for each attempt. */
  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void endsAreRecordedAlone(String spec) {
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("histories.cu"), RECORDING);
        StmObjects objects = device.objects(3);
        DeviceArray<int[]> value = device.ints(3);
        Recording recording =
            device.recording(EVERYTHING.withFirstAttempts(0).withAccesses(false))) {
      Fields fields = new Fields().set("cells", objects).set("value", value);
      module.region("shift").record(recording, StmOptions.defaults(), 60, fields).requireComplete();
      List<Attempt> attempts = attempts(recording);
      assertEquals(60, count(attempts, COMMIT));
      assertEquals(60, attempts.size());
      assertEquals(60L * Recording.Format.HEADER_WORDS, recording.usedWords());
      assertThrows(IllegalArgumentException.class, () -> recording.finalStamps(objects));
    }
    Recording.Options data = EVERYTHING.withData(true);
    assertThrows(IllegalArgumentException.class, () -> data.withAccesses(false));
  }

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void fourArraysOfObjectsAreToldApart(String spec) {
    int n = 6;
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("histories.cu"), RECORDING);
        StmObjects a = device.objects(n);
        StmObjects b = device.objects(n);
        StmObjects c = device.objects(n);
        StmObjects d = device.objects(n);
        StmObjects other = device.objects(7);
        DeviceArray<int[]> otherValue = device.ints(7);
        DeviceArray<int[]> value =
            device.copyOf(IntStream.range(0, 4 * n).map(i -> i < 2 * n ? i : 0).toArray());
        Recording recording = device.recording(EVERYTHING)) {
      module
          .region("shift")
          .record(
              recording,
              StmOptions.defaults(),
              1,
              new Fields().set("cells", other).set("value", otherValue));
      assertThrows(IllegalArgumentException.class, () -> recording.objectsBase(a));
      assertThrows(IllegalArgumentException.class, () -> recording.finalStamps(a));
      module
          .region("quartet")
          .record(
              recording,
              StmOptions.defaults(),
              n,
              new Fields().set("a", a).set("b", b).set("c", c).set("d", d).set("value", value))
          .requireComplete();
      List<StmObjects> arrays = List.of(other, a, b, c, d);
      assertEquals(
          List.of(0, 7, 7 + n, 7 + 2 * n, 7 + 3 * n),
          arrays.stream().map(recording::objectsBase).toList());
      List<Attempt> attempts = attempts(recording);
      for (StmObjects each : arrays) {
        checkVersions(attempts, recording.objectsBase(each), recording.finalStamps(each));
      }
      assertArrayEquals(new int[n], recording.finalStamps(a));
      assertArrayEquals(new int[] {1, 0, 1, 0, 1, 0}, recording.finalStamps(d));
      assertEquals(n / 2, count(attempts, CANCEL));
      for (Attempt attempt : attempts) {
        if (attempt.code == CANCEL) {
          assertEquals(
              List.of(
                  new Access(7 + attempt.item, false, 0),
                  new Access(7 + n + attempt.item, false, 0)),
              attempt.accesses);
        }
      }
      int[] values = value.toArray();
      assertEquals(2, values[2 * n + 2]);
      assertEquals(n + 2, values[3 * n + 2]);
    }
  }

  /** Transactions that outgrow their logs run again, in other launches with fewer threads. */
  @Test
  void largerLogsAreRecordedToo() {
    assertLargerLogsAreRecorded("cpu:2");
  }

  @Tag("slow") // compiles them
  @Test
  void largerLogsAreRecordedOnTheSimulatorToo() {
    assertLargerLogsAreRecorded("sim:0:4");
  }

  private static void assertLargerLogsAreRecorded(String spec) {
    int n = 50;
    try (Device device = Device.open(spec);
        KernelModule module =
            device.compile(Devices.source("transfers.cu"), Devices.RECORDING_WITH_LARGER_LOGS);
        StmObjects objects = device.objects(n);
        DeviceArray<int[]> value = device.ints(n);
        Recording recording = device.recording(EVERYTHING)) {
      // 40 objects: neither the first log of 1 nor one of 16 holds them.
      RegionReport report =
          module
              .region("sweep")
              .record(
                  recording,
                  StmOptions.defaults(),
                  n,
                  new Fields()
                      .set("cells", objects)
                      .set("value", value)
                      .set("every", 10)
                      .set("many", 40))
              .requireComplete();
      assertTrue(report.passes().size() > 1, report::toString);
      List<Attempt> attempts = attempts(recording);
      assertEquals(n, count(attempts, COMMIT));
      int[] last = recording.finalStamps(objects);
      assertArrayEquals(value.toArray(), last);
      checkVersions(attempts, 0, last);
    }
  }

  @Test
  void whatCannotBeRecordedIsRefused() {
    try (Device device = Device.open("cpu:1");
        Device second = Device.open("cpu:1");
        KernelModule quiet = device.compile(Devices.source("histories.cu"), Devices.FIXED_LOGS);
        KernelModule module = device.compile(Devices.source("histories.cu"), RECORDING);
        StmObjects objects = device.objects(4);
        DeviceArray<int[]> value = device.ints(4);
        Recording recording = device.recording(Recording.Options.defaults());
        Recording elsewhere = second.recording(Recording.Options.defaults())) {
      assertFalse(quiet.recording());
      StmOptions options = StmOptions.defaults();
      IllegalStateException notCompiled =
          assertThrows(
              IllegalStateException.class,
              () ->
                  quiet
                      .region("shift")
                      .record(
                          recording,
                          options,
                          4,
                          new Fields().set("cells", objects).set("value", value)));
      assertTrue(notCompiled.getMessage().contains("MAGPIE_RECORD"), notCompiled::getMessage);
      Region shift = module.region("shift");
      assertThrows(
          IllegalArgumentException.class,
          () ->
              shift.record(
                  elsewhere, options, 4, new Fields().set("cells", objects).set("value", value)));
      List<StmObjects> many = IntStream.range(0, 17).mapToObj(i -> device.objects(2)).toList();
      Fields each = new Fields();
      IntStream.range(0, 17).forEach(i -> each.set(Character.toString('a' + i), many.get(i)));
      Region seventeen = module.region("seventeen");
      IllegalArgumentException tooMany =
          assertThrows(
              IllegalArgumentException.class, () -> seventeen.record(recording, options, 1, each));
      assertTrue(tooMany.getMessage().contains("at most 16"), tooMany::getMessage);
      assertThrows(
          ArgumentMismatchException.class,
          () -> shift.record(recording, options, 4, new Fields().set("cells", objects)));
      assertEquals(0, recording.threads());
      each.set("q", many.get(0));
      assertEquals(1, seventeen.record(recording, options, 1, each).commits());
      many.forEach(StmObjects::close);
      recording.close();
      assertThrows(
          IllegalArgumentException.class,
          () ->
              shift.record(
                  recording, options, 4, new Fields().set("cells", objects).set("value", value)));
      assertThrows(IllegalStateException.class, recording::usedWords);
      assertArrayEquals(new int[4], value.toArray());
    }
  }

  /** A datum is known by its number among those of all arguments. */
  @Test
  void dataAreOfOneSetOfArgumentsUntilTheyAreReset() {
    try (Device device = Device.open("cpu:1");
        Device sim = Device.open("sim:0:1");
        KernelModule module = device.compile(Devices.source("histories.cu"), RECORDING);
        StmObjects objects = device.objects(4);
        DeviceArray<int[]> value = device.ints(4);
        DeviceArray<int[]> other = device.ints(5);
        Recording without = device.recording(EVERYTHING);
        Recording simulated = sim.recording(EVERYTHING.withData(true));
        Recording recording = device.recording(EVERYTHING.withData(true))) {
      Region shift = module.region("shift");
      Fields fields = new Fields().set("cells", objects).set("value", value);
      for (int i = 0; i < 2; i++) {
        shift.record(recording, StmOptions.defaults(), 4, fields).requireComplete();
      }
      Recording.Data data = recording.data();
      assertEquals(List.of("value"), data.memory().stream().map(each -> each.name()).toList());
      assertEquals("value[3]", data.inWords(12).orElseThrow());
      assertEquals(Optional.empty(), data.inWords(16));
      assertEquals(Optional.empty(), data.inWords(Recording.Data.NOWHERE));
      assertFalse(data.atomic(0) || data.tallied(0) || data.anyAtomic());
      int[] before = value.toArray();
      Fields changed = new Fields().set("cells", objects).set("value", other);
      IllegalArgumentException e =
          assertThrows(
              IllegalArgumentException.class,
              () -> shift.record(recording, StmOptions.defaults(), 4, changed));
      assertTrue(e.getMessage().contains("reset the recording first"), e::getMessage);
      assertArrayEquals(before, value.toArray());
      recording.reset();
      shift.record(recording, StmOptions.defaults(), 4, changed).requireComplete();
      assertEquals("value[4]", recording.data().inWords(16).orElseThrow());

      assertThrows(IllegalStateException.class, without::data);
      assertThrows(IllegalStateException.class, simulated::data);
      assertThrows(
          IllegalStateException.class, () -> simulated.disturb(Recording.Disturbance.NONE));
    }
  }

  /** As in checked builds, but on every device. */
  @Test
  void slotsFreedTwiceAreAFaultOfRecordedRuns() {
    try (Device device = Device.open("cpu:1");
        KernelModule module = device.compile(Devices.source("rounds.cu"), RECORDING);
        SlotPool slots = device.newSlotPool(8, 4);
        DeviceArray<int[]> attempts = device.ints(1);
        Recording recording = device.recording(EVERYTHING)) {
      Fields fields =
          new Fields()
              .set("slots", slots)
              .set("attempts", attempts)
              .set("first", 0)
              .set("times", 2)
              .set("early", 0);
      Region free = module.region("free_slots");
      KernelFaultException e =
          assertThrows(
              KernelFaultException.class,
              () -> free.record(recording, StmOptions.defaults(), 1, fields));
      assertTrue(e.getMessage().contains("slot 0 was freed more than once"), e::getMessage);
    }
  }

  /**
   * Each item's commit has what it took, freed and pushed, and nothing that was undone but what
   * says so; and where slots are given, it takes these.
   */
  @Test
  void slotsAndItemsAreRecordedWithData() {
    int items = 4;
    try (Device device = Device.open("cpu-checked:2");
        KernelModule module = device.compile(Devices.source("trades.cu"), RECORDING);
        StmObjects cells = device.objects(items);
        DeviceArray<int[]> values = device.ints(items);
        SlotPool slots = device.newSlotPool(20, items);
        SlotPool others = device.newSlotPool(20, items);
        Worklist work = device.newWorklist(items);
        Recording recording = device.recording(EVERYTHING.withData(true))) {
      Fields fields =
          new Fields()
              .set("cells", cells)
              .set("values", values)
              .set("slots", slots)
              .set("others", others);
      StmOptions oneRound = StmOptions.defaults().withMostRounds(1);
      work.fill(0, 1, 2, 3);
      module.region("trade").recordRounds(recording, oneRound, work, null, fields);
      assertEquals(items, work.size());
      Map<Integer, List<String>> done = effects(recording);
      for (int item = 0; item < items; item++) {
        int slot = values.toArray()[item];
        List<String> effects = done.get(item);
        assertEquals(9, effects.size(), effects::toString);
        assertEquals(List.of("pushed 77", "undone 0"), effects.subList(2, 4));
        assertEquals(List.of("taken 0:" + slot, "pushed " + (item + 100)), effects.subList(4, 6));
        assertTrue(effects.get(6).startsWith("taken 1:"), effects::toString);
        assertEquals(List.of("freed 0:" + item, "freed 1:" + item), effects.subList(7, 9));
      }

      recording.reset();
      slots.reset();
      others.reset();
      slots.take(19, 9, 11, 7);
      others.take(4, 5, 6, 7);
      long[] taken = new long[2 * items];
      int[] ends = new int[items];
      for (int item = 0; item < items; item++) {
        taken[2 * item] = 1L << 32 | 4 + item;
        taken[2 * item + 1] = new int[] {19, 9, 11, 7}[item];
        ends[item] = 2 * item + 2;
      }
      recording.giveSlots(new Recording.GivenSlots(taken, ends));
      work.fill(0, 1, 2, 3);
      module.region("trade").recordRounds(recording, oneRound, work, null, fields);
      assertArrayEquals(new int[] {19, 9, 11, 7}, values.toArray());
      assertEquals(items, slots.live());
      assertEquals(items, others.live());
      assertEquals(
          List.of("taken 1:5", "freed 0:1", "freed 1:1"), effects(recording).get(1).subList(6, 9));

      work.fill(0, 1, 2, 3, 4);
      IllegalStateException e =
          assertThrows(
              IllegalStateException.class,
              () -> module.region("trade").recordRounds(recording, oneRound, work, null, fields));
      assertTrue(e.getMessage().contains("4 items, and a launch has 5"), e::getMessage);
      recording.close();
      recording.giveSlots(null); // they are back already: what frees twice throws here
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> new Recording.GivenSlots(new long[2], new int[] {2, 1}));
    assertThrows(
        IllegalArgumentException.class, () -> new Recording.GivenSlots(new long[2], new int[] {3}));
  }

  /** What commits did to pools and work, by item, in the order in which it was logged. */
  private static Map<Integer, List<String>> effects(Recording recording) {
    String[] kinds = {"read", "write", "peek", "opened", "taken", "freed", "pushed", "undone"};
    Map<Integer, List<String>> effects = new HashMap<>();
    recording.forEachThread(
        (thread, words, count) -> {
          int accesses;
          for (int at = 0; at < count; at += 4 + 2 * accesses) {
            accesses = (int) (words[at + 1] >>> 40);
            List<String> mine = effects.computeIfAbsent((int) words[at], item -> new ArrayList<>());
            for (int i = 0; i < accesses; i++) {
              long access = words[at + 4 + 2 * i];
              int kind = (int) (words[at + 5 + 2 * i] >>> 40) & 15;
              if (kind >= 4) {
                String pool = kind < 6 ? (int) access + ":" : "";
                mine.add(kinds[kind] + " " + pool + (access >>> 32));
              }
            }
          }
        });
    return effects;
  }

  /** Forced retries are recorded as if an object had been stolen. */
  @Test
  void firstAttemptsAreMadeInVain() {
    try (Device device = Device.open("cpu:1");
        KernelModule module = device.compile(Devices.source("histories.cu"), RECORDING);
        StmObjects objects = device.objects(4);
        DeviceArray<int[]> value = device.ints(4);
        Recording recording = device.recording(EVERYTHING)) {
      recording.disturb(new Recording.Disturbance(1_000, 7, 2));
      RegionReport report =
          module
              .region("shift")
              .record(
                  recording,
                  StmOptions.defaults(),
                  4,
                  new Fields().set("cells", objects).set("value", value))
              .requireComplete();
      assertEquals(8, report.aborts());
      List<Attempt> attempts = attempts(recording);
      assertEquals(12, attempts.size());
      assertEquals(4, count(attempts, COMMIT));
      checkNumbers(attempts, 2, report);
      checkVersions(attempts, 0, recording.finalStamps(objects));
    }
    assertThrows(IllegalArgumentException.class, () -> new Recording.Disturbance(-1, 0, 0));
    assertThrows(IllegalArgumentException.class, () -> new Recording.Disturbance(0, 0, -1));
  }

  @ParameterizedTest
  @CsvSource({
    "15, 65536, 0, 0",
    "-1, 65536, 0, 0",
    "2147483640, 65536, 0, 0",
    "0, 4095, 0, 0",
    "0, 65536, -1, 0",
    "0, 65536, 0, -1"
  })
  void optionsHaveRanges(long words, long bytes, int first, int sample) {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            new Recording.Options(
                words, bytes, first, sample, Recording.Clock.DEFAULT, false, true));
  }

  /** The same schedule gives the same history, word for word, and recording is part of the run. */
  @ParameterizedTest
  @ValueSource(strings = {"random:7", "pct:3:3:150", "lock-step:2", "random:2+weak"})
  void aReplayGivesTheSameHistory(String text) {
    Schedule schedule = Schedule.parse(text);
    try (Device device = Device.open("sim:0:2");
        KernelModule module = device.compile(Devices.source("histories.cu"), RECORDING);
        StmObjects objects = device.objects(3);
        DeviceArray<int[]> value = device.ints(3);
        Recording recording = device.recording(EVERYTHING)) {
      Region shift = module.region("shift");
      device.simulator().setSchedule(schedule);
      shift
          .record(
              recording,
              StmOptions.defaults(),
              6,
              new Fields().set("cells", objects).set("value", value))
          .requireComplete();
      Simulator.Trace trace = device.simulator().lastTrace();
      List<Attempt> attempts = attempts(recording);
      assertEquals(6, count(attempts, COMMIT));
      checkVersions(attempts, 0, recording.finalStamps(objects));

      recording.reset();
      device.simulator().setSchedule(schedule.withChoices(trace.choices()));
      shift
          .record(
              recording,
              StmOptions.defaults(),
              6,
              new Fields().set("cells", objects).set("value", value))
          .requireComplete();
      assertEquals(trace.hash(), device.simulator().lastTrace().hash());
      assertEquals(attempts, attempts(recording));
    }
  }

  /** Logs of few and of many threads, short and longer than a piece that is copied at once. */
  @ParameterizedTest
  @CsvSource({"cpu:1, 1, 4000000", "cpu:2, 300, 5000", "cpu:2, 20, 1500000", "sim:0:1, 70, 512"})
  void everyLogIsReadWhole(String spec, int threads, long words) {
    int items = 300;
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("histories.cu"), RECORDING);
        StmObjects objects = device.objects(1000);
        DeviceArray<int[]> value = device.ints(1000);
        Recording recording = device.recording(EVERYTHING.withWordsPerThread(words))) {
      StmOptions options = StmOptions.defaults().withThreadsInFlight(threads);
      module
          .region("shift")
          .record(recording, options, items, new Fields().set("cells", objects).set("value", value))
          .requireComplete();
      List<Attempt> attempts = attempts(recording);
      assertEquals(
          items,
          attempts.stream()
              .filter(each -> each.code == COMMIT)
              .map(Attempt::item)
              .distinct()
              .count());
      assertEquals(
          recording.usedWords(),
          attempts.stream().mapToLong(each -> 4 + each.accesses.size()).sum());
      assertEquals(
          attempts.stream().map(Attempt::thread).sorted().toList(),
          attempts.stream().map(Attempt::thread).toList());
    }
  }
}
