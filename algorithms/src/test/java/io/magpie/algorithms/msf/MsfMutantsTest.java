package io.magpie.algorithms.msf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.msf.MsfOptions.Traversal;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelModule;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The verifier notices what mutants.cuh breaks. */
class MsfMutantsTest {
  private static final Map<String, String> DEFINES = Map.of("MAGPIE_MSF_MUTANTS", "1");
  private static final int NO_MUTANT = 0;
  private static final int TIES_UNBROKEN = 1;
  private static final int PASSERS_SHORTEN = 2;
  private static final int PAIRS = 60;
  private static final int SCHEDULES = 20;

  /** Shorter than the walk of one pass. */
  private static final int CHAIN = 40;

  private static final MsfOptions OPTIONS =
      MsfOptions.defaults().withTraversal(Traversal.COMPONENT_SPACE);

  /**
   * Three pairs of vertices: in round two the first has an edge of weight 5 to each of the others,
   * from either of its vertices, and these have one of weight 1 to each other. A forest has one of
   * weight 5. Many times over, so that the schedule decides of some what goes first.
   */
  private static Graph tiedPairs(int different) {
    GraphBuilder builder = new GraphBuilder(6 * PAIRS, true);
    for (int base = 0; base < 6 * PAIRS; base += 6) {
      builder.addEdge(base, base + 1, 0).addEdge(base + 2, base + 3, 0);
      builder.addEdge(base + 4, base + 5, 0);
      builder.addEdge(base, base + 2, 5).addEdge(base + 1, base + 4, 5 + different);
      builder.addEdge(base + 3, base + 5, 1);
    }
    return builder.build();
  }

  @ParameterizedTest
  @ValueSource(strings = {"cpu:1", "cpu:4", "sim:1:4", "sim:2:32"})
  @Tag("slow")
  void equalWeightsNeedTiesBroken(String spec) {
    Graph tied = tiedPairs(0);
    try (Device device = Device.open(spec)) {
      device.define("msf", DEFINES);
      choose(device, NO_MUTANT);
      assertEquals(List.of(), complaints(device, tied));
      choose(device, TIES_UNBROKEN);
      assertNotEquals(List.of(), complaints(device, tied), "goes unnoticed");
      assertEquals(List.of(), complaints(device, tiedPairs(1)), "distinct weights do without");
    }
  }

  /**
   * Under every schedule each component points to its root, unless the launch says that some do
   * not; and under some it would not, had a word two writers.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 4, 32})
  @Tag("slow") // compiles
  void componentsAreFlattenedByTheirOwners(int width) {
    int noticed = 0;
    for (int seed = 1; seed <= SCHEDULES; seed++) {
      try (Device device = Device.open("sim:" + seed + ":" + width)) {
        device.define("msf", DEFINES);
        for (boolean nominated : new boolean[] {false, true}) {
          choose(device, NO_MUTANT);
          assertEquals(0, falselyFlat(device, nominated), "schedule " + seed);
          choose(device, PASSERS_SHORTEN);
          noticed += falselyFlat(device, nominated) > 0 ? 1 : 0;
        }
      }
    }
    assertTrue(noticed > 0, "goes unnoticed");
  }

  /** How many of a chain of hooked components a launch takes to their root, but are not. */
  private static int falselyFlat(Device device, boolean nominated) {
    int[] losers = IntStream.rangeClosed(1, CHAIN).toArray();
    long[] ends = IntStream.of(losers).mapToLong(v -> (long) v << 32).toArray();
    try (KernelModule module = device.load("msf");
        DeviceArray<int[]> parent =
            device.copyOf(IntStream.rangeClosed(0, CHAIN).map(v -> Math.max(0, v - 1)).toArray());
        DeviceArray<int[]> list = device.copyOf(losers);
        DeviceArray<long[]> own = device.copyOf(ends);
        DeviceArray<int[]> counters = device.ints(module.intConstant("record_words"))) {
      counters.set(module.intConstant("record_least"), CHAIN);
      Fields fields = new Fields().set("round", 0).set("counters", counters);
      Fields components =
          new Fields()
              .set("parent", parent)
              .set("edge_of", list)
              .set("best", own); // unused but one
      module
          .kernel(nominated ? "flatten_nominated" : "flatten_losers")
          .run(
              CHAIN,
              nominated
                  ? fields.set("ends", own).set("arcs", list).set("parent", parent)
                  : fields.set("losers", list).set("components", components));
      boolean deep = counters.getInt(module.intConstant("record_deep")) != 0;
      return deep ? 0 : (int) IntStream.of(parent.toArray()).filter(p -> p != 0).count();
    }
  }

  private static List<String> complaints(Device device, Graph graph) {
    return MsfVerifier.verify(MinimumSpanningForest.run(device, graph, OPTIONS));
  }

  private static void choose(Device device, int number) {
    try (KernelModule module = device.load("msf")) {
      module.kernel("choose_msf_mutant").run(1, new Fields().set("number", number));
    }
  }
}
