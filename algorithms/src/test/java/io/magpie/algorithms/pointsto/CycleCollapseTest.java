package io.magpie.algorithms.pointsto;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CycleCollapseTest {
  private static final int SEARCHES = 1000;

  /** None of them in the nodes' order, which the keys that are kept are in. */
  @Test
  void eachSearchHasKeysOfItsOwn() {
    Set<Integer> factors = new HashSet<>();
    for (int search = 1; search <= SEARCHES; search++) {
      int factor = CycleCollapse.factor(search);
      assertNotEquals(1, factor, "of search " + search);
      assertEquals(1, factor & 1, "of search " + search);
      factors.add(factor);
    }
    assertEquals(SEARCHES, factors.size());
  }
}
