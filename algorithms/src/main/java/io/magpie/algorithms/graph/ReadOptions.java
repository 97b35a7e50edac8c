package io.magpie.algorithms.graph;

import java.util.Objects;

/**
 * How {@link GraphFormats#read} treats what files leave open. Immutable; the {@code with} methods
 * return changed copies.
 *
 * @param symmetry what to do about arcs without their other direction; default {@link
 *     Symmetry#SYMMETRIZE}; without effect on {@code .graph}, which must have both
 * @param relabel edge lists only: number vertices in the order of their first appearance, so that
 *     labels may be any number from 0 to 2^63 - 1 and gaps make no isolated vertices; default
 *     false: a label is the vertex
 * @param weightScale real weights (.mtx) are multiplied by this and rounded to the nearest integer;
 *     default 0: they must be integers as they are
 * @param unitWeights leave weights of edges and vertices out: each is 1; values of a matrix (.mtx)
 *     may then be any words; default false
 */
public record ReadOptions(
    Symmetry symmetry, boolean relabel, double weightScale, boolean unitWeights) {
  private static final ReadOptions DEFAULTS = new ReadOptions(Symmetry.SYMMETRIZE, false, 0, false);

  /** Checks the scale. */
  public ReadOptions {
    Objects.requireNonNull(symmetry, "symmetry cannot be null");
    if (!(weightScale >= 0) || Double.isInfinite(weightScale)) {
      throw new IllegalArgumentException(
          "weightScale=" + weightScale + ": expected a positive number, or 0 for none");
    }
    if (unitWeights && weightScale > 0) {
      throw new IllegalArgumentException(
          "weightScale=" + weightScale + " has no effect with unit weights; leave one of them out");
    }
  }

  /**
   * The defaults.
   *
   * @return symmetrize, no relabelling, no scale, weights as they are
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
    return new ReadOptions(symmetry, relabel, weightScale, unitWeights);
  }

  /**
   * These options with relabelling on or off.
   *
   * @param relabel whether to number vertices in the order of their first appearance
   * @return a changed copy
   */
  public ReadOptions withRelabel(boolean relabel) {
    return new ReadOptions(symmetry, relabel, weightScale, unitWeights);
  }

  /**
   * These options with another scale of real weights.
   *
   * @param weightScale the factor, positive; or 0 for none
   * @return a changed copy
   */
  public ReadOptions withWeightScale(double weightScale) {
    return new ReadOptions(symmetry, relabel, weightScale, unitWeights);
  }

  /**
   * These options with the weights of files left out or taken.
   *
   * @param unitWeights whether each edge and each vertex weighs 1, whatever the file says
   * @return a changed copy
   */
  public ReadOptions withUnitWeights(boolean unitWeights) {
    return new ReadOptions(symmetry, relabel, weightScale, unitWeights);
  }
}
