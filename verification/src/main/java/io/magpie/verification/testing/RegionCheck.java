package io.magpie.verification.testing;

import io.magpie.stm.Device;
import io.magpie.stm.Policy;
import io.magpie.stm.simulator.Schedule;
import io.magpie.verification.explore.Strategy;
import io.magpie.verification.testing.internal.KeptDevices;
import io.magpie.verification.workload.ArgumentSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Checks a region with arguments that a test has drawn: under many schedules on the simulator, and
 * on real threads.
 *
 * <pre>{@code
 * @Property
 * void someoneStays(@ForAll @Size(min = 2, max = 8) int[] onCall) {
 *   RegionCheck.of(Path.of("on_call.cu"))
 *       .guarded("on_call", onCall)
 *       .items(onCall.length)
 *       .explore("pct:2", 200)
 *       .invariant(data -> assertTrue(someoneIn(data.ints("on_call"))))
 *       .check();
 * }
 * }</pre>
 *
 * <p>Of every run it is checked that the transactions are strictly serializable, and opaque where
 * reads are validated; that each item ended once and nothing stays claimed; on the simulator that
 * all accesses to the arguments are ordered, undone and repeatable ({@link
 * io.magpie.verification.data.DataChecker}); and the {@linkplain #invariant invariant} and the
 * {@linkplain #specification(Specification) specification}, if there are any. The first run that
 * fails ends the check with a {@link RegionFailure}.
 *
 * <p>jqwik makes the input of a failure smaller, this class the schedule: one that failed is tried
 * first with the next input, so both shrink together. All other schedules follow from the arguments
 * and from what is said here, so jqwik's seed finds them again.
 *
 * <p>A region is compiled once for each machine, and machines stay open until the tests are at
 * their end: JUnit's, where its launcher is on the class path, else the process's. Threads take
 * turns on a machine. Every run begins with the arguments' contents copied anew; with a few items
 * it takes less than a millisecond.
 *
 * <p>A region that pushes items runs in rounds, until none waits; each is checked as a run, and
 * begins with the data that the one before has left. Not thread-safe; a check may be repeated.
 */
@CheckReturnValue
public final class RegionCheck {
  /** The exploration if none is asked for. */
  private static final Exploring USUAL = new Exploring(Strategy.pct(2), 100);

  private static final String USUAL_MACHINE = "sim:0:4";

  /** Schedules that are tried. */
  record Exploring(Strategy strategy, long runs) {}

  /** What a region's data stand for, and what an item does to that. */
  record Model<S>(Function<RegionData, S> view, Specification<S> step) {}

  final RegionSource source;
  final List<Argument> arguments = new ArrayList<>();
  private final List<String> machines = new ArrayList<>();
  private final List<Exploring> explorations = new ArrayList<>();
  long items = 1;
  int runs = 3;
  Policy policy = Policy.HAND_OFF;
  Duration timeout = Duration.ofSeconds(60);
  Schedule replayed; // null unless that is all
  Consumer<RegionData> invariant = data -> {};
  Model<?> model; // null if there is none
  boolean mayCommitNothing;
  boolean leavesOutOtherOrder;
  final List<String> slotArrays = new ArrayList<>();

  private RegionCheck(RegionSource source) {
    this.source = source;
  }

  /** Of the only region of a file. */
  public static RegionCheck of(Path file) {
    return new RegionCheck(RegionSource.ofFile(file, null));
  }

  /** Of a region of a file. */
  public static RegionCheck of(Path file, String region) {
    return new RegionCheck(RegionSource.ofFile(file, Objects.requireNonNull(region, "region")));
  }

  /** Of a region of a module on the class path, as {@link Device#load(String)} finds it. */
  public static RegionCheck ofModule(String module, String region) {
    return new RegionCheck(RegionSource.ofModule(module, Objects.requireNonNull(region, "region")));
  }

  /** A field of objects: so many. */
  public RegionCheck objects(String field, long count) {
    return text(field, "objects:" + count, ".objects(\"" + field + "\", " + count + ")");
  }

  /**
   * A field that is a pool of slots.
   *
   * @param live how many are in use, the first ones
   */
  public RegionCheck pool(String field, long capacity, long live) {
    return text(
        field,
        "pool:" + capacity + ":" + live,
        ".pool(\"" + field + "\", " + capacity + ", " + live + ")");
  }

  /**
   * A field that is an array or a pointer; of unsigned numbers it takes the bits, and of structs
   * the 32-bit words of one after the other.
   */
  public RegionCheck array(String field, int... values) {
    return add(Argument.array(field, values.clone(), ""));
  }

  /** The same of a list that was drawn. */
  public RegionCheck array(String field, List<Integer> values) {
    return array(field, values.stream().mapToInt(each -> each).toArray());
  }

  /** The same of 64 bits. */
  public RegionCheck array(String field, long... values) {
    return add(Argument.array(field, values.clone(), "L"));
  }

  /** The same of {@code float}, all of them finite. */
  public RegionCheck array(String field, float... values) {
    return add(Argument.array(field, values.clone(), "f"));
  }

  /** The same of {@code double}, all of them finite. */
  public RegionCheck array(String field, double... values) {
    return add(Argument.array(field, values.clone(), ""));
  }

  /**
   * A guarded array whose datum i belongs to object i: its data and as many objects. For other
   * guards give {@code <field>.data} and {@code <field>.guards} each by itself: to share the
   * objects of another guarded array, {@code array("last.data", values).argument("last.guards",
   * "head.guards")}.
   */
  public RegionCheck guarded(String field, int... values) {
    return array(field + ".data", values).objects(field + ".guards", values.length);
  }

  /** The same of 64 bits. */
  public RegionCheck guarded(String field, long... values) {
    return array(field + ".data", values).objects(field + ".guards", values.length);
  }

  /** The same of {@code float}, all of them finite. */
  public RegionCheck guarded(String field, float... values) {
    return array(field + ".data", values).objects(field + ".guards", values.length);
  }

  /** The same of {@code double}, all of them finite. */
  public RegionCheck guarded(String field, double... values) {
    return array(field + ".data", values).objects(field + ".guards", values.length);
  }

  /** A field that is a number. */
  public RegionCheck number(String field, long value) {
    return text(field, Long.toString(value), ".number(\"" + field + "\", " + value + "L)");
  }

  /** The same for a {@code float} or {@code double}. */
  public RegionCheck number(String field, double value) {
    return text(field, Double.toString(value), ".number(\"" + field + "\", " + value + ")");
  }

  /**
   * A field that is a struct with some of the fields {@code offsets}, {@code neighbors}, {@code
   * sources} and {@code weights}.
   */
  public RegionCheck csr(String field, CsrGraph graph) {
    return add(Argument.csr(field, graph));
  }

  /**
   * A field as {@code magpie verify --arg} takes it, such as {@code zeros:9} or {@code null}.
   *
   * @throws IllegalArgumentException if it is none of the forms of {@link ArgumentSpec}
   */
  public RegionCheck argument(String field, String spec) {
    return text(
        field,
        ArgumentSpec.parse(spec).toString(),
        ".argument(\"" + field + "\", \"" + spec + "\")");
  }

  private RegionCheck text(String field, String spec, String call) {
    return add(Argument.text(field, spec, call));
  }

  private RegionCheck add(Argument argument) {
    if (arguments.stream().anyMatch(each -> each.field().equals(argument.field()))) {
      throw new IllegalArgumentException("'" + argument.field() + "' has an argument already");
    }
    arguments.add(argument);
    return this;
  }

  /** How many items each run has: 0 to {@code count - 1}. One unless it is said. */
  public RegionCheck items(long count) {
    items = count;
    return this;
  }

  /**
   * Machines by their specifications, such as {@code sim:0:4}, {@code cpu:4}, {@code cpu-checked:2}
   * or {@code cuda}. On a simulator schedules are {@linkplain #explore explored}, whatever its
   * seed; elsewhere there are so many {@linkplain #runs runs}. {@code sim:0:4} unless any are
   * named: warps of four, so that few items meet both within a warp and between warps.
   */
  public RegionCheck on(String... specs) {
    machines.addAll(List.of(specs));
    return this;
  }

  /** Also a GPU, if this machine has one. */
  public RegionCheck onGpuIfAny() {
    if (Device.whyNoGpu().isEmpty()) {
      machines.add("cuda");
    }
    return this;
  }

  /**
   * Schedules to try on each simulator, after the default one: 100 of {@code pct:2} unless any are
   * named.
   *
   * @param strategy as {@code magpie verify --explore} takes it: see {@link Strategy}
   * @param runs at most
   * @throws IllegalArgumentException if it is no strategy
   */
  public RegionCheck explore(String strategy, long runs) {
    explorations.add(new Exploring(Strategy.parse(strategy), runs));
    return this;
  }

  /**
   * Only this schedule, on simulators: a failure names it.
   *
   * @throws IllegalArgumentException if it is none
   */
  public RegionCheck replay(String schedule) {
    replayed = Schedule.parse(schedule);
    return this;
  }

  /** How often it runs on each machine that is not simulated: 3 times unless it is said. */
  public RegionCheck runs(int count) {
    runs = count;
    return this;
  }

  /**
   * The policy; {@link Policy#HAND_OFF} unless it is said. Accesses past the transaction are not
   * checked under policies that do not {@linkplain Policy#storesAtCommit() store at commits} alone,
   * and in recorded runs not under any whose reads leave no trace ({@link
   * Policy#hasVisibleReads()}).
   */
  public RegionCheck policy(Policy value) {
    policy = Objects.requireNonNull(value, "policy");
    return this;
  }

  /**
   * How long the runs on one machine may take; a minute unless it is said. A check that is not at
   * its end by then has failed. Compiling the region does not count.
   */
  public RegionCheck timeout(Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException("timeout: " + value + " is no time to check anything");
    }
    timeout = value;
    return this;
  }

  /**
   * What must hold of the data before the region runs and after each run.
   *
   * @param check throws an {@link AssertionError} or another exception if it does not hold
   */
  public RegionCheck invariant(Consumer<RegionData> check) {
    invariant = invariant.andThen(check);
    return this;
  }

  /**
   * What the region should have done: the items one after the other, in the serial order that the
   * run's history has, must end alike and leave the same in all arrays.
   */
  public RegionCheck specification(Specification<RegionData> item) {
    return specification(data -> data, item);
  }

  /**
   * The same of what the data stand for, as a list does for nodes in slots: of the view of the data
   * before the run the items make the view of those after it.
   *
   * @param view makes a state of its own in each call, which {@code equals} compares
   */
  public <S> RegionCheck specification(Function<RegionData, S> view, Specification<S> item) {
    if (model != null) {
      throw new IllegalStateException("there is a specification already");
    }
    model = new Model<>(view, item);
    return this;
  }

  /**
   * Lets checks pass in which no item commits, commits do nothing, or there are no items, so that
   * nothing was checked; they fail otherwise, most as a {@code vacuous run}.
   */
  public RegionCheck allowNoCommits() {
    mayCommitNothing = true;
    return this;
  }

  /**
   * Leaves out that items run in another order, too, of which the objects say nothing: for regions
   * of which several results are right and the order decides, such as the cell of a hash table that
   * an item gets. On recorded devices, data that differ by the order are then not compared at all.
   * A region whose code declares {@code order_dependent} needs no call.
   */
  public RegionCheck leaveOutOtherOrder() {
    leavesOutOtherOrder = true;
    return this;
  }

  /**
   * Declares that an array holds numbers of a pool's slots, which the checks of slots otherwise
   * infer from what runs do.
   */
  public RegionCheck slots(String array, String pool) {
    slotArrays.add(array + "=" + pool);
    return this;
  }

  /**
   * The same of an array that holds each number with something added to it.
   *
   * @param plus what is added, such as 1 where 0 stands for none: 0 to 2<sup>31</sup> - 1
   */
  public RegionCheck slots(String array, String pool, int plus) {
    return slots(array, pool + "+" + plus);
  }

  /** Declares that an array holds no numbers of slots, whatever they look like. */
  public RegionCheck noSlots(String array) {
    return slots(array, "none");
  }

  /**
   * Declares that the elements of an array, and the objects that guard them, are not those of the
   * slots of any pool, however many there are: something else is their index.
   */
  public RegionCheck notIndexedBySlots(String array) {
    return slots(array, "unindexed");
  }

  List<Exploring> explorations() {
    return explorations.isEmpty() ? List.of(USUAL) : Collections.unmodifiableList(explorations);
  }

  /**
   * Checks it, on one machine after the other.
   *
   * @throws RegionFailure if a run is wrong, or nothing was checked, or it took too long
   * @throws IllegalArgumentException if the arguments do not fit the region, or the invariant does
   *     not hold before it runs
   */
  public void check() {
    if (items < 0) {
      throw new IllegalArgumentException("items: " + items + " is less than 0");
    }
    if (items == 0) {
      if (!mayCommitNothing) {
        throw new RegionFailure(
            source.title()
                + ": there are no items, so nothing is checked; draw at least one, or"
                + " allowNoCommits()",
            List.of(),
            null);
      }
      return;
    }
    for (String spec : machines.isEmpty() ? List.of(USUAL_MACHINE) : machines) {
      KeptDevices.use(spec, kept -> new DeviceCheck(this, kept, spec).check());
    }
  }
}
