package io.magpie.examples.compare;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.partition.Balance;
import io.magpie.algorithms.partition.GraphPartitioner;
import io.magpie.algorithms.partition.ImpossibleBalanceException;
import io.magpie.algorithms.partition.PartitionOptions;
import io.magpie.algorithms.partition.PartitionReport;
import io.magpie.algorithms.partition.PartitionResult;
import io.magpie.algorithms.partition.PartitionVerifier;
import io.magpie.stm.Device;
import io.magpie.stm.Policy;
import io.magpie.stm.RegionReport;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Multilevel graph partitioning in all its variants. */
public final class PartitionComparison implements Comparison {
  private static final PartitionOptions DEFAULTS = PartitionOptions.of(64);

  @Override
  public String name() {
    return "partition";
  }

  @Override
  public String summary() {
    return "partition of a graph into parts of even weight";
  }

  @Override
  public List<Choice> choices() {
    return List.of(
        Choice.number("parts", "number of parts", DEFAULTS.parts(), 1, Choice.MOST),
        Choice.share(
            "imbalance", "share by which a part may exceed the even weight", DEFAULTS.imbalance()),
        Choice.of("effort", "time against cut", DEFAULTS.effort()),
        Choice.of("coarsening", "which vertices may become one", DEFAULTS.coarsening()),
        Choice.of("matching", "how pairs of vertices are agreed on", DEFAULTS.matching()),
        Choice.of("rating", "what makes a good partner", DEFAULTS.rating()),
        Choice.of("candidates", "who may be chosen", DEFAULTS.candidates()),
        Choice.of("contraction", "how arcs of pairs are summed up", DEFAULTS.contraction()),
        Choice.of("refinement", "how vertices change their parts", DEFAULTS.refinement()),
        Choice.number("seed", "seed of the first run; each run takes the next", DEFAULTS.seed()),
        Choice.of("policy", "which transaction goes first", "hand_off", "priority_rule"),
        Choice.of("statistics", "whether attempts are counted", "on", "off"),
        Choice.number("threads", "transactions in flight; 0 = the device's choice", 0));
  }

  @Override
  public List<String> shown() {
    return List.of("cut");
  }

  @Override
  public Map<String, String> baselines() {
    return Map.of();
  }

  /** The options of a variant; phases are not timed one by one, which would slow the whole. */
  private static PartitionOptions options(Variant variant) {
    return PartitionOptions.of(Integer.parseInt(variant.get("parts")))
        .withImbalance(Double.parseDouble(variant.get("imbalance")))
        .withEffort(Choice.constant(PartitionOptions.Effort.class, variant.get("effort")))
        .withCoarsening(
            Choice.constant(PartitionOptions.Coarsening.class, variant.get("coarsening")))
        .withMatching(Choice.constant(PartitionOptions.Matching.class, variant.get("matching")))
        .withRating(Choice.constant(PartitionOptions.Rating.class, variant.get("rating")))
        .withCandidates(
            Choice.constant(PartitionOptions.Candidates.class, variant.get("candidates")))
        .withContraction(
            Choice.constant(PartitionOptions.Contraction.class, variant.get("contraction")))
        .withRefinement(
            Choice.constant(PartitionOptions.Refinement.class, variant.get("refinement")))
        .withSeed(Integer.parseInt(variant.get("seed")))
        .withPhaseTimes(false)
        .withStm(
            DEFAULTS
                .stm()
                .withPolicy(Choice.constant(Policy.class, variant.get("policy")))
                .withStatistics(variant.get("statistics").equals("on"))
                .withThreadsInFlight(Integer.parseInt(variant.get("threads"))));
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
    return given.ofGraph().unweightedByDefault();
  }

  @Override
  public Prepared prepare(InputSource source, Progress progress) throws IOException {
    GraphSource input = source.ofGraph();
    progress.begin(input.generator() == null ? "reading" : "generating", -1);
    Graph graph = input.graph();
    return new Input(input, input.firstVertex(), graph, GraphHash.of(graph));
  }

  private record Input(GraphSource source, int firstVertex, Graph graph, String hash)
      implements Prepared {
    @Override
    public Map<String, Long> sizes() {
      Map<String, Long> sizes = new LinkedHashMap<>();
      sizes.put("vertices", (long) graph.vertices());
      sizes.put("edges", graph.edges());
      sizes.put("arcs", graph.arcs());
      return sizes;
    }

    @Override
    public Program variant(Device device, Variant variant) {
      PartitionOptions options = options(variant);
      try {
        Balance.of(graph, options.parts(), options.imbalance());
      } catch (ImpossibleBalanceException e) {
        throw new InputException(source.description() + ": " + e.messageFrom(firstVertex), e);
      }
      return new Program() {
        private long seed = options.seed();

        @Override
        public Outcome run() {
          long begin = System.nanoTime();
          PartitionResult result = GraphPartitioner.run(device, graph, options.withSeed(seed++));
          return outcome(result, (System.nanoTime() - begin) / 1e6);
        }
      };
    }

    private static Outcome outcome(PartitionResult result, double total) {
      PartitionReport report = result.report().orElseThrow();
      Map<String, Double> millis = new LinkedHashMap<>();
      millis.put(Outcome.TOTAL, total);
      millis.put(
          Outcome.KERNELS,
          report.coarsenMillis() + report.initialMillis() + report.uncoarsenMillis());
      millis.put("upload", report.uploadMillis());
      millis.put("coarsen", report.coarsenMillis());
      millis.put("initial", report.initialMillis());
      millis.put("uncoarsen", report.uncoarsenMillis());
      millis.put("download", report.downloadMillis());
      Map<String, Long> counters = new LinkedHashMap<>();
      counters.put("cut", result.cut());
      counters.put("initialCut", report.initialCut());
      counters.put("levels", (long) report.levels().size());
      counters.put("deviceBytes", report.deviceBytes());
      counters.put("seed", report.options().seed());
      Map<String, Long> aborts = new LinkedHashMap<>();
      for (RegionReport region : report.transactions()) {
        if (region.options().statistics()) {
          counters.merge("commits", region.commits(), Long::sum);
          counters.merge("cancels", region.cancels(), Long::sum);
          counters.merge("aborts", region.aborts(), Long::sum);
          counters.merge("steals", region.steals(), Long::sum);
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

    private static Optional<String> mistake(PartitionResult result) {
      List<String> wrong = PartitionVerifier.verify(result);
      return wrong.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", wrong));
    }

    @Override
    public Program baseline(String name) {
      throw new IllegalArgumentException("there is no baseline '" + name + "'");
    }
  }
}
