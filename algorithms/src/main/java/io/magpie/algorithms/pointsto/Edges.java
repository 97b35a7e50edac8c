package io.magpie.algorithms.pointsto;

import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.DeviceOutOfMemoryException;
import io.magpie.stm.Fields;
import java.util.function.Consumer;

/** The edges on the device, in arrays that are made longer when one found no room. */
final class Edges implements AutoCloseable {
  private static final int LEAST_CAPACITY = 64;
  private static final int MOST_CAPACITY = 1 << 30;

  private final DeviceMemory memory;
  private final Nodes nodes;
  private final Launches launches;
  private final boolean pulls;
  private final int mostCapacity;
  private Arrays arrays;
  private int growths;
  private int renumberings;

  /** One set of arrays. */
  private final class Arrays {
    final int capacity;
    DeviceArray<int[]> owner;
    DeviceArray<int[]> end;
    DeviceArray<int[]> next;
    DeviceArray<long[]> table;

    Arrays(int capacity) {
      this.capacity = capacity;
      try {
        owner = memory.ints(capacity).named("owner");
        end = memory.ints(capacity).named("end");
        next = memory.ints(capacity).named("next");
        table = memory.longs(2 * roundedUp(capacity)).named("table");
        table.fill(-1);
      } catch (RuntimeException e) {
        free();
        throw e;
      }
    }

    void free() {
      memory.free(owner);
      memory.free(end);
      memory.free(next);
      memory.free(table);
    }
  }

  /**
   * @param expected how many edges there may well be
   * @param pulls whether edges are in the lists of nodes that include others
   */
  Edges(DeviceMemory memory, Nodes nodes, Launches launches, long expected, boolean pulls) {
    this(memory, nodes, launches, expected, pulls, MOST_CAPACITY);
  }

  /**
   * The same with a lower limit.
   *
   * @param mostCapacity how many edges there may be, at least 64
   */
  Edges(
      DeviceMemory memory,
      Nodes nodes,
      Launches launches,
      long expected,
      boolean pulls,
      int mostCapacity) {
    this.memory = memory;
    this.nodes = nodes;
    this.launches = launches;
    this.pulls = pulls;
    this.mostCapacity = mostCapacity;
    this.arrays = new Arrays((int) Math.min(mostCapacity, Math.max(LEAST_CAPACITY, expected)));
  }

  private static long roundedUp(int count) {
    long power = 1;
    while (power < count) {
      power *= 2;
    }
    return power;
  }

  /** How many there are; waits for the device. */
  int count() {
    nodes.total("edges");
    return seenCount();
  }

  /** How many there were at the last look at any number of the nodes. */
  int seenCount() {
    return (int) Math.min(arrays.capacity, nodes.seen("edges"));
  }

  /** How often the arrays were made longer. */
  int growths() {
    return growths;
  }

  /** How often edges were given other numbers. */
  int renumberings() {
    return renumberings;
  }

  DeviceArray<int[]> owner() {
    return arrays.owner;
  }

  DeviceArray<int[]> end() {
    return arrays.end;
  }

  DeviceArray<int[]> next() {
    return arrays.next;
  }

  Fields fields() {
    return new Fields()
        .set("pulls", pulls ? 1 : 0)
        .set("capacity", arrays.capacity)
        .set("slots", arrays.table.length())
        .set("owner", arrays.owner)
        .set("end", arrays.end)
        .set("next", arrays.next)
        .set("table", arrays.table)
        .set("totals", nodes.totals());
  }

  /**
   * Runs a launch that adds edges, again and again, each time with longer arrays, until all have
   * found room.
   *
   * @param launch takes the fields {@code nodes} and {@code edges}
   * @throws PointsToSizeException if there are too many
   */
  void add(Consumer<Fields> launch) {
    while (true) {
      launch.accept(new Fields().set("nodes", nodes.fields()).set("edges", fields()));
      if (nodes.total("lost") == 0) {
        return;
      }
      makeRoom();
    }
  }

  /**
   * Makes arrays longer after a launch that lost edges, which is to be repeated. Those that may not
   * be longer are compacted instead. Edges are renumbered by that.
   *
   * @throws PointsToSizeException if there are too many
   */
  void makeRoom() {
    nodes.setTotal("lost", 0);
    if (arrays.capacity < mostCapacity) {
      growths++;
      moveTo(new Arrays((int) Math.min(mostCapacity, 2L * arrays.capacity)));
      return;
    }
    int before = count();
    compact();
    if (count() == before) {
      throw new PointsToSizeException(
          "the constraints make more than "
              + mostCapacity
              + " edges between variables; collapse cycles, or leave constraints out");
    }
  }

  /**
   * Drops what is left of edges within merged nodes, and edges that are there twice. Without memory
   * for a second set of arrays it does nothing: edges too many cost time only.
   */
  void compact() {
    Arrays empty;
    try {
      empty = new Arrays(arrays.capacity);
    } catch (DeviceOutOfMemoryException e) {
      return;
    }
    moveTo(empty);
  }

  private void moveTo(Arrays empty) {
    int count = count();
    Arrays old = arrays;
    arrays = empty;
    renumberings++;
    try {
      nodes.dropLists();
      nodes.setTotal("edges", 0);
      launches.run(
          "move_edges",
          count,
          new Fields()
              .set("count", count)
              .set("owner", old.owner)
              .set("end", old.end)
              .set("nodes", nodes.fields())
              .set("edges", fields()));
    } finally {
      old.free();
    }
  }

  @Override
  public void close() {
    arrays.free();
  }
}
