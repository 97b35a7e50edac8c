package io.magpie.algorithms.sat;

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
 * How survey propagation runs: when surveys count as converged, how many variables are decided at a
 * time and how, and how the local search goes about the rest.
 */
public final class SurveyOptions extends Options<SurveyOptions> {
  /** How variables are decided; the values are the same. */
  public enum Decimation {
    /**
     * A transaction for each variable: its value and the counters of its clauses change together,
     * and the variables that this decides by unit propagation are the next round's items.
     */
    TRANSACTIONS,
    /**
     * Values are marked without transactions, and all clauses counted anew until none is a unit.
     */
    MARKS
  }

  /** How variables are flipped by the local search. */
  public enum Flips {
    /** A transaction for each variable: its value and its clauses' counters change together. */
    TRANSACTIONS,
    /**
     * Of each round's variables those that mark all their clauses, none of which has a rival that
     * has waited longer; when rounds flip but few, the host goes on as by {@link #SEQUENTIAL}.
     */
    SETS,
    /** One after the other, by one thread of the host. */
    SEQUENTIAL
  }

  /** What follows where surveys do not converge. */
  public enum Unconverged {
    /** The local search takes over. */
    SEARCH,
    /**
     * Variables are decided by the surveys as they are then; the local search takes over if these
     * say that a variable can be neither true nor false.
     */
    DECIDE
  }

  private static final SettingList SETTINGS = new SettingList();

  /** {@link #decimation()}. */
  public static final Setting<Decimation> DECIMATION =
      SETTINGS.add(
          Setting.oneOf("decimation", Decimation.TRANSACTIONS, "how variables are decided")
              .meaning(Decimation.TRANSACTIONS, "transactions that push the units they make")
              .meaning(Decimation.MARKS, "marks; all clauses are counted again"));

  /** {@link #tolerance()}. */
  public static final Setting<Double> TOLERANCE =
      SETTINGS.add(
          Setting.decimal(
                  "tolerance",
                  0.01,
                  Range.above(0, 1),
                  "the largest change of a survey at which they have converged")
              .series(0.01, 0.001));

  /** {@link #maxSweeps()}. */
  public static final Setting<Integer> MAX_SWEEPS =
      SETTINGS.add(
          Setting.whole(
              "max-sweeps",
              1000,
              1,
              Integer.MAX_VALUE,
              "number of sweeps after which surveys count as not converging"));

  /** {@link #unconverged()}. */
  public static final Setting<Unconverged> UNCONVERGED =
      SETTINGS.add(
          Setting.oneOf(
                  "unconverged", Unconverged.SEARCH, "what follows where surveys do not converge")
              .meaning(Unconverged.SEARCH, "the local search takes over")
              .meaning(Unconverged.DECIDE, "variables are decided by the surveys as they are"));

  /** {@link #fraction()}. */
  public static final Setting<Double> FRACTION =
      SETTINGS.add(
          Setting.decimal(
                  "fraction",
                  0.01,
                  Range.above(0, 1),
                  "the part of the open variables that is decided at a time, at least one")
              .series(0.01, 0.04));

  /** {@link #paramagnetic()}. */
  public static final Setting<Double> PARAMAGNETIC =
      SETTINGS.add(
          Setting.decimal(
              "paramagnetic",
              0.01,
              Range.closed(0, 1),
              "the mean bias below which the rest is left to the local search"));

  /** {@link #flipsPerVariable()}. */
  public static final Setting<Integer> FLIPS_PER_VARIABLE =
      SETTINGS.add(
          Setting.whole(
              "flips-per-variable",
              200,
              0,
              Integer.MAX_VALUE,
              "maximum number of flips in the local search, per variable that is left"));

  /** {@link #flips()}. */
  public static final Setting<Flips> FLIPS =
      SETTINGS.add(
          Setting.oneOf("flips", Flips.SETS, "how the local search flips variables")
              .meaning(Flips.TRANSACTIONS, "each by a transaction")
              .meaning(
                  Flips.SETS,
                  "sets of variables without a common clause, and the last ones by the host")
              .meaning(Flips.SEQUENTIAL, "the host, one variable at a time")
              .onlyWith(FLIPS_PER_VARIABLE.isNot(0)));

  /** {@link #noise()}. */
  public static final Setting<Double> NOISE =
      SETTINGS.add(
          Setting.decimal(
                  "noise",
                  0.5,
                  Range.closed(0, 1),
                  "how often the local search flips a variable that is not the best")
              .series(0.5, 0.3)
              .onlyWith(FLIPS_PER_VARIABLE.isNot(0)));

  /** {@link #seed()}. */
  public static final Setting<Long> SEED =
      SETTINGS.add(
          Setting.wholeLong(
              "start",
              1,
              Long.MIN_VALUE,
              Long.MAX_VALUE,
              "seed of the first surveys and of the local search"));

  /** {@link #restarts()}. */
  public static final Setting<Integer> RESTARTS =
      SETTINGS.add(
          Setting.whole(
                  "restarts",
                  0,
                  0,
                  1_000_000,
                  "how often a run without a solution begins again, from other surveys")
              .series(0, 8));

  /** {@link #phaseTimes()}. */
  public static final Setting<Boolean> PHASE_TIMES = SETTINGS.add(Phase.TIMES);

  static {
    SETTINGS.addAll(
        TransactionSettings.onlyWith(
            DECIMATION.is(Decimation.TRANSACTIONS).or(FLIPS.is(Flips.TRANSACTIONS))));
  }

  private static final SurveyOptions DEFAULTS = new SurveyOptions();

  private SurveyOptions() {}

  private SurveyOptions(Map<String, Object> values) {
    super(values);
  }

  /** Decimation by transactions, flips by sets, 1 % at a time. */
  public static SurveyOptions defaults() {
    return DEFAULTS;
  }

  @Override
  public List<Setting<?>> settings() {
    return SETTINGS.all();
  }

  @Override
  protected SurveyOptions copy(Map<String, Object> changed) {
    return new SurveyOptions(changed);
  }

  /** How variables are decided; default {@link Decimation#TRANSACTIONS}. */
  public Decimation decimation() {
    return get(DECIMATION);
  }

  /** A copy with another {@link #decimation()}. */
  public SurveyOptions withDecimation(Decimation value) {
    return with(DECIMATION, value);
  }

  /**
   * How variables are flipped by the local search; default {@link Flips#SETS}. Of no effect if
   * there is none, as of {@link #noise}.
   */
  public Flips flips() {
    return get(FLIPS);
  }

  /** A copy with another {@link #flips()}. */
  public SurveyOptions withFlips(Flips value) {
    return with(FLIPS, value);
  }

  /**
   * Surveys have converged when none has changed by as much in a sweep; greater than 0, at most 1;
   * default 0.01.
   */
  public double tolerance() {
    return get(TOLERANCE);
  }

  /** A copy with another {@link #tolerance()}. */
  public SurveyOptions withTolerance(double value) {
    return with(TOLERANCE, value);
  }

  /** Sweeps, at least 1, after which surveys are said not to converge; default 1,000. */
  public int maxSweeps() {
    return get(MAX_SWEEPS);
  }

  /** A copy with another {@link #maxSweeps()}. */
  public SurveyOptions withMaxSweeps(int value) {
    return with(MAX_SWEEPS, value);
  }

  /**
   * What follows where surveys do not converge in {@link #maxSweeps}; default {@link
   * Unconverged#SEARCH}. To decide nevertheless solves some more formulas close to the threshold,
   * with about 100 sweeps at most.
   */
  public Unconverged unconverged() {
    return get(UNCONVERGED);
  }

  /** A copy with another {@link #unconverged()}. */
  public SurveyOptions withUnconverged(Unconverged value) {
    return with(UNCONVERGED, value);
  }

  /**
   * The part of the variables of open clauses that is decided at a time, greater than 0, at most 1;
   * rounded down, but at least one variable; default 0.01.
   */
  public double fraction() {
    return get(FRACTION);
  }

  /** A copy with another {@link #fraction()}. */
  public SurveyOptions withFraction(double value) {
    return with(FRACTION, value);
  }

  /**
   * The mean of |W+ - W-| over the variables of open clauses, 0 to 1, below which surveys are said
   * to tell nothing; default 0.01. With 0 all variables are decided by their bias.
   */
  public double paramagnetic() {
    return get(PARAMAGNETIC);
  }

  /** A copy with another {@link #paramagnetic()}. */
  public SurveyOptions withParamagnetic(double value) {
    return with(PARAMAGNETIC, value);
  }

  /**
   * The bound on the flips of the local search, for each variable that it may flip; default 200.
   * With 0 there is no local search, and the rest is what is left. A last round may exceed it, and
   * with {@link Flips#SETS} the rounds up to the next look at the bound; flips of the host do not.
   */
  public int flipsPerVariable() {
    return get(FLIPS_PER_VARIABLE);
  }

  /** A copy with another {@link #flipsPerVariable()}. */
  public SurveyOptions withFlipsPerVariable(int value) {
    return with(FLIPS_PER_VARIABLE, value);
  }

  /**
   * How often, 0 to 1, the local search flips any variable of a clause in place of the one that
   * breaks the fewest others, where each breaks some; default 0.5.
   */
  public double noise() {
    return get(NOISE);
  }

  /** A copy with another {@link #noise()}. */
  public SurveyOptions withNoise(double value) {
    return with(NOISE, value);
  }

  /**
   * The seed of the first surveys and of the local search; default 1. Except with {@link
   * Flips#TRANSACTIONS}, the same seed gives the same result on the same kind of device.
   */
  public long seed() {
    return get(SEED);
  }

  /** A copy with another {@link #seed()}. */
  public SurveyOptions withSeed(long value) {
    return with(SEED, value);
  }

  /**
   * How often, 0 to 1,000,000, a run that ends without a solution begins again; default 0. Restart
   * i, from 1, has the {@linkplain #seed seed} plus i times 2^32, and goes as a run with that seed
   * would: with other surveys it decides other variables, and its local search draws anew. There is
   * none once unit propagation alone has shown that there is no solution.
   */
  public int restarts() {
    return get(RESTARTS);
  }

  /** A copy with another {@link #restarts()}. */
  public SurveyOptions withRestarts(int value) {
    return with(RESTARTS, value);
  }

  /**
   * Whether each phase is timed by itself, which waits for the device after every launch; default
   * true.
   */
  public boolean phaseTimes() {
    return get(PHASE_TIMES);
  }

  /** A copy with another {@link #phaseTimes()}. */
  public SurveyOptions withPhaseTimes(boolean value) {
    return with(PHASE_TIMES, value);
  }

  /** How transactions run. */
  public StmOptions stm() {
    return get(TransactionSettings.STM);
  }

  /** A copy with another {@link #stm()}. */
  public SurveyOptions withStm(StmOptions value) {
    return with(TransactionSettings.STM, value);
  }
}
