package io.magpie.stm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.simulator.Schedule;
import io.magpie.stm.simulator.Schedule.Choice;
import io.magpie.stm.simulator.Simulator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Launches on the simulator under schedules that are chosen, replayed, and made to end badly. */
class ScheduledRunTest {
  private static final StmOptions OPTIONS = StmOptions.defaults();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "round-robin",
        "random:1",
        "random:4+weak",
        "pct:1:3:200",
        "pct:2:2:200+weak",
        "lock-step:1",
        "explicit",
        "explicit:3@1,9@0,12@1"
      })
  void aLaunchIsReplayedByItsChoices(String text) {
    Schedule schedule = Schedule.parse(text);
    try (Device device = Device.open("sim:0:2");
        KernelModule module = device.compile(Devices.source("histories.cu"), Devices.FIXED_LOGS);
        StmObjects cells = device.objects(3);
        DeviceArray<int[]> value = device.ints(3)) {
      Region shift = module.region("shift");
      device.simulator().setSchedule(schedule);
      shift.run(OPTIONS, 6, new Fields().set("cells", cells).set("value", value)).requireComplete();
      Simulator.Trace trace = device.simulator().lastTrace();
      assertEquals(Simulator.Trace.OK, trace.code(), trace::message);
      assertTrue(trace.replayable());
      assertTrue(trace.steps() > 50 && trace.switches() > 0, trace::toString);
      assertArrayEquals(new int[3], value.toArray());

      device.simulator().setSchedule(schedule.withChoices(trace.choices()));
      shift.run(OPTIONS, 6, new Fields().set("cells", cells).set("value", value)).requireComplete();
      Simulator.Trace again = device.simulator().lastTrace();
      assertEquals(trace.hash(), again.hash());
      assertEquals(trace.steps(), again.steps());
      assertEquals(trace.switches(), again.switches());
      assertEquals(trace.choices(), again.choices());
    }
  }

  @Test
  void otherSeedsGiveOtherSchedules() {
    try (Device device = Device.open("sim:0:1");
        KernelModule module = device.compile(Devices.source("histories.cu"), Devices.FIXED_LOGS);
        StmObjects cells = device.objects(3);
        DeviceArray<int[]> value = device.ints(3)) {
      Region shift = module.region("shift");
      Set<Long> hashes = new HashSet<>();
      List<Schedule> schedules = new ArrayList<>();
      for (int seed = 1; seed <= 5; seed++) {
        schedules.add(Schedule.randomWalk(seed));
        schedules.add(Schedule.pct(seed, 3, 60));
      }
      for (Schedule schedule : schedules) {
        device.simulator().setSchedule(schedule);
        shift
            .run(OPTIONS, 3, new Fields().set("cells", cells).set("value", value))
            .requireComplete();
        hashes.add(device.simulator().lastTrace().hash());
      }
      assertTrue(hashes.size() > 7, () -> hashes.size() + " of 10");
    }
  }

  @Test
  void withoutAScheduleTheSeedDecides() {
    try (Device device = Device.open("sim:0:1");
        KernelModule module = device.compile(Devices.source("histories.cu"), Devices.FIXED_LOGS);
        StmObjects cells = device.objects(3);
        DeviceArray<int[]> value = device.ints(3)) {
      assertThrows(IllegalStateException.class, () -> device.simulator().lastTrace());
      module
          .region("shift")
          .run(OPTIONS, 3, new Fields().set("cells", cells).set("value", value))
          .requireComplete();
      assertThrows(IllegalStateException.class, () -> device.simulator().lastTrace());
      device.simulator().setSchedule(Schedule.roundRobin());
      module
          .region("shift")
          .run(OPTIONS.withSeed(5), 3, new Fields().set("cells", cells).set("value", value))
          .requireComplete();
      Simulator.Trace trace = device.simulator().lastTrace();
      device.simulator().setSchedule(null);
      module
          .region("shift")
          .run(OPTIONS.withSeed(5), 6, new Fields().set("cells", cells).set("value", value))
          .requireComplete();
      assertEquals(trace.hash(), device.simulator().lastTrace().hash());
      assertEquals(trace.steps(), device.simulator().lastTrace().steps());
    }
  }

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void onlyTheSimulatorHasSchedules(String spec) {
    try (Device device = Device.open(spec)) {
      if (device.machine() == Machine.SIM) {
        device.simulator().setSchedule(null);
        return;
      }
      UnsupportedOperationException e =
          assertThrows(
              UnsupportedOperationException.class,
              () -> device.simulator().setSchedule(Schedule.roundRobin()));
      assertTrue(e.getMessage().contains("open device 'sim'"), e::getMessage);
      assertThrows(UnsupportedOperationException.class, () -> device.simulator().lastTrace());
    }
  }

  @Test
  void theBoundOfStepsIsTheSchedulesOwn() {
    try (Device device = Device.open("sim:0:1");
        KernelModule module = device.compile(Devices.source("histories.cu"), Devices.FIXED_LOGS);
        StmObjects cells = device.objects(3);
        DeviceArray<int[]> value = device.ints(3)) {
      Region shift = module.region("shift");
      device.simulator().setSchedule(Schedule.roundRobin().withMostSteps(20));
      assertThrows(
          KernelFaultException.class,
          () -> shift.run(OPTIONS, 3, new Fields().set("cells", cells).set("value", value)));
      Simulator.Trace trace = device.simulator().lastTrace();
      assertEquals(Simulator.Trace.NO_PROGRESS, trace.code());
      assertEquals(20, trace.steps());
      device.simulator().setSchedule(Schedule.roundRobin());
      shift.run(OPTIONS, 3, new Fields().set("cells", cells).set("value", value)).requireComplete();
    }
  }

  /**
   * Two transactions that open two objects in opposite orders, in step: under the published rule
   * each of them takes from the other what it needs, forever.
   */
  @Test
  void aLassoIsReportedAndTheDeviceGoesOn() {
    StmOptions options =
        OPTIONS.withPolicy(Policy.PRIORITY_RULE).withBackOffNanos(0).withThreadsInFlight(2);
    try (Device device = Device.open("sim:0:1");
        KernelModule module = device.compile(Devices.source("histories.cu"), Devices.FIXED_LOGS);
        StmObjects cells = device.objects(2);
        DeviceArray<int[]> value = device.copyOf(10, 20)) {
      Region shift = module.region("shift");
      Schedule found = null;
      Simulator.Trace trace = null;
      for (int seed = 0; seed < 2_000 && found == null; seed++) {
        Schedule schedule = Schedule.randomWalk(seed).withLassoDetection().withMostSteps(10_000);
        device.simulator().setSchedule(schedule);
        try {
          shift
              .run(options, 2, new Fields().set("cells", cells).set("value", value))
              .requireComplete();
          assertEquals(0, device.simulator().lastTrace().lassoEnd());
        } catch (KernelFaultException e) {
          trace = device.simulator().lastTrace();
          assertEquals(Simulator.Trace.LASSO, trace.code(), trace::message);
          assertTrue(e.getMessage().contains("livelock"), e::getMessage);
          String progress = trace.message().substring(trace.message().indexOf("no progress"));
          assertTrue(e.getMessage().contains(progress), e::getMessage);
          assertTrue(trace.lassoBegin() < trace.lassoEnd(), trace::toString);
          found = schedule;
        }
      }
      assertTrue(found != null, "no livelock in 2,000 schedules");

      device.simulator().setSchedule(found.withChoices(trace.choices()));
      assertThrows(
          KernelFaultException.class,
          () -> shift.run(options, 2, new Fields().set("cells", cells).set("value", value)));
      assertEquals(trace.hash(), device.simulator().lastTrace().hash());
      assertEquals(trace.lassoBegin(), device.simulator().lastTrace().lassoBegin());
      assertEquals(trace.lassoEnd(), device.simulator().lastTrace().lassoEnd());

      device.simulator().setSchedule(null);
      value.copyFrom(new int[] {10, 20});
      shift
          .run(
              options.withPolicy(Policy.HAND_OFF),
              2,
              new Fields().set("cells", cells).set("value", value))
          .requireComplete();
      assertArrayEquals(new int[] {10, 20}, value.toArray());
    }
  }

  /** A thread that stops with a lock: the others wait until the bound of attempts lets them go. */
  @Test
  void aStoppedThreadIsReportedAndTheDeviceGoesOn() {
    StmOptions options = OPTIONS.withMaxAttempts(3).withPolls(4);
    try (Device device = Device.open("sim:0:1");
        KernelModule module = device.compile(Devices.source("histories.cu"), Devices.FIXED_LOGS);
        StmObjects cells = device.objects(2);
        DeviceArray<int[]> value = device.copyOf(10, 20)) {
      Region shift = module.region("shift");
      List<String> left = new ArrayList<>();
      Schedule younger = Schedule.explicit(List.of(new Choice(0, 1, 0)));
      device.simulator().setSchedule(younger);
      shift.run(OPTIONS, 2, new Fields().set("cells", cells).set("value", value)).requireComplete();
      // Until it ends before it would stop.
      for (int step = 0;
          step == 0 || device.simulator().lastTrace().code() != Simulator.Trace.OK;
          step++) {
        device.simulator().setSchedule(younger.withStoppedThread(1, step).withMostSteps(10_000));
        try {
          shift.run(options, 2, new Fields().set("cells", cells).set("value", value));
        } catch (KernelFaultException e) {
          assertTrue(e.getMessage().contains("stopped thread"), e::getMessage);
          assertEquals(
              Simulator.Trace.THREAD_STOPPED, device.simulator().lastTrace().code(), e::getMessage);
          long[] locked = cells.lockedObjects();
          long[] claimed = cells.claimedObjects();
          assertEquals(cells.claimed(), locked.length + claimed.length);
          assertEquals(
              switch (locked.length) {
                case 0 -> "";
                case 1 -> "1 of 2 objects on sim:0:1 (" + locked[0] + ")";
                default -> "2 of 2 objects on sim:0:1 (0, 1)";
              },
              e.getMessage().replaceFirst(".*?(; still locked, .* suspect: |$)", ""));
          String words = Arrays.toString(locked) + Arrays.toString(claimed);
          if (left.isEmpty() || !left.get(left.size() - 1).equals(words)) {
            left.add(words);
          }
          cells.reset();
        }
        assertEquals(0, cells.claimed());
      }
      // The older one takes unlocked claims, and waits for locks that it never gets.
      assertEquals(List.of("[][]", "[1][]", "[0, 1][]", "[0][]", "[][]"), left);

      device.simulator().setSchedule(Schedule.roundRobin());
      value.copyFrom(new int[] {10, 20});
      shift.run(OPTIONS, 2, new Fields().set("cells", cells).set("value", value)).requireComplete();
      assertArrayEquals(new int[] {10, 20}, value.toArray());
    }
  }

  /** So that a list stays a schedule when a part of it is taken away. */
  @Test
  void aChoiceThatCannotBeIsLeftToTheDefault() {
    try (Device device = Device.open("sim:0:1");
        KernelModule module = device.compile(Devices.source("histories.cu"), Devices.FIXED_LOGS);
        StmObjects cells = device.objects(3);
        DeviceArray<int[]> value = device.ints(3)) {
      device
          .simulator()
          .setSchedule(Schedule.explicit(List.of(new Choice(4, 77, 0), new Choice(9, 1, 0))));
      module
          .region("shift")
          .run(OPTIONS, 3, new Fields().set("cells", cells).set("value", value))
          .requireComplete();
      assertEquals(new Choice(9, 1, 0), device.simulator().lastTrace().choices().get(0));
    }
  }
}
