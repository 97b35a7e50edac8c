package io.magpie.algorithms;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.AlgorithmWithRegions.Size;
import io.magpie.stm.Device;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelModule;
import io.magpie.stm.Policy;
import io.magpie.stm.StmOptions;
import io.magpie.verification.explore.Strategy;
import io.magpie.verification.explore.Violation.Kind;
import io.magpie.verification.mutation.Mutant;
import io.magpie.verification.workload.ExploredAlgorithm;
import io.magpie.verification.workload.ExploredAlgorithm.Run;
import io.magpie.verification.workload.RegionWorkload;
import io.magpie.verification.workload.StoppedAtViolationException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every region of every algorithm, where the algorithm runs it, under many schedules: nothing is
 * wrong with data, by any of the checks that {@code magpie verify} has for regions of others.
 */
class ExploredRegionsTest {
  private static final SharedDevices OPEN = new SharedDevices(AlgorithmWithRegions::openRecorded);

  /** What checks of data call a datum that is used under the wrong object, or what comes of it. */
  private static final Set<Kind> OF_DATA =
      EnumSet.of(
          Kind.GUARD_MISMATCH,
          Kind.UNGUARDED_ACCESS,
          Kind.WRONG_RESULT,
          Kind.UNCHECKED_HINT,
          Kind.NOT_REPEATABLE,
          Kind.INVARIANT);

  /** Explores an algorithm's regions, with what is known of them. */
  private static ExploredAlgorithm explored(Device device, AlgorithmWithRegions algorithm) {
    ExploredAlgorithm explored = new ExploredAlgorithm(device);
    for (String region : algorithm.regions) {
      if (region.startsWith("merge_chosen") || region.startsWith("merge_nominated")) {
        // A root is hooked under what a hint says is the other root, and may be below it by then.
        explored.leaveOutSerialOrder(region);
        explored.expect(
            region,
            region.startsWith("merge_chosen")
                ? ExploredRegionsTest::joinsChosen
                : ExploredRegionsTest::joinsEnds);
      } else if (region.startsWith("unite_")) {
        explored.leaveOutSerialOrder(region);
        explored.expect(
            region,
            region.equals("unite_sampled")
                ? ExploredRegionsTest::joinsSampled
                : ExploredRegionsTest::joinsEnds);
      } else if (region.equals("collapse_cycle")) {
        // Which steps a node's way to its root has depends on the order.
        explored.leaveOutSerialOrder(region);
        explored.expect(region, ExploredRegionsTest::mergesCycles);
      }
    }
    return explored;
  }

  /** After the first round's merge: the trees are the components that the choices join. */
  private static Optional<String> joinsChosen(
      int[] items, Map<String, Object> before, Map<String, Object> after) {
    int[] to = (int[]) before.get("to");
    List<int[]> joined = new ArrayList<>();
    for (int v : items) {
      joined.add(new int[] {v, to[v]});
    }
    return joins(joined, before, after);
  }

  /** Of components: each vertex is joined with its first neighbor, or each with its second one. */
  private static Optional<String> joinsSampled(
      int[] items, Map<String, Object> before, Map<String, Object> after) {
    return joinsNeighbors(0, items, before, after)
        .flatMap(wrong -> joinsNeighbors(1, items, before, after));
  }

  private static Optional<String> joinsNeighbors(
      int nth, int[] items, Map<String, Object> before, Map<String, Object> after) {
    int[] offsets = (int[]) before.get("offsets");
    int[] neighbors = (int[]) before.get("neighbors");
    List<int[]> joined = new ArrayList<>();
    for (int v : items) {
      if (offsets[v] + nth < offsets[v + 1]) {
        joined.add(new int[] {v, neighbors[offsets[v] + nth]});
      }
    }
    return joins(joined, before, after);
  }

  /** What the listed edges join. */
  private static Optional<String> joinsEnds(
      int[] items, Map<String, Object> before, Map<String, Object> after) {
    long[] ends = (long[]) before.get("ends");
    List<int[]> joined = new ArrayList<>();
    for (int e : items) {
      joined.add(new int[] {(int) (ends[e] >>> 32), (int) ends[e]});
    }
    return joins(joined, before, after);
  }

  private static Optional<String> joins(
      List<int[]> joined, Map<String, Object> before, Map<String, Object> after) {
    int[] expected = ((int[]) before.get("parent")).clone();
    int[] parent = (int[]) after.get("parent");
    for (int v = 0; v < parent.length; v++) {
      if (parent[v] > v) {
        return Optional.of("vertex " + v + " has the greater parent " + parent[v]);
      }
    }
    for (int[] edge : joined) {
      int u = root(expected, edge[0]);
      int v = root(expected, edge[1]);
      expected[Math.max(u, v)] = Math.min(u, v);
    }
    return IntStream.range(0, parent.length)
        .filter(v -> root(parent, v) != root(expected, v))
        .mapToObj(
            v -> "vertex " + v + " has root " + root(parent, v) + ", not " + root(expected, v))
        .findFirst();
  }

  /** Of points-to analysis: nodes have one root if items join them, the least of these nodes. */
  private static Optional<String> mergesCycles(
      int[] items, Map<String, Object> before, Map<String, Object> after) {
    int mergeSize = AlgorithmWithRegions.MERGE_SIZE;
    int[] members = (int[]) before.get("groups.members");
    int[] expected = ((int[]) before.get("nodes.rep")).clone();
    for (int item : items) {
      int owner = ((int[]) before.get("groups.item_owner"))[item];
      int begin = ((int[]) before.get("groups.begin"))[owner];
      int end = begin + ((int[]) before.get("groups.sizes"))[owner];
      int at = ((int[]) before.get("groups.item_at"))[item];
      for (int i = at; i < Math.min(end, at + mergeSize - 1); i++) {
        int u = root(expected, members[begin]);
        int v = root(expected, members[i]);
        expected[Math.max(u, v)] = Math.min(u, v);
      }
    }
    int[] rep = (int[]) after.get("nodes.rep");
    for (int v = 0; v < rep.length; v++) {
      if (rep[v] > v) {
        return Optional.of("for node " + v + " stands the greater " + rep[v]);
      }
      if (root(rep, v) != root(expected, v)) {
        return Optional.of(
            "node " + v + " has root " + root(rep, v) + ", not " + root(expected, v));
      }
    }
    return Optional.empty();
  }

  private static int root(int[] parent, int v) {
    int at = v;
    while (parent[at] != at) {
      at = parent[at];
    }
    return at;
  }

  /** What was explored says something of each region. */
  private static void requireAll(AlgorithmWithRegions algorithm, ExploredAlgorithm explored) {
    Set<String> seen = new TreeSet<>();
    for (Run run : explored.runs()) {
      assertTrue(run.checksData(), run::toString);
      if (run.tally().commits() > 0 && run.met()) {
        seen.add(run.region());
      }
    }
    assertEquals(new TreeSet<>(algorithm.regions), seen, "regions of which some items met");
    assertEquals(0, explored.leftOut());
  }

  private static void check(
      AlgorithmWithRegions algorithm, Device device, List<Integer> inputs, int schedules) {
    try (ExploredAlgorithm explored = explored(device, algorithm)) {
      explored.explore(Strategy.pct(2), schedules, 1);
      explored.explore(Strategy.random(), schedules, 1);
      if (schedules > 1) {
        explored.explore(Strategy.pct(2).overWeakMemory(), schedules, 1);
      }
      for (int input : inputs) {
        algorithm.run(device, Size.TINY, input, StmOptions.defaults());
        assertEquals(List.of(), explored.violations(), "input " + input);
      }
      requireAll(algorithm, explored);
    }
  }

  static Stream<Arguments> everything() {
    return Stream.of("sim:1:1", "sim:1:4")
        .flatMap(
            spec ->
                AlgorithmWithRegions.tested().stream()
                    .map(algorithm -> Arguments.of(algorithm, spec)));
  }

  /** Cavities take many steps: those of a mesh are looked at in one input, large ones at length. */
  static Stream<Arguments> most() {
    return everything()
        .filter(
            each ->
                each.get()[0] != AlgorithmWithRegions.LARGE_CAVITIES
                    && (each.get()[0] != AlgorithmWithRegions.MESH_REFINEMENT
                        || each.get()[1].equals("sim:1:4")));
  }

  @ParameterizedTest
  @MethodSource("most")
  void nothingIsWrongWithData(AlgorithmWithRegions algorithm, String spec) {
    boolean ofMesh = algorithm == AlgorithmWithRegions.MESH_REFINEMENT;
    check(algorithm, OPEN.device(spec), ofMesh ? List.of(2) : List.of(1, 2, 3), 1);
  }

  /**
   * Without reads that are validated a walk may come to more vertices than its log holds, under
   * some of so many schedules; then it is run again by another launch, which these do not steer.
   */
  static Stream<Arguments> inOneLaunch() {
    return everything()
        .filter(
            each ->
                each.get()[0] != AlgorithmWithRegions.FOREST_OVER_VERTICES_UNVALIDATED
                    || each.get()[1].equals("sim:1:1"));
  }

  @Tag("slow")
  @ParameterizedTest
  @MethodSource("inOneLaunch")
  void nothingIsWrongWithDataInMoreSchedules(AlgorithmWithRegions algorithm, String spec) {
    boolean ofMesh = algorithm.module.equals("mesh"); // takes a hundred times as long
    check(algorithm, OPEN.device(spec), ofMesh ? List.of(0) : List.of(0, 1, 2, 3), 2);
  }

  /**
   * What the checks are worth: of items that open another object than the one that guards a datum
   * they tell in each algorithm.
   */
  @Tag("slow") // compiles
  @ParameterizedTest
  @EnumSource
  void aWrongGuardIsNoticed(AlgorithmWithRegions algorithm) {
    try (Device device = Device.open("sim:2:1")) {
      Map<String, String> defines = new HashMap<>(RegionWorkload.defines(device));
      defines.put("MAGPIE_POLICY", Policy.HAND_OFF.kernelName());
      defines.put("MAGPIE_ONLY_FIXED_LOGS", "1"); // inputs are small
      defines.putAll(Mutant.defines());
      device.define(algorithm.module, defines);
      EnumSet<Kind> found = EnumSet.noneOf(Kind.class);
      try (KernelModule module = device.load(algorithm.module);
          ExploredAlgorithm explored = explored(device, algorithm)) {
        int mutant = module.intConstant("mutant::neighbor_opened");
        module.kernel("choose_mutant").run(1, new Fields().set("number", mutant));
        explored.stopAtViolation();
        explored.explore(Strategy.random(), 20, 1);
        explored.explore(Strategy.pct(2), 20, 1);
        for (int input = 0; input < 4 && found.isEmpty(); input++) {
          try {
            algorithm.run(device, Size.TINY, input, StmOptions.defaults());
          } catch (StoppedAtViolationException e) {
            explored.violations().forEach(each -> found.add(each.kind()));
          }
        }
        module.kernel("choose_mutant").run(1, new Fields().set("number", 0));
      }
      found.retainAll(OF_DATA);
      assertFalse(found.isEmpty(), "nothing found");
    }
  }
}
