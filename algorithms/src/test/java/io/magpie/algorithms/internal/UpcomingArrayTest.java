package io.magpie.algorithms.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UpcomingArrayTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 65_536, 65_537, 3_000_000})
  void isZeroedAndAlwaysTheSame(int length) {
    UpcomingArray<int[]> ints = UpcomingArray.ints(length);
    UpcomingArray<double[]> doubles = UpcomingArray.doubles(length);
    UpcomingArray<long[]> longs = UpcomingArray.longs(length);
    assertEquals(length, ints.length());
    assertEquals(length, ints.get().length);
    assertEquals(length, doubles.get().length);
    assertEquals(length, longs.get().length);
    assertEquals(0, Arrays.stream(ints.get()).filter(x -> x != 0).count());
    assertSame(ints.get(), ints.get());
  }

  @Test
  void whatJavaHasNoRoomForIsSaidWhenItIsNeeded() {
    UpcomingArray<long[]> longs = UpcomingArray.longs(Integer.MAX_VALUE);
    assertThrows(OutOfMemoryError.class, longs::get);
    assertThrows(NegativeArraySizeException.class, () -> UpcomingArray.ints(-1));
  }
}
