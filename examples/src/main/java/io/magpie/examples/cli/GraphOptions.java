package io.magpie.examples.cli;

import io.magpie.algorithms.graph.ReadOptions;
import io.magpie.examples.compare.GraphSource;
import java.nio.file.Path;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options that name a graph. */
final class GraphOptions {
  /** Where it comes from. */
  static final class Origin {
    @Option(
        names = "--graph",
        paramLabel = "FILE",
        required = true,
        description =
            "Graph to read: .gr, .graph, .mtx, .el, .wel, .txt, .egr or .mpg, also with .gz or .xz.")
    Path file;

    @Option(
        names = "--generate",
        paramLabel = "SPEC",
        required = true,
        description =
            "Graph to generate, such as road:1000000 or random:n=1M,m=5M; 'magpie generate --help'"
                + " lists the kinds.")
    String generator;
  }

  /** What is done to a graph. */
  static final class Adjustments {
    @Option(
        names = "--seed",
        paramLabel = "N",
        description = "Seed of the generator or of --weights; default 1.")
    Long seed;

    @Option(
        names = "--weights",
        paramLabel = "L..H",
        description = "Draw weights from this range for a graph that has none.")
    String weights;

    @Option(
        names = "--weight-scale",
        paramLabel = "FACTOR",
        description = "Multiply a file's real weights by this and round them to whole numbers.")
    Double weightScale;

    @Option(
        names = "--relabel",
        description = "Number a file's vertices in the order in which they first appear.")
    boolean relabel;

    /** The graph; unit weights are those of each edge and vertex of a file, whatever it says. */
    GraphSource source(CommandSpec spec, Origin origin, boolean unitWeights) {
      try {
        ReadOptions reading = ReadOptions.defaults().withRelabel(relabel);
        if (weightScale != null) {
          if (unitWeights) {
            throw new IllegalArgumentException(
                "--weight-scale and --unit-weights exclude each other; leave one of them out");
          }
          reading = reading.withWeightScale(weightScale);
        }
        reading = reading.withUnitWeights(unitWeights);
        return new GraphSource(origin.file, origin.generator, seed, weights, reading);
      } catch (IllegalArgumentException e) {
        throw new ParameterException(spec.commandLine(), e.getMessage(), e);
      }
    }

    /** Refuses what was given, for there is no graph. */
    void forbid(CommandSpec spec) {
      if (seed != null || weights != null || weightScale != null || relabel) {
        throw new ParameterException(
            spec.commandLine(),
            "--seed, --weights, --weight-scale and --relabel are for graphs; leave them out");
      }
    }
  }

  @ArgGroup(exclusive = true, multiplicity = "1")
  private Origin origin;

  @Mixin private Adjustments adjustments;

  /** The graph. */
  GraphSource source(CommandSpec spec) {
    return adjustments.source(spec, origin, false);
  }
}
