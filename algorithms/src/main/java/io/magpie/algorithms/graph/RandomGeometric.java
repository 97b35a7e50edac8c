package io.magpie.algorithms.graph;

import io.magpie.algorithms.graph.PlanePoints.Cells;
import io.magpie.algorithms.internal.Parallel;
import io.magpie.algorithms.internal.SeededHash;
import java.util.Arrays;

/**
 * The random geometric graph: random points in the unit square, an edge where two are no farther
 * apart than a radius. Points are looked for in cells at least as wide as the radius: O(n + arcs)
 * expected, where a circle of the radius holds one point or more.
 */
final class RandomGeometric {
  /** The largest radius: beyond the diagonal. */
  static final double LARGEST_RADIUS = 2;

  private final PlanePoints points;
  private final double radius;

  RandomGeometric(int n, double radius, long seed) {
    this.points = new PlanePoints(n, SeededHash.key(SeededHash.mix(seed ^ 0x726767L)));
    this.radius = radius;
  }

  /**
   * 0.55 times the square root of (ln n) / n: a little less than where the graph becomes connected.
   */
  static double usualRadius(int n) {
    return n < 2 ? 0 : 0.55 * Math.sqrt(Math.log(n) / n);
  }

  PlanePoints points() {
    return points;
  }

  /** The largest squared distance of an edge, in units of 2^-60. */
  long squaredRadius() {
    return (long) (radius * radius * 0x1p60);
  }

  Graph graph() {
    int n = points.count();
    // No more cells than points, however small the radius.
    double most = Math.min(1 << 15, Math.sqrt(n));
    int side = (int) Math.max(1, Math.min(most, 1 / radius));
    Cells cells = points.cells(side);
    int[] offsets = new int[n + 1];
    Parallel.forRanges(side, (from, to) -> new Search(cells, offsets, null).rows(from, to));
    long arcs = 0;
    for (int v = 0; v < n; v++) {
      arcs += offsets[v + 1];
      if (arcs > Graph.MAX_ARCS) {
        throw new GraphTooLargeException("arcs", arcs, Graph.MAX_ARCS);
      }
      offsets[v + 1] = (int) arcs;
    }
    int[] neighbors = new int[(int) arcs];
    Parallel.forRanges(side, (from, to) -> new Search(cells, offsets, neighbors).rows(from, to));
    return Graph.trusted(offsets, neighbors, null, null);
  }

  /** One worker's search: counts arcs where {@code neighbors} is null, otherwise places them. */
  private final class Search {
    private final long bound = squaredRadius();
    private final Cells cells;
    private final int[] offsets;
    private final int[] neighbors;

    Search(Cells cells, int[] offsets, int[] neighbors) {
      this.cells = cells;
      this.offsets = offsets;
      this.neighbors = neighbors;
    }

    /** The points in some rows of cells. */
    void rows(int from, int to) {
      int[] starts = cells.starts();
      int side = cells.side();
      for (int row = from; row < to; row++) {
        for (int column = 0; column < side; column++) {
          int cell = row * side + column;
          for (int i = starts[cell]; i < starts[cell + 1]; i++) {
            point(cells.members()[i], row, column);
          }
        }
      }
    }

    private void point(int v, int row, int column) {
      int side = cells.side();
      int[] starts = cells.starts();
      long x = cells.xs()[v];
      long y = cells.ys()[v];
      int found = 0;
      for (int r = Math.max(0, row - 1); r <= Math.min(side - 1, row + 1); r++) {
        int first = starts[r * side + Math.max(0, column - 1)];
        int last = starts[r * side + Math.min(side - 1, column + 1) + 1];
        for (int i = first; i < last; i++) {
          int u = cells.members()[i];
          long dx = cells.xs()[u] - x;
          long dy = cells.ys()[u] - y;
          if (dx * dx + dy * dy <= bound && u != v) {
            if (neighbors != null) {
              neighbors[offsets[v] + found] = u;
            }
            found++;
          }
        }
      }
      if (neighbors == null) {
        offsets[v + 1] = found;
      } else {
        Arrays.sort(neighbors, offsets[v], offsets[v] + found);
      }
    }
  }
}
