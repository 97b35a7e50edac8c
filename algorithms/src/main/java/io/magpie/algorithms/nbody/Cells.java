package io.magpie.algorithms.nbody;

import io.magpie.algorithms.internal.driver.Resources;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;

/** The cells of the octree on a device, as nbody.cuh and summary.cuh describe them. */
final class Cells implements AutoCloseable {
  /** Numbers of cells are below it; their octants are numbered by 32 bits. */
  private static final int MOST = 1 << 28;

  private final Device device;
  private final Reals reals;
  private final int noLevel;
  private int room;
  private int used;
  private DeviceArray<int[]> child;
  private DeviceArray<int[]> level;
  private DeviceArray<?> center;
  private DeviceArray<?> opens;
  private DeviceArray<int[]> below;
  private DeviceArray<int[]> sample;

  /**
   * @param room for so many cells, 1 at least
   * @param noLevel the depth of a number that is no cell's
   */
  Cells(Device device, Reals reals, int room, int noLevel) {
    this.device = device;
    this.reals = reals;
    this.noLevel = noLevel;
    this.room = room;
    try {
      child = device.ints((long) Octree.OCTANTS * room);
      level = device.ints(room);
      allocateSums();
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private void allocateSums() {
    center = reals.zeros(4L * room);
    opens = reals.zeros(room);
    below = device.ints(room);
    sample = device.ints(room);
  }

  /** How many there is room for. */
  int room() {
    return room;
  }

  /** Numbers below this one have been given out. */
  int used() {
    return used;
  }

  /** Notes how many numbers have been given out. */
  void setUsed(int count) {
    used = count;
  }

  /** A root without bodies, and no other cell. */
  void clear() {
    child.fill(Octree.NONE);
    level.fill(noLevel);
    level.set(0, 0);
    used = 1;
  }

  /**
   * Makes room for more cells, and keeps those that are there.
   *
   * @param least for so many at least
   * @return how many there is room for now
   */
  int grow(long least) {
    if (least <= room) {
      return room;
    }
    if (least > MOST) {
      throw new IllegalArgumentException(
          "the tree would need "
              + least
              + " cells; there may be at most "
              + MOST
              + ": simulate fewer bodies, or such that are less close to each other");
    }
    int before = room;
    room = (int) Math.min(MOST, Math.max(least, before + before / 2L));
    child = child.grown((long) Octree.OCTANTS * room);
    child
        .slice((long) Octree.OCTANTS * before, (long) Octree.OCTANTS * (room - before))
        .fill(Octree.NONE);
    level = level.grown(room);
    level.slice(before, room - before).fill(noLevel);
    closeSums();
    allocateSums();
    return room;
  }

  DeviceArray<int[]> child() {
    return child;
  }

  DeviceArray<int[]> level() {
    return level;
  }

  DeviceArray<?> center() {
    return center;
  }

  DeviceArray<?> opens() {
    return opens;
  }

  DeviceArray<int[]> below() {
    return below;
  }

  DeviceArray<int[]> sample() {
    return sample;
  }

  private void closeSums() {
    Resources.close(center, opens, below, sample);
    center = null;
    opens = null;
    below = null;
    sample = null;
  }

  @Override
  public void close() {
    closeSums();
    Resources.close(child, level);
  }
}
