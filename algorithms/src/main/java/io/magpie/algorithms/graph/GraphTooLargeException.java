package io.magpie.algorithms.graph;

/** Thrown where a graph would have more vertices or arcs than {@link Graph} can hold. */
public final class GraphTooLargeException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  /**
   * Describes the excess.
   *
   * @param unit what there is too much of, in the plural
   * @param count how many, or the least number known to be needed
   * @param limit how many are possible
   */
  public GraphTooLargeException(String unit, long count, long limit) {
    super("too many " + unit + ": " + count + ", but a graph holds at most " + limit);
  }
}
