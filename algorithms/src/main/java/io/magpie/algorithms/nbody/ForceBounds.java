package io.magpie.algorithms.nbody;

import io.magpie.algorithms.nbody.HalvedCubes.Cell;
import io.magpie.algorithms.nbody.NBodyOptions.Precision;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Bounds of what theta and rounding do to forces. Without rounding they are proven: whoever opens
 * at least the cells that a body has to open takes, for each cell that may stand for its bodies,
 * that cell or some that lie in it, and the greater of both errors is counted.
 *
 * <p>For each body that was asked for, all others and all cells are looked at, in the order of the
 * tree; so they lie in memory in that order.
 */
final class ForceBounds {
  /** A cell begins: what follows is in it. */
  private static final int CELL = -1;

  /** The innermost cell that began ends. */
  private static final int END = 0;

  /** Rounding of a term on its way from positions, with some to spare. */
  private static final int TERM = 32;

  /** As many times more terms than by its own choice a body has by that of its warp. */
  private static final int WARP = 4;

  // Sums over the bodies in a cell: three of accelerations, then these, two of them errors.
  private static final int POTENTIAL = 3;
  private static final int MAGNITUDE = 4;
  private static final int ERROR = 5;
  private static final int POTENTIAL_ERROR = 6;
  private static final int TERMS = 7;
  private static final int SUMS = 8;

  // Numbers of a body, and of a cell: three of its place, then these.
  private static final int MASS = 3;
  private static final int SIZE = 4;
  private static final int OFFSET = 5;
  private static final int BODY = MASS + 1;
  private static final int CUBE = OFFSET + 1;

  /**
   * How far forces of a tree may be from the sums over all pairs, for each body that was asked for.
   *
   * @param accelerations lengths of differences
   * @param potentials differences
   */
  record Allowances(double[] accelerations, double[] potentials) {}

  /**
   * How inexact numbers of a device are.
   *
   * @param unit of a number, relative
   * @param least of numbers near 0
   * @param reach the greatest coordinate
   * @param sum of a cell's center relative to reach, and of its mass
   * @param bodies how many there are
   */
  record Rounding(double unit, double least, double reach, double sum, int bodies) {
    /** Bodies in a leaf are added one by one, cells by depths; twice what that can do. */
    static Rounding of(Bodies bodies, Precision precision) {
      double reach = 0;
      for (double each : bodies.sharedPositions()) {
        reach = Math.max(reach, Math.abs(each));
      }
      int n = bodies.count();
      return precision == Precision.FLOAT
          ? new Rounding(0x1p-23, Float.MIN_NORMAL, reach, 32 * 0x1p-23, n)
          : new Rounding(0x1p-52, Double.MIN_NORMAL, reach, (256 + 8.0 * n) * 0x1p-52, n);
    }

    /** How far a coordinate of the center of a cell of that mass may be off. */
    double center(double mass) {
      double weights = mass > 0 ? bodies * least * 0x1p-23 / mass : 0;
      return sum * reach + least + Math.min(1, weights) * (1 + reach);
    }

    /** How far that mass may be off. */
    double mass(double mass) {
      return sum * mass + bodies * least;
    }
  }

  private final double theta;
  private final double softening;
  private final Rounding rounding;

  /** {@code CELL}, {@code END} or the number of a leaf's bodies, in the order of the tree. */
  private final int[] walk;

  /** The bodies in that order. */
  private final int[] order;

  /** x, y, z and the mass of each of them. */
  private final double[] placed;

  /** Likewise of each cell, in the order in which they begin, its size and its offset. */
  private final double[] cells;

  private ForceBounds(Bodies bodies, NBodyOptions options, Cell root) {
    theta = options.theta();
    softening = options.softening();
    rounding = Rounding.of(bodies, options.precision());
    walk = new int[2 * root.cellCount + root.leafCount];
    order = new int[bodies.count()];
    placed = new double[BODY * order.length];
    cells = new double[CUBE * root.cellCount];
    new Layout(bodies).place(root);
  }

  /**
   * Computes bounds. Cost: bodies asked for times all bodies, by all processors.
   *
   * @param bodies all bodies
   * @param options theta, softening and precision
   * @param root the tree over them
   * @param some the numbers of bodies to compute bounds for
   */
  static Allowances of(Bodies bodies, NBodyOptions options, Cell root, int... some) {
    ForceBounds bounds = new ForceBounds(bodies, options, root);
    Allowances all = new Allowances(new double[some.length], new double[some.length]);
    IntStream.range(0, some.length)
        .parallel()
        .forEach(place -> bounds.new Walk(bodies, some[place]).into(all, place));
    return all;
  }

  /** Puts a tree into the arrays. */
  private final class Layout {
    private final Bodies bodies;
    private int steps;
    private int placedBodies;
    private int placedCells;

    Layout(Bodies bodies) {
      this.bodies = bodies;
    }

    void place(Cell cell) {
      walk[steps++] = CELL;
      int at = CUBE * placedCells++;
      System.arraycopy(cell.center, 0, cells, at, MASS);
      cells[at + MASS] = cell.mass;
      cells[at + SIZE] = cell.size;
      cells[at + OFFSET] = cell.offset;
      for (int octant = 0; octant < Octree.OCTANTS; octant++) {
        if (cell.cells[octant] != null) {
          place(cell.cells[octant]);
        } else if (cell.leaves[octant] != null) {
          walk[steps++] = cell.leaves[octant].length;
          for (int body : cell.leaves[octant]) {
            place(body);
          }
        }
      }
      walk[steps++] = END;
    }

    private void place(int body) {
      int at = BODY * placedBodies;
      for (int k = 0; k < MASS; k++) {
        placed[at + k] = bodies.position(body, k);
      }
      placed[at + MASS] = bodies.mass(body);
      order[placedBodies++] = body;
    }
  }

  /** What cells that stand for their bodies, and rounding, do to the force on one body. */
  private final class Walk {
    private final int body;
    private final double x;
    private final double y;
    private final double z;

    /** For each depth the sums over the bodies in its cell, as numbered above. */
    private final double[][] sums = new double[Octree.MOST_DEPTHS][SUMS];

    /** For each depth its cell. */
    private final int[] open = new int[Octree.MOST_DEPTHS];

    /** Those of one mass. */
    private final double[] one = new double[SUMS];

    Walk(Bodies bodies, int body) {
      this.body = body;
      this.x = bodies.position(body, 0);
      this.y = bodies.position(body, 1);
      this.z = bodies.position(body, 2);
    }

    void into(Allowances allowances, int place) {
      double[] all = all();
      double terms = TERM + Math.min(order.length, WARP * all[TERMS]);
      double lost = order.length * rounding.least() * (1 + 2 * rounding.reach());
      allowances.accelerations[place] =
          all[ERROR] + terms * rounding.unit() * (all[MAGNITUDE] + all[ERROR]) + lost;
      allowances.potentials[place] =
          all[POTENTIAL_ERROR]
              + terms * rounding.unit() * (Math.abs(all[POTENTIAL]) + all[POTENTIAL_ERROR])
              + lost;
    }

    private double[] all() {
      int depth = -1;
      int nextCell = 0;
      int nextBody = 0;
      for (int step : walk) {
        if (step == CELL) {
          Arrays.fill(sums[++depth], 0);
          open[depth] = nextCell++;
        } else if (step != END) {
          for (int end = nextBody + step; nextBody < end; nextBody++) {
            if (order[nextBody] != body) {
              add(sums[depth], placed, BODY * nextBody);
            }
          }
        } else if (depth > 0) {
          double[] inner = sums[depth];
          close(CUBE * open[depth], inner);
          depth--;
          for (int i = 0; i < SUMS; i++) {
            sums[depth][i] += inner[i];
          }
        }
      }
      return sums[0];
    }

    /** Adds what a mass does. */
    private void add(double[] all, double[] masses, int at) {
      double dx = masses[at] - x;
      double dy = masses[at + 1] - y;
      double dz = masses[at + 2] - z;
      double mass = masses[at + MASS];
      double squares = dx * dx + dy * dy + dz * dz;
      double distance = Math.sqrt(squares + softening * softening);
      if (distance > 0) {
        double factor = mass / (distance * distance * distance);
        all[0] += factor * dx;
        all[1] += factor * dy;
        all[2] += factor * dz;
        all[POTENTIAL] -= mass / distance;
        all[MAGNITUDE] += factor * Math.sqrt(squares);
        all[TERMS]++;
      }
    }

    /** Counts the error of a cell that may stand for its bodies, if it is greater. */
    private void close(int cell, double[] all) {
      double dx = cells[cell] - x;
      double dy = cells[cell + 1] - y;
      double dz = cells[cell + 2] - z;
      double mass = cells[cell + MASS];
      double nearest = cells[cell + SIZE] / theta;
      double inexact = 2 * rounding.center(mass);
      double distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
      if (!(distance * (1 + 8 * rounding.unit()) + 2 * inexact > nearest + cells[cell + OFFSET])) {
        return;
      }
      Arrays.fill(one, 0);
      add(one, cells, cell);
      double error = 0;
      for (int k = 0; k < 3; k++) {
        error += (one[k] - all[k]) * (one[k] - all[k]);
      }
      // A device that takes the cell for a mass measures at least this distance.
      double near = Math.max(distance, nearest);
      double soft = Math.sqrt(near * near + softening * softening);
      double moved = mass * inexact / (soft * soft);
      all[ERROR] = Math.max(all[ERROR], Math.sqrt(error) + 4 * moved / soft);
      all[POTENTIAL_ERROR] =
          Math.max(all[POTENTIAL_ERROR], Math.abs(one[POTENTIAL] - all[POTENTIAL]) + 2 * moved);
      all[TERMS] = 1;
    }
  }
}
