package io.magpie.examples.cli.options;

import io.magpie.algorithms.graph.FileWeights;
import io.magpie.examples.input.DirectedGraphInput;
import io.magpie.examples.input.Input;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The option that says of what type a file's weights are, if they are lengths of arcs. */
public final class LengthTypeOption {
  /** What weights may be. */
  enum Type {
    /** Whole numbers from 0 to 2^31 - 1. */
    COUNTS(FileWeights.COUNTS),
    /** Floats from 0. */
    FLOAT(FileWeights.LENGTHS);

    private final FileWeights read;

    Type(FileWeights read) {
      this.read = read;
    }
  }

  @Option(
      names = "--weight-type",
      paramLabel = "TYPE",
      description =
          "Type of a file's weights as lengths of arcs: counts (the default; whole numbers from 0 to"
              + " 2147483647) or float (from 0, rounded to the nearest).")
  private Type type;

  /** Whether it is given. */
  public boolean isGiven() {
    return type != null;
  }

  /**
   * A graph with weights of that type.
   *
   * @param adjustments what else is done to it
   * @throws ParameterException if the option is given, and something else decides the type
   */
  public DirectedGraphInput typed(
      CommandSpec spec, DirectedGraphInput given, GraphOptions adjustments) {
    if (type == null) {
      return given;
    }
    WeightTypeOption.requireFree(spec, adjustments, "float:0..1");
    if (isSame(given, UnaryOperator.identity())) {
      throw WeightTypeOption.notOfAFile(spec);
    }
    return given.withLengths(type.read);
  }

  /**
   * Refuses the option, if it is given, for what reads weights in a way of its own.
   *
   * @param given a file
   * @param source what becomes of it
   */
  public void requireEffect(
      CommandSpec spec, DirectedGraphInput given, UnaryOperator<Input> source) {
    if (type != null && isSame(given, source)) {
      throw new ParameterException(
          spec.commandLine(), "--weight-type is for shortest paths; leave it out");
    }
  }

  private static boolean isSame(DirectedGraphInput given, UnaryOperator<Input> source) {
    return source
        .apply(given.withLengths(FileWeights.LENGTHS))
        .equals(source.apply(given.withLengths(FileWeights.COUNTS)));
  }
}
