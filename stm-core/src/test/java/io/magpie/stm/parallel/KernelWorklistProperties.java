package io.magpie.stm.parallel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.Devices;
import io.magpie.stm.Fields;
import io.magpie.stm.Kernel;
import io.magpie.stm.KernelModule;
import io.magpie.stm.simulator.Schedule;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;

/** Worklists of kernels have what a sequential loop puts into a list, on every device. */
class KernelWorklistProperties {
  private static final List<Device> DEVICES = Devices.all().map(Device::open).toList();
  private static final Map<Device, KernelModule> MODULES = new HashMap<>();

  /** Ways to take items and push others, by the names of the kernels' constants. */
  private static final List<String> WAYS = List.of("stride", "stride_and_write", "pop", "pop_warp");

  /** A list that has become longer than that is not expanded any more. */
  private static final int LONG = 1500;

  @AfterContainer
  static void close() {
    MODULES.values().forEach(KernelModule::close);
    DEVICES.forEach(Device::close);
  }

  private static KernelModule module(Device device) {
    return MODULES.computeIfAbsent(device, d -> d.compile(Devices.source("worklists.cu")));
  }

  /**
   * Items, and for each of them its successors.
   *
   * @param n ids
   * @param arcs successors of all
   * @param first items to begin with
   * @param seed of everything else
   */
  record Input(int n, int arcs, int first, long seed) {
    int[][] successors() {
      Random random = new Random(seed);
      int[][] result = new int[n][0];
      for (int a = 0; a < arcs; a++) {
        // Some have many.
        int from = random.nextInt(random.nextInt(4) == 0 ? 1 + n / 8 : n);
        result[from] = Arrays.copyOf(result[from], result[from].length + 1);
        result[from][result[from].length - 1] = random.nextInt(n);
      }
      return result;
    }

    int[] items() {
      return new Random(seed + 1).ints(first, 0, n).toArray();
    }
  }

  /** By a loop. */
  private static int[] expanded(int[] items, int[][] successors) {
    return Arrays.stream(items).flatMap(item -> Arrays.stream(successors[item])).toArray();
  }

  private static int[] sorted(int[] items) {
    return Arrays.stream(items).sorted().toArray();
  }

  @Property(tries = 150)
  void everyWayPushesWhatALoopWould(
      @ForAll("inputs") Input input,
      @ForAll("ways") String way,
      @ForAll("schedules") Schedule schedule) {
    int[][] successors = input.successors();
    int[] offsets = new int[input.n + 1];
    for (int v = 0; v < input.n; v++) {
      offsets[v + 1] = offsets[v] + successors[v].length;
    }
    int[] targets = Arrays.stream(successors).flatMapToInt(Arrays::stream).toArray();
    for (Device device : DEVICES) {
      try (DeviceArray<int[]> from = device.copyOf(offsets);
          DeviceArray<int[]> to = device.copyOf(targets);
          KernelWorklist in = new KernelWorklist(device, 0);
          KernelWorklist out = new KernelWorklist(device, 7)) {
        if (device.machine() == Machine.SIM) {
          device.simulator().setSchedule(schedule);
        }
        Fields fields =
            new Fields()
                .set("by", module(device).intConstant(way))
                .set("offsets", from)
                .set("targets", to);
        int[] expected = input.items();
        in.fill(expected);
        for (int round = 0; round < 4 && expected.length < LONG; round++) {
          int positions = expected.length + round; // of more than there are, none is an item
          expected = expanded(expected, successors);
          fields.set("positions", positions);
          run(device, fields, Math.max(1, positions), in, out, expected.length);
          assertEquals(expected.length, in.takeFrom(out), device + " by " + way);
          assertArrayEquals(sorted(expected), sorted(in.items()), device + " by " + way);
          assertEquals(0, out.size());
        }
      } finally {
        if (device.machine() == Machine.SIM) {
          device.simulator().setSchedule(null);
        }
      }
    }
  }

  /** Runs the kernel; if the list is too short, does what the exception's message says. */
  private static void run(
      Device device, Fields fields, int items, KernelWorklist in, KernelWorklist out, int pushed) {
    Kernel expand = module(device).kernel("expand");
    expand.run(items, fields.set("in", in.fields()).set("out", out.fields()));
    assertEquals(pushed, out.pushed());
    if (pushed > out.capacity()) {
      KernelWorklist.OverflowException e =
          assertThrows(KernelWorklist.OverflowException.class, () -> in.takeFrom(out));
      assertEquals(pushed, e.needed());
      assertEquals(out.capacity(), e.capacity());
      out.reserve(e.needed());
      out.clear();
      in.rewind();
      expand.run(items, fields.set("out", out.fields()));
    }
  }

  @Property(tries = 150)
  void marksKeepTheOrder(
      @ForAll("inputs") Input input,
      @ForAll("divisors") int of,
      @ForAll boolean positions,
      @ForAll boolean twice) {
    int[] items = input.items();
    int[] kept = IntStream.range(0, items.length).filter(i -> items[i] % of == 0).toArray();
    int[] once = positions ? kept : Arrays.stream(kept).map(i -> items[i] / of).toArray();
    int[] expected =
        twice ? IntStream.concat(Arrays.stream(once), Arrays.stream(once)).toArray() : once;
    for (Device device : DEVICES) {
      for (int room : new int[] {expected.length, expected.length / 2}) {
        try (KernelWorklist in = new KernelWorklist(device, items.length);
            KernelWorklist out = new KernelWorklist(device, room);
            DeviceArray<int[]> marks = device.ints(items.length);
            DeviceArray<int[]> instead = device.ints(items.length)) {
          in.fill(items);
          module(device)
              .kernel("mark_multiples")
              .launch(
                  items.length,
                  new Fields()
                      .set("positions", items.length)
                      .set("of", of)
                      .set("in", in.fields())
                      .set("marks", marks)
                      .set("instead", instead));
          Primitives primitives = Primitives.of(device);
          for (int pass = 0; pass < (twice ? 2 : 1); pass++) {
            primitives.pushMarked(positions ? null : instead, marks, out);
          }
          assertEquals(expected.length, out.pushed());
          if (room < expected.length) {
            assertThrows(KernelWorklist.OverflowException.class, out::items);
            out.reserve(room); // what it has is kept
            out.reserve(room + 1L);
          }
          assertArrayEquals(Arrays.copyOf(expected, room), out.items(), device.toString());
        }
      }
    }
  }

  @Provide
  Arbitrary<Input> inputs() {
    return Combinators.combine(
            Arbitraries.integers().between(1, 300),
            Arbitraries.integers().between(0, 500),
            Arbitraries.integers().between(0, 400),
            Arbitraries.longs().between(0, 1_000_000))
        .as(Input::new);
  }

  @Provide
  Arbitrary<String> ways() {
    return Arbitraries.of(WAYS);
  }

  @Provide
  Arbitrary<Integer> divisors() {
    return Arbitraries.of(1, 2, 3, 50, 1000);
  }

  @Provide
  Arbitrary<Schedule> schedules() {
    Arbitrary<Long> seeds = Arbitraries.longs().between(0, 1 << 20);
    Arbitrary<Schedule> kinds =
        Arbitraries.oneOf(
            List.of(
                seeds.map(Schedule::randomWalk),
                seeds.map(seed -> Schedule.pct(seed, 3, 4000)),
                seeds.map(Schedule::lockStep)));
    return Combinators.combine(kinds, Arbitraries.of(false, true))
        .as((schedule, weak) -> weak ? schedule.withWeakMemory() : schedule);
  }
}
