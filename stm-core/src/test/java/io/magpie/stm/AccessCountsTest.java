package io.magpie.stm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.parallel.Primitives;
import io.magpie.stm.simulator.Schedule;
import io.magpie.stm.simulator.Simulator.AccessCounts;
import org.junit.jupiter.api.Test;

class AccessCountsTest {
  @Test
  void launchesUnderAScheduleAddUp() {
    try (Device device = Device.open("sim:0:8");
        DeviceArray<int[]> array = device.ints(640)) {
      device.simulator().setCounting(true);
      Primitives.of(device).sum(array);
      assertEquals(AccessCounts.NONE, device.simulator().accessCounts(), "without a schedule");
      device.simulator().setSchedule(Schedule.roundRobin());
      Primitives.of(device).sum(array);
      AccessCounts once = device.simulator().accessCounts();
      assertTrue(once.work() >= 640 && once.work() < 6400, once.toString());
      assertTrue(once.span() >= once.work() / 128 && once.span() <= once.work(), once.toString());
      assertTrue(once.transfers() >= 80 && once.transfers() <= once.work(), once.toString());
      Primitives.of(device).sum(array);
      assertEquals(once.plus(once), device.simulator().accessCounts());
      assertEquals(once, device.simulator().accessCounts().since(once));
      device.simulator().setCounting(true);
      assertEquals(AccessCounts.NONE, device.simulator().accessCounts(), "from 0 on");
    }
  }

  @Test
  void otherDevicesDoNotCount() {
    try (Device device = Device.open("cpu:1")) {
      assertThrows(UnsupportedOperationException.class, () -> device.simulator().setCounting(true));
      assertThrows(UnsupportedOperationException.class, () -> device.simulator().accessCounts());
    }
  }
}
