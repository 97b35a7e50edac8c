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
import io.magpie.stm.parallel.Primitives;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Bodies on a device, and the launches that move them from step to step. */
final class Simulation implements AutoCloseable {
  static final String MODULE = "nbody";

  /** Cells for so few bodies, and more than there are bodies of many that are not clustered. */
  private static final int LEAST_ROOM = 32;

  private static final int LEVEL_BITS = 5;

  private final NBodyOptions options;
  private final List<AutoCloseable> made = new ArrayList<>();
  private final Launches launches;
  private final Primitives primitives;
  private final Scratch scratch;
  private final Reals reals;
  private final int keyDepth;
  private final DeviceArray<long[]> box;
  private final DeviceArray<long[]> interactions;
  private final DeviceArray<int[]> levelStarts;
  private final double uploadMillis;
  private BodiesOnDevice bodies;
  private Cells cells;
  private TreeBuild build;
  private Cube cube = new Cube(0, 0, 0, 0, 0);
  private int step;
  private int cellCount = 1;
  private int depths = 1;
  private int passes;
  private double keysMillis;
  private double buildMillis;
  private double summaryMillis;
  private double forceMillis;
  private double moveMillis;

  /** The bounding cube; see nbody.cuh. */
  private record Cube(double x, double y, double z, double side, double scale) {
    void addTo(Fields fields) {
      fields.set(
          "bounds",
          new Fields().set("x", x).set("y", y).set("z", z).set("side", side).set("scale", scale));
    }
  }

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
    this.primitives = Primitives.of(device);
    this.reals = new Reals(device, options.precision());
    this.keyDepth = launches.constant("key_depth");
    this.scratch = new Scratch(new DeviceMemory(device));
    made.add(scratch);
    try {
      long begin = System.nanoTime();
      bodies = new BodiesOnDevice(given, reals, scratch);
      made.add(bodies);
      uploadMillis = Elapsed.millisSince(begin);
      int n = given.count();
      cells =
          new Cells(
              device, reals, room.orFirst(Math.max(LEAST_ROOM, n)), launches.constant("no_level"));
      made.add(cells);
      box = scratch.longs("box", 2L * Bodies.DIMENSIONS);
      interactions = scratch.longs("interactions", 1);
      interactions.fill(0);
      levelStarts = scratch.ints("levelStarts", 1L << LEVEL_BITS);
      build =
          switch (options.tree()) {
            case TRANSACTIONS -> new TransactionalBuild(bodies, cells, launches, scratch);
            case LOCKS -> new LockingBuild(bodies, cells, launches, scratch);
            case MORTON -> new OrderedBuild(bodies, cells, launches, scratch);
          };
      made.add(build);
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** A part of a step, whose time is taken. */
  private double timed(Runnable part) {
    try (Timer timer = launches.device().startTimer()) {
      part.run();
      return timer.millis();
    }
  }

  /** Builds the tree over the bodies where they are now, and finds the forces on them. */
  void findForces() {
    if (bodies.count() == 0) {
      cells.clear();
      return;
    }
    keysMillis += timed(this::findKeys);
    buildMillis += timed(() -> passes += build.build());
    summaryMillis += timed(this::summarize);
    forceMillis += timed(this::sumForces);
  }

  /** One step of the leap-frog, from forces to forces. */
  void advance() {
    step++;
    if (bodies.count() == 0) {
      return;
    }
    moveMillis += timed(() -> move("kick_and_drift", true));
    findForces();
    moveMillis += timed(() -> move("kick", false));
  }

  private void findKeys() {
    int n = bodies.count();
    long[] none = {-1, -1, -1, 0, 0, 0};
    box.copyFrom(none);
    launches.run(
        reals.kernel("find_box"),
        n,
        new Fields().set("bodies", n).set("position", bodies.position()).set("box", box));
    cube = cube(box.toArray());
    Fields fields =
        new Fields().set("bodies", n).set("position", bodies.position()).set("key", bodies.key());
    cube.addTo(fields);
    launches.run(reals.kernel("find_keys"), n, fields);
  }

  /** The cube around bounds that are ordered bits of doubles. */
  private Cube cube(long[] bounds) {
    double[] least = new double[Bodies.DIMENSIONS];
    double side = 0;
    for (int k = 0; k < least.length; k++) {
      least[k] = ofOrderedBits(bounds[k]);
      side = Math.max(side, ofOrderedBits(bounds[least.length + k]) - least[k]);
    }
    if (!Double.isFinite(side)) {
      throw new DivergedException(
          (step == 0
                  ? "bodies are too far apart for "
                  : "step " + step + " of " + options.steps() + ": bodies are beyond the range of ")
              + "precision="
              + NBodyOptions.PRECISION.write(options.precision())
              + (step == 0
                  ? "; use units of greater length"
                  : "; use a smaller time-step or more softening"));
    }
    double scale = (1 << keyDepth) / side;
    return new Cube(least[0], least[1], least[2], side, Double.isInfinite(scale) ? 0 : scale);
  }

  private static double ofOrderedBits(long bits) {
    return Double.longBitsToDouble(bits < 0 ? bits & Long.MAX_VALUE : ~bits);
  }

  /** Sums up cells, the deepest first, and puts bodies into the tree's order, from the root. */
  private void summarize() {
    int used = cells.used();
    DeviceArray<int[]> key = scratch.ints("cellKey", used);
    DeviceArray<int[]> list = scratch.ints("cellList", used);
    launches.run(
        "list_cells",
        used,
        new Fields()
            .set("cells", used)
            .set("level", cells.level())
            .set("key", key)
            .set("cell", list));
    launches.primitives("sort_cells", used, () -> primitives.sort(key, list, LEVEL_BITS));
    levelStarts.fill(used);
    launches.run(
        "find_levels",
        used,
        new Fields().set("cells", used).set("key", key).set("start", levelStarts));
    int[] starts = levelStarts.toArray();
    cellCount = starts[launches.constant("no_level")]; // behind all cells, numbers that are none's
    depths = 0;
    while (depths < keyDepth && starts[depths] < cellCount) {
      depths++;
    }
    starts[depths] = cellCount;
    for (int depth = depths - 1; depth >= 0; depth--) {
      sumLevel(depth, list.slice(starts[depth], starts[depth + 1] - starts[depth]));
    }
    if (!build.ordersBodies()) {
      DeviceArray<int[]> first = scratch.ints("firstPlace", cells.room());
      first.set(0, 0);
      for (int depth = 0; depth < depths; depth++) {
        placeLevel(first, list.slice(starts[depth], starts[depth + 1] - starts[depth]));
      }
    }
  }

  private void sumLevel(int depth, DeviceArray<int[]> list) {
    Fields fields =
        new Fields()
            .set("count", list.length())
            .set("depth", depth)
            .set("theta", options.theta())
            .set("cells", list)
            .set("key", bodies.key())
            .set("mass", bodies.mass())
            .set("position", bodies.position())
            .set("child", cells.child())
            .set("next", bodies.next())
            .set("center", cells.center())
            .set("opens", cells.opens())
            .set("below", cells.below())
            .set("sample", cells.sample());
    cube.addTo(fields);
    launches.run(reals.kernel("sum_level"), list.length(), fields);
  }

  private void placeLevel(DeviceArray<int[]> first, DeviceArray<int[]> list) {
    launches.run(
        "place_level",
        list.length(),
        new Fields()
            .set("count", list.length())
            .set("cells", list)
            .set("child", cells.child())
            .set("next", bodies.next())
            .set("below", cells.below())
            .set("first", first)
            .set("order", bodies.order()));
  }

  private void sumForces() {
    Fields fields =
        new Fields()
            .set("bodies", bodies.count())
            .set("order", bodies.order())
            .set("child", cells.child())
            .set("next", bodies.next())
            .set("mass", bodies.mass())
            .set("position", bodies.position())
            .set("center", cells.center())
            .set("opens", cells.opens())
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
        keysMillis,
        buildMillis,
        summaryMillis,
        forceMillis,
        moveMillis,
        uploadMillis,
        hostMillis);
  }

  @Override
  public void close() {
    List<AutoCloseable> due = List.copyOf(made);
    made.clear();
    Resources.close(due);
  }
}
