package io.magpie.verification.testing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.SlotPool;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RegionDataTest {
  private static RegionData links(int... next) {
    try (Device device = Device.open("cpu:1");
        DeviceArray<int[]> array = device.copyOf(next)) {
      return RegionData.of(Map.of("next.data", array));
    }
  }

  private static String refusal(int from, int... next) {
    RegionData data = links(next);
    return assertThrows(IllegalStateException.class, () -> data.chain("next", from, 0))
        .getMessage();
  }

  @Test
  void aChainHasTheElementsThatLinksLeadTo() {
    assertArrayEquals(new int[] {2, 1, 3}, links(2, 3, 1, 0, 1).chain("next", 0, 0));
    assertArrayEquals(new int[] {1, 3, 0, 2}, links(2, 3, 4, 0, 1).chain("next", 4, 4));
    assertArrayEquals(new int[] {}, links(0, 1).chain("next", 0, 0));
  }

  @Test
  void aChainThatHasNoEndIsRefused() {
    assertEquals("next leads from 0 round in a cycle", refusal(0, 1, 2, 1));
    assertEquals("next leads from 0 round in a cycle", refusal(0, 1, 1));
    assertEquals("next leads to 3, and has 3 elements", refusal(0, 1, 3, 0));
    assertEquals("next leads to 4294967295, and has 2 elements", refusal(1, 0, -1));
  }

  @Test
  void anotherNumberOfSlotsInUseIsRefused() {
    try (Device device = Device.open("cpu:1");
        SlotPool pool = device.newSlotPool(5, 3)) {
      RegionData data = RegionData.of(Map.of("nodes", pool));
      data.requireLive("nodes", 3);
      IllegalStateException e =
          assertThrows(IllegalStateException.class, () -> data.requireLive("nodes", 2));
      assertEquals("pool 'nodes' has 3 slots in use, and not 2", e.getMessage());
      assertThrows(IllegalArgumentException.class, () -> data.requireLive("next", 2));
    }
  }
}
