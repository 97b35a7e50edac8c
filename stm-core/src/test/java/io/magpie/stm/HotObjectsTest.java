package io.magpie.stm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.RegionReport.AbortCause;
import io.magpie.stm.RegionReport.HotObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Which objects a run's transactions met at, where it is known what they are. */
class HotObjectsTest {
  private static final int ITEMS = 600;
  private static final int FIRST_OWN = 40;
  private static final StmOptions SAMPLING = StmOptions.defaults().withConflictSampling(true);

  /** Compiled for it at once, in place of where a run first asks for it. */
  private static final Map<String, String> SAMPLED =
      Map.of("MAGPIE_SAMPLE_CONFLICTS", "1", "MAGPIE_ONLY_FIXED_LOGS", "1");

  /** {@code crowd} of crowds.cu and its arguments. */
  private static final class Crowd implements AutoCloseable {
    final KernelModule module;
    final StmObjects room;
    final StmObjects desk;
    final DeviceArray<int[]> inRoom;
    final DeviceArray<int[]> atDesk;

    Crowd(Device device, Map<String, String> defines) {
      module = device.compile(Devices.source("crowds.cu"), defines);
      room = device.objects(300);
      desk = device.objects(FIRST_OWN + ITEMS);
      inRoom = device.ints(300);
      atDesk = device.ints(FIRST_OWN + ITEMS);
    }

    Fields fields(int hotRoom, int hotDesk, int every) {
      return new Fields()
          .set("room", room)
          .set("desk", desk)
          .set("in_room", inRoom)
          .set("at_desk", atDesk)
          .set("hot_room", hotRoom)
          .set("hot_desk", hotDesk)
          .set("every", every)
          .set("first_own", FIRST_OWN);
    }

    RegionReport run(StmOptions options, Fields fields) {
      return module.region("crowd").run(options, ITEMS, fields).requireComplete();
    }

    @Override
    public void close() {
      module.close();
      room.close();
      desk.close();
      inRoom.close();
      atDesk.close();
    }
  }

  /** Runs until threads have met, which those of a busy processor may not for a while. */
  private static <R> R untilSome(Supplier<R> run, ToLongFunction<R> conflicts) {
    R report = run.get();
    for (int tries = 1; conflicts.applyAsLong(report) == 0 && tries < 1_000; tries++) {
      report = run.get();
    }
    return report;
  }

  private static long losses(RegionReport report) {
    return report.aborts() - report.abortsByCause().getOrDefault(AbortCause.REQUESTED, 0L);
  }

  private static List<String> names(List<HotObject> hot) {
    return hot.stream().map(HotObject::name).toList();
  }

  private static void checkShares(List<HotObject> hot, long total) {
    long before = Long.MAX_VALUE;
    for (HotObject each : hot) {
      assertTrue(0 < each.conflicts() && each.conflicts() <= before, hot::toString);
      assertEquals((double) each.conflicts() / total, each.share());
      before = each.conflicts();
    }
  }

  /** Two of three items meet in the room, the third at the desk; nowhere else does anybody. */
  @ParameterizedTest
  @CsvSource({"cpu:4,HAND_OFF", "sim:1:4,HAND_OFF", "sim:1:4,LOCKS"})
  void areWhereAllMeet(String spec, Policy policy) {
    areTheRoomAndTheDesk(spec, policy);
  }

  @Tag("slow") // compiles
  @Test
  void areWhereAllMeetAndIndicesAreChecked() {
    areTheRoomAndTheDesk("cpu-checked:3", Policy.HAND_OFF);
  }

  private static void areTheRoomAndTheDesk(String spec, Policy policy) {
    StmOptions options = SAMPLING.withPolicy(policy);
    try (Device device = Device.open(spec);
        Crowd crowd = new Crowd(device, spec.startsWith("sim") ? SAMPLED : Devices.FIXED_LOGS)) {
      RegionReport report =
          untilSome(
              () -> crowd.run(options, crowd.fields(17, 3, 3)), RegionReport::sampledConflicts);
      List<HotObject> hot = report.hotObjects();
      assertTrue(report.sampledConflicts() >= losses(report), report::toString);
      assertTrue(report.sampledConflicts() > 0, report::toString);
      assertEquals(0, report.lostConflicts());
      assertTrue(List.of("room[17]", "desk[3]").containsAll(names(hot)), report::toString);
      if (spec.startsWith("sim")) {
        assertEquals(List.of("room[17]", "desk[3]"), names(hot), report::toString);
      }
      assertEquals(report.sampledConflicts(), hot.stream().mapToLong(HotObject::conflicts).sum());
      checkShares(hot, report.sampledConflicts());

      // The next run begins anew, also where the objects lie elsewhere by now.
      crowd.room.grow(5000);
      RegionReport later = crowd.run(options, crowd.fields(299, 3, ITEMS + 1));
      names(later.hotObjects())
          .forEach(name -> assertTrue(name.matches("room.299.|desk.3."), name));
      RegionReport alone = crowd.run(options, crowd.fields(0, -1, 1));
      assertEquals(List.of(), alone.hotObjects());
      assertEquals(0, alone.sampledConflicts());
      assertEquals(0, crowd.room.claimed() + crowd.desk.claimed());
    }
  }

  /** The example of the module's page: many buy in one shop. */
  @Test
  void showTheShop() {
    int accounts = 1000;
    int shop = 7;
    int transfers = 20_000;
    SplittableRandom random = new SplittableRandom(1);
    int[] payers = random.ints(transfers, 0, accounts).toArray();
    int[] payees =
        random.ints(transfers, 0, accounts).map(i -> random.nextInt(10) == 0 ? shop : i).toArray();
    List<String> lines = new ArrayList<>();
    try (Device device = Device.open("sim");
        KernelModule module = device.compile(Devices.source("transfers.cu"));
        StmObjects objects = device.objects(accounts);
        DeviceArray<int[]> balance = device.ints(accounts);
        DeviceArray<int[]> from = device.copyOf(payers);
        DeviceArray<int[]> to = device.copyOf(payees)) {
      balance.fill(100);
      Region region = module.region("transfer");
      Fields fields =
          new Fields()
              .set("accounts", objects)
              .set("balance", balance)
              .set("from", from)
              .set("to", to)
              .set("amount", 7);
      RegionReport report =
          region.run(StmOptions.defaults().withConflictSampling(true), transfers, fields);
      for (HotObject each : report.hotObjects()) { // those with most conflicts first
        lines.add(
            each.name() + ": " + each.conflicts() + ", " + Math.round(100 * each.share()) + " %");
      }
      assertTrue(lines.get(0).startsWith("accounts[7]: "), report::toString);
      assertTrue(report.hotObjects().get(0).share() > 0.25, report::toString);
      assertEquals(100L * accounts, IntStream.of(balance.toArray()).asLongStream().sum());
    }
  }

  /** A run that did not ask has no such list, whatever its module can do; nor have its rounds. */
  @ParameterizedTest
  @CsvSource({"cpu:2,false", "sim:0:4,true"})
  void areRefusedWhereNobodyAsked(String spec, boolean samples) {
    try (Device device = Device.open(spec);
        Crowd crowd = new Crowd(device, samples ? SAMPLED : Devices.FIXED_LOGS)) {
      RegionReport report = crowd.run(StmOptions.defaults(), crowd.fields(17, 3, 3));
      for (Runnable each :
          List.<Runnable>of(report::hotObjects, report::sampledConflicts, report::lostConflicts)) {
        IllegalStateException e = assertThrows(IllegalStateException.class, each::run);
        assertEquals(
            "region crowd ran without sampling conflicts: run it with"
                + " StmOptions.withConflictSampling(true)",
            e.getMessage());
      }
      assertFalse(report.toString().contains("conflicts"), report::toString);
    }
  }

  /** What a module was compiled for it keeps: here it also records. */
  @Test
  @Tag("slow")
  void areThoseOfRecordedRuns() {
    try (Device device = Device.open("cpu:2");
        Crowd crowd = new Crowd(device, Devices.recording(Policy.HAND_OFF));
        Recording recording = device.recording(Recording.Options.defaults())) {
      RegionReport report =
          crowd
              .module
              .region("crowd")
              .record(recording, SAMPLING, ITEMS, crowd.fields(17, 3, 3))
              .requireComplete();
      recording.requireComplete();
      assertTrue(recording.usedWords() > 4L * ITEMS);
      assertTrue(report.sampledConflicts() >= losses(report), report::toString);
      assertTrue(List.of("room[17]", "desk[3]").containsAll(names(report.hotObjects())));
    }
  }

  /** On sim it is no step of the schedule: everything else is as it is without. */
  @Tag("slow")
  @Test
  void changeNothing() {
    try (Device device = Device.open("sim:5:32");
        Crowd crowd = new Crowd(device, Map.of())) {
      RegionReport with = crowd.run(SAMPLING, crowd.fields(17, 3, 3));
      RegionReport without = crowd.run(StmOptions.defaults(), crowd.fields(17, 3, 3));
      assertEquals(without.abortsByCause(), with.abortsByCause());
      assertEquals(without.steals(), with.steals());
      assertEquals(without.polls(), with.polls());
      assertArrayEquals(without.retriesHistogram(), with.retriesHistogram());
      assertTrue(with.sampledConflicts() > 0, with::toString);
    }
  }

  static Stream<Arguments> devices() {
    Stream<String> host = Stream.of("cpu:4", "sim:1:4");
    Stream<String> all =
        Device.whyNoGpu().isEmpty() ? Stream.concat(host, Stream.of("cuda")) : host;
    return all.map(Arguments::of);
  }

  /** In rounds, with larger logs, of guarded arrays: what a guard stands for is its data's. */
  @ParameterizedTest
  @MethodSource("devices")
  @Tag("slow")
  void areThoseOfAllRounds(String spec) {
    int items = 64;
    int last = 4 * items;
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("crowds.cu"));
        StmObjects blocks = device.objects(10);
        StmObjects singles = device.objects(2L * last);
        DeviceArray<int[]> seats = device.ints(40);
        DeviceArray<int[]> own = device.ints(2L * last);
        Worklist work = device.newWorklist(items)) {
      Fields fields =
          new Fields()
              .set("seats", seats, blocks)
              .set("own", own, singles)
              .set("items", items)
              .set("last", last);
      RoundsReport report =
          untilSome(
              () -> {
                seats.fill(0);
                own.fill(0);
                work.fill(IntStream.range(0, items).toArray());
                return module.region("party").runRounds(SAMPLING, work, fields);
              },
              RoundsReport::sampledConflicts);
      report.requireComplete();
      assertEquals(4, report.rounds().size());
      assertEquals(last, seats.toArray()[30]);
      assertTrue(report.rounds().get(0).region().passes().size() > 1);
      assertTrue(report.sampledConflicts() > 0, report::toString);
      assertEquals(List.of("seats.guards[7]"), names(report.hotObjects()), report::toString);
      assertEquals(report.sampledConflicts(), report.hotObjects().get(0).conflicts());
      assertEquals(1, report.hotObjects().get(0).share());
      assertEquals(
          report.sampledConflicts(),
          report.rounds().stream().mapToLong(each -> each.region().sampledConflicts()).sum());
      assertEquals(0, report.lostConflicts());
      assertTrue(report.toString().contains("  100.0 %  seats.guards[7]"), report::toString);
    }
  }
}
