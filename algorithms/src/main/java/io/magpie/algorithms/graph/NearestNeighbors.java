package io.magpie.algorithms.graph;

import io.magpie.algorithms.graph.PlanePoints.Cells;
import io.magpie.algorithms.internal.Parallel;
import io.magpie.algorithms.internal.SeededHash;
import java.util.Arrays;

/**
 * The k-nearest-neighbor graph of random points in the unit square, found by a grid of cells with
 * about two points each: O(n k) expected. Ties are decided by the smaller vertex.
 */
final class NearestNeighbors {
  private final PlanePoints points;
  private final int k;

  NearestNeighbors(int n, int k, long seed) {
    this.points = new PlanePoints(n, SeededHash.key(SeededHash.mix(seed ^ 0x6b6e6eL)));
    this.k = k;
  }

  PlanePoints points() {
    return points;
  }

  Graph graph() {
    int n = points.count();
    int near = Math.min(k, Math.max(0, n - 1));
    if ((long) n * near > Graph.MAX_ARCS) {
      throw new GraphTooLargeException("arcs", (long) n * near, Graph.MAX_ARCS);
    }
    int side = Math.max(1, Math.min(1 << 15, (int) Math.sqrt(n / 2.0)));
    Cells cells = points.cells(side);
    int[] nearest = new int[n * near];
    Parallel.forRanges(
        n,
        (from, to) -> {
          long[] distances = new long[near];
          int[] vertices = new int[near];
          for (int v = from; v < to; v++) {
            search(v, cells, distances, vertices);
            Arrays.sort(vertices);
            System.arraycopy(vertices, 0, nearest, v * near, near);
          }
        });
    return ReplayedEdges.build(
        n,
        (long) n * near,
        i -> {
          int u = (int) (i / near);
          int v = nearest[(int) i];
          // Where each is near the other, the edge is the smaller one's to give.
          boolean mutual = Arrays.binarySearch(nearest, v * near, v * near + near, u) >= 0;
          return mutual && v < u ? ReplayedEdges.NONE : ReplayedEdges.pack(u, v);
        });
  }

  /** Fills {@code vertices} with the nearest ones, ring of cells by ring of cells. */
  private static void search(int v, Cells cells, long[] distances, int[] vertices) {
    int side = cells.side();
    int[] xs = cells.xs();
    int[] ys = cells.ys();
    int[] starts = cells.starts();
    int[] members = cells.members();
    int near = vertices.length;
    int found = 0;
    int column = PlanePoints.cell(xs[v], side);
    int row = PlanePoints.cell(ys[v], side);
    for (int ring = 0; ring < side; ring++) {
      if (found == near
          && (near == 0 || distances[near - 1] <= reach(v, xs, ys, row, column, ring, side))) {
        return;
      }
      for (int r = Math.max(0, row - ring); r <= Math.min(side - 1, row + ring); r++) {
        boolean edgeRow = r == row - ring || r == row + ring;
        for (int c = column - ring; c <= column + ring; c += edgeRow ? 1 : Math.max(1, 2 * ring)) {
          if (c < 0 || c >= side) {
            continue;
          }
          for (int i = starts[r * side + c]; i < starts[r * side + c + 1]; i++) {
            int other = members[i];
            if (other != v) {
              long distance =
                  PlanePoints.square((long) xs[other] - xs[v])
                      + PlanePoints.square((long) ys[other] - ys[v]);
              found = insert(other, distance, distances, vertices, found);
            }
          }
        }
      }
    }
  }

  /**
   * A squared distance below which no point outside the rings searched so far can be: strictly less
   * than the squared distance to the nearest cell border not yet crossed.
   */
  private static long reach(int v, int[] xs, int[] ys, int row, int column, int ring, int side) {
    // Cells 0 .. ring - 1 away are done; the borders of that block are these, in coordinates.
    long left = border(column - ring + 1, side);
    long right = border(column + ring, side);
    long below = border(row - ring + 1, side);
    long above = border(row + ring, side);
    long gap =
        Math.min(
            Math.min(xs[v] - left, right - 1 - xs[v]), Math.min(ys[v] - below, above - 1 - ys[v]));
    return gap <= 0 ? -1 : PlanePoints.square(gap);
  }

  /** The least coordinate in a cell's column or row. */
  private static long border(int cell, int side) {
    return (((long) cell << PlanePoints.COORDINATE_BITS) + side - 1) / side;
  }

  private static int insert(
      int vertex, long distance, long[] distances, int[] vertices, int found) {
    int near = vertices.length;
    int at = found;
    while (at > 0
        && (distance < distances[at - 1]
            || (distance == distances[at - 1] && vertex < vertices[at - 1]))) {
      at--;
    }
    if (at == near) {
      return found;
    }
    int last = Math.min(found, near - 1);
    System.arraycopy(distances, at, distances, at + 1, last - at);
    System.arraycopy(vertices, at, vertices, at + 1, last - at);
    distances[at] = distance;
    vertices[at] = vertex;
    return Math.min(found + 1, near);
  }
}
