package io.magpie.algorithms.mesh.refine;

import io.magpie.algorithms.internal.driver.Resources;
import io.magpie.algorithms.mesh.refine.PhasedMarkingOptions.Launches;
import io.magpie.algorithms.mesh.refine.PhasedMarkingOptions.Precision;
import io.magpie.algorithms.mesh.refine.PhasedMarkingOptions.Priority;
import io.magpie.algorithms.mesh.refine.PhasedMarkingOptions.Work;
import io.magpie.algorithms.mesh.refine.RefinementOptions.Synchronization;
import io.magpie.algorithms.mesh.refine.RefinementReport.Round;
import io.magpie.algorithms.mesh.refine.RefinementRun.ItemList;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.Fields;
import io.magpie.stm.Kernel;
import io.magpie.stm.KernelModule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Inserts vertices by marks that are set in phases; see mesh_phases.cu. */
final class PhaseMarkedInsertions extends MarkedSlices {
  static final String MODULE = "mesh_phases";

  /** Items of a slice by default, as with other marks; slots, of which most are not bad. */
  private static final int SLICE = 1 << 16;

  private static final int SLICE_ON_CPU = 1 << 10;
  private static final int SLOTS_OF_SLICE = 1 << 19;
  private static final int SLOTS_OF_SLICE_ON_CPU = 1 << 12;

  /** New triangles, without recycling, for which room is made: most fans have fewer. */
  private static final int TYPICAL_RIM = 8;

  /** Of Launches.DOUBLING: the first round's share of a slice, and how often it doubles. */
  private static final int FIRST_SHARE = 8;

  private static final int DOUBLINGS = 3;

  private final PhasedMarkingOptions options;
  private final KernelModule module;
  private final MeshKernels kernels;
  private final FurtherTallies further;

  /** Consecutive items of a thread with a list of its own. */
  private final int runOfItems;

  private final boolean stages;
  private final boolean bySlots;
  private final Kernel gather;
  private final Kernel race;
  private final Kernel outrank;
  private final Kernel recheck;
  private final Kernel markAgain;
  private final Kernel settle;
  private final Kernel judgeFresh;
  private final Kernel joinLists;
  private final List<AutoCloseable> arrays = new ArrayList<>();
  private final DeviceArray<int[]> items;
  private final DeviceArray<int[]> own;
  private final DeviceArray<int[]> ownCounts;
  private final DeviceArray<int[]> fresh;
  private final DeviceArray<int[]> alone;
  private final DeviceArray<int[]> nothing;
  private long stuckEdges;
  private boolean stalled;
  private int rounds;

  /** Entries of {@code tallies} that only mesh_phases.cu has. */
  private record FurtherTallies(int items, int robbed, int loser, int fresh) {
    static FurtherTallies of(KernelModule module) {
      return new FurtherTallies(
          module.intConstant("tally::items"),
          module.intConstant("tally::robbed"),
          module.intConstant("tally::loser"),
          module.intConstant("tally::fresh"));
    }
  }

  PhaseMarkedInsertions(RefinementRun run, Map<String, String> defines) {
    super(
        run,
        !bySlots(run.options())
            ? SLICE
            : run.device().machine() == Machine.CUDA ? SLOTS_OF_SLICE : SLOTS_OF_SLICE_ON_CPU,
        bySlots(run.options()) ? SLOTS_OF_SLICE_ON_CPU : SLICE_ON_CPU);
    this.options = run.options().phases();
    this.kernels = run.kernels();
    this.bySlots = bySlots(run.options());
    Synchronization way = run.options().synchronization();
    this.stages = way != Synchronization.THREE_PHASES;
    Device device = run.device();
    try {
      this.module = device.load(MODULE, defines);
      arrays.add(module);
      this.further = FurtherTallies.of(module);
      this.runOfItems = module.intConstant("run");
      String kind = options.precision() == Precision.SINGLE ? "_single" : "_double";
      String source = bySlots ? "gather_slots" : "gather_list";
      this.gather =
          options.sorted()
              ? module.kernel(source + "_sorted")
              : bySlots ? module.kernel(source) : null;
      boolean atomic = way == Synchronization.ATOMIC_STAGES;
      this.race = module.kernel((atomic ? "race_atomic" : "race") + kind);
      this.outrank = atomic ? null : module.kernel("outrank");
      this.recheck = module.kernel("recheck" + kind);
      this.markAgain = module.kernel("mark_again");
      this.settle = module.kernel(options.workSharing() ? "settle_unjudged" : "settle" + kind);
      this.judgeFresh = module.kernel("judge_fresh" + kind);
      this.joinLists = module.kernel("join_lists");
      this.items = array(device, gather != null, slice()).named("items");
      int runs = runs(slice());
      int mostRim = kernels.usual + 2; // triangles of a fan
      boolean lists = options.localLists() && !bySlots;
      this.own = array(device, lists, (long) runs * runOfItems * kernels.mostPushes).named("own");
      this.ownCounts = array(device, lists, runs).named("own_counts");
      this.fresh = array(device, options.workSharing(), (long) slice() * mostRim).named("fresh");
      this.alone = array(device, true, 1);
      this.nothing = array(device, true, 0);
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** How many runs so many items are. */
  private int runs(int items) {
    return (items + runOfItems - 1) / runOfItems;
  }

  private static boolean bySlots(RefinementOptions options) {
    return options.phases().work() == Work.SLOTS;
  }

  private DeviceArray<int[]> array(Device device, boolean wanted, long length) {
    DeviceArray<int[]> array = device.ints(wanted ? length : 0);
    arrays.add(array);
    return array;
  }

  /** What the launches of some items did; slots and lists are taken over slice by slice. */
  private final class Totals {
    private final int verticesBefore = vertexSlots();
    private final int pushedBefore = refinement().pushed().count;
    private final int largeBefore = refinement().large().count;
    private long found;
    private long outranked;
    private long robbed;
    private long left; // lost, and not tried again
    private long stuck;
    private long torn;
    private long edges;
    private int loser;
    private int launches;
    private double millis;

    void launch(Kernel phase, long threads, Fields fields) {
      millis += phase.run(threads, fields).kernelMillis();
      launches++;
    }

    long inserted() {
      return vertexSlots() - verticesBefore;
    }

    Round round(long waiting) {
      RefinementRun run = refinement();
      return new Round(
          found,
          waiting,
          inserted(),
          run.pushed().count - pushedBefore,
          found - inserted() - left - stuck - (run.large().count - largeBefore),
          aborts(outranked, robbed, torn),
          launches,
          millis,
          false);
    }
  }

  @Override
  public Round run(ItemList list, int first, int count, long waiting) {
    Totals totals = new Totals();
    int most = mostOfSlice();
    for (int done = 0; done < count; done += most) {
      run(list.places(), first + done, Math.min(most, count - done), false, totals);
    }
    rounds++;
    return ended(totals).round(waiting);
  }

  /** Runs the items that slots {@code first .. first + count - 1} have; at most a slice of them. */
  Round runSlots(int first, int count) {
    Totals totals = new Totals();
    run(nothing, first, count, false, totals);
    return ended(totals).round(0);
  }

  @Override
  public boolean stalled() {
    return stalled;
  }

  @Override
  public Round runAlone(long waiting) {
    Totals totals = new Totals();
    run(alone, 0, 1, true, totals);
    return ended(totals).round(waiting);
  }

  /** Most items or slots that are in flight together in this round. */
  int mostOfSlice() {
    return options.launches() == Launches.DOUBLING
        ? Math.max(1, slice() / FIRST_SHARE << Math.min(rounds, DOUBLINGS))
        : slice();
  }

  /** Begins a round over all slots; there were so many before. */
  void beginSweep(int before) {
    rounds = before;
    stuckEdges = 0; // whoever is bound to a slot meets the same edges again
  }

  private Totals ended(Totals totals) {
    giveUp(totals.stuck - totals.edges);
    stuckEdges += totals.edges;
    stalled = totals.inserted() == 0 && totals.left > 0;
    if (stalled) {
      alone.copyFrom(new int[] {totals.loser});
    }
    return totals;
  }

  @Override
  public long givenUp() {
    return super.givenUp() + stuckEdges;
  }

  @Override
  public int trianglesEach() {
    return options.recycling() ? 2 : TYPICAL_RIM;
  }

  /** Runs a slice: the items of a list, or of slots. {@code single}: just the item of a list. */
  private void run(DeviceArray<int[]> list, int first, int count, boolean single, Totals totals) {
    RefinementRun run = refinement();
    beginCounting();
    boolean gathers = gather != null && !single;
    boolean runs = options.localLists() && !single;
    if (gathers) {
      Fields source =
          bySlots ? new Fields().set("mesh", run.meshFields()) : new Fields().set("list", list);
      totals.launch(
          gather,
          threads(count),
          new Fields()
              .set("count", count)
              .set("first", first)
              .set("items", items)
              .set("tallies", run.tallies())
              .set("source", source));
    } else {
      totals.found += count;
    }
    Slice slice = new Slice(gathers ? items : list, gathers ? 0 : first, count, runs, totals);
    nextEpoch();
    slice.launch(race, onMesh().set("large", run.large().places()));
    if (outrank != null) {
      slice.launch(outrank, new Fields());
    }
    long lost = slice.settle(stages || bySlots);
    while (stages && lost > 0 && slice.advanced) {
      slice.launch(recheck, onMesh().set("large", run.large().places()));
      nextEpoch();
      slice.launch(markAgain, new Fields());
      lost = slice.settle(true);
    }
    if (stages && lost > 0 && !bySlots) {
      slice.dismiss();
    }
    totals.left += lost;
    totals.found += slice.counts[further.items()];
    totals.stuck += slice.counts[kernels.stuck];
    totals.torn += slice.counts[kernels.torn];
    totals.edges += slice.counts[kernels.stuckEdges];
    totals.loser = lost > 0 ? slice.counts[further.loser()] : totals.loser;
  }

  private Fields onMesh() {
    return new Fields().set("mesh", refinement().meshFields());
  }

  private int threads(int items) {
    return options.launches() == Launches.FIXED ? slice() : items;
  }

  /** The launches of one slice. */
  private final class Slice {
    private final DeviceArray<int[]> from;
    private final int first;
    private final int count;
    private final boolean runs;
    private final Totals totals;
    private int[] counts = new int[kernels.tallies];
    private boolean advanced; // the last launch to settle got something done

    Slice(DeviceArray<int[]> from, int first, int count, boolean runs, Totals totals) {
      this.from = from;
      this.first = first;
      this.count = count;
      this.runs = runs;
      this.totals = totals;
    }

    /** Launches a kernel with a field {@code at}, {@code phase} of mesh_phases.cu, and these. */
    void launch(Kernel kernel, Fields others) {
      int flip = options.priority() == Priority.LOWER ? (1 << PRIORITY_BITS) - 1 : 0;
      Fields at =
          new Fields()
              .set("part", slice(count, from, first))
              .set("flip", flip)
              .set("runs", runs ? 1 : 0);
      totals.launch(kernel, threads(runs ? runs(count) : count), others.set("at", at));
    }

    /** Fills cavities; gives how many items lost. {@code keep}: these are not pushed. */
    long settle(boolean keep) {
      int[] before = counts;
      int vertices = vertexSlots();
      settle(keep, triangleCapacity(), refinement().vertexRoom(PhaseMarkedInsertions.this));
      long lost = counts[kernels.lost] - before[kernels.lost];
      long robbed = counts[further.robbed()] - before[further.robbed()];
      totals.outranked += lost - robbed;
      totals.robbed += robbed;
      advanced = vertexSlots() > vertices || counts[kernels.stuck] > before[kernels.stuck];
      return lost;
    }

    /** Pushes the items that are left when there is no more room: none finds any here. */
    void dismiss() {
      settle(false, 0, 0);
    }

    private void settle(boolean keep, int triangleRoom, int vertexRoom) {
      RefinementRun run = refinement();
      DeviceArray<int[]> pushed = bySlots ? nothing : run.pushed().places();
      launch(
          settle,
          onMesh()
              .set("keep", keep ? 1 : 0)
              .set("recycle", options.recycling() ? 1 : 0)
              .set("triangle_room", triangleRoom)
              .set("vertex_room", vertexRoom)
              .set("pushed", pushed)
              .set("own", own)
              .set("own_counts", ownCounts)
              .set("fresh", fresh));
      if (runs && !bySlots) {
        int lists = runs(count);
        totals.launch(
            joinLists,
            lists,
            new Fields()
                .set("lists", lists)
                .set("own", own)
                .set("own_counts", ownCounts)
                .set("pushed", pushed)
                .set("tallies", run.tallies()));
      }
      if (options.workSharing()) {
        int made = run.tallies().getInt(further.fresh());
        totals.launch(
            judgeFresh,
            made,
            onMesh()
                .set("count", made)
                .set("fresh", fresh)
                .set("pushed", pushed)
                .set("tallies", run.tallies()));
        run.tallies().set(further.fresh(), 0L);
      }
      counts = endCounting(vertexRoom);
    }
  }

  @Override
  public void close() {
    Resources.close(() -> Resources.close(arrays), super::close);
  }
}
