package io.magpie.algorithms.graph;

/**
 * Thrown where a graph would have more vertices or arcs than {@link Graph} can hold, or needs more
 * memory than Java has.
 */
public final class GraphTooLargeException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;
  private static final int MEBIBYTE = 1 << 20;

  /**
   * Describes the excess.
   *
   * @param unit what there is too much of, in the plural
   * @param count how many, or the least number known to be needed
   * @param limit how many are possible
   */
  public GraphTooLargeException(String unit, long count, long limit) {
    super("too large: " + count + " " + unit + ", but a graph holds at most " + limit);
  }

  /** The heap has no room for the graph. */
  GraphTooLargeException(OutOfMemoryError cause) {
    super(
        "too large for the heap of "
            + Runtime.getRuntime().maxMemory() / MEBIBYTE
            + " MiB; give Java more memory by -Xmx",
        cause);
  }
}
