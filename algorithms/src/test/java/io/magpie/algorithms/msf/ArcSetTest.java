package io.magpie.algorithms.msf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sets of arcs by their bits, beside {@link BitSet}. */
class ArcSetTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 31, 32, 33, 131_071, 131_072, 131_073, 1_000_003})
  void listsTheBits(int most) {
    for (double part : new double[] {0, 0.001, 0.4, 1}) {
      SplittableRandom random = new SplittableRandom(most);
      BitSet set = new BitSet();
      int[] bits = new int[most / 32 + 1];
      for (int arc = 0; arc < most; arc++) {
        if (random.nextDouble() < part) {
          set.set(arc);
          bits[arc / 32] |= 1 << arc % 32;
        }
      }
      int[] expected = set.stream().toArray();
      ArcSet arcs = ArcSet.marked(expected.length, bits);
      assertEquals(expected.length, arcs.size());
      assertArrayEquals(expected, arcs.arcs());
      assertSame(arcs.arcs(), arcs.arcs());
      assertTrue(arcs.hasSameAs(ArcSet.of(expected)));
      assertThrows(
          IllegalStateException.class, () -> ArcSet.marked(expected.length + 1, bits.clone()));
      if (expected.length > 0) {
        expected[expected.length - 1]++;
        assertFalse(arcs.hasSameAs(ArcSet.of(expected.clone())));
      }
    }
  }
}
