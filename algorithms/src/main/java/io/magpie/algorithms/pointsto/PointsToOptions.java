package io.magpie.algorithms.pointsto;

import io.magpie.algorithms.Options;
import io.magpie.algorithms.Phase;
import io.magpie.algorithms.Setting;
import io.magpie.algorithms.SettingList;
import io.magpie.algorithms.TransactionSettings;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.StmOptions;
import java.util.BitSet;
import java.util.List;
import java.util.Map;

/**
 * How points-to sets are found. Every permitted combination gives the same sets; they differ in
 * what they synchronize by, and in time.
 */
public final class PointsToOptions extends Options<PointsToOptions> {
  /** How sets reach the sets that include them. */
  public enum Propagation {
    /** {@link #DIFFERENCE} on a GPU, {@link #PUSH} elsewhere: what takes less time in most runs. */
    AUTO,
    /**
     * Each node takes what those that it includes have: dense sets have one writer each, and need
     * no atomic operations.
     */
    PULL,
    /** Each node whose set grew adds all of it to those that include it, by atomic operations. */
    PUSH,
    /** The same with what is new since it last did. */
    DIFFERENCE
  }

  /** What is done about nodes that include each other in a cycle. */
  public enum Cycles {
    /**
     * {@link #NONE} on a GPU, where looking for cycles takes longer than what it saves, {@link
     * #TRANSACTIONS} elsewhere.
     */
    AUTO,
    /** Nothing. */
    NONE,
    /** They are merged while the analysis runs, by transactions. */
    TRANSACTIONS
  }

  /** How sets are kept. */
  public enum Form {
    /**
     * {@link #DENSE} where all sets have less than 32 MB that way, on a GPU less than a quarter of
     * its memory, {@link #SPARSE} elsewhere.
     */
    AUTO,
    /** A bit for each location, in a row for each variable. */
    DENSE,
    /** Only words of 64 locations that are not empty. */
    SPARSE
  }

  private static final SettingList SETTINGS = new SettingList();

  /** {@link #propagation()}. */
  public static final Setting<Propagation> PROPAGATION =
      SETTINGS.add(
          Setting.oneOf(
                  "propagation", Propagation.AUTO, "how sets reach the sets that include them")
              .meaning(Propagation.AUTO, "difference on GPUs, push elsewhere")
              .meaning(Propagation.PULL, "every node takes those that it includes")
              .meaning(Propagation.PUSH, "nodes whose sets grew add them")
              .meaning(Propagation.DIFFERENCE, "the same with what is new in them"));

  /** {@link #cycles()}. */
  public static final Setting<Cycles> CYCLES =
      SETTINGS.add(
          Setting.oneOf("cycles", Cycles.AUTO, "whether nodes that include each other are merged")
              .meaning(Cycles.AUTO, "none on GPUs, transactions elsewhere")
              .meaning(Cycles.NONE, "nothing")
              .meaning(Cycles.TRANSACTIONS, "transactions merge them"));

  /** {@link #mergeSize()}. */
  public static final Setting<Integer> MERGE_SIZE =
      SETTINGS.add(
          Setting.whole(
                  "merge-size", 32, 2, 1 << 16, "maximum number of nodes that a transaction merges")
              .onlyWith(CYCLES.is(Cycles.AUTO, Cycles.TRANSACTIONS)));

  /** {@link #sets()}. */
  public static final Setting<Form> SETS =
      SETTINGS.add(
          Setting.oneOf("sets", Form.AUTO, "how sets are kept")
              .meaning(
                  Form.AUTO, "dense up to 32 MB, on GPUs a quarter of their memory, sparse beyond")
              .meaning(Form.DENSE, "a bit for each location")
              .meaning(Form.SPARSE, "words that are not empty"));

  /** {@link #sparseWords()}. */
  public static final Setting<Integer> SPARSE_WORDS =
      SETTINGS.add(
          Setting.whole(
                  "sparse-words",
                  1 << 27,
                  1024,
                  1 << 30,
                  "maximum number of words of 64 locations in sparse sets")
              .onlyWith(SETS.is(Form.AUTO, Form.SPARSE)));

  /** {@link #phaseTimes()}. */
  public static final Setting<Boolean> PHASE_TIMES = SETTINGS.add(Phase.TIMES);

  static {
    SETTINGS.addAll(TransactionSettings.onlyWith(CYCLES.is(Cycles.AUTO, Cycles.TRANSACTIONS)));
  }

  /** Bytes of dense sets from which sparse ones are chosen on processors. */
  private static final long MOST_DENSE = 32_000_000;

  /** The same on a GPU, as a part of its memory. */
  private static final int MOST_DENSE_OF_GPU = 4;

  private static final PointsToOptions DEFAULTS = new PointsToOptions();

  private PointsToOptions() {}

  private PointsToOptions(Map<String, Object> values) {
    super(values);
  }

  /** As suits the device and the size of the sets, phases timed. */
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

  /** How sets reach the sets that include them; default {@link Propagation#AUTO}. */
  public Propagation propagation() {
    return get(PROPAGATION);
  }

  /** A copy with another {@link #propagation()}. */
  public PointsToOptions withPropagation(Propagation value) {
    return with(PROPAGATION, value);
  }

  /** What is done about nodes that include each other in a cycle; default {@link Cycles#AUTO}. */
  public Cycles cycles() {
    return get(CYCLES);
  }

  /** A copy with another {@link #cycles()}. */
  public PointsToOptions withCycles(Cycles value) {
    return with(CYCLES, value);
  }

  /**
   * How many nodes a transaction merges at most, 2 to 65,536; more of one cycle are merged by
   * several. Used only where transactions merge cycles; default 32.
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

  /** How sets are kept; default {@link Form#AUTO}. */
  public Form sets() {
    return get(SETS);
  }

  /** A copy with another {@link #sets()}. */
  public PointsToOptions withSets(Form value) {
    return with(SETS, value);
  }

  /**
   * How many words of 64 locations that are not empty sparse sets may have in all, 1,024 to 2^30;
   * default 2^27. The table has room for a few for each constraint at first, and is doubled when it
   * is full; a run whose sets have more words ends by {@link PointsToSizeException}.
   */
  public int sparseWords() {
    return get(SPARSE_WORDS);
  }

  /**
   * A copy with another {@link #sparseWords()}.
   *
   * @throws io.magpie.algorithms.SettingException if it is out of range
   */
  public PointsToOptions withSparseWords(int value) {
    return with(SPARSE_WORDS, value);
  }

  /**
   * These options with what {@code auto} stands for where a device analyzes constraints, as {@link
   * PointsToAnalysis#run} chooses and {@link PointsToReport#chosen} says afterwards.
   */
  public PointsToOptions chosen(Device device, ConstraintSet constraints) {
    BitSet locations = new BitSet(constraints.variables());
    for (int location : constraints.sources(ConstraintSet.Kind.ADDRESS_OF)) {
      locations.set(location);
    }
    return chosen(
        device.description().machine(),
        device.description().memoryBytes(),
        constraints.variables(),
        locations.cardinality());
  }

  /**
   * These options with what {@code auto} stands for.
   *
   * @param machine where
   * @param memoryBytes of the device
   * @param variables of the constraints
   * @param locations variables whose address is taken
   */
  PointsToOptions chosen(Machine machine, long memoryBytes, int variables, int locations) {
    boolean gpu = machine == Machine.CUDA;
    PointsToOptions chosen = this;
    if (propagation() == Propagation.AUTO) {
      chosen = chosen.withPropagation(gpu ? Propagation.DIFFERENCE : Propagation.PUSH);
    }
    if (cycles() == Cycles.AUTO) {
      chosen = chosen.withCycles(gpu ? Cycles.NONE : Cycles.TRANSACTIONS);
    }
    if (sets() == Form.AUTO) {
      int arrays = chosen.propagation() == Propagation.DIFFERENCE ? 4 : 1;
      long bytes = (long) arrays * variables * DenseSets.wordsPerRow(locations) * Long.BYTES;
      long most = gpu ? memoryBytes / MOST_DENSE_OF_GPU : MOST_DENSE;
      chosen = chosen.withSets(bytes < most ? Form.DENSE : Form.SPARSE);
    }
    return chosen;
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

  /** How transactions run; used only where they merge cycles. */
  public StmOptions stm() {
    return get(TransactionSettings.STM);
  }

  /** A copy with another {@link #stm()}. */
  public PointsToOptions withStm(StmOptions value) {
    return with(TransactionSettings.STM, value);
  }
}
