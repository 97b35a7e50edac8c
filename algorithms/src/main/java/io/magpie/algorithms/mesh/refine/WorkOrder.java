package io.magpie.algorithms.mesh.refine;

import io.magpie.algorithms.internal.driver.Resources;
import io.magpie.algorithms.mesh.refine.RefinementRun.ItemList;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelModule;
import io.magpie.stm.Timer;
import io.magpie.stm.parallel.PriorityBins;

/**
 * Chooses the items that are due, and keeps the others in bins until they are; see schedule.cuh.
 */
final class WorkOrder implements AutoCloseable {
  /**
   * Most classes of one launch, so that its edges differ in length by less than a factor of 64. A
   * large triangle next to much smaller ones that are still bad would be split for edges that
   * mending those cuts anyway, again and again where the angle asked is large.
   */
  private static final int SPAN = 12;

  private final RefinementRun run;

  /**
   * Whether no triangle is mended while segments are to be split. Where segments meet at sharp
   * angles each must be split as near to there as its neighbors are, one after the other around the
   * meeting point. Before they all are, triangles between them are bad and not excused, and would
   * have segments split nearer yet, without end.
   */
  private final boolean edgesAlone;

  private final ItemList due;
  private final PriorityBins bins;
  private double millis;

  WorkOrder(RefinementRun run) {
    this.run = run;
    this.edgesAlone = run.mesh().sharp();
    KernelModule module = run.module();
    this.due = new ItemList(run.device(), 1 << 12);
    try {
      this.bins =
          new PriorityBins(
              module,
              run.kernels().classes,
              module.kernel("count_classes")::launch,
              module.kernel("sort_items")::launch);
    } catch (RuntimeException | Error e) {
      due.close();
      throw e;
    }
  }

  /** The items that are due. */
  ItemList due() {
    return due;
  }

  /** Items that wait. */
  long waiting() {
    return bins.waiting();
  }

  /** Time from the first to the last of its launches, of each round; copies in between count. */
  double millis() {
    return millis;
  }

  /**
   * Empties a list of new items, and chooses those that are due. None is due if all that seemed so
   * turned out to need nothing any more.
   *
   * @return false if nothing is left
   * @throws io.magpie.stm.DeviceOutOfMemoryException if there is no room for the items
   */
  boolean next(ItemList pushed) {
    try (Timer timer = run.device().startTimer()) {
      Fields keys = new Fields().set("triangles", run.mesh().triangles());
      bins.count(pushed.places(), pushed.count, keys);
      if (bins.anyBefore()) {
        // Splitting segments made triangles far smaller than any before: these go first.
        pushed.reserve(pushed.count + bins.waiting());
        pushed.count += bins.reopenAll(pushed.places(), pushed.count);
        bins.count(pushed.places(), pushed.count, keys);
      }
      if (bins.onlyBeyond()) {
        pushed.reserve(pushed.count + bins.size(bins.beyond()));
        pushed.count += bins.reopen(pushed.places(), pushed.count);
        bins.count(pushed.places(), pushed.count, keys);
      }
      int threshold = threshold();
      due.count = 0;
      due.reserve(bins.most(threshold));
      due.count = bins.sort(pushed.places(), pushed.count, threshold, due.places(), keys);
      pushed.count = 0;
      millis += timer.millis();
    }
    return due.count > 0 || waiting() > 0;
  }

  /**
   * The last bin that is due: that of edges, and unless they must go alone, as many of the most
   * urgent classes as make up a batch.
   */
  private int threshold() {
    long all = 0;
    for (int bin = 0; bin <= bins.beyond(); bin++) {
      all += bins.size(bin);
    }
    double batch = run.options().batch() * all;
    long chosen = bins.size(0);
    int threshold = 0;
    if (chosen > 0 && edgesAlone) {
      return threshold;
    }
    int most =
        Math.min(bins.firstFilled() + SPAN, bins.beyond()) - 1; // the last bin is of no one class
    while (chosen < batch && threshold < most) {
      threshold++;
      chosen += bins.size(threshold);
    }
    return threshold;
  }

  @Override
  public void close() {
    Resources.close(due, bins);
  }
}
