package io.magpie.algorithms.nbody;

import io.magpie.algorithms.Options;
import io.magpie.algorithms.Phase;
import io.magpie.algorithms.Setting;
import io.magpie.algorithms.Setting.Range;
import io.magpie.algorithms.SettingList;
import io.magpie.algorithms.TransactionSettings;
import io.magpie.stm.StmOptions;
import java.util.List;
import java.util.Map;

/**
 * How bodies are simulated. Of the same bodies all ways to build the tree give the same one, and on
 * one device the same forces to the last bit; they differ in what they synchronize by, and in time.
 */
public final class NBodyOptions extends Options<NBodyOptions> {
  /** How the octree is built. */
  public enum Tree {
    /** One transaction for each body. */
    TRANSACTIONS,
    /** A lock for each octant; bodies that meet one are put off to a later pass. */
    LOCKS,
    /** From sorted keys, without atomic operations (Karras, HPG 2012). */
    MORTON
  }

  /** The type of masses, positions, velocities and forces on the device. */
  public enum Precision {
    /** 32 bits, 24 of them significant. */
    FLOAT,
    /** 64 bits, 53 of them significant. */
    DOUBLE
  }

  private static final SettingList SETTINGS = new SettingList();

  /** {@link #steps()}. */
  public static final Setting<Integer> STEPS =
      SETTINGS.add(
          Setting.whole(
              "steps", 1, 0, 1_000_000_000, "time steps; with 0 only the forces are computed"));

  /** {@link #timeStep()}. */
  public static final Setting<Double> TIME_STEP =
      SETTINGS.add(
          Setting.decimal("time-step", 0.025, Range.above(0, 1e9), "length of a time step")
              .shown(null, "TIME"));

  /** {@link #theta()}. */
  public static final Setting<Double> THETA =
      SETTINGS.add(
          Setting.decimal(
                  "theta",
                  0.5,
                  Range.closed(0, 1),
                  "ratio of size to distance from which a cell is opened; with 0 all are")
              .series(0.5, 0.7, 1.0));

  /** {@link #softening()}. */
  public static final Setting<Double> SOFTENING =
      SETTINGS.add(
          Setting.decimal(
                  "softening",
                  0.05,
                  Range.closed(0, 1e9),
                  "length whose square is added to the squared distance of any two bodies")
              .shown(null, "LENGTH"));

  /** {@link #tree()}. */
  public static final Setting<Tree> TREE =
      SETTINGS.add(
          Setting.oneOf("tree", Tree.MORTON, "how the octree is built")
              .meaning(Tree.TRANSACTIONS, "a transaction for each body")
              .meaning(Tree.LOCKS, "a lock for each octant")
              .meaning(Tree.MORTON, "from sorted keys"));

  /** {@link #growth()}. */
  public static final Setting<Integer> GROWTH =
      SETTINGS.add(
          Setting.whole(
                  "growth",
                  0,
                  0,
                  1_000_000,
                  "a pass inserts this many times the bodies already inserted; with 0 all"
                      + " bodies are inserted at once")
              .onlyWith(TREE.is(Tree.TRANSACTIONS)));

  /** {@link #precision()}. */
  public static final Setting<Precision> PRECISION =
      SETTINGS.add(
          Setting.oneOf("precision", Precision.DOUBLE, "type of numbers on the device")
              .meaning(Precision.FLOAT, "32 bits")
              .meaning(Precision.DOUBLE, "64 bits"));

  /** {@link #phaseTimes()}. */
  public static final Setting<Boolean> PHASE_TIMES = SETTINGS.add(Phase.TIMES);

  static {
    SETTINGS.addAll(TransactionSettings.onlyWith(TREE.is(Tree.TRANSACTIONS)));
  }

  private static final NBodyOptions DEFAULTS = new NBodyOptions();

  private NBodyOptions() {}

  private NBodyOptions(Map<String, Object> values) {
    super(values);
  }

  /** One step of 0.025 in double precision, from sorted keys, phases timed. */
  public static NBodyOptions defaults() {
    return DEFAULTS;
  }

  @Override
  public List<Setting<?>> settings() {
    return SETTINGS.all();
  }

  @Override
  protected NBodyOptions copy(Map<String, Object> changed) {
    return new NBodyOptions(changed).checked();
  }

  /** Numbers of which the device would make 0, or nearly so. */
  private NBodyOptions checked() {
    boolean single = precision() == Precision.FLOAT;
    double least = single ? Float.MIN_NORMAL : Double.MIN_NORMAL;
    String suffix = single ? " with precision=float; use precision=double" : "";
    if (timeStep() / 2 < least) {
      throw new IllegalArgumentException(
          "time-step=" + timeStep() + " is too small: at least " + 2 * least + suffix);
    }
    if (softening() > 0 && softening() * softening() < least) {
      throw new IllegalArgumentException(
          "softening="
              + softening()
              + " is too small to be squared: 0, or at least "
              + Math.sqrt(least)
              + suffix);
    }
    return this;
  }

  /** Time steps, 0 to 10^9; default 1. */
  public int steps() {
    return get(STEPS);
  }

  /** A copy with other {@link #steps()}. */
  public NBodyOptions withSteps(int value) {
    return with(STEPS, value);
  }

  /** The length of a time step, above 0, up to 10^9; default 0.025. */
  public double timeStep() {
    return get(TIME_STEP);
  }

  /** A copy with another {@link #timeStep()}. */
  public NBodyOptions withTimeStep(double value) {
    return with(TIME_STEP, value);
  }

  /**
   * A cell of size s acts as one on a body farther from its center of mass than s / theta plus the
   * distance between that center and the cube's own (Barnes, 1994); 0 to 1, default 0.5. With 0
   * every two bodies act on each other.
   */
  public double theta() {
    return get(THETA);
  }

  /** A copy with another {@link #theta()}. */
  public NBodyOptions withTheta(double value) {
    return with(THETA, value);
  }

  /**
   * Two bodies attract each other as if their distance were the root of its square plus this one's;
   * 0 to 10^9, default 0.05.
   */
  public double softening() {
    return get(SOFTENING);
  }

  /** A copy with another {@link #softening()}. */
  public NBodyOptions withSoftening(double value) {
    return with(SOFTENING, value);
  }

  /** How the octree is built; default {@link Tree#MORTON}. */
  public Tree tree() {
    return get(TREE);
  }

  /** A copy with another {@link #tree()}. */
  public NBodyOptions withTree(Tree value) {
    return with(TREE, value);
  }

  /**
   * How many times as many bodies as all passes before it a pass of transactions inserts, after a
   * first one of a few; 0 to 10^6, default 0. Bodies of a pass meet where there are few cells yet:
   * with a small growth fewer attempts abort, and there are more passes. With 0 all bodies are
   * inserted at once, into the empty root. Used by {@link Tree#TRANSACTIONS} only.
   */
  public int growth() {
    return get(GROWTH);
  }

  /** A copy with another {@link #growth()}. */
  public NBodyOptions withGrowth(int value) {
    return with(GROWTH, value);
  }

  /** The type of numbers on the device; default {@link Precision#DOUBLE}. */
  public Precision precision() {
    return get(PRECISION);
  }

  /** A copy with another {@link #precision()}. */
  public NBodyOptions withPrecision(Precision value) {
    return with(PRECISION, value);
  }

  /**
   * Whether each phase is timed by itself, which waits for the device after every launch; default
   * true.
   */
  public boolean phaseTimes() {
    return get(PHASE_TIMES);
  }

  /** A copy with another {@link #phaseTimes()}. */
  public NBodyOptions withPhaseTimes(boolean value) {
    return with(PHASE_TIMES, value);
  }

  /** How transactions run; used by {@link Tree#TRANSACTIONS} only. */
  public StmOptions stm() {
    return get(TransactionSettings.STM);
  }

  /** A copy with another {@link #stm()}. */
  public NBodyOptions withStm(StmOptions value) {
    return with(TransactionSettings.STM, value);
  }
}
