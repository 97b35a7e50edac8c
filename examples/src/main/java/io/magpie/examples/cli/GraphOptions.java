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
            "Graph to read: .gr, .graph, .mtx, .el, .wel, .txt, .egr or .mpg, also with .gz or .xz;"
                + " - or a pipe with --format.")
    private Path file;

    @Option(
        names = "--generate",
        paramLabel = "SPEC",
        required = true,
        description =
            "Graph to generate, such as road:1000000 or random:n=1M,m=5M; 'magpie generate --help'"
                + " lists the kinds.")
    private String generator;
  }

  /** What a file is that does not say so. */
  static final class Reading {
    @Option(
        names = "--format",
        paramLabel = "SUFFIX",
        description =
            "What the file is whatever its name, for pipes and standard input: such as gr, mtx or"
                + " wel.gz.")
    private String format;

    /** The graph; a message of the library is told in terms of the options. */
    GraphSource source(
        CommandSpec spec, Origin origin, Long seed, String weights, ReadOptions reading) {
      try {
        return new GraphSource(
            PathOption.input(origin.file),
            origin.generator,
            seed,
            weights,
            reading.withFormat(format));
      } catch (IllegalArgumentException e) {
        throw new ParameterException(spec.commandLine(), OptionNames.in(spec, e.getMessage()), e);
      }
    }
  }

  /** What is done to a graph. */
  static final class Adjustments {
    @Option(
        names = "--seed",
        paramLabel = "N",
        description = "Seed of the generator or of --weights; default 1.")
    private Long seed;

    @Option(
        names = "--weights",
        paramLabel = "L..H",
        description = "Draw weights from this range for a graph that has none.")
    private String weights;

    @Option(
        names = "--weight-scale",
        paramLabel = "FACTOR",
        description =
            "Multiply a file's real weights by this and round them to whole numbers, halves to the"
                + " even one (0.5 to 0, 1.5 to 2).")
    private Double weightScale;

    @Option(
        names = "--relabel",
        description = "Number a file's vertices in the order in which they first appear.")
    private boolean relabel;

    @Mixin private Reading form;

    /** The graph; unit weights are those of each edge and vertex of a file, whatever it says. */
    GraphSource source(CommandSpec spec, Origin origin, boolean unitWeights) {
      ReadOptions reading = ReadOptions.defaults().withRelabel(relabel);
      if (weightScale != null) {
        if (unitWeights) {
          throw usage(
              spec, "--weight-scale and --unit-weights exclude each other; leave one of them out");
        }
        if (!(weightScale > 0) || weightScale.isInfinite()) {
          throw usage(spec, "--weight-scale must be positive and finite, got " + weightScale);
        }
        reading = reading.withWeightScale(weightScale);
      }
      return form.source(spec, origin, seed, weights, reading.withUnitWeights(unitWeights));
    }

    /** Refuses what was given, for there is no graph. */
    void forbid(CommandSpec spec) {
      if (seed != null
          || weights != null
          || weightScale != null
          || relabel
          || form.format != null) {
        throw usage(
            spec,
            "--seed, --weights, --weight-scale, --relabel and --format are for graphs; leave them"
                + " out");
      }
    }

    private static ParameterException usage(CommandSpec spec, String message) {
      return new ParameterException(spec.commandLine(), message);
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
