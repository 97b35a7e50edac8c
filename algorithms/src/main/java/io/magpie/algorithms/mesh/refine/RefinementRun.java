package io.magpie.algorithms.mesh.refine;

import io.magpie.algorithms.ResultArrays;
import io.magpie.algorithms.SettingException;
import io.magpie.algorithms.internal.Elapsed;
import io.magpie.algorithms.internal.driver.Resources;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.Splitting;
import io.magpie.algorithms.mesh.TriangleAreaBound;
import io.magpie.algorithms.mesh.internal.QualityBound;
import io.magpie.algorithms.mesh.refine.PhasedMarkingOptions.Work;
import io.magpie.algorithms.mesh.refine.RefinementOptions.Insertion;
import io.magpie.algorithms.mesh.refine.RefinementOptions.Synchronization;
import io.magpie.algorithms.mesh.refine.RefinementReport.Outcome;
import io.magpie.algorithms.mesh.refine.RefinementReport.Round;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.DeviceOutOfMemoryException;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelModule;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** One refinement: the rounds, and which items are due in each. */
final class RefinementRun implements AutoCloseable {
  /** Entries of the list that a launch pushes to; its items are limited by it. */
  private static final int PUSHED_PLACES = 1 << 26;

  /** Most items of one launch: bounds the memory for what it pushes. */
  private static final int MOST_ITEMS = 1 << 20;

  /** Most threads that run transactions at the same time, and keep slots at hand. */
  private static final long THREADS = 1 << 18;

  /**
   * Triangles, and share of the input's, of a cavity that a thread of a GPU fills in less time than
   * it takes to copy the mesh to the host and back.
   */
  private static final long MOST_ALONE = 1 << 12;

  private static final int SHARE_ALONE = 64;

  /**
   * By which part of its squared sine an angle may be below the bound: half of what {@link
   * QualityBound} allows, as rounding must not let a triangle pass that an exact test would not.
   */
  private static final double TIE = QualityBound.TIE / 2;

  /**
   * The largest angle for which only segments at sharp angles are split at equal distances from
   * where they meet, and the angle of segments below which others are, in degrees: from 32 on, bad
   * triangles between such are seen to become ever smaller, while below that it takes more of them.
   */
  private static final double LARGEST_WITHOUT_SHELLS = 30;

  private static final double SHELLS_BELOW = 120;

  /** What a triangle takes, and half a vertex, which is its share. */
  private static final int BYTES_PER_TRIANGLE = 56 + 32 / 2;

  /** Triangles become smaller than they must be, and arrays that grow are there twice. */
  private static final double SPARE = 4;

  private final Device device;
  private final RefinementOptions options;
  private final Consumer<Round> progress;
  private final Map<String, String> defines;
  private final KernelModule module;
  private final MeshKernels kernels;
  private final DeviceMesh mesh;
  private final DeviceArray<int[]> tallies;
  private final List<Round> rounds = new ArrayList<>();
  private final double loadMillis;
  private final double uploadMillis;
  private final int vertexLimit;
  private final long mostAlone;
  private final Progress progressMade; // null where a number of vertices is asked
  private ItemList pushed;
  private ItemList large;
  private WorkOrder order;
  private double selectMillis;
  private double refineMillis;

  RefinementRun(
      Device device,
      Mesh input,
      RefinementOptions options,
      Map<String, String> defines,
      Consumer<Round> progress) {
    this(device, input, options, defines, progress, mostAlone(device, input));
  }

  /** The same with a {@link #mostAlone} of the caller's. */
  RefinementRun(
      Device device,
      Mesh input,
      RefinementOptions options,
      Map<String, String> defines,
      Consumer<Round> progress,
      long mostAlone) {
    this.mostAlone = mostAlone;
    this.device = device;
    this.options = options;
    this.progress = progress;
    this.defines = defines;
    long begin = System.nanoTime();
    this.module = device.load(MeshKernels.MODULE, defines);
    List<AutoCloseable> made = new ArrayList<>(List.of(module));
    try {
      this.kernels = new MeshKernels(module);
      if (options.synchronization().inPhases()) {
        device.load(PhaseMarkedInsertions.MODULE, defines).close(); // it stays with the device
      } else if (options.synchronization() == Synchronization.MAXIMAL_SETS) {
        device.load(MaximalSets.MODULE, defines).close();
      }
      this.loadMillis = Elapsed.millisSince(begin);
      begin = System.nanoTime();
      this.mesh = new DeviceMesh(module, input, doubledArea(options), cornersBelow(options));
      made.add(mesh);
      this.tallies = device.ints(kernels.tallies).named("tallies");
    } catch (RuntimeException | Error e) {
      Resources.close(made);
      throw e;
    }
    this.uploadMillis = Elapsed.millisSince(begin);
    this.vertexLimit =
        (int) Math.min(DeviceMesh.MOST_VERTICES, options.mostVertices(input.vertices()));
    this.progressMade = Progress.of(input, options);
  }

  private static long mostAlone(Device device, Mesh input) {
    return device.machine() == Machine.CUDA
        ? Math.max(MOST_ALONE, input.triangles() / SHARE_ALONE)
        : Long.MAX_VALUE;
  }

  /**
   * Checks that there can be as many triangles as the bounds on areas take at least.
   *
   * @throws IllegalArgumentException if they cannot, unless a number of vertices is asked to end at
   */
  static void requireRoom(Device device, Mesh input, RefinementOptions options) {
    boolean bounded = options.maximumArea() > 0 || input.hasAreaBounds();
    if (!bounded || options.stopsAtVertices()) {
      return;
    }
    long memory = device.description().memoryBytes();
    double most = Math.min(DeviceMesh.MOST_TRIANGLES, (double) memory / BYTES_PER_TRIANGLE);
    double box = (input.maxX() - input.minX()) * (input.maxY() - input.minY());
    if (!input.hasAreaBounds() && box / options.maximumArea() <= most) {
      return; // as nearly always: without a look at each triangle
    }
    AreaBounds bounds = AreaBounds.of(input, options.maximumArea());
    double area = bounds.area();
    if (options.maximumArea() > 0 && area / options.maximumArea() > most) {
      throw new SettingException(
          RefinementOptions.MAX_AREA,
          String.format(
              Locale.ROOT,
              "%s: an area of %.3g takes %.3g triangles at least, and there is room for %.3g at"
                  + " most on %s; ask for %.3g or more, such as %.3g for 10,000 triangles at least",
              options.maximumArea(),
              area,
              area / options.maximumArea(),
              most,
              device.description().spec(),
              SPARE * area / most,
              area / 10_000));
    }
    if (bounds.leastTriangles() > most) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the area bounds of triangles, %.3g at least, take %.3g triangles at least, and there"
                  + " is room for %.3g at most on %s; multiply them by %.3g or more",
              bounds.smallest(),
              bounds.leastTriangles(),
              most,
              device.description().spec(),
              SPARE * bounds.leastTriangles() / most));
    }
  }

  /** Degrees below which two segments are split at equal distances from where they meet. */
  private static double cornersBelow(RefinementOptions options) {
    return options.minimumAngle() > LARGEST_WITHOUT_SHELLS ? SHELLS_BELOW : SegmentAngles.SHARP;
  }

  /** Twice the largest area of a triangle, whatever its region allows. */
  private static double doubledArea(RefinementOptions options) {
    return options.maximumArea() == 0
        ? Double.POSITIVE_INFINITY
        : DeviceMesh.doubled(options.maximumArea());
  }

  /** Which edges are never split: {@code quality::kept}, quality.cuh. */
  private static int kept(Splitting splitting) {
    return switch (splitting) {
      case ALL -> 0;
      case INSIDE -> 1;
      case NONE -> 2;
    };
  }

  /** What is asked of a mesh: {@code quality}, quality.cuh. */
  private Fields quality(DeviceMesh of, Insertion insertion) {
    double angle = Math.toRadians(options.minimumAngle());
    double sine = Math.sin(angle);
    // Of the height at which the apex has just the angle asked, over half an edge; a little lower.
    double offCenter =
        insertion == Insertion.CIRCUMCENTER || angle == 0 ? 0 : 0.475 / Math.tan(angle / 2);
    return new Fields()
        .set("sine_squared", sine * sine * (1 - TIE))
        .set("off_center", offCenter)
        .set("doubled_area", doubledArea(options))
        .set("sharp", of.sharp() ? 1 : 0)
        .set("kept", kept(options.splitting()))
        .set("areas", of.areas());
  }

  /**
   * Refines.
   *
   * @param begin when the call began, for the report
   * @param arrays where the result goes; null for a mesh with new arrays
   */
  RefinedArrays run(long begin, ResultArrays arrays) {
    int triangles = mesh.input().triangles();
    int places = (int) Math.min(PUSHED_PLACES, Math.max(1 << 16, 8L * triangles));
    pushed = new ItemList(device, places);
    large = new ItemList(device, 1 << 12);
    order = new WorkOrder(this);
    try (Insertions insertions = insertions()) {
      giveFunctionBounds(insertions);
      listWork(triangles);
      long badBefore = tallies.getInt(kernels.bad);
      Outcome outcome = insertAll(insertions);
      if (mesh.hasSingleBounds()) {
        outcome = keepSingleBounds(insertions, outcome);
      }
      if (options.areaBound() != TriangleAreaBound.NONE) {
        outcome = keepFunctionBounds(insertions, outcome);
      }
      long download = System.nanoTime();
      MeshDownload downloading =
          new MeshDownload(mesh, insertions.triangleSlots(), insertions.vertexSlots(), arrays);
      double downloadMillis = Elapsed.millisSince(download);
      findWork(insertions.triangleSlots());
      long badLeft = tallies.getInt(kernels.bad);
      mesh.takeBoundsBack(insertions.triangleSlots());
      if (outcome == Outcome.FINISHED && badLeft > 0 && insertions.givenUp() == 0) {
        throw new IllegalStateException(
            badLeft + " bad triangles were lost without having been given up: a fault in Magpie");
      }
      if ((outcome == Outcome.VERTEX_LIMIT || outcome == Outcome.NO_PROGRESS)
          && pushed.count == 0) {
        outcome = Outcome.FINISHED;
      }
      long excused = tallies.getInt(kernels.excused);
      if (outcome == Outcome.FINISHED && badLeft > 0) {
        outcome = insertions.leftForSegments() ? Outcome.SEGMENTS_KEPT : Outcome.PRECISION;
      }
      download = System.nanoTime();
      DownloadedMesh result = downloading.finish();
      if (arrays == null) {
        result.mesh();
      }
      downloadMillis += Elapsed.millisSince(download);
      DownloadedMesh.Counts counts = result.counts();
      long inserted = counts.vertices() - mesh.input().vertices();
      RefinementReport report =
          new RefinementReport(
              device.description().spec(),
              options,
              rounds,
              outcome,
              triangles,
              badBefore,
              badLeft,
              excused,
              inserted - counts.onSegments(),
              counts.onSegments(),
              insertions.givenUp(),
              insertions.triangleSlots(),
              counts.freeTriangleSlots(),
              loadMillis,
              uploadMillis,
              selectMillis + order.millis(),
              refineMillis,
              downloadMillis,
              Elapsed.millisSince(begin));
      return new RefinedArrays(result, report);
    }
  }

  private Outcome insertAll(Insertions insertions) {
    try {
      if (insertions instanceof MaximalSets sets) {
        return steps(sets);
      }
      return insertions instanceof PhaseMarkedInsertions phased
              && options.phases().work() == Work.SLOTS
          ? sweeps(phased)
          : rounds(insertions);
    } catch (DeviceOutOfMemoryException e) {
      // Between launches, when the mesh is whole.
      return Outcome.OUT_OF_MEMORY;
    }
  }

  /**
   * Gives triangles the bounds of where they lie, and goes on, until all are within these or
   * nothing more can be inserted.
   *
   * @param outcome of what was done so far
   */
  private Outcome keepSingleBounds(Insertions insertions, Outcome outcome) {
    Outcome last = outcome;
    int vertices = -1;
    while (insertions.vertices() != vertices) {
      vertices = insertions.vertices();
      mesh.giveBounds(insertions.triangleSlots(), insertions.vertexSlots());
      if (last == Outcome.FINISHED) {
        listWork(insertions.triangleSlots());
        last = insertAll(insertions);
      }
    }
    return last;
  }

  /**
   * Refines what is larger than a function allows, pass by pass, until nothing is or nothing more
   * can be inserted.
   *
   * @param outcome of the first pass
   */
  private Outcome keepFunctionBounds(Insertions insertions, Outcome outcome) {
    Outcome last = outcome;
    int vertices = -1;
    while (giveFunctionBounds(insertions)
        && last == Outcome.FINISHED
        && insertions.vertices() != vertices) {
      vertices = insertions.vertices();
      listWork(insertions.triangleSlots());
      last = insertAll(insertions);
    }
    return last;
  }

  /** Bounds triangles that are larger than a function allows; whether there are any. */
  private boolean giveFunctionBounds(Insertions insertions) {
    if (options.areaBound() == TriangleAreaBound.NONE) {
      return false;
    }
    double smallest =
        mesh.giveBounds(options.areaBound(), insertions.triangleSlots(), insertions.vertexSlots());
    if (progressMade != null && smallest < Double.POSITIVE_INFINITY) {
      progressMade.asks(smallest);
    }
    return smallest < Double.POSITIVE_INFINITY;
  }

  private Insertions insertions() {
    return switch (options.synchronization()) {
      case TRANSACTIONS -> new TransactionalInsertions(this);
      case MARKS -> new MarkedInsertions(this);
      case THREE_PHASES, TWO_STAGES, ATOMIC_STAGES -> new PhaseMarkedInsertions(this, defines);
      case MAXIMAL_SETS -> new MaximalSets(this, defines);
    };
  }

  /** Flags bad triangles, and lists all work in `pushed`. */
  private void listWork(int slots) {
    findWork(slots);
    if (pushed.count > pushed.places().length()) {
      pushed.reserve(pushed.count);
      findWork(slots);
    }
  }

  /** The same as far as there is room. */
  private void findWork(int slots) {
    tallies.fill(0);
    selectMillis +=
        module
            .kernel("find_work")
            .run(
                slots,
                new Fields()
                    .set("count", slots)
                    .set("found", pushed.places())
                    .set("tallies", tallies)
                    .set("mesh", meshFields()))
            .kernelMillis();
    pushed.count = tallies.getInt(kernels.found);
  }

  private Outcome rounds(Insertions insertions) {
    while (order.next(pushed)) {
      ItemList due = order.due();
      for (int done = 0; done < due.count; ) {
        Outcome stop = makeRoom(insertions, due.count - done);
        if (stop != null) {
          return stop;
        }
        int count = Math.min(due.count - done, most(insertions));
        large.reserve(count);
        long waiting = order.waiting() + due.count - done - count;
        add(insertions.run(due, done, count, waiting));
        done += count;
        stop = runRest(insertions, waiting);
        if (stop != null) {
          return stop;
        }
      }
    }
    return Outcome.FINISHED;
  }

  /** Runs what a round left that must not wait; if there is no room for it, why. */
  private Outcome runRest(Insertions insertions, long waiting) {
    if (large.count > 0) {
      Outcome stop = makeRoom(insertions, large.count);
      if (stop != null) {
        return stop;
      }
      add(insertions.runLarge(waiting));
    }
    while (insertions.stalled()) {
      Outcome stop = makeRoom(insertions, 1);
      if (stop != null) {
        return stop;
      }
      large.reserve(1);
      add(insertions.runAlone(waiting));
      if (large.count > 0) {
        add(insertions.runLarge(waiting));
      }
    }
    return null;
  }

  /** Rounds over all slots, without lists, until one changes nothing. */
  private Outcome sweeps(PhaseMarkedInsertions insertions) {
    boolean changed = true;
    for (int sweep = 0; changed; sweep++) {
      changed = false;
      insertions.beginSweep(sweep);
      int slots = insertions.triangleSlots();
      for (int done = 0; done < slots; ) {
        int count = Math.min(slots - done, insertions.mostOfSlice());
        Outcome stop = makeRoom(insertions, count);
        if (stop != null) {
          return stop;
        }
        large.reserve(count);
        int rounds = this.rounds.size();
        Round found = insertions.runSlots(done, count);
        if (found.items() > 0) {
          add(found);
        } else {
          selectMillis += found.millis();
        }
        done += count;
        large.count = Math.min(large.count, vertexRoom(insertions) - insertions.vertexSlots());
        stop = runRest(insertions, 0);
        if (stop != null) {
          return stop;
        }
        pushed.count = 0;
        for (Round round : this.rounds.subList(rounds, this.rounds.size())) {
          changed |= round.inserted() > 0 || round.aborted() > 0;
        }
      }
    }
    return Outcome.FINISHED;
  }

  /** Steps, each of all work there is, until one inserts nothing. */
  private Outcome steps(MaximalSets sets) {
    int before;
    do {
      before = sets.vertices();
      // Where segments meet at sharp angles, triangles wait for them: see WorkOrder.
      Outcome stop = mesh.sharp() ? step(sets, true) : null;
      if (stop == null && sets.vertices() == before) {
        stop = step(sets, false);
      }
      if (stop != null) {
        return stop;
      }
    } while (sets.vertices() > before);
    return Outcome.FINISHED;
  }

  /** One step, of segments only or of all work; if there is no room for it, why. */
  private Outcome step(MaximalSets sets, boolean segments) {
    pushed.count = 0;
    large.count = 0;
    selectMillis += sets.begin(segments);
    ItemList due = sets.due();
    if (due.count == 0) {
      return null;
    }
    large.reserve(due.count); // at once: what a step has filled is counted at its end
    Outcome stop = null;
    long left = 0;
    while (due.count > 0 && stop == null) {
      int done = 0;
      while (done < due.count && stop == null) {
        stop = makeRoom(sets, due.count - done);
        if (stop == null) {
          int count = Math.min(Math.min(due.count - done, sets.slice()), most(sets));
          sets.run(done, count);
          done += count;
        }
      }
      left = due.count - done + pushed.count;
      sets.nextPass();
    }
    Round round = sets.end(left);
    if (round.launches() > 0) {
      add(round);
    }
    if (stop != null) {
      return stop;
    }
    large.count = Math.min(large.count, vertexRoom(sets) - sets.vertexSlots());
    stop = runRest(sets, round.waiting());
    pushed.count = 0;
    return stop;
  }

  /** Slots for vertices of which the mesh may use those below. */
  int vertexRoom(Insertions insertions) {
    long allowed = (long) insertions.vertexSlots() + vertexLimit - insertions.vertices();
    return (int) Math.min(insertions.vertexCapacity(), Math.max(allowed, insertions.vertexSlots()));
  }

  private void add(Round round) {
    refineMillis += round.millis();
    rounds.add(round);
    progress.accept(round);
  }

  /** Most items of one launch. */
  private int most(Insertions insertions) {
    long triangleRoom = (long) insertions.triangleCapacity() - insertions.triangleSlots();
    long vertexRoom = (long) insertions.vertexCapacity() - insertions.vertexSlots();
    long pushRoom = (pushed.places().length() - pushed.count) / kernels.mostPushes;
    long limit = Math.max(1, (long) vertexLimit - insertions.vertices());
    return (int)
        Math.min(
            Math.min(itemsIn(triangleRoom, insertions.trianglesEach()), itemsIn(vertexRoom, 1)),
            Math.min(Math.min(pushRoom, limit), MOST_ITEMS));
  }

  /**
   * Slots that so many items may need, of which each takes some, and threads keep twice as many.
   */
  private static long slotsFor(long items, int each) {
    return each * (items + 2 * Math.min(items, THREADS)) + CavityRooms.ROOMS * (long) each;
  }

  /** Items for which so many slots do. */
  private static long itemsIn(long slots, int each) {
    long usable = slots / each - CavityRooms.ROOMS;
    return usable <= 3 * THREADS ? Math.max(0, usable) / 3 : usable - 2 * THREADS;
  }

  /** Makes room for some items to run; if none can, returns why. */
  private Outcome makeRoom(Insertions insertions, int items) {
    if (insertions.vertices() >= vertexLimit) {
      return Outcome.VERTEX_LIMIT;
    }
    if (progressMade != null
        && progressMade.isEndless(
            insertions.vertices(), mesh, insertions.triangleSlots(), insertions.vertexSlots())) {
      return Outcome.NO_PROGRESS;
    }
    try {
      if ((pushed.places().length() - pushed.count) / kernels.mostPushes < 1) {
        pushed.reserve(pushed.count + pushed.places().length());
      }
      long triangles = insertions.triangleSlots() + slotsFor(items, insertions.trianglesEach());
      if (triangles > mesh.triangleCapacity()) {
        mesh.growTriangles(grown(triangles, DeviceMesh.MOST_TRIANGLES));
      }
      long vertices = insertions.vertexSlots() + slotsFor(items, 1);
      if (vertices > mesh.vertexCapacity()) {
        mesh.growVertices(grown(vertices, DeviceMesh.MOST_VERTICES));
      }
      insertions.grown();
    } catch (DeviceOutOfMemoryException e) {
      // What there is may do for fewer items.
    }
    return most(insertions) < 1 ? Outcome.OUT_OF_MEMORY : null;
  }

  private static int grown(long needed, int most) {
    return (int) Math.min(most, needed + needed / 4 + 1024);
  }

  // What the two kinds of insertions work with.

  Device device() {
    return device;
  }

  RefinementOptions options() {
    return options;
  }

  KernelModule module() {
    return module;
  }

  MeshKernels kernels() {
    return kernels;
  }

  DeviceMesh mesh() {
    return mesh;
  }

  DeviceArray<int[]> tallies() {
    return tallies;
  }

  ItemList pushed() {
    return pushed;
  }

  /** Items whose cavity was too large for a launch; a launch finds it empty. */
  ItemList large() {
    return large;
  }

  /** The mesh and what is asked of it: {@code mesh_arguments}, quality.cuh. */
  Fields meshFields() {
    return meshFields(mesh, options.insertion());
  }

  /** The same for a copy of it, or with other points that mend triangles. */
  Fields meshFields(DeviceMesh of, Insertion insertion) {
    return of.fields().set("asked", quality(of, insertion));
  }

  /** The module's variant. */
  Map<String, String> defines() {
    return defines;
  }

  /** Triangles of the largest cavity that a single thread of this device is to fill. */
  long mostAlone() {
    return mostAlone;
  }

  /** How vertices are inserted. */
  interface Insertions extends AutoCloseable {
    /**
     * Runs items of a list, and appends what they push to {@link RefinementRun#pushed()}.
     *
     * @param waiting items left for later, for the report
     */
    Round run(ItemList items, int first, int count, long waiting);

    /**
     * Runs the items of {@link RefinementRun#large()}, and empties it.
     *
     * @param waiting items left for later, for the report
     */
    Round runLarge(long waiting);

    /** Whether the last launches made no progress, because everybody lost. */
    default boolean stalled() {
      return false;
    }

    /**
     * Runs one of those that lost.
     *
     * @param waiting items left for later, for the report
     */
    default Round runAlone(long waiting) {
      throw new IllegalStateException("this kind of insertion always makes progress");
    }

    /** Slots for triangles that an item takes. */
    default int trianglesEach() {
      return 2;
    }

    /** Slots below which all triangles lie. */
    int triangleSlots();

    /** Slots below which all vertices lie. */
    int vertexSlots();

    /** Vertices of the mesh. */
    int vertices();

    /** Slots for triangles that it can use; fewer than the mesh has where growing it failed. */
    int triangleCapacity();

    /** Slots for vertices that it can use. */
    int vertexCapacity();

    /** Items given up. */
    long givenUp();

    /** Whether some of them were for segments that are never split. */
    boolean leftForSegments();

    /** The mesh's arrays have grown. */
    void grown();

    @Override
    void close();
  }

  /** Items on the device. */
  static final class ItemList implements AutoCloseable {
    int count;
    private final Device device;
    private DeviceArray<int[]> places;

    ItemList(Device device, int length) {
      this.device = device;
      this.places = device.ints(length);
    }

    DeviceArray<int[]> places() {
      return places;
    }

    /** Makes room for that many, keeping those there are. */
    void reserve(long length) {
      if (length <= places.length()) {
        return;
      }
      DeviceArray<int[]> more = device.ints(length + length / 4);
      int kept = (int) Math.min(count, places.length());
      if (kept > 0) {
        more.slice(0, kept).copyFrom(places.slice(0, kept));
      }
      places.close();
      places = more;
    }

    void append(int[] items) {
      reserve((long) count + items.length);
      places.slice(count, items.length).copyFrom(items);
      count += items.length;
    }

    @Override
    public void close() {
      places.close();
    }
  }

  @Override
  public void close() {
    Resources.close(pushed, large, order, tallies, mesh, module);
  }
}
