package io.magpie.stm.parallel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.DeviceOutOfMemoryException;
import io.magpie.stm.Devices;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelFaultException;
import io.magpie.stm.KernelModule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.IntConsumer;
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
 * Priority bins deliver what is live, once if its class never changed, and nothing before what is
 * more urgent, whatever threshold the host chooses; on every device. The oracle is an array of
 * classes.
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
  void deliversAllInOrder(@ForAll("inputs") Input input) {
    for (Device device : DEVICES) {
      deliversAllInOrder(device, input);
    }
  }

  private static void deliversAllInOrder(Device device, Input input) {
    Random random = new Random(input.seed);
    int n = input.items;
    int[] classOf =
        IntStream.generate(() -> random.nextInt(Math.min(input.spread, input.classes)))
            .limit(n)
            .toArray();
    boolean[] waits = new boolean[n]; // pushed, and not delivered
    int[] entries = new int[n]; // how often it was pushed
    int[] delivered = new int[n];
    boolean[] dropped = new boolean[n];
    KernelModule module = module(device);
    try (DeviceArray<int[]> keys = device.copyOf(classOf);
        DeviceArray<int[]> fresh = device.ints(3L * n + 1);
        DeviceArray<int[]> due = device.ints(3L * n + 1);
        PriorityBins bins = bins(module, input.classes)) {
      Fields fields = new Fields().set("keys", keys);
      int pushed = 0;
      while (pushed < n || bins.waiting() > 0) {
        List<Integer> now = new ArrayList<>();
        for (int k = random.nextInt(input.batch + 1); k > 0 && pushed < n; k--) {
          waits[pushed] = true;
          now.add(pushed++);
        }
        // Of those that wait some need nothing any more; others get another class, and are pushed
        // anew, twice at most each.
        for (int item = 0; item < pushed; item++) {
          if (waits[item] && !now.contains(item) && random.nextInt(12) == 0) {
            if (random.nextBoolean()) {
              classOf[item] = NONE;
              waits[item] = false;
              dropped[item] = true;
            } else if (entries[item] < 3) {
              classOf[item] =
                  random.nextBoolean() ? 0 : random.nextInt(Math.min(input.spread, input.classes));
              now.add(item);
            }
          }
        }
        now.forEach(item -> entries[item]++);
        keys.copyFrom(classOf);
        int count = now.size();
        fresh.copyFrom(now.stream().mapToInt(Integer::intValue).toArray(), 0, 0, count);
        bins.count(fresh, count, fields);
        if (bins.anyBefore() && random.nextBoolean()) {
          count += bins.reopenAll(fresh, count);
          assertEquals(0, bins.waiting());
          bins.count(fresh, count, fields);
          assertFalse(bins.anyBefore());
        }
        if (bins.onlyBeyond()) {
          count += bins.reopen(fresh, count);
          bins.count(fresh, count, fields);
        }
        int first = bins.firstFilled();
        int threshold =
            input.bold ? first + random.nextInt(bins.beyond() - first) : random.nextInt(first + 1);
        long most = bins.most(threshold);
        int found = bins.sort(fresh, count, threshold, due, fields);
        assertTrue(found <= most, () -> found + " of " + most);
        int latest = -1;
        int[] list = due.slice(0, found).toArray();
        for (int item : list) {
          assertTrue(waits[item], () -> device + ": " + item + " does not wait");
          delivered[item]++;
          latest = Math.max(latest, classOf[item]);
        }
        for (int item : list) {
          waits[item] = false;
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
      String what = device + ": item " + item + ", pushed " + entries[item] + " times";
      if (dropped[item]) {
        assertEquals(0, delivered[item], what);
      } else {
        assertTrue(delivered[item] >= 1 && delivered[item] <= entries[item], what);
      }
    }
  }

  private static PriorityBins bins(KernelModule module, int classes) {
    return new PriorityBins(
        module, classes, module.kernel("count_keys")::launch, module.kernel("sort_keys")::launch);
  }

  /** A step as the class comment has it, after which {@code list} begins with what is due. */
  private static int[] step(
      PriorityBins bins,
      DeviceArray<int[]> fresh,
      DeviceArray<int[]> list,
      Fields keys,
      int... now) {
    int n = now.length;
    fresh.copyFrom(now, 0, 0, n);
    bins.count(fresh, n, keys); // new items, by class
    if (bins.anyBefore()) { // bin 1 is of several classes: the same for all items
      n += bins.reopenAll(fresh, n); // fresh has room for bins.waiting() more
      bins.count(fresh, n, keys);
    }
    if (bins.onlyBeyond()) { // the last bin is of no one class: give its items bins
      n += bins.reopen(fresh, n); // fresh has room for bins.size(bins.beyond()) more
      bins.count(fresh, n, keys);
    }
    int threshold = bins.firstFilled(); // or any other bin but the last one
    int due = bins.sort(fresh, n, threshold, list, keys); // list has room for bins.most(threshold)
    return Arrays.stream(list.slice(0, due).toArray()).sorted().toArray();
  }

  /** The classes of 4 items change, and steps are as in the class comment. */
  private interface Steps {
    int[] step(int[] classOf, int... now);
  }

  private static void inSteps(BiConsumer<PriorityBins, Steps> test) {
    for (Device device : DEVICES) {
      try (DeviceArray<int[]> keys = device.ints(4);
          DeviceArray<int[]> fresh = device.ints(20);
          DeviceArray<int[]> list = device.ints(20);
          PriorityBins bins = bins(module(device), 300)) {
        Fields fields = new Fields().set("keys", keys);
        test.accept(
            bins,
            (classOf, now) -> {
              keys.copyFrom(classOf);
              return step(bins, fresh, list, fields, now);
            });
      }
    }
  }

  private static int[] of(int... values) {
    return values;
  }

  @Example
  void theStepTakesWhatIsThereHoweverLittle() {
    inSteps(
        (bins, steps) -> {
          assertArrayEquals(of(), steps.step(of(0, 0, 0, 0)), "nothing");
          assertArrayEquals(of(2), steps.step(of(9, 9, 0, 9), 2), "class 0 alone");
          assertArrayEquals(of(), steps.step(of(NONE, NONE, 1, 1), 0, 1), "all need nothing");
          assertEquals(0, bins.waiting());
          assertArrayEquals(of(0), steps.step(of(1, 200, 299, 1), 0, 1, 2), "the first of them");
          assertEquals(2, bins.waiting());
          assertTrue(bins.size(bins.beyond()) == 2, "both are beyond");
          assertArrayEquals(of(), steps.step(of(1, NONE, NONE, 1)), "reopened, and all dropped");
          assertEquals(0, bins.waiting());
          assertArrayEquals(of(0), steps.step(of(1, 200, 299, 1), 0, 1, 2));
          assertArrayEquals(of(1), steps.step(of(1, 200, 299, 1)), "reopened");
          assertArrayEquals(of(2), steps.step(of(1, 200, 299, 1)), "reopened once more");
          assertEquals(0, bins.waiting());
        });
  }

  /** Classes before those that had bins of their own get such, too. */
  @Example
  void whatIsMoreUrgentThanAllBeforeIsSorted() {
    inSteps(
        (bins, steps) -> {
          assertArrayEquals(of(0), steps.step(of(150, 160, 160, 9), 0, 1));
          assertArrayEquals(of(2), steps.step(of(9, 160, 20, 25), 2, 3), "not 3 with it");
          assertArrayEquals(of(3), steps.step(of(9, 160, NONE, 25)));
          assertArrayEquals(of(1), steps.step(of(9, 160, NONE, NONE)));
          assertEquals(0, bins.waiting());
        });
  }

  /** Where a bin cannot tell an old entry from a new one, both are delivered. */
  @Example
  void whatChangedIsDeliveredAtLeastOnceAndAtMostOnceForEachEntry() {
    inSteps(
        (bins, steps) -> {
          // From 5 to 7 and back to 5: two of its three entries are where they belong.
          assertArrayEquals(of(0), steps.step(of(1, 5, 9, 9), 0, 1));
          assertArrayEquals(of(0), steps.step(of(1, 7, 9, 9), 0, 1));
          assertArrayEquals(of(1, 1), steps.step(of(1, 5, 9, 9), 1));
          assertArrayEquals(of(), steps.step(of(1, NONE, 9, 9)));
          assertEquals(0, bins.waiting());
        });
    inSteps(
        (bins, steps) -> {
          // Beyond, and then class 0: the entry from beyond is a new one when it is counted.
          assertArrayEquals(of(0), steps.step(of(1, 200, 9, 9), 0, 1));
          assertArrayEquals(of(1, 1), steps.step(of(1, 0, 9, 9), 1));
          assertEquals(0, bins.waiting());
        });
    Device device = DEVICES.get(0);
    try (DeviceArray<int[]> keys = device.copyOf(10, 20);
        DeviceArray<int[]> fresh = device.copyOf(0, 1, 0);
        DeviceArray<int[]> list = device.ints(4);
        PriorityBins bins = bins(module(device), 30)) {
      Fields fields = new Fields().set("keys", keys);
      bins.count(fresh, 2, fields);
      assertEquals(0, bins.sort(fresh, 2, 0, list, fields));
      keys.set(0, 3); // from the first class that there was, 10, so that both become new
      assertArrayEquals(of(0, 0), step(bins, fresh, list, fields, 0));
      assertEquals(1, bins.waiting());
    }
  }

  /** However many bins had many items in turn, there is memory for what waits at a time. */
  @Example
  void placesAreGivenOutAnewWhenNothingWaits() {
    List<Long> allocated = new ArrayList<>();
    AtomicBoolean listed = new AtomicBoolean();
    int n = 10_001;
    try (Device device =
            Devices.openScarce("cpu:1", bytes -> !listed.get() || allocated.add(bytes));
        KernelModule module = device.compile(Devices.source("worklists.cu"));
        DeviceArray<int[]> keys = device.ints(n);
        DeviceArray<int[]> fresh = device.ints(n);
        DeviceArray<int[]> list = device.ints(n);
        PriorityBins bins = bins(module, 64)) {
      Fields fields = new Fields().set("keys", keys);
      int[] all = IntStream.range(0, n).toArray();
      for (int c = 2; c < 62; c++) {
        keys.fill(c);
        keys.set(0, 1);
        listed.set(true);
        assertArrayEquals(of(0), step(bins, fresh, list, fields, all));
        assertEquals(n - 1, step(bins, fresh, list, fields).length);
        listed.set(false);
      }
    }
    assertEquals(List.of(60_000L), allocated, "once, for half as many again");
  }

  @Example
  void allArraysAreFreedWhateverFails() {
    Devices.assertFreesAllAlthoughItFails(
        device -> {
          try (KernelModule module = device.compile(Devices.source("worklists.cu"))) {
            return bins(module, 9);
          }
        });
  }

  /** A class that there is not is told by a device with checks. */
  @Example
  void classesAreBelowTheirNumber() {
    try (Device device = Device.open("cpu-checked:1");
        KernelModule module = device.compile(Devices.source("worklists.cu"));
        DeviceArray<int[]> keys = device.copyOf(8, NONE, 9);
        DeviceArray<int[]> fresh = device.copyOf(0, 1, 2);
        PriorityBins bins = bins(module, 9)) {
      Fields fields = new Fields().set("keys", keys);
      bins.count(fresh, 2, fields);
      assertEquals(1, bins.size(1));
      assertThrows(KernelFaultException.class, () -> bins.count(fresh, 3, fields));
    }
  }

  /** Bins that grow beyond the places that they have at first, several times. */
  @Example
  void largeBinsGrowAndKeepWhatWaits() {
    for (String spec : List.of("cpu:1", "cpu:4")) {
      try (Device device = Device.open(spec)) {
        assertEquals(List.of(), largeBins(device, attempt -> {}, new AtomicLong()));
      }
    }
  }

  /** Without memory for ample places they have what they need; without that nothing is lost. */
  @Example
  void largeBinsMakeDoWithScarceMemory() {
    AtomicLong most = new AtomicLong(Long.MAX_VALUE);
    AtomicLong least = new AtomicLong(); // refused since the last attempt began
    try (Device device =
        Devices.openScarce(
            "cpu:1",
            bytes -> {
              if (bytes > most.get()) {
                least.accumulateAndGet(bytes, Math::min);
              }
              return bytes <= most.get();
            })) {
      // At first there is nothing at all, then just the least that was asked for.
      List<Long> refused =
          largeBins(device, attempt -> most.set(attempt == 0 ? 0 : least.get()), least);
      // All that waits with each batch; and once in the second turn, as bins that grew left holes.
      assertEquals(List.of(400L, 16_400L, 28_400L, 64_400L, 64_404L, 144_404L, 144_404L), refused);
    }
  }

  /**
   * Pushes batches of items of two classes that wait, until both bins have grown several times, and
   * takes them; twice, so that the second time the places of the first are given out anew.
   *
   * @param beforeSort takes the number of each attempt to sort
   * @param least is set high before each attempt
   * @return bytes that were refused
   */
  private static List<Long> largeBins(Device device, IntConsumer beforeSort, AtomicLong least) {
    List<Long> refused = new ArrayList<>();
    int[] batches = {100, 4000, 3000, 9000, 1, 20_000};
    int n = Arrays.stream(batches).sum();
    try (KernelModule module = device.compile(Devices.source("worklists.cu"));
        DeviceArray<int[]> keys =
            device.copyOf(IntStream.range(0, n).map(i -> 3 + i % 2).toArray());
        DeviceArray<int[]> fresh = device.ints(n);
        DeviceArray<int[]> due = device.ints(n);
        PriorityBins bins = bins(module, 9)) {
      Fields fields = new Fields().set("keys", keys);
      for (int turn = 0; turn < 2; turn++) {
        int pushed = 0;
        for (int batch : batches) {
          fresh.copyFrom(IntStream.range(pushed, pushed + batch).toArray(), 0, 0, batch);
          pushed += batch;
          bins.count(fresh, batch, fields);
          boolean sorted = false;
          for (int attempt = 0; !sorted; attempt++) {
            beforeSort.accept(attempt);
            least.set(Long.MAX_VALUE);
            try {
              assertEquals(0, bins.sort(fresh, batch, 0, due, fields));
              sorted = true;
            } catch (DeviceOutOfMemoryException e) {
              refused.add(e.neededBytes());
              assertEquals(pushed - batch, bins.waiting());
            }
          }
          assertEquals(pushed, bins.waiting());
        }
        for (int parity = 0; parity < 2; parity++) {
          int odd = parity;
          int[] expected = IntStream.range(0, n).filter(i -> i % 2 == odd).toArray();
          assertArrayEquals(expected, step(bins, fresh, due, fields), device + ": class " + odd);
        }
        assertEquals(0, bins.waiting());
      }
    }
    return refused;
  }

  @Example
  void whatTheHostMayNotAskForIsRefused() {
    Device device = DEVICES.get(0);
    KernelModule module = module(device);
    assertThrows(IllegalArgumentException.class, () -> bins(module, 1));
    try (DeviceArray<int[]> keys = device.copyOf(0, 5, 6);
        DeviceArray<int[]> fresh = device.copyOf(0, 1, 2);
        DeviceArray<int[]> due = device.ints(1);
        PriorityBins bins = bins(module, 9)) {
      Fields fields = new Fields().set("keys", keys);
      assertThrows(IndexOutOfBoundsException.class, () -> bins.count(fresh, 4, fields));
      bins.count(fresh, 3, fields);
      assertEquals(1, bins.firstFilled());
      assertEquals(0, bins.waiting());
      assertEquals(List.of(1L, 1L, 1L, 0L), IntStream.range(0, 4).mapToObj(bins::size).toList());
      IllegalArgumentException e =
          assertThrows(
              IllegalArgumentException.class,
              () -> bins.sort(fresh, 3, bins.beyond(), due, fields));
      assertEquals(
          "the threshold must be a bin from 0 to 62, because the last bin has many classes; got 63",
          e.getMessage());
      e = assertThrows(IllegalArgumentException.class, () -> bins.sort(fresh, 3, 1, due, fields));
      assertEquals("up to 2 items are due, and there is room for 1", e.getMessage());
      e = assertThrows(IllegalArgumentException.class, () -> bins.sort(fresh, 3, 1, fresh, fields));
      assertEquals(
          "items and due overlap: what is due is written while new items are read", e.getMessage());
      assertThrows(
          IllegalArgumentException.class,
          () -> bins.sort(fresh.slice(0, 2), 2, 0, fresh.slice(1, 2), fields));
      assertEquals(1, bins.sort(fresh, 3, 0, due, fields));
      assertEquals(0, due.getInt(0));
      assertEquals(2, bins.waiting());
      bins.clear();
      assertEquals(0, bins.waiting());
      assertEquals(0, bins.firstFilled());
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
