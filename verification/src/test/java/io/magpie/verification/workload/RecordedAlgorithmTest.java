package io.magpie.verification.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelFaultException;
import io.magpie.stm.KernelModule;
import io.magpie.stm.Recording;
import io.magpie.stm.Region;
import io.magpie.stm.RegionReport;
import io.magpie.stm.StmObjects;
import io.magpie.stm.StmOptions;
import io.magpie.stm.simulator.Schedule;
import io.magpie.verification.check.Verdict.Level;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.explore.Violation.Kind;
import io.magpie.verification.history.History;
import io.magpie.verification.history.HistoryBuilder;
import io.magpie.verification.workload.RecordedAlgorithm.Run;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What recordings of an algorithm's regions hold, and which of their checks can fail. */
class RecordedAlgorithmTest {
  private static final Map<String, String> ONLY =
      Map.of("MAGPIE_ONLY_REGION", "neighbors", "MAGPIE_ONLY_FIXED_LOGS", "1");
  private static final int HIGHEST = Integer.MAX_VALUE;

  private static Map<String, String> recording() {
    Map<String, String> defines = new HashMap<>(ONLY);
    defines.put("MAGPIE_RECORD", "1");
    return defines;
  }

  private static History ended(int... positions) {
    HistoryBuilder history = new HistoryBuilder();
    for (int position : positions) {
      history.add(7, 1, HIGHEST - position, History.COMMIT, 0, 1);
    }
    return history.add(7, 1, HIGHEST, History.ABORT, 0, 1).build();
  }

  private static List<Kind> lost(History history, int positions, int... left) {
    return lost(history, positions, ranks(IntStream.range(0, positions)), left.length, left);
  }

  private static List<Kind> lost(
      History history, long positions, List<Integer> ranks, long reported, int... left) {
    List<Integer> leftRanks = ranks(Arrays.stream(left));
    return RunChecks.lostPositions(history, positions, ranks, leftRanks, reported).stream()
        .map(Violation::kind)
        .toList();
  }

  private static List<Integer> ranks(IntStream positions) {
    return positions.map(each -> HIGHEST - each).boxed().toList();
  }

  @Test
  void eachPositionIsAccountedForOnce() {
    assertEquals(List.of(), lost(ended(0, 1, 2), 3), "the same item at three positions");
    assertEquals(List.of(), lost(ended(0, 2), 3, 1), "one is left");
    assertEquals(List.of(Kind.LOST_ITEM), lost(ended(0, 2), 3));
    assertEquals(List.of(Kind.LOST_ITEM), lost(ended(0, 2, 0), 3), "as many as there are");
    assertEquals(List.of(Kind.LOST_ITEM), lost(ended(0, 1, 2), 2));
    assertEquals(List.of(Kind.LOST_ITEM), lost(ended(0, 2), 3, 2), "ended and left, one lost");
    assertEquals(List.of(Kind.LOST_ITEM), lost(ended(0, 2), 3, 1, 1), "left twice");
    assertEquals(List.of(Kind.LOST_ITEM), lost(ended(0), 3, 1, 1), "left twice, one lost");
    assertEquals(List.of(Kind.LOST_ITEM), lost(ended(0, 5), 2), "ended under nobody's rank");
    assertEquals(List.of(Kind.LOST_ITEM), lost(ended(0), 2, 5), "left under nobody's rank");
  }

  @Test
  void ranksNeedNotFollowEachOther() {
    List<Integer> given = ranks(IntStream.of(40, 2, 3));
    assertEquals(List.of(), lost(ended(3, 40), 3, given, 1, 2));
    assertEquals(List.of(Kind.LOST_ITEM), lost(ended(3, 4), 3, given, 1, 2));
    List<Integer> twice = ranks(IntStream.of(2, 2));
    assertEquals(List.of(Kind.LOST_ITEM), lost(ended(2), 2, twice, 0), "given twice");
    assertEquals(List.of(Kind.LOST_ITEM), lost(ended(2, 3), 2, given, 0), "one too many");
    assertEquals(List.of(Kind.LOST_ITEM), lost(ended(2, 3, 40), 4, given, 0), "one too few");
  }

  @Test
  void aReportHasAsManyLeftAsThereAre() {
    List<Integer> given = ranks(IntStream.of(0, 1, 2));
    assertEquals(List.of(), lost(ended(0, 2), 3, given, 1, 1));
    assertEquals(List.of(Kind.LOST_ITEM), lost(ended(0, 2), 3, given, 0, 1));
    assertEquals(List.of(Kind.LOST_ITEM), lost(ended(0, 2), 3, given, 2, 1));
  }

  private static History endedItems(int... items) {
    HistoryBuilder history = new HistoryBuilder();
    for (int item : items) {
      history.add(item, 1, HIGHEST - item, History.COMMIT, 0, 1);
    }
    return history.build();
  }

  private static List<Kind> lostItems(History history, long items, long... unfinished) {
    return RunChecks.lostItems(history, items, unfinished).stream().map(Violation::kind).toList();
  }

  @Test
  void eachItemIsAccountedForOnce() {
    assertEquals(List.of(), lostItems(endedItems(2, 0, 1), 3));
    assertEquals(List.of(), lostItems(endedItems(2, 0), 3, 1), "one is left");
    assertEquals(List.of(Kind.LOST_ITEM), lostItems(endedItems(2, 0), 3));
    assertEquals(List.of(Kind.LOST_ITEM), lostItems(endedItems(2, 0, 2), 3));
    assertEquals(List.of(Kind.LOST_ITEM), lostItems(endedItems(0, 1, 2), 3, 2), "ended and left");
    assertEquals(List.of(Kind.LOST_ITEM), lostItems(endedItems(0, 2), 3, 1, 1), "left twice");
    assertEquals(List.of(Kind.LOST_ITEM), lostItems(endedItems(0, 1, 9), 2), "no such item");
    assertEquals(List.of(Kind.LOST_ITEM), lostItems(endedItems(0, 1, -1), 2), "the last id");
    assertEquals(List.of(Kind.LOST_ITEM), lostItems(endedItems(0, 1), 2, 9), "no such item left");
  }

  @Test
  void runsOfListsAreInOrder() {
    try (Device device = Device.open("sim:1:4");
        KernelModule module = device.compile(RegionWorkloadTest.SOURCE, recording());
        StmObjects cells = device.objects(4);
        DeviceArray<int[]> values = device.ints(4);
        DeviceArray<int[]> list = device.copyOf(new int[] {3, 0, 3, 1, 3});
        RecordedAlgorithm recorded = new RecordedAlgorithm(device, Recording.Options.defaults())) {
      RegionReport report =
          module
              .region("neighbors")
              .runList(
                  StmOptions.defaults(),
                  list,
                  5,
                  new Fields().set("cells", cells).set("values", values));
      Run run = recorded.runs().get(0);
      assertEquals(List.of(), run.violations());
      assertEquals(Level.STRICTLY_SERIALIZABLE, run.verdict().level());
      assertEquals(report.items(), run.verdict().extent().committed());
      assertEquals(2 * report.items(), run.accesses(), "each writes two objects");
    }
  }

  /** Launches that follow a run which failed are again the device's own. */
  @Test
  void noScheduleOutlivesAFailedRun() {
    try (Device device = Device.open("sim:1:4");
        KernelModule module = device.compile(RegionWorkloadTest.SOURCE, recording());
        KernelModule quiet = device.compile(RegionWorkloadTest.SOURCE, ONLY);
        StmObjects cells = device.objects(4);
        DeviceArray<int[]> values = device.ints(4);
        DeviceArray<int[]> tooShort = device.ints(2);
        RecordedAlgorithm recorded = new RecordedAlgorithm(device, Recording.Options.defaults())) {
      Region region = module.region("neighbors");
      recorded.setSchedule(Schedule.randomWalk(1));
      assertThrows(
          KernelFaultException.class,
          () -> region.run(4, new Fields().set("cells", cells).set("values", tooShort)));
      assertScheduleIsGone(device, recorded, region, cells, values);

      // What cannot be recorded fails before its launch.
      region.run(4, new Fields().set("cells", cells).set("values", values));
      assertThrows(
          IllegalStateException.class,
          () ->
              quiet
                  .region("neighbors")
                  .run(4, new Fields().set("cells", cells).set("values", values)));
      assertScheduleIsGone(device, recorded, region, cells, values);
      assertTrue(recorded.violations().isEmpty());
      assertEquals(1, recorded.runs().size());
    }
  }

  private static void assertScheduleIsGone(
      Device device,
      RecordedAlgorithm recorded,
      Region region,
      StmObjects cells,
      DeviceArray<int[]> values) {
    long before = device.simulator().lastTrace().hash();
    device.setRunRecorder(null);
    region.run(
        2,
        new Fields()
            .set("cells", cells)
            .set("values", values)); // fewer items, so that a trace of it would be another
    assertEquals(before, device.simulator().lastTrace().hash());
    device.setRunRecorder(recorded);
  }
}
