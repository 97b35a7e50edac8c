package io.magpie.examples.cli;

import io.magpie.algorithms.graph.ReadOptions;
import io.magpie.examples.compare.InputSource;
import java.nio.file.Path;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options that name an input. */
final class InputOptions {
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

  @ArgGroup(exclusive = true, multiplicity = "1")
  Origin origin;

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

  /** The input. */
  InputSource source(CommandSpec spec) {
    try {
      ReadOptions reading = ReadOptions.defaults().withRelabel(relabel);
      if (weightScale != null) {
        reading = reading.withWeightScale(weightScale);
      }
      return new InputSource(origin.file, origin.generator, seed, weights, reading);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
