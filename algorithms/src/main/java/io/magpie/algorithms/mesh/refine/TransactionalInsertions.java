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

/**
 * Inserts vertices by transactions, one for each item; see refine_stm.cuh. Each call of {@link
 * #run} is one launch.
 *
 * <p>Progress under policies that exclude livelock: a launch in which an attempt commits or is
 * canceled ends that item. In one in which none does nobody changes the mesh, so no attempt finds
 * torn or changed what it sought, and none asks to be tried again for that; there is room in the
 * pools for every item; so the item of the highest rank gets through. Thus each launch ends one
 * item at least: n items take n launches at most, and those that insertions and large cavities push
 * as many again. Items get new ranks in each launch, so when a certain one ends is not promised.
 *
 * <p>Under other policies, or with a bound of attempts, items may make each other fail in every
 * launch. So after {@link Region#IDLE_ROUNDS} launches in a row that inserted nothing and left
 * items, one of these runs alone, in a launch without a bound but the timeout, and so after each
 * further one, until one inserts something. Alone, an item ends: n items take {@code 2 n +
 * IDLE_ROUNDS} launches at most while nothing is inserted.
 */
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
  private int idle; // launches in a row that inserted nothing, and left items
  private int lost; // the first of those that the last one left, in the list of what is pushed

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
      made.add(insertedIn = device.ints(mesh.vertexCapacity()).named("inserted_in"));
      made.add(work = device.newWorklist(0));
    } catch (RuntimeException | Error e) {
      Resources.close(made);
      throw e;
    }
    this.largeCavities = new LargeCavities(run);
  }

  /**
   * Whether who loses is left to the next launch: the launch ends sooner, and the item may need
   * nothing by then. So on GPUs, where that is measured, and in the simulator, where it is tested;
   * but under policies that exclude livelock only, as others might have everybody lose each launch.
   */
  static boolean defers(Machine machine, StmOptions asked) {
    return asked.deferral()
        || machine != Machine.CPU && asked.policy().progress().excludesLivelock();
  }

  private static StmOptions optionsFor(Device device, StmOptions asked, int triangles) {
    StmOptions options = asked.withMostRounds(1).withDeferral(defers(device.machine(), asked));
    if (device.machine() != Machine.CUDA || asked.threadsInFlight() != 0) {
      return options;
    }
    int threads = Math.max(FEWEST_IN_FLIGHT, triangles / TRIANGLES_IN_FLIGHT);
    return options.withThreadsInFlight(Math.min(threads, MOST_IN_FLIGHT));
  }

  @Override
  public Round run(ItemList items, int first, int count, long waiting) {
    work.fillFrom(items.places().slice(first, count), count);
    return launch(options, count, waiting);
  }

  @Override
  public boolean stalled() {
    return idle >= Region.IDLE_ROUNDS;
  }

  @Override
  public Round runAlone(long waiting) {
    ItemList pushed = run.pushed();
    DeviceArray<int[]> place = pushed.places().slice(lost, 1);
    work.fillFrom(place, 1);
    pushed.count--;
    if (lost < pushed.count) {
      place.copyFrom(pushed.places().slice(pushed.count, 1));
    }
    int before = idle;
    Round round = launch(options.withMaxAttempts(0).withDeferral(false), 1, waiting);
    if (idle > before) {
      throw new IllegalStateException("an item that ran alone did not end: a fault in Magpie");
    }
    idle = Region.IDLE_ROUNDS - 1;
    return round;
  }

  /** One launch of what the worklist has. */
  private Round launch(StmOptions options, int count, long waiting) {
    MeshKernels kernels = run.kernels();
    DeviceArray<int[]> tallies = run.tallies();
    ItemList pushed = run.pushed();
    tallies.set(kernels.large, 0L);
    tallies.set(kernels.lost, 0L);
    tallies.set(kernels.stuck, 0L);
    tallies.set(kernels.kept, 0L);
    long before = vertexSlots.live();
    launches++;
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
    lost = pushed.count; // deferred items come before pushed ones
    pushed.reserve(pushed.count + (long) left);
    work.copyTo(pushed.places(), pushed.count);
    pushed.count += left;
    int[] counts = tallies.toArray();
    run.large().count = counts[kernels.large];
    givenUp += counts[kernels.stuck];
    leftForSegments |= counts[kernels.kept] > 0;
    long inserted = vertexSlots.live() - before;
    if (inserted > 0) {
      idle = 0;
    } else if (report.deferred() > 0) {
      idle++;
    }
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
      DeviceArray<int[]> more = run.device().ints(mesh.vertexCapacity()).named("inserted_in");
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
