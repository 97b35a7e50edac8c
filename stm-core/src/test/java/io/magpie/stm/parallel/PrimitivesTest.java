package io.magpie.stm.parallel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Devices;
import io.magpie.stm.parallel.Primitives.Formulation;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PrimitivesTest {
  static Stream<Arguments> all() {
    return Devices.all()
        .flatMap(spec -> Arrays.stream(Formulation.values()).map(how -> Arguments.of(spec, how)));
  }

  private static void on(String spec, Formulation how, Consumer<Primitives> test) {
    try (Device device = Device.open(spec)) {
      test.accept(Primitives.of(device).with(how));
    }
  }

  /** Letters t and f. */
  private static int[] flags(String letters) {
    return letters.chars().map(letter -> letter == 't' ? 1 : 0).toArray();
  }

  private static int[] letters(String text) {
    return text.chars().toArray();
  }

  private static String text(DeviceArray<int[]> array) {
    int[] letters = array.toArray();
    return new String(letters, 0, letters.length);
  }

  /** Thesis, figures 4.3 and 4.4: the scan of eight elements. */
  @ParameterizedTest
  @MethodSource("all")
  void scansEightElements(String spec, Formulation how) {
    on(
        spec,
        how,
        primitives -> {
          try (DeviceArray<int[]> in = primitives.device().copyOf(3, 1, 7, 0, 4, 1, 6, 3);
              DeviceArray<int[]> out = primitives.device().ints(9)) {
            primitives.exclusiveScan(in, out, ScanOperator.ADD);
            assertArrayEquals(new int[] {0, 3, 4, 11, 11, 15, 16, 22, 25}, out.toArray());
            primitives.inclusiveScan(in, in, ScanOperator.ADD);
            assertArrayEquals(new int[] {3, 4, 11, 11, 15, 16, 22, 25}, in.toArray());
          }
        });
  }

  /**
   * Thesis, section 4.3.2: enumerate ([t f f t f t] [t f t f]), whose printed first segment has a
   * value too many.
   */
  @ParameterizedTest
  @MethodSource("all")
  void enumeratesTheThesisExample(String spec, Formulation how) {
    on(
        spec,
        how,
        primitives -> {
          Device device = primitives.device();
          try (DeviceArray<int[]> set = device.copyOf(flags("tfftfttftf"));
              DeviceArray<int[]> heads = device.copyOf(flags("tffffftfff"));
              DeviceArray<int[]> out = device.ints(10)) {
            primitives.enumerate(set, heads, out);
            assertArrayEquals(new int[] {0, 1, 1, 1, 2, 2, 0, 1, 1, 2}, out.toArray());
          }
        });
  }

  /** Thesis, section 4.3.2: copy ([c b a] [d e]) = [c c c] [d d], and from the tails. */
  @ParameterizedTest
  @MethodSource("all")
  void copiesTheThesisExample(String spec, Formulation how) {
    on(
        spec,
        how,
        primitives -> {
          Device device = primitives.device();
          try (DeviceArray<int[]> in = device.copyOf(letters("cbade"));
              DeviceArray<int[]> heads = device.copyOf(flags("tfftf"));
              DeviceArray<int[]> out = device.ints(5)) {
            primitives.copyHeads(in, heads, out);
            assertEquals("cccdd", text(out));
            primitives.copyTails(in, heads, out);
            assertEquals("aaaee", text(out));
          }
        });
  }

  /**
   * Thesis, section 4.3.2: split-and-segment ([at bf cf] [df et ff]) = [bf cf] [at] [df ff] [et].
   */
  @ParameterizedTest
  @MethodSource("all")
  void splitsTheThesisExample(String spec, Formulation how) {
    on(
        spec,
        how,
        primitives -> {
          Device device = primitives.device();
          try (DeviceArray<int[]> in = device.copyOf(letters("abcdef"));
              DeviceArray<int[]> set = device.copyOf(flags("tffftf"));
              DeviceArray<int[]> heads = device.copyOf(flags("tfftff"));
              DeviceArray<int[]> out = device.ints(6);
              DeviceArray<int[]> outHeads = device.ints(6)) {
            primitives.splitAndSegment(in, set, heads, out, outHeads);
            assertEquals("bcadfe", text(out));
            assertArrayEquals(flags("tfttft"), outHeads.toArray());
          }
        });
  }

  /** Thesis, section 4.3.2: the addresses of a split of [t f t f f t f]: 4 0 5 1 2 6 3. */
  @ParameterizedTest
  @MethodSource("all")
  void movesToTheThesisAddresses(String spec, Formulation how) {
    on(
        spec,
        how,
        primitives -> {
          Device device = primitives.device();
          try (DeviceArray<int[]> ids = device.copyOf(0, 1, 2, 3, 4, 5, 6);
              DeviceArray<int[]> set = device.copyOf(flags("tftfftf"));
              DeviceArray<int[]> unset = device.copyOf(flags("ftfttft"));
              DeviceArray<int[]> heads = device.ints(7);
              DeviceArray<int[]> out = device.ints(7);
              DeviceArray<int[]> outHeads = device.ints(7)) {
            primitives.enumerate(unset, out);
            assertArrayEquals(new int[] {0, 0, 1, 1, 2, 3, 3}, out.toArray());
            primitives.splitAndSegment(ids, set, heads, out, outHeads);
            int[] addresses = {4, 0, 5, 1, 2, 6, 3};
            int[] moved = out.toArray();
            for (int i = 0; i < 7; i++) {
              assertEquals(i, moved[addresses[i]]);
            }
            assertArrayEquals(flags("tffftff"), outHeads.toArray());
          }
        });
  }

  /**
   * Thesis, section 4.3.2: the two passes of the quicksort of [5 6 7 4 3], and its result. What is
   * printed after a pass has the same parts, but in them not the order in which a split leaves
   * them.
   */
  @ParameterizedTest
  @MethodSource("all")
  void sortsTheThesisExample(String spec, Formulation how) {
    on(
        spec,
        how,
        primitives -> {
          Device device = primitives.device();
          try (DeviceArray<int[]> keys = device.copyOf(5, 6, 7, 4, 3);
              DeviceArray<int[]> above = device.copyOf(flags("fttff"));
              DeviceArray<int[]> aboveOnce = device.copyOf(flags("tfftt"));
              DeviceArray<int[]> offsets = device.copyOf(0, 5);
              DeviceArray<int[]> heads = device.ints(5);
              DeviceArray<int[]> pivots = device.ints(5);
              DeviceArray<int[]> once = device.ints(5);
              DeviceArray<int[]> onceHeads = device.ints(5);
              DeviceArray<int[]> twice = device.ints(5)) {
            primitives.copyHeads(keys, heads, pivots);
            assertArrayEquals(new int[] {5, 5, 5, 5, 5}, pivots.toArray());
            primitives.splitAndSegment(keys, above, heads, once, onceHeads);
            assertArrayEquals(new int[] {5, 4, 3, 6, 7}, once.toArray());
            assertArrayEquals(flags("tfftf"), onceHeads.toArray());
            primitives.copyHeads(once, onceHeads, pivots);
            assertArrayEquals(new int[] {5, 5, 5, 6, 6}, pivots.toArray());
            primitives.splitAndSegment(once, aboveOnce, onceHeads, twice, heads);
            assertArrayEquals(new int[] {4, 3, 5, 6, 7}, twice.toArray());

            primitives.sortSegments(keys, null, offsets, 1);
            assertArrayEquals(new int[] {3, 4, 5, 6, 7}, keys.toArray());
          }
        });
  }

  /** Equal keys keep their order, keys are unsigned, empty segments are no trouble. */
  @ParameterizedTest
  @MethodSource("all")
  void sortsSegmentsStably(String spec, Formulation how) {
    on(
        spec,
        how,
        primitives -> {
          Device device = primitives.device();
          try (DeviceArray<int[]> keys = device.copyOf(9, 2, -1, 2, 1, 1, 0, 7, 6, 5);
              DeviceArray<int[]> values = device.copyOf(IntStream.range(0, 10).toArray());
              DeviceArray<int[]> offsets = device.copyOf(1, 1, 4, 4, 7, 8)) {
            primitives.sortSegments(keys, values, offsets, 5);
            assertArrayEquals(new int[] {9, 2, 2, -1, 0, 1, 1, 7, 6, 5}, keys.toArray());
            assertArrayEquals(new int[] {0, 1, 3, 2, 6, 4, 5, 7, 8, 9}, values.toArray());
          }
        });
  }

  /** Many calls in a row, none of which waits, over memory that grows and is used again. */
  @ParameterizedTest
  @MethodSource("all")
  void chainsNeedNoWaiting(String spec, Formulation how) {
    on(
        spec,
        how,
        primitives -> {
          Device device = primitives.device();
          for (int n : new int[] {10, 700, 40, 1500}) {
            try (DeviceArray<int[]> a = device.ints(n);
                DeviceArray<int[]> b = device.ints(n);
                DeviceArray<int[]> spread = device.ints(n);
                DeviceArray<int[]> count = device.ints(1)) {
              a.fill(1);
              primitives.inclusiveScan(a, a, ScanOperator.ADD); // 1, 2, .. n
              primitives.exclusiveScan(a, b, ScanOperator.MAX); // least, 1, .. n - 1
              primitives.pack(a, b, a.slice(0, 0), count);
              primitives.sort(a, b, 4);
              primitives.copyHeads(a, b.slice(0, n), spread);
              assertEquals((long) n * (n + 1) / 2, primitives.sum(a));
              assertEquals(n, count.getInt(0));
            }
          }
        });
  }

  @ParameterizedTest
  @MethodSource("all")
  void emptyArraysGiveIdentities(String spec, Formulation how) {
    on(
        spec,
        how,
        primitives -> {
          Device device = primitives.device();
          try (DeviceArray<int[]> none = device.ints(0);
              DeviceArray<long[]> noLongs = device.longs(0);
              DeviceArray<int[]> one = device.copyOf(7);
              DeviceArray<int[]> two = device.ints(2);
              DeviceArray<int[]> four = device.ints(4)) {
            primitives.exclusiveScan(none, none, ScanOperator.ADD);
            primitives.exclusiveScan(none, one, ScanOperator.MIN);
            assertEquals(Integer.MAX_VALUE, one.getInt(0));
            primitives.segmentedScan(none, none, none, ScanOperator.OR, true);
            assertEquals(Integer.MIN_VALUE, primitives.reduce(none, ScanOperator.MAX));
            assertEquals(-1, primitives.reduce(noLongs, ScanOperator.AND));
            assertEquals(0, primitives.sum(none));
            assertEquals(0, primitives.pack(none, none, none));
            primitives.enumerate(none, none);
            primitives.copyTails(none, none, none);
            primitives.splitAndSegment(none, none, none, none, none);
            primitives.sort(none, none, 32);
            primitives.reduceBySegment(none, one, none, ScanOperator.ADD);
            one.fill(3);
            primitives.reduceBySegment(none, two, one, ScanOperator.AND);
            assertEquals(-1, one.getInt(0));
            primitives.sortSegments(none, null, four, 3);
          }
        });
  }

  @Test
  void aDeviceHasOneSetAndTellsNoLeak() {
    try (Device device = Device.open("cpu:2")) {
      Primitives primitives = Primitives.of(device);
      assertSame(primitives, Primitives.of(device));
      DeviceArray<int[]> array = device.ints(1000);
      primitives.with(Formulation.TWO_SWEEP).inclusiveScan(array, array, ScanOperator.ADD);
      primitives.sort(array, null, 32);
      array.close();
      assertEquals(0, device.leaks().size(), () -> device.leaks().toString());
      assertEquals(Formulation.DEFAULT, primitives.formulation());
      assertTrue(primitives.toString().contains("cpu:2, portable"), primitives::toString);
    }
  }

  /** What is kept from earlier calls counts again, and what is not watched any more does not. */
  @Test
  void watchesSeeWhatCallsNeed() {
    try (Device device = Device.open("cpu:1");
        DeviceArray<int[]> ten = device.ints(10);
        DeviceArray<int[]> thousand = device.ints(1000);
        DeviceArray<int[]> more = device.ints(3000)) {
      Primitives primitives = Primitives.of(device);
      primitives.sort(thousand, null, 8);
      long[] seen = new long[2];
      try (Primitives.MemoryWatch first = primitives.watchMemory(bytes -> seen[0] = bytes)) {
        primitives.sort(ten, null, 8);
        long forTen = seen[0];
        assertTrue(forTen >= 40 && forTen < 4000, forTen + " bytes for ten ints");
        try (Primitives.MemoryWatch second = primitives.watchMemory(bytes -> seen[1] = bytes)) {
          primitives.with(Formulation.PORTABLE).sort(thousand, null, 8);
        }
        assertEquals(forTen + 3960, seen[0]);
        assertEquals(seen[0], seen[1]);
      }
      primitives.sort(more, null, 8);
      assertEquals(seen[1], seen[0]);
    }
  }

  @Test
  void theyEndWithTheirDevice() {
    Device device = Devices.openLenient("cpu:1");
    Primitives primitives = Primitives.of(device);
    DeviceArray<int[]> array = device.ints(3);
    primitives.inclusiveScan(array, array, ScanOperator.ADD);
    device.close();
    IllegalStateException closed =
        assertThrows(
            IllegalStateException.class,
            () -> primitives.inclusiveScan(array, array, ScanOperator.ADD));
    assertTrue(closed.getMessage().contains("closed"), closed::getMessage);
    assertThrows(IllegalStateException.class, () -> Primitives.of(device));
  }

  @Test
  void allWorkingMemoryIsFreedWhateverFails() {
    Devices.assertFreesAllAlthoughItFails(
        device -> {
          try (DeviceArray<int[]> keys = device.ints(100)) {
            Primitives.of(device).sort(keys, null, 8);
          }
          return device; // which closes its primitives
        });
  }

  private static void refused(String expected, Runnable call) {
    IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class, call::run);
    assertEquals(expected, refusal.getMessage());
  }

  @Test
  void wrongArgumentsAreNamed() {
    try (Device device = Device.open("cpu:1");
        Device other = Device.open("cpu:2");
        DeviceArray<int[]> none = device.ints(0);
        DeviceArray<int[]> five = device.ints(5);
        DeviceArray<int[]> otherFive = device.ints(5);
        DeviceArray<int[]> six = device.ints(6);
        DeviceArray<int[]> seven = device.ints(7);
        DeviceArray<float[]> floats = device.floats(2);
        DeviceArray<int[]> ofOther = other.ints(2)) {
      Primitives primitives = Primitives.of(device);
      refused(
          "exclusiveScan: out has 7 elements, in has 5: give as many, or one more for the reduction"
              + " of all",
          () -> primitives.exclusiveScan(five, seven, ScanOperator.ADD));
      refused(
          "inclusiveScan: out has 6 elements, in has 5: give as many",
          () -> primitives.inclusiveScan(five, six, ScanOperator.ADD));
      refused(
          "inclusiveScan: in and out overlap",
          () -> primitives.inclusiveScan(six.slice(0, 5), six.slice(1, 5), ScanOperator.ADD));
      refused(
          "segmentedScan: heads has 6 elements, in has 5: give as many",
          () -> primitives.segmentedScan(five, six, five, ScanOperator.ADD, true));
      refused(
          "reduce: in is float array of 2 elements on cpu:1: give ints or longs",
          () -> primitives.reduce(floats, ScanOperator.MAX));
      refused(
          "sum: in is another device's int array of 2 elements on cpu:2: copy it to cpu:1",
          () -> primitives.sum(ofOther));
      refused(
          "reduceBySegment: offsets has 5 elements, out has 6: offsets needs one more",
          () -> primitives.reduceBySegment(seven, five, six, ScanOperator.ADD));
      refused(
          "enumerate: heads and out overlap",
          () -> primitives.enumerate(five, six.slice(0, 5), six.slice(1, 5)));
      refused("copyTails: in and out overlap", () -> primitives.copyTails(five, otherFive, five));
      refused(
          "pack: count has 0 elements, at least 1 are needed",
          () -> primitives.pack(null, five, six, none));
      six.fill(1);
      refused(
          "pack: 6 flags are set, out has 5 elements: give it more",
          () -> primitives.pack(null, six, five));
      assertArrayEquals(new int[] {0, 1, 2, 3, 4}, five.toArray());
      refused(
          "splitAndSegment: out and outHeads overlap",
          () ->
              primitives.splitAndSegment(
                  five, six.slice(0, 5), five, seven.slice(2, 5), seven.slice(1, 5)));
      refused("sort: bits must be from 0 to 32, got 33", () -> primitives.sort(five, null, 33));
      refused(
          "sort: values has 6 elements, keys has 5: give as many",
          () -> primitives.sort(five, six, 1));
      refused(
          "sortSegments: offsets has 5 elements, at least 6 are needed",
          () -> primitives.sortSegments(six, null, five, 5));
      refused(
          "sortSegments: segments must be at least 0, got -1",
          () -> primitives.sortSegments(six, null, five, -1));
      assertThrows(NullPointerException.class, () -> primitives.inclusiveScan(five, five, null));
      assertThrows(NullPointerException.class, () -> primitives.with(null));
    }
  }
}
