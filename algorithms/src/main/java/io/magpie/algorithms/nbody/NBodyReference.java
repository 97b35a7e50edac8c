package io.magpie.algorithms.nbody;

import io.magpie.algorithms.nbody.HalvedCubes.Cell;
import java.util.stream.IntStream;

/**
 * Gravity on a processor, in double precision and without the device's kernels: the sum over all
 * pairs of bodies, an octree made by halving cubes, and a simulation with either.
 */
public final class NBodyReference {
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

  /**
   * The octree over bodies, which is determined by them. Cost: bodies times depths, by all
   * processors.
   */
  public static Octree tree(Bodies bodies) {
    return HalvedCubes.of(bodies).tree();
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
    Cell root = HalvedCubes.bySelf(bodies).root();
    double[] accelerations = new double[3 * n];
    for (int i = 0; i < n; i++) {
      Pull pull = new Pull(bodies, i, options);
      pull.by(root);
      System.arraycopy(pull.sum, 0, accelerations, 3 * i, 3);
      potentials[i] = pull.potential;
    }
    return accelerations;
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
}
