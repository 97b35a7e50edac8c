package io.magpie.stm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.RoundsReport.Round;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs in rounds, worklists and pools of slots through the facade. */
class RoundsTest {
  private static final int NODES = 400;

  static Stream<String> devices() {
    return Devices.all();
  }

  /** What a tree that has grown consists of, and how it grows. */
  private static final class Tree implements AutoCloseable {
    final StmObjects things;
    final DeviceArray<int[]> sums;
    final DeviceArray<int[]> runs;
    final StmObjects cells;
    DeviceArray<int[]> owner;
    final SlotPool slots;

    Tree(Device device, int capacity) {
      things = device.objects(5);
      sums = device.ints(5);
      runs = device.ints(NODES);
      cells = device.objects(capacity);
      owner = device.ints(capacity);
      slots = device.newSlotPool(capacity, 0);
    }

    Fields fields() {
      return new Fields()
          .set("things", things)
          .set("sums", sums)
          .set("runs", runs)
          .set("cells", cells)
          .set("owner", owner)
          .set("slots", slots)
          .set("nodes", NODES);
    }

    void grow(long capacity) {
      cells.grow(capacity);
      owner = owner.grown(capacity);
      slots.grow(capacity);
    }

    /** Each node ran once; each slot is one node's, or free. */
    void check() {
      int[] ran = runs.toArray();
      assertArrayEquals(IntStream.generate(() -> 1).limit(NODES).toArray(), ran);
      assertEquals(NODES, Arrays.stream(sums.toArray()).sum());
      int[] owners = owner.toArray();
      List<Integer> kept = new ArrayList<>();
      boolean[] free = new boolean[owners.length];
      for (int slot : slots.recycled()) {
        assertFalse(free[slot]);
        free[slot] = true;
      }
      for (int slot = 0; slot < owners.length; slot++) {
        boolean taken = !free[slot] && slot < slots.firstFresh();
        assertEquals(taken, owners[slot] != 0, "slot " + slot);
        if (taken) {
          kept.add(owners[slot] - 1);
        }
      }
      assertEquals(
          IntStream.range(0, NODES).filter(node -> node % 4 != 3).boxed().toList(),
          kept.stream().sorted().toList());
      assertEquals(kept.size(), slots.live());
      assertEquals(slots.capacity() - kept.size(), slots.free());
      assertEquals(0, things.claimed());
      assertEquals(0, cells.claimed());
    }

    @Override
    public void close() {
      for (AutoCloseable each : List.of(things, sums, runs, cells, owner, slots)) {
        try {
          each.close();
        } catch (Exception e) {
          throw new AssertionError(e);
        }
      }
    }
  }

  private static List<StmOptions> manners() {
    StmOptions options = StmOptions.defaults();
    return List.of(
        options,
        options.withDeferral(true),
        options.withDeferral(true).withThreadsInFlight(7),
        options.withPolicy(Policy.PRIORITY_RULE).withMaxAttempts(50));
  }

  @Test
  void aModuleClosedBetweenRoundsRunsNoMore() {
    try (Device device = Device.open("cpu:2");
        KernelModule module = device.compile(Devices.source("rounds.cu"));
        Worklist work = device.newWorklist(1);
        Tree tree = new Tree(device, 20_000)) {
      work.fill(0);
      Region region = module.region("grow_tree");
      IllegalStateException closed =
          assertThrows(
              IllegalStateException.class,
              () ->
                  region.runRounds(
                      StmOptions.defaults(),
                      work,
                      round -> {
                        module.close();
                        return null;
                      },
                      tree.fields()));
      assertTrue(closed.getMessage().contains("is closed"), closed::getMessage);
    }
  }

  @ParameterizedTest
  @MethodSource("devices")
  void whatCommitsPushRunsOnce(String spec) {
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("rounds.cu"));
        Worklist work = device.newWorklist(1)) {
      Region region = module.region("grow_tree");
      for (StmOptions options : manners()) {
        try (Tree tree = new Tree(device, 2_000_000 / (spec.startsWith("cuda") ? 1 : 100))) {
          work.fill(0);
          List<Round> heard = new ArrayList<>();
          RoundsReport report =
              region.runRounds(
                  options,
                  work,
                  round -> {
                    heard.add(round);
                    assertEquals(round.waiting(), work.size());
                    assertEquals(round.deferred(), work.deferred());
                    return null;
                  },
                  tree.fields());
          report.requireComplete();
          assertEquals(heard, report.rounds());
          assertEquals(NODES - 1, report.pushed());
          assertEquals(NODES, report.commits(), () -> options + "\n" + report);
          assertEquals(NODES + report.deferred(), heard.stream().mapToLong(Round::items).sum());
          tree.check();
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("devices")
  void anExhaustedPoolDefersAndGrows(String spec) {
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("rounds.cu"));
        Worklist work = device.newWorklist(10);
        Tree tree = new Tree(device, 3)) {
      work.fill(0);
      Region region = module.region("grow_tree").withMostItemsPerLaunch(40);
      long[] without = {0};
      RoundsReport report =
          region.runRounds(
              StmOptions.defaults(),
              work,
              round -> {
                without[0] += round.withoutSlot();
                if (round.withoutSlot() > 0) {
                  tree.grow(tree.slots.capacity() + 64);
                }
                return tree.fields();
              },
              tree.fields());
      report.requireComplete();
      assertTrue(without[0] > 0);
      assertTrue(report.deferred() >= without[0]);
      tree.check();
    }
  }

  @ParameterizedTest
  @MethodSource("devices")
  void whatARunLeavesWaits(String spec) {
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("rounds.cu"));
        DeviceArray<int[]> times = device.copyOf(0, 1, 2, 3, 4, 5);
        DeviceArray<int[]> ranks = device.ints(6);
        DeviceArray<int[]> items = device.copyOf(5, 4, 3, 2, 1, 0, 77);
        Worklist work = device.newWorklist(0)) {
      Region region = module.region("put_off");
      work.fillFrom(items, 6);
      StmOptions options = StmOptions.defaults().withMostRounds(2);
      RoundsReport report =
          region.runRounds(options, work, new Fields().set("times", times).set("ranks", ranks));
      assertEquals(2, report.rounds().size());
      assertEquals(2, report.commits());
      assertEquals(4, report.waiting());
      assertFalse(report.complete());
      UnfinishedItemsException bounded =
          assertThrows(UnfinishedItemsException.class, report::requireComplete);
      assertEquals(
          "region put_off: 4 items wait after 2 rounds: the bound of rounds is reached",
          bounded.getMessage());
      assertSame(report.rounds().get(1).region(), bounded.report());
      assertArrayEquals(
          new int[] {2, 3, 4, 5}, IntStream.of(work.items()).sorted().toArray(), spec);
      work.copyTo(items, 1);
      int[] copied = items.toArray();
      assertEquals(5, copied[0]);
      assertArrayEquals(work.items(), Arrays.copyOfRange(copied, 1, 5));
      assertThrows(IndexOutOfBoundsException.class, () -> work.copyTo(items, 4));
      // Items that began earlier have higher ranks, also in the next run.
      report =
          region.runRounds(
              StmOptions.defaults(), work, new Fields().set("times", times).set("ranks", ranks));
      report.requireComplete();
      assertEquals(4, report.rounds().size());
      int[] last = ranks.toArray();
      for (int item = 3; item < 6; item++) {
        assertTrue(last[item] > last[item - 1], Arrays.toString(last));
      }
      assertEquals(0, work.size());
      // Nothing to do.
      assertEquals(
          0,
          region
              .runRounds(options, work, new Fields().set("times", times).set("ranks", ranks))
              .rounds()
              .size());
    }
  }

  @Test
  void aRunThatEndsNothingStalls() {
    try (Device device = Device.open("cpu:2");
        KernelModule module = device.compile(Devices.source("rounds.cu"));
        DeviceArray<int[]> times = device.copyOf(100, 100);
        DeviceArray<int[]> ranks = device.ints(2);
        Worklist work = device.newWorklist(2)) {
      work.fill(0, 1);
      RoundsReport report =
          module
              .region("put_off")
              .runRounds(
                  StmOptions.defaults(),
                  work,
                  new Fields().set("times", times).set("ranks", ranks));
      assertTrue(report.stalled());
      assertEquals(Region.IDLE_ROUNDS, report.rounds().size());
      assertEquals(2, work.deferred());
    }
  }

  @Test
  void timeIsUp() {
    for (String spec : List.of("cpu:2", "cpu-checked:2")) {
      try (Device device = Device.open(spec);
          KernelModule module = device.compile(Devices.source("rounds.cu"));
          Worklist work = device.newWorklist(2)) {
        work.fill(4, 5, 6);
        RoundsReport report =
            module
                .region("for_ever")
                .withMostItemsPerLaunch(2)
                .runRounds(
                    StmOptions.defaults().withTimeout(Duration.ofMillis(30)),
                    work,
                    new Fields().set("reserved", 0));
        assertTrue(report.timedOut());
        assertEquals(1, report.rounds().size());
        assertArrayEquals(new int[] {4, 5, 6}, IntStream.of(work.items()).sorted().toArray());
        assertEquals(0, report.unfinishedItems().length);
        assertEquals(
            "region for_ever: 3 items wait after 1 round: time was up",
            assertThrows(UnfinishedItemsException.class, report::requireComplete).getMessage());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("devices")
  void logsGrowWithinARound(String spec) {
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("rounds.cu"));
        StmObjects things = device.objects(300);
        DeviceArray<int[]> sums = device.ints(300);
        Worklist work = device.newWorklist(8)) {
      Region region = module.region("outgrow");
      StmOptions options = StmOptions.defaults().withScratchBytes(12288).withDeferral(true);
      for (int objects : new int[] {1, 10, 150}) {
        sums.fill(0);
        work.fill(1, 2, 3, 4, 5);
        region
            .runRounds(
                options,
                work,
                new Fields().set("things", things).set("sums", sums).set("objects", objects))
            .requireComplete();
        assertEquals(10 * objects, Arrays.stream(sums.toArray()).sum(), spec);
        assertEquals(0, things.claimed());
      }
      work.fill(1, 2, 3);
      RoundsReport report =
          region.runRounds(
              options,
              work,
              new Fields().set("things", things).set("sums", sums).set("objects", 300));
      assertEquals(0, report.waiting());
      assertFalse(report.complete());
      assertArrayEquals(
          new long[] {1, 2, 3}, Arrays.stream(report.unfinishedItems()).sorted().toArray());
      assertThrows(UnfinishedItemsException.class, report::requireComplete);
    }
  }

  @ParameterizedTest
  @MethodSource("devices")
  void poolsServeOtherRunsToo(String spec) {
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("rounds.cu"));
        SlotPool slots = device.newSlotPool(100, 10)) {
      Region region = module.region("take_slots");
      StmOptions one = StmOptions.defaults().withThreadsInFlight(1);
      region.run(one, 20, new Fields().set("slots", slots).set("wanted", 3)).requireComplete();
      assertEquals(70, slots.live());
      RegionReport report = region.run(one, 20, new Fields().set("slots", slots).set("wanted", 3));
      assertEquals(10, report.unfinished());
      assertEquals(10, report.unfinishedBySlots());
      assertEquals(10, report.withoutSlot());
      assertEquals(100, slots.live());
      assertEquals("10 without a slot: grow the pool", report.unfinishedReason());
      slots.grow(200);
      region.run(one, 33, new Fields().set("slots", slots).set("wanted", 3)).requireComplete();
      assertEquals(1, slots.free());
      slots.reset();
      assertEquals(10, slots.live());
      assertEquals(190, slots.free());
      region.run(one, 20, new Fields().set("slots", slots).set("wanted", 3)).requireComplete();
      assertEquals(70, slots.live());
      slots.close();
      assertThrows(IllegalStateException.class, slots::reset);
    }
  }

  @ParameterizedTest
  @MethodSource("devices")
  void tooManyPushesAreNamed(String spec) {
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("rounds.cu"));
        Worklist work = device.newWorklist(3)) {
      Region region = module.region("push_many");
      work.fill(0, 1, 2);
      region
          .runRounds(StmOptions.defaults(), work, new Fields().set("pushes", 2))
          .requireComplete();
      work.fill(0, 1, 2);
      RoundsReport report =
          region.runRounds(StmOptions.defaults(), work, new Fields().set("pushes", 3));
      RegionReport only = report.rounds().get(0).region();
      assertEquals(1, report.rounds().size());
      assertEquals(3, only.unfinishedByPushes());
      assertEquals(0, only.unfinishedByOverflow());
      assertEquals(1, only.mostAttempts());
      assertEquals(1, only.passes().size()); // larger logs would not help
      assertArrayEquals(
          new long[] {0, 1, 2}, Arrays.stream(report.unfinishedItems()).sorted().toArray());
      assertEquals(0, work.size());
      assertEquals(
          "region push_many: 3 of 3 items are unfinished (3 pushed more items than max_pushes = 2:"
              + " raise max_pushes in the region)",
          assertThrows(UnfinishedItemsException.class, report::requireComplete).getMessage());
    }
  }

  /** A pool of 8 slots: 0 to 3 are live, 4 and 5 free again, 6 and 7 were never taken. */
  private static SlotPool usedPool(Device device, Region free, DeviceArray<int[]> attempts) {
    SlotPool slots = device.newSlotPool(8, 6);
    free.run(
            2,
            new Fields()
                .set("slots", slots)
                .set("attempts", attempts)
                .set("first", 4)
                .set("times", 1)
                .set("early", 0))
        .requireComplete();
    assertEquals(4, slots.live());
    return slots;
  }

  @ParameterizedTest
  @MethodSource("devices")
  void slotsFreedAgainstTheRulesAreAFaultAndSpoilThePool(String spec) {
    boolean checked = spec.startsWith("sim") || spec.startsWith("cpu-checked");
    record Fault(String message, int items, int first, int times, int early) {}
    String misused = "rule of the library broken: region free_slots misused pool 'slots': ";
    String twice = "was freed more than once, or was not live";
    Fault most =
        new Fault(misused + "400 slots came back of 4 live and 0 handed out", 4, 0, 100, 0);
    List<Fault> faults =
        checked
            ? List.of(
                most,
                new Fault(misused + "slot 0 " + twice, 1, 0, 2, 0),
                new Fault(misused + "slot 5 " + twice, 1, 5, 1, 0),
                new Fault(misused + "slot 7 came back, which was never taken", 1, 7, 1, 0),
                new Fault("index 8 is outside 'slots' of length 8", 1, 8, 1, 0),
                new Fault("frees a slot outside of apply and committed", 4, 0, 1, 1))
            : List.of(
                most,
                new Fault(misused + "12 slots came back of 4 live and 0 handed out", 4, 0, 1, 1));
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("rounds.cu"));
        DeviceArray<int[]> attempts = device.ints(4)) {
      Region free = module.region("free_slots");
      for (Fault fault : faults) {
        attempts.fill(0);
        try (SlotPool slots = usedPool(device, free, attempts)) {
          Fields fields =
              new Fields()
                  .set("slots", slots)
                  .set("attempts", attempts)
                  .set("first", fault.first)
                  .set("times", fault.times)
                  .set("early", fault.early);
          KernelFaultException thrown =
              assertThrows(KernelFaultException.class, () -> free.run(fault.items, fields));
          assertTrue(
              thrown.getMessage().contains(fault.message),
              () -> fault + " but: " + thrown.getMessage());
          assertTrue(
              thrown.getMessage().startsWith("region free_slots (policy hand_off, "),
              thrown::toString);
          assertFalse(thrown.launchShape().isEmpty());
          assertFalse(thrown.deviceDead());
          assertTrue(
              assertThrows(IllegalStateException.class, () -> free.run(1, fields))
                  .getMessage()
                  .contains("reset the pool"));
          assertThrows(IllegalStateException.class, slots::recycled);
          assertThrows(IllegalStateException.class, () -> slots.grow(9));
        }
      }
      // What is freed once is fine, and the device as well.
      try (SlotPool slots = usedPool(device, free, attempts)) {
        free.run(
                4,
                new Fields()
                    .set("slots", slots)
                    .set("attempts", attempts)
                    .set("first", 0)
                    .set("times", 1)
                    .set("early", 0))
            .requireComplete();
        assertEquals(0, slots.live());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("devices")
  void workOnAPoolGoesOnOnAnotherDevice(String spec) {
    try (Device device = Device.open(spec);
        Device host = Device.open("cpu:2");
        KernelModule module = device.compile(Devices.source("rounds.cu"));
        KernelModule there = host.compile(Devices.source("rounds.cu"));
        DeviceArray<int[]> attempts = device.ints(4);
        SlotPool slots = usedPool(device, module.region("free_slots"), attempts);
        SlotPool copy = host.newSlotPool(20, 20);
        SlotPool small = host.newSlotPool(5, 0)) {
      copy.copyFrom(slots);
      assertArrayEquals(new int[] {4, 5}, sorted(copy.recycled()));
      assertEquals(6, copy.firstFresh());
      assertEquals(16, copy.free());
      StmOptions one = StmOptions.defaults().withThreadsInFlight(1);
      there
          .region("take_slots")
          .run(one, 1, new Fields().set("slots", copy).set("wanted", 3))
          .requireComplete();
      assertEquals(7, copy.live());
      slots.copyFrom(copy);
      assertEquals(7, slots.live());
      assertEquals(8, slots.capacity());
      module
          .region("take_slots")
          .run(one, 1, new Fields().set("slots", slots).set("wanted", 1))
          .requireComplete();
      assertEquals(0, slots.free());
      assertEquals(
          small + " is too small for " + slots.firstFresh() + " slots of " + slots,
          assertThrows(IllegalArgumentException.class, () -> small.copyFrom(slots)).getMessage());
      assertEquals(5, small.free());
      assertThrows(
          KernelFaultException.class,
          () ->
              module
                  .region("free_slots")
                  .run(
                      4,
                      new Fields()
                          .set("slots", slots)
                          .set("attempts", attempts)
                          .set("first", 0)
                          .set("times", 100)
                          .set("early", 0)));
      assertThrows(IllegalStateException.class, () -> copy.copyFrom(slots));
      slots.copyFrom(copy);
      assertEquals(7, slots.live());
    }
  }

  /** As far as others see it, a slot is taken by whoever takes it. */
  @ParameterizedTest
  @MethodSource("devices")
  void slotsCanBeTakenByTheHost(String spec) {
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("rounds.cu"));
        DeviceArray<int[]> attempts = device.ints(4);
        SlotPool slots = usedPool(device, module.region("free_slots"), attempts)) {
      assertArrayEquals(new int[] {4, 5}, sorted(slots.recycled()));
      assertEquals(6, slots.firstFresh());
      for (int[] wrong : new int[][] {{0}, {4, 4}, {7, 8}, {-1}, {5, 3}}) {
        assertThrows(
            IllegalArgumentException.class, () -> slots.take(wrong), () -> Arrays.toString(wrong));
        assertEquals(4, slots.free());
      }
      slots.take();
      slots.take(7, 4);
      assertArrayEquals(new int[] {5, 6}, sorted(slots.recycled()));
      assertEquals(8, slots.firstFresh());
      assertEquals(6, slots.live());
      StmOptions one = StmOptions.defaults().withThreadsInFlight(1);
      module
          .region("take_slots")
          .run(one, 1, new Fields().set("slots", slots).set("wanted", 2))
          .requireComplete();
      assertEquals(0, slots.free());
    }
  }

  private static int[] sorted(int[] values) {
    Arrays.sort(values);
    return values;
  }

  @Test
  void whatDoesNotFitIsRefused() {
    try (Device device = Device.open("cpu:1");
        Device other = Device.open("cpu:1");
        KernelModule module = device.compile(Devices.source("rounds.cu"));
        Tree tree = new Tree(device, 10);
        Worklist work = device.newWorklist(1);
        Worklist elsewhere = other.newWorklist(1);
        SlotPool pool = other.newSlotPool(1, 0)) {
      StmOptions options = StmOptions.defaults();
      Region region = module.region("grow_tree");
      work.fill(0);
      assertEquals(
          "region take_slots of "
              + module
              + " does not run in rounds: declare max_pushes in it, 0"
              + " if it pushes nothing",
          assertThrows(
                  IllegalStateException.class,
                  () ->
                      module
                          .region("take_slots")
                          .runRounds(
                              options,
                              work,
                              new Fields().set("slots", tree.slots).set("wanted", 1)))
              .getMessage());
      assertTrue(
          assertThrows(IllegalStateException.class, () -> region.run(1, tree.fields()))
              .getMessage()
              .endsWith("pushes items: run it in rounds"));
      assertThrows(
          IllegalArgumentException.class,
          () -> region.runRounds(options, elsewhere, tree.fields()));
      Fields wrong = tree.fields().set("slots", pool);
      assertTrue(
          assertThrows(
                  ArgumentMismatchException.class, () -> region.runRounds(options, work, wrong))
              .getMessage()
              .contains("a pool of slots (a SlotPool) on cpu:1"));
      wrong.set("slots", 3);
      assertThrows(ArgumentMismatchException.class, () -> region.runRounds(options, work, wrong));
      assertEquals(1, work.size());
      // New arguments that do not fit end the run; what waits is as it was.
      assertThrows(
          ArgumentMismatchException.class,
          () -> region.runRounds(options, work, round -> wrong, tree.fields()));
      assertEquals(3, work.size());
      work.close();
      assertThrows(
          IllegalStateException.class, () -> region.runRounds(options, work, tree.fields()));
      for (long capacity : new long[] {-1, 1L << 31}) {
        assertThrows(IllegalArgumentException.class, () -> device.newSlotPool(capacity, 0));
        assertThrows(IllegalArgumentException.class, () -> device.newWorklist(capacity));
      }
      assertThrows(IllegalArgumentException.class, () -> device.newSlotPool(5, 6));
      assertThrows(IllegalArgumentException.class, () -> tree.slots.grow(9));
      assertThrows(IllegalArgumentException.class, () -> tree.cells.grow(9));
      assertThrows(IllegalArgumentException.class, () -> tree.owner.grown(9));
      tree.slots.close();
      assertThrows(IllegalStateException.class, () -> tree.slots.grow(11));
    }
  }
}
