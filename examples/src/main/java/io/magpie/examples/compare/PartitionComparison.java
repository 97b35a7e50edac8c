package io.magpie.examples.compare;

import io.magpie.algorithms.ResultArrays;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.graph.GraphFormats;
import io.magpie.algorithms.partition.Balance;
import io.magpie.algorithms.partition.GraphPartitioner;
import io.magpie.algorithms.partition.ImpossibleBalanceException;
import io.magpie.algorithms.partition.PartShares;
import io.magpie.algorithms.partition.PartitionFormat;
import io.magpie.algorithms.partition.PartitionOptions;
import io.magpie.algorithms.partition.PartitionQuality;
import io.magpie.algorithms.partition.PartitionReport;
import io.magpie.algorithms.partition.PartitionResult;
import io.magpie.algorithms.partition.PartitionVerifier;
import io.magpie.examples.input.GraphHash;
import io.magpie.examples.input.GraphInput;
import io.magpie.examples.input.Input;
import io.magpie.examples.input.InputException;
import io.magpie.examples.input.Inputs;
import io.magpie.stm.Device;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Multilevel graph partitioning in all its variants. */
public final class PartitionComparison implements Comparison<PartitionOptions> {
  private static final String GPMETIS = "gpmetis";

  /** METIS prints seconds. */
  private static final Pattern PARTITIONING = Pattern.compile("Partitioning:\\s+([0-9.]+) sec");

  @Override
  public String name() {
    return "partition";
  }

  @Override
  public String summary() {
    return "partition of a graph into parts of even weight; each run takes the next seed";
  }

  @Override
  public PartitionOptions defaults() {
    return PartitionOptions.defaults();
  }

  @Override
  public List<String> shown() {
    return List.of("cut");
  }

  @Override
  public List<Baseline> baselines() {
    return List.of(
        Baseline.onPath(
            GPMETIS,
            "METIS's k-way partitioner; its own time of partitioning is the time in kernels, files"
                + " are part of the total",
            "METIS 5"));
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
    return Inputs.require(GraphInput.class, "a graph", given).unweightedByDefault();
  }

  @Override
  public Prepared<PartitionOptions> prepare(Input source, Progress progress) throws IOException {
    GraphInput input = (GraphInput) source;
    progress.begin(input.generated() ? "generating" : "reading", -1);
    Graph graph = input.countedGraph("partitioning needs");
    return new Problem(input, input.firstVertex(), graph, GraphHash.of(graph));
  }

  private record Problem(GraphInput source, int firstVertex, Graph graph, String hash)
      implements Prepared<PartitionOptions> {
    @Override
    public Map<String, Long> sizes() {
      Map<String, Long> sizes = new LinkedHashMap<>();
      sizes.put("vertices", (long) graph.vertices());
      sizes.put("edges", graph.edges());
      sizes.put("arcs", graph.arcs());
      return sizes;
    }

    @Override
    public Program variant(Device device, PartitionOptions variant) {
      return program(variant, options -> GraphPartitioner.run(device, graph, options));
    }

    @Override
    public Program variant(Device device, PartitionOptions variant, ResultArrays arrays) {
      return program(variant, options -> GraphPartitioner.run(device, graph, options, arrays));
    }

    private Program program(
        PartitionOptions variant, Function<PartitionOptions, PartitionResult> compute) {
      // Phases are not timed one by one, which would slow the whole.
      PartitionOptions options = variant.withPhaseTimes(false);
      try {
        Balance.of(graph, options.parts(), options.imbalance(), options.partWeights());
      } catch (ImpossibleBalanceException e) {
        throw new InputException(source.description() + ": " + e.messageFrom(firstVertex), e);
      }
      return new Program() {
        private long seed = options.seed();

        @Override
        public Outcome run() {
          long begin = System.nanoTime();
          PartitionResult result = compute.apply(options.withSeed(seed++));
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
      return new Outcome(millis, counters, () -> mistake(result))
          .withTransactions(report.transactions());
    }

    private static Optional<String> mistake(PartitionResult result) {
      return Timed.mistake(PartitionVerifier.verify(result));
    }

    @Override
    public Program baseline(String name, PartitionOptions options) {
      return new Gpmetis(graph, options);
    }
  }

  /** Runs of METIS's program, each with a seed of its own, in a temporary folder. */
  private static final class Gpmetis implements Program {
    private static final String FILE = "graph.graph";
    private static final String SHARES = "shares";

    private final ExternalProgram program = new ExternalProgram(GPMETIS);
    private final Graph graph;
    private final PartitionOptions options;
    private long seed;

    Gpmetis(Graph graph, PartitionOptions options) {
      this.graph = graph;
      this.options = options;
      this.seed = options.seed();
      try {
        GraphFormats.write(simple(graph), program.folder().resolve(FILE));
        if (!options.partWeights().even()) {
          Files.write(program.folder().resolve(SHARES), fractions(options.partWeights()));
        }
      } catch (IOException e) {
        program.close();
        throw new UncheckedIOException(e);
      } catch (RuntimeException e) {
        program.close();
        throw e;
      }
    }

    /** Shares as METIS takes them: fractions that add up to 1. */
    private static List<String> fractions(PartShares shares) {
      double[] given = shares.toArray();
      double sum = Arrays.stream(given).sum();
      return IntStream.range(0, given.length).mapToObj(p -> p + "=" + given[p] / sum).toList();
    }

    /**
     * The graph as METIS takes it: without self-loops, which no partition cuts, and with parallel
     * edges as one, of their weight together.
     */
    private static Graph simple(Graph graph) {
      GraphBuilder builder = new GraphBuilder(graph.vertices(), true);
      Map<Integer, Long> sums = new TreeMap<>();
      for (int v = 0; v < graph.vertices(); v++) {
        sums.clear();
        for (int a = graph.offsets()[v]; a < graph.offsets()[v + 1]; a++) {
          if (graph.neighbors()[a] > v) {
            sums.merge(graph.neighbors()[a], (long) graph.weight(a), Long::sum);
          }
        }
        for (Map.Entry<Integer, Long> each : sums.entrySet()) {
          if (each.getValue() > Integer.MAX_VALUE) {
            throw new InputException(
                "gpmetis takes edges of at most 2147483647, and parallel edges from vertex "
                    + v
                    + " weigh "
                    + each.getValue()
                    + "; leave it out");
          }
          builder.addEdge(v, each.getKey(), each.getValue().intValue());
        }
      }
      if (graph.vertexWeights() != null) {
        builder.vertexWeights(graph.vertexWeights());
      }
      return builder.build();
    }

    @Override
    public Outcome run() {
      List<String> arguments = new ArrayList<>();
      arguments.add("-ufactor=" + (int) Math.max(1, Math.floor(options.imbalance() * 1000 + 1e-9)));
      arguments.add("-seed=" + (seed++ & Integer.MAX_VALUE));
      if (!options.partWeights().even()) {
        arguments.add("-tpwgts=" + SHARES);
      }
      arguments.addAll(List.of(FILE, Integer.toString(options.parts())));
      ExternalProgram.Output output = program.run(arguments);
      PartitionQuality quality =
          PartitionVerifier.evaluate(
              graph,
              partition(output),
              options.parts(),
              options.imbalance(),
              options.partWeights());
      Map<String, Double> millis = new LinkedHashMap<>();
      millis.put(Outcome.TOTAL, output.millis());
      output.number(PARTITIONING).ifPresent(seconds -> millis.put(Outcome.KERNELS, 1e3 * seconds));
      return new Outcome(millis, Map.of("cut", quality.cut()), () -> mistake(quality));
    }

    /** Reads the partition that a run has written, and deletes its file. */
    private int[] partition(ExternalProgram.Output output) {
      Path made = program.folder().resolve(FILE + ".part." + options.parts());
      try {
        if (!Files.exists(made)) { // it ends with status 0 after failures, too
          throw new InputException("gpmetis made no partition: " + output.end());
        }
        int[] parts = PartitionFormat.read(made, graph.vertices(), options.parts());
        Files.delete(made);
        return parts;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static Optional<String> mistake(PartitionQuality quality) {
      return quality.feasible()
          ? Optional.empty()
          : Optional.of(
              "part "
                  + quality.fullest()
                  + " weighs "
                  + quality.partWeights()[quality.fullest()]
                  + ", more than the "
                  + quality.limits()[quality.fullest()]
                  + " allowed");
    }

    @Override
    public void close() {
      program.close();
    }
  }
}
