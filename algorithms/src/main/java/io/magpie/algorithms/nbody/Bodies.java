package io.magpie.algorithms.nbody;

import java.util.Arrays;
import java.util.Objects;

/**
 * Bodies with their masses, positions and velocities; immutable. The constant of gravity is 1, and
 * units are whatever agrees with that.
 */
public final class Bodies {
  /** The most bodies that there may be: 2^26. */
  public static final int MOST = 1 << 26;

  /** Coordinates of a vector. */
  static final int DIMENSIONS = 3;

  private final double[] masses;
  private final double[] positions;
  private final double[] velocities;

  private Bodies(double[] masses, double[] positions, double[] velocities) {
    this.masses = masses;
    this.positions = positions;
    this.velocities = velocities;
  }

  /**
   * Bodies with these values, which are copied.
   *
   * @param masses one for each body, 0 or more, and finite
   * @param positions x, y and z of each body, all finite
   * @param velocities likewise
   * @throws IllegalArgumentException if there are more than {@link #MOST}, if arrays do not fit
   *     each other, or if a value is out of range; the message names it
   */
  public static Bodies of(double[] masses, double[] positions, double[] velocities) {
    return owning(masses.clone(), positions.clone(), velocities.clone());
  }

  /** The same for arrays that nobody else changes. */
  static Bodies owning(double[] masses, double[] positions, double[] velocities) {
    if (masses.length > MOST) {
      throw new IllegalArgumentException(
          masses.length + " bodies; there may be at most " + MOST + " (2^26)");
    }
    requireVectors("positions", positions, masses.length);
    requireVectors("velocities", velocities, masses.length);
    for (int i = 0; i < masses.length; i++) {
      if (!(masses[i] >= 0 && masses[i] <= Double.MAX_VALUE)) {
        throw new IllegalArgumentException(
            "body " + i + " has mass " + masses[i] + "; expected 0 or more, and finite");
      }
    }
    return new Bodies(masses, positions, velocities);
  }

  private static void requireVectors(String name, double[] values, int count) {
    if (values.length != DIMENSIONS * count) {
      throw new IllegalArgumentException(
          values.length + " numbers for the " + name + " of " + count + " bodies; expected 3 each");
    }
    for (int i = 0; i < values.length; i++) {
      if (!Double.isFinite(values[i])) {
        throw new IllegalArgumentException(
            name + " of body " + i / DIMENSIONS + ": " + values[i] + " is not finite");
      }
    }
  }

  /** Bodies as a simulation left them, which no value is too odd for: a verifier looks at them. */
  static Bodies unchecked(double[] masses, double[] positions, double[] velocities) {
    return new Bodies(masses, positions, velocities);
  }

  /** How many there are. */
  public int count() {
    return masses.length;
  }

  /** The mass of a body. */
  public double mass(int body) {
    return masses[body];
  }

  /**
   * A coordinate of a body.
   *
   * @param body its number, from 0
   * @param dimension 0 to 2 for x, y, z
   */
  public double position(int body, int dimension) {
    return positions[DIMENSIONS * body + Objects.checkIndex(dimension, DIMENSIONS)];
  }

  /**
   * A component of a body's velocity.
   *
   * @param body its number, from 0
   * @param dimension 0 to 2 for x, y, z
   */
  public double velocity(int body, int dimension) {
    return velocities[DIMENSIONS * body + Objects.checkIndex(dimension, DIMENSIONS)];
  }

  /** One mass for each body; a copy. */
  public double[] masses() {
    return masses.clone();
  }

  /** x, y and z of each body; a copy. */
  public double[] positions() {
    return positions.clone();
  }

  /** The components of each body's velocity; a copy. */
  public double[] velocities() {
    return velocities.clone();
  }

  double[] sharedMasses() {
    return masses;
  }

  double[] sharedPositions() {
    return positions;
  }

  double[] sharedVelocities() {
    return velocities;
  }

  /** Whether the other has the same bodies in the same order, all values equal bit by bit. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Bodies
        && Arrays.equals(masses, ((Bodies) other).masses)
        && Arrays.equals(positions, ((Bodies) other).positions)
        && Arrays.equals(velocities, ((Bodies) other).velocities);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * Arrays.hashCode(masses) + Arrays.hashCode(positions))
        + Arrays.hashCode(velocities);
  }

  @Override
  public String toString() {
    return "Bodies[count=" + masses.length + "]";
  }
}
