package io.magpie.algorithms.nbody;

import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.algorithms.internal.driver.Scratch;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;

/** The octree by locks of octants, in passes; see build_by_locks.cuh. */
final class LockingBuild extends InsertingBuild {
  private DeviceArray<int[]> list;
  private DeviceArray<int[]> deferred;

  LockingBuild(
      BodiesOnDevice bodies,
      Cells cells,
      Launches launches,
      Scratch scratch,
      DeviceArray<int[]> totals) {
    super(bodies, cells, launches, scratch, totals);
    this.list = scratch.ints("bodies 0", bodies.count());
    this.deferred = scratch.ints("bodies 1", bodies.count());
  }

  @Override
  int insert() {
    totals.set(cellTotal, 1); // the root
    int passes = 0;
    for (int left = bodies.count(); left > 0; passes++) {
      launches.run(
          "insert_by_locks",
          left,
          new Fields()
              .set("cells", cells.room())
              .set("count", left)
              .set("listed", passes == 0 ? 0 : 1)
              .set("list", list)
              .set("key", bodies.key())
              .set("child", cells.child())
              .set("level", cells.level())
              .set("deferred", deferred)
              .set("totals", totals));
      int[] now = totals.toArray();
      left = now[deferredTotal];
      long wanted = Integer.toUnsignedLong(now[cellTotal]);
      cells.setUsed((int) Math.min(wanted, cells.room()));
      if (wanted > cells.room()) {
        totals.set(cellTotal, cells.room());
        cells.growBy(1 + left);
      }
      totals.set(deferredTotal, 0);
      DeviceArray<int[]> former = list;
      list = deferred;
      deferred = former;
    }
    return passes;
  }
}
