package io.magpie.algorithms.mesh.refine;

import io.magpie.algorithms.mesh.refine.RefinementReport.Round;
import io.magpie.algorithms.mesh.refine.RefinementRun.ItemList;
import io.magpie.stm.Fields;
import io.magpie.stm.Kernel;
import io.magpie.stm.Timer;

/**
 * Inserts vertices by marks: a slice of the items is marked, then filled; see refine_marked.cuh.
 */
final class MarkedInsertions extends MarkedSlices {
  /** Items of a slice by default: enough for a large GPU, and few enough that most win. */
  private static final int SLICE = 1 << 16;

  /** Fewer on processors, whose threads are few, so that footprints stay in their caches. */
  private static final int SLICE_ON_CPU = 1 << 10;

  private final Kernel markCavities;
  private final Kernel fillCavities;

  MarkedInsertions(RefinementRun run) {
    super(run, SLICE, SLICE_ON_CPU);
    this.markCavities = run.module().kernel("mark_cavities");
    this.fillCavities = run.module().kernel("fill_cavities");
  }

  @Override
  public Round run(ItemList items, int first, int count, long waiting) {
    RefinementRun run = refinement();
    int before = vertexSlots();
    int pushedBefore = run.pushed().count;
    beginCounting();
    double millis;
    int launches = 0;
    // Without a wait between launches: most are short.
    try (Timer timer = run.device().startTimer()) {
      for (int done = 0; done < count; done += slice()) {
        int part = Math.min(slice(), count - done);
        nextEpoch();
        Fields slice = slice(part, items.places(), first + done);
        Fields mesh = run.meshFields();
        markCavities.launch(
            part,
            new Fields().set("part", slice).set("large", run.large().places()).set("mesh", mesh));
        fillCavities.launch(
            part,
            new Fields().set("part", slice).set("pushed", run.pushed().places()).set("mesh", mesh));
        launches += 2;
      }
      millis = timer.millis();
    }
    MeshKernels kernels = run.kernels();
    int[] counts = endCounting(vertexCapacity());
    giveUp(counts[kernels.stuck]);
    long lost = Integer.toUnsignedLong(counts[kernels.lost]);
    long inserted = vertexSlots() - before;
    return new Round(
        count,
        waiting,
        inserted,
        run.pushed().count - pushedBefore,
        count - inserted - lost - counts[kernels.stuck] - run.large().count,
        aborts(lost, 0, counts[kernels.torn]),
        launches,
        millis,
        false);
  }
}
