package io.magpie.examples.cli.options;

import io.magpie.algorithms.graph.FileWeights;
import io.magpie.examples.input.EdgeStream;
import io.magpie.examples.input.FileStream;
import io.magpie.examples.input.GraphInput;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The option that says of what type a file's weights are; any type where it is not given. */
public final class WeightTypeOption {
  @Option(
      names = "--weight-type",
      paramLabel = "TYPE",
      description =
          "Type of a file's weights: any (the default; the first of int, long and double that holds"
              + " all), counts (whole numbers from 0 to 2147483647), int, long, float, lengths (floats"
              + " from 0) or double.")
  private FileWeights type;

  /**
   * A graph with weights of that type.
   *
   * @param adjustments what else is done to it
   * @throws ParameterException if the option is given, and something else decides the type
   */
  public GraphInput typed(CommandSpec spec, GraphInput given, GraphOptions adjustments) {
    GraphInput any = given.withWeights(FileWeights.ANY);
    if (type == null) {
      return any;
    }
    requireFree(spec, adjustments);
    if (any.equals(given)) {
      throw notOfAFile(spec);
    }
    return given.withWeights(type);
  }

  /** The same for edges that come one by one. */
  public EdgeStream typed(CommandSpec spec, EdgeStream given, GraphOptions adjustments) {
    if (given instanceof FileStream file) {
      requireFree(spec, adjustments);
      return file.withWeights(type == null ? FileWeights.ANY : type);
    }
    if (type != null) {
      throw notOfAFile(spec);
    }
    return given;
  }

  private void requireFree(CommandSpec spec, GraphOptions adjustments) {
    if (type != null) {
      requireFree(spec, adjustments, "double:0..1");
    }
  }

  /**
   * Refuses other options that decide the type.
   *
   * @param example weights to be drawn
   */
  static void requireFree(CommandSpec spec, GraphOptions adjustments, String example) {
    if (adjustments.drawsWeights()) {
      throw usage(
          spec,
          "--weight-type is for weights that a file has; name the type in --weights, as in "
              + example);
    }
    if (adjustments.scalesWeights()) {
      throw usage(
          spec,
          "--weight-scale makes whole numbers of weights, so --weight-type has no effect; leave one"
              + " of them out");
    }
  }

  static ParameterException notOfAFile(CommandSpec spec) {
    return usage(spec, "--weight-type is for files; leave it out");
  }

  private static ParameterException usage(CommandSpec spec, String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
