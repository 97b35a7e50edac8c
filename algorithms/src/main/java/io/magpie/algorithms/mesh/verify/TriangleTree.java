package io.magpie.algorithms.mesh.verify;

import io.magpie.algorithms.mesh.internal.Predicates;
import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * Finds the triangles of a mesh that hold a point: a tree of bounding boxes over groups of
 * triangles that are near each other, as they are along a Z-order curve.
 *
 * <p>Built in O(n log n) for n triangles; 12 to 20 bytes for each, and 8 more while it is built.
 */
final class TriangleTree {
  /** Triangles of a leaf. */
  private static final int GROUP = 8;

  /** Bits of each coordinate along the curve. */
  private static final int BITS = 16;

  /** How far a point may lie outside, in units of its coordinates' last place: by rounding. */
  private static final double SLACK = 8;

  private final MeshArrays mesh;
  private final int[] order;

  /** Of each node least x and y, and largest; node i has children 2i and 2i + 1, the root is 1. */
  private final double[] boxes;

  private final int leaves;

  TriangleTree(MeshArrays mesh) {
    this.mesh = mesh;
    this.order = order(mesh);
    int groups = (order.length + GROUP - 1) / GROUP;
    this.leaves = Math.max(1, Integer.highestOneBit(2 * groups - 1));
    this.boxes = new double[8 * leaves];
    for (int i = 0; i < boxes.length; i++) {
      boxes[i] = i % 4 < 2 ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
    }
    for (int i = 0; i < order.length; i++) {
      for (int h = 3 * order[i]; h < 3 * order[i] + 3; h++) {
        int v = mesh.corners()[h];
        extend(leaves + i / GROUP, mesh.x(v), mesh.y(v), mesh.x(v), mesh.y(v));
      }
    }
    for (int node = 2 * leaves - 1; node > 1; node--) {
      int at = 4 * node;
      extend(node / 2, boxes[at], boxes[at + 1], boxes[at + 2], boxes[at + 3]);
    }
  }

  private void extend(int node, double minX, double minY, double maxX, double maxY) {
    int at = 4 * node;
    boxes[at] = Math.min(boxes[at], minX);
    boxes[at + 1] = Math.min(boxes[at + 1], minY);
    boxes[at + 2] = Math.max(boxes[at + 2], maxX);
    boxes[at + 3] = Math.max(boxes[at + 3], maxY);
  }

  /** The triangles that are not free, along the curve. */
  private static int[] order(MeshArrays mesh) {
    double minX = Double.POSITIVE_INFINITY;
    double minY = Double.POSITIVE_INFINITY;
    double maxX = Double.NEGATIVE_INFINITY;
    double maxY = Double.NEGATIVE_INFINITY;
    for (int v = 0; v < mesh.vertices(); v++) {
      minX = Math.min(minX, mesh.x(v));
      minY = Math.min(minY, mesh.y(v));
      maxX = Math.max(maxX, mesh.x(v));
      maxY = Math.max(maxY, mesh.y(v));
    }
    double scale =
        ((1 << BITS) - 1) / Math.max(Double.MIN_NORMAL, Math.max(maxX - minX, maxY - minY));
    long[] keys = new long[mesh.triangleSlots()];
    int count = 0;
    for (int t = 0; t < keys.length; t++) {
      if (!mesh.freeTriangle(t)) {
        int v = mesh.corners()[3 * t];
        long curve =
            spread((long) ((mesh.x(v) - minX) * scale))
                | spread((long) ((mesh.y(v) - minY) * scale)) << 1;
        keys[count++] = curve << (Integer.SIZE - 1) | t;
      }
    }
    Arrays.sort(keys, 0, count);
    int[] order = new int[count];
    for (int i = 0; i < count; i++) {
      order[i] = (int) (keys[i] & Integer.MAX_VALUE);
    }
    return order;
  }

  /** The lowest bits of a number, each followed by a 0. */
  private static long spread(long number) {
    long bits = 0;
    for (int i = 0; i < BITS; i++) {
      bits |= (number >> i & 1) << 2 * i;
    }
    return bits;
  }

  /** Whether a triangle that fulfills a condition has a point inside, on its edges, or as near. */
  boolean anyHolds(double x, double y, IntPredicate condition) {
    double slack = SLACK * Math.ulp(Math.max(Math.abs(x), Math.abs(y)));
    return anyHolds(1, x, y, slack, condition);
  }

  private boolean anyHolds(int node, double x, double y, double slack, IntPredicate condition) {
    int at = 4 * node;
    if (x < boxes[at] - slack
        || y < boxes[at + 1] - slack
        || x > boxes[at + 2] + slack
        || y > boxes[at + 3] + slack) {
      return false;
    }
    if (node < leaves) {
      return anyHolds(2 * node, x, y, slack, condition)
          || anyHolds(2 * node + 1, x, y, slack, condition);
    }
    int first = GROUP * (node - leaves);
    for (int i = first; i < Math.min(first + GROUP, order.length); i++) {
      if (condition.test(order[i]) && holds(order[i], x, y, slack)) {
        return true;
      }
    }
    return false;
  }

  private boolean holds(int t, double x, double y, double slack) {
    for (int h = 3 * t; h < 3 * t + 3; h++) {
      int from = mesh.edgeStart(h);
      int to = mesh.edgeEnd(h);
      double side = Predicates.orient2d(mesh.x(from), mesh.y(from), mesh.x(to), mesh.y(to), x, y);
      if (side < -slack * mesh.distance(from, to)) {
        return false;
      }
    }
    return true;
  }
}
