package io.magpie.algorithms.nbody;

import io.magpie.algorithms.internal.driver.Resources;
import io.magpie.algorithms.internal.driver.Scratch;
import io.magpie.stm.DeviceArray;

/** Bodies on a device, with their keys and their order. */
final class BodiesOnDevice implements AutoCloseable {
  private final int count;
  private DeviceArray<?> masses;
  private DeviceArray<?> mass; // a view of these, which no kernel writes
  private DeviceArray<?> position;
  private DeviceArray<?> velocity;
  private DeviceArray<?> acceleration;
  private DeviceArray<?> potential;
  private DeviceArray<?> placed;
  private final DeviceArray<long[]> key;
  private final DeviceArray<int[]> next;
  private final DeviceArray<int[]> order;
  private final DeviceArray<int[]> crowd;

  BodiesOnDevice(Bodies bodies, Reals reals, Scratch scratch) {
    count = bodies.count();
    key = scratch.longs("key", count);
    next = scratch.ints("next", count);
    order = scratch.ints("order", count);
    crowd = scratch.ints("crowd", count);
    try {
      masses = reals.copyOf("mass", bodies.sharedMasses());
      mass = masses.asConst().named("mass");
      position = reals.copyOf("coordinate", bodies.sharedPositions()).named("position");
      velocity = reals.copyOf("velocity", bodies.sharedVelocities()).named("velocity");
      acceleration = reals.zeros((long) Bodies.DIMENSIONS * count).named("acceleration");
      potential = reals.zeros(count).named("potential");
      placed = reals.zeros((long) Octree.SUMS * count).named("placed");
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  int count() {
    return count;
  }

  DeviceArray<?> mass() {
    return mass;
  }

  /** 3 numbers for each, as those of velocities and accelerations. */
  DeviceArray<?> position() {
    return position;
  }

  DeviceArray<?> velocity() {
    return velocity;
  }

  DeviceArray<?> acceleration() {
    return acceleration;
  }

  DeviceArray<?> potential() {
    return potential;
  }

  DeviceArray<long[]> key() {
    return key;
  }

  /** For each the next one of its leaf, or -1. */
  DeviceArray<int[]> next() {
    return next;
  }

  /** The bodies in the order of the tree. */
  DeviceArray<int[]> order() {
    return order;
  }

  /** The position and the mass of each body, in that order. */
  DeviceArray<?> placed() {
    return placed;
  }

  /** At the first place of a leaf of many bodies, how many these are. */
  DeviceArray<int[]> crowd() {
    return crowd;
  }

  @Override
  public void close() {
    Resources.close(masses, position, velocity, acceleration, potential, placed);
  }
}
