package io.magpie.algorithms.partition;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class PopulationTest {
  @Test
  void membersAreAsManyAsKernelsCanCount() {
    assertEquals(12, Population.mostMembers(12, 8192, 1024));
    assertEquals(12, Population.mostMembers(12, 357_000_000, 8));
    assertEquals(11, Population.mostMembers(12, 357_913_930, 8));
    assertEquals(1, Population.mostMembers(12, Integer.MAX_VALUE, 8));
    assertEquals(4, Population.mostMembers(12, 400_000_000, 500_000_000));
    assertEquals(1, Population.mostMembers(12, Integer.MAX_VALUE, Integer.MAX_VALUE));
  }
}
