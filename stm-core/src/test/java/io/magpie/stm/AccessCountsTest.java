package io.magpie.stm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.trace.AccessCounts;
import io.magpie.stm.trace.Schedule;
import org.junit.jupiter.api.Test;

class AccessCountsTest {
  @Test
  void launchesUnderAScheduleAddUp() {
    try (Device device = Device.open("sim:0:8");
        DeviceArray<int[]> array = device.ints(640)) {
      device.setCounting(true);
      device.primitives().sum(array);
      assertEquals(AccessCounts.NONE, device.accessCounts(), "without a schedule");
      device.setSchedule(Schedule.roundRobin());
      device.primitives().sum(array);
      AccessCounts once = device.accessCounts();
      assertTrue(once.work() >= 640 && once.work() < 6400, once.toString());
      assertTrue(once.span() >= once.work() / 128 && once.span() <= once.work(), once.toString());
      assertTrue(once.transfers() >= 80 && once.transfers() <= once.work(), once.toString());
      device.primitives().sum(array);
      assertEquals(once.plus(once), device.accessCounts());
      assertEquals(once, device.accessCounts().since(once));
      device.setCounting(true);
      assertEquals(AccessCounts.NONE, device.accessCounts(), "from 0 on");
    }
  }

  @Test
  void otherDevicesDoNotCount() {
    try (Device device = Device.open("cpu:1")) {
      assertThrows(UnsupportedOperationException.class, () -> device.setCounting(true));
      assertThrows(UnsupportedOperationException.class, device::accessCounts);
    }
  }
}
