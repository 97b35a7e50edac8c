package io.magpie.examples.compare;

import io.magpie.algorithms.graph.DirectedGraph;
import io.magpie.algorithms.paths.PathsOptions;
import io.magpie.algorithms.paths.PathsOptions.Lengths;
import io.magpie.algorithms.paths.PathsReference;
import io.magpie.algorithms.paths.PathsReport;
import io.magpie.algorithms.paths.PathsResult;
import io.magpie.algorithms.paths.PathsVerifier;
import io.magpie.algorithms.paths.ShortestPaths;
import io.magpie.examples.input.Input;
import io.magpie.examples.input.InputException;
import io.magpie.stm.Device;
import io.magpie.stm.RegionReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Shortest paths from 64 vertices, as in the GAP Benchmark Suite (Beamer, Asanović and Patterson):
 * drawn at random from those that arcs leave, repetitions included, and searched from one after
 * another. Times are means of one search, from the graph on the device, where all variants share
 * one copy of it; what a variant needs besides is copied by a search before its first round, which
 * does not count.
 *
 * <p>The distances of all searches are compared, by hashes, and those of the last one itself, with
 * its predecessors.
 */
public final class ManyPathsComparison implements Comparison<PathsOptions> {
  private static final int SOURCES = 64;
  private static final long SEED = 1;

  private final PathsComparison one = new PathsComparison();

  @Override
  public String name() {
    return "paths-64";
  }

  @Override
  public String summary() {
    return "shortest paths from 64 vertices drawn at random; times are means";
  }

  @Override
  public PathsOptions defaults() {
    return one.defaults();
  }

  @Override
  public List<String> shown() {
    return List.of("rounds");
  }

  @Override
  public List<Baseline> baselines() {
    return List.of(PathsGraph.SEQUENTIAL);
  }

  @Override
  public Input source(Input given) {
    return one.source(given);
  }

  @Override
  public boolean usesLengths(PathsOptions variant) {
    return variant.lengths() == Lengths.WEIGHTS;
  }

  @Override
  public Prepared<PathsOptions> prepare(Input source, Progress progress) throws IOException {
    PathsGraph read = PathsGraph.of(source, progress);
    return new Problem(read, sources(read.graph(), read.description()));
  }

  private static int[] sources(DirectedGraph graph, String description) {
    if (graph.arcs() == 0) {
      throw new InputException(description + ": no arc leaves a vertex where paths could begin");
    }
    SplittableRandom random = new SplittableRandom(SEED);
    int[] sources = new int[SOURCES];
    for (int i = 0; i < SOURCES; i++) {
      do {
        sources[i] = random.nextInt(graph.vertices());
      } while (graph.outDegree(sources[i]) == 0);
    }
    return sources;
  }

  private static final class Problem implements Prepared<PathsOptions> {
    private final PathsGraph read;
    private final DirectedGraph graph;
    private final int[] sources;

    /** The graph on the devices of variants that are open. */
    private final Map<Device, OnDevice> copies = new IdentityHashMap<>();

    /** Of the distances from each source, of lengths that were asked for. */
    private final Map<Lengths, int[]> references = new EnumMap<>(Lengths.class);

    Problem(PathsGraph read, int[] sources) {
      this.read = read;
      this.graph = read.graph();
      this.sources = sources;
    }

    @Override
    public Map<String, Long> sizes() {
      Map<String, Long> sizes = read.sizes();
      sizes.put("sources", (long) sources.length);
      return sizes;
    }

    @Override
    public String hash() {
      return read.hash();
    }

    @Override
    public Program variant(Device device, PathsOptions variant) {
      read.requireWeights(variant);
      return new Searches(
          copies.computeIfAbsent(device, OnDevice::new), variant.withPhaseTimes(false));
    }

    @Override
    public Program baseline(String name, PathsOptions options) {
      read.requireWeights(options);
      if (!name.equals(PathsComparison.SEQUENTIAL)) {
        throw new IllegalArgumentException("there is no baseline '" + name + "'");
      }
      return () -> {
        Round round = new Round();
        for (int source : sources) {
          long begin = System.nanoTime();
          PathsResult result = PathsReference.run(graph, source, options.lengths());
          round.add(result, (System.nanoTime() - begin) / 1e6);
        }
        return round.outcome(Map.of());
      };
    }

    /** The graph on a device, with working arrays, for all variants there, as one may take all. */
    private final class OnDevice {
      private final Device device;
      private ShortestPaths paths;
      private int users;

      OnDevice(Device device) {
        this.device = device;
      }

      /** For a variant more. */
      void use() {
        paths();
        users++;
      }

      ShortestPaths paths() {
        if (paths == null) {
          paths = new ShortestPaths(device, graph);
        }
        return paths;
      }

      /** What a search has left that failed is not for others. */
      void discard() {
        if (paths != null) {
          paths.close();
          paths = null;
        }
      }

      /** For a variant less. */
      void release() {
        users--;
        if (users == 0) {
          discard();
          copies.remove(device);
        }
      }
    }

    /** The searches of a variant. */
    private final class Searches implements Program {
      private final OnDevice shared;
      private final PathsOptions options;
      private ShortestPaths ready;
      private boolean closed;

      Searches(OnDevice shared, PathsOptions options) {
        this.shared = shared;
        this.options = options;
        shared.use();
      }

      @Override
      public Outcome run() {
        try {
          ShortestPaths paths = shared.paths();
          if (paths != ready) { // copies and allocates what this variant needs
            read.told(() -> paths.run(sources[0], options));
            ready = paths;
          }
          return searched(paths);
        } catch (RuntimeException | Error e) {
          shared.discard();
          throw e;
        }
      }

      private Outcome searched(ShortestPaths paths) {
        Round round = new Round();
        double kernels = 0;
        for (int source : sources) {
          long begin = System.nanoTime();
          PathsResult result = paths.run(source, options);
          round.add(result, (System.nanoTime() - begin) / 1e6);
          PathsReport report = result.report().orElseThrow();
          kernels += report.prepareMillis() + report.solveMillis();
        }
        return round.outcome(Map.of(Outcome.KERNELS, kernels / sources.length));
      }

      @Override
      public void close() {
        if (!closed) {
          closed = true;
          shared.release();
        }
      }
    }

    /** What the searches of a round have found, each of which replaces the one before. */
    private final class Round {
      private final int[] hashes = new int[sources.length];
      private int searches;
      private final List<RegionReport> transactions = new ArrayList<>();
      private long rounds;
      private double millis;
      private PathsResult last;

      void add(PathsResult result, double millisOfSearch) {
        hashes[searches++] = Arrays.hashCode(result.orderedDistances());
        result.report().ifPresent(report -> transactions.addAll(report.transactions()));
        rounds += result.report().map(PathsReport::rounds).orElse(0);
        millis += millisOfSearch;
        last = result;
      }

      Outcome outcome(Map<String, Double> more) {
        Map<String, Double> times = new LinkedHashMap<>();
        times.put(Outcome.TOTAL, millis / searches);
        times.putAll(more);
        Map<String, Long> counters = rounds == 0 ? Map.of() : Map.of("rounds", rounds);
        return new Outcome(times, counters, () -> mistake(hashes, last))
            .withTransactions(transactions);
      }
    }

    private Optional<String> mistake(int[] hashes, PathsResult last) {
      int[] right =
          references.computeIfAbsent(
              last.lengths(),
              lengths ->
                  Arrays.stream(sources)
                      .mapToObj(s -> PathsReference.run(graph, s, lengths).orderedDistances())
                      .mapToInt(Arrays::hashCode)
                      .toArray());
      int other = Arrays.mismatch(hashes, right);
      if (other >= 0) {
        return Optional.of("some distance from vertex " + sources[other] + " is another one");
      }
      return Timed.mistake(PathsVerifier.verify(last));
    }
  }
}
