package io.magpie.algorithms.pointsto;

import io.magpie.algorithms.Options;
import io.magpie.algorithms.Phase;
import io.magpie.algorithms.Setting;
import io.magpie.algorithms.SettingList;
import io.magpie.algorithms.TransactionSettings;
import io.magpie.stm.StmOptions;
import java.util.List;
import java.util.Map;

/**
 * How points-to sets are found. Every permitted combination gives the same sets; they differ in
 * what they synchronize by, and in time.
 */
public final class PointsToOptions extends Options<PointsToOptions> {
  /** How sets reach the sets that include them. */
  public enum Propagation {
    /** Each node takes what those that it includes have: one writer for each set. */
    PULL,
    /** Each node whose set grew adds all of it to those that include it, by atomic operations. */
    PUSH,
    /** The same with what is new since it last did. */
    DIFFERENCE
  }

  /** What is done about nodes that include each other in a cycle. */
  public enum Cycles {
    /** Nothing. */
    NONE,
    /** They are merged while the analysis runs, by transactions. */
    TRANSACTIONS
  }

  private static final SettingList SETTINGS = new SettingList();

  /** {@link #propagation()}. */
  public static final Setting<Propagation> PROPAGATION =
      SETTINGS.add(
          Setting.oneOf(
                  "propagation", Propagation.PULL, "how sets reach the sets that include them")
              .meaning(Propagation.PULL, "every node takes, without atomic operations")
              .meaning(Propagation.PUSH, "nodes whose sets grew add them")
              .meaning(Propagation.DIFFERENCE, "the same with what is new in them"));

  /** {@link #cycles()}. */
  public static final Setting<Cycles> CYCLES =
      SETTINGS.add(
          Setting.oneOf(
                  "cycles", Cycles.TRANSACTIONS, "what is done about nodes that include each other")
              .meaning(Cycles.NONE, "nothing")
              .meaning(Cycles.TRANSACTIONS, "transactions merge them"));

  /** {@link #mergeSize()}. */
  public static final Setting<Integer> MERGE_SIZE =
      SETTINGS.add(
          Setting.whole("merge-size", 32, 2, 1 << 16, "how many nodes a transaction merges at most")
              .onlyWith(CYCLES.is(Cycles.TRANSACTIONS)));

  /** {@link #phaseTimes()}. */
  public static final Setting<Boolean> PHASE_TIMES = SETTINGS.add(Phase.TIMES);

  static {
    SETTINGS.addAll(TransactionSettings.onlyWith(CYCLES.is(Cycles.TRANSACTIONS)));
  }

  private static final PointsToOptions DEFAULTS = new PointsToOptions();

  private PointsToOptions() {}

  private PointsToOptions(Map<String, Object> values) {
    super(values);
  }

  /** By pulling, with cycles collapsed, phases timed. */
  public static PointsToOptions defaults() {
    return DEFAULTS;
  }

  @Override
  public List<Setting<?>> settings() {
    return SETTINGS.all();
  }

  @Override
  protected PointsToOptions copy(Map<String, Object> changed) {
    return new PointsToOptions(changed);
  }

  /** How sets reach the sets that include them; default {@link Propagation#PULL}. */
  public Propagation propagation() {
    return get(PROPAGATION);
  }

  /** A copy with another {@link #propagation()}. */
  public PointsToOptions withPropagation(Propagation value) {
    return with(PROPAGATION, value);
  }

  /**
   * What is done about nodes that include each other in a cycle; default {@link
   * Cycles#TRANSACTIONS}.
   */
  public Cycles cycles() {
    return get(CYCLES);
  }

  /** A copy with another {@link #cycles()}. */
  public PointsToOptions withCycles(Cycles value) {
    return with(CYCLES, value);
  }

  /**
   * How many nodes a transaction merges at most, 2 to 65,536; more of one cycle are merged by
   * several. Used by {@link Cycles#TRANSACTIONS} only; default 32.
   */
  public int mergeSize() {
    return get(MERGE_SIZE);
  }

  /**
   * A copy with another {@link #mergeSize()}.
   *
   * @throws io.magpie.algorithms.SettingException if it is out of range
   */
  public PointsToOptions withMergeSize(int value) {
    return with(MERGE_SIZE, value);
  }

  /**
   * Whether each phase is timed by itself, which waits for the device after every launch; default
   * true.
   */
  public boolean phaseTimes() {
    return get(PHASE_TIMES);
  }

  /** A copy with another {@link #phaseTimes()}. */
  public PointsToOptions withPhaseTimes(boolean value) {
    return with(PHASE_TIMES, value);
  }

  /** How transactions run; used by {@link Cycles#TRANSACTIONS} only. */
  public StmOptions stm() {
    return get(TransactionSettings.STM);
  }

  /** A copy with another {@link #stm()}. */
  public PointsToOptions withStm(StmOptions value) {
    return with(TransactionSettings.STM, value);
  }
}
