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
  /** Bodies that meet in a tree without cells. */
  private static final int FIRST_PASS = 32;

  /** In parts of 2^32. */
  private static final long GOLDEN_SECTION = 0x9e3779b9L;

  private final int growth;
  private final DeviceArray<int[]> spread;
  private final StmObjects objects;
  private final SlotPool pool;
  private final DeviceArray<int[]> again;

  TransactionalBuild(
      BodiesOnDevice bodies,
      Cells cells,
      Launches launches,
      Scratch scratch,
      DeviceArray<int[]> totals,
      int growth) {
    super(bodies, cells, launches, scratch, totals);
    Device device = launches.device();
    this.growth = growth;
    this.spread = scratch.ints("spread", bodies.count());
    if (bodies.count() > 0) {
      launches.run(
          "spread_bodies",
          bodies.count(),
          new Fields()
              .set("bodies", bodies.count())
              .set("step", spreadStep(bodies.count()))
              .set("spread", spread));
    }
    this.again = scratch.ints("again", bodies.count());
    this.objects = device.objects(cells.room());
    try {
      this.pool = device.newSlotPool(cells.room(), 1); // the root is there
    } catch (RuntimeException | Error e) {
      objects.close();
      throw e;
    }
  }

  /** The least number from the golden section of all on that has no divisor in common with it. */
  static int spreadStep(int bodies) {
    int step = (int) (bodies * GOLDEN_SECTION >>> Integer.SIZE);
    while (greatestDivisor(bodies, step) != 1) {
      step++;
    }
    return step;
  }

  private static int greatestDivisor(int a, int b) {
    return b == 0 ? a : greatestDivisor(b, a % b);
  }

  /**
   * The first pass has few bodies, each further one so many times as there were before: so there
   * are cells for those of a pass to spread over. All at once would meet at the root.
   */
  @Override
  int insert() {
    grow();
    pool.reset();
    int n = bodies.count();
    int passes = 0;
    int[] unfinished = new int[0];
    for (int begun = 0; begun < n; passes++) {
      int count = (int) Math.min(n - begun, passSize(begun));
      int[] more = attempt(spread.slice(begun, count), count);
      unfinished = Arrays.copyOf(unfinished, unfinished.length + more.length);
      System.arraycopy(more, 0, unfinished, unfinished.length - more.length, more.length);
      begun += count;
    }
    DeviceArray<int[]> list = scratch.ints("list", n);
    for (int left = whoComesAgain(list, unfinished); left > 0; passes++) {
      left = whoComesAgain(list, attempt(list, left));
    }
    cells.setUsed((int) pool.firstFresh());
    return passes;
  }

  private long passSize(int begun) {
    if (growth == 0) {
      return Integer.MAX_VALUE;
    }
    return begun == 0 ? FIRST_PASS : (long) growth * begun;
  }

  /** Inserts bodies; gives those that found too few cells, of which there are more then. */
  private int[] attempt(DeviceArray<int[]> list, int count) {
    RegionReport report = launches.attempt("insert_body", list, count, fields());
    if (report.complete()) {
      return new int[0];
    }
    if (report.unfinished() != report.unfinishedBySlots()) {
      report.requireComplete();
    }
    int[] unfinished =
        Arrays.stream(report.unfinishedItems()).mapToInt(item -> (int) item).toArray();
    cells.growBy(1 + unfinished.length);
    grow();
    return unfinished;
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
