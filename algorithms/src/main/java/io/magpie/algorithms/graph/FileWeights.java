package io.magpie.algorithms.graph;

/** How the weights of a file's edges are read. Weights of vertices are always ints, 0 or more. */
public enum FileWeights {
  /**
   * As the first of int, long and double that holds every weight of the file; of doubles, each is
   * the nearest one to the number in the file. A snapshot ({@code .mpg}) says of what type its
   * weights are. The default.
   */
  ANY(WeightType.INT),
  /** As ints; anything but whole numbers from 0 to 2^31 - 1 is refused. */
  COUNTS(WeightType.INT),
  /** As ints; anything but whole numbers from -2^31 to 2^31 - 1 is refused. */
  INT(WeightType.INT),
  /** As longs; anything but whole numbers from -2^63 to 2^63 - 1 is refused. */
  LONG(WeightType.LONG),
  /** As the nearest floats; what is too large for one is refused. */
  FLOAT(WeightType.FLOAT),
  /** As the nearest doubles; what is too large for one is refused. */
  DOUBLE(WeightType.DOUBLE);

  private final WeightType type;

  FileWeights(WeightType type) {
    this.type = type;
  }

  /** The type of the first weight. */
  WeightType type() {
    return type;
  }
}
