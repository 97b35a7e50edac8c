package io.magpie.algorithms.nbody;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The octree over bodies on a processor, made by halving cubes. Nothing of it is the device's: it
 * computes in which part of the bounding cube a body is, but sorts no keys.
 */
final class HalvedCubes {
  /** Cubes with fewer bodies are not worth more than one thread. */
  private static final int FEW = 1 << 13;

  private static final int CELLS_ACROSS = 1 << Octree.MOST_DEPTHS;

  /** A cube that is split. */
  static final class Cell {
    final double size;
    final Cell[] cells = new Cell[Octree.OCTANTS];
    final int[][] leaves = new int[Octree.OCTANTS][];
    final double[] center = new double[3];
    double mass;

    /** How far the center of mass is from that of the cube. */
    double offset;

    /** This cell and those inside. */
    int cellCount = 1;

    /** Leaves here and in the cells inside. */
    int leafCount;

    Cell(double size) {
      this.size = size;
    }
  }

  private final Bodies bodies;

  /** The octants of cubes with so many bodies are made by several threads. */
  private final int many;

  /** In which part of the bounding cube a body is, in each dimension. */
  private final int[] parts;

  private final double[] least = new double[3];
  private final double side;
  private final Cell root;

  private HalvedCubes(Bodies bodies, int many) {
    this.bodies = bodies;
    this.many = many;
    int n = bodies.count();
    parts = new int[3 * n];
    double widest = 0;
    for (int k = 0; k < 3; k++) {
      double low = Double.POSITIVE_INFINITY;
      double high = Double.NEGATIVE_INFINITY;
      for (int i = 0; i < n; i++) {
        low = Math.min(low, bodies.position(i, k));
        high = Math.max(high, bodies.position(i, k));
      }
      least[k] = low;
      widest = n == 0 ? 0 : Math.max(widest, high - low);
    }
    side = widest;
    double scale = CELLS_ACROSS / side;
    if (!Double.isInfinite(scale)) { // else all are in one part
      for (int i = 0; i < parts.length; i++) {
        double part = (bodies.sharedPositions()[i] - least[i % 3]) * scale;
        parts[i] = (int) Math.min(part, CELLS_ACROSS - 1);
      }
    }
    root = split(IntStream.range(0, n).toArray(), 0, new int[3]);
  }

  /** The tree over bodies. Cost: bodies times depths, by all processors. */
  static HalvedCubes of(Bodies bodies) {
    return new HalvedCubes(bodies, FEW);
  }

  /** The same by this thread alone. */
  static HalvedCubes bySelf(Bodies bodies) {
    return new HalvedCubes(bodies, Integer.MAX_VALUE);
  }

  Cell root() {
    return root;
  }

  /** The same as a tree to compare with. */
  Octree tree() {
    Octree.Builder builder = new Octree.Builder();
    write(root, 0, builder);
    return builder.build();
  }

  private static void write(Cell cell, int depth, Octree.Builder builder) {
    double[] sums = {cell.center[0], cell.center[1], cell.center[2], cell.mass};
    builder.cell(depth, sums, 0);
    for (int octant = 0; octant < Octree.OCTANTS; octant++) {
      if (cell.cells[octant] != null) {
        write(cell.cells[octant], depth + 1, builder);
      } else if (cell.leaves[octant] != null) {
        builder.leaf(cell.leaves[octant]);
      } else {
        builder.empty();
      }
    }
  }

  /**
   * @param inside the bodies in a cube
   * @param corner the part of its least corner
   */
  private Cell split(int[] inside, int depth, int[] corner) {
    Cell cell = new Cell(side / (1 << depth));
    int half = CELLS_ACROSS >> (depth + 1);
    int[] counts = new int[Octree.OCTANTS + 1];
    for (int body : inside) {
      counts[octant(body, corner, half) + 1]++;
    }
    for (int octant = 0; octant < Octree.OCTANTS; octant++) {
      counts[octant + 1] += counts[octant];
    }
    int[] places = counts.clone();
    int[] sorted = new int[inside.length];
    for (int body : inside) {
      sorted[places[octant(body, corner, half)]++] = body;
    }
    IntStream octants = IntStream.range(0, Octree.OCTANTS);
    (inside.length < many ? octants : octants.parallel())
        .forEach(
            octant -> {
              int[] part = Arrays.copyOfRange(sorted, counts[octant], counts[octant + 1]);
              if (part.length == 0) {
                return;
              }
              if (inOnePart(part)) {
                cell.leaves[octant] = part;
                return;
              }
              int[] inner = {
                corner[0] + (octant & 4) / 4 * half,
                corner[1] + (octant & 2) / 2 * half,
                corner[2] + (octant & 1) * half
              };
              cell.cells[octant] = split(part, depth + 1, inner);
            });
    sum(cell);
    finish(cell, inside, corner, half);
    return cell;
  }

  /** Adds up the octants, in their order whoever made them. */
  private void sum(Cell cell) {
    for (int octant = 0; octant < Octree.OCTANTS; octant++) {
      Cell inner = cell.cells[octant];
      if (inner != null) {
        add(cell, inner.center, inner.mass);
        cell.cellCount += inner.cellCount;
        cell.leafCount += inner.leafCount;
      } else if (cell.leaves[octant] != null) {
        for (int body : cell.leaves[octant]) {
          double[] at = {
            bodies.position(body, 0), bodies.position(body, 1), bodies.position(body, 2)
          };
          add(cell, at, bodies.mass(body));
        }
        cell.leafCount++;
      }
    }
  }

  private static void add(Cell cell, double[] at, double mass) {
    for (int k = 0; k < 3; k++) {
      cell.center[k] += mass * at[k];
    }
    cell.mass += mass;
  }

  private void finish(Cell cell, int[] inside, int[] corner, int half) {
    double squares = 0;
    for (int k = 0; k < 3; k++) {
      if (cell.mass > 0) {
        cell.center[k] /= cell.mass;
      } else {
        int dimension = k;
        cell.center[k] =
            Arrays.stream(inside)
                .mapToDouble(i -> bodies.position(i, dimension))
                .average()
                .orElse(0);
      }
      double middle = least[k] + (corner[k] + half) * (side / CELLS_ACROSS);
      squares += (cell.center[k] - middle) * (cell.center[k] - middle);
    }
    cell.offset = Math.sqrt(squares);
  }

  private int octant(int body, int[] corner, int half) {
    int octant = 0;
    for (int k = 0; k < 3; k++) {
      octant = 2 * octant + (parts[3 * body + k] >= corner[k] + half ? 1 : 0);
    }
    return octant;
  }

  private boolean inOnePart(int[] some) {
    for (int body : some) {
      for (int k = 0; k < 3; k++) {
        if (parts[3 * body + k] != parts[3 * some[0] + k]) {
          return false;
        }
      }
    }
    return true;
  }
}
