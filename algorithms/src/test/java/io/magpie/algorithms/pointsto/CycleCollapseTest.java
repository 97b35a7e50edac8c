package io.magpie.algorithms.pointsto;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CycleCollapseTest {
  private static final int SEARCHES = 1000;

  @Test
  void eachSearchHasKeysOfItsOwn() {
    Set<Integer> factors = new HashSet<>();
    for (int search = 0; search < SEARCHES; search++) {
      int factor = CycleCollapse.factor(search);
      assertEquals(1, factor & 1, "even: " + factor);
      factors.add(factor);
    }
    assertEquals(SEARCHES, factors.size());
  }

  /**
   * The keys that are kept, along a chain of nodes in ascending or descending order: how often a
   * node's greatest key rises, where those of others come to it one by one. Keys in the order of
   * the nodes would make it half of the nodes on average, those in a random order the logarithm.
   */
  @ParameterizedTest
  @ValueSource(ints = {1_000, 1_000_000})
  void keptKeysRiseSeldomAlongChains(int nodes) {
    for (boolean ascending : new boolean[] {true, false}) {
      double rises = meanRises(nodes, CycleCollapse.factor(0), ascending);
      assertTrue(rises < 100, () -> rises + " times");
    }
  }

  private static double meanRises(int nodes, int factor, boolean ascending) {
    int[] rising = new int[nodes]; // those that come to a node, the last of them first
    int count = 0;
    long rises = 0;
    for (int i = 0; i < nodes; i++) {
      int key = (ascending ? nodes - i : i + 1) * factor;
      while (count > 0 && Integer.compareUnsigned(rising[count - 1], key) < 0) {
        count--;
      }
      rising[count++] = key;
      rises += count;
    }
    return (double) rises / nodes;
  }
}
