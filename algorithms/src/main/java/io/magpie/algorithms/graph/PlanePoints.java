package io.magpie.algorithms.graph;

import io.magpie.algorithms.internal.SeededHash;
import java.util.Arrays;

/**
 * Points drawn uniformly and independently from the unit square. Coordinates are integers of 30
 * bits, so squares of distances are exact in 64-bit arithmetic.
 */
final class PlanePoints {
  static final int COORDINATE_BITS = 30;

  private final int n;
  private final long key;

  /** So many points; points of different keys are independent. */
  PlanePoints(int n, long key) {
    this.n = n;
    this.key = key;
  }

  /** How many there are. */
  int count() {
    return n;
  }

  int x(int v) {
    return (int) (SeededHash.draw(key, v) >>> (64 - COORDINATE_BITS));
  }

  int y(int v) {
    return (int) ((SeededHash.draw(key, v) << 32) >>> (64 - COORDINATE_BITS));
  }

  static long square(long a) {
    return a * a;
  }

  /** The squared Euclidean distance, exactly. */
  long squaredDistance(int u, int v) {
    return square((long) x(u) - x(v)) + square((long) y(u) - y(v));
  }

  /** The Euclidean distance, rounded down, in units of 2^-30 of the square's side. */
  int distance(int u, int v) {
    return (int) Math.sqrt((double) squaredDistance(u, v));
  }

  /** Where the points lie, in the unit square. */
  Coordinates coordinates() {
    double unit = 1.0 / (1 << COORDINATE_BITS);
    return Coordinates.of(n, v -> x(v) * unit, v -> y(v) * unit);
  }

  /** The column or row of cells in which a coordinate lies, of so many. */
  static int cell(int coordinate, int side) {
    return (int) (((long) coordinate * side) >>> COORDINATE_BITS);
  }

  /** Sorts the points into {@code side * side} cells, {@code side} at most 2^15. */
  Cells cells(int side) {
    int[] xs = new int[n];
    int[] ys = new int[n];
    int[] starts = new int[side * side + 1];
    for (int v = 0; v < n; v++) {
      xs[v] = x(v);
      ys[v] = y(v);
      starts[cell(xs[v], side) + side * cell(ys[v], side) + 1]++;
    }
    for (int c = 0; c < side * side; c++) {
      starts[c + 1] += starts[c];
    }
    int[] next = Arrays.copyOf(starts, side * side);
    int[] members = new int[n];
    for (int v = 0; v < n; v++) {
      members[next[cell(xs[v], side) + side * cell(ys[v], side)]++] = v;
    }
    return new Cells(side, xs, ys, starts, members);
  }

  /**
   * Points by cells, row by row of them.
   *
   * @param side cells in a row, and rows
   * @param xs of the points, as {@link #x}
   * @param ys of the points, as {@link #y}
   * @param starts where each cell's points begin, and one more
   * @param members the points of all cells, in each cell in ascending order
   */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  record Cells(int side, int[] xs, int[] ys, int[] starts, int[] members) {}
}
