package io.magpie.algorithms.nbody;

import io.magpie.algorithms.internal.Elapsed;
import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.algorithms.internal.driver.Resources;
import io.magpie.algorithms.internal.driver.Scratch;
import io.magpie.algorithms.nbody.NBodyOptions.Precision;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelModule;
import io.magpie.stm.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Bodies on a device, and the launches that move them from step to step. */
final class Simulation implements AutoCloseable {
  static final String MODULE = "nbody";

  /**
   * Cells for so few bodies; of more, five to eight, of which half is needed if they are not
   * clustered.
   */
  private static final int LEAST_ROOM = 32;

  /** Parts of a step, whose times are taken. */
  private enum Part {
    KEYS,
    BUILD,
    SUMMARY,
    FORCE,
    MOVE
  }

  /** A part that has been started, and its time. */
  private record Timed(Part part, Timer timer) {}

  private final NBodyOptions options;
  private final List<AutoCloseable> made = new ArrayList<>();
  private final Launches launches;
  private final Scratch scratch;
  private final Reals reals;
  private final DeviceArray<long[]> box;
  private final DeviceArray<long[]> interactions;
  private final DeviceArray<int[]> totals;
  private final double uploadMillis;
  private final double[] millis = new double[Part.values().length];
  private final List<Timed> running = new ArrayList<>();
  private BodiesOnDevice bodies;
  private Cells cells;
  private TreeBuild build;
  private int step;
  private int cellCount = 1;
  private int depths = 1;
  private int passes;

  /**
   * Copies bodies to a device.
   *
   * @param room for so many cells
   */
  Simulation(Device device, Bodies given, NBodyOptions options, Cells.Room room) {
    this.options = options;
    KernelModule module = device.load(MODULE);
    made.add(module);
    this.launches = new Launches(module, options.phaseTimes(), options.stm(), true);
    this.reals = new Reals(device, options.precision());
    this.scratch = new Scratch(new DeviceMemory(device));
    made.add(scratch);
    try {
      long begin = System.nanoTime();
      bodies = new BodiesOnDevice(given, reals, scratch);
      made.add(bodies);
      uploadMillis = Elapsed.millisSince(begin);
      int n = given.count();
      cells = new Cells(launches, reals, room.orFirst(Math.max(LEAST_ROOM, (int) (5L * n / 8))));
      made.add(cells);
      box = scratch.longs("box", 2L * Bodies.DIMENSIONS);
      interactions = scratch.longs("interactions", 1);
      interactions.fill(0);
      totals = scratch.ints("totals", launches.constant("total_count"));
      build =
          switch (options.tree()) {
            case TRANSACTIONS ->
                new TransactionalBuild(bodies, cells, launches, scratch, totals, options.growth());
            case LOCKS -> new LockingBuild(bodies, cells, launches, scratch, totals);
            case MORTON -> new OrderedBuild(bodies, cells, launches, scratch, totals);
          };
      made.add(build);
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** A part of a step. Nothing waits for it unless it does so itself. */
  private void timed(Part part, Runnable launches) {
    Timer timer = this.launches.device().startTimer();
    running.add(new Timed(part, timer));
    launches.run();
    timer.stop();
  }

  /** Waits for all parts so far. */
  private void takeTimes() {
    for (Timed each : running) {
      millis[each.part().ordinal()] += each.timer().millis();
    }
    running.clear();
  }

  /**
   * Builds the tree over the bodies where they are now, and finds the forces on them. The host
   * looks at the device once after that, besides what a build needs.
   */
  void findForces() {
    if (bodies.count() == 0) {
      cells.clear(launches);
      cells.setUsed(1);
      return;
    }
    while (!foundForces()) {
      // There is more room now.
    }
  }

  /** The same; false if there was too little room for cells. */
  private boolean foundForces() {
    timed(Part.KEYS, this::findKeys);
    timed(Part.BUILD, () -> passes += build.build());
    timed(Part.SUMMARY, this::summarize);
    timed(Part.FORCE, this::sumForces);
    int[] now = totals.toArray();
    takeTimes();
    if (now[launches.constant("without_bounds")] != 0) {
      throw outOfBounds();
    }
    int needed = now[launches.constant("cell_total")];
    if (needed > cells.room()) {
      cells.grow(needed);
      return false;
    }
    cellCount = now[launches.constant("there_total")];
    depths = now[launches.constant("depth_total")];
    return true;
  }

  /** Masses as they are now. */
  double[] masses() {
    return reals.read(bodies.mass());
  }

  /**
   * All else as it is now, whatever it is.
   *
   * @param masses those of bodies; not copied
   */
  Checkpoint checkpoint(double[] masses) {
    return new Checkpoint(
        step,
        Bodies.unchecked(masses, reals.read(bodies.position()), reals.read(bodies.velocity())),
        reals.read(bodies.acceleration()),
        reals.read(bodies.potential()));
  }

  /** Waits for what has been launched. */
  void synchronize() {
    launches.device().synchronize();
  }

  /** One step of the leap-frog, from forces to forces. */
  void advance() {
    step++;
    if (bodies.count() == 0) {
      return;
    }
    timed(Part.MOVE, () -> move("kick_and_drift", true));
    findForces();
    timed(Part.MOVE, () -> move("kick", false));
  }

  private void findKeys() {
    int n = bodies.count();
    launches.run("begin_step", 1, new Fields().set("box", box).set("totals", totals));
    launches.run(
        reals.kernel("find_box"),
        n,
        new Fields().set("bodies", n).set("position", bodies.position()).set("box", box));
    launches.run(
        reals.kernel("find_keys"),
        n,
        new Fields()
            .set("bodies", n)
            .set("box", box)
            .set("position", bodies.position())
            .set("key", bodies.key())
            .set("totals", totals));
  }

  private DivergedException outOfBounds() {
    return new DivergedException(
        (step == 0
                ? "bodies are too far apart for "
                : "step " + step + " of " + options.steps() + ": bodies are beyond the range of ")
            + "precision="
            + NBodyOptions.PRECISION.write(options.precision())
            + (step == 0
                ? "; use units of greater length"
                : "; use a smaller time-step or more softening"));
  }

  /** Sums up cells, the deepest first, and puts bodies into the tree's order, from the root. */
  private void summarize() {
    int used = cells.used();
    launches.run(
        "link_cells",
        used,
        new Fields()
            .set("cells", used)
            .set("room", cells.room())
            .set("level", cells.level())
            .set("child", cells.child())
            .set("parent", cells.parent())
            .set("waits", cells.waits())
            .set("totals", totals));
    launches.run(
        reals.kernel("sum_cells"),
        used,
        new Fields()
            .set("cells", used)
            .set("room", cells.room())
            .set("theta", options.theta())
            .set("box", box)
            .set("totals", totals)
            .set("level", cells.level())
            .set("key", bodies.key())
            .set("mass", bodies.mass())
            .set("position", bodies.position())
            .set("child", cells.child())
            .set("next", bodies.next())
            .set("parent", cells.parent())
            .set("waits", cells.waits())
            .set("center", cells.center())
            .set("opens", cells.opens())
            .set("below", cells.below())
            .set("sample", cells.sample())
            .set("before", cells.before()));
    launches.run(
        reals.kernel("place_bodies"),
        bodies.count(),
        new Fields()
            .set("bodies", bodies.count())
            .set("room", cells.room())
            .set("totals", totals)
            .set("key", bodies.key())
            .set("child", cells.child())
            .set("next", bodies.next())
            .set("before", cells.before())
            .set("mass", bodies.mass())
            .set("position", bodies.position())
            .set("order", bodies.order())
            .set("placed", bodies.placed())
            .set("crowd", bodies.crowd())
            .set("node", cells.node())
            .set("octant", cells.octant()));
    launches.run(
        reals.kernel("place_cells"),
        used,
        new Fields()
            .set("cells", used)
            .set("room", cells.room())
            .set("totals", totals)
            .set("level", cells.level())
            .set("key", bodies.key())
            .set("child", cells.child())
            .set("before", cells.before())
            .set("parent", cells.parent())
            .set("center", cells.center())
            .set("opens", cells.opens())
            .set("below", cells.below())
            .set("sample", cells.sample())
            .set("node", cells.node())
            .set("octant", cells.octant()));
  }

  private void sumForces() {
    Fields fields =
        new Fields()
            .set("bodies", bodies.count())
            .set("room", cells.room())
            .set("totals", totals)
            .set("order", bodies.order())
            .set("placed", bodies.placed())
            .set("crowd", bodies.crowd())
            .set("node", cells.node())
            .set("octant", cells.octant())
            .set("acceleration", bodies.acceleration())
            .set("potential", bodies.potential())
            .set("interactions", interactions);
    reals.set(fields, "softening", options.softening());
    launches.run(reals.kernel("sum_forces"), bodies.count(), fields);
  }

  private void move(String kernel, boolean drifts) {
    long numbers = (long) Bodies.DIMENSIONS * bodies.count();
    Fields fields =
        new Fields()
            .set("numbers", numbers)
            .set("acceleration", bodies.acceleration())
            .set("velocity", bodies.velocity());
    reals.set(fields, "half", options.timeStep() / 2);
    if (drifts) {
      reals.set(fields, "step", options.timeStep());
      fields.set("position", bodies.position());
    }
    launches.run(reals.kernel(kernel), numbers, fields);
  }

  /**
   * The bodies as they are now.
   *
   * @throws DivergedException if a number is not finite, as below
   */
  Bodies bodies() {
    return Bodies.unchecked(
        finite("the mass", bodies.mass()),
        finite("the position", bodies.position()),
        finite("the velocity", bodies.velocity()));
  }

  double[] accelerations() {
    return finite("the acceleration", bodies.acceleration());
  }

  double[] potentials() {
    return finite("the potential", bodies.potential());
  }

  private double[] finite(String what, DeviceArray<?> array) {
    double[] values = reals.read(array);
    for (int i = 0; i < values.length; i++) {
      if (!Double.isFinite(values[i])) {
        throw new DivergedException(
            (step == 0 ? "" : "step " + step + " of " + options.steps() + ": ")
                + what
                + " of body "
                + i / (values.length / bodies.count())
                + " is "
                + values[i]
                + remedy(what));
      }
    }
    return values;
  }

  private String remedy(String what) {
    boolean given = step == 0 && !what.equals("the acceleration") && !what.equals("the potential");
    String precise = options.precision() == Precision.FLOAT ? ", or precision=double" : "";
    return given
        ? "; use larger units" + precise
        : (step == 0 ? "; use " : "; use a smaller time-step or ") + "more softening" + precise;
  }

  /** Copies what is needed to make the tree, and makes it when it is asked for. */
  Supplier<Octree> tree() {
    int bodyBit = launches.constant("body_bit");
    int[] child = cells.child().slice(0, (long) Octree.OCTANTS * cells.used()).toArray();
    int[] next = bodies.next().toArray();
    double[] center = reals.read(cells.center().slice(0, (long) Octree.SUMS * cells.used()));
    return () -> Octree.of(bodyBit, child, next, center);
  }

  NBodyReport report(Conserved before, Conserved after, double hostMillis) {
    takeTimes();
    return new NBodyReport(
        launches.device().description().spec(),
        options,
        cellCount,
        depths,
        passes,
        interactions.getLong(0),
        before,
        after,
        launches.phases(),
        launches.transactions(),
        millis[Part.KEYS.ordinal()],
        millis[Part.BUILD.ordinal()],
        millis[Part.SUMMARY.ordinal()],
        millis[Part.FORCE.ordinal()],
        millis[Part.MOVE.ordinal()],
        uploadMillis,
        hostMillis);
  }

  @Override
  public void close() {
    List<AutoCloseable> due = new ArrayList<>(made);
    running.forEach(each -> due.add(each.timer()));
    made.clear();
    running.clear();
    Resources.close(due);
  }
}
