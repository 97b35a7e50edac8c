package io.magpie.examples.compare;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.msf.FilterKruskal;
import io.magpie.algorithms.msf.KruskalReference;
import io.magpie.algorithms.msf.MinimumSpanningForest;
import io.magpie.algorithms.msf.MsfOptions;
import io.magpie.algorithms.msf.MsfReport;
import io.magpie.algorithms.msf.MsfResult;
import io.magpie.algorithms.msf.MsfVerifier;
import io.magpie.stm.Device;
import io.magpie.stm.Policy;
import io.magpie.stm.RegionReport;
import io.magpie.stm.StmOptions;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Minimum spanning forests in all their variants, against sequential programs. */
public final class MsfComparison implements Comparison {
  private static final String KRUSKAL = "kruskal";
  private static final String FILTER_KRUSKAL = "filter-kruskal";
  private static final String JGRAPHT = "jgrapht";

  @Override
  public String name() {
    return "msf";
  }

  @Override
  public String summary() {
    return "minimum spanning forest of a weighted graph";
  }

  @Override
  public List<Choice> choices() {
    return List.of(
        Choice.of("merge", "how components are united", "stm", "atomic"),
        Choice.of("traversal", "what a thread walks over", "edge", "vertex"),
        Choice.of("discovery", "how a component's least edge is found", "atomic", "atomic-free")
            .onlyWith("traversal=vertex"),
        Choice.of("filter", "whether light edges go first", "auto", "on", "off")
            .onlyWith("traversal=edge"),
        Choice.of("policy", "which transaction goes first", "hand_off", "priority_rule")
            .onlyWith("merge=stm"),
        Choice.of("reads", "whether transactions validate their reads", "validated", "unvalidated")
            .onlyWith("merge=stm"),
        Choice.of("statistics", "whether attempts are counted", "on", "off").onlyWith("merge=stm"),
        Choice.number("threads", "transactions in flight; 0 = the device's choice", 0)
            .onlyWith("merge=stm"));
  }

  @Override
  public Map<String, String> baselines() {
    Map<String, String> baselines = new LinkedHashMap<>();
    baselines.put(KRUSKAL, "Magpie's sequential Kruskal, radix sort, one thread");
    baselines.put(FILTER_KRUSKAL, "Magpie's sequential Filter-Kruskal, quicksort, one thread");
    baselines.put(JGRAPHT, "JGraphT's KruskalMinimumSpanningTree; building its graph is not timed");
    return baselines;
  }

  /** The options of a variant; phases are not timed one by one, which would slow the whole. */
  static MsfOptions options(Variant variant) {
    StmOptions stm = StmOptions.defaults();
    if (variant.get("policy") != null) {
      stm =
          stm.withPolicy(Choice.constant(Policy.class, variant.get("policy")))
              .withStatistics(variant.get("statistics").equals("on"))
              .withThreadsInFlight(Integer.parseInt(variant.get("threads")));
    }
    MsfOptions options =
        MsfOptions.defaults()
            .withMerge(Choice.constant(MsfOptions.Merge.class, variant.get("merge")))
            .withTraversal(Choice.constant(MsfOptions.Traversal.class, variant.get("traversal")))
            .withPhaseTimes(false)
            .withStm(stm);
    if (variant.get("discovery") != null) {
      options =
          options.withDiscovery(
              Choice.constant(MsfOptions.Discovery.class, variant.get("discovery")));
    }
    if (variant.get("filter") != null) {
      options = options.withFilter(Choice.constant(MsfOptions.Filter.class, variant.get("filter")));
    }
    if (variant.get("reads") != null) {
      options = options.withReads(Choice.constant(MsfOptions.Reads.class, variant.get("reads")));
    }
    return options;
  }

  @Override
  public Optional<String> objection(Variant variant) {
    try {
      options(variant);
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(e.getMessage());
    }
  }

  @Override
  public InputSource source(InputSource given) {
    GraphSource graph = given.ofGraph();
    if (graph.reading().unitWeights()) {
      throw new IllegalArgumentException(
          "--unit-weights leaves nothing to choose edges by; leave it out");
    }
    return graph;
  }

  @Override
  public Prepared prepare(InputSource source, Progress progress) throws IOException {
    GraphSource input = source.ofGraph();
    progress.begin(input.generator() == null ? "reading" : "generating", -1);
    Graph graph = input.weightedGraph();
    progress.begin("reference", -1);
    return new Input(graph, GraphHash.of(graph), KruskalReference.run(graph));
  }

  private record Input(Graph graph, String hash, MsfResult reference) implements Prepared {
    @Override
    public Map<String, Long> sizes() {
      Map<String, Long> sizes = new LinkedHashMap<>();
      sizes.put("vertices", (long) graph.vertices());
      sizes.put("edges", graph.edges());
      sizes.put("arcs", graph.arcs());
      sizes.put("forestEdges", (long) reference.edges());
      sizes.put("forestWeight", reference.weight());
      return sizes;
    }

    @Override
    public Program variant(Device device, Variant variant) {
      MsfOptions options = options(variant);
      return () -> {
        long begin = System.nanoTime();
        MsfResult result = MinimumSpanningForest.run(device, graph, options);
        return outcome(result, (System.nanoTime() - begin) / 1e6);
      };
    }

    private Outcome outcome(MsfResult result, double total) {
      MsfReport report = result.report().orElseThrow();
      Map<String, Double> millis = new LinkedHashMap<>();
      millis.put(Outcome.TOTAL, total);
      millis.put(Outcome.KERNELS, report.solveMillis());
      millis.put("upload", report.uploadMillis());
      millis.put("result", report.resultMillis());
      Map<String, Long> counters = new LinkedHashMap<>();
      Map<String, Long> aborts = new LinkedHashMap<>();
      counters.put("rounds", (long) report.rounds());
      for (RegionReport region : report.transactions()) {
        if (region.options().statistics()) {
          counters.merge("commits", region.commits(), Long::sum);
          counters.merge("cancels", region.cancels(), Long::sum);
          counters.merge("aborts", region.aborts(), Long::sum);
          counters.merge("steals", region.steals(), Long::sum);
          counters.merge("registrations", region.registrations(), Long::sum);
          counters.merge("mostAttempts", region.mostAttempts(), Math::max);
          region
              .abortsByCause()
              .forEach(
                  (cause, count) ->
                      aborts.merge(cause.name().toLowerCase(Locale.ROOT), count, Long::sum));
        }
      }
      return new Outcome(millis, counters, aborts, () -> mistake(result));
    }

    private Optional<String> mistake(MsfResult result) {
      List<String> wrong = MsfVerifier.verify(result, reference);
      return wrong.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", wrong));
    }

    @Override
    public Program baseline(String name) {
      return switch (name) {
        case KRUSKAL -> () -> timed(() -> KruskalReference.run(graph), this::mistake);
        case FILTER_KRUSKAL -> () -> timed(() -> FilterKruskal.run(graph), this::mistake);
        case JGRAPHT -> new JGraphTKruskal(graph, reference.weight());
        default -> throw new IllegalArgumentException("there is no baseline '" + name + "'");
      };
    }
  }

  /** Runs something that only has a total time. */
  static <T> Outcome timed(Supplier<T> action, Function<T, Optional<String>> mistake) {
    long begin = System.nanoTime();
    T result = action.get();
    double total = (System.nanoTime() - begin) / 1e6;
    return new Outcome(
        Map.of(Outcome.TOTAL, total), Map.of(), Map.of(), () -> mistake.apply(result));
  }
}
