package io.magpie.algorithms.nbody;

/**
 * What gravity conserves, at one time: energy, momentum and angular momentum about the origin; sums
 * in double precision.
 *
 * @param kinetic kinetic energy
 * @param potential potential energy, half of the sum of masses times potentials
 * @param momentumX x of the momentum
 * @param momentumY y of the momentum
 * @param momentumZ z of the momentum
 * @param speed the sum of masses times speeds, to compare momenta with
 * @param angularX x of the angular momentum
 * @param angularY y of the angular momentum
 * @param angularZ z of the angular momentum
 * @param turning the sum of the lengths of bodies' angular momenta, to compare theirs with
 */
public record Conserved(
    double kinetic,
    double potential,
    double momentumX,
    double momentumY,
    double momentumZ,
    double speed,
    double angularX,
    double angularY,
    double angularZ,
    double turning) {
  /**
   * Sums up bodies and their potentials.
   *
   * @param bodies the bodies
   * @param potentials one for each body
   */
  static Conserved of(Bodies bodies, double[] potentials) {
    double kinetic = 0;
    double potential = 0;
    double speed = 0;
    double turning = 0;
    double[] momentum = new double[Bodies.DIMENSIONS];
    double[] angular = new double[Bodies.DIMENSIONS];
    for (int i = 0; i < bodies.count(); i++) {
      double squares = 0;
      for (int k = 0; k < momentum.length; k++) {
        double v = bodies.velocity(i, k);
        squares += v * v;
        momentum[k] += bodies.mass(i) * v;
      }
      double turn = 0;
      for (int k = 0; k < angular.length; k++) {
        int next = (k + 1) % angular.length;
        int last = (k + 2) % angular.length;
        double part =
            bodies.position(i, next) * bodies.velocity(i, last)
                - bodies.position(i, last) * bodies.velocity(i, next);
        angular[k] += bodies.mass(i) * part;
        turn += part * part;
      }
      turning += bodies.mass(i) * Math.sqrt(turn);
      kinetic += bodies.mass(i) * squares / 2;
      potential += bodies.mass(i) * potentials[i] / 2;
      speed += bodies.mass(i) * Math.sqrt(squares);
    }
    return new Conserved(
        kinetic,
        potential,
        momentum[0],
        momentum[1],
        momentum[2],
        speed,
        angular[0],
        angular[1],
        angular[2],
        turning);
  }

  /** The total energy. */
  public double energy() {
    return kinetic + potential;
  }

  /** How far energy is from that at another time, relative to that; 0 if both are 0. */
  public double energyDrift(Conserved before) {
    double difference = energy() - before.energy();
    return difference == 0 ? 0 : difference / Math.abs(before.energy());
  }

  /**
   * How far momentum is from that at another time, relative to the greater of the sums of masses
   * times speeds; 0 if both are 0.
   */
  public double momentumDrift(Conserved before) {
    return relative(
        momentumX - before.momentumX,
        momentumY - before.momentumY,
        momentumZ - before.momentumZ,
        Math.max(speed, before.speed));
  }

  /**
   * How far angular momentum is from that at another time, relative to the greater of the sums of
   * the lengths of bodies' own; 0 if both are 0.
   */
  public double angularDrift(Conserved before) {
    return relative(
        angularX - before.angularX,
        angularY - before.angularY,
        angularZ - before.angularZ,
        Math.max(turning, before.turning));
  }

  private static double relative(double x, double y, double z, double whole) {
    double difference = Math.sqrt(x * x + y * y + z * z);
    return difference == 0 ? 0 : difference / whole;
  }
}
