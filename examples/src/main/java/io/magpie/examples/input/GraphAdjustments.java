package io.magpie.examples.input;

import io.magpie.algorithms.graph.ReadOptions;
import java.util.Objects;

/**
 * What is to be done to a graph while it is read or generated.
 *
 * @param seed seed of the generator or of drawn weights; null for the default
 * @param weights weights to draw where the input has none: {@code L..H}, {@code H} for {@code
 *     1..H}, or {@code max}; of a generator also {@code none}; null for the default
 * @param reading how a file is read
 */
public record GraphAdjustments(Long seed, String weights, ReadOptions reading) {
  /** Nothing. */
  public static final GraphAdjustments NONE =
      new GraphAdjustments(null, null, ReadOptions.defaults());

  /** Checks that there are options. */
  public GraphAdjustments {
    Objects.requireNonNull(reading, "reading");
  }
}
