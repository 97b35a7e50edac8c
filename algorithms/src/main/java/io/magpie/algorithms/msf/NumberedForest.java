package io.magpie.algorithms.msf;

import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.msf.MsfOptions.Objective;
import java.math.BigDecimal;
import java.util.Objects;
import java.util.Optional;

/**
 * A minimum, or maximum, spanning forest of the edges of an {@link EdgeSource}: of all best ones
 * the one that is least, or largest, by weight and then least by number, so that it depends on the
 * edges alone. Java memory: 20 bytes for each edge, 24 if weights are longs or doubles, 4 for each
 * vertex.
 */
public final class NumberedForest {
  private final long[] numbers;
  private final int[] sources;
  private final int[] targets;
  private final WeightPlaces places;
  private final int[] labels;
  private final Objective objective;
  private final StreamReport report;
  private BigDecimal weight;

  /** A forest, not checked. */
  NumberedForest(
      long[] numbers,
      int[] sources,
      int[] targets,
      WeightPlaces places,
      int[] labels,
      Objective objective,
      StreamReport report) {
    this.numbers = numbers;
    this.sources = sources;
    this.targets = targets;
    this.places = places;
    this.labels = labels;
    this.objective = objective;
    this.report = report;
  }

  /** Number of vertices. */
  public int vertices() {
    return labels.length;
  }

  /** Number of chosen edges: vertices less components. */
  public int edges() {
    return numbers.length;
  }

  /** Number of components, isolated vertices included. */
  public int components() {
    return vertices() - edges();
  }

  /** The numbers of the chosen edges, ascending; not a copy. */
  public long[] numbers() {
    return numbers;
  }

  /** One end of each chosen edge, as its source gave it; not a copy. */
  public int[] sources() {
    return sources;
  }

  /** The other end of each chosen edge; not a copy. */
  public int[] targets() {
    return targets;
  }

  /** The type of the weights. */
  public WeightType weightType() {
    return places.type();
  }

  /**
   * The weight of a chosen edge.
   *
   * @param edge from 0 to {@link #edges} - 1
   * @return an Integer, a Long, a Float or a Double, as {@link #weightType} says
   */
  public Number weight(int edge) {
    return places.weight(Objects.checkIndex(edge, places.count()));
  }

  /** The weights as whole numbers of the same order. */
  WeightPlaces places() {
    return places;
  }

  /** The sum of the weights, without rounding; the first call adds them up. */
  public BigDecimal exactWeight() {
    if (weight == null) {
      weight = places.sum();
    }
    return weight;
  }

  /** For each vertex a vertex that stands for its component; not a copy. */
  public int[] labels() {
    return labels;
  }

  /** Whether it is a minimum or a maximum forest. */
  public Objective objective() {
    return objective;
  }

  /** The same forest with another report. */
  NumberedForest withReport(StreamReport other) {
    return new NumberedForest(numbers, sources, targets, places, labels, objective, other);
  }

  /** How it was computed; empty where it was read or merged by other means than a device. */
  public Optional<StreamReport> report() {
    return Optional.ofNullable(report);
  }

  @Override
  public String toString() {
    return edges()
        + " edges of weight "
        + exactWeight().toPlainString()
        + ", "
        + components()
        + " components of "
        + vertices()
        + " vertices";
  }
}
