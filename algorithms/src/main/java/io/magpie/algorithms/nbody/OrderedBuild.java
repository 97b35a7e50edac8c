package io.magpie.algorithms.nbody;

import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.algorithms.internal.driver.Scratch;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.parallel.Primitives;
import io.magpie.stm.parallel.ScanOperator;

/** The octree from sorted keys; see build_by_order.cuh. */
final class OrderedBuild implements TreeBuild {
  private static final int HIGH_BITS = 31;

  private final BodiesOnDevice bodies;
  private final Cells cells;
  private final Launches launches;
  private final Primitives primitives;
  private final DeviceArray<int[]> half;
  private final DeviceArray<int[]> isFirst;
  private final DeviceArray<int[]> leaf;
  private final DeviceArray<long[]> sorted;
  private final DeviceArray<int[]> prefix;
  private final DeviceArray<int[]> parent;
  private final DeviceArray<int[]> leafParent;
  private final DeviceArray<int[]> first;

  OrderedBuild(BodiesOnDevice bodies, Cells cells, Launches launches, Scratch scratch) {
    this.bodies = bodies;
    this.cells = cells;
    this.launches = launches;
    this.primitives = Primitives.of(launches.device());
    int n = bodies.count();
    this.half = scratch.ints("half", n);
    this.isFirst = scratch.ints("isFirst", n);
    this.leaf = scratch.ints("leaf", n);
    this.sorted = scratch.longs("sorted", n);
    this.prefix = scratch.ints("prefix", n);
    this.parent = scratch.ints("parent", n);
    this.leafParent = scratch.ints("leafParent", n);
    this.first = scratch.ints("first", n);
  }

  @Override
  public boolean ordersBodies() {
    return true;
  }

  @Override
  public int build() {
    int n = bodies.count();
    sortHalf(0, Integer.SIZE);
    sortHalf(1, HIGH_BITS);
    launches.run(
        "mark_keys",
        n,
        new Fields()
            .set("bodies", n)
            .set("key", bodies.key())
            .set("order", bodies.order())
            .set("is_first", isFirst)
            .set("next", bodies.next()));
    int[] found = new int[1];
    launches.primitives(
        "pack_leaves", n, () -> found[0] = primitives.pack(bodies.order(), isFirst, leaf));
    int keys = found[0];
    launches.run(
        "list_keys",
        keys,
        new Fields()
            .set("keys", keys)
            .set("key", bodies.key())
            .set("leaf", leaf)
            .set("sorted", sorted));
    if (keys > 1) {
      linkNodes(keys);
      cells.grow(first.getInt(keys - 1));
    }
    cells.clear();
    if (keys > 1) {
      cells.setUsed(first.getInt(keys - 1));
      launches.run(
          "make_cells",
          keys - 1,
          new Fields()
              .set("nodes", keys - 1)
              .set("cells", nodes())
              .set("sorted", sorted)
              .set("child", cells.child())
              .set("level", cells.level()));
    }
    launches.run(
        "make_leaves",
        keys,
        new Fields()
            .set("keys", keys)
            .set("cells", nodes())
            .set("sorted", sorted)
            .set("leaf_parent", leafParent)
            .set("leaf", leaf)
            .set("level", cells.level())
            .set("child", cells.child()));
    return 0;
  }

  private void sortHalf(int which, int bits) {
    int n = bodies.count();
    launches.run(
        "halve_keys",
        n,
        new Fields()
            .set("bodies", n)
            .set("high", which)
            .set("ordered", which)
            .set("key", bodies.key())
            .set("order", bodies.order())
            .set("half", half));
    launches.primitives("sort_keys", n, () -> primitives.sort(half, bodies.order(), bits));
  }

  private void linkNodes(int keys) {
    launches.run(
        "link_nodes",
        keys - 1,
        new Fields()
            .set("keys", keys)
            .set("sorted", sorted)
            .set("prefix", prefix)
            .set("parent", parent)
            .set("leaf_parent", leafParent));
    DeviceArray<int[]> counts = first.slice(0, keys - 1);
    launches.run(
        "count_cells",
        keys - 1,
        new Fields()
            .set("nodes", keys - 1)
            .set("prefix", prefix)
            .set("parent", parent)
            .set("count", counts));
    launches.primitives(
        "scan_cells",
        keys - 1,
        () -> primitives.exclusiveScan(counts, first.slice(0, keys), ScanOperator.ADD));
  }

  private Fields nodes() {
    return new Fields().set("prefix", prefix).set("parent", parent).set("first", first);
  }
}
