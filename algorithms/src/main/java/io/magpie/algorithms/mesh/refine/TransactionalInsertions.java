package io.magpie.algorithms.mesh.refine;

import io.magpie.algorithms.internal.driver.Resources;
import io.magpie.algorithms.mesh.refine.RefinementReport.Round;
import io.magpie.algorithms.mesh.refine.RefinementRun.ItemList;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.Fields;
import io.magpie.stm.Region;
import io.magpie.stm.RegionReport;
import io.magpie.stm.RoundsReport;
import io.magpie.stm.SlotPool;
import io.magpie.stm.StmObjects;
import io.magpie.stm.StmOptions;
import io.magpie.stm.Worklist;
import java.util.ArrayList;
import java.util.List;

/** Inserts vertices by transactions, one for each item; see refine_stm.cuh. */
final class TransactionalInsertions implements RefinementRun.Insertions {
  /**
   * Triangles for each transaction in flight on a GPU, and most transactions: more of them get into
   * each other's way (measured on an H200 with 1 and 10 million triangles).
   */
  private static final int TRIANGLES_IN_FLIGHT = 32;

  private static final int FEWEST_IN_FLIGHT = 1 << 12;
  private static final int MOST_IN_FLIGHT = 1 << 16;

  private final RefinementRun run;
  private final Region refine;
  private final StmOptions options;
  private final StmObjects claims;
  private final SlotPool triangleSlots;
  private final SlotPool vertexSlots;
  private DeviceArray<int[]> insertedIn; // at least as long as there are slots for vertices
  private final Worklist work;
  private final LargeCavities largeCavities;
  private int launches;
  private long givenUp;
  private boolean leftForSegments;

  TransactionalInsertions(RefinementRun run) {
    this.run = run;
    this.refine = run.module().region("refine");
    DeviceMesh mesh = run.mesh();
    Device device = run.device();
    this.options = optionsFor(device, run.options().stm(), mesh.input().triangles());
    List<AutoCloseable> made = new ArrayList<>();
    try {
      made.add(claims = device.objects(mesh.triangleCapacity()));
      made.add(
          triangleSlots = device.newSlotPool(mesh.triangleCapacity(), mesh.input().triangles()));
      made.add(vertexSlots = device.newSlotPool(mesh.vertexCapacity(), mesh.input().vertices()));
      made.add(insertedIn = device.ints(mesh.vertexCapacity()));
      made.add(work = device.newWorklist(0));
    } catch (RuntimeException | Error e) {
      Resources.close(made);
      throw e;
    }
    this.largeCavities = new LargeCavities(run);
  }

  private static StmOptions optionsFor(Device device, StmOptions asked, int triangles) {
    // Who loses is left to the next launch: this one ends sooner, and the item may need nothing by
    // then.
    StmOptions options = asked.withMostRounds(1).withDeferral(true);
    if (device.machine() != Machine.CUDA || asked.threadsInFlight() != 0) {
      return options;
    }
    int threads = Math.max(FEWEST_IN_FLIGHT, triangles / TRIANGLES_IN_FLIGHT);
    return options.withThreadsInFlight(Math.min(threads, MOST_IN_FLIGHT));
  }

  @Override
  public Round run(ItemList items, int first, int count, long waiting) {
    MeshKernels kernels = run.kernels();
    DeviceArray<int[]> tallies = run.tallies();
    ItemList pushed = run.pushed();
    tallies.set(kernels.large, 0L);
    tallies.set(kernels.lost, 0L);
    tallies.set(kernels.stuck, 0L);
    tallies.set(kernels.kept, 0L);
    long before = vertexSlots.live();
    launches++;
    work.fillFrom(items.places().slice(first, count), count);
    RoundsReport rounds =
        refine.runRounds(
            options,
            work,
            new Fields()
                .set("large", run.large().places())
                .set(
                    "work",
                    new Fields()
                        .set("claims", claims)
                        .set("triangle_slots", triangleSlots)
                        .set("vertex_slots", vertexSlots)
                        .set("tallies", tallies)
                        .set("launch", launches)
                        .set("inserted_in", insertedIn)
                        .set("mesh", run.meshFields())));
    RegionReport report = rounds.rounds().get(0).region().requireComplete();
    if (report.timedOut()) {
      // Time is up, and what is left waits in the list: another launch would fare no better.
      rounds.requireComplete();
    }
    int left = Math.toIntExact(work.size());
    pushed.reserve(pushed.count + (long) left);
    work.copyTo(pushed.places(), pushed.count);
    pushed.count += left;
    int[] counts = tallies.toArray();
    run.large().count = counts[kernels.large];
    givenUp += counts[kernels.stuck];
    leftForSegments |= counts[kernels.kept] > 0;
    long inserted = vertexSlots.live() - before;
    long committed = inserted + counts[kernels.stuck];
    return new Round(
        count,
        waiting,
        inserted,
        report.pushed(),
        count - committed - counts[kernels.lost] - report.deferred() - run.large().count,
        report.abortsByCause(),
        1,
        report.kernelMillis(),
        false);
  }

  @Override
  public Round runLarge(long waiting) {
    long before = vertexSlots.live();
    LargeCavities.Outcome outcome = largeCavities.run(claims, triangleSlots, vertexSlots);
    givenUp += outcome.givenUp();
    leftForSegments |= outcome.leftForSegments();
    return outcome.round(waiting, vertexSlots.live() - before);
  }

  @Override
  public int triangleSlots() {
    return (int) triangleSlots.firstFresh();
  }

  @Override
  public int vertexSlots() {
    return (int) vertexSlots.firstFresh();
  }

  @Override
  public int vertices() {
    return (int) vertexSlots.live();
  }

  @Override
  public int triangleCapacity() {
    return (int) Math.min(claims.count(), triangleSlots.capacity());
  }

  @Override
  public int vertexCapacity() {
    return (int) vertexSlots.capacity();
  }

  @Override
  public long givenUp() {
    return givenUp;
  }

  @Override
  public boolean leftForSegments() {
    return leftForSegments;
  }

  @Override
  public void grown() {
    DeviceMesh mesh = run.mesh();
    if (claims.count() < mesh.triangleCapacity()) {
      claims.grow(mesh.triangleCapacity());
    }
    if (triangleSlots.capacity() < mesh.triangleCapacity()) {
      triangleSlots.grow(mesh.triangleCapacity());
    }
    if (insertedIn.length() < mesh.vertexCapacity()) {
      DeviceArray<int[]> more = run.device().ints(mesh.vertexCapacity());
      insertedIn.close(); // no later launch has the number of an earlier one
      insertedIn = more;
    }
    if (vertexSlots.capacity() < mesh.vertexCapacity()) {
      vertexSlots.grow(mesh.vertexCapacity());
    }
  }

  @Override
  public void close() {
    Resources.close(claims, triangleSlots, vertexSlots, insertedIn, work, largeCavities);
  }
}
