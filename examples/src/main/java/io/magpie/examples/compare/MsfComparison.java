package io.magpie.examples.compare;

import io.magpie.algorithms.ResultArrays;
import io.magpie.algorithms.graph.FileWeights;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.msf.FilterKruskal;
import io.magpie.algorithms.msf.KruskalReference;
import io.magpie.algorithms.msf.MinimumSpanningForest;
import io.magpie.algorithms.msf.MsfOptions;
import io.magpie.algorithms.msf.MsfOptions.Objective;
import io.magpie.algorithms.msf.MsfReport;
import io.magpie.algorithms.msf.MsfResult;
import io.magpie.algorithms.msf.MsfVerifier;
import io.magpie.algorithms.msf.ParallelBoruvka;
import io.magpie.examples.input.GraphHash;
import io.magpie.examples.input.GraphInput;
import io.magpie.examples.input.Input;
import io.magpie.examples.input.Inputs;
import io.magpie.stm.Device;
import java.io.IOException;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Minimum spanning forests in all their variants, against programs without a device. */
public final class MsfComparison implements Comparison<MsfOptions> {
  private static final String KRUSKAL = "kruskal";
  private static final String FILTER_KRUSKAL = "filter-kruskal";
  private static final String BORUVKA = "boruvka";
  private static final String JGRAPHT = "jgrapht";

  @Override
  public String name() {
    return "msf";
  }

  @Override
  public String summary() {
    return "minimum or maximum spanning forest of a weighted graph";
  }

  @Override
  public MsfOptions defaults() {
    return MsfOptions.defaults();
  }

  @Override
  public List<Ladder<MsfOptions>> ladders() {
    return MsfLadders.all();
  }

  @Override
  public List<Baseline> baselines() {
    return List.of(
        Baseline.of(KRUSKAL, "Magpie's sequential Kruskal, radix sort, one thread"),
        Baseline.of(FILTER_KRUSKAL, "Magpie's sequential Filter-Kruskal, quicksort, one thread"),
        Baseline.of(
            BORUVKA,
            "LonestarGPU's method as it was ported to Cilk Plus, with a lock for each component;"
                + " on a device that method is traversal=component-space; all processors"),
        OpenMpProgram.baseline("the same method"),
        Baseline.of(
            JGRAPHT, "JGraphT's KruskalMinimumSpanningTree; building its graph is not timed"));
  }

  @Override
  public boolean writesToArrays() {
    return true;
  }

  @Override
  public boolean leavesOnDevice() {
    return true;
  }

  @Override
  public Input source(Input given) {
    GraphInput graph = Inputs.require(GraphInput.class, "a graph", given);
    if (graph.unitWeights()) {
      throw new IllegalArgumentException(
          "--unit-weights leaves nothing to choose edges by; leave it out");
    }
    return graph.withWeights(FileWeights.ANY);
  }

  @Override
  public Prepared<MsfOptions> prepare(Input source, Progress progress) throws IOException {
    GraphInput input = (GraphInput) source;
    progress.begin(input.generated() ? "generating" : "reading", -1);
    Graph graph = input.weightedGraph();
    return new Problem(input.description(), graph, progress);
  }

  /** A graph, and what its forests are compared with. */
  private static final class Problem implements Prepared<MsfOptions> {
    private final String description;
    private final Graph graph;
    private final String hash;
    private final Progress progress;
    private final Map<Objective, MsfResult> references = new EnumMap<>(Objective.class);

    Problem(String description, Graph graph, Progress progress) {
      this.description = description;
      this.graph = graph;
      this.hash = GraphHash.of(graph);
      this.progress = progress;
    }

    /** A best forest, computed when it is first asked for: before anything is measured. */
    private synchronized MsfResult reference(Objective objective) {
      return references.computeIfAbsent(
          objective,
          each -> {
            progress.begin("reference", -1);
            return KruskalReference.run(graph, each);
          });
    }

    @Override
    public String hash() {
      return hash;
    }

    @Override
    public Map<String, Long> sizes() {
      Map<String, Long> sizes = new LinkedHashMap<>();
      sizes.put("vertices", (long) graph.vertices());
      sizes.put("edges", graph.edges());
      sizes.put("arcs", graph.arcs());
      if (references.isEmpty()) {
        reference(Objective.MINIMUM);
      }
      references.forEach(
          (objective, forest) -> {
            sizes.put("forestEdges", (long) forest.edges()); // the same for both
            try {
              boolean minimum = objective == Objective.MINIMUM;
              sizes.put(minimum ? "forestWeight" : "maximumForestWeight", forest.weight());
            } catch (ArithmeticException e) {
              // No whole number of 64 bits: the record has none.
            }
          });
      return sizes;
    }

    @Override
    public Program variant(Device device, MsfOptions variant) {
      return program(variant, options -> MinimumSpanningForest.run(device, graph, options));
    }

    @Override
    public Program variant(Device device, MsfOptions variant, ResultArrays arrays) {
      return program(variant, options -> MinimumSpanningForest.run(device, graph, options, arrays));
    }

    private Program program(MsfOptions variant, Function<MsfOptions, MsfResult> compute) {
      // Phases are not timed one by one, which would slow the whole.
      MsfOptions options = variant.withPhaseTimes(false);
      reference(options.objective());
      return Timed.program(() -> compute.apply(options), this::outcome);
    }

    private Outcome outcome(MsfResult result, double total) {
      MsfReport report = result.report().orElseThrow();
      Map<String, Double> millis = Timed.millis(report, total);
      millis.put("result", report.resultMillis());
      return new Outcome(millis, Map.of("rounds", (long) report.rounds()), () -> mistake(result))
          .withTransactions(report.transactions());
    }

    private Optional<String> mistake(MsfResult result) {
      return Timed.mistake(MsfVerifier.verify(result, reference(result.objective())));
    }

    @Override
    public Program baseline(String name, MsfOptions options) {
      Objective objective = options.objective();
      reference(objective);
      return switch (name) {
        case KRUSKAL ->
            () -> Timed.once(() -> KruskalReference.run(graph, objective), this::mistake);
        case FILTER_KRUSKAL ->
            () -> Timed.once(() -> FilterKruskal.run(graph, objective), this::mistake);
        case BORUVKA ->
            () -> Timed.once(() -> ParallelBoruvka.run(graph, objective), this::mistake);
        case OpenMpProgram.NAME ->
            OpenMpProgram.forest(
                OpenMpProgram.onPath(),
                graph,
                objective,
                arcs -> Timed.mistake(MsfVerifier.verify(arcs, reference(objective))));
        case JGRAPHT -> {
          JGraphTKruskal.requireDoubles(graph, description);
          yield new JGraphTKruskal(reference(objective));
        }
        default -> throw new IllegalArgumentException("there is no baseline '" + name + "'");
      };
    }
  }
}
