package io.magpie.algorithms.graph;

import java.util.Objects;

/**
 * How {@link GraphFormats#read} and {@link GraphFormats#readDirected} treat what files leave open.
 * Immutable; the {@code with} methods return changed copies.
 *
 * @param symmetry what to do about arcs without their other direction; default {@link
 *     Symmetry#SYMMETRIZE}, by which {@link GraphFormats#readDirected} adds none; without effect on
 *     {@code .graph}, which must have both
 * @param relabel edge lists only: number vertices in the order of their first appearance, so that
 *     labels may be any number from 0 to 2^63 - 1 and gaps make no isolated vertices; default
 *     false: a label is the vertex
 * @param weightScale weights of .mtx (real), .wel and .txt files are multiplied by this and rounded
 *     to the nearest integer, halves to the even one, without an error before that: 0.5 becomes 0
 *     and 1.5 becomes 2 at a scale of 1; other files are refused; default 0: they stay as they are
 * @param unitWeights leave weights of edges and vertices out: each is 1; values of a matrix (.mtx)
 *     may then be any words; default false
 * @param weights how weights of edges are read; default {@link FileWeights#ANY}. {@link
 *     GraphFormats#readDirected} reads {@link FileWeights#COUNTS} in its place, {@link
 *     FileWeights#LENGTHS} in that of {@link FileWeights#FLOAT}, and refuses others
 * @param format what the file is whatever its name, such as {@code gr} or {@code mtx.gz}, for pipes
 *     and names without suffix; default null: the name tells
 */
public record ReadOptions(
    Symmetry symmetry,
    boolean relabel,
    double weightScale,
    boolean unitWeights,
    FileWeights weights,
    String format) {
  private static final ReadOptions DEFAULTS =
      new ReadOptions(Symmetry.SYMMETRIZE, false, 0, false, FileWeights.ANY, null);

  /** Checks the scale and the format. */
  public ReadOptions {
    Objects.requireNonNull(symmetry, "symmetry cannot be null");
    if (!(weightScale >= 0) || Double.isInfinite(weightScale)) {
      throw new IllegalArgumentException(
          "weightScale must be positive and finite, or 0 for none, got " + weightScale);
    }
    if (unitWeights && weightScale > 0) {
      throw new IllegalArgumentException(
          "weightScale has no effect with unit weights; leave one of them out");
    }
    Objects.requireNonNull(weights, "weights cannot be null");
    if (weightScale > 0 && weights != FileWeights.ANY && weights != FileWeights.COUNTS) {
      throw new IllegalArgumentException(
          "weightScale makes ints of weights; leave it out, or read"
              + " weights as ANY or COUNTS, not "
              + weights);
    }
    if (format != null && !GraphFormats.known(format)) {
      throw new IllegalArgumentException(
          "format must be one of "
              + String.join(", ", GraphFormats.suffixes())
              + ", alone or followed by .gz or .xz, got '"
              + format
              + "'");
    }
  }

  /**
   * The defaults.
   *
   * @return symmetrize, no relabeling, no scale, weights as they are, of any type
   */
  public static ReadOptions defaults() {
    return DEFAULTS;
  }

  /**
   * These options with another symmetry.
   *
   * @param symmetry what to do about arcs without their other direction
   * @return a changed copy
   */
  public ReadOptions withSymmetry(Symmetry symmetry) {
    return new ReadOptions(symmetry, relabel, weightScale, unitWeights, weights, format);
  }

  /**
   * These options with relabeling on or off.
   *
   * @param relabel whether to number vertices in the order of their first appearance
   * @return a changed copy
   */
  public ReadOptions withRelabel(boolean relabel) {
    return new ReadOptions(symmetry, relabel, weightScale, unitWeights, weights, format);
  }

  /**
   * These options with another scale of real weights.
   *
   * @param weightScale the factor, positive; or 0 for none
   * @return a changed copy
   */
  public ReadOptions withWeightScale(double weightScale) {
    return new ReadOptions(symmetry, relabel, weightScale, unitWeights, weights, format);
  }

  /**
   * These options with the weights of files left out or taken.
   *
   * @param unitWeights whether each edge and each vertex weighs 1, whatever the file says
   * @return a changed copy
   */
  public ReadOptions withUnitWeights(boolean unitWeights) {
    return new ReadOptions(symmetry, relabel, weightScale, unitWeights, weights, format);
  }

  /**
   * These options with another way to read weights.
   *
   * @param weights of what type weights of edges are
   * @return a changed copy
   */
  public ReadOptions withWeights(FileWeights weights) {
    return new ReadOptions(symmetry, relabel, weightScale, unitWeights, weights, format);
  }

  /**
   * These options with a given format, or with the one that a file's name tells.
   *
   * @param format a suffix, with or without its dot, such as {@code gr} or {@code mtx.gz}; null for
   *     what the name tells
   * @return a changed copy
   */
  public ReadOptions withFormat(String format) {
    return new ReadOptions(symmetry, relabel, weightScale, unitWeights, weights, format);
  }
}
