package io.magpie.algorithms.mesh.refine;

import io.magpie.algorithms.internal.driver.Resources;
import io.magpie.algorithms.mesh.refine.RefinementOptions.Insertion;
import io.magpie.algorithms.mesh.refine.RefinementRun.ItemList;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelModule;
import io.magpie.stm.RegionReport;
import io.magpie.stm.RegionReport.AbortCause;
import io.magpie.stm.SlotPool;
import io.magpie.stm.StmObjects;
import io.magpie.stm.StmOptions;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/** Runs region {@code refine_large} on one device: many items at a time, or one alone. */
final class CavityRooms implements AutoCloseable {
  /** Transactions at a time. */
  static final int ROOMS = 128;

  /** Triangles that the room of each holds. */
  static final int CAPACITY = 1 << 10;

  /** How much more a room holds that was too small. */
  private static final int GROWTH = 4;

  /** In place of a launch's number: no item waits for the next launch. */
  private static final int NOTHING_IS_PUT_OFF = 0;

  /** What the region works on. */
  record Work(
      DeviceMesh mesh,
      StmObjects claims,
      SlotPool triangles,
      SlotPool vertices,
      DeviceArray<int[]> tallies,
      ItemList pushed) {}

  private final RefinementRun run;
  private final MeshKernels kernels;
  private final KernelModule module;
  private final StmOptions options;
  private final DeviceArray<int[]> larger;
  private final DeviceArray<int[]> nothing;
  private final Map<AbortCause, Long> aborts = new EnumMap<>(AbortCause.class);
  private Work work;
  private DeviceArray<int[]> rooms;
  private DeviceArray<int[]> room; // of an item alone
  private long capacity; // of that
  private long canceled;
  private int launches;
  private double millis;

  CavityRooms(RefinementRun run, KernelModule module, StmOptions options) {
    this.run = run;
    this.kernels = run.kernels();
    this.module = module;
    this.options = options;
    this.larger = module.device().ints(ROOMS).named("larger");
    this.nothing = module.device().ints(0).named("inserted_in");
  }

  /** Words that a cavity of so many triangles takes: {@code lent_words}, cavity.cuh. */
  static long words(long triangles) {
    return (9 * triangles + 6 * (triangles + 2) + (triangles + 2 + 31) / 32 + 3) / 4 * 4;
  }

  /** Most items that filling one pushes: {@code most_pushes}, cavity.cuh. */
  static long mostPushes(long triangles) {
    return 2 * triangles + 9;
  }

  /** What the next items work on; counts from zero. */
  void begin(Work next) {
    work = next;
    canceled = 0;
    launches = 0;
    millis = 0;
    aborts.clear();
    work.tallies().set(kernels.stuck, 0L);
    work.tallies().set(kernels.torn, 0L);
    work.tallies().set(kernels.kept, 0L);
  }

  /** Items that changed nothing, since {@link #begin}. */
  long canceled() {
    return canceled;
  }

  int launches() {
    return launches;
  }

  double millis() {
    return millis;
  }

  /** Items given up. */
  long stuck() {
    return work.tallies().getInt(kernels.stuck);
  }

  /** Whether some of them were for segments that are never split. */
  boolean leftForSegments() {
    return work.tallies().getInt(kernels.kept) > 0;
  }

  /** Causes of attempts that began again, and how many there were. */
  Map<AbortCause, Long> aborts() {
    Map<AbortCause, Long> all = new EnumMap<>(AbortCause.class);
    all.putAll(aborts);
    long torn = work.tallies().getInt(kernels.torn);
    if (torn > 0) {
      all.merge(AbortCause.REQUESTED, torn, Long::sum);
    }
    return all;
  }

  /**
   * Runs at most {@link #ROOMS} items at a time; gives those whose cavities were larger than a
   * room, or seemed so while others ran.
   */
  int[] together(int[] items) {
    if (rooms == null) {
      rooms = module.device().ints(ROOMS * words(CAPACITY)).named("rooms");
    }
    int count = launch(items, Where.ROOMS);
    return count == 0 ? new int[0] : Arrays.copyOf(larger.toArray(), count);
  }

  /**
   * Runs an item alone, in a room that grows until the cavity fits, or it holds {@code most}
   * triangles.
   *
   * @return whether it has run: false if the cavity did not fit
   */
  boolean alone(int item, long most) {
    if (room == null) {
      makeRoom(CAPACITY);
    }
    int[] one = {item};
    boolean done = launch(one, Where.ROOM) == 0;
    while (!done && capacity < most) {
      makeRoom(Math.min(Math.min(GROWTH * capacity, most), work.claims().count()));
      done = launch(one, Where.ROOM_GROWN) == 0;
    }
    return done;
  }

  private void makeRoom(long triangles) {
    if (room != null) {
      room.close();
      room = null;
    }
    room = module.device().ints(words(triangles)).named("rooms");
    capacity = triangles;
  }

  /** Where cavities lie. */
  private enum Where {
    /** In as many rooms as there are items. */
    ROOMS,
    /** In the room of an item alone. */
    ROOM,
    /** There, after it has grown for that. */
    ROOM_GROWN
  }

  /** Runs some items; gives how many seemed to have cavities larger than a room. */
  private int launch(int[] items, Where where) {
    long each = where == Where.ROOMS ? CAPACITY : capacity;
    ItemList pushed = work.pushed();
    DeviceArray<int[]> tallies = work.tallies();
    pushed.reserve(pushed.count + items.length * mostPushes(each));
    tallies.set(kernels.pushed, (long) pushed.count);
    tallies.set(kernels.large, 0L);
    long before = work.vertices().live() + stuck();
    Insertion by = where == Where.ROOM_GROWN ? Insertion.CIRCUMCENTER : run.options().insertion();
    Fields fields =
        new Fields()
            .set("pushed", pushed.places())
            .set("larger", larger)
            .set("alone", where == Where.ROOMS ? 0 : 1)
            .set("capacity", (int) each)
            .set("rooms", where == Where.ROOMS ? rooms : room)
            .set(
                "work",
                new Fields()
                    .set("claims", work.claims())
                    .set("triangle_slots", work.triangles())
                    .set("vertex_slots", work.vertices())
                    .set("tallies", tallies)
                    .set("launch", NOTHING_IS_PUT_OFF)
                    .set("inserted_in", nothing)
                    .set("mesh", run.meshFields(work.mesh(), by)));
    try (DeviceArray<int[]> list = module.device().copyOf(items)) {
      RegionReport report =
          module
              .region("refine_large")
              .runList(options, list, items.length, fields)
              .requireComplete();
      launches++;
      millis += report.kernelMillis();
      report.abortsByCause().forEach((cause, n) -> aborts.merge(cause, n, Long::sum));
    }
    pushed.count = tallies.getInt(kernels.pushed);
    int left = tallies.getInt(kernels.large);
    canceled += items.length - (work.vertices().live() + stuck() - before) - left;
    return left;
  }

  @Override
  public void close() {
    Resources.close(larger, nothing, rooms, room);
  }
}
