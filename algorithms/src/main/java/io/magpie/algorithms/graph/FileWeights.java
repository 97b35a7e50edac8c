package io.magpie.algorithms.graph;

/**
 * How the weights of a file's edges are read. Weights of vertices are always ints, 0 or more.
 *
 * <p>Only numbers in text are rounded. A binary file ({@code .egr}, {@code .mpg}, {@code .mpe})
 * with a weight that the type asked for does not hold exactly is refused.
 */
public enum FileWeights {
  /**
   * As ints if all weights of the file are such, however they are written, else as longs if all are
   * such, and else as the nearest doubles; what is too large for a double is refused. A snapshot
   * ({@code .mpg}) or list of edges ({@code .mpe}) says of what type its weights are. The default.
   */
  ANY(WeightType.INT),
  /** As ints; anything but whole numbers from 0 to 2^31 - 1 is refused. */
  COUNTS(WeightType.INT),
  /** As ints; anything but whole numbers from -2^31 to 2^31 - 1 is refused. */
  INT(WeightType.INT),
  /** As longs; anything but whole numbers from -2^63 to 2^63 - 1 is refused. */
  LONG(WeightType.LONG),
  /** As the floats nearest to the numbers of a text; what is too large for one is refused. */
  FLOAT(WeightType.FLOAT),
  /**
   * As the floats nearest to the numbers of a text; what is negative, or too large for one, is
   * refused: lengths of arcs.
   */
  LENGTHS(WeightType.FLOAT),
  /** As the doubles nearest to the numbers of a text; what is too large for one is refused. */
  DOUBLE(WeightType.DOUBLE);

  private final WeightType type;

  FileWeights(WeightType type) {
    this.type = type;
  }

  /** Whether negative weights are refused. */
  boolean fromZero() {
    return this == COUNTS || this == LENGTHS;
  }

  /** The type of the first weight. */
  WeightType type() {
    return type;
  }
}
