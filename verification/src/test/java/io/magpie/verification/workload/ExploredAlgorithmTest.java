package io.magpie.verification.workload;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelModule;
import io.magpie.stm.Policy;
import io.magpie.stm.Region;
import io.magpie.stm.SlotPool;
import io.magpie.stm.StmObjects;
import io.magpie.stm.StmOptions;
import io.magpie.stm.Worklist;
import io.magpie.verification.explore.Strategy;
import io.magpie.verification.explore.Violation.Kind;
import io.magpie.verification.workload.ExploredAlgorithm.Run;
import io.magpie.verification.workload.RegionWorkload.Runs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Runs of regions that are explored where an algorithm makes them. */
class ExploredAlgorithmTest {
  private static final Path REGIONS =
      Path.of(System.getProperty("magpie.basedir"), "src/test/regions");

  private static KernelModule compiled(Device device, String file) {
    String name = file.substring(file.indexOf('/') + 1).replace(".cu", "");
    return device.compile(
        REGIONS.resolve(file),
        RegionWorkload.defines(device, name, Runs.scheduled(Policy.HAND_OFF)));
  }

  @Test
  void eachRunBeginsWhereTheOneBeforeEnded() {
    try (Device device = Device.open("sim:1:4");
        KernelModule module = compiled(device, "right/atomics_in_hook.cu");
        StmObjects cells = device.objects(4);
        DeviceArray<int[]> values = device.copyOf(5, 5, 5, 5);
        DeviceArray<int[]> count = device.ints(1);
        DeviceArray<int[]> list = device.copyOf(6, 0, 6);
        ExploredAlgorithm explored = new ExploredAlgorithm(device)) {
      explored.explore(Strategy.pct(2), 7, 1);
      explored.explore(Strategy.random().overWeakMemory(), 3, 1);
      List<Integer> began = new ArrayList<>();
      explored.expect(
          "atomics_in_hook",
          (items, before, after) -> {
            began.add(((int[]) before.get("count"))[0]);
            int more = ((int[]) after.get("count"))[0] - ((int[]) before.get("count"))[0];
            return more == items.length ? Optional.empty() : Optional.of(more + " commits");
          });
      Region region = module.region("atomics_in_hook");
      Fields fields = new Fields().set("cells", cells).set("values", values).set("count", count);
      region.run(4, fields);
      region.runList(StmOptions.defaults(), list, 3, fields);
      region.run(0, fields);
      assertEquals(List.of(), explored.violations());
      assertEquals(7, count.getInt(0), "only what the algorithm ran itself is left");
      assertArrayEquals(new int[] {8, 7, 5, 7}, values.toArray());
      assertEquals(List.of(4L, 3L), explored.runs().stream().map(Run::items).toList());
      for (Run run : explored.runs()) {
        assertEquals(11, run.schedules());
        assertEquals(11 * run.items(), run.tally().commits());
        assertTrue(run.met() && run.checksData(), run::toString);
      }
      assertTrue(began.stream().limit(11).allMatch(each -> each == 0), began::toString);
      assertEquals(4, began.get(began.size() - 1));
    }
  }

  @Test
  void roundsAndPoolsAreMadeAsTheyWere() {
    try (Device device = Device.open("sim:1:1");
        KernelModule module = compiled(device, "right/slot_comes_back_in_the_next_round.cu");
        StmObjects shelves = device.objects(1);
        StmObjects boxes = device.objects(2);
        DeviceArray<int[]> held = device.copyOf(99);
        DeviceArray<int[]> load = device.ints(2);
        SlotPool slots = device.newSlotPool(2, 0);
        Worklist work = device.newWorklist(1);
        ExploredAlgorithm explored = new ExploredAlgorithm(device)) {
      work.fill(1);
      module
          .region("slot_comes_back_in_the_next_round")
          .runRounds(
              StmOptions.defaults(),
              work,
              new Fields()
                  .set("shelves", shelves)
                  .set("boxes", boxes)
                  .set("held", held)
                  .set("load", load)
                  .set("slots", slots));
      assertEquals(List.of(), explored.violations());
      assertEquals(6, explored.runs().size(), "items 1 to 6, each in a round");
      assertEquals(99, held.getInt(0), "what is taken in one round is freed in the next");
      assertEquals(0, slots.live());
    }
  }

  @Test
  void constInputsAreLeftAsTheyAre() {
    try (Device device = Device.open("sim:1:4");
        KernelModule module = compiled(device, "right/fixed_data_by_index.cu");
        StmObjects cells = device.objects(4);
        DeviceArray<int[]> weights = device.copyOf(1, 2, 3, 4);
        DeviceArray<int[]> values = device.copyOf(5, 5, 5, 5);
        ExploredAlgorithm explored = new ExploredAlgorithm(device)) {
      explored.explore(Strategy.random(), 3, 1);
      Fields fields =
          new Fields().set("cells", cells).set("weights", weights.asConst()).set("values", values);
      module.region("fixed_data_by_index").run(4, fields);
      assertEquals(List.of(), explored.violations());
      assertEquals(List.of(4L), explored.runs().stream().map(Run::schedules).toList());
      assertArrayEquals(new int[] {1, 2, 3, 4}, weights.toArray());
    }
  }

  @Test
  void whatIsWrongIsFoundAndLeftOut() {
    try (Device device = Device.open("sim:0:1");
        KernelModule module = compiled(device, "wrong/neighbor_by_index.cu");
        StmObjects cells = device.objects(4);
        DeviceArray<int[]> values = device.copyOf(5, 5, 5, 5)) {
      Fields fields = new Fields().set("cells", cells).set("values", values);
      try (ExploredAlgorithm explored = new ExploredAlgorithm(device)) {
        module.region("neighbor_by_index").run(4, fields);
        assertEquals(
            List.of(Kind.UNGUARDED_ACCESS),
            explored.violations().stream().map(each -> each.kind()).toList());
        assertTrue(
            explored.violations().get(0).text().endsWith("under the default schedule"),
            explored.violations()::toString);
      }
      module.region("neighbor_by_index").run(4, fields); // nobody is asked any more
      try (ExploredAlgorithm explored = new ExploredAlgorithm(device)) {
        explored.setMostItems(3);
        explored.expect("neighbor_by_index", (items, before, after) -> Optional.of("no"));
        module.region("neighbor_by_index").run(4, fields);
        assertEquals(List.of(), explored.runs());
        assertEquals(1, explored.leftOut());
      }
    }
  }

  @Test
  void anAlgorithmMayEndAtItsFirstViolation() {
    try (Device device = Device.open("sim:0:1");
        KernelModule module = compiled(device, "wrong/neighbor_by_index.cu");
        StmObjects cells = device.objects(4);
        DeviceArray<int[]> values = device.copyOf(5, 5, 5, 5);
        ExploredAlgorithm explored = new ExploredAlgorithm(device)) {
      explored.stopAtViolation();
      Region region = module.region("neighbor_by_index");
      Fields fields = new Fields().set("cells", cells).set("values", values);
      region.run(1, fields); // alone it meets nobody
      int[] before = values.toArray();
      String message =
          assertThrows(StoppedAtViolationException.class, () -> region.run(4, fields)).getMessage();
      assertTrue(message.startsWith("unguarded access: "), message);
      assertEquals(2, explored.runs().size());
      assertArrayEquals(before, values.toArray(), "the run itself was not made");
    }
  }

  @Test
  void onlySimulatorsExplore() {
    try (Device device = Device.open("cpu:1")) {
      assertThrows(IllegalArgumentException.class, () -> new ExploredAlgorithm(device));
    }
  }
}
