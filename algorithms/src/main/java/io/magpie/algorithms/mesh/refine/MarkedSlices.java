package io.magpie.algorithms.mesh.refine;

import io.magpie.algorithms.internal.driver.Resources;
import io.magpie.algorithms.mesh.refine.RefinementReport.Round;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.DeviceOutOfMemoryException;
import io.magpie.stm.Fields;
import io.magpie.stm.RegionReport.AbortCause;
import io.magpie.stm.SlotPool;
import io.magpie.stm.StmObjects;
import java.util.EnumMap;
import java.util.Map;

/**
 * What insertions by marks have in common: marks, footprints, and slots that are handed out by
 * counters; see marks.cuh.
 */
abstract class MarkedSlices implements RefinementRun.Insertions {
  /** Bits of a mark for the priority within a slice; the others count epochs. */
  static final int PRIORITY_BITS = 20;

  private static final int LAST_EPOCH = (1 << (32 - PRIORITY_BITS)) - 1;

  private final RefinementRun run;
  private final int slice;
  private final DeviceArray<int[]> footprints;
  private final LargeCavities largeCavities;
  private DeviceArray<int[]> marks;
  private int triangleSlots;
  private int vertexSlots;
  private long givenUp;
  private boolean leftForSegments;
  private int gaps; // vertex slots that large cavities left unused
  private int epoch;

  /**
   * Allocates marks and footprints.
   *
   * @param slice items of a slice, at most, on this device, unless the options say how many
   * @param sliceOnCpu the same on processors
   */
  MarkedSlices(RefinementRun run, int slice, int sliceOnCpu) {
    this.run = run;
    this.triangleSlots = run.mesh().input().triangles();
    this.vertexSlots = run.mesh().input().vertices();
    boolean cpu = run.device().machine() == Machine.CPU;
    this.slice = run.options().slice() > 0 ? run.options().slice() : cpu ? sliceOnCpu : slice;
    this.largeCavities = new LargeCavities(run);
    this.footprints =
        run.device().ints((long) run.kernels().footprintWords * this.slice).named("footprints");
    try {
      this.marks = run.device().ints(run.mesh().triangleCapacity()).named("marks");
    } catch (RuntimeException | Error e) {
      footprints.close();
      throw e;
    }
    marks.fill(0);
  }

  final RefinementRun refinement() {
    return run;
  }

  /** Most items of a slice. */
  final int slice() {
    return slice;
  }

  /** Marks set from now on outrank all there are. */
  final void nextEpoch() {
    if (++epoch > LAST_EPOCH) {
      marks.fill(0);
      epoch = 1;
    }
  }

  /** {@code slice}, marks.cuh. */
  final Fields slice(int count, DeviceArray<int[]> items, int first) {
    return new Fields()
        .set("count", count)
        .set("first", first)
        .set("epoch", epoch)
        .set("bits", PRIORITY_BITS)
        .set("stride", slice)
        .set("items", items)
        .set("marks", marks)
        .set("footprints", footprints)
        .set("tallies", run.tallies());
  }

  /** Sets the counters of launches to where slots and lists now end, the others to 0. */
  final void beginCounting() {
    MeshKernels kernels = run.kernels();
    int[] counts = new int[kernels.tallies];
    counts[kernels.pushed] = run.pushed().count;
    counts[kernels.large] = run.large().count;
    counts[kernels.triangles] = triangleSlots;
    counts[kernels.vertices] = vertexSlots;
    run.tallies().copyFrom(counts);
  }

  /**
   * Takes over where slots and lists now end; returns all counters.
   *
   * @param vertexRoom slots for vertices that kernels could use; counters may go beyond room
   */
  final int[] endCounting(int vertexRoom) {
    MeshKernels kernels = run.kernels();
    int[] counts = run.tallies().toArray();
    triangleSlots = Math.min(counts[kernels.triangles], triangleCapacity());
    vertexSlots = Math.max(vertexSlots, Math.min(counts[kernels.vertices], vertexRoom));
    run.pushed().count = counts[kernels.pushed];
    run.large().count = counts[kernels.large];
    leftForSegments |= counts[kernels.kept] > 0;
    return counts;
  }

  /**
   * Failed attempts, by cause.
   *
   * @param outranked items that met a mark of higher priority
   * @param robbed items that lost a mark, and met no higher one
   * @param torn searches that contradicted themselves
   */
  static Map<AbortCause, Long> aborts(long outranked, long robbed, long torn) {
    Map<AbortCause, Long> aborts = new EnumMap<>(AbortCause.class);
    aborts.put(AbortCause.OUTRANKED, outranked);
    aborts.put(AbortCause.STOLEN, robbed);
    aborts.put(AbortCause.REQUESTED, torn);
    aborts.values().removeIf(count -> count == 0);
    return aborts;
  }

  final void giveUp(long items) {
    givenUp += items;
  }

  @Override
  public Round runLarge(long waiting) {
    int before = vertexSlots;
    // Rare: the transactions get pools that begin where the marked launches ended.
    try (StmObjects claims = run.device().objects(run.mesh().triangleCapacity());
        SlotPool triangles =
            run.device().newSlotPool(run.mesh().triangleCapacity(), triangleSlots);
        SlotPool vertices = run.device().newSlotPool(run.mesh().vertexCapacity(), vertexSlots)) {
      LargeCavities.Outcome outcome;
      try {
        outcome = largeCavities.run(claims, triangles, vertices);
      } catch (DeviceOutOfMemoryException e) {
        takeOver(triangles, vertices); // between launches: what they inserted is in the mesh
        throw e;
      }
      int unused = takeOver(triangles, vertices);
      givenUp += outcome.givenUp();
      leftForSegments |= outcome.leftForSegments();
      return outcome.round(waiting, vertexSlots - before - unused);
    }
  }

  /** Counts the slots that transactions took; gives how many of those for vertices are unused. */
  private int takeOver(SlotPool triangles, SlotPool vertices) {
    triangleSlots = (int) triangles.firstFresh();
    vertexSlots = (int) vertices.firstFresh();
    int unused = vertices.recycled().length;
    gaps += unused;
    return unused;
  }

  @Override
  public final int triangleSlots() {
    return triangleSlots;
  }

  @Override
  public final int vertexSlots() {
    return vertexSlots;
  }

  @Override
  public final int vertices() {
    return vertexSlots - gaps;
  }

  @Override
  public final int triangleCapacity() {
    return (int) marks.length();
  }

  @Override
  public final int vertexCapacity() {
    return run.mesh().vertexCapacity();
  }

  @Override
  public long givenUp() {
    return givenUp;
  }

  @Override
  public final boolean leftForSegments() {
    return leftForSegments;
  }

  @Override
  public void grown() {
    if (marks.length() < run.mesh().triangleCapacity()) {
      DeviceArray<int[]> more = run.device().ints(run.mesh().triangleCapacity()).named("marks");
      marks.close();
      marks = more;
      marks.fill(0);
      epoch = 0;
    }
  }

  @Override
  public void close() {
    Resources.close(footprints, largeCavities, marks);
  }
}
