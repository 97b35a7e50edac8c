package io.magpie.algorithms.partition;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.algorithms.partition.PartitionOptions.Contraction;
import io.magpie.algorithms.partition.PartitionOptions.Matching;
import io.magpie.algorithms.partition.PartitionOptions.Refinement;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelModule;
import io.magpie.stm.parallel.Primitives;
import io.magpie.stm.simulator.Schedule;
import io.magpie.stm.simulator.Simulator.AccessCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * What one level of the partitioner costs by formulas of the threaded many-core memory model, and
 * what the simulator counts of it.
 *
 * <p>The model: on p processors a phase takes work / p + span steps at most, and moves so many
 * sectors of memory. A formula gives each of them up to a constant factor, so that what is measured
 * over what it gives should not change as graphs grow.
 */
final class CostModel {
  /** Words of 32 bits in a sector of memory, the model's C. */
  static final double SECTOR = 8;

  /** Threads of the simulator's grid, and of a warp: the model's p. */
  static final int PROCESSORS = 128;

  static final int WARP = 32;

  /** Classes of moves for balance, of refine.cuh. */
  private static final int CLASSES = 256;

  /** The device that counts. */
  static final String DEVICE = "sim:0:" + WARP;

  /**
   * A graph to be partitioned.
   *
   * @param vertices n
   * @param arcs m: two for each edge
   * @param maxDegree the greatest number of arcs of a vertex
   * @param alone the same of a vertex that is no hub: its thread walks over them alone
   * @param parts k
   * @param sums what is added up, found and compared to connect each vertex to parts: see {@link
   *     #sumsOf}
   * @param hubDegree vertices of so many arcs are walked over in pieces of as many
   */
  record Shape(
      double vertices,
      double arcs,
      double maxDegree,
      double alone,
      double parts,
      double sums,
      double hubDegree) {
    static Shape of(Graph graph, int parts, int hubDegree) {
      int n = graph.vertices();
      int most = 0;
      int alone = 0;
      double sums = 0;
      for (int v = 0; v < n; v++) {
        int degree = graph.offsets()[v + 1] - graph.offsets()[v];
        most = Math.max(most, degree);
        alone = degree < hubDegree ? Math.max(alone, degree) : alone;
        sums += sumsOf(degree, parts, hubDegree);
      }
      return new Shape(n, graph.arcs(), most, alone, parts, sums, hubDegree);
    }

    /**
     * Of a vertex: with fewer arcs than parts each arc searches through the parts found so far,
     * else it has a place for each part; hubs have a row of places for each piece, and a warp looks
     * up what each piece, and each row of parts, is about.
     */
    private static double sumsOf(double degree, double parts, double hubDegree) {
      if (degree >= hubDegree) {
        double pieces = Math.ceil(degree / hubDegree);
        return degree + parts * pieces + WARP * (pieces + Math.ceil(parts / WARP));
      }
      if (degree >= parts && parts > 4) {
        return degree + parts;
      }
      return degree * Math.min(degree, parts) / 2 + degree;
    }

    double both() {
      return vertices + arcs;
    }

    /** The arcs of a vertex, the parts of a piece of a hub, and the pieces of a hub. */
    double longestSum() {
      return alone + parts + (maxDegree < hubDegree ? 0 : maxDegree / hubDegree);
    }
  }

  /** A formula for each quantity. */
  record Formula(
      ToDoubleFunction<Shape> work,
      ToDoubleFunction<Shape> span,
      ToDoubleFunction<Shape> transfers) {
    /** Steps on {@link #PROCESSORS}: at most twice the greater of the two. */
    double steps(Shape shape) {
      return work.applyAsDouble(shape) / PROCESSORS + span.applyAsDouble(shape);
    }
  }

  private static double log(double x) {
    return Math.log(Math.max(2, x)) / Math.log(2);
  }

  /** Arcs of the 32 vertices of a warp, shared by its lanes, where one of them has the most. */
  private static double ofTheLongestWarp(Shape s) {
    return (s.maxDegree() + WARP * s.arcs() / s.vertices()) / WARP;
  }

  /** A phase of a level: its formulas in the thesis (section 4.4), and those of this design. */
  enum Phase {
    CANDIDATES(
        Set.of("propose"),
        new Formula(Shape::arcs, s -> s.arcs() / s.vertices(), s -> s.arcs() / SECTOR),
        // Two words are read of each neighbor, wherever it lies.
        new Formula(Shape::both, CostModel::ofTheLongestWarp, Shape::both)),
    PAIRS(
        Set.of("match_pair", "list_free"),
        new Formula(Shape::vertices, Shape::maxDegree, Shape::arcs),
        // A candidate that is taken is seen without a claim: those who lose do not wait in turn.
        new Formula(Shape::vertices, s -> 1, Shape::vertices)),
    MUTUAL_PAIRS(Set.of("settle"), null, new Formula(Shape::vertices, s -> 1, Shape::vertices)),
    TWO_HOPS(
        Set.of("mark_free", "key_leaves", "key_twins", "key_relatives", "match_equal_keys"),
        null,
        new Formula(Shape::both, CostModel::ofTheLongestWarp, Shape::both)),
    COARSE_MAP(
        Set.of("mark_members", "number_members"),
        new Formula(Shape::vertices, s -> log(s.vertices()), Shape::vertices),
        new Formula(Shape::vertices, s -> 1, Shape::vertices)),
    COPY(
        Set.of("add_members", "copy_rows"),
        new Formula(Shape::arcs, s -> 1, s -> s.arcs() / SECTOR),
        // Shared out in pieces; the coarse vertex of a neighbor may be anywhere.
        new Formula(Shape::both, s -> log(s.vertices()), Shape::both)),
    SORT(
        Set.of("sort"),
        new Formula(Shape::arcs, s -> log(s.arcs()), s -> s.arcs() / SECTOR),
        // A pass for each digit of the key, and of the segment's number.
        new Formula(
            s -> s.both() * (32 + log(s.vertices())),
            s -> log(s.arcs()),
            s -> s.both() * (32 + log(s.vertices())))),
    MARK(
        Set.of("mark_heads"),
        new Formula(Shape::arcs, s -> s.arcs() / s.vertices(), s -> s.arcs() / SECTOR),
        new Formula(Shape::both, s -> log(s.vertices()), Shape::both)),
    PACK(
        Set.of("scan", "pack", "gather"),
        new Formula(Shape::arcs, s -> log(s.arcs()), s -> s.arcs() / SECTOR),
        new Formula(Shape::both, s -> log(s.arcs()), Shape::both)),
    HASH(
        Set.of("insert_arcs", "count_entries", "place_entries"),
        null,
        new Formula(Shape::both, s -> log(s.vertices()), Shape::both)),
    PREPARATION(
        Set.of("measure_graph", "count_up", "mark_hubs", "count_hub_pieces", "own_hub_pieces"),
        null,
        new Formula(Shape::vertices, Shape::longestSum, Shape::vertices)),
    PROJECTION(
        Set.of("project"),
        new Formula(Shape::vertices, s -> 1, Shape::vertices),
        new Formula(Shape::vertices, s -> 1, Shape::vertices)),
    GAINS(
        Set.of("connect", "touch_by_hubs", "sum_hub_arcs", "join_hub_sums"),
        new Formula(Shape::arcs, s -> s.arcs() / s.vertices(), s -> s.arcs() / SECTOR),
        new Formula(s -> s.vertices() + s.sums(), Shape::longestSum, s -> s.vertices() + s.sums())),
    DECISIONS(
        Set.of("judge", "cutoffs"),
        null,
        // The classes of each part that is too heavy, by a thread.
        new Formula(s -> s.parts() * CLASSES, s -> CLASSES, s -> s.parts() * CLASSES)),
    MOVES(
        Set.of("choose", "settle_moves", "make_moves", "sum_hub_gains", "settle_hubs"),
        null,
        new Formula(Shape::both, Shape::longestSum, Shape::both)),
    MOVES_BY_TRANSACTIONS(
        Set.of("propose_moves", "list_moves", "gather_rivals", "move_vertex"),
        new Formula(Shape::arcs, Shape::vertices, Shape::arcs),
        new Formula(Shape::both, Shape::vertices, Shape::both)),
    MOVE_ORDER(
        Set.of("sort_moves"),
        null,
        new Formula(s -> s.vertices() * 32, s -> log(s.vertices()), s -> s.vertices() * 32));

    final Set<String> kernels;

    /** Null for a phase that the thesis does not have. */
    final Formula thesis;

    final Formula own;

    Phase(Set<String> kernels, Formula thesis, Formula own) {
      this.kernels = kernels;
      this.thesis = thesis;
      this.own = own;
    }
  }

  /**
   * What a phase of one level cost.
   *
   * @param phase the phase
   * @param graph the graph's specification
   * @param shape the graph
   * @param counts of one pass: of refinement, all rounds together over their number
   */
  record Row(Phase phase, String graph, Shape shape, double work, double steps, double transfers) {
    double workRatio(Formula formula) {
      return work / formula.work().applyAsDouble(shape);
    }

    double stepsRatio(Formula formula) {
      return steps / formula.steps(shape);
    }

    double transfersRatio(Formula formula) {
      return transfers / formula.transfers().applyAsDouble(shape);
    }
  }

  private CostModel() {}

  /**
   * Counts the phases of coarsening a graph once, and of a round of refinement of random parts;
   * pairs over two hops where enough vertices stay free, transactions where there are no hubs,
   * their order where enough vertices move.
   *
   * @throws IllegalStateException if none of another phase's kernels ran
   */
  static List<Row> measure(Device device, String spec, int parts) {
    Graph graph = GraphGenerators.generate(spec);
    device.simulator().setSchedule(Schedule.roundRobin());
    device.simulator().setCounting(true);
    try (KernelModule module = device.load(Coarsening.MODULE)) {
      PartitionOptions options = PartitionOptions.of(parts).withImbalance(0.03);
      int hubDegree =
          Population.hubDegree(new Launches(module, options.phaseTimes(), options.stm()), parts);
      Shape shape = Shape.of(graph, parts, hubDegree);
      List<Row> rows = new ArrayList<>();
      PartitionOptions thesis =
          options.withMatching(Matching.STM).withContraction(Contraction.SORT);
      List<io.magpie.algorithms.Phase> coarsened = coarsen(device, module, graph, thesis);
      for (Phase phase :
          List.of(
              Phase.CANDIDATES,
              Phase.PAIRS,
              Phase.COARSE_MAP,
              Phase.COPY,
              Phase.SORT,
              Phase.MARK,
              Phase.PACK)) {
        add(rows, phase, spec, shape, coarsened, 1);
      }
      if (ran(coarsened, Phase.TWO_HOPS)) {
        add(rows, Phase.TWO_HOPS, spec, shape, coarsened, 1);
      }
      List<io.magpie.algorithms.Phase> hashed = coarsen(device, module, graph, options);
      add(rows, Phase.MUTUAL_PAIRS, spec, shape, hashed, 1);
      add(rows, Phase.HASH, spec, shape, hashed, 1);
      // Without patience a round sums up all connections, and nothing moves.
      List<io.magpie.algorithms.Phase> still = refine(device, module, graph, options, 0);
      add(rows, Phase.PREPARATION, spec, shape, still, 1);
      add(rows, Phase.PROJECTION, spec, shape, still, 1);
      add(rows, Phase.GAINS, spec, shape, still, 1);
      List<io.magpie.algorithms.Phase> moved = refine(device, module, graph, options, 1);
      add(rows, Phase.DECISIONS, spec, shape, moved, rounds(moved));
      add(rows, Phase.MOVES, spec, shape, moved, rounds(moved));
      if (shape.maxDegree() < hubDegree) {
        List<io.magpie.algorithms.Phase> transacted =
            refine(device, module, graph, options.withRefinement(Refinement.STM), 1);
        add(rows, Phase.MOVES_BY_TRANSACTIONS, spec, shape, transacted, rounds(transacted));
        if (ran(transacted, Phase.MOVE_ORDER)) {
          add(rows, Phase.MOVE_ORDER, spec, shape, transacted, rounds(transacted));
        }
      }
      return rows;
    } finally {
      device.simulator().setCounting(false);
      device.simulator().setSchedule(null);
    }
  }

  private static boolean ran(List<io.magpie.algorithms.Phase> phases, Phase phase) {
    return phases.stream().anyMatch(each -> phase.kernels.contains(each.name()));
  }

  private static int rounds(List<io.magpie.algorithms.Phase> phases) {
    return phases.stream()
        .filter(phase -> phase.name().equals("choose"))
        .mapToInt(io.magpie.algorithms.Phase::launches)
        .sum();
  }

  private static void add(
      List<Row> rows,
      Phase phase,
      String spec,
      Shape shape,
      List<io.magpie.algorithms.Phase> measured,
      int passes) {
    AccessCounts counts =
        measured.stream()
            .filter(each -> phase.kernels.contains(each.name()))
            .map(io.magpie.algorithms.Phase::accesses)
            .reduce(AccessCounts.NONE, AccessCounts::plus);
    if (counts.launches() == 0) {
      throw new IllegalStateException("no launch of " + phase.kernels + " on " + spec);
    }
    rows.add(
        new Row(
            phase,
            spec,
            shape,
            counts.work() / (double) passes,
            counts.span() / (double) passes,
            counts.transfers() / (double) passes));
  }

  private static List<io.magpie.algorithms.Phase> coarsen(
      Device device, KernelModule module, Graph graph, PartitionOptions options) {
    DeviceMemory memory = new DeviceMemory(device);
    try (DeviceGraph onDevice = DeviceGraph.copyOf(memory, graph);
        Coarsening coarsening = new Coarsening(memory, module, Primitives.of(device), options)) {
      Coarsening.Coarser coarser = coarsening.coarsen(onDevice, Integer.MAX_VALUE, 0);
      coarser.graph().close();
      memory.free(coarser.map());
      return coarsening.launches().phases();
    }
  }

  private static List<io.magpie.algorithms.Phase> refine(
      Device device, KernelModule module, Graph graph, PartitionOptions options, int patience) {
    DeviceMemory memory = new DeviceMemory(device);
    Balance balance = Balance.of(graph, options.parts(), options.imbalance());
    Launches launches = new Launches(module, options.phaseTimes(), options.stm());
    try (DeviceGraph onDevice = DeviceGraph.copyOf(memory, graph);
        Population population = new Population(memory, launches, options, balance)) {
      int[] parts = new Random(1).ints(graph.vertices(), 0, options.parts()).toArray();
      int degree = Population.hubDegree(launches, options.parts());
      int hubs;
      try (DeviceArray<int[]> found = device.ints(2)) {
        int n = onDevice.vertices();
        launches.run(
            "measure_graph",
            n,
            new Fields()
                .set("vertices", n)
                .set("hub_degree", degree)
                .set("offsets", onDevice.offsets())
                .set("vertex_weights", onDevice.vertexWeights())
                .set("found", found));
        hubs = found.getInt(1);
      }
      population.start(onDevice, null, hubs, parts);
      population.refine(
          new Population.Stamina(patience, 1, 0.25f, 0.25f), Math.toIntExact(balance.limit()), 0);
      return launches.phases();
    }
  }
}
