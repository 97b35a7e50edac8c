package io.magpie.stm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;

/**
 * Priority bins deliver what is live once, and nothing before what is more urgent, whatever
 * threshold the host chooses; on every device. The oracle is an array of classes.
 */
class PriorityBinsProperties {
  private static final List<Device> DEVICES = Devices.all().map(Device::open).toList();
  private static final Map<Device, KernelModule> MODULES = new HashMap<>();
  private static final int NONE = -1;

  @AfterContainer
  static void close() {
    MODULES.values().forEach(KernelModule::close);
    DEVICES.forEach(Device::close);
  }

  private static KernelModule module(Device device) {
    return MODULES.computeIfAbsent(device, d -> d.compile(Devices.source("worklists.cu")));
  }

  /**
   * What is pushed when.
   *
   * @param items how many in all
   * @param classes that there are
   * @param spread classes that items have, at most
   * @param batch items that are pushed at a time, at most
   * @param bold whether the host takes more than the first bin
   * @param seed of everything else
   */
  record Input(int items, int classes, int spread, int batch, boolean bold, long seed) {}

  @Property(tries = 200)
  void deliversOnceAndInOrder(@ForAll("inputs") Input input) {
    for (Device device : DEVICES) {
      deliversOnceAndInOrder(device, input);
    }
  }

  private static void deliversOnceAndInOrder(Device device, Input input) {
    Random random = new Random(input.seed);
    int n = input.items;
    int[] classOf =
        IntStream.generate(() -> random.nextInt(Math.min(input.spread, input.classes)))
            .limit(n)
            .toArray();
    boolean[] waits = new boolean[n]; // pushed, and not delivered
    int[] delivered = new int[n];
    boolean[] dropped = new boolean[n];
    KernelModule module = module(device);
    try (DeviceArray<int[]> keys = device.copyOf(classOf);
        DeviceArray<int[]> fresh = device.ints(3L * n + 1);
        DeviceArray<int[]> due = device.ints(3L * n + 1);
        PriorityBins bins =
            new PriorityBins(
                module,
                input.classes,
                module.kernel("count_keys")::launch,
                module.kernel("sort_keys")::launch)) {
      Fields fields = new Fields().set("keys", keys);
      int pushed = 0;
      while (pushed < n || bins.waiting() > 0) {
        List<Integer> now = new ArrayList<>();
        for (int k = random.nextInt(input.batch + 1); k > 0 && pushed < n; k--) {
          waits[pushed] = true;
          now.add(pushed++);
        }
        // Of those that wait some need nothing any more; others become more urgent, and are pushed
        // anew. In the last bin they would be there twice, so that none of its width is.
        for (int item = 0; item < pushed; item++) {
          if (waits[item] && !now.contains(item) && random.nextInt(12) == 0) {
            if (random.nextBoolean()) {
              classOf[item] = NONE;
              waits[item] = false;
              dropped[item] = true;
            } else if (input.spread <= bins.last() - 1 && classOf[item] > 0) {
              classOf[item] = 0; // whose bin has no other class
              now.add(item);
            }
          }
        }
        keys.copyFrom(classOf);
        int count = now.size();
        fresh.copyFrom(now.stream().mapToInt(Integer::intValue).toArray(), 0, 0, count);
        bins.count(fresh, count, fields);
        if (bins.onlyBeyond()) {
          count += bins.reopen(fresh, count);
          bins.count(fresh, count, fields);
        }
        int first = Math.min(bins.first(), bins.last() - 1);
        int threshold =
            input.bold ? first + random.nextInt(bins.last() - first) : random.nextInt(first + 1);
        long most = bins.most(threshold);
        int found = bins.sort(fresh, count, threshold, due, fields);
        assertTrue(found <= most, () -> found + " of " + most);
        int latest = -1;
        for (int item : due.slice(0, found).toArray()) {
          assertTrue(waits[item], () -> device + ": " + item + " does not wait");
          waits[item] = false;
          delivered[item]++;
          latest = Math.max(latest, classOf[item]);
        }
        int done = latest;
        for (int item = 0; item < n; item++) {
          int at = item;
          assertTrue(
              !waits[item] || classOf[item] > done,
              () -> device + ": " + at + " of class " + classOf[at] + " waits, behind " + done);
        }
        for (int item = 0; item < n; item++) {
          if (delivered[item] > 0) {
            classOf[item] = NONE; // done
          }
        }
        int all = (int) IntStream.range(0, n).filter(item -> waits[item]).count();
        assertTrue(bins.waiting() >= all, () -> bins.waiting() + " wait, of " + all);
      }
    }
    for (int item = 0; item < n; item++) {
      assertEquals(dropped[item] ? 0 : 1, delivered[item], device + ": item " + item);
    }
  }

  @Example
  void whatTheHostMayNotAskForIsRefused() {
    Device device = DEVICES.get(0);
    KernelModule module = module(device);
    Kernel count = module.kernel("count_keys");
    Kernel sort = module.kernel("sort_keys");
    assertThrows(
        IllegalArgumentException.class,
        () -> new PriorityBins(module, 1, count::launch, sort::launch));
    try (DeviceArray<int[]> keys = device.copyOf(0, 5, 6);
        DeviceArray<int[]> fresh = device.copyOf(0, 1, 2);
        DeviceArray<int[]> due = device.ints(1);
        PriorityBins bins = new PriorityBins(module, 9, count::launch, sort::launch)) {
      Fields fields = new Fields().set("keys", keys);
      assertThrows(IndexOutOfBoundsException.class, () -> bins.count(fresh, 4, fields));
      bins.count(fresh, 3, fields);
      assertEquals(1, bins.first());
      assertEquals(List.of(1L, 1L, 1L, 0L), IntStream.range(0, 4).mapToObj(bins::size).toList());
      IllegalArgumentException e =
          assertThrows(
              IllegalArgumentException.class, () -> bins.sort(fresh, 3, bins.last(), due, fields));
      assertEquals(
          "the threshold must be a bin from 0 to 62, as the last one is of many classes; got 63",
          e.getMessage());
      e = assertThrows(IllegalArgumentException.class, () -> bins.sort(fresh, 3, 1, due, fields));
      assertEquals("up to 2 items are due, and there is room for 1", e.getMessage());
      assertEquals(1, bins.sort(fresh, 3, 0, due, fields));
      assertEquals(0, due.getInt(0));
      assertEquals(2, bins.waiting());
      bins.clear();
      assertEquals(0, bins.waiting());
      assertEquals(bins.last(), bins.first());
      assertEquals(0, Arrays.stream(new int[] {0, 1, 2}).mapToLong(bins::size).sum());
    }
  }

  @Provide
  Arbitrary<Input> inputs() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 250),
            Arbitraries.of(2, 64, 65, 500, 2048),
            Arbitraries.of(1, 2, 9, 62, 200, 2048),
            Arbitraries.of(1, 30, 250),
            Arbitraries.of(false, true),
            Arbitraries.longs().between(0, 1_000_000))
        .as(Input::new);
  }
}
