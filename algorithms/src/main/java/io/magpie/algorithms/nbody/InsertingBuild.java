package io.magpie.algorithms.nbody;

import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.algorithms.internal.driver.Scratch;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.parallel.Primitives;

/** A build that inserts body by body, and links those of equal keys afterwards. */
abstract class InsertingBuild implements TreeBuild {
  final BodiesOnDevice bodies;
  final Cells cells;
  final Launches launches;
  final Primitives primitives;
  final Scratch scratch;
  final DeviceArray<int[]> totals;
  final int cellTotal;
  final int deferredTotal;
  private final int sharedKeys;
  private final int withoutBounds;

  InsertingBuild(
      BodiesOnDevice bodies,
      Cells cells,
      Launches launches,
      Scratch scratch,
      DeviceArray<int[]> totals) {
    this.bodies = bodies;
    this.cells = cells;
    this.launches = launches;
    this.primitives = Primitives.of(launches.device());
    this.scratch = scratch;
    this.totals = totals;
    this.cellTotal = launches.constant("cell_total");
    this.deferredTotal = launches.constant("deferred_total");
    this.sharedKeys = launches.constant("shared_keys");
    this.withoutBounds = launches.constant("without_bounds");
  }

  @Override
  public final int build() {
    cells.clear(launches);
    bodies.next().fill(Octree.NONE);
    int passes = insert();
    int[] now = totals.toArray();
    if (now[sharedKeys] != 0 && now[withoutBounds] == 0) { // else nobody needs the tree
      linkLeaves();
    }
    return passes;
  }

  /**
   * Inserts one body of each key.
   *
   * @return passes that it took
   */
  abstract int insert();

  private void linkLeaves() {
    int n = bodies.count();
    DeviceArray<int[]> slot = scratch.ints("slot", n);
    DeviceArray<int[]> body = scratch.ints("body", n);
    launches.run(
        "find_leaves",
        n,
        new Fields()
            .set("bodies", n)
            .set("key", bodies.key())
            .set("child", cells.child())
            .set("slot", slot)
            .set("body", body));
    launches.primitives("sort_leaves", n, () -> primitives.sort(slot, body, Integer.SIZE));
    launches.run(
        "link_leaves",
        n,
        new Fields()
            .set("bodies", n)
            .set("slot", slot)
            .set("body", body)
            .set("child", cells.child())
            .set("next", bodies.next()));
  }
}
