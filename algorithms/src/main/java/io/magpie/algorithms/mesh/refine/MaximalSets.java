package io.magpie.algorithms.mesh.refine;

import io.magpie.algorithms.internal.driver.Resources;
import io.magpie.algorithms.mesh.refine.RefinementOptions.Overlap;
import io.magpie.algorithms.mesh.refine.RefinementReport.Round;
import io.magpie.algorithms.mesh.refine.RefinementRun.ItemList;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.Kernel;
import io.magpie.stm.KernelModule;
import java.util.Map;

/**
 * Inserts vertices in steps, each into a maximal set of cavities of which no two overlap; see
 * mesh_sets.cu.
 */
final class MaximalSets extends MarkedSlices {
  static final String MODULE = "mesh_sets";

  /** Items that are marked together by default: most of the work of a small mesh. */
  private static final int SLICE = 1 << 16;

  private final KernelModule module;
  private final Kernel listWork;
  private final Kernel markFree;
  private final Kernel fillFree;
  private final int overlappingTally;
  private final ItemList due;
  private DeviceArray<int[]> takenIn;
  private int step;
  private long stuckEdges; // of the last step: the next one meets them again
  private Counts counts;

  /** What became of the items of a step so far. */
  private static final class Counts {
    private final int items;
    private final int verticesBefore;
    private long overlapping;
    private long lost;
    private long stuck;
    private long torn;
    private int launches;
    private double millis;

    Counts(int items, int verticesBefore) {
      this.items = items;
      this.verticesBefore = verticesBefore;
    }
  }

  MaximalSets(RefinementRun run, Map<String, String> defines) {
    super(run, SLICE, SLICE);
    Device device = run.device();
    KernelModule loaded = null;
    ItemList list = null;
    try {
      loaded = device.load(MODULE, defines);
      this.listWork = loaded.kernel("list_work");
      this.markFree = loaded.kernel("mark_free");
      this.fillFree = loaded.kernel("fill_free");
      this.overlappingTally = loaded.intConstant("tally::overlapping");
      list = new ItemList(device, 1 << 12);
      this.takenIn = device.ints(run.mesh().triangleCapacity()).named("taken_in");
    } catch (RuntimeException | Error e) {
      Resources.close(list, loaded, super::close);
      throw e;
    }
    this.module = loaded;
    this.due = list;
  }

  /** The items that the next pass of the step runs. */
  ItemList due() {
    return due;
  }

  /**
   * Begins a step with all work there is.
   *
   * @param segments whether it is only segments to be split
   * @return milliseconds in kernels
   */
  double begin(boolean segments) {
    double millis = list(segments);
    if (due.count > due.places().length()) {
      due.reserve(due.count);
      millis += list(segments);
    }
    step++;
    stuckEdges = 0;
    counts = new Counts(due.count, vertexSlots());
    return millis;
  }

  private double list(boolean segments) {
    RefinementRun run = refinement();
    run.tallies().fill(0);
    double millis =
        listWork
            .run(
                triangleSlots(),
                new Fields()
                    .set("count", triangleSlots())
                    .set("edges_only", segments ? 1 : 0)
                    .set("found", due.places())
                    .set("tallies", run.tallies())
                    .set("mesh", run.meshFields()))
            .kernelMillis();
    due.count = run.tallies().getInt(run.kernels().found);
    return millis;
  }

  /** Runs items of {@link #due()}, at most a slice; who lost is appended to what was pushed. */
  void run(int first, int count) {
    RefinementRun run = refinement();
    MeshKernels kernels = run.kernels();
    beginCounting();
    nextEpoch();
    Fields mesh = run.meshFields();
    Fields at =
        new Fields()
            .set("part", slice(count, due.places(), first))
            .set("step", step)
            .set("around", run.options().overlap() == Overlap.NEIGHBORHOODS ? 1 : 0)
            .set("taken_in", takenIn);
    launch(
        markFree,
        count,
        new Fields().set("at", at).set("large", run.large().places()).set("mesh", mesh));
    launch(
        fillFree,
        count,
        new Fields().set("at", at).set("lost", run.pushed().places()).set("mesh", mesh));
    int[] tallies = endCounting(vertexCapacity());
    int edges = tallies[kernels.stuckEdges];
    giveUp(tallies[kernels.stuck] - edges);
    stuckEdges += edges;
    counts.overlapping += tallies[overlappingTally];
    counts.lost += tallies[kernels.lost];
    counts.stuck += tallies[kernels.stuck];
    counts.torn += tallies[kernels.torn];
  }

  private void launch(Kernel kernel, int threads, Fields fields) {
    counts.millis += kernel.run(threads, fields).kernelMillis();
    counts.launches++;
  }

  /** Makes due what lost in this pass. */
  void nextPass() {
    ItemList lost = refinement().pushed();
    due.count = 0;
    due.reserve(lost.count);
    if (lost.count > 0) {
      due.places().slice(0, lost.count).copyFrom(lost.places().slice(0, lost.count));
    }
    due.count = lost.count;
    lost.count = 0;
  }

  /**
   * Ends a step.
   *
   * @param left items that were not run to their end, because there is no more room
   */
  Round end(long left) {
    long inserted = vertexSlots() - counts.verticesBefore;
    long later = counts.overlapping + left;
    return new Round(
        counts.items,
        later,
        inserted,
        0,
        counts.items - inserted - later - counts.stuck - refinement().large().count,
        aborts(counts.lost, 0, counts.torn),
        counts.launches,
        counts.millis,
        false);
  }

  @Override
  public Round run(ItemList list, int first, int count, long waiting) {
    throw new IllegalStateException("steps list their work themselves");
  }

  @Override
  public long givenUp() {
    return super.givenUp() + stuckEdges;
  }

  @Override
  public void grown() {
    int capacity = refinement().mesh().triangleCapacity();
    if (takenIn.length() < capacity) {
      // First, so that there are never fewer of these than marks, which say how many slots can be
      // used.
      DeviceArray<int[]> more = refinement().device().ints(capacity).named("taken_in");
      try {
        more.slice(0, takenIn.length()).copyFrom(takenIn); // behind them zeros
      } catch (RuntimeException | Error e) {
        Resources.close(more);
        throw e;
      }
      takenIn.close();
      takenIn = more;
    }
    super.grown();
  }

  @Override
  public void close() {
    Resources.close(due, takenIn, module, super::close);
  }
}
