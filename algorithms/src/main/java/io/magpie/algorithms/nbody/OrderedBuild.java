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
  private final DeviceArray<long[]> sorted;
  private final DeviceArray<int[]> prefix;
  private final DeviceArray<int[]> parent;
  private final DeviceArray<int[]> leafParent;
  private final DeviceArray<int[]> first;
  private final DeviceArray<int[]> totals;

  OrderedBuild(
      BodiesOnDevice bodies,
      Cells cells,
      Launches launches,
      Scratch scratch,
      DeviceArray<int[]> totals) {
    this.bodies = bodies;
    this.cells = cells;
    this.launches = launches;
    this.primitives = Primitives.of(launches.device());
    this.totals = totals;
    int n = bodies.count();
    this.half = scratch.ints("half", n);
    this.sorted = scratch.longs("sorted", n);
    this.prefix = scratch.ints("prefix", n);
    this.parent = scratch.ints("parent", n);
    this.leafParent = scratch.ints("leaf_parent", n);
    this.first = scratch.ints("first", n);
  }

  @Override
  public int build() {
    int n = bodies.count();
    cells.clear(launches);
    sortHalf(0, Integer.SIZE);
    sortHalf(1, HIGH_BITS);
    launches.run(
        "list_keys",
        n,
        new Fields()
            .set("bodies", n)
            .set("key", bodies.key())
            .set("order", bodies.order())
            .set("sorted", sorted)
            .set("next", bodies.next()));
    if (n > 1) {
      linkNodes();
    }
    launches.run(
        "make_cells",
        n,
        new Fields()
            .set("cells", nodes())
            .set("sorted", sorted)
            .set("child", cells.child())
            .set("level", cells.level())
            .set("totals", totals));
    launches.run(
        "make_leaves",
        n,
        new Fields()
            .set("bodies", n)
            .set("cells", nodes())
            .set("sorted", sorted)
            .set("leaf_parent", leafParent)
            .set("order", bodies.order())
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

  private void linkNodes() {
    int n = bodies.count();
    launches.run(
        "link_nodes",
        n - 1,
        new Fields()
            .set("keys", n)
            .set("sorted", sorted)
            .set("prefix", prefix)
            .set("parent", parent)
            .set("leaf_parent", leafParent));
    DeviceArray<int[]> counts = first.slice(0, n - 1);
    launches.run(
        "count_cells",
        n - 1,
        new Fields()
            .set("nodes", n - 1)
            .set("prefix", prefix)
            .set("parent", parent)
            .set("count", counts));
    launches.primitives(
        "scan_cells", n - 1, () -> primitives.exclusiveScan(counts, first, ScanOperator.ADD));
  }

  private Fields nodes() {
    return new Fields()
        .set("prefix", prefix)
        .set("parent", parent)
        .set("first", first)
        .set("nodes", bodies.count() - 1)
        .set("room", cells.room());
  }
}
