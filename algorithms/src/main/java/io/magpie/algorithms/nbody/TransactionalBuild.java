package io.magpie.algorithms.nbody;

import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.algorithms.internal.driver.Scratch;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.RegionReport;
import io.magpie.stm.SlotPool;
import io.magpie.stm.StmObjects;
import java.util.Arrays;

/** The octree by transactions, one for each body; see build_by_transactions.cuh. */
final class TransactionalBuild extends InsertingBuild {
  private final StmObjects objects;
  private final SlotPool pool;
  private final DeviceArray<int[]> again;

  TransactionalBuild(BodiesOnDevice bodies, Cells cells, Launches launches, Scratch scratch) {
    super(bodies, cells, launches, scratch);
    Device device = launches.device();
    this.again = scratch.ints("again", bodies.count());
    this.objects = device.objects(cells.room());
    try {
      this.pool = device.newSlotPool(cells.room(), 1); // the root is there
    } catch (RuntimeException | Error e) {
      objects.close();
      throw e;
    }
  }

  @Override
  int insert() {
    grow();
    pool.reset();
    int passes = 0;
    DeviceArray<int[]> list = null;
    for (int left = bodies.count(); left > 0; passes++) {
      RegionReport report = launches.attempt("insert_body", list, left, fields());
      int[] unfinished = new int[0];
      if (!report.complete()) {
        if (report.unfinished() != report.unfinishedBySlots()) {
          report.requireComplete();
        }
        unfinished = Arrays.stream(report.unfinishedItems()).mapToInt(item -> (int) item).toArray();
        cells.growBy(1 + unfinished.length);
        grow();
      }
      list = scratch.ints("list", bodies.count());
      left = whoComesAgain(list, unfinished);
    }
    cells.setUsed((int) pool.firstFresh());
    return passes;
  }

  /** Lists bodies that are still to be inserted; gives their number. */
  private int whoComesAgain(DeviceArray<int[]> list, int[] unfinished) {
    int marked = 0;
    if (totals.getInt(deferredTotal) != 0) {
      totals.set(deferredTotal, 0);
      int[] found = new int[1];
      launches.primitives(
          "pack_again",
          bodies.count(),
          () -> found[0] = primitives.pack((DeviceArray<int[]>) null, again, list));
      marked = found[0];
      again.fill(0);
    }
    if (unfinished.length > 0) {
      list.copyFrom(unfinished, 0, marked, unfinished.length);
    }
    return marked + unfinished.length;
  }

  private void grow() {
    if (pool.capacity() < cells.room()) {
      objects.grow(cells.room());
      pool.grow(cells.room());
    }
  }

  private Fields fields() {
    return new Fields()
        .set("child", cells.child(), objects)
        .set("cells", pool)
        .set("key", bodies.key())
        .set("level", cells.level(), objects)
        .set("again", again)
        .set("totals", totals);
  }

  @Override
  public void close() {
    pool.close();
    objects.close();
  }
}
