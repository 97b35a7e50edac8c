package io.magpie.algorithms.mesh;

import io.magpie.algorithms.mesh.RefinementReport.Round;
import io.magpie.algorithms.mesh.RefinementRun.WorkList;
import io.magpie.stm.AbortCause;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.LockFreePhase;
import io.magpie.stm.Machine;
import io.magpie.stm.SlotPool;
import io.magpie.stm.StmObjects;
import java.util.List;
import java.util.Map;

/**
 * Inserts vertices by marks: a slice of the items is marked, then filled; see refine_marked.cuh.
 */
final class MarkedInsertions implements RefinementRun.Insertions {
  /** Items of a slice by default: enough for a large GPU, and few enough that most win. */
  private static final int SLICE = 1 << 16;

  /** Fewer on processors, whose threads are few, so that footprints stay in their caches. */
  private static final int SLICE_ON_CPU = 1 << 10;

  /** Bits of a mark for the priority within a slice; the others count slices. */
  private static final int PRIORITY_BITS = 20;

  private static final int LAST_EPOCH = (1 << (32 - PRIORITY_BITS)) - 1;

  private final RefinementRun run;
  private final LockFreePhase markCavities;
  private final LockFreePhase fillCavities;
  private final int slice;
  private final DeviceArray<int[]> footprints;
  private final LargeCavities largeCavities;
  private DeviceArray<int[]> marks;
  private int triangleSlots;
  private int vertexSlots;
  private long givenUp;
  private int gaps; // vertex slots that large cavities left unused
  private int epoch;

  MarkedInsertions(RefinementRun run) {
    this.run = run;
    this.markCavities = run.module().phase("mark_cavities");
    this.fillCavities = run.module().phase("fill_cavities");
    this.triangleSlots = run.mesh().input().triangles();
    this.vertexSlots = run.mesh().input().vertices();
    boolean cpu = run.device().machine() == Machine.CPU;
    this.slice = run.options().slice() > 0 ? run.options().slice() : cpu ? SLICE_ON_CPU : SLICE;
    this.largeCavities = new LargeCavities(run);
    this.footprints = run.device().ints((long) MeshKernels.FOOTPRINT_WORDS * slice);
    try {
      this.marks = run.device().ints(run.mesh().triangleCapacity());
    } catch (RuntimeException | Error e) {
      footprints.close();
      throw e;
    }
    marks.fill(0);
  }

  @Override
  public Round run(WorkList items, int first, int count, long waiting) {
    DeviceArray<int[]> tallies = run.tallies();
    WorkList pushed = run.pushed();
    int before = vertexSlots;
    int pushedBefore = pushed.count;
    tallies.set(MeshKernels.PUSHED, (long) pushed.count);
    tallies.set(MeshKernels.LARGE, (long) run.large().count);
    tallies.set(MeshKernels.STUCK, 0L);
    tallies.set(MeshKernels.LOST, 0L);
    tallies.set(MeshKernels.TRIANGLES, (long) triangleSlots);
    tallies.set(MeshKernels.VERTICES, (long) vertexSlots);
    double millis = 0;
    for (int done = 0; done < count; done += slice) {
      int part = Math.min(slice, count - done);
      if (++epoch > LAST_EPOCH) {
        marks.fill(0);
        epoch = 1;
      }
      millis +=
          markCavities
              .run(
                  part,
                  run.arguments(
                      part,
                      epoch,
                      PRIORITY_BITS,
                      slice,
                      items.places(),
                      first + done,
                      marks,
                      footprints,
                      run.large().places(),
                      tallies))
              .kernelMillis();
      millis +=
          fillCavities
              .run(
                  part,
                  run.arguments(
                      part,
                      epoch,
                      PRIORITY_BITS,
                      slice,
                      items.places(),
                      first + done,
                      marks,
                      footprints,
                      pushed.places(),
                      tallies))
              .kernelMillis();
    }
    int[] counts = tallies.toArray();
    triangleSlots = counts[MeshKernels.TRIANGLES];
    vertexSlots = counts[MeshKernels.VERTICES];
    pushed.count = counts[MeshKernels.PUSHED];
    run.large().count = counts[MeshKernels.LARGE];
    givenUp += counts[MeshKernels.STUCK];
    long lost = Integer.toUnsignedLong(counts[MeshKernels.LOST]);
    long inserted = vertexSlots - before;
    return new Round(
        count,
        waiting,
        inserted,
        pushed.count - pushedBefore,
        count - inserted - lost - counts[MeshKernels.STUCK] - run.large().count,
        lost == 0 ? Map.of() : Map.of(AbortCause.OUTRANKED, lost),
        millis);
  }

  @Override
  public Round runLarge(long waiting) {
    int before = vertexSlots;
    // Rare: the transactions get pools that begin where the marked launches have got to.
    try (StmObjects claims = run.device().objects(run.mesh().triangleCapacity());
        SlotPool triangles =
            run.device().newSlotPool(run.mesh().triangleCapacity(), triangleSlots);
        SlotPool vertices = run.device().newSlotPool(run.mesh().vertexCapacity(), vertexSlots)) {
      LargeCavities.Outcome outcome = largeCavities.run(claims, triangles, vertices);
      triangleSlots = (int) triangles.firstFresh();
      vertexSlots = (int) vertices.firstFresh();
      int unused = vertices.recycled().length;
      gaps += unused;
      givenUp += outcome.givenUp();
      return outcome.round(waiting, vertexSlots - before - unused);
    }
  }

  @Override
  public int triangleSlots() {
    return triangleSlots;
  }

  @Override
  public int vertexSlots() {
    return vertexSlots;
  }

  @Override
  public int vertices() {
    return vertexSlots - gaps;
  }

  @Override
  public int triangleCapacity() {
    return (int) marks.length();
  }

  @Override
  public int vertexCapacity() {
    return run.mesh().vertexCapacity();
  }

  @Override
  public long givenUp() {
    return givenUp;
  }

  @Override
  public void grown() {
    if (marks.length() < run.mesh().triangleCapacity()) {
      DeviceArray<int[]> more = run.device().ints(run.mesh().triangleCapacity());
      marks.close();
      marks = more;
      marks.fill(0);
      epoch = 0;
    }
  }

  @Override
  public void close() {
    Resources.close(List.of(footprints, largeCavities, marks));
  }
}
