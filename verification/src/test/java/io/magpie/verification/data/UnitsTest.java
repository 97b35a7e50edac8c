package io.magpie.verification.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.magpie.stm.simulator.AccessTrace;
import io.magpie.stm.simulator.AccessTrace.Kind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which accesses share memory. */
class UnitsTest {
  private static Access access(int event, long address, int bytes) {
    Attempt attempt = new Attempt(event, 1, event, 0);
    return new Access(
        event, attempt, Kind.READ, AccessTrace.PHASE_BODY, address, bytes, 0, false, 0, 0);
  }

  @Test
  void wholeWordsAreUnits() {
    Access one = access(0, 8, 4);
    Access two = access(1, 8, 8);
    Units units = new Units(List.of(one, two));
    assertArrayEquals(new long[] {8}, units.of(one).toArray());
    assertArrayEquals(new long[] {8, 12}, units.of(two).toArray());
  }

  @Test
  void wordsOfWhichAnAccessHasAPartAreBytes() {
    Access word = access(0, 8, 4);
    Access third = access(1, 10, 1);
    Access half = access(2, 8, 2);
    Access across = access(3, 11, 2); // into the next word
    Access beside = access(4, 16, 4);
    List<Access> all = List.of(word, third, half, across, beside);
    Units units = new Units(all);
    assertArrayEquals(new long[] {8, 9, 10, 11}, units.of(word).toArray());
    assertArrayEquals(new long[] {10}, units.of(third).toArray());
    assertArrayEquals(new long[] {8, 9}, units.of(half).toArray());
    assertArrayEquals(new long[] {11, 12}, units.of(across).toArray());
    assertArrayEquals(new long[] {16}, units.of(beside).toArray());

    Map<Long, List<Access>> grouped = Units.group(all);
    assertEquals(List.of(word, half), grouped.get(8L));
    assertEquals(List.of(word, third), grouped.get(10L));
    assertEquals(List.of(word, across), grouped.get(11L));
    assertEquals(List.of(word, third), Units.of(grouped, third).toList());
    assertEquals(List.of(beside), Units.of(grouped, beside).distinct().toList());
  }
}
