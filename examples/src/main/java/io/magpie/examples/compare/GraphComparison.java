package io.magpie.examples.compare;

import io.magpie.algorithms.Options;
import io.magpie.algorithms.graph.Graph;
import io.magpie.examples.input.GraphHash;
import io.magpie.examples.input.GraphInput;
import io.magpie.examples.input.Input;
import io.magpie.examples.input.Inputs;
import io.magpie.stm.Device;
import io.magpie.stm.RegionReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.ToLongFunction;

/**
 * A {@link Comparison} of an algorithm on graphs without weights, each of whose runs makes one
 * result of one graph: extend this with a public constructor without parameters, and say how a
 * device computes a result, and what is wrong with one. Everything else, such as what is measured,
 * is done here: the time of a run is that of {@link #solve}, or of the baseline.
 *
 * @param <O> the algorithm's options, such as {@link io.magpie.algorithms.Settings}
 * @param <R> what it makes of a graph
 */
public abstract class GraphComparison<O extends Options<O>, R> implements Comparison<O> {
  private final String name;
  private final String summary;
  private final O defaults;
  private final Map<String, ToLongFunction<R>> counters = new LinkedHashMap<>();
  private final List<Baseline> baselines = new ArrayList<>();
  private final Map<String, BiFunction<Graph, O, R>> programs = new LinkedHashMap<>();

  /**
   * What a run on a device gave.
   *
   * @param <R> the type of results
   * @param result the result
   * @param kernelMillis time in kernels
   * @param transactions reports of all runs of regions; empty without any
   */
  public record Solution<R>(R result, double kernelMillis, List<RegionReport> transactions) {
    public Solution {
      transactions = List.copyOf(transactions);
    }

    /** Of runs of regions alone: their kernels are all. */
    public static <R> Solution<R> of(R result, RegionReport... runs) {
      List<RegionReport> all = List.of(runs);
      double millis = all.stream().mapToDouble(RegionReport::kernelMillis).sum();
      return new Solution<>(result, millis, all);
    }
  }

  /**
   * A comparison without baselines and counters.
   *
   * @param name {@link Comparison#name()}
   * @param summary {@link Comparison#summary()}
   * @param defaults {@link Comparison#defaults()}
   */
  protected GraphComparison(String name, String summary, O defaults) {
    this.name = name;
    this.summary = summary;
    this.defaults = defaults;
  }

  /**
   * Computes a result on a device. Called again and again; the graph stays as it is.
   *
   * @throws io.magpie.stm.UnfinishedItemsException as {@link Comparison.Program#run}
   */
  protected abstract Solution<R> solve(Device device, Graph graph, O options);

  /** What is wrong with a result, if anything is: knows nothing of how it came about. */
  protected abstract Optional<String> mistake(Graph graph, R result);

  /** Adds a number that says how good a result is, which tables then show. For constructors. */
  protected final void counter(String counter, ToLongFunction<R> of) {
    counters.put(counter, of);
  }

  /** Adds a program without a device to compare with. For constructors. */
  protected final void baseline(
      String baseline, String description, BiFunction<Graph, O, R> program) {
    baselines.add(Baseline.of(baseline, description));
    programs.put(baseline, program);
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final String summary() {
    return summary;
  }

  @Override
  public final O defaults() {
    return defaults;
  }

  @Override
  public final List<String> shown() {
    return List.copyOf(counters.keySet());
  }

  @Override
  public final List<Baseline> baselines() {
    return List.copyOf(baselines);
  }

  @Override
  public final Input source(Input given) {
    return Inputs.require(GraphInput.class, "a graph", given).unweightedByDefault();
  }

  @Override
  public final Prepared<O> prepare(Input source, Progress progress) throws IOException {
    progress.begin(source.generated() ? "generating" : "reading", -1);
    Graph graph = ((GraphInput) source).graph();
    return new Measured(graph, GraphHash.of(graph));
  }

  /** A graph, and what runs on it and measures itself. */
  private final class Measured implements Prepared<O> {
    private final Graph graph;
    private final String hash;

    Measured(Graph graph, String hash) {
      this.graph = graph;
      this.hash = hash;
    }

    @Override
    public Map<String, Long> sizes() {
      Map<String, Long> sizes = new LinkedHashMap<>(); // in the order of tables
      sizes.put("vertices", (long) graph.vertices());
      sizes.put("edges", graph.edges());
      return sizes;
    }

    @Override
    public String hash() {
      return hash;
    }

    @Override
    public Program variant(Device device, O options) {
      return () -> {
        long begin = System.nanoTime();
        Solution<R> solution = solve(device, graph, options);
        double total = (System.nanoTime() - begin) / 1e6;
        Map<String, Double> millis =
            Map.of(Outcome.TOTAL, total, Outcome.KERNELS, solution.kernelMillis());
        return outcome(millis, solution.result()).withTransactions(solution.transactions());
      };
    }

    @Override
    public Program baseline(String baseline, O options) {
      BiFunction<Graph, O, R> program = programs.get(baseline);
      if (program == null) {
        return Prepared.super.baseline(baseline, options);
      }
      return () -> {
        long begin = System.nanoTime();
        R result = program.apply(graph, options);
        return outcome(Map.of(Outcome.TOTAL, (System.nanoTime() - begin) / 1e6), result);
      };
    }

    private Outcome outcome(Map<String, Double> millis, R result) {
      Map<String, Long> counted = new LinkedHashMap<>();
      counters.forEach((counter, of) -> counted.put(counter, of.applyAsLong(result)));
      return new Outcome(millis, counted, () -> mistake(graph, result));
    }
  }
}
