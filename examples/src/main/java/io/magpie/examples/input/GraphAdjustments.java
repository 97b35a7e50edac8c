package io.magpie.examples.input;

import io.magpie.algorithms.graph.FileWeights;
import io.magpie.algorithms.graph.ReadOptions;
import java.util.ArrayList;
import java.util.List;
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
    return ofFiles().isEmpty();
  }

  /**
   * Refuses what is asked of how a file is read, for there is none.
   *
   * @throws IllegalArgumentException if anything is; the message is for users
   */
  void requireGenerated() {
    if (!readsByDefault()) {
      throw new IllegalArgumentException(refusal(ofFiles(), " is for files", " are for files"));
    }
  }

  /** Whether nothing is to be done to what is no file. */
  boolean isNone() {
    return all().isEmpty();
  }

  /** What is asked of how a file is read, but for the weights' type: the options' names. */
  List<String> ofFiles() {
    List<String> names = new ArrayList<>();
    add(names, "--format", reading.format() != null);
    add(names, "--weight-scale", reading.weightScale() != 0);
    add(names, "--relabel", reading.relabel());
    add(names, "--unit-weights", reading.unitWeights());
    add(names, "symmetry", reading.symmetry() != READING.symmetry());
    return names;
  }

  /** The same with all else that is asked. */
  List<String> all() {
    List<String> names = new ArrayList<>();
    add(names, "--seed", seed != null);
    add(names, "--weights", weights != null);
    names.addAll(ofFiles());
    return names;
  }

  private static void add(List<String> names, String name, boolean given) {
    if (given) {
      names.add(name);
    }
  }

  /**
   * A message that refuses options, one at least.
   *
   * @param one what is wrong with them, after the name if there is only one
   * @param several the same, if there are more
   */
  static String refusal(List<String> names, String one, String several) {
    int last = names.size() - 1;
    return last == 0
        ? names.get(0) + one + "; leave it out"
        : String.join(", ", names.subList(0, last))
            + " and "
            + names.get(last)
            + several
            + "; leave them out";
  }
}
