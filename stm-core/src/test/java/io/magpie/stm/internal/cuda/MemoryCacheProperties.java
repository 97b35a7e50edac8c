package io.magpie.stm.internal.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

class MemoryCacheProperties {
  /** Positive numbers ask for memory of that size, others give the oldest block back. */
  @Property(tries = 500)
  void blocksAreLargeEnoughAndNeverShared(
      @ForAll @Size(max = 60) List<@LongRange(min = -5_000_000, max = 20_000_000) Long> steps) {
    MemoryCache cache = new MemoryCache(true);
    Map<Long, Long> blocks = new HashMap<>();
    Set<Long> used = new HashSet<>();
    long next = 1;
    for (long step : steps) {
      if (step > 0) {
        long size = MemoryCache.blockBytes(step);
        assertTrue(size >= step);
        long address = cache.take(size);
        if (address == 0) {
          address = next++;
          blocks.put(address, size);
        }
        assertTrue(used.add(address), "in use twice");
        assertTrue(blocks.get(address) >= size && blocks.get(address) <= size * 4 / 3);
        cache.use(address, size);
      } else if (!used.isEmpty()) {
        long address = used.iterator().next();
        used.remove(address);
        assertTrue(cache.giveBack(address));
      }
      long waiting =
          blocks.entrySet().stream()
              .filter(e -> !used.contains(e.getKey()))
              .mapToLong(Map.Entry::getValue)
              .sum();
      assertEquals(waiting, cache.bytes());
    }
    assertEquals(blocks.size() - used.size(), new HashSet<>(cache.empty()).size());
    assertEquals(0, cache.bytes());
  }

  @Example
  void keepsNothingWhenToldSo() {
    MemoryCache cache = new MemoryCache(false);
    cache.use(5, 512);
    assertFalse(cache.giveBack(5));
    assertEquals(0, cache.take(512));
    assertTrue(cache.empty().isEmpty());
  }
}
