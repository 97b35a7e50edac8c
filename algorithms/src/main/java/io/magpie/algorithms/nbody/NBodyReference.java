package io.magpie.algorithms.nbody;

import io.magpie.algorithms.nbody.NBodyOptions.Precision;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Gravity on a processor, in double precision and without the device's kernels: the sum over all
 * pairs of bodies, an octree made by halving cubes, and a simulation with either.
 */
public final class NBodyReference {
  private static final int CELLS_ACROSS = 1 << Octree.MOST_DEPTHS;

  private NBodyReference() {}

  /**
   * Forces by the sum over all pairs.
   *
   * @param accelerations x, y and z for each body that was asked for
   * @param magnitudes of each of these, the sum of the magnitudes of what was added up
   * @param potentials of each of these, for a unit of mass
   */
  public record Forces(double[] accelerations, double[] magnitudes, double[] potentials) {}

  /**
   * Sums up what all bodies do to some. Cost: their number times that of all bodies, by all
   * processors.
   *
   * @param bodies all bodies
   * @param softening added in squares to distances
   * @param some the numbers of bodies to compute forces on
   */
  public static Forces direct(Bodies bodies, double softening, int... some) {
    Forces forces =
        new Forces(new double[3 * some.length], new double[some.length], new double[some.length]);
    IntStream.range(0, some.length)
        .parallel()
        .forEach(place -> sum(bodies, softening, some[place], place, forces));
    return forces;
  }

  private static void sum(Bodies bodies, double softening, int body, int place, Forces into) {
    double[] all = new double[3];
    double magnitude = 0;
    double potential = 0;
    for (int other = 0; other < bodies.count(); other++) {
      double x = bodies.position(other, 0) - bodies.position(body, 0);
      double y = bodies.position(other, 1) - bodies.position(body, 1);
      double z = bodies.position(other, 2) - bodies.position(body, 2);
      double squares = x * x + y * y + z * z;
      double distance = Math.sqrt(squares + softening * softening);
      if (other == body || distance == 0) {
        continue;
      }
      double factor = bodies.mass(other) / (distance * distance * distance);
      all[0] += factor * x;
      all[1] += factor * y;
      all[2] += factor * z;
      magnitude += factor * Math.sqrt(squares);
      potential -= bodies.mass(other) / distance;
    }
    System.arraycopy(all, 0, into.accelerations, 3 * place, 3);
    into.magnitudes[place] = magnitude;
    into.potentials[place] = potential;
  }

  /** The octree over bodies, which is determined by them. Cost: bodies times depths. */
  public static Octree tree(Bodies bodies) {
    return new Halving(bodies).tree();
  }

  /**
   * How far forces of a tree may be from the sums over all pairs, for each body that was asked for.
   *
   * @param accelerations lengths of differences
   * @param potentials differences
   */
  record Allowances(double[] accelerations, double[] potentials) {}

  /**
   * Bounds what theta and rounding do to forces. Without rounding they are proven: whoever opens at
   * least the cells that a body has to open takes, for each cell that may stand for its bodies,
   * that cell or some that lie in it, and the greater of both errors is counted. Cost: bodies asked
   * for times all bodies, by all processors.
   *
   * @param bodies all bodies
   * @param options theta, softening and precision
   * @param some the numbers of bodies to compute bounds for
   */
  static Allowances allowances(Bodies bodies, NBodyOptions options, int... some) {
    Cell root = new Halving(bodies).root();
    Rounding rounding = Rounding.of(bodies, options.precision());
    Allowances all = new Allowances(new double[some.length], new double[some.length]);
    IntStream.range(0, some.length)
        .parallel()
        .forEach(place -> new Closing(bodies, some[place], options, rounding).of(root, place, all));
    return all;
  }

  /**
   * Simulates bodies, in double precision whatever the options say, by a recursive walk over a tree
   * of each body alone; with theta 0 by the sum over all pairs.
   *
   * @param bodies where they begin
   * @param options steps, their length, theta and softening
   * @return bodies and forces at the end; without a report
   */
  public static NBodyResult run(Bodies bodies, NBodyOptions options) {
    double[] positions = bodies.positions();
    double[] velocities = bodies.velocities();
    double[] masses = bodies.masses();
    double[] potentials = new double[masses.length];
    double[] forces = forces(Bodies.owning(masses, positions, velocities), options, potentials);
    for (int step = 0; step < options.steps(); step++) {
      for (int i = 0; i < positions.length; i++) {
        velocities[i] += forces[i] * options.timeStep() / 2;
        positions[i] += velocities[i] * options.timeStep();
      }
      forces = forces(Bodies.owning(masses, positions, velocities), options, potentials);
      for (int i = 0; i < positions.length; i++) {
        velocities[i] += forces[i] * options.timeStep() / 2;
      }
    }
    Bodies after = Bodies.owning(masses, positions, velocities);
    return new NBodyResult(bodies, after, forces, potentials, options, () -> tree(after), null);
  }

  private static double[] forces(Bodies bodies, NBodyOptions options, double[] potentials) {
    int n = bodies.count();
    if (options.theta() == 0) {
      Forces all = direct(bodies, options.softening(), IntStream.range(0, n).toArray());
      System.arraycopy(all.potentials, 0, potentials, 0, n);
      return all.accelerations;
    }
    Cell root = new Halving(bodies).root();
    double[] accelerations = new double[3 * n];
    for (int i = 0; i < n; i++) {
      Pull pull = new Pull(bodies, i, options);
      pull.by(root);
      System.arraycopy(pull.sum, 0, accelerations, 3 * i, 3);
      potentials[i] = pull.potential;
    }
    return accelerations;
  }

  /** A cube that is split. */
  private static final class Cell {
    final double size;
    final Cell[] cells = new Cell[Octree.OCTANTS];
    final int[][] leaves = new int[Octree.OCTANTS][];
    final double[] center = new double[3];
    double mass;
    double offset;

    Cell(double size) {
      this.size = size;
    }
  }

  /** What acts on one body. */
  private static final class Pull {
    private final Bodies bodies;
    private final int body;
    private final NBodyOptions options;
    private final double[] sum = new double[3];
    private double potential;

    Pull(Bodies bodies, int body, NBodyOptions options) {
      this.bodies = bodies;
      this.body = body;
      this.options = options;
    }

    void by(Cell cell) {
      for (int octant = 0; octant < Octree.OCTANTS; octant++) {
        Cell inner = cell.cells[octant];
        if (inner != null) {
          double[] d = new double[3];
          for (int k = 0; k < 3; k++) {
            d[k] = inner.center[k] - bodies.position(body, k);
          }
          if (Math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])
              > inner.size / options.theta() + inner.offset) {
            add(d, inner.mass);
          } else {
            by(inner);
          }
        } else if (cell.leaves[octant] != null) {
          for (int other : cell.leaves[octant]) {
            if (other != body) {
              double[] d = new double[3];
              for (int k = 0; k < 3; k++) {
                d[k] = bodies.position(other, k) - bodies.position(body, k);
              }
              add(d, bodies.mass(other));
            }
          }
        }
      }
    }

    private void add(double[] d, double mass) {
      double distance =
          Math.sqrt(
              d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + options.softening() * options.softening());
      if (distance == 0) {
        return;
      }
      for (int k = 0; k < 3; k++) {
        sum[k] += mass * d[k] / (distance * distance * distance);
      }
      potential -= mass / distance;
    }
  }

  /** What cells that stand for their bodies, and rounding, do to the force on one body. */
  private static final class Closing {
    /** Rounding of a term on its way from positions, with some to spare. */
    private static final int TERM = 32;

    /** As many times more terms than by its own choice a body has by that of its warp. */
    private static final int WARP = 4;

    private static final int POTENTIAL = 3;
    private static final int MAGNITUDE = 4;
    private static final int ERROR = 5;
    private static final int POTENTIAL_ERROR = 6;
    private static final int TERMS = 7;

    private final Bodies bodies;
    private final int body;
    private final NBodyOptions options;
    private final Rounding rounding;

    /** For each depth the sums over the bodies in its cell, as numbered above, and errors. */
    private final double[][] sums = new double[Octree.MOST_DEPTHS][TERMS + 1];

    Closing(Bodies bodies, int body, NBodyOptions options, Rounding rounding) {
      this.bodies = bodies;
      this.body = body;
      this.options = options;
      this.rounding = rounding;
    }

    void of(Cell root, int place, Allowances into) {
      sum(root, 0);
      double[] all = sums[0];
      double terms = TERM + Math.min(bodies.count(), WARP * all[TERMS]);
      double lost = bodies.count() * rounding.least() * (1 + 2 * rounding.reach());
      into.accelerations[place] =
          all[ERROR] + terms * rounding.unit() * (all[MAGNITUDE] + all[ERROR]) + lost;
      into.potentials[place] =
          all[POTENTIAL_ERROR]
              + terms * rounding.unit() * (Math.abs(all[POTENTIAL]) + all[POTENTIAL_ERROR])
              + lost;
    }

    private void sum(Cell cell, int depth) {
      double[] all = sums[depth];
      Arrays.fill(all, 0);
      for (int octant = 0; octant < Octree.OCTANTS; octant++) {
        if (cell.cells[octant] != null) {
          sum(cell.cells[octant], depth + 1);
          for (int i = 0; i < all.length; i++) {
            all[i] += sums[depth + 1][i];
          }
        } else if (cell.leaves[octant] != null) {
          for (int other : cell.leaves[octant]) {
            if (other != body) {
              add(all, bodies.sharedPositions(), 3 * other, bodies.mass(other));
            }
          }
        }
      }
      if (depth > 0) {
        close(cell, all);
      }
    }

    private void add(double[] all, double[] places, int at, double mass) {
      double x = places[at] - bodies.position(body, 0);
      double y = places[at + 1] - bodies.position(body, 1);
      double z = places[at + 2] - bodies.position(body, 2);
      double squares = x * x + y * y + z * z;
      double distance = Math.sqrt(squares + options.softening() * options.softening());
      if (distance > 0) {
        double factor = mass / (distance * distance * distance);
        all[0] += factor * x;
        all[1] += factor * y;
        all[2] += factor * z;
        all[POTENTIAL] -= mass / distance;
        all[MAGNITUDE] += factor * Math.sqrt(squares);
        all[TERMS]++;
      }
    }

    /** Counts the error of a cell that may stand for its bodies, if it is greater. */
    private void close(Cell cell, double[] all) {
      double squares = 0;
      for (int k = 0; k < 3; k++) {
        double d = cell.center[k] - bodies.position(body, k);
        squares += d * d;
      }
      double inexact = 2 * rounding.center(cell.mass);
      double distance = Math.sqrt(squares);
      if (!(distance * (1 + 8 * rounding.unit()) + 2 * inexact
          > cell.size / options.theta() + cell.offset)) {
        return;
      }
      double[] one = new double[TERMS + 1];
      add(one, cell.center, 0, cell.mass);
      double error = 0;
      for (int k = 0; k < 3; k++) {
        error += (one[k] - all[k]) * (one[k] - all[k]);
      }
      // A device that takes the cell for a mass measures at least this distance.
      double near = Math.max(distance, cell.size / options.theta());
      double soft = Math.sqrt(near * near + options.softening() * options.softening());
      double moved = cell.mass * inexact / (soft * soft);
      all[ERROR] = Math.max(all[ERROR], Math.sqrt(error) + 4 * moved / soft);
      all[POTENTIAL_ERROR] =
          Math.max(all[POTENTIAL_ERROR], Math.abs(one[POTENTIAL] - all[POTENTIAL]) + 2 * moved);
      all[TERMS] = 1;
    }
  }

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

  /** Makes a tree by halving cubes. */
  private static final class Halving {
    private final Bodies bodies;

    /** In which part of the bounding cube a body is, in each dimension. */
    private final int[] parts;

    private final double[] least = new double[3];
    private double side;

    Halving(Bodies bodies) {
      this.bodies = bodies;
      int n = bodies.count();
      parts = new int[3 * n];
      for (int k = 0; k < 3; k++) {
        double low = Double.POSITIVE_INFINITY;
        double high = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < n; i++) {
          low = Math.min(low, bodies.position(i, k));
          high = Math.max(high, bodies.position(i, k));
        }
        least[k] = low;
        side = n == 0 ? 0 : Math.max(side, high - low);
      }
      double scale = CELLS_ACROSS / side;
      if (Double.isInfinite(scale)) {
        return; // all in one part
      }
      for (int i = 0; i < parts.length; i++) {
        double part = (bodies.sharedPositions()[i] - least[i % 3]) * scale;
        parts[i] = (int) Math.min(part, CELLS_ACROSS - 1);
      }
    }

    Octree tree() {
      Octree.Builder builder = new Octree.Builder();
      write(root(), 0, builder);
      return builder.build();
    }

    private void write(Cell cell, int depth, Octree.Builder builder) {
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

    Cell root() {
      return split(IntStream.range(0, bodies.count()).toArray(), 0, new int[3]);
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
      for (int octant = 0; octant < Octree.OCTANTS; octant++) {
        int[] part = Arrays.copyOfRange(sorted, counts[octant], counts[octant + 1]);
        if (part.length == 0) {
          continue;
        }
        if (inOnePart(part)) {
          cell.leaves[octant] = part;
          for (int body : part) {
            double[] at = {
              bodies.position(body, 0), bodies.position(body, 1), bodies.position(body, 2)
            };
            add(cell, at, bodies.mass(body));
          }
        } else {
          int[] inner = {
            corner[0] + (octant & 4) / 4 * half,
            corner[1] + (octant & 2) / 2 * half,
            corner[2] + (octant & 1) * half
          };
          cell.cells[octant] = split(part, depth + 1, inner);
          add(cell, cell.cells[octant].center, cell.cells[octant].mass);
        }
      }
      finish(cell, inside, corner, half);
      return cell;
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
}
