package com.example.matching;

import io.magpie.algorithms.graph.Graph;
import io.magpie.examples.compare.Baseline;
import io.magpie.examples.compare.Comparison;
import io.magpie.examples.compare.Progress;
import io.magpie.examples.input.GraphHash;
import io.magpie.examples.input.GraphInput;
import io.magpie.examples.input.Input;
import io.magpie.examples.input.Inputs;
import io.magpie.stm.Device;
import io.magpie.stm.RegionReport;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Maximal matchings of any graph, for {@code magpie compare matching}. */
public final class MatchingComparison implements Comparison<MatchingOptions> {
  @Override
  public String name() {
    return "matching";
  }

  @Override
  public String summary() {
    return "maximal matching of a graph";
  }

  @Override
  public MatchingOptions defaults() {
    return new MatchingOptions();
  }

  @Override
  public List<String> shown() {
    return List.of("pairs");
  }

  @Override
  public List<Baseline> baselines() {
    return List.of(Baseline.of("greedy", "one edge after another, one thread"));
  }

  @Override
  public Input source(Input given) {
    return Inputs.require(GraphInput.class, "a graph", given).unweightedByDefault();
  }

  @Override
  public Prepared<MatchingOptions> prepare(Input source, Progress progress) throws IOException {
    progress.begin(source.generated() ? "generating" : "reading", -1);
    Graph graph = ((GraphInput) source).graph();
    return new Problem(edges(graph), GraphHash.of(graph));
  }

  private static Edges edges(Graph graph) {
    int[] arcs = graph.canonicalArcs();
    return new Edges(
        graph.vertices(),
        IntStream.of(arcs).map(graph::source).toArray(),
        IntStream.of(arcs).map(arc -> graph.neighbors()[arc]).toArray());
  }

  private record Problem(Edges edges, String hash) implements Prepared<MatchingOptions> {
    @Override
    public Map<String, Long> sizes() {
      Map<String, Long> sizes = new LinkedHashMap<>(); // in the order of tables
      sizes.put("vertices", (long) edges.vertices());
      sizes.put("edges", (long) edges.size());
      return sizes;
    }

    @Override
    public Program variant(Device device, MatchingOptions options) {
      return () -> {
        long begin = System.nanoTime();
        Matching.Result result = Matching.run(device, ordered(options), options.stm());
        return outcome(result, (System.nanoTime() - begin) / 1e6);
      };
    }

    @Override
    public Program baseline(String name, MatchingOptions options) {
      return () -> {
        long begin = System.nanoTime();
        int[] partner = ordered(options).greedy();
        double total = (System.nanoTime() - begin) / 1e6;
        return new Outcome(
            Map.of(Outcome.TOTAL, total),
            Map.of("pairs", Matching.pairs(partner)),
            () -> edges.mistake(partner));
      };
    }

    private Edges ordered(MatchingOptions options) {
      return switch (options.get(MatchingOptions.ORDER)) {
        case GIVEN -> edges;
        case DEGREE -> edges.byDegree();
      };
    }

    private Outcome outcome(Matching.Result result, double total) {
      RegionReport report = result.report();
      return new Outcome(
              Map.of(Outcome.TOTAL, total, Outcome.KERNELS, report.kernelMillis()),
              Map.of("pairs", Matching.pairs(result.partner())),
              () -> edges.mistake(result.partner()))
          .withTransactions(List.of(report));
    }
  }
}
