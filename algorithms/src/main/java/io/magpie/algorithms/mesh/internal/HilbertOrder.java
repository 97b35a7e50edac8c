package io.magpie.algorithms.mesh.internal;

import java.util.Arrays;

/**
 * Orders points along a Hilbert curve, so that what is near in the plane is near in memory.
 *
 * <p>The curve fills the smallest square over the points' least corner, with as many levels as fit
 * into 64 bits along with a point's number, at most 26. The points of a cell with many are ordered
 * along a curve of their own; the points of the others keep their order. Time: O(n) on one thread,
 * a multiple where points crowd in crowds; memory: 24 bytes for each point while it works.
 */
public final class HilbertOrder {
  private static final int MAX_LEVELS = 26;
  private static final int DIGIT = 11;
  private static final int BUCKETS = 1 << DIGIT;

  /** As many points of one cell may come in any order. */
  private static final int CROWD = 32;

  /**
   * A step down the curve, 4 bits for each of 16 cases: the quadrant's place on the curve, and in
   * the upper two bits how the curve lies inside it. A case is the way in which it lies so far (bit
   * 0: axes swapped, bit 1: both reversed) times 4, plus the quadrant's bits of x and y.
   */
  private static final long STEPS = steps();

  private HilbertOrder() {}

  private static long steps() {
    long steps = 0;
    for (int lie = 0; lie < 4; lie++) {
      for (int quadrant = 0; quadrant < 4; quadrant++) {
        int swapped = lie & 1;
        int reversed = lie >> 1;
        int right = (swapped == 0 ? quadrant >> 1 : quadrant & 1) ^ reversed;
        int upper = (swapped == 0 ? quadrant & 1 : quadrant >> 1) ^ reversed;
        int place = (3 * right) ^ upper;
        // The curve enters and leaves a quarter's lower half sideways: there its axes are swapped.
        int within = upper == 1 ? lie : (swapped ^ 1) | (reversed ^ right) << 1;
        steps |= (long) (within << 2 | place) << 4 * (lie << 2 | quadrant);
      }
    }
    return steps;
  }

  /**
   * The order of some points.
   *
   * @param coordinates x of point v at 2v, y at 2v + 1; finite
   * @return the points' numbers in order
   */
  public static int[] of(double[] coordinates) {
    int[] order = new int[coordinates.length / 2];
    for (int v = 0; v < order.length; v++) {
      order[v] = v;
    }
    sort(coordinates, order, 0, order.length);
    return order;
  }

  /** Orders the points {@code order[from] .. order[to - 1]}, given in the order of numbers. */
  private static void sort(double[] coordinates, int[] order, int from, int to) {
    double minX = Double.POSITIVE_INFINITY;
    double minY = Double.POSITIVE_INFINITY;
    double maxX = Double.NEGATIVE_INFINITY;
    double maxY = Double.NEGATIVE_INFINITY;
    for (int i = from; i < to; i++) {
      int v = order[i];
      minX = Math.min(minX, coordinates[2 * v]);
      maxX = Math.max(maxX, coordinates[2 * v]);
      minY = Math.min(minY, coordinates[2 * v + 1]);
      maxY = Math.max(maxY, coordinates[2 * v + 1]);
    }
    // Halves, as the whole may be infinite.
    double left = 0.5 * minX;
    double below = 0.5 * minY;
    double side = Math.max(0.5 * maxX - left, 0.5 * maxY - below);
    if (!(side > 0)) {
      return;
    }
    int size = to - from;
    int numberBits = 32 - Integer.numberOfLeadingZeros(size - 1);
    int levels = Math.min(MAX_LEVELS, (63 - numberBits) / 2);
    int last = (1 << levels) - 1;
    double scale = (last + 1) / side;
    long[] keys = new long[size];
    for (int i = 0; i < size; i++) {
      int v = order[from + i];
      int column = Math.min(last, (int) ((0.5 * coordinates[2 * v] - left) * scale));
      int row = Math.min(last, (int) ((0.5 * coordinates[2 * v + 1] - below) * scale));
      keys[i] = place(column, row, levels) << numberBits | i;
    }
    keys = sort(keys, numberBits, numberBits + 2 * levels);
    int[] points = Arrays.copyOfRange(order, from, to);
    int run = 0;
    for (int i = 0; i < size; i++) {
      order[from + i] = points[(int) keys[i] & (1 << numberBits) - 1];
      if (keys[i] >>> numberBits != keys[run] >>> numberBits) {
        refine(coordinates, order, from + run, from + i);
        run = i;
      }
    }
    // Points at the least and the greatest coordinate are in two cells, so every run is shorter.
    refine(coordinates, order, from + run, to);
  }

  /** Orders the points of one cell. */
  private static void refine(double[] coordinates, int[] order, int from, int to) {
    if (to - from > CROWD) {
      sort(coordinates, order, from, to);
    }
  }

  /** A cell's place on the curve of so many levels. */
  static long place(int column, int row, int levels) {
    long place = 0;
    int lie = 0;
    for (int level = levels - 1; level >= 0; level--) {
      int quadrant = (column >> level & 1) << 1 | (row >> level & 1);
      int step = (int) (STEPS >>> 4 * (lie << 2 | quadrant)) & 15;
      place = place << 2 | (step & 3);
      lie = step >> 2;
    }
    return place;
  }

  /** Stable radix sort by the bits {@code from .. to - 1}; the result may be either array. */
  private static long[] sort(long[] keys, int from, int to) {
    long[] source = keys;
    long[] target = new long[keys.length];
    for (int shift = from; shift < to; shift += DIGIT) {
      int mask = (1 << Math.min(DIGIT, to - shift)) - 1;
      int[] next = new int[BUCKETS];
      for (long key : source) {
        next[(int) (key >>> shift) & mask]++;
      }
      int sum = 0;
      for (int b = 0; b < BUCKETS; b++) {
        int size = next[b];
        next[b] = sum;
        sum += size;
      }
      for (long key : source) {
        target[next[(int) (key >>> shift) & mask]++] = key;
      }
      long[] swap = source;
      source = target;
      target = swap;
    }
    return source;
  }
}
