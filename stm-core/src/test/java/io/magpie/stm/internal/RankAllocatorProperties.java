package io.magpie.stm.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class RankAllocatorProperties {
  /** Launches overlap on two arrays of objects as they like: no two live ranks are equal, ever. */
  @Property(tries = 300)
  void runningLaunchesNeverShareARank(
      @ForAll @Size(max = 40) List<@IntRange(min = 0, max = 5) Integer> actions,
      @ForAll @IntRange(min = 0, max = Integer.MAX_VALUE / 16) int size) {
    RankAllocator a = new RankAllocator();
    RankAllocator b = new RankAllocator();
    List<long[]> live = new ArrayList<>();
    for (int action : actions) {
      if (action == 0 && !live.isEmpty()) {
        live.remove(0);
        a.end();
        b.end();
        continue;
      }
      long count = (long) size * action;
      long first = Math.min(a.next(), b.next());
      if (count > first) {
        assertThrows(IllegalArgumentException.class, () -> a.begin(first, count));
        continue;
      }
      a.begin(first, count);
      b.begin(first, count);
      long last = first - count + 1;
      assertTrue(first <= RankAllocator.HIGHEST && last >= 1);
      for (long[] other : live) {
        assertTrue(first < other[1] || last > other[0] || count == 0, "ranks overlap");
      }
      live.add(new long[] {first, last});
    }
  }

  @Example
  void quiescenceGivesAllRanksBack() {
    RankAllocator ranks = new RankAllocator();
    ranks.begin(RankAllocator.HIGHEST, RankAllocator.HIGHEST);
    assertEquals(0, ranks.next());
    assertThrows(IllegalArgumentException.class, () -> ranks.begin(1, 1));
    ranks.end();
    assertTrue(ranks.quiescent());
    assertEquals(RankAllocator.HIGHEST, ranks.next());
    assertThrows(IllegalStateException.class, ranks::end);
  }
}
