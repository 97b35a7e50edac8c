package io.magpie.examples.cli.options;

import io.magpie.algorithms.graph.ReadOptions;
import io.magpie.examples.input.DirectedGraphInput;
import io.magpie.examples.input.EdgeStream;
import io.magpie.examples.input.GraphAdjustments;
import io.magpie.examples.input.GraphInput;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options that say what is done to a graph while it is read or generated. */
public final class GraphOptions {
  /** What a file is that does not say so. */
  public static final class Reading {
    @Option(
        names = "--format",
        paramLabel = "SUFFIX",
        description =
            "Format of the file whatever its name, for pipes and standard input, such as gr, mtx or"
                + " wel.gz.")
    private String format;

    /** The graph, read so. */
    public GraphInput adjusted(
        CommandSpec spec, GraphInput input, Long seed, String weights, ReadOptions reading) {
      return (GraphInput) adjusted(spec, (DirectedGraphInput) input, seed, weights, reading);
    }

    private DirectedGraphInput adjusted(
        CommandSpec spec,
        DirectedGraphInput input,
        Long seed,
        String weights,
        ReadOptions reading) {
      GraphAdjustments adjustments = adjustments(spec, seed, weights, reading);
      try {
        return input.adjusted(adjustments);
      } catch (IllegalArgumentException e) {
        throw usage(spec, e.getMessage());
      }
    }

    /** Edges that come one by one, read so. */
    public EdgeStream adjusted(
        CommandSpec spec, EdgeStream input, Long seed, String weights, ReadOptions reading) {
      GraphAdjustments adjustments = adjustments(spec, seed, weights, reading);
      try {
        return input.adjusted(adjustments);
      } catch (IllegalArgumentException e) {
        throw usage(spec, e.getMessage());
      }
    }

    private GraphAdjustments adjustments(
        CommandSpec spec, Long seed, String weights, ReadOptions reading) {
      try {
        return new GraphAdjustments(seed, weights, reading.withFormat(format));
      } catch (IllegalArgumentException e) { // which names the format
        throw usage(spec, "--" + e.getMessage());
      }
    }
  }

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of the generator or of --weights; default 1.")
  private Long seed;

  @Option(
      names = "--weights",
      paramLabel = "L..H",
      description =
          "Draw weights from this range for a graph that has none; as in double:0..1 for weights of"
              + " another type than int.")
  private String weights;

  @Option(
      names = "--weight-scale",
      paramLabel = "FACTOR",
      description =
          "Multiply the weights of a .mtx (real), .wel or .txt file by this and round them to whole"
              + " numbers, with halves to even (0.5 to 0, 1.5 to 2).")
  private Double weightScale;

  @Option(
      names = "--relabel",
      description = "Number a file's vertices in the order in which they first appear.")
  private boolean relabel;

  @Mixin private Reading form;

  /**
   * The graph, with what was asked for.
   *
   * @param unitWeights whether each edge and vertex of a file weighs 1, whatever it says
   */
  public GraphInput adjusted(CommandSpec spec, GraphInput input, boolean unitWeights) {
    return (GraphInput) adjusted(spec, (DirectedGraphInput) input, unitWeights);
  }

  /** The same for a directed graph. */
  public DirectedGraphInput adjusted(
      CommandSpec spec, DirectedGraphInput input, boolean unitWeights) {
    return form.adjusted(spec, input, seed, weights, reading(spec, unitWeights));
  }

  /** The same for edges that come one by one. */
  public EdgeStream adjusted(CommandSpec spec, EdgeStream input) {
    return form.adjusted(spec, input, seed, weights, reading(spec, false));
  }

  private ReadOptions reading(CommandSpec spec, boolean unitWeights) {
    ReadOptions reading = GraphAdjustments.READING.withRelabel(relabel);
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
    return reading.withUnitWeights(unitWeights);
  }

  /** Whether weights are asked for. */
  public boolean drawsWeights() {
    return weights != null;
  }

  /** Whether a file's weights are to be multiplied. */
  public boolean scalesWeights() {
    return weightScale != null;
  }

  /** Refuses what was given, for there is no graph. */
  public void forbid(CommandSpec spec) {
    if (seed != null || weights != null || weightScale != null || relabel || form.format != null) {
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
