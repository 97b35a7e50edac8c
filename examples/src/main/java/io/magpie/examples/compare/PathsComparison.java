package io.magpie.examples.compare;

import io.magpie.algorithms.graph.DirectedGraph;
import io.magpie.algorithms.paths.PathsOptions;
import io.magpie.algorithms.paths.PathsOptions.Balance;
import io.magpie.algorithms.paths.PathsOptions.Drive;
import io.magpie.algorithms.paths.PathsOptions.Lengths;
import io.magpie.algorithms.paths.PathsOptions.Predecessors;
import io.magpie.algorithms.paths.PathsOptions.Sync;
import io.magpie.algorithms.paths.PathsReference;
import io.magpie.algorithms.paths.PathsReport;
import io.magpie.algorithms.paths.PathsResult;
import io.magpie.algorithms.paths.PathsVerifier;
import io.magpie.algorithms.paths.ShortestPaths;
import io.magpie.examples.input.DirectedGraphInput;
import io.magpie.examples.input.Input;
import io.magpie.examples.input.InputException;
import io.magpie.examples.input.Inputs;
import io.magpie.stm.Device;
import java.io.IOException;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Shortest paths in all their variants, against programs without a device, from the vertex that
 * most arcs leave; of several such, from the first.
 */
public final class PathsComparison implements Comparison<PathsOptions> {
  static final String SEQUENTIAL = "sequential";
  private static final String LISTS = "lists";
  private static final String JGRAPHT = "jgrapht";

  /** Degree bounds of the ladders. */
  private static final int[] BOUNDS = {512, 256, 128, 64, 32, 16, 8, 4, 2, 1};

  @Override
  public String name() {
    return "paths";
  }

  @Override
  public String summary() {
    return "shortest paths from the vertex with the most outgoing arcs";
  }

  @Override
  public PathsOptions defaults() {
    return PathsOptions.defaults();
  }

  @Override
  public List<String> shown() {
    return List.of("rounds", "relaxations", "extraNodes");
  }

  @Override
  public List<Ladder<PathsOptions>> ladders() {
    return List.of(
        new Ladder<>(
            "split-bfs",
            "node splitting of Kumar and Vadhiyar in a breadth-first search, over bounds of degrees",
            split(Lengths.UNIT)),
        new Ladder<>("split-sssp", "the same with lengths=weights", split(Lengths.WEIGHTS)),
        new Ladder<>(
            "virtual-bfs",
            "virtual nodes, and nodes with distances of their own, both by atomic minima, over the"
                + " same bounds",
            virtual(Lengths.UNIT)),
        new Ladder<>("virtual-sssp", "the same with lengths=weights", virtual(Lengths.WEIGHTS)),
        new Ladder<>(
            "heavy-bfs",
            "a second launch for vertices of high degree instead of their child grids",
            heavy(Lengths.UNIT)),
        new Ladder<>("heavy-sssp", "the same with lengths=weights", heavy(Lengths.WEIGHTS)));
  }

  private Map<String, PathsOptions> split(Lengths lengths) {
    PathsOptions none = oneLaneEach(lengths);
    PathsOptions split = none.withBalance(Balance.SPLIT);
    Map<String, PathsOptions> steps = new LinkedHashMap<>();
    steps.put("a lane for each vertex", none);
    addBounds(steps, "split", split);
    PathsOptions atomic = split.withSync(Sync.ATOMIC);
    steps.put("+ atomic minima", atomic);
    steps.put("virtual nodes", atomic.withBalance(Balance.VIRTUAL_SPLIT));
    steps.put("equal pieces", atomic.withBalance(Balance.PIECES));
    return steps;
  }

  private Map<String, PathsOptions> virtual(Lengths lengths) {
    PathsOptions stores = oneLaneEach(lengths);
    PathsOptions none = stores.withSync(Sync.ATOMIC);
    Map<String, PathsOptions> steps = new LinkedHashMap<>();
    steps.put("a lane for each vertex", stores);
    steps.put("+ atomic minima", none);
    addBounds(steps, "virtual", none.withBalance(Balance.VIRTUAL_SPLIT));
    addBounds(steps, "split", none.withBalance(Balance.SPLIT));
    steps.put("equal pieces", none.withBalance(Balance.PIECES));
    return steps;
  }

  private static void addBounds(
      Map<String, PathsOptions> steps, String name, PathsOptions bounded) {
    for (int bound : BOUNDS) {
      steps.put(name + " at " + bound, bounded.withDegreeBound(bound));
    }
    steps.put(name + " by the histogram", bounded);
  }

  private Map<String, PathsOptions> heavy(Lengths lengths) {
    PathsOptions none = oneLaneEach(lengths);
    PathsOptions heavy = none.withBalance(Balance.HEAVY);
    Map<String, PathsOptions> steps = new LinkedHashMap<>();
    steps.put("a lane for each vertex", none);
    for (int bound : BOUNDS) {
      steps.put("heavy above " + bound, heavy.withDegreeBound(bound));
    }
    steps.put("heavy by the histogram", heavy);
    steps.put("equal pieces", none.withBalance(Balance.PIECES));
    return steps;
  }

  /** The program that both are to improve: rounds over all vertices, by plain stores. */
  private PathsOptions oneLaneEach(Lengths lengths) {
    return defaults()
        .withLengths(lengths)
        .withDrive(Drive.TOPOLOGY)
        .withBalance(Balance.NONE)
        .withPredecessors(Predecessors.NONE)
        .withSync(Sync.ATOMIC_FREE);
  }

  @Override
  public List<Baseline> baselines() {
    return List.of(
        PathsGraph.SEQUENTIAL,
        Baseline.of(
            LISTS,
            "rounds over the vertices that came nearer, which threads list, as in ports of"
                + " LonestarGPU to Cilk Plus, in Java on all processors"),
        OpenMpProgram.baseline(
            "the same method with a lock for each vertex, as it was ported to Cilk Plus"),
        Baseline.of(
            JGRAPHT,
            "JGraphT's BreadthFirstIterator or DijkstraShortestPath; building its graph is not"
                + " timed"));
  }

  @Override
  public Input source(Input given) {
    return Inputs.require(DirectedGraphInput.class, "a graph", given);
  }

  @Override
  public boolean usesLengths(PathsOptions variant) {
    return variant.lengths() == Lengths.WEIGHTS;
  }

  @Override
  public Prepared<PathsOptions> prepare(Input source, Progress progress) throws IOException {
    PathsGraph read = PathsGraph.of(source, progress);
    if (read.graph().vertices() == 0) {
      throw new InputException(
          read.description() + ": the graph has no vertices where paths could begin");
    }
    progress.begin("reference", -1);
    return new Problem(read, busiest(read.graph()));
  }

  private static int busiest(DirectedGraph graph) {
    int busiest = 0;
    for (int v = 1; v < graph.vertices(); v++) {
      if (graph.outDegree(v) > graph.outDegree(busiest)) {
        busiest = v;
      }
    }
    return busiest;
  }

  private static final class Problem implements Prepared<PathsOptions> {
    private final PathsGraph read;
    private final DirectedGraph graph;
    private final int source;

    /** Of lengths that were asked for. */
    private final Map<Lengths, PathsResult> references = new EnumMap<>(Lengths.class);

    Problem(PathsGraph read, int source) {
      this.read = read;
      this.graph = read.graph();
      this.source = source;
      reference(Lengths.UNIT);
    }

    private PathsResult reference(Lengths lengths) {
      return references.computeIfAbsent(
          lengths, absent -> PathsReference.run(graph, source, absent));
    }

    @Override
    public Map<String, Long> sizes() {
      Map<String, Long> sizes = read.sizes();
      sizes.put("sourceVertex", (long) source);
      sizes.put("reached", (long) reference(Lengths.UNIT).reached());
      return sizes;
    }

    @Override
    public String hash() {
      return read.hash();
    }

    @Override
    public Program variant(Device device, PathsOptions variant) {
      read.requireWeights(variant);
      // Phases are not timed one by one, which would slow the whole.
      PathsOptions options = variant.withPhaseTimes(false);
      return Timed.program(
          () -> read.told(() -> ShortestPaths.run(device, graph, source, options)), this::outcome);
    }

    private Outcome outcome(PathsResult result, double total) {
      PathsReport report = result.report().orElseThrow();
      Map<String, Double> millis = Timed.millis(report, total);
      // Whoever splits vertices has to do so before each search, so its time counts.
      millis.put(Outcome.KERNELS, report.prepareMillis() + report.solveMillis());
      millis.put("prepare", report.prepareMillis());
      millis.put("solve", report.solveMillis());
      millis.put("result", report.resultMillis());
      Map<String, Long> counters = new LinkedHashMap<>();
      counters.put("rounds", (long) report.rounds());
      counters.put("pulledRounds", (long) report.pulled());
      counters.put("relaxations", report.relaxations());
      counters.put("pushedArcs", report.arcs());
      if (report.delta() > 0 && !result.floating()) { // counters are whole numbers
        counters.put("delta", (long) report.delta());
      }
      if (report.localRounds() > 0) {
        counters.put("localRounds", (long) report.localRounds());
      }
      if (report.degreeBound() > 0) {
        counters.put("degreeBound", (long) report.degreeBound());
        counters.put("extraNodes", (long) report.extraNodes());
      }
      return new Outcome(millis, counters, () -> mistake(result))
          .withTransactions(report.transactions());
    }

    private Optional<String> mistake(PathsResult result) {
      return Timed.mistake(PathsVerifier.verify(result, reference(result.lengths())));
    }

    @Override
    public Program baseline(String name, PathsOptions options) {
      read.requireWeights(options);
      return switch (name) {
        case SEQUENTIAL ->
            () ->
                Timed.once(
                    () -> PathsReference.run(graph, source, options.lengths()), this::mistake);
        case LISTS ->
            () ->
                Timed.once(
                    () -> HostPaths.distances(graph, source, options.lengths()),
                    distances -> PathsGraph.mistake(distances, reference(options.lengths())));
        case OpenMpProgram.NAME ->
            OpenMpProgram.paths(
                OpenMpProgram.onPath(),
                graph,
                source,
                options.lengths(),
                distances -> PathsGraph.mistake(distances, reference(options.lengths())));
        case JGRAPHT -> {
          PathsResult reference = reference(options.lengths());
          if (!reference.floating()) {
            JGraphTPaths.requireExact(read.description(), reference.farthest());
          }
          yield new JGraphTPaths(graph, source, options.lengths(), reference);
        }
        default -> throw new IllegalArgumentException("there is no baseline '" + name + "'");
      };
    }
  }
}
