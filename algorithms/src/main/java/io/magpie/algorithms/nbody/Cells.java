package io.magpie.algorithms.nbody;

import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.algorithms.internal.driver.Resources;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;

/** The cells of the octree on a device, as nbody.cuh and summary.cuh describe them. */
final class Cells implements AutoCloseable {
  /**
   * Room for cells.
   *
   * @param first for so many at first; 0 for as many as there usually are
   * @param most for so many at most
   */
  record Room(int first, int most) {
    /** Octants are in one array, also in Java. */
    static final Room USUAL = new Room(0, (1 << 28) - 1);

    Room orFirst(int usual) {
      return first > 0 ? this : new Room(usual, most);
    }
  }

  private final Device device;
  private final Reals reals;
  private final int noLevel;
  private final int octantWords;
  private final int most;
  private int room;
  private int used;
  private DeviceArray<int[]> child;
  private DeviceArray<int[]> level;
  private DeviceArray<?> center;
  private DeviceArray<?> opens;
  private DeviceArray<int[]> below;
  private DeviceArray<int[]> sample;
  private DeviceArray<int[]> parent;
  private DeviceArray<int[]> waits;
  private DeviceArray<int[]> before;
  private DeviceArray<?> node;
  private DeviceArray<int[]> octant;

  /**
   * @param room for so many cells, 1 at least at first
   */
  Cells(Launches launches, Reals reals, Room room) {
    this.device = launches.device();
    this.reals = reals;
    this.noLevel = launches.constant("no_level");
    this.octantWords = launches.constant(reals.kernel("octant_words"));
    this.most = room.most();
    this.room = room.first();
    try {
      child = device.ints((long) Octree.OCTANTS * this.room).named("child");
      level = device.ints(this.room).named("level");
      allocateSums();
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private void allocateSums() {
    center = reals.zeros(4L * room).named("center");
    opens = reals.zeros(room).named("opens");
    below = device.ints(room).named("below");
    sample = device.ints(room).named("sample");
    parent = device.ints(room).named("parent");
    waits = device.ints(room).named("waits");
    long octants = (long) Octree.OCTANTS * room;
    before = device.ints(octants).named("before");
    node = reals.zeros(Octree.SUMS * octants).named("node");
    octant = device.ints(octantWords * octants).named("octant");
  }

  /** How many there is room for. */
  int room() {
    return room;
  }

  /** Numbers below this one may have been given out. */
  int used() {
    return used;
  }

  /** Notes below which number all are that have been given out. */
  void setUsed(int count) {
    used = count;
  }

  /** A root without bodies, and no other cell; any number may be given out. */
  void clear(Launches launches) {
    launches.run(
        "clear_cells",
        (long) Octree.OCTANTS * room,
        new Fields().set("cells", room).set("child", child).set("level", level));
    used = room;
  }

  /**
   * Makes room for more cells, and keeps those that are there, but not their sums.
   *
   * @param least for so many at least
   * @return how many there is room for now
   * @throws IllegalArgumentException if there may not be so many
   */
  int grow(long least) {
    if (least <= room) {
      return room;
    }
    if (least > most) {
      throw tooMany(least + " cells");
    }
    int before = room;
    room = (int) Math.min(most, Math.max(least, before + before / 2L));
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

  /**
   * The same for bodies that found no cell: as much room for their cells as there may be, since
   * nobody knows how many they need.
   *
   * @throws IllegalArgumentException if there is as much already
   */
  int growBy(int more) {
    if (room == most) {
      throw tooMany("more than " + most + " cells");
    }
    return grow(Math.min(most, (long) room + more));
  }

  private IllegalArgumentException tooMany(String needed) {
    return new IllegalArgumentException(
        "the tree would need "
            + needed
            + "; there may be at most "
            + most
            + ": simulate fewer bodies, or such that are less close to each other");
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

  DeviceArray<int[]> parent() {
    return parent;
  }

  DeviceArray<int[]> waits() {
    return waits;
  }

  DeviceArray<int[]> before() {
    return before;
  }

  DeviceArray<?> node() {
    return node;
  }

  DeviceArray<int[]> octant() {
    return octant;
  }

  private void closeSums() {
    Resources.close(center, opens, below, sample, parent, waits, before, node, octant);
    center = null;
    opens = null;
    below = null;
    sample = null;
    parent = null;
    waits = null;
    before = null;
    node = null;
    octant = null;
  }

  @Override
  public void close() {
    closeSums();
    Resources.close(child, level);
  }
}
