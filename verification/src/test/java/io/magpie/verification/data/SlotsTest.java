package io.magpie.verification.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.simulator.AccessTrace;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Which elements are those of slots, and what slots attempts take and free. */
class SlotsTest {
  private final TraceBuilder builder =
      new TraceBuilder()
          .objects("nodes", 4)
          .array("keys", 4)
          .array("pairs", 8)
          .array("few", 2)
          .array("bits", 1)
          .array("bytes", 4, 1)
          .pool("slots", 4, 2);

  private long[] numbers(String array, int index) {
    return Slots.numbers(
            builder.memory(array), builder.address(array, index), builder.memory("slots"))
        .toArray();
  }

  @Test
  void elementsBelongToSlotsByTheirIndex() {
    assertArrayEquals(new long[] {3}, numbers("keys", 3));
    assertArrayEquals(new long[] {3}, numbers("nodes", 3));
    assertArrayEquals(new long[] {}, numbers("few", 1)); // not one for each slot
    assertArrayEquals(new long[] {2}, numbers("bytes", 2));
    assertArrayEquals(new long[] {}, numbers("slots", 1));
    // Two in each slot, side by side or in two rows.
    assertArrayEquals(new long[] {3, 1}, numbers("pairs", 3));
    assertArrayEquals(new long[] {3, 2}, numbers("pairs", 6)); // 6 itself is no slot
  }

  @Test
  void aBitMayTellOfASlot() {
    var pool = builder.memory("slots");
    assertTrue(Slots.mayTellOf(builder.memory("bits"), builder.address("bits", 0), pool, 3));
    assertFalse(Slots.names(builder.memory("bits"), builder.address("bits", 0), pool, 3));
    assertTrue(Slots.mayTellOf(builder.memory("keys"), builder.address("keys", 3), pool, 3));
    assertFalse(Slots.mayTellOf(builder.memory("keys"), builder.address("keys", 2), pool, 3));
  }

  @Test
  void commitsTakeAndFree() {
    AccessTrace trace =
        builder
            .begin(0)
            .takes("slots", 2)
            .event(AccessTrace.Kind.INNER_BEGIN)
            .takes("slots", 3)
            .pushes(7)
            .event(AccessTrace.Kind.INNER_UNDONE)
            .pushes(8)
            .locks()
            .frees("slots", 1)
            .commits()
            .begin(1)
            .takes("slots", 3)
            .retries()
            .build();
    Attempts attempts = new Attempts(trace);
    assertTrue(attempts.usedSlots());
    List<SlotUse> uses = attempts.slotUses();
    assertEquals(List.of(2L, 1L), uses.stream().map(SlotUse::slot).toList());
    assertEquals(List.of(false, true), uses.stream().map(SlotUse::frees).toList());
    assertEquals(AccessTrace.PHASE_APPLY, uses.get(1).phase());
    assertEquals(List.of(8L), attempts.all().get(0).pushes);
    assertTrue(Slots.isData(trace, uses.get(0), builder.address("keys", 2)));
    assertFalse(Slots.isData(trace, uses.get(0), builder.address("keys", 3)));
    assertFalse(Slots.isData(trace, uses.get(0), builder.address("nodes", 2)));
  }

  @Test
  void memoryBeforeTheRunIsKnownByBytes() {
    MemoryBefore before =
        new MemoryBefore(Map.of("keys", new int[] {1, -2, 3}, "bytes", new byte[] {1, 2, 3, -4}));
    var keys = builder.memory("keys");
    assertEquals(OptionalLong.of(0xfffffffeL), before.at(keys, builder.address("keys", 1), 4));
    assertEquals(OptionalLong.of(0x3fffffffeL), before.at(keys, builder.address("keys", 1), 8));
    assertEquals(OptionalLong.empty(), before.at(keys, builder.address("keys", 3), 4));
    var bytes = builder.memory("bytes");
    assertEquals(OptionalLong.of(0xfc), before.at(bytes, builder.address("bytes", 3), 1));
    assertEquals(
        OptionalLong.empty(), before.at(builder.memory("few"), builder.address("few", 0), 4));
  }
}
