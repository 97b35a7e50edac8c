package io.magpie.stm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.simulator.Schedule;
import io.magpie.stm.simulator.Simulator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The policies that no module is shipped with: each is compiled for these tests. */
@Tag("comparisons")
class ComparisonPoliciesTest {
  private static final int ACCOUNTS = 300; // more than a KB of words

  private static final Set<Policy> COUNT_VISIBILITY =
      EnumSet.of(Policy.INVISIBLE_READS, Policy.INVISIBLE_READS_IN_PLACE);

  static Stream<Policy> policies() {
    return Stream.of(Policy.values()).filter(policy -> !Devices.SHIPPED.contains(policy));
  }

  static Stream<Arguments> devicesAndPolicies() {
    return Stream.of("cpu:2", "sim:1:4")
        .flatMap(spec -> policies().map(policy -> Arguments.of(spec, policy)));
  }

  private static int[] random(long seed, int n) {
    return new Random(seed).ints(n, 0, ACCOUNTS).toArray();
  }

  private static Fields fields(
      StmObjects objects,
      DeviceArray<int[]> balance,
      DeviceArray<int[]> from,
      DeviceArray<int[]> to) {
    return new Fields()
        .set("accounts", objects)
        .set("balance", balance)
        .set("from", from)
        .set("to", to)
        .set("amount", 7);
  }

  /** Also after another policy, whose words are in the same memory or are not, and after growth. */
  @ParameterizedTest
  @MethodSource("devicesAndPolicies")
  void transfersKeepTheTotal(String spec, Policy policy) {
    int items = 2000;
    StmOptions options = StmOptions.defaults().withTimeout(Duration.ofSeconds(60));
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("transfers.cu"));
        StmObjects objects = device.objects(ACCOUNTS);
        DeviceArray<int[]> balance = device.ints(ACCOUNTS);
        DeviceArray<int[]> from = device.copyOf(random(1, items));
        DeviceArray<int[]> to = device.copyOf(random(2, items))) {
      balance.fill(100);
      Region transfer = module.region("transfer");
      for (Policy each : List.of(policy, Policy.HAND_OFF, policy, policy)) {
        RegionReport report =
            transfer.run(options.withPolicy(each), items, fields(objects, balance, from, to));
        report.requireComplete();
        assertEquals(items, report.commits() + report.cancels(), report::toString);
        assertTrue(report.commits() > 0, report::toString);
        assertEquals(100L * ACCOUNTS, IntStream.of(balance.toArray()).asLongStream().sum());
        assertEquals(0, objects.claimed());
        assertArrayEquals(new long[0], objects.lockedObjects());
        assertEquals(
            COUNT_VISIBILITY.contains(each) ? 1 : Double.NaN,
            report.commits() == 0 ? Double.NaN : report.visibility(),
            report::toString);
        objects.grow(objects.count() + ACCOUNTS);
        assertEquals(0, objects.claimed());
      }
    }
  }

  /** Versions are counted by recordings in memory of their own: that of the objects may move. */
  @ParameterizedTest
  @MethodSource("devicesAndPolicies")
  void recordingsCountVersions(String spec, Policy policy) {
    int cells = 5;
    int items = 100;
    try (Device device = Device.open(spec);
        KernelModule module =
            device.compile(Devices.source("histories.cu"), recordingOnly("shift", policy));
        StmObjects objects = device.objects(cells);
        DeviceArray<int[]> value = device.ints(cells);
        Recording recording = device.recording(Recording.Options.defaults())) {
      module
          .region("shift")
          .record(
              recording,
              StmOptions.defaults().withPolicy(policy).withThreadsInFlight(8),
              items,
              new Fields().set("cells", objects).set("value", value))
          .requireComplete();
      recording.requireComplete();
      assertEquals(2 * items, Arrays.stream(recording.finalStamps(objects)).sum());
      assertEquals(0, objects.claimed());
    }
  }

  private static Map<String, String> recordingOnly(String region, Policy policy) {
    Map<String, String> defines = new HashMap<>(Devices.recording(policy));
    defines.put("MAGPIE_ONLY_REGION", region);
    return defines;
  }

  /** One that peeks is refused; others of its module run. */
  @ParameterizedTest
  @EnumSource(names = {"PESSIMISTIC_IN_PLACE", "INVISIBLE_READS_IN_PLACE"})
  void aRegionThatPeeksIsRefusedAloneWhereWritesAreInPlace(Policy policy) {
    StmOptions options = StmOptions.defaults().withPolicy(policy).withThreadsInFlight(1);
    try (Device device = Device.open("cpu:1");
        KernelModule module = device.compile(Devices.source("reaching_past.cu"));
        StmObjects cells = device.objects(2);
        DeviceArray<int[]> value = device.ints(2)) {
      Fields fields = new Fields().set("cells", cells).set("value", value);
      for (int turn = 1; turn <= 2; turn++) {
        module.region("moves").run(options, 2, fields).requireComplete();
        assertArrayEquals(new int[] {turn, turn}, value.toArray());
        CompilationException refused =
            assertThrows(
                CompilationException.class, () -> module.region("peeks").run(options, 2, fields));
        assertTrue(refused.getMessage().contains("may be undone"), refused::getMessage);
        assertArrayEquals(new int[] {turn, turn}, value.toArray());
      }
      module.region("also_moves").run(options, 2, fields).requireComplete();
      assertArrayEquals(new int[] {4, 4}, value.toArray());
      StmOptions logged = options.withPolicy(Policy.PESSIMISTIC);
      module.region("peeks").run(logged, 2, fields).requireComplete();
      assertArrayEquals(new int[] {8, 8}, value.toArray());
    }
  }

  /** A peek could see what is undone later. */
  @ParameterizedTest
  @EnumSource(names = {"PESSIMISTIC_IN_PLACE", "INVISIBLE_READS_IN_PLACE"})
  void whatReachesDataPastItsTransactionDoesNotCompileWhereWritesAreInPlace(Policy policy) {
    try (Device device = Device.open("cpu:1")) {
      CompilationException refused =
          assertThrows(
              CompilationException.class,
              () -> device.compile(Devices.source("histories.cu"), recordingOnly("stare", policy)));
      assertTrue(
          refused
              .getMessage()
              .contains(
                  "what peek, glance and leave_hint reach past a transaction may be undone; run the"
                      + " region under another policy, such as pessimistic"),
          refused::getMessage);
    }
  }

  /**
   * Transactions that outgrow their logs get larger ones. One at a time where no progress is
   * promised: those of 50 objects of 60 would make each other fail.
   */
  @ParameterizedTest
  @MethodSource("devicesAndPolicies")
  void logsGrow(String spec, Policy policy) {
    int cells = 60;
    int items = 40;
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("transfers.cu"));
        StmObjects objects = device.objects(cells);
        DeviceArray<int[]> value = device.ints(cells)) {
      RegionReport report =
          module
              .region("sweep")
              .run(
                  StmOptions.defaults()
                      .withPolicy(policy)
                      .withThreadsInFlight(policy.progress().excludesLivelock() ? 0 : 1),
                  items,
                  new Fields()
                      .set("cells", objects)
                      .set("value", value)
                      .set("every", 4)
                      .set("many", 50));
      assertTrue(report.requireComplete().passes().size() > 1, report::toString);
      assertEquals(items / 4 * 50 + items / 4 * 3, Arrays.stream(value.toArray()).sum());
      assertEquals(0, objects.claimed());
    }
  }

  /** Neither a number of threads nor memory that is refused does harm: nothing has run. */
  @Test
  void descriptorsThatThereCannotBeAreRefusedBeforeTheRun() {
    int tooMany = 5_592_406;
    int few = 100;
    long bytes = 65_536 + few * (48 + 432 * 2 + 216 * 2L);
    AtomicBoolean scarce = new AtomicBoolean();
    try (Device device = Devices.openScarce("cpu:1", asked -> asked != bytes || !scarce.get());
        KernelModule module = device.compile(Devices.source("transfers.cu"));
        StmObjects objects = device.objects(ACCOUNTS);
        DeviceArray<int[]> balance = device.ints(ACCOUNTS);
        DeviceArray<int[]> from = device.copyOf(random(1, few));
        DeviceArray<int[]> to = device.copyOf(random(2, few))) {
      Region transfer = module.region("transfer");
      assertEquals(2, transfer.maxObjects());
      assertEquals(2, transfer.maxWrites());
      balance.fill(100);
      Fields fields = fields(objects, balance, from, to);
      StmOptions options = StmOptions.defaults().withPolicy(Policy.OBSTRUCTION_FREE);
      MagpieException refused =
          assertThrows(
              MagpieException.class,
              () -> transfer.run(options.withThreadsInFlight(tooMany), tooMany, fields));
      assertTrue(
          refused.getMessage().contains("this one has 5,592,406: ask for fewer"),
          refused::getMessage);
      scarce.set(true);
      DeviceOutOfMemoryException noRoom =
          assertThrows(
              DeviceOutOfMemoryException.class,
              () -> transfer.run(options.withThreadsInFlight(few), few, fields));
      assertEquals(bytes, noRoom.neededBytes());
      assertTrue(
          noRoom
              .getMessage()
              .startsWith(
                  "cpu:1: table of descriptors, 1,344 bytes for each of 100 threads, needs 199,936"
                      + " bytes, "),
          noRoom::getMessage);
      assertTrue(
          noRoom.getMessage().endsWith(": ask for fewer threads with StmOptions.threadsInFlight"),
          noRoom::getMessage);
      int[] untouched = new int[ACCOUNTS];
      Arrays.fill(untouched, 100);
      assertArrayEquals(untouched, balance.toArray());
      transfer.run(options.withThreadsInFlight(few / 2), few, fields).requireComplete();
    }
  }

  /** What earlier launches left in memory that transactions share does not change what one does. */
  @ParameterizedTest
  @MethodSource("policies")
  void aScheduleIsTheSameWhateverMemoryHeld(Policy policy) {
    try (Device device = Device.open("sim:4:32");
        KernelModule module = device.compile(Devices.source("transfers.cu"))) {
      List<String> alone = new ArrayList<>();
      for (int seed = 0; seed < 400; seed++) {
        alone.add(outcome(device, module.region("transfer"), policy, seed));
      }
      for (int seed = 0; seed < 400; seed++) {
        sweep(device, module.region("sweep"), policy, seed);
        String afterAnother = outcome(device, module.region("transfer"), policy, seed);
        assertEquals(alone.get(seed), afterAnother, "seed " + seed);
      }
    }
  }

  /** Leaves descriptors of another size, with other values, in the same memory. */
  private static void sweep(Device device, Region sweep, Policy policy, long seed) {
    device.simulator().setSchedule(Schedule.randomWalk(seed));
    try (StmObjects objects = device.objects(7);
        DeviceArray<int[]> value = device.ints(7)) {
      sweep.run(
          StmOptions.defaults().withPolicy(policy).withThreadsInFlight(32).withMaxAttempts(60),
          64,
          new Fields().set("cells", objects).set("value", value).set("every", 1).set("many", 1));
    }
  }

  private static String outcome(Device device, Region transfer, Policy policy, long seed) {
    int items = 64;
    device.simulator().setSchedule(Schedule.pct(seed, 5, 4000).withWeakMemory());
    try (StmObjects objects = device.objects(2);
        DeviceArray<int[]> balance = device.ints(2);
        DeviceArray<int[]> from = device.copyOf(new Random(3).ints(items, 0, 2).toArray());
        DeviceArray<int[]> to = device.copyOf(new Random(4).ints(items, 0, 2).toArray())) {
      balance.fill(100);
      transfer.run(
          StmOptions.defaults().withPolicy(policy).withThreadsInFlight(32).withMaxAttempts(60),
          items,
          fields(objects, balance, from, to));
      Simulator.Trace trace = device.simulator().lastTrace();
      return trace.steps() + " steps, hash " + trace.hash();
    }
  }
}
