package io.magpie.stm.parallel;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.Timer;
import io.magpie.stm.parallel.Primitives.Formulation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Times the primitives in each formulation, and checks every result against plain loops.
 *
 * <p>Arguments: a device, such as {@code cuda}; numbers of elements, default 1,000,000 and
 * 16,000,000. Prints a line of JSON for each primitive, size and formulation: median and least
 * milliseconds of five runs after a warm-up, between events of the device, from arrays on the
 * device to arrays on the device. Exit status 1 if a result was wrong.
 */
final class PrimitivesBenchmark {
  private static final int RUNS = 5;

  private final Device device;
  private final int n;
  private final int[] values;
  private boolean wrong;

  /** A primitive at work on arrays of its own. */
  private interface Case {
    /** Brings the arrays into the state that a run begins with. */
    default void reset() {}

    /** The work that is timed. */
    void run(Primitives primitives);

    /** Whether the result is what it should be. */
    boolean isRight();
  }

  private PrimitivesBenchmark(Device device, int n) {
    this.device = device;
    this.n = n;
    values = new SplittableRandom(n).ints(n, 0, 1000).toArray();
  }

  /** Runs the benchmark. */
  public static void main(String[] arguments) {
    int[] sizes =
        arguments.length > 1
            ? Arrays.stream(arguments).skip(1).mapToInt(Integer::parseInt).toArray()
            : new int[] {1_000_000, 16_000_000};
    boolean wrong = false;
    try (Device device = Device.open(arguments.length > 0 ? arguments[0] : "auto")) {
      for (int size : sizes) {
        PrimitivesBenchmark benchmark = new PrimitivesBenchmark(device, size);
        benchmark.all();
        wrong |= benchmark.wrong;
      }
    }
    if (wrong) {
      System.exit(1);
    }
  }

  private void all() {
    Set<Formulation> every = EnumSet.allOf(Formulation.class);
    Set<Formulation> ours = EnumSet.of(Formulation.DEFAULT, Formulation.PORTABLE);
    time("exclusiveScan", every, this::scan);
    time("segmentedScan of segments of 16 on average", every, this::segmentedScan);
    time("pack of one in two", every, this::pack);
    time("sum", EnumSet.of(Formulation.DEFAULT), this::sum);
    time("sort of pairs", ours, this::sort);
    for (int length : new int[] {8, 64, 4096}) {
      time(
          "reduceBySegment of segments of " + length + " on average",
          EnumSet.of(Formulation.DEFAULT),
          owned -> reduceBySegment(owned, length));
      time(
          "sortSegments of pairs of segments of " + length + " on average",
          every,
          owned -> sortSegments(owned, length));
    }
  }

  /** Makes a case; what it adds to the list is closed after it. */
  private interface Maker {
    Case make(List<DeviceArray<?>> owned);
  }

  private void time(String name, Set<Formulation> formulations, Maker maker) {
    for (Formulation formulation : formulations) {
      if (formulation == Formulation.PORTABLE && device.machine() != Machine.CUDA) {
        continue; // the default
      }
      List<DeviceArray<?>> owned = new ArrayList<>();
      Primitives primitives = Primitives.of(device).with(formulation);
      Case work = maker.make(owned);
      double[] millis = new double[RUNS];
      for (int run = -1; run < RUNS; run++) {
        work.reset();
        device.synchronize();
        Timer timer = device.startTimer();
        work.run(primitives);
        double took = timer.millis();
        if (run >= 0) {
          millis[run] = took;
        }
      }
      boolean right = work.isRight();
      wrong |= !right;
      Arrays.sort(millis);
      System.out.printf(
          Locale.ROOT,
          "{\"primitive\":\"%s\",\"n\":%d,\"formulation\":\"%s\",\"by\":\"%s\",\"median_ms\":%.4f,"
              + "\"least_ms\":%.4f,\"million_per_s\":%.0f,\"right\":%b}%n",
          name,
          n,
          formulation,
          primitives,
          millis[RUNS / 2],
          millis[0],
          n / millis[RUNS / 2] / 1000,
          right);
      owned.forEach(DeviceArray::close);
    }
  }

  private DeviceArray<int[]> copy(List<DeviceArray<?>> owned, int... source) {
    DeviceArray<int[]> array = device.copyOf(source);
    owned.add(array);
    return array;
  }

  private DeviceArray<int[]> zeros(List<DeviceArray<?>> owned, int length) {
    DeviceArray<int[]> array = device.ints(length);
    owned.add(array);
    return array;
  }

  private Case scan(List<DeviceArray<?>> owned) {
    DeviceArray<int[]> in = copy(owned, values);
    DeviceArray<int[]> out = zeros(owned, n);
    return new Case() {
      @Override
      public void run(Primitives primitives) {
        primitives.exclusiveScan(in, out, ScanOperator.ADD);
      }

      @Override
      public boolean isRight() {
        return Arrays.equals(
            PrimitivesOracle.scan(values, null, ScanOperator.ADD, false), out.toArray());
      }
    };
  }

  /** Set at random, one in so many. */
  private int[] flags(int oneIn) {
    return new SplittableRandom(oneIn).ints(n, 0, oneIn).map(v -> v == 0 ? 1 : 0).toArray();
  }

  private Case segmentedScan(List<DeviceArray<?>> owned) {
    int[] flags = flags(16);
    DeviceArray<int[]> in = copy(owned, values);
    DeviceArray<int[]> heads = copy(owned, flags);
    DeviceArray<int[]> out = zeros(owned, n);
    return new Case() {
      @Override
      public void run(Primitives primitives) {
        primitives.segmentedScan(in, heads, out, ScanOperator.ADD, true);
      }

      @Override
      public boolean isRight() {
        return Arrays.equals(
            PrimitivesOracle.scan(values, flags, ScanOperator.ADD, true), out.toArray());
      }
    };
  }

  private Case pack(List<DeviceArray<?>> owned) {
    int[] flags = flags(2);
    DeviceArray<int[]> in = copy(owned, values);
    DeviceArray<int[]> set = copy(owned, flags);
    DeviceArray<int[]> out = zeros(owned, n);
    DeviceArray<int[]> count = zeros(owned, 1);
    return new Case() {
      @Override
      public void run(Primitives primitives) {
        primitives.pack(in, set, out, count);
      }

      @Override
      public boolean isRight() {
        int[] expected = PrimitivesOracle.gathered(values, PrimitivesOracle.setPositions(flags));
        return count.getInt(0) == expected.length
            && Arrays.equals(expected, out.slice(0, expected.length).toArray());
      }
    };
  }

  private Case sum(List<DeviceArray<?>> owned) {
    DeviceArray<int[]> in = copy(owned, values);
    return new Case() {
      private long found;

      @Override
      public void run(Primitives primitives) {
        found = primitives.sum(in);
      }

      @Override
      public boolean isRight() {
        return found == Arrays.stream(values).asLongStream().sum();
      }
    };
  }

  private Case sort(List<DeviceArray<?>> owned) {
    int[] random = new SplittableRandom(1).ints(n).toArray();
    return sorting(owned, random, null);
  }

  private Case sortSegments(List<DeviceArray<?>> owned, int length) {
    return sorting(owned, values, offsets(length));
  }

  /** Ends of segments of random lengths up to twice the average. */
  private int[] offsets(int length) {
    SplittableRandom random = new SplittableRandom(length);
    int[] offsets = new int[n / length * 2 + 2];
    int segments = 0;
    while (offsets[segments] < n) {
      long next = offsets[segments] + random.nextLong(2L * length + 1);
      offsets[++segments] = (int) Math.min(n, next);
      if (segments == offsets.length - 1) {
        offsets[segments] = n;
      }
    }
    return Arrays.copyOf(offsets, segments + 1);
  }

  private Case sorting(List<DeviceArray<?>> owned, int[] source, int[] offsets) {
    DeviceArray<int[]> original = copy(owned, source);
    DeviceArray<int[]> keys = zeros(owned, n);
    DeviceArray<int[]> positions = zeros(owned, n);
    DeviceArray<int[]> cuts = offsets == null ? null : copy(owned, offsets);
    int[] ids = new int[n];
    Arrays.setAll(ids, i -> i);
    DeviceArray<int[]> identity = copy(owned, ids);
    return new Case() {
      @Override
      public void reset() {
        keys.copyFrom(original);
        positions.copyFrom(identity);
      }

      @Override
      public void run(Primitives primitives) {
        if (offsets == null) {
          primitives.sort(keys, positions, 32);
        } else {
          primitives.sortSegments(keys, positions, cuts, offsets.length - 1);
        }
      }

      /** Ascending, stable, and each key still with its position, which lies in its segment. */
      @Override
      public boolean isRight() {
        int[] key = keys.toArray();
        int[] position = positions.toArray();
        int segment = 0;
        for (int i = 0; i < n; i++) {
          while (offsets != null && offsets[segment + 1] <= i) {
            segment++;
          }
          int from = offsets == null ? 0 : offsets[segment];
          int to = offsets == null ? n : offsets[segment + 1];
          boolean rises =
              i == from
                  || Integer.compareUnsigned(key[i - 1], key[i]) < 0
                  || (key[i - 1] == key[i] && position[i - 1] < position[i]);
          if (!rises || position[i] < from || position[i] >= to || source[position[i]] != key[i]) {
            return false;
          }
        }
        return true;
      }
    };
  }

  private Case reduceBySegment(List<DeviceArray<?>> owned, int length) {
    int[] offsets = offsets(length);
    int segments = offsets.length - 1;
    DeviceArray<int[]> in = copy(owned, values);
    DeviceArray<int[]> cuts = copy(owned, offsets);
    DeviceArray<int[]> out = zeros(owned, segments);
    return new Case() {
      @Override
      public void run(Primitives primitives) {
        primitives.reduceBySegment(in, cuts, out, ScanOperator.ADD);
      }

      @Override
      public boolean isRight() {
        int[] found = out.toArray();
        for (int s = 0; s < segments; s++) {
          if (found[s]
              != PrimitivesOracle.reduce(values, offsets[s], offsets[s + 1], ScanOperator.ADD)) {
            return false;
          }
        }
        return true;
      }
    };
  }
}
