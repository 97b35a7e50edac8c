package io.magpie.stm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.RoundsReport.Round;
import io.magpie.stm.RunRecorder.RecordedRun;
import io.magpie.stm.internal.RankAllocator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs that nobody records but the device's recorder. */
class RunRecorderTest {
  private static final Map<String, String> RECORDING = Devices.recording(Policy.HAND_OFF);

  /** Gives each run the recording, emptied, and keeps what it hears. */
  private static final class Listener implements RunRecorder {
    private Recording recording;
    private final List<String> begun = new ArrayList<>();
    private final List<RecordedRun> ended = new ArrayList<>();
    private final List<String> failed = new ArrayList<>();
    private final List<Long> words = new ArrayList<>();

    @Override
    public Recording begin(UpcomingRun run) {
      begun.add(run.region().name());
      if (recording != null) {
        recording.reset();
      }
      return recording;
    }

    @Override
    public void end(RecordedRun run) {
      ended.add(run);
      words.add(run.recording().requireComplete().usedWords());
    }

    @Override
    public void failed(String region) {
      failed.add(region);
    }
  }

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void hearsOfEachRunAndList(String spec) {
    int items = 300;
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("histories.cu"), RECORDING);
        StmObjects objects = device.objects(1000);
        DeviceArray<int[]> value = device.ints(1000);
        DeviceArray<int[]> list = device.copyOf(IntStream.range(0, 7).map(i -> 5 * i).toArray());
        Recording recording = device.recording(Recording.Options.defaults())) {
      Listener listener = new Listener();
      Region shift = module.region("shift");
      device.setRunRecorder(listener);
      shift.run(
          items,
          new Fields()
              .set("cells", objects)
              .set("value", value)); // it may say that there is nowhere to record to
      assertEquals(List.of("shift"), listener.begun);
      assertTrue(listener.ended.isEmpty());

      listener.recording = recording;
      RegionReport whole = shift.run(items, new Fields().set("cells", objects).set("value", value));
      RegionReport listed =
          shift.runList(
              StmOptions.defaults(),
              list,
              7,
              new Fields().set("cells", objects).set("value", value));
      assertEquals(3, listener.begun.size());
      assertSame(whole, listener.ended.get(0).report());
      assertSame(listed, listener.ended.get(1).report());
      for (RecordedRun run : listener.ended) {
        assertEquals(List.of(objects), run.objects());
        assertSame(recording, run.recording());
        assertEquals(shift.opaque(), run.opaque());
      }
      assertTrue(listener.words.get(0) > listener.words.get(1), listener.words::toString);

      // A caller's own recording goes before the device's.
      try (Recording own = device.recording(Recording.Options.defaults())) {
        shift.record(
            own,
            StmOptions.defaults(),
            items,
            new Fields().set("cells", objects).set("value", value));
        assertTrue(own.usedWords() > 0);
        assertEquals(3, listener.begun.size());
        assertEquals(2, listener.ended.size());
      }
      device.setRunRecorder(null);
      shift.run(items, new Fields().set("cells", objects).set("value", value));
      assertEquals(3, listener.begun.size());
    }
  }

  /** What is about to run can be run beforehand, with the same arguments. */
  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void knowsWhatWillRun(String spec) {
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("rounds.cu"), RECORDING);
        DeviceArray<int[]> times = device.copyOf(2, 0, 1, 0);
        DeviceArray<int[]> ranks = device.ints(4);
        DeviceArray<int[]> none = device.copyOf(0, 0, 0, 0);
        Worklist work = device.newWorklist(4);
        Worklist other = device.newWorklist(4);
        Recording recording = device.recording(Recording.Options.defaults())) {
      List<String> known = new ArrayList<>();
      RunRecorder asking =
          new RunRecorder() {
            @Override
            public Recording begin(UpcomingRun run) {
              known.add(
                  run.items()
                      + " "
                      + Arrays.stream(run.itemIds()).sorted().boxed().toList()
                      + (run.isRound() ? " in a round" : ""));
              assertSame(times, run.arguments().get("times"));
              Map<String, Object> arguments = new HashMap<>(run.arguments());
              arguments.put("times", none);
              other.fill(run.itemIds());
              run.region()
                  .recordRounds(recording, run.options(), other, null, Fields.of(arguments));
              return null;
            }

            @Override
            public void end(RecordedRun run) {
              throw new AssertionError(run);
            }

            @Override
            public void failed(String region) {
              throw new AssertionError(region);
            }
          };
      device.setRunRecorder(asking);
      work.fill(0, 1, 2, 3);
      RoundsReport report =
          module
              .region("put_off")
              .runRounds(
                  StmOptions.defaults(),
                  work,
                  new Fields().set("times", times).set("ranks", ranks));
      assertEquals(
          List.of("4 [0, 1, 2, 3] in a round", "2 [0, 2] in a round", "1 [0] in a round"), known);
      assertEquals(3, report.rounds().size());
    }
  }

  /** Objects may grow from round to round where the recording is emptied before each. */
  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void hearsOfEachRound(String spec) {
    int nodes = 100;
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("rounds.cu"), RECORDING);
        StmObjects things = device.objects(3);
        DeviceArray<int[]> sums = device.ints(3);
        DeviceArray<int[]> runs = device.ints(nodes);
        StmObjects cells = device.objects(10_000);
        DeviceArray<int[]> owner = device.ints(1_000_000);
        SlotPool slots = device.newSlotPool(10_000, 0);
        Worklist work = device.newWorklist(1);
        Recording recording = device.recording(Recording.Options.defaults())) {
      work.fill(0);
      Listener listener = new Listener();
      listener.recording = recording;
      device.setRunRecorder(listener);
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
          module
              .region("grow_tree")
              .runRounds(
                  StmOptions.defaults(),
                  work,
                  round -> {
                    cells.grow(cells.count() + 5000);
                    return null;
                  },
                  fields);
      assertTrue(report.rounds().size() > 1, report::toString);
      assertEquals(
          report.rounds().stream().map(Round::region).toList(),
          listener.ended.stream().map(RecordedRun::report).toList());
      assertTrue(listener.words.stream().allMatch(words -> words > 0), listener.words::toString);
    }
  }

  /** A position is left under its rank, by whatever pass, and whatever its item. */
  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void hearsWhichPositionsAreLeft(String spec) {
    try (Device device = Device.open(spec);
        KernelModule module =
            device.compile(Devices.source("transfers.cu"), Devices.RECORDING_WITH_LARGER_LOGS);
        StmObjects objects = device.objects(1000);
        DeviceArray<int[]> value = device.ints(1000);
        DeviceArray<int[]> done = device.ints(100);
        DeviceArray<int[]> list = device.copyOf(7, 42, 3, 42);
        Recording recording = device.recording(Recording.Options.defaults())) {
      Listener listener = new Listener();
      listener.recording = recording;
      device.setRunRecorder(listener);
      StmOptions attempts = StmOptions.defaults().withMaxAttempts(5);
      module
          .region("refuse")
          .run(attempts, 100, new Fields().set("stubborn", 42).set("done", done));
      module
          .region("refuse")
          .runList(attempts, list, 4, new Fields().set("stubborn", 42).set("done", done));
      // Items 0, 10, 20 and 30 outgrow the largest log, each in a launch of its own.
      StmOptions small = StmOptions.defaults().withScratchBytes(4096);
      module
          .region("sweep")
          .run(
              small,
              40,
              new Fields()
                  .set("cells", objects)
                  .set("value", value)
                  .set("every", 10)
                  .set("many", 65));
      module
          .region("sweep")
          .run(
              small,
              40,
              new Fields()
                  .set("cells", objects)
                  .set("value", value)
                  .set("every", 10)
                  .set("many", 64));
      // Of three launches, positions of the second and the third.
      int[] many = {3, 7, 5, 42, 9, 11, 42};
      try (DeviceArray<int[]> longer = device.copyOf(many)) {
        Region threeEach = module.region("refuse").withMostItemsPerLaunch(3);
        threeEach.runList(
            attempts, longer, many.length, new Fields().set("stubborn", 42).set("done", done));
      }
      assertEquals(
          List.of(List.of(42), List.of(1, 3), List.of(0, 10, 20, 30), List.of(), List.of(3, 6)),
          listener.ended.stream().map(RunRecorderTest::left).toList());
      for (RecordedRun run : listener.ended) {
        assertEquals(
            IntStream.range(0, (int) run.report().items()).boxed().toList(),
            belowHighest(run.ranks()));
      }
    }
  }

  /** Where ranks begin at the highest. */
  private static List<Integer> left(RecordedRun run) {
    return belowHighest(run.left()).stream().sorted().toList();
  }

  private static List<Integer> belowHighest(List<Integer> ranks) {
    return ranks.stream().map(rank -> RankAllocator.HIGHEST - rank).toList();
  }

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void hearsWhatIsDeferred(String spec) {
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("rounds.cu"), RECORDING);
        DeviceArray<int[]> times = device.copyOf(2, 0, 1, 0);
        DeviceArray<int[]> ranks = device.ints(4);
        Worklist work = device.newWorklist(4);
        Recording recording = device.recording(Recording.Options.defaults())) {
      Listener listener = new Listener();
      listener.recording = recording;
      device.setRunRecorder(listener);
      work.fill(0, 1, 2, 3);
      StmOptions options = StmOptions.defaults();
      module
          .region("put_off")
          .withMostItemsPerLaunch(3)
          .runRounds(options, work, new Fields().set("times", times).set("ranks", ranks));
      assertEquals(
          List.of(List.of(0, 2), List.of(0), List.of()),
          listener.ended.stream().map(RunRecorderTest::left).toList());
      for (int round = 1; round < listener.ended.size(); round++) {
        assertEquals(
            left(listener.ended.get(round - 1)),
            belowHighest(listener.ended.get(round).ranks()).stream().sorted().toList(),
            "what is carried keeps its rank");
      }
      assertEquals(List.of(0, 1, 2, 3), belowHighest(listener.ended.get(0).ranks()));
    }
  }

  @Test
  void whatCannotBeRecordedIsRefused() {
    try (Device device = Device.open("cpu:1");
        Device second = Device.open("cpu:1");
        KernelModule quiet = device.compile(Devices.source("histories.cu"), Devices.FIXED_LOGS);
        KernelModule module = device.compile(Devices.source("histories.cu"), RECORDING);
        StmObjects objects = device.objects(1000);
        DeviceArray<int[]> value = device.ints(1000);
        Recording recording = device.recording(Recording.Options.defaults());
        Recording elsewhere = second.recording(Recording.Options.defaults())) {
      Listener listener = new Listener();
      listener.recording = recording;
      device.setRunRecorder(listener);
      IllegalStateException notCompiled =
          assertThrows(
              IllegalStateException.class,
              () ->
                  quiet
                      .region("shift")
                      .run(4, new Fields().set("cells", objects).set("value", value)));
      assertTrue(notCompiled.getMessage().contains("MAGPIE_RECORD"), notCompiled::getMessage);
      listener.recording = elsewhere;
      assertThrows(
          IllegalArgumentException.class,
          () ->
              module
                  .region("shift")
                  .run(4, new Fields().set("cells", objects).set("value", value)));
      assertEquals(List.of("shift", "shift"), listener.failed);
      assertTrue(listener.ended.isEmpty());
      assertArrayEquals(new int[1000], value.toArray());
    }
  }
}
