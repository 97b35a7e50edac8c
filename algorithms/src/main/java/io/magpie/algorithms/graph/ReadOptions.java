package io.magpie.algorithms.graph;

import java.util.Objects;

/**
 * How {@link GraphFormats#read} treats what files leave open. Immutable; the {@code with} methods
 * return changed copies.
 *
 * @param symmetry what to do about arcs without their other direction; default {@link
 *     Symmetry#SYMMETRIZE}
 * @param relabel edge lists only: number vertices in the order of their first appearance, so that
 *     labels may be any number from 0 to 2^63 - 1 and gaps make no isolated vertices; default
 *     false: a label is the vertex
 * @param weightScale real weights (.mtx) are multiplied by this and rounded to the nearest integer;
 *     default 0: they must be integers as they are
 */
public record ReadOptions(Symmetry symmetry, boolean relabel, double weightScale) {
  private static final ReadOptions DEFAULTS = new ReadOptions(Symmetry.SYMMETRIZE, false, 0);

  /** Checks the scale. */
  public ReadOptions {
    Objects.requireNonNull(symmetry, "symmetry cannot be null");
    if (!(weightScale >= 0) || Double.isInfinite(weightScale)) {
      throw new IllegalArgumentException(
          "weightScale=" + weightScale + ": expected a positive number, or 0 for none");
    }
  }

  /**
   * The defaults.
   *
   * @return symmetrize, no relabelling, no scale
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
    return new ReadOptions(symmetry, relabel, weightScale);
  }

  /**
   * These options with relabelling on or off.
   *
   * @param relabel whether to number vertices in the order of their first appearance
   * @return a changed copy
   */
  public ReadOptions withRelabel(boolean relabel) {
    return new ReadOptions(symmetry, relabel, weightScale);
  }

  /**
   * These options with another scale of real weights.
   *
   * @param weightScale the factor, positive; or 0 for none
   * @return a changed copy
   */
  public ReadOptions withWeightScale(double weightScale) {
    return new ReadOptions(symmetry, relabel, weightScale);
  }
}
