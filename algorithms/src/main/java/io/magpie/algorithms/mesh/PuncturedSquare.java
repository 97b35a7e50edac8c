package io.magpie.algorithms.mesh;

import io.magpie.algorithms.internal.Parallel;
import io.magpie.algorithms.internal.SeededHash;
import java.util.Arrays;

/**
 * A square with polygonal holes, one in each cell of a grid.
 *
 * <p>The corners of a hole go around its center in steps of less than half a turn, so the polygon
 * is simple and has the center inside; it lies in its cell with a distance of at least 1/20 of the
 * cell's side from the rim.
 */
final class PuncturedSquare {
  private static final int LEAST_CORNERS = 3;
  private static final int MOST_CORNERS = 16;

  /** As many as fit an array of coordinates when all have the most corners. */
  static final int MOST_HOLES = (Integer.MAX_VALUE / 2 - 16) / MOST_CORNERS;

  private static final int SQUARE_MARKER = 1;
  private static final int HOLE_MARKER = 2;

  private PuncturedSquare() {}

  /** The square over the origin, with cells of side 1. */
  static PlanarGraph of(int holes, long key) {
    int columns = Math.max(1, (int) Math.ceil(Math.sqrt(holes)));
    int[] first = new int[holes + 1];
    first[0] = 4;
    for (int hole = 0; hole < holes; hole++) {
      int more = MOST_CORNERS - LEAST_CORNERS + 1;
      first[hole + 1] =
          first[hole] + LEAST_CORNERS + SeededHash.below(SeededHash.draw(key, hole), more);
    }
    int vertices = first[holes];
    double[] coordinates = new double[2 * vertices];
    int[] ends = new int[2 * vertices];
    int[] markers = new int[vertices];
    double[] centers = new double[2 * holes];
    System.arraycopy(
        new double[] {0, 0, columns, 0, columns, columns, 0, columns}, 0, coordinates, 0, 8);
    close(0, 4, ends);
    Arrays.fill(markers, HOLE_MARKER);
    Arrays.fill(markers, 0, 4, SQUARE_MARKER);
    Parallel.forRanges(
        holes,
        (from, to) -> {
          for (int hole = from; hole < to; hole++) {
            long own = SeededHash.draw(~key, hole);
            double reach = 0.45 * StrictMath.pow(9, -unit(own, 0));
            double room = 0.45 - reach;
            centers[2 * hole] = hole % columns + 0.5 + room * (2 * unit(own, 1) - 1);
            centers[2 * hole + 1] = hole / columns + 0.5 + room * (2 * unit(own, 2) - 1);
            int corners = first[hole + 1] - first[hole];
            for (int corner = 0; corner < corners; corner++) {
              int at = 2 * (first[hole] + corner);
              double radius = reach * (0.5 + 0.5 * unit(own, 3 + 2L * corner));
              double turns = (corner + 0.4 * unit(own, 4 + 2L * corner)) / corners;
              MeshGenerators.polar(radius, turns, at, coordinates);
              coordinates[at] += centers[2 * hole];
              coordinates[at + 1] += centers[2 * hole + 1];
            }
            close(first[hole], first[hole + 1], ends);
          }
        });
    return PlanarGraph.builder(coordinates).segments(ends, markers).holes(centers).build();
  }

  private static double unit(long key, long index) {
    return SeededHash.unit(SeededHash.draw(key, index));
  }

  /** Makes a polygon: segment v runs from vertex v to the next one. */
  private static void close(int from, int to, int[] ends) {
    for (int v = from; v < to; v++) {
      ends[2 * v] = v;
      ends[2 * v + 1] = v + 1 < to ? v + 1 : from;
    }
  }
}
