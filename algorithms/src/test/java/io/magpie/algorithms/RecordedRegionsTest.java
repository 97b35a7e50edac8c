package io.magpie.algorithms;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.graph.DirectedGraph;
import io.magpie.algorithms.components.ComponentsOptions;
import io.magpie.algorithms.components.ComponentsOptions.Form;
import io.magpie.algorithms.components.ComponentsOptions.Output;
import io.magpie.algorithms.components.ConnectedComponents;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.mesh.DelaunayTriangulation;
import io.magpie.algorithms.mesh.MeshGenerators;
import io.magpie.algorithms.mesh.PlanarGraph;
import io.magpie.algorithms.mesh.refine.MeshRefinement;
import io.magpie.algorithms.mesh.refine.RefinementOptions;
import io.magpie.algorithms.msf.MinimumSpanningForest;
import io.magpie.algorithms.msf.MsfOptions;
import io.magpie.algorithms.msf.MsfOptions.Reads;
import io.magpie.algorithms.msf.MsfOptions.Traversal;
import io.magpie.algorithms.partition.PartitionOptions;
import io.magpie.algorithms.partition.PartitionOptions.Effort;
import io.magpie.algorithms.partition.PartitionOptions.Matching;
import io.magpie.algorithms.partition.PartitionOptions.Refinement;
import io.magpie.algorithms.partition.PartitionerRuns;
import io.magpie.algorithms.paths.PathsOptions;
import io.magpie.algorithms.paths.PathsOptions.Lengths;
import io.magpie.algorithms.paths.PathsOptions.Predecessors;
import io.magpie.algorithms.paths.PathsOptions.Sync;
import io.magpie.algorithms.paths.ShortestPaths;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.KernelModule;
import io.magpie.stm.Policy;
import io.magpie.stm.Recording;
import io.magpie.stm.RunRecorder;
import io.magpie.stm.RunRecorder.RecordedRun;
import io.magpie.stm.StmOptions;
import io.magpie.stm.UnfinishedItemsException;
import io.magpie.stm.simulator.Schedule;
import io.magpie.verification.check.Verdict.Level;
import io.magpie.verification.check.Verdict.Opacity;
import io.magpie.verification.explore.Violation.Kind;
import io.magpie.verification.mutation.Mutant;
import io.magpie.verification.workload.RecordedAlgorithm;
import io.magpie.verification.workload.RecordedAlgorithm.Run;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every region of every algorithm, in runs of the algorithm that are recorded: strictly
 * serializable, opaque where reads are validated, every item ended once, no word left claimed. Of
 * refinement that is about the objects open at commit, not about what is sought before.
 */
class RecordedRegionsTest {
  private static final List<String> MODULES =
      List.of("partition", "msf", "mesh", "components", "paths");
  private static final SharedDevices OPEN = new SharedDevices(RecordedRegionsTest::open);

  /**
   * Runs of {@code priority_rule}, which promises no end, have one all the same: here after a time,
   * on a simulator, where a busy machine would leave too little in it, after many attempts.
   */
  private static final Duration LIMIT_WITHOUT_PROGRESS = Duration.ofMillis(500);

  /** The same of broken regions, under any policy: few of their runs come to it. */
  private static final Duration LIMIT_OF_BROKEN = Duration.ofSeconds(10);

  private static final int PAUSE_NANOS = 65_536;
  private static final int MOST_ATTEMPTS = 100;
  private static final int MOST_INPUTS = 16;

  /** Inputs that a broken commit is looked for in, and that an unbroken one is to have none in. */
  private static final int MOST_SMALL_INPUTS = 12;

  /** The same of tiny inputs, each with a schedule of its own. */
  private static final int MOST_INTERRUPTED_INPUTS = 100;

  /** One more than priorities change in each of these schedules. */
  private static final int DEPTH = 40;

  /**
   * Steps that the changes are spread over: the first of up to 1,100, since most of a tiny input's
   * transactions begin there.
   */
  private static final long STEPS = 300;

  /** On a GPU, so that each thread's log can have the records of a hub. */
  private static final int MOST_IN_FLIGHT = 1 << 12;

  private static final long WORDS_OF_LOG = 1 << 13;

  /** How large inputs are. */
  private enum Size {
    /** For schedules. */
    TINY,
    SMALL,
    /** For threads that really run at once: fewer items hardly meet. */
    LARGE;

    <T> T of(T tiny, T small, T large) {
      return switch (this) {
        case TINY -> tiny;
        case SMALL -> small;
        case LARGE -> large;
      };
    }
  }

  /** An algorithm with the regions that it runs. */
  private enum Algorithm {
    PARTITION("partition", "match_pair", "move_vertex") {
      @Override
      void run(Device device, Size size, int input, StmOptions stm) {
        PartitionerRuns.whole(device, graph(size, input), partition(Refinement.STM, stm, input));
      }
    },
    PARTITION_RESERVED("partition", "match_pair", "move_vertex_reserved") {
      @Override
      void run(Device device, Size size, int input, StmOptions stm) {
        PartitionerRuns.whole(
            device, graph(size, input), partition(Refinement.STM_RESERVED, stm, input));
      }
    },
    MOVES("partition", "move_vertex") {
      @Override
      void run(Device device, Size size, int input, StmOptions stm) {
        PartitionerRuns.refinementOfRandomParts(
            device, graph(size, input), partition(Refinement.STM, stm, input), input);
      }
    },
    MOVES_RESERVED("partition", "move_vertex_reserved") {
      @Override
      void run(Device device, Size size, int input, StmOptions stm) {
        PartitionerRuns.refinementOfRandomParts(
            device, graph(size, input), partition(Refinement.STM_RESERVED, stm, input), input);
      }
    },
    FOREST("msf", "merge_chosen", "merge_list") {
      @Override
      void run(Device device, Size size, int input, StmOptions stm) {
        forest(device, graph(size, input), Traversal.EDGE, Reads.VALIDATED, stm);
      }
    },
    FOREST_UNVALIDATED("msf", "merge_chosen_unvalidated", "merge_list_unvalidated") {
      @Override
      void run(Device device, Size size, int input, StmOptions stm) {
        forest(device, graph(size, input), Traversal.EDGE, Reads.UNVALIDATED, stm);
      }
    },
    FOREST_OVER_VERTICES("msf", "merge_vertices") {
      @Override
      void run(Device device, Size size, int input, StmOptions stm) {
        forest(device, graph(size, input), Traversal.VERTEX, Reads.VALIDATED, stm);
      }
    },
    /**
     * Without a third vertex that would walk for ever where a broken merge links two to each other.
     */
    PAIRS_OVER_VERTICES("msf", "merge_vertices") {
      @Override
      void run(Device device, Size size, int input, StmOptions stm) {
        Graph pairs = pairs(size.of(8, 100, 5000));
        forest(device, pairs, Traversal.VERTEX, Reads.VALIDATED, stm);
      }
    },
    FOREST_OVER_VERTICES_UNVALIDATED("msf", "merge_vertices_unvalidated") {
      @Override
      void run(Device device, Size size, int input, StmOptions stm) {
        forest(device, graph(size, input), Traversal.VERTEX, Reads.UNVALIDATED, stm);
      }
    },
    PATHS("paths", "take_offer") {
      @Override
      void run(Device device, Size size, int input, StmOptions stm) {
        DirectedGraph graph = DirectedGraph.of(graph(size, input));
        ShortestPaths.run(
            device,
            graph,
            begin(graph, input),
            PathsOptions.defaults()
                .withLengths(Lengths.WEIGHTS)
                .withPredecessors(Predecessors.WITH_DISTANCE)
                .withSync(Sync.TRANSACTIONAL)
                .withStm(stm));
      }
    },
    COMPONENTS("components", "unite_sampled", "unite_listed") {
      @Override
      void run(Device device, Size size, int input, StmOptions stm) {
        components(device, stars(size.of(8, 30, 1500), input), Output.LABELS, stm);
      }
    },
    SPANNING_FOREST("components", "unite_sampled", "unite_listed") {
      @Override
      void run(Device device, Size size, int input, StmOptions stm) {
        components(device, stars(size.of(8, 30, 1500), input), Output.FOREST, stm);
      }
    },
    MESH_REFINEMENT("mesh", "refine") {
      @Override
      void run(Device device, Size size, int input, StmOptions stm) {
        int points = size.of(12, 60, 5000); // so many never make good triangles only
        refine(device, MeshGenerators.generate("uniform:" + points + ",seed=" + input), stm);
      }
    },
    LARGE_CAVITIES("mesh", "refine", "refine_large") {
      @Override
      void run(Device device, Size size, int input, StmOptions stm) {
        refine(device, ring(size.of(40, 60 + input, 500)), stm);
      }
    };

    final String module;
    final Set<String> regions;

    Algorithm(String module, String... regions) {
      this.module = module;
      this.regions = Set.of(regions);
    }

    abstract void run(Device device, Size size, int input, StmOptions stm);

    private static PartitionOptions partition(Refinement refinement, StmOptions stm, int seed) {
      return PartitionOptions.of(4)
          .withImbalance(0.1)
          .withEffort(Effort.FAST)
          .withMatching(Matching.STM)
          .withRefinement(refinement)
          .withSeed(seed)
          .withStm(stm);
    }

    private static void forest(
        Device device, Graph graph, Traversal traversal, Reads reads, StmOptions stm) {
      MinimumSpanningForest.run(
          device,
          graph,
          MsfOptions.defaults().withTraversal(traversal).withReads(reads).withStm(stm));
    }

    private static void components(Device device, Graph graph, Output output, StmOptions stm) {
      ConnectedComponents.run(
          device,
          graph,
          ComponentsOptions.defaults()
              .withForm(Form.TRANSACTIONAL)
              .withOutput(output)
              .withStm(stm));
    }

    private static void refine(Device device, PlanarGraph points, StmOptions stm) {
      // After so many attempts an item is left to the next round, so that rounds end.
      StmOptions bounded =
          stm.policy() == Policy.HAND_OFF
              ? stm
              : stm.withMaxAttempts(MOST_ATTEMPTS).withTimeout(StmOptions.defaults().timeout());
      MeshRefinement.run(
          device,
          DelaunayTriangulation.of(points),
          RefinementOptions.defaults().withBatch(1).withStm(bounded));
    }

    /**
     * A grid, an irregular graph, a star and a random one by turns, all large enough to be made
     * coarser: then some region runs.
     */
    private static Graph graph(Size size, int input) {
      String spec =
          switch (input % 4) {
            case 0 -> "grid:" + size.of(6, 12, 60);
            case 1 -> "rmat:scale=" + size.of("6,edges=70", "7,edges=400", "10,edges=5000");
            case 2 -> "random:" + size.of("n=36,m=80", "n=100,m=250", "n=3000,m=9000");
            default -> "star:n=" + size.of(36, 60, 500);
          };
      return GraphGenerators.generate(spec + ",weights=1..9,seed=" + input);
    }

    /** A vertex from which an arc leads to another: then some region runs. */
    private static int begin(DirectedGraph graph, int input) {
      int v = input % graph.vertices();
      while (!leadsOn(graph, v)) {
        v = (v + 1) % graph.vertices();
      }
      return v;
    }

    private static boolean leadsOn(DirectedGraph graph, int v) {
      return IntStream.range(graph.offsets()[v], graph.offsets()[v + 1])
          .anyMatch(a -> graph.neighbors()[a] != v);
    }

    /** Vertices that are joined two by two, half of all apart. */
    private static Graph pairs(int pairs) {
      GraphBuilder graph = new GraphBuilder(2 * pairs, false);
      for (int v = 0; v < pairs; v++) {
        graph.addEdge(v, pairs + v);
      }
      return graph.build();
    }

    /**
     * Stars of three rays, whose hubs are joined at random: a sample of each vertex's first two
     * arcs has something to unite, and leaves something.
     */
    private static Graph stars(int stars, int seed) {
      GraphBuilder graph = new GraphBuilder(4 * stars, false);
      for (int hub = 3; hub < 4 * stars; hub += 4) {
        graph.addEdge(hub, hub - 3).addEdge(hub, hub - 2).addEdge(hub, hub - 1);
      }
      Random random = new Random(seed);
      for (int link = 0; link < 2 * stars; link++) {
        graph.addEdge(4 * random.nextInt(stars) + 3, 4 * random.nextInt(stars) + 3);
      }
      return graph.build();
    }

    /** Points on a circle: the first one inside is in conflict with all triangles. */
    private static PlanarGraph ring(int points) {
      double[] coordinates = new double[2 * points];
      for (int i = 0; i < points; i++) {
        coordinates[2 * i] = Math.cos(2 * Math.PI * i / points);
        coordinates[2 * i + 1] = Math.sin(2 * Math.PI * i / points);
      }
      return PlanarGraph.of(coordinates);
    }
  }

  /** Modules that can be recorded, on a device that is kept open. */
  private static Device device(String spec) {
    return OPEN.device(spec);
  }

  private static Device open(String spec) {
    Device device = Device.open(spec);
    // Under the other policy they are compiled when a run first asks for it.
    MODULES.forEach(module -> device.define(module, recording(Policy.HAND_OFF)));
    // They compile for a while: at the same time.
    MODULES.parallelStream().forEach(module -> device.load(module).close());
    return device;
  }

  private static Map<String, String> recording(Policy policy) {
    return Map.of("MAGPIE_RECORD", "1", "MAGPIE_POLICY", policy.kernelName());
  }

  private static List<String> devices() {
    List<String> specs = new ArrayList<>(List.of("cpu:4", "sim:1:1", "sim:2:4", "sim:0:32"));
    if (Device.whyNoGpu().isEmpty()) {
      specs.add("cuda");
    }
    return specs;
  }

  private static StmOptions options(Device device, Policy policy) {
    StmOptions options = StmOptions.defaults().withPolicy(policy);
    if (device.machine() == Machine.CUDA) {
      options = options.withThreadsInFlight(MOST_IN_FLIGHT);
    }
    if (policy == Policy.HAND_OFF) {
      return options;
    }
    options = options.withBackOffNanos(PAUSE_NANOS);
    return device.machine() == Machine.SIM
        ? options.withMaxAttempts(MOST_ATTEMPTS)
        : options.withTimeout(LIMIT_WITHOUT_PROGRESS);
  }

  private static Recording.Options logs(Device device) {
    return Recording.Options.defaults()
        .withTotalBytes(
            switch (device.machine()) {
              case CUDA -> MOST_IN_FLIGHT * WORDS_OF_LOG * Long.BYTES;
              case CPU, SIM -> 32L << 20;
            });
  }

  /** Runs an algorithm, which must end under a live policy. */
  private static void run(Algorithm algorithm, Device device, Size size, int input, Policy policy) {
    try {
      algorithm.run(device, size, input, options(device, policy));
    } catch (UnfinishedItemsException e) {
      if (policy == Policy.HAND_OFF) {
        throw e;
      }
    }
  }

  static Stream<Arguments> everything() {
    return devices().stream()
        .flatMap(
            spec ->
                Arrays.stream(Algorithm.values()).map(algorithm -> Arguments.of(algorithm, spec)));
  }

  @ParameterizedTest
  @MethodSource("everything")
  void wholeRunsAreInOrder(Algorithm algorithm, String spec) {
    checkWholeRuns(algorithm, Policy.HAND_OFF, spec);
  }

  @Tag("slow") // compiles
  @ParameterizedTest
  @MethodSource("everything")
  void wholeRunsOfThePublishedRuleAreInOrder(Algorithm algorithm, String spec) {
    checkWholeRuns(algorithm, Policy.PRIORITY_RULE, spec);
  }

  private static void checkWholeRuns(Algorithm algorithm, Policy policy, String spec) {
    Device device = device(spec);
    Size size = device.machine() == Machine.SIM ? Size.SMALL : Size.LARGE;
    try (RecordedAlgorithm recorded = new RecordedAlgorithm(device, logs(device))) {
      Set<String> committed = new TreeSet<>();
      // Where runs need not end, it may take more of them to come to each region.
      for (int input = 0;
          input < 4 || input < MOST_INPUTS && !committed.containsAll(algorithm.regions);
          input++) {
        run(algorithm, device, size, input, policy);
        String what = algorithm + " of input " + input;
        assertEquals(List.of(), recorded.violations(), what);
        for (Run run : recorded.runs()) {
          assertEquals(Level.STRICTLY_SERIALIZABLE, run.verdict().level(), what);
          assertEquals(
              validated(run.report().region()) ? Opacity.OPAQUE : Opacity.NOT_CHECKED,
              run.verdict().opacity(),
              what);
          long commits = run.verdict().extent().committed();
          assertTrue(run.accesses() >= commits, () -> what + ": commits without access in " + run);
          if (commits > 0) {
            committed.add(run.report().region());
          }
        }
        recorded.clear();
      }
      assertTrue(committed.containsAll(algorithm.regions), committed::toString);
    }
  }

  /** Of the regions named here the kernels' files say why reads need no validation. */
  private static boolean validated(String region) {
    return !region.endsWith("_unvalidated")
        && !region.startsWith("move_vertex")
        && !region.startsWith("refine");
  }

  @Test
  void noRegionIsLeftOut() {
    Device device = device("sim:1:1");
    for (String name : MODULES) {
      try (KernelModule module = device.load(name)) {
        Set<String> recorded =
            Arrays.stream(Algorithm.values())
                .filter(algorithm -> algorithm.module.equals(name))
                .flatMap(algorithm -> algorithm.regions.stream())
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(new TreeSet<>(module.regions()), recorded);
      }
    }
  }

  @Property(tries = 100, shrinking = ShrinkingMode.BOUNDED)
  void smallRunsAreInOrderUnderAnySchedule(
      @ForAll Algorithm algorithm,
      @ForAll("schedules") Schedule schedule,
      @ForAll("simulators") String spec,
      @ForAll("inputs") int input) {
    checkSmallRun(algorithm, Policy.HAND_OFF, schedule, spec, input);
  }

  @net.jqwik.api.Tag("slow")
  @Property(tries = 100, shrinking = ShrinkingMode.BOUNDED)
  void smallRunsOfThePublishedRuleAreInOrderUnderAnySchedule(
      @ForAll Algorithm algorithm,
      @ForAll("schedules") Schedule schedule,
      @ForAll("simulators") String spec,
      @ForAll("inputs") int input) {
    checkSmallRun(algorithm, Policy.PRIORITY_RULE, schedule, spec, input);
  }

  private static void checkSmallRun(
      Algorithm algorithm, Policy policy, Schedule schedule, String spec, int input) {
    Device device = device(spec);
    try (RecordedAlgorithm recorded = new RecordedAlgorithm(device, logs(device))) {
      recorded.setSchedule(schedule);
      run(algorithm, device, Size.TINY, input, policy);
      assertEquals(List.of(), recorded.violations());
      assertTrue(!recorded.runs().isEmpty());
    }
  }

  @Provide
  Arbitrary<Schedule> schedules() {
    Arbitrary<Long> seeds = Arbitraries.longs().between(0, 1 << 20);
    Arbitrary<Schedule> kinds =
        Arbitraries.oneOf(
            List.of(
                seeds.map(Schedule::randomWalk),
                Combinators.combine(seeds, Arbitraries.integers().between(1, 4))
                    .as((seed, depth) -> Schedule.pct(seed, depth, 2000)),
                seeds.map(Schedule::lockStep)));
    return Combinators.combine(kinds, Arbitraries.of(false, true))
        .as((schedule, weak) -> weak ? schedule.withWeakMemory() : schedule);
  }

  @Provide
  Arbitrary<String> simulators() {
    return Arbitraries.of("sim:1:1", "sim:1:4", "sim:1:32");
  }

  @Provide
  Arbitrary<Integer> inputs() {
    return Arbitraries.integers().between(0, 1000);
  }

  /** What the checks are worth: of a commit that locks what is no longer its own they tell. */
  @Tag("slow")
  @ParameterizedTest
  @MethodSource("brokenRegions")
  void aBrokenCommitIsNoticed(Algorithm algorithm, String region, Search search, Policy policy) {
    Set<Kind> broken = complaints(algorithm, region, search, policy, true);
    assertTrue(broken.contains(Kind.NOT_SERIALIZABLE), broken::toString);
    assertEquals(Set.of(), complaints(algorithm, region, search, policy, false));
  }

  /** Where orders that are none are looked for. */
  private enum Search {
    /** Small inputs, scheduled as the simulator does by itself. */
    SMALL_INPUTS(MOST_SMALL_INPUTS),
    /** Tiny inputs, in which again and again a thread stops while others go on. */
    INTERRUPTIONS(MOST_INTERRUPTED_INPUTS);

    final int inputs;

    Search(int inputs) {
      this.inputs = inputs;
    }

    Size size() {
      return this == SMALL_INPUTS ? Size.SMALL : Size.TINY;
    }

    Schedule schedule(int input) {
      return this == SMALL_INPUTS ? null : Schedule.pct(input, DEPTH, STEPS);
    }
  }

  static Stream<Arguments> brokenRegions() {
    return Stream.of(Policy.HAND_OFF, Policy.PRIORITY_RULE)
        .flatMap(
            policy ->
                Stream.of(
                    broken(Algorithm.PARTITION, "match_pair", Search.SMALL_INPUTS, policy),
                    broken(Algorithm.MOVES, "move_vertex", Search.SMALL_INPUTS, policy),
                    broken(
                        Algorithm.MOVES_RESERVED,
                        "move_vertex_reserved",
                        Search.SMALL_INPUTS,
                        policy),
                    broken(Algorithm.FOREST, "merge_chosen", Search.INTERRUPTIONS, policy),
                    broken(
                        Algorithm.PAIRS_OVER_VERTICES,
                        "merge_vertices",
                        Search.INTERRUPTIONS,
                        policy),
                    broken(Algorithm.PATHS, "take_offer", Search.INTERRUPTIONS, policy),
                    broken(Algorithm.SPANNING_FOREST, "unite_listed", Search.INTERRUPTIONS, policy),
                    broken(Algorithm.MESH_REFINEMENT, "refine", Search.SMALL_INPUTS, policy),
                    broken(Algorithm.LARGE_CAVITIES, "refine_large", Search.SMALL_INPUTS, policy)));
  }

  private static Arguments broken(
      Algorithm algorithm, String region, Search search, Policy policy) {
    return Arguments.of(algorithm, region, search, policy);
  }

  private static final class StopException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** Ends an algorithm at the first violation: of what follows nothing is sure, not even an end. */
  private record StoppedByViolations(RecordedAlgorithm recorded) implements RunRecorder {
    @Override
    public Recording begin(String region) {
      return recorded.begin(region);
    }

    @Override
    public void end(RecordedRun run) {
      recorded.end(run);
      if (!recorded.violations().isEmpty()) {
        throw new StopException();
      }
    }

    @Override
    public void failed(String region) {
      recorded.failed(region);
    }
  }

  /** What is wrong with runs of a region, up to the first input for which it has no order. */
  private static Set<Kind> complaints(
      Algorithm algorithm, String region, Search search, Policy policy, boolean broken) {
    Set<Kind> found = EnumSet.noneOf(Kind.class);
    try (Device device = Device.open("sim:2:4")) {
      Map<String, String> defines = new HashMap<>(recording(policy));
      if (broken) {
        defines.putAll(Mutant.defines());
      }
      device.define(algorithm.module, defines);
      if (broken) {
        try (KernelModule module = device.load(algorithm.module)) {
          Mutant.LOCK_UNCHECKED.putToWork(module);
        }
      }
      for (int input = 0;
          input < search.inputs && !found.contains(Kind.NOT_SERIALIZABLE);
          input++) {
        try (RecordedAlgorithm recorded = new RecordedAlgorithm(device, logs(device))) {
          recorded.setSchedule(search.schedule(input));
          device.setRunRecorder(new StoppedByViolations(recorded));
          // What is locked when it is opened cannot be lost before the commit.
          StmOptions options = options(device, policy).withEagerAttempts(0);
          try {
            algorithm.run(
                device,
                search.size(),
                input,
                broken ? options.withTimeout(LIMIT_OF_BROKEN) : options);
          } catch (StopException e) {
            // Below it is told why.
          } catch (UnfinishedItemsException e) {
            assertTrue(broken || policy != Policy.HAND_OFF, e::toString);
          }
          recorded.runs().stream()
              .filter(run -> run.report().region().equals(region))
              .flatMap(run -> run.violations().stream())
              .forEach(each -> found.add(each.kind()));
        }
      }
      return found;
    }
  }
}
