package io.magpie.algorithms.partition;

import io.magpie.algorithms.ResultArrays;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.internal.Elapsed;
import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.algorithms.internal.driver.Holder;
import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.algorithms.internal.driver.Resources;
import io.magpie.algorithms.internal.driver.ResultArray;
import io.magpie.algorithms.partition.Population.Outcome;
import io.magpie.algorithms.partition.Population.Stamina;
import io.magpie.algorithms.partition.internal.flow.FlowRefinement;
import io.magpie.algorithms.partition.internal.initial.InitialPartition;
import io.magpie.algorithms.partition.internal.initial.PartBounds;
import io.magpie.algorithms.resident.ResidentGraph;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelModule;
import io.magpie.stm.parallel.Primitives;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Partitions graphs into parts of nearly equal weight with few edges between them, on a device, by
 * the multilevel scheme: the graph is made coarser until it is small, the smallest is partitioned
 * on the host, and the partition is taken back from graph to graph and refined on each.
 *
 * <pre>{@code
 * try (Device device = Device.open("auto")) {
 *   PartitionResult result = GraphPartitioner.run(device, graph, PartitionOptions.of(64));
 * }
 * }</pre>
 *
 * <p>Not one partition is refined on the small graphs but several, all in the same launches, and
 * the best are taken on: luck decides much there, and tries are cheap.
 *
 * <p>Any graph will do: weighted or not, any number of components, isolated vertices, self-loops
 * (which no partition cuts), parallel edges. Where the weights of all vertices, or of all edges,
 * add up to 2^31 or more, the search rounds them to a unit in which they do not; cut, part weights
 * and balance of the result are exact, as 64-bit numbers. The result keeps the balance that is
 * asked, see {@link Balance}, unless weights of whole vertices do not let it be found; {@link
 * PartitionResult#feasible()} says so. Parts may have {@linkplain PartitionOptions#partWeights()
 * shares} of their own, and vertices may be {@linkplain FixedVertices fixed} to parts.
 *
 * <p>Bytes on the device, at most: 12 for each vertex (16 where some are fixed) and 8 for each arc
 * (two for each edge) of every graph of the hierarchy; 32 for each vertex and 12 for each arc of
 * the input to coarsen it (44 for an arc with {@link PartitionOptions.Contraction#SORT}; 4 more for
 * a vertex with {@link PartitionOptions.Matching#STM}, and 8 with {@link
 * PartitionOptions.Effort#ULTRA} or {@link PartitionOptions.Coarsening#CLUSTERS}); 70 for each
 * vertex (86 with {@link PartitionOptions.Refinement#ATOMIC_FREE}, 110 with transactions) and 8 for
 * each arc (16 with transactions) that are refined at a time, the input's or those of all tries on
 * a small graph, whichever are more (4 more for an arc of a graph of which a vertex has 512 arcs,
 * 4096 on a processor, and 4 for each part); 1100 for each part and try, and 4 for each part and
 * warp at work; and 2^18. With one try and graphs that halve, 138 for each vertex and 36 for each
 * arc. {@link PartitionReport#deviceBytes()} says what it was. Working memory of the device's
 * primitives is in it, as far as calls need it during the run, by every thread that uses the
 * device; that of transactions is not.
 *
 * <p>With {@link PartitionOptions.Effort#ULTRA}, flows on the host refine graphs of up to {@link
 * PartitionOptions#flowVertices()} vertices. Such graphs, but for one that came from Java, and the
 * parts of all tries are copied there for that.
 *
 * <p>Sources: Karypis and Kumar 1998 for the scheme; chapter 4 of the thesis for its form on GPUs
 * and the transactional variants; Jet (Gilbert, Madduri, Boman and Rajamanickam 2024) for the
 * rounds of refinement; Sanders and Schulz 2011 and Gottesbüren, Heuer and Sanders 2022 for flows.
 */
public final class GraphPartitioner implements AutoCloseable {
  /** Vertices that the coarsest graph has at least, and for each part. */
  private static final int COARSEST = 1024;

  private static final int COARSEST_FOR_EACH_PART = 8;

  /** How much heavier than the coarsest graph's mean a coarse vertex may be. */
  private static final double HEAVIEST = 1.5;

  /** By what share of a vertex parts of coarser graphs may exceed the even weight at least. */
  private static final double SLACK = 0.75;

  private static final int MOST_LEVELS = 100;
  private static final String PARTS = "parts";

  private final Device device;
  private final DeviceMemory memory;
  private final PartitionOptions options;
  private final CoarseUnits units;
  private final FixedVertices fixed;
  private final PartitionInput given;
  private final Balance balance; // in them
  private final long even; // the weight of a part if all were equal, rounded up; with ballast
  private final Effort effort;
  private final int coarsest; // vertices below which no coarser graph is made
  private final Launches launches;
  private final Primitives.MemoryWatch primitivesMemory;
  private final Coarsening coarsening;
  private final Clustering clustering;
  private final Population population;
  private final List<HierarchyGraph> levels = new ArrayList<>();
  private int cycle; // 0 at first, then one for each time that all is done again
  private double repeatedCoarsenMillis;
  private long budget; // what the hierarchies may take

  /**
   * What an effort means.
   *
   * @param members partitions that are refined on the coarsest graph
   * @param trials bisections tried for each part of each of them
   * @param phases of refinement on each graph
   * @param patience rounds without progress that end one
   * @param cycles times that all is done again within the parts found
   * @param flows whether flows refine, too
   */
  private record Effort(
      int members, int trials, int phases, int patience, int cycles, boolean flows) {
    static Effort of(PartitionOptions.Effort effort) {
      return switch (effort) {
        case FAST -> new Effort(1, 1, 1, 8, 0, false);
        case DEFAULT -> new Effort(4, 2, 1, 18, 0, false);
        case ULTRA -> new Effort(12, 4, 8, 18, 3, true);
      };
    }

    /** Jet's shares; where all edges weigh the same, moves that lose little lose all there is. */
    Stamina on(boolean uniform) {
      if (phases > 1) {
        return new Stamina(patience, phases, 0.85f, 0f);
      }
      float share = uniform ? 0.25f : 0.75f;
      return new Stamina(patience, 1, share, share);
    }
  }

  /** A graph of the hierarchy, and what the report says of it. */
  private final class HierarchyGraph implements AutoCloseable {
    private final DeviceGraph graph;
    private final DeviceArray<int[]> fixed; // a part or -1 for each vertex; null if none is
    private int members; // that were refined on it
    private DeviceArray<int[]> map; // to the next coarser graph; null in the coarsest
    private double coarsenMillis;
    private double refineMillis;
    private long heaviestVertex;
    private int hubs; // as Population has them
    private Outcome outcome;
    private long heaviestPart; // without ballast

    HierarchyGraph(DeviceGraph graph, DeviceArray<int[]> fixed) {
      this.graph = graph;
      this.fixed = fixed;
    }

    PartitionReport.Level report() {
      return new PartitionReport.Level(
          graph.vertices(),
          graph.arcs() / 2L,
          heaviestVertex * units.vertexUnit(),
          outcome.firstCut() * units.edgeUnit(),
          outcome.cut() * units.edgeUnit(),
          heaviestPart * units.vertexUnit(),
          outcome.rounds(),
          outcome.moves(),
          coarsenMillis,
          refineMillis);
    }

    void forgetMap() {
      memory.free(map);
      map = null;
    }

    @Override
    public void close() {
      Resources.close(this::forgetMap, () -> memory.free(fixed), graph);
    }
  }

  private GraphPartitioner(
      DeviceMemory memory,
      KernelModule module,
      PartitionInput given,
      CoarseUnits units,
      FixedVertices fixed,
      PartitionOptions options,
      int coarsest) {
    this.given = given;
    this.fixed = fixed;
    this.device = memory.device();
    this.memory = memory;
    this.units = units;
    this.options = options;
    this.balance = units.balance();
    this.even = balance.evenWithBallast();
    this.effort = Effort.of(options.effort());
    this.coarsest = Math.max(coarsest, COARSEST_FOR_EACH_PART * options.parts());
    this.launches = new Launches(module, options.phaseTimes(), options.stm());
    this.coarsening = new Coarsening(memory, module, Primitives.of(device), options);
    this.clustering = new Clustering(memory, launches, options.seed());
    this.population = new Population(memory, launches, options, balance);
    // Last: what fails here is not closed.
    this.primitivesMemory = Primitives.of(device).watchMemory(memory::primitivesNeed);
  }

  /**
   * Partitions a graph; from the graph in Java's memory to the parts there.
   *
   * @param device where
   * @param graph the graph
   * @param options how
   * @return the parts, with a report
   * @throws IllegalArgumentException if the graph has weights that are not ints from 0
   * @throws ImpossibleBalanceException if no partition can keep the balance
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   * @throws io.magpie.stm.UnfinishedItemsException if transactions did not finish, because of the
   *     options' timeout or bound of attempts
   */
  public static PartitionResult run(Device device, Graph graph, PartitionOptions options) {
    return run(device, graph, options, COARSEST);
  }

  /**
   * The same, with the result's {@code parts} in an array of one's own, as long as there are
   * vertices, in Java's memory or on the device.
   *
   * @param device where
   * @param graph the graph
   * @param options how
   * @param arrays has {@code parts}
   * @return the parts, with a report; they hold until the next call with these arrays
   * @throws IllegalArgumentException if the graph has weights that are not ints from 0, or an array
   *     was given of another name, length or type
   * @throws ImpossibleBalanceException if no partition can keep the balance
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   * @throws io.magpie.stm.UnfinishedItemsException if transactions did not finish, because of the
   *     options' timeout or bound of attempts
   */
  public static PartitionResult run(
      Device device, Graph graph, PartitionOptions options, ResultArrays arrays) {
    return run(device, graph, FixedVertices.NONE, options, arrays);
  }

  /**
   * The same, with vertices that are to be in given parts. They stay there whatever the cut, and
   * count in the balance.
   *
   * @param device where
   * @param graph the graph
   * @param fixed vertices of it
   * @param options how
   * @return the parts, with a report
   * @throws IllegalArgumentException if the graph has weights that are not ints from 0, or {@code
   *     fixed} are vertices of another graph or in parts that there are not
   * @throws ImpossibleBalanceException if no partition can keep the balance
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   * @throws io.magpie.stm.UnfinishedItemsException if transactions did not finish, because of the
   *     options' timeout or bound of attempts
   */
  public static PartitionResult run(
      Device device, Graph graph, FixedVertices fixed, PartitionOptions options) {
    Objects.requireNonNull(device, "device");
    return run(new DeviceMemory(device), graph, fixed, options, COARSEST, null);
  }

  /**
   * The same, with both.
   *
   * @param device where
   * @param graph the graph
   * @param fixed vertices of it
   * @param options how
   * @param arrays has {@code parts}
   * @return the parts, with a report; they hold until the next call with these arrays
   * @throws IllegalArgumentException as without one of the two
   * @throws ImpossibleBalanceException if no partition can keep the balance
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   * @throws io.magpie.stm.UnfinishedItemsException if transactions did not finish, because of the
   *     options' timeout or bound of attempts
   */
  public static PartitionResult run(
      Device device,
      Graph graph,
      FixedVertices fixed,
      PartitionOptions options,
      ResultArrays arrays) {
    Objects.requireNonNull(device, "device");
    Objects.requireNonNull(arrays, "arrays");
    return run(new DeviceMemory(device), graph, fixed, options, COARSEST, arrays);
  }

  /**
   * Partitions a graph that is on a device, with nothing of it copied to Java's memory, unless
   * flows refine it, it has weights, whose sums decide how they are rounded, or refinement misses
   * the balance. The parts are those that the same graph in Java's memory gets.
   *
   * @param graph the graph; this returns when nothing more is read of it
   * @param options how
   * @return the parts, with a report; {@link PartitionResult#graph} copies the graph
   * @throws ImpossibleBalanceException if no partition can keep the balance
   * @throws IllegalStateException if the graph is closed
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   * @throws io.magpie.stm.UnfinishedItemsException if transactions did not finish, because of the
   *     options' timeout or bound of attempts
   */
  public static PartitionResult run(ResidentGraph graph, PartitionOptions options) {
    return partition(graph, FixedVertices.NONE, options, null);
  }

  /**
   * The same, with vertices that are to be in given parts, and the result's {@code parts} in an
   * array of one's own, as long as there are vertices, in Java's memory or on the device.
   *
   * @param graph the graph
   * @param fixed vertices of it
   * @param options how
   * @param arrays has {@code parts}
   * @return the parts, with a report; they hold until the next call with these arrays
   * @throws IllegalArgumentException if {@code fixed} are vertices of another graph or in parts
   *     that there are not, or an array was given of another name, length or type
   * @throws ImpossibleBalanceException if no partition can keep the balance
   * @throws IllegalStateException if the graph is closed
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   * @throws io.magpie.stm.UnfinishedItemsException if transactions did not finish, because of the
   *     options' timeout or bound of attempts
   */
  public static PartitionResult run(
      ResidentGraph graph, FixedVertices fixed, PartitionOptions options, ResultArrays arrays) {
    return partition(graph, fixed, options, Objects.requireNonNull(arrays, "arrays"));
  }

  private static PartitionResult partition(
      ResidentGraph graph, FixedVertices fixed, PartitionOptions options, ResultArrays arrays) {
    Objects.requireNonNull(graph, "graph");
    return run(
        new DeviceMemory(graph.device()),
        graph.weighted()
            ? new PartitionInput.InJava(graph.graph())
            : new PartitionInput.OnDevice(graph),
        fixed,
        options,
        COARSEST,
        arrays);
  }

  /** The same with another bound on the size of the coarsest graph. */
  static PartitionResult run(Device device, Graph graph, PartitionOptions options, int coarsest) {
    Objects.requireNonNull(device, "device");
    return run(new DeviceMemory(device), graph, options, coarsest);
  }

  /** The same; all that it allocates there is freed in the end, also where it fails. */
  static PartitionResult run(
      DeviceMemory memory, Graph graph, PartitionOptions options, int coarsest) {
    return run(memory, graph, FixedVertices.NONE, options, coarsest, null);
  }

  /** The same with vertices that are fixed. */
  static PartitionResult run(
      Device device, Graph graph, FixedVertices fixed, PartitionOptions options, int coarsest) {
    Objects.requireNonNull(device, "device");
    return run(new DeviceMemory(device), graph, fixed, options, coarsest, null);
  }

  private static PartitionResult run(
      DeviceMemory memory,
      Graph graph,
      FixedVertices fixed,
      PartitionOptions options,
      int coarsest,
      ResultArrays arrays) {
    Objects.requireNonNull(graph, "graph");
    return run(memory, new PartitionInput.InJava(graph), fixed, options, coarsest, arrays);
  }

  private static PartitionResult run(
      DeviceMemory memory,
      PartitionInput graph,
      FixedVertices fixed,
      PartitionOptions options,
      int coarsest,
      ResultArrays arrays) {
    Objects.requireNonNull(fixed, "fixed");
    Objects.requireNonNull(options, "options");
    graph.check(arrays, PARTS);
    memory
        .device()
        .load(Coarsening.MODULE)
        .close(); // it stays with the device; not part of the run
    Primitives.of(memory.device());
    long start = System.nanoTime();
    ResultArray<int[]> parts = ResultArray.ints(arrays, PARTS, memory.device(), graph.vertices());
    Balance balance =
        Balance.of(
            graph.vertices(),
            graph.vertexWeights(),
            options.parts(),
            options.imbalance(),
            options.partWeights(),
            fixed);
    if (options.parts() == 1) {
      return whole(memory.device(), graph, fixed, options, balance, parts, start);
    }
    CoarseUnits units = graph.units(balance);
    try (KernelModule module = memory.device().load(Coarsening.MODULE);
        GraphPartitioner partitioner =
            new GraphPartitioner(memory, module, graph, units, fixed, options, coarsest)) {
      return partitioner.result(balance, parts);
    }
  }

  /** The one partition into one part. */
  private static PartitionResult whole(
      Device device,
      PartitionInput graph,
      FixedVertices fixed,
      PartitionOptions options,
      Balance balance,
      ResultArray<int[]> parts,
      long start) {
    parts.copyFrom(new int[graph.vertices()]);
    PartitionReport report =
        new PartitionReport(
            device.description().spec(),
            options,
            List.of(),
            0,
            List.of(),
            List.of(),
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            Elapsed.millisSince(start));
    return new PartitionResult(
        graph, balance, fixed, parts, 0, new long[] {balance.weight()}, report);
  }

  private PartitionResult result(Balance asked, ResultArray<int[]> parts) {
    long start = System.nanoTime();
    addInput();
    device.synchronize();
    long uploaded = System.nanoTime();
    coarsen();
    long coarsened = System.nanoTime();
    int[][] initial = initial();
    long begun = System.nanoTime();
    int best = uncoarsen(initial, effort);
    long initialCut = coarsest().outcome.firstCut() * units.edgeUnit();
    budget = budget();
    if (effort.cycles() > 0) {
      best = repeat(betterOfTwo(best, initial));
    }
    long refined = System.nanoTime();
    List<PartitionReport.Level> reports = levels.stream().map(HierarchyGraph::report).toList();
    BalanceRepair.Repaired kept = inBalance(asked, parts, best);
    long end = System.nanoTime();
    PartitionReport report =
        new PartitionReport(
            device.description().spec(),
            options,
            reports,
            initialCut,
            joined(coarsening.launches().phases(), launches.phases()),
            joined(coarsening.launches().transactions(), launches.transactions()),
            memory.most(),
            budget,
            millis(start, uploaded),
            millis(uploaded, coarsened) + repeatedCoarsenMillis,
            millis(coarsened, begun),
            millis(begun, refined) - repeatedCoarsenMillis,
            millis(refined, end),
            millis(start, end));
    return new PartitionResult(given, asked, fixed, parts, kept.cut(), kept.partWeights(), report);
  }

  /**
   * The weights and the cut of a member in the given graph, and its parts made to keep the balance,
   * where the search rounded weights, or did not find the balance.
   *
   * @param to takes the parts of the member's vertices
   */
  private BalanceRepair.Repaired inBalance(Balance asked, ResultArray<int[]> to, int member) {
    Outcome found = input().outcome;
    if (units.exact() && found.heaviest() <= balance.limitWithBallast()) {
      to.copyFrom(population.parts(member));
      return new BalanceRepair.Repaired(population.partWeights(member), found.cut());
    }
    int[] parts = population.parts(member).toArray();
    long cut = units.exact() ? found.cut() : CoarseUnits.cut(given.graph(), parts);
    BalanceRepair.Repaired repaired = BalanceRepair.repair(given.graph(), parts, asked, fixed, cut);
    to.copyFrom(parts);
    return repaired;
  }

  private void addInput() {
    try (Holder held = new Holder(memory)) {
      int[] parts = fixed.orNull();
      DeviceArray<int[]> onDevice = parts == null ? null : held.copyOf(parts);
      DeviceGraph copy =
          given instanceof PartitionInput.OnDevice there
              ? DeviceGraph.copyOf(memory, there.resident())
              : DeviceGraph.copyOf(memory, units.graph());
      held.release(onDevice);
      add(copy, onDevice);
    }
  }

  /** The fixed vertices of a graph that a map leads to; null if none is. */
  private DeviceArray<int[]> coarseFixed(
      HierarchyGraph fine, DeviceArray<int[]> map, int coarseVertices) {
    if (fine.fixed == null) {
      return null;
    }
    try (Holder held = new Holder(memory)) {
      DeviceArray<int[]> coarse = held.ints(coarseVertices);
      coarse.fill(-1);
      int n = fine.graph.vertices();
      launches.run(
          "restrict_fixed",
          n,
          new Fields()
              .set("vertices", n)
              .set("map", map)
              .set("fixed", fine.fixed)
              .set("coarse", coarse));
      held.release(coarse);
      return coarse;
    }
  }

  private void addCoarser(HierarchyGraph fine, Coarsening.Coarser coarser) {
    DeviceArray<int[]> fixedParts;
    try {
      fixedParts = coarseFixed(fine, coarser.map(), coarser.graph().vertices());
    } catch (RuntimeException e) {
      coarser.graph().close();
      throw e;
    }
    add(coarser.graph(), fixedParts);
  }

  private void add(DeviceGraph coarser, DeviceArray<int[]> fixedParts) {
    HierarchyGraph level = new HierarchyGraph(coarser, fixedParts);
    levels.add(level);
    DeviceArray<int[]> found = memory.ints(2);
    try {
      int n = coarser.vertices();
      int degree = Population.hubDegree(launches, options.parts());
      launches.run(
          "measure_graph",
          n,
          new Fields()
              .set("vertices", n)
              .set("hub_degree", degree)
              .set("offsets", coarser.offsets())
              .set("vertex_weights", coarser.vertexWeights())
              .set("found", found));
      level.heaviestVertex = found.getInt(0);
      level.hubs = found.getInt(1);
    } finally {
      memory.free(found);
    }
  }

  /** Distinguishes random choices by the number of a graph and the cycle. */
  private int salt(int level) {
    return cycle * MOST_LEVELS + level;
  }

  private HierarchyGraph input() {
    return levels.get(0);
  }

  private HierarchyGraph coarsest() {
    return levels.get(levels.size() - 1);
  }

  /** Makes coarser graphs of the input until one is small, or none gets smaller. */
  private void coarsen() {
    if (options.coarsening() == PartitionOptions.Coarsening.CLUSTERS) {
      int before;
      do {
        before = levels.size();
        int n = coarsest().graph.vertices();
        if (n > coarsest) {
          DeviceArray<int[]> clusters =
              clustering.of(coarsest().graph, coarsest().fixed, heaviestPair(), before);
          memory.free(coarsen(clusters, fixed.none() ? n : n + options.parts()));
        }
      } while (levels.size() > before);
    }
    coarsen(null, 1);
  }

  /**
   * The same, pairs being within parts.
   *
   * @param parts of the coarsest graph's vertices, which are freed; null for pairs anywhere
   * @param numbers parts are below this
   * @return the parts of the coarsest graph's vertices then, to be freed; null where there were
   *     none
   */
  private DeviceArray<int[]> coarsen(DeviceArray<int[]> parts, int numbers) {
    try (Holder held = new Holder(memory)) {
      DeviceArray<int[]> within = held.adopt(parts);
      while (coarsest().graph.vertices() > coarsest && levels.size() < MOST_LEVELS) {
        HierarchyGraph fine = coarsest();
        long start = System.nanoTime();
        boolean byFixed = within == null && fine.fixed != null;
        Coarsening.Coarser coarser =
            coarsening.coarsen(
                fine.graph,
                heaviestPair(),
                salt(levels.size()),
                byFixed ? fine.fixed : within,
                byFixed ? options.parts() + 1 : numbers);
        if (coarser == null) {
          break;
        }
        fine.map = coarser.map();
        addCoarser(fine, coarser);
        if (within != null) {
          int n = fine.graph.vertices();
          DeviceArray<int[]> coarse = held.ints(coarser.graph().vertices());
          launches.run(
              "restrict_parts",
              n,
              new Fields()
                  .set("vertices", n)
                  .set("map", fine.map)
                  .set("part", within)
                  .set("coarse", coarse));
          held.free(within);
          within = coarse;
        }
        fine.coarsenMillis = Elapsed.millisSince(start);
      }
      held.release(within);
      return within;
    }
  }

  /** What two vertices that become one may weigh together. */
  private int heaviestPair() {
    return (int) Math.max(1, Math.min(HEAVIEST * balance.weight() / coarsest, balance.limit()));
  }

  private int[][] initial() {
    DeviceGraph small = coarsest().graph;
    int[] offsets = small.offsets().toArray();
    int[] neighbors = small.neighbors().toArray();
    int[] weights = small.weights().toArray();
    int[] vertexWeights = small.vertexWeights().toArray();
    int[] fixedParts = coarsest().fixed == null ? null : coarsest().fixed.toArray();
    int members = Population.mostMembers(effort.members(), small.vertices(), options.parts());
    PartBounds bounds = bounds();
    return IntStream.range(0, members)
        .parallel()
        .mapToObj(
            m ->
                InitialPartition.of(
                    offsets,
                    neighbors,
                    weights,
                    vertexWeights,
                    fixedParts,
                    bounds,
                    options.seed() * 0x9e3779b97f4a7c15L + m,
                    effort.trials()))
        .toArray(int[][]::new);
  }

  /** What the parts of the coarsest graph are to weigh. */
  private PartBounds bounds() {
    long limit = limit(coarsest());
    long[] ballast = balance.ballast();
    return ballast == null
        ? PartBounds.even(options.parts(), limit)
        : PartBounds.uneven(
            balance.shares().targets(balance.weight(), options.parts()), limit, ballast);
  }

  /**
   * What a part may weigh while a graph is refined, its ballast included. On coarser graphs it is a
   * share of a vertex above the even weight at least: coarse vertices do not fit exactly, and where
   * parts are full nothing can move. The input's own vertices then mend what little is too much.
   */
  private int limit(HierarchyGraph level) {
    long slack = 0;
    if (level != input()) {
      slack = (long) (SLACK * Math.min(heaviestPair(), level.heaviestVertex));
    }
    return (int) Math.min(balance.weight(), Math.max(balance.limitWithBallast(), even + slack));
  }

  /** Refines partitions of the coarsest graph on each graph; gives the best member. */
  private int uncoarsen(int[][] initial, Effort refinement) {
    population.start(coarsest().graph, coarsest().fixed, coarsest().hubs, initial);
    return uncoarsen(initial.length, refinement, false);
  }

  /**
   * The parts of the present best member, or of the one that {@link
   * PartitionOptions.Effort#DEFAULT} finds from the same beginning, if that is better. Moves that
   * lose much at first lead to less cut on most graphs, but not where few vertices have most of the
   * edges.
   */
  private int[] betterOfTwo(int best, int[][] initial) {
    int[] parts = population.parts(best).toArray();
    Outcome found = input().outcome;
    Effort other = Effort.of(PartitionOptions.Effort.DEFAULT);
    int members = Math.min(other.members(), initial.length);
    int otherBest = uncoarsen(Arrays.copyOf(initial, members), other);
    boolean better = population.ranking(limit(input()), found, input().outcome)[0] == 1;
    return better ? population.parts(otherBest).toArray() : parts;
  }

  /**
   * Refines on each graph, the coarsest first; gives the best member.
   *
   * @param exact whether parts keep the balance on coarser graphs too, if they do so at first
   */
  private int uncoarsen(int initialMembers, Effort refinement, boolean exact) {
    int members = initialMembers;
    int best = 0;
    for (int l = levels.size() - 1; l >= 0; l--) {
      HierarchyGraph level = levels.get(l);
      level.members = members;
      long start = System.nanoTime();
      boolean uniform = l == 0 && !given.weighted();
      int limit = exact ? limit(input()) : limit(level);
      Outcome[] outcomes = population.refine(refinement.on(uniform), limit, salt(l));
      if (refinement.flows() && level.graph.vertices() <= options.flowVertices()) {
        refineByFlows(level, outcomes, limit, salt(l));
      }
      int[] ranking = population.ranking(limit, outcomes);
      best = ranking[0];
      level.outcome = outcomes[best];
      level.heaviestPart = population.heaviestPart(best, level.outcome);
      if (l > 0) {
        HierarchyGraph finer = levels.get(l - 1);
        members =
            Math.max(1, Math.min(members, mostVertices() / Math.max(1, finer.graph.vertices())));
        population.project(
            finer.graph, finer.fixed, finer.hubs, finer.map, Arrays.copyOf(ranking, members));
      }
      level.refineMillis = Elapsed.millisSince(start);
    }
    return best;
  }

  /**
   * Refines all members of a graph on the host, where flows improve cuts that no move of few
   * vertices does.
   *
   * @param outcomes takes what became of the members
   */
  private void refineByFlows(HierarchyGraph level, Outcome[] outcomes, int limit, int salt) {
    // What the device has of the input is there in Java already, unless it came from the device, or
    // has lost self-loops on the way.
    DeviceGraph there = level.graph;
    Graph given = level == input() ? units.graph() : null;
    Graph here = given != null && given.arcs() == there.arcs() ? given : null;
    long[] ballast = balance.ballast() == null ? new long[options.parts()] : balance.ballast();
    int[][] parts = new int[outcomes.length][];
    Arrays.setAll(parts, m -> population.parts(m).toArray());
    List<FlowRefinement.Result> refined =
        launches.host(
            "refine_by_flows",
            (long) outcomes.length * there.arcs(),
            () -> {
              int[] offsets = here != null ? here.offsets() : there.offsets().toArray();
              int[] neighbors = here != null ? here.neighbors() : there.neighbors().toArray();
              int[] weights = here != null ? here.weights() : there.weights().toArray();
              int[] vertexWeights =
                  here != null ? here.vertexWeights() : there.vertexWeights().toArray();
              int[] fixedParts = level.fixed == null ? null : level.fixed.toArray();
              return IntStream.range(0, parts.length)
                  .parallel()
                  .mapToObj(
                      m ->
                          FlowRefinement.of(
                              offsets,
                              neighbors,
                              weights,
                              vertexWeights,
                              fixedParts,
                              parts[m],
                              limit,
                              ballast,
                              (options.seed() * MOST_LEVELS + salt) * 0x9e3779b97f4a7c15L + m))
                  .toList();
            });
    for (int m = 0; m < parts.length; m++) {
      FlowRefinement.Result result = refined.get(m);
      outcomes[m] =
          population.replace(m, outcomes[m], parts[m], result.gain(), result.partWeights());
    }
  }

  /** Vertices of all members together: what more would take time in proportion. */
  private int mostVertices() {
    return device.machine() == Machine.CUDA ? 1 << 19 : 100_000;
  }

  /** Begins again from parts, as often as the effort says; gives the best member. */
  private int repeat(int[] found) {
    int best = again(found);
    while (cycle < effort.cycles()) {
      best = again(population.parts(best).toArray());
    }
    return best;
  }

  /** Coarsens within the parts found and refines again; no worse than before. */
  private int again(int[] found) {
    cycle++;
    try (Holder held = new Holder(memory)) {
      DeviceArray<int[]> parts = held.copyOf(found);
      levels.subList(1, levels.size()).forEach(HierarchyGraph::close);
      levels.subList(1, levels.size()).clear();
      input().forgetMap();
      input().coarsenMillis = 0;
      held.release(parts);
      DeviceArray<int[]> coarse = held.adopt(coarsen(parts, options.parts()));
      population.start(coarsest().graph, coarsest().fixed, coarsest().hubs, 1, coarse);
      int best = uncoarsen(1, effort, true);
      budget = Math.max(budget, budget());
      repeatedCoarsenMillis += levels.stream().mapToDouble(level -> level.coarsenMillis).sum();
      return best;
    }
  }

  /** What the present hierarchy may take. */
  private long budget() {
    MemoryBudget budget = new MemoryBudget(options, !fixed.none());
    for (HierarchyGraph level : levels) {
      int vertices = level.graph.vertices();
      int pieces = launches.pieces((long) level.members * vertices);
      budget.add(vertices, level.graph.arcs(), level.members, pieces, level.hubs > 0);
    }
    return budget.bytes();
  }

  private static <T> List<T> joined(List<T> first, List<T> second) {
    return Stream.concat(first.stream(), second.stream()).toList();
  }

  private static double millis(long from, long to) {
    return (to - from) / 1e6;
  }

  /** Frees what lies on the device. */
  @Override
  public void close() {
    List<AutoCloseable> made = new ArrayList<>(List.of(coarsening, population));
    made.addAll(levels);
    made.add(primitivesMemory);
    Resources.close(made);
  }
}
