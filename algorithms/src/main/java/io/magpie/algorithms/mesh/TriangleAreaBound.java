package io.magpie.algorithms.mesh;

/**
 * The largest area that a triangle may have where it lies, and with its shape: what Triangle asks
 * of {@code triunsuitable}, as a size. A test that says only yes or no returns half of the
 * triangle's area for one that is unsuitable. Where no triangle is small enough, refinement ends
 * only with memory, or at the number of vertices that is asked.
 *
 * <pre>{@code
 * // Finer towards the origin.
 * TriangleAreaBound fine =
 *     (ax, ay, bx, by, cx, cy) -> 1e-4 + 0.01 * Math.hypot(ax + bx + cx, ay + by + cy);
 * }</pre>
 */
@FunctionalInterface
public interface TriangleAreaBound {
  /** Any area anywhere. */
  TriangleAreaBound NONE = (ax, ay, bx, by, cx, cy) -> Double.POSITIVE_INFINITY;

  /**
   * Tells the bound of a triangle, counter-clockwise. Called by several threads at once, in no
   * certain order, and again for the same triangles: must be the same each time.
   *
   * @return the largest area, above 0, in units of the coordinates; positive infinity for any
   */
  double of(double ax, double ay, double bx, double by, double cx, double cy);
}
