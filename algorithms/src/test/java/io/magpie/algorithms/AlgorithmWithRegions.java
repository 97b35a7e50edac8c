package io.magpie.algorithms;

import io.magpie.algorithms.components.ComponentsOptions;
import io.magpie.algorithms.components.ComponentsOptions.Form;
import io.magpie.algorithms.components.ComponentsOptions.Output;
import io.magpie.algorithms.components.ConnectedComponents;
import io.magpie.algorithms.graph.DirectedGraph;
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
import io.magpie.algorithms.nbody.BarnesHut;
import io.magpie.algorithms.nbody.BodyGenerator;
import io.magpie.algorithms.nbody.NBodyOptions;
import io.magpie.algorithms.nbody.NBodyOptions.Tree;
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
import io.magpie.algorithms.pointsto.ConstraintGenerator;
import io.magpie.algorithms.pointsto.ConstraintSet;
import io.magpie.algorithms.pointsto.PointsToAnalysis;
import io.magpie.algorithms.pointsto.PointsToOptions;
import io.magpie.algorithms.pointsto.PointsToOptions.Cycles;
import io.magpie.algorithms.pointsto.PointsToOptions.Propagation;
import io.magpie.algorithms.sat.Formula;
import io.magpie.algorithms.sat.SurveyOptions;
import io.magpie.algorithms.sat.SurveyOptions.Decimation;
import io.magpie.algorithms.sat.SurveyOptions.Flips;
import io.magpie.algorithms.sat.SurveyPropagation;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.Policy;
import io.magpie.stm.StmOptions;
import io.magpie.verification.workload.RegionWorkload;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** An algorithm with the regions that it runs. */
enum AlgorithmWithRegions {
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
  FOREST("msf", "merge_chosen", "merge_nominated") {
    @Override
    void run(Device device, Size size, int input, StmOptions stm) {
      forest(device, graph(size, input), Traversal.EDGE, Reads.VALIDATED, stm);
    }
  },
  FOREST_UNVALIDATED("msf", "merge_chosen_unvalidated", "merge_nominated_unvalidated") {
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
  FOREST_IN_COMPONENT_SPACE("msf", "unify") {
    @Override
    void run(Device device, Size size, int input, StmOptions stm) {
      forest(device, graph(size, input), Traversal.COMPONENT_SPACE, Reads.VALIDATED, stm);
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
  OCTREE("nbody", "insert_body") {
    @Override
    void run(Device device, Size size, int input, StmOptions stm) {
      String kind = input % 2 == 0 ? "plummer" : "cube";
      BarnesHut.run(
          device,
          BodyGenerator.parse(kind + ":n=" + size.of(9, 60, 3000) + ",seed=" + input).generate(),
          NBodyOptions.defaults().withSteps(0).withTree(Tree.TRANSACTIONS).withStm(stm));
    }
  },
  UNIT_PROPAGATION("sat", "decide") {
    @Override
    void run(Device device, Size size, int input, StmOptions stm) {
      // Small ones decide all variables at once, so that more items meet.
      Formula formula = formula(size, input, size.of(3, 1, 3));
      SurveyPropagation.run(device, formula, survey(stm).withFlipsPerVariable(0));
    }
  },
  LOCAL_SEARCH("sat", "flip", "decide") {
    @Override
    void run(Device device, Size size, int input, StmOptions stm) {
      Formula formula = formula(size, input, 12);
      SurveyPropagation.run(device, formula, survey(stm).withFlipsPerVariable(2));
    }
  },
  CYCLE_COLLAPSE("pointsto", "collapse_cycle") {
    @Override
    void run(Device device, Size size, int input, StmOptions stm) {
      int variables = size.of(8, 30, 1000);
      String spec = "constraints:vars=" + variables + ",cons=" + 3 * variables + ",mix=1:7:1:1";
      PointsToAnalysis.run(
          device,
          withRing(ConstraintGenerator.generate(spec + ",seed=" + input)),
          PointsToOptions.defaults()
              .withPropagation(Propagation.DIFFERENCE)
              .withCycles(Cycles.TRANSACTIONS)
              .withMergeSize(MERGE_SIZE)
              .withStm(stm));
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

  /** How large inputs are. */
  enum Size {
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

  /** Of cycles: so few that the items of one meet at its anchor. */
  static final int MERGE_SIZE = 2;

  /** Those that compile in the least time. */
  static final Set<String> QUICK = Set.of("components");

  /**
   * Regions of {@code msf} that run a series of rounds in one launch, where launches are not
   * recorded: {@code merge_nominated}, which does the same in each, is recorded in place of them.
   */
  private static final Set<String> SERIES = Set.of("merge_rounds", "merge_rounds_unvalidated");

  /** Of an item under a policy that promises no end, where time is no bound. */
  static final int MOST_ATTEMPTS = 100;

  final String module;
  final Set<String> regions;

  AlgorithmWithRegions(String module, String... regions) {
    this.module = module;
    this.regions = Set.of(regions);
  }

  abstract void run(Device device, Size size, int input, StmOptions stm);

  /** A module's regions that run series of others. */
  static Set<String> seriesOf(String module) {
    return module.equals("msf") ? SERIES : Set.of();
  }

  /** All with {@code -Pfull}; else those whose modules compile quickly. */
  static List<AlgorithmWithRegions> tested() {
    return Arrays.stream(values())
        .filter(algorithm -> TestDevices.FULL || QUICK.contains(algorithm.module))
        .toList();
  }

  /**
   * A device on which the regions of {@link #tested} can be recorded under {@code hand_off}, and on
   * {@code sim} explored: in one build for the tests of both. With {@code -Pfull} the build has
   * {@code priority_rule} as well, since kernels are most of what compiling takes.
   */
  static Device openRecorded(String spec) {
    Device device = Device.open(spec);
    Map<String, String> defines =
        device.machine() == Machine.SIM
            ? new HashMap<>(RegionWorkload.defines(device))
            : new HashMap<>(Map.of("MAGPIE_RECORD", "1"));
    if (!TestDevices.FULL) {
      defines.put("MAGPIE_POLICY", Policy.HAND_OFF.kernelName());
    }
    Set<String> modules = tested().stream().map(each -> each.module).collect(Collectors.toSet());
    modules.forEach(module -> device.define(module, defines));
    // They compile for a while: at the same time.
    modules.parallelStream().forEach(module -> device.load(module).close());
    return device;
  }

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

  /** Vertices that are joined two by two, half of all apart. */
  private static Graph pairs(int pairs) {
    GraphBuilder graph = new GraphBuilder(2 * pairs, false);
    for (int v = 0; v < pairs; v++) {
      graph.addEdge(v, pairs + v);
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

  private static void components(Device device, Graph graph, Output output, StmOptions stm) {
    ConnectedComponents.run(
        device,
        graph,
        ComponentsOptions.defaults().withForm(Form.TRANSACTIONAL).withOutput(output).withStm(stm));
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

  /** With copies of the first three variables in a ring, so that there is one to collapse. */
  private static ConstraintSet withRing(ConstraintSet drawn) {
    ConstraintSet.Builder constraints = ConstraintSet.builder(drawn.variables());
    for (ConstraintSet.Kind kind : ConstraintSet.Kind.values()) {
      for (int i = 0; i < drawn.count(kind); i++) {
        constraints.add(kind, drawn.destinations(kind)[i], drawn.sources(kind)[i]);
      }
    }
    for (int v = 0; v < 3; v++) {
      constraints.add(ConstraintSet.Kind.COPY, (v + 1) % 3, v);
    }
    return constraints.build();
  }

  /** Few sweeps, as only what comes of them is recorded. */
  private static SurveyOptions survey(StmOptions stm) {
    return SurveyOptions.defaults()
        .withDecimation(Decimation.TRANSACTIONS)
        .withFlips(Flips.TRANSACTIONS)
        .withMaxSweeps(1)
        .withStm(stm);
  }

  /**
   * Clauses that are all satisfied where all variables are true, and one of a single literal for
   * every so manieth variable: their items are after the same clauses. Small formulas have more of
   * these: two commits at a time of which one has lost a clause must leave no order in some of few.
   */
  private static Formula formula(Size size, int seed, int every) {
    int variables = size.of(12, 60, 3000);
    Random random = new Random(seed);
    Formula.Builder formula = new Formula.Builder(variables);
    for (int v = 0; v < variables; v += every) {
      formula.literal(2 * v).endClause();
    }
    for (int a = 0; a < size.of(4, 8, 4) * variables; a++) {
      for (int k = 0; k < 3; k++) {
        formula.literal(2 * random.nextInt(variables) + (k == 0 ? 0 : random.nextInt(2)));
      }
      formula.endClause();
    }
    return formula.build();
  }

  /**
   * Stars of three rays, whose hubs are joined at random, so that a sample of each vertex's first
   * two arcs leaves something; and trees of two edges, joined by a vertex whose two arcs both join
   * them, so that two items of one launch are after the same root.
   */
  private static Graph stars(int stars, int seed) {
    int bridges = stars / 2;
    int vertices = 4 * stars + 5 * bridges;
    GraphBuilder graph = new GraphBuilder(vertices, false);
    for (int hub = 3; hub < 4 * stars; hub += 4) {
      graph.addEdge(hub, hub - 3).addEdge(hub, hub - 2).addEdge(hub, hub - 1);
    }
    for (int first = 4 * stars; first < vertices; first += 5) {
      graph.addEdge(first, first + 3).addEdge(first + 1, first + 4);
      graph.addEdge(first + 2, first + 3).addEdge(first + 2, first + 4);
    }
    Random random = new Random(seed);
    for (int link = 0; link < 2 * stars; link++) {
      graph.addEdge(4 * random.nextInt(stars) + 3, 4 * random.nextInt(stars) + 3);
    }
    return graph.build();
  }
}
