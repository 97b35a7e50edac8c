package io.magpie.stm.parallel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.Devices;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterContainer;

/** The primitives give what plain loops give, on every device, however they are computed. */
class PrimitivesProperties {
  private static final List<Device> DEVICES = Devices.all().map(Device::open).toList();

  /** All devices in all formulations; only a GPU's default is one of its own. */
  private static final List<Primitives> PRIMITIVES =
      DEVICES.stream()
          .flatMap(
              device ->
                  Arrays.stream(Primitives.Formulation.values())
                      .filter(
                          formulation ->
                              formulation != Primitives.Formulation.PORTABLE
                                  || device.machine() == Machine.CUDA)
                      .map(Primitives.of(device)::with))
          .toList();

  /** Lengths at which warps, rows and pieces begin and end on some device. */
  private static final int[] EDGES = {
    0, 1, 2, 3, 4, 5, 31, 32, 33, 63, 64, 65, 79, 80, 81, 255, 256, 257, 359, 360, 361, 367, 368,
    369, 511, 512, 513, 1023, 1024, 1025, 2047, 2049
  };

  @AfterContainer
  static void close() {
    DEVICES.forEach(Device::close);
  }

  /**
   * An input by its length and seed, so that a smaller one is a shorter one.
   *
   * @param n elements
   * @param seed of everything else
   * @param bits that elements have at most
   * @param sparse one flag in so many is set
   */
  record Input(int n, long seed, int bits, int sparse) {
    private int element(Random random) {
      return bits == 0 ? 0 : random.nextInt() >>> (32 - bits);
    }

    int[] ints() {
      Random random = new Random(seed);
      return IntStream.range(0, n).map(i -> element(random)).toArray();
    }

    long[] longs() {
      Random random = new Random(seed);
      return IntStream.range(0, n)
          .mapToLong(i -> ((long) element(random) << 32) - element(random))
          .toArray();
    }

    int[] flags() {
      Random random = new Random(seed + 1);
      return IntStream.range(0, n)
          .map(i -> random.nextInt(sparse) == 0 ? random.nextInt(9) - 10 : 0)
          .toArray();
    }

    /** Segments somewhere within the elements, empty ones and long ones among them. */
    int[] offsets() {
      Random random = new Random(seed + 2);
      int segments = random.nextInt(4) == 0 ? random.nextInt(3) : random.nextInt(n / sparse + 2);
      boolean whole = random.nextBoolean();
      int[] cuts = new int[segments + 1];
      for (int s = 0; s <= segments; s++) {
        // Squares crowd at the beginning.
        double place = random.nextDouble();
        cuts[s] = (int) ((n + 1) * (seed % 2 == 0 ? place : place * place));
      }
      Arrays.sort(cuts);
      if (whole) {
        cuts[0] = 0;
        cuts[segments] = n;
      }
      return cuts;
    }
  }

  @Provide
  Arbitrary<Input> inputs() {
    Arbitrary<Integer> lengths =
        Arbitraries.oneOf(
            Arbitraries.integers().between(0, 600),
            Arbitraries.of(Arrays.stream(EDGES).boxed().toList()),
            Arbitraries.integers().between(601, 40_000));
    return Combinators.combine(
            lengths,
            Arbitraries.longs().between(0, 1_000_000),
            Arbitraries.of(0, 1, 3, 8, 20, 31, 32),
            Arbitraries.of(1, 2, 7, 40, 700))
        .as(Input::new);
  }

  /** The simulator pays for every step, so that it gets the beginning of a long input. */
  private static Input sized(Device device, Input input) {
    return device.machine() == Machine.SIM && input.n > 2100
        ? new Input(input.n % 2100, input.seed, input.bits, input.sparse)
        : input;
  }

  private static String where(Primitives primitives, Object detail) {
    return primitives + ", " + detail;
  }

  @Property(tries = 150)
  void scansInts(
      @ForAll("inputs") Input given, @ForAll ScanOperator op, @ForAll boolean inclusive) {
    for (Primitives primitives : PRIMITIVES) {
      Device device = primitives.device();
      Input input = sized(device, given);
      int[] values = input.ints();
      int[] expected = PrimitivesOracle.scan(values, null, op, inclusive);
      try (DeviceArray<int[]> in = device.copyOf(values);
          DeviceArray<int[]> out = device.ints(input.n);
          DeviceArray<int[]> longer = device.ints(input.n + 1)) {
        if (inclusive) {
          primitives.inclusiveScan(in, out, op);
        } else {
          primitives.exclusiveScan(in, out, op);
          primitives.exclusiveScan(in, longer, op);
          int[] withTotal = Arrays.copyOf(expected, input.n + 1);
          withTotal[input.n] = PrimitivesOracle.reduce(values, 0, input.n, op);
          assertArrayEquals(withTotal, longer.toArray(), where(primitives, input));
        }
        assertArrayEquals(expected, out.toArray(), where(primitives, input));
        assertArrayEquals(values, in.toArray());
        if (inclusive) {
          primitives.inclusiveScan(in, in, op);
        } else {
          primitives.exclusiveScan(in, in, op);
        }
        assertArrayEquals(expected, in.toArray(), where(primitives, "in place, " + input));
      }
    }
  }

  @Property(tries = 80)
  void scansLongs(
      @ForAll("inputs") Input given, @ForAll ScanOperator op, @ForAll boolean inclusive) {
    for (Primitives primitives : PRIMITIVES) {
      Device device = primitives.device();
      Input input = sized(device, given);
      long[] values = input.longs();
      int[] ints = input.ints();
      try (DeviceArray<long[]> in = device.copyOf(values);
          DeviceArray<int[]> narrow = device.copyOf(ints);
          DeviceArray<long[]> out = device.longs(input.n)) {
        if (inclusive) {
          primitives.inclusiveScan(in, out, op);
        } else {
          primitives.exclusiveScan(in, out, op);
        }
        assertArrayEquals(
            PrimitivesOracle.scan(values, null, op, inclusive),
            out.toArray(),
            where(primitives, input));
        if (inclusive) {
          primitives.inclusiveSums(narrow, out);
        } else {
          primitives.exclusiveSums(narrow, out);
        }
        assertArrayEquals(
            PrimitivesOracle.scan(
                PrimitivesOracle.widened(ints), null, ScanOperator.ADD, inclusive),
            out.toArray(),
            where(primitives, "sums, " + input));
      }
    }
  }

  @Property(tries = 80)
  void reduces(@ForAll("inputs") Input given, @ForAll ScanOperator op) {
    for (Primitives primitives : PRIMITIVES) {
      Device device = primitives.device();
      Input input = sized(device, given);
      int[] ints = input.ints();
      long[] longs = input.longs();
      try (DeviceArray<int[]> in = device.copyOf(ints);
          DeviceArray<long[]> wide = device.copyOf(longs)) {
        long expected =
            op == ScanOperator.ADD
                ? Arrays.stream(PrimitivesOracle.widened(ints)).sum()
                : PrimitivesOracle.reduce(ints, 0, input.n, op);
        assertEquals(expected, primitives.reduce(in, op), () -> where(primitives, input));
        assertEquals(
            PrimitivesOracle.reduce(longs, 0, input.n, op),
            primitives.reduce(wide, op),
            () -> where(primitives, input));
        assertEquals(Arrays.stream(longs).sum(), primitives.sum(wide));
      }
    }
  }

  @Property(tries = 100)
  void packs(@ForAll("inputs") Input given) {
    for (Primitives primitives : PRIMITIVES) {
      Device device = primitives.device();
      Input input = sized(device, given);
      int[] ints = input.ints();
      long[] longs = input.longs();
      int[] flags = input.flags();
      int[] positions = PrimitivesOracle.setPositions(flags);
      try (DeviceArray<int[]> in = device.copyOf(ints);
          DeviceArray<long[]> wide = device.copyOf(longs);
          DeviceArray<int[]> set = device.copyOf(flags);
          DeviceArray<int[]> out = device.ints(input.n + 3);
          DeviceArray<long[]> wideOut = device.longs(positions.length);
          DeviceArray<int[]> count = device.ints(2)) {
        out.fill(-7);
        assertEquals(
            positions.length, primitives.pack(in, set, out), () -> where(primitives, input));
        int[] expected = new int[input.n + 3];
        Arrays.fill(expected, -7);
        System.arraycopy(
            PrimitivesOracle.gathered(ints, positions), 0, expected, 0, positions.length);
        assertArrayEquals(expected, out.toArray(), where(primitives, input));

        primitives.pack(null, set, out, count);
        System.arraycopy(positions, 0, expected, 0, positions.length);
        assertArrayEquals(expected, out.toArray(), where(primitives, "positions, " + input));
        assertArrayEquals(new int[] {positions.length, 0}, count.toArray());

        assertEquals(positions.length, primitives.pack(wide, set, wideOut));
        assertArrayEquals(PrimitivesOracle.gathered(longs, positions), wideOut.toArray());
      }
    }
  }

  @Property(tries = 150)
  void reducesSegments(@ForAll("inputs") Input given, @ForAll ScanOperator op) {
    for (Primitives primitives : PRIMITIVES) {
      Device device = primitives.device();
      Input input = sized(device, given);
      int[] ints = input.ints();
      long[] longs = input.longs();
      int[] offsets = input.offsets();
      int segments = offsets.length - 1;
      try (DeviceArray<int[]> in = device.copyOf(ints);
          DeviceArray<long[]> wide = device.copyOf(longs);
          DeviceArray<int[]> cuts = device.copyOf(offsets);
          DeviceArray<int[]> out = device.ints(segments);
          DeviceArray<long[]> wideOut = device.longs(segments)) {
        out.fill(99);
        primitives.reduceBySegment(in, cuts, out, op);
        int[] expected =
            IntStream.range(0, segments)
                .map(s -> PrimitivesOracle.reduce(ints, offsets[s], offsets[s + 1], op))
                .toArray();
        assertArrayEquals(expected, out.toArray(), where(primitives, input));
        primitives.reduceBySegment(wide, cuts, wideOut, op);
        assertArrayEquals(
            IntStream.range(0, segments)
                .mapToLong(s -> PrimitivesOracle.reduce(longs, offsets[s], offsets[s + 1], op))
                .toArray(),
            wideOut.toArray(),
            where(primitives, input));
        primitives.sumBySegment(in, cuts, wideOut);
        assertArrayEquals(
            IntStream.range(0, segments)
                .mapToLong(
                    s -> Arrays.stream(ints, offsets[s], offsets[s + 1]).asLongStream().sum())
                .toArray(),
            wideOut.toArray(),
            where(primitives, input));
      }
    }
  }

  @Property(tries = 20)
  void sorts(@ForAll("inputs") Input given, @ForAll boolean withValues) {
    for (Primitives primitives : PRIMITIVES) {
      Device device = primitives.device();
      Input input = sized(device, given);
      int[] keys = input.ints();
      for (int bits : new int[] {0, 1, 5, 8, 9, 17, 32}) {
        int[] order = PrimitivesOracle.order(keys, 0, input.n, bits);
        try (DeviceArray<int[]> sorted = device.copyOf(keys);
            DeviceArray<int[]> values = device.copyOf(IntStream.range(0, input.n).toArray())) {
          primitives.sort(sorted, withValues ? values : null, bits);
          assertArrayEquals(
              PrimitivesOracle.gathered(keys, order),
              sorted.toArray(),
              where(primitives, bits + " bits, " + input));
          if (withValues) {
            assertArrayEquals(order, values.toArray(), where(primitives, bits + " bits, " + input));
          }
        }
      }
    }
  }

  @Tag("slow")
  @Property(tries = 80)
  void sortsMore(@ForAll("inputs") Input given, @ForAll boolean withValues) {
    sorts(given, withValues);
  }

  @Property(tries = 25)
  void sortsSegments(@ForAll("inputs") Input given, @ForAll boolean withValues) {
    for (Primitives primitives : PRIMITIVES) {
      Device device = primitives.device();
      Input input = sized(device, given);
      int[] keys = input.ints();
      int[] offsets = input.offsets();
      int segments = offsets.length - 1;
      int[] order = IntStream.range(0, input.n).toArray();
      for (int s = 0; s < segments; s++) {
        int[] inside = PrimitivesOracle.order(keys, offsets[s], offsets[s + 1], 32);
        System.arraycopy(inside, 0, order, offsets[s], inside.length);
      }
      try (DeviceArray<int[]> sorted = device.copyOf(keys);
          DeviceArray<int[]> cuts = device.copyOf(offsets);
          DeviceArray<int[]> values = device.copyOf(IntStream.range(0, input.n).toArray())) {
        primitives.sortSegments(sorted, withValues ? values : null, cuts, segments);
        assertArrayEquals(
            PrimitivesOracle.gathered(keys, order), sorted.toArray(), where(primitives, input));
        if (withValues) {
          assertArrayEquals(order, values.toArray(), where(primitives, input));
        }
      }
    }
  }

  @Tag("slow")
  @Property(tries = 100)
  void sortsMoreSegments(@ForAll("inputs") Input given, @ForAll boolean withValues) {
    sortsSegments(given, withValues);
  }

  @Property(tries = 120)
  void scansSegments(
      @ForAll("inputs") Input given, @ForAll ScanOperator op, @ForAll boolean inclusive) {
    for (Primitives primitives : PRIMITIVES) {
      Device device = primitives.device();
      Input input = sized(device, given);
      int[] ints = input.ints();
      long[] longs = input.longs();
      int[] flags = input.flags();
      try (DeviceArray<int[]> in = device.copyOf(ints);
          DeviceArray<long[]> wide = device.copyOf(longs);
          DeviceArray<int[]> heads = device.copyOf(flags);
          DeviceArray<long[]> wideOut = device.longs(input.n)) {
        primitives.segmentedScan(wide, heads, wideOut, op, inclusive);
        assertArrayEquals(
            PrimitivesOracle.scan(longs, flags, op, inclusive),
            wideOut.toArray(),
            where(primitives, input));
        primitives.segmentedScan(in, heads, in, op, inclusive);
        assertArrayEquals(
            PrimitivesOracle.scan(ints, flags, op, inclusive),
            in.toArray(),
            where(primitives, "in place, " + input));
        assertArrayEquals(flags, heads.toArray());
      }
    }
  }

  @Property(tries = 80)
  void enumerates(@ForAll("inputs") Input given) {
    for (Primitives primitives : PRIMITIVES) {
      Device device = primitives.device();
      Input input = sized(device, given);
      int[] flags = input.flags();
      int[] ones = IntStream.of(flags).map(flag -> flag == 0 ? 0 : 1).toArray();
      int[] segments = new Input(input.n, input.seed + 5, 0, 11).flags();
      try (DeviceArray<int[]> set = device.copyOf(flags);
          DeviceArray<int[]> heads = device.copyOf(segments);
          DeviceArray<int[]> out = device.ints(input.n)) {
        primitives.enumerate(set, out);
        assertArrayEquals(
            PrimitivesOracle.scan(ones, null, ScanOperator.ADD, false),
            out.toArray(),
            where(primitives, input));
        primitives.enumerate(set, heads, out);
        assertArrayEquals(
            PrimitivesOracle.scan(ones, segments, ScanOperator.ADD, false),
            out.toArray(),
            where(primitives, input));
      }
    }
  }

  @Property(tries = 80)
  void copiesHeadsAndTails(@ForAll("inputs") Input given) {
    for (Primitives primitives : PRIMITIVES) {
      Device device = primitives.device();
      Input input = sized(device, given);
      int[] ints = input.ints();
      long[] longs = input.longs();
      int[] flags = input.flags();
      int[] heads = PrimitivesOracle.headOfEach(flags);
      int[] tails = PrimitivesOracle.tailOfEach(flags);
      try (DeviceArray<int[]> in = device.copyOf(ints);
          DeviceArray<long[]> wide = device.copyOf(longs);
          DeviceArray<int[]> marks = device.copyOf(flags);
          DeviceArray<int[]> out = device.ints(input.n);
          DeviceArray<long[]> wideOut = device.longs(input.n)) {
        primitives.copyHeads(in, marks, out);
        assertArrayEquals(
            PrimitivesOracle.gathered(ints, heads), out.toArray(), where(primitives, input));
        primitives.copyTails(in, marks, out);
        assertArrayEquals(
            PrimitivesOracle.gathered(ints, tails), out.toArray(), where(primitives, input));
        primitives.copyHeads(wide, marks, wideOut);
        assertArrayEquals(
            PrimitivesOracle.gathered(longs, heads), wideOut.toArray(), where(primitives, input));
        primitives.copyTails(wide, marks, wideOut);
        assertArrayEquals(
            PrimitivesOracle.gathered(longs, tails), wideOut.toArray(), where(primitives, input));
      }
    }
  }

  @Property(tries = 100)
  void splits(@ForAll("inputs") Input given) {
    for (Primitives primitives : PRIMITIVES) {
      Device device = primitives.device();
      Input input = sized(device, given);
      int[] values = input.ints();
      int[] segments = input.flags();
      int[] flags = new Input(input.n, input.seed + 5, 0, 2 + (int) (input.seed % 5)).flags();
      int[][] expected = PrimitivesOracle.split(values, flags, segments);
      try (DeviceArray<int[]> in = device.copyOf(values);
          DeviceArray<int[]> set = device.copyOf(flags);
          DeviceArray<int[]> heads = device.copyOf(segments);
          DeviceArray<int[]> out = device.ints(input.n);
          DeviceArray<int[]> outHeads = device.ints(input.n)) {
        outHeads.fill(5);
        primitives.splitAndSegment(in, set, heads, out, outHeads);
        assertArrayEquals(expected[0], out.toArray(), where(primitives, input));
        assertArrayEquals(expected[1], outHeads.toArray(), where(primitives, input));
      }
    }
  }
}
