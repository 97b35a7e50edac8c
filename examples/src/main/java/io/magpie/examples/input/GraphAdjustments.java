package io.magpie.examples.input;

import io.magpie.algorithms.graph.FileWeights;
import io.magpie.algorithms.graph.ReadOptions;
import java.util.Objects;

/**
 * What is to be done to a graph while it is read or generated.
 *
 * @param seed seed of the generator or of drawn weights; null for the default
 * @param weights weights to draw where the input has none: {@code L..H}, {@code H} for {@code
 *     1..H}, {@code max}, or a {@link io.magpie.algorithms.graph.WeightRange}; of a generator also
 *     {@code none}; null for the default
 * @param reading how a file is read
 */
public record GraphAdjustments(Long seed, String weights, ReadOptions reading) {
  /**
   * How files are read by default: with weights that count, as most algorithms need them. {@link
   * GraphInput#withWeights} is for others.
   */
  public static final ReadOptions READING = ReadOptions.defaults().withWeights(FileWeights.COUNTS);

  /** Nothing. */
  public static final GraphAdjustments NONE = new GraphAdjustments(null, null, READING);

  /** Checks that there are options. */
  public GraphAdjustments {
    Objects.requireNonNull(reading, "reading");
  }

  /** Whether nothing but the weights' type is asked of how a file is read. */
  boolean readsByDefault() {
    return reading.withWeights(READING.weights()).equals(READING);
  }

  /** Whether nothing is to be done to what is no file. */
  boolean isNone() {
    return seed == null && weights == null && readsByDefault();
  }
}
