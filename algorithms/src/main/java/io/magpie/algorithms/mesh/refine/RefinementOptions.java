package io.magpie.algorithms.mesh.refine;

import io.magpie.algorithms.Condition;
import io.magpie.algorithms.Options;
import io.magpie.algorithms.Setting;
import io.magpie.algorithms.Setting.Range;
import io.magpie.algorithms.SettingList;
import io.magpie.algorithms.TransactionSettings;
import io.magpie.algorithms.mesh.Splitting;
import io.magpie.algorithms.mesh.TriangleAreaBound;
import io.magpie.stm.StmOptions;
import java.util.List;
import java.util.Map;

/**
 * How a mesh is refined. Every combination gives a valid mesh within the same bounds; they differ
 * in how concurrent insertions are kept apart, in time, and a little in which vertices they insert.
 */
public final class RefinementOptions extends Options<RefinementOptions> {
  /** The largest bound on angles that can be asked for. */
  public static final double LARGEST_ANGLE = 33;

  /** How concurrent insertions are kept apart. */
  public enum Synchronization {
    /** Each insertion is a transaction over the triangles of its cavity and those around it. */
    TRANSACTIONS,
    /**
     * Cavities are marked by an atomic maximum in one launch; the next one fills those that kept
     * their marks. After the race and check phases of Nasre, Burtscher and Pingali (2013).
     */
    MARKS,
    /**
     * Race, prioritycheck and check of Nasre, Burtscher and Pingali (2013), three launches without
     * an atomic mark; where all items of a round lose, one of them is run alone.
     */
    THREE_PHASES,
    /**
     * The same, and then at once, until none is left, those that lost, with atomic marks and the
     * cavities that they have where these are intact (Kumar and Vadhiyar).
     */
    TWO_STAGES,
    /** The same with atomic marks from the start. */
    ATOMIC_STAGES,
    /**
     * Steps, each of which fills a maximal set of cavities that do not {@linkplain Overlap
     * overlap}, of all bad triangles and segments to be split; cavities of more than 24 triangles
     * are filled between steps. It measures the available parallelism (Kulkarni, Burtscher, Inkulu,
     * Pingali and Cascaval, 2009): the vertices that a {@link RefinementReport.Round} inserted
     * which is not {@linkplain RefinementReport.Round#large() large}.
     */
    MAXIMAL_SETS;

    /** Whether {@link RefinementOptions#phases()} has an effect. */
    public boolean inPhases() {
      return this == THREE_PHASES || this == TWO_STAGES || this == ATOMIC_STAGES;
    }
  }

  /**
   * How vertices and triangles are numbered while a mesh is refined. The result's vertices of the
   * input are numbered as there in any case.
   */
  public enum Layout {
    /** As in the input; the default. */
    AS_GIVEN,
    /** Along a Hilbert curve: what is near in the plane is near in memory. */
    HILBERT,
    /** At random, by a fixed seed: what an input without any order would do. */
    SHUFFLED
  }

  /** Which cavities are not filled in the same step of {@link Synchronization#MAXIMAL_SETS}. */
  public enum Overlap {
    /**
     * Those of which a triangle of one, or next to it, is a triangle of the other, or next to it.
     */
    NEIGHBORHOODS,
    /** Those of which a triangle of one is a triangle of the other, or next to it. */
    CAVITIES
  }

  /** Which point mends a bad triangle. */
  public enum Insertion {
    /** The off-center of its shortest edge (Üngör 2009), or the circumcenter if that is nearer. */
    OFF_CENTER,
    /** Its circumcenter (Ruppert 1995). */
    CIRCUMCENTER
  }

  private static final SettingList SETTINGS = new SettingList();

  /** {@link #minimumAngle()}. */
  public static final Setting<Double> ANGLE =
      SETTINGS.add(
          Setting.decimal(
                  "angle",
                  30,
                  Range.closed(0, LARGEST_ANGLE).in("degrees"),
                  "smallest allowed angle of a triangle")
              .shown(null, "DEGREES"));

  /** {@link #maximumArea()}. */
  public static final Setting<Double> MAX_AREA =
      SETTINGS.add(
          Setting.decimal(
                  "max-area",
                  0,
                  Range.atLeast(0),
                  "largest allowed area of a triangle, in units of the input's coordinates; 0 for"
                      + " no bound")
              .shown(null, "AREA"));

  /** {@link #areaBound()}. */
  public static final Setting<TriangleAreaBound> AREA_BOUND =
      SETTINGS.add(
          Setting.inJava(
              "area-bound", TriangleAreaBound.NONE, "largest allowed area of each triangle"));

  /** {@link #maximumVertices()}. */
  public static final Setting<Integer> MAX_VERTICES =
      SETTINGS.add(
          Setting.whole(
              "max-vertices",
              0,
              0,
              Integer.MAX_VALUE,
              "number of vertices at which refinement stops, unfinished; with 0 it stops where"
                  + " edges become too short for the input"));

  /** {@link #maximumSteinerPoints()}. */
  public static final Setting<Integer> STEINER =
      SETTINGS.add(
          Setting.whole(
              "steiner",
              -1,
              -1,
              Integer.MAX_VALUE,
              "number of inserted vertices at which refinement stops, unfinished; -1 for no"
                  + " bound"));

  /** {@link #splitting()}. */
  public static final Setting<Splitting> SPLIT =
      SETTINGS.add(
          Setting.oneOf("split", Splitting.ALL, "which segments may be split")
              .meaning(Splitting.ALL, "any")
              .meaning(Splitting.INSIDE, "those not on the boundary of the domain or its holes")
              .meaning(Splitting.NONE, "no segment"));

  /** {@link #synchronization()}. */
  public static final Setting<Synchronization> SYNC =
      SETTINGS.add(
          Setting.oneOf(
                  "sync", Synchronization.TRANSACTIONS, "how concurrent insertions are kept apart")
              .meaning(Synchronization.TRANSACTIONS, "each is a transaction")
              .meaning(Synchronization.MARKS, "cavities marked by an atomic maximum")
              .meaning(Synchronization.THREE_PHASES, "race, prioritycheck, and check")
              .meaning(Synchronization.TWO_STAGES, "the same, then losers with atomic marks")
              .meaning(Synchronization.ATOMIC_STAGES, "the same with atomic marks from the start")
              .meaning(
                  Synchronization.MAXIMAL_SETS,
                  "as many at once as do not overlap, to measure parallelism"));

  /** {@link #insertion()}. */
  public static final Setting<Insertion> POINT =
      SETTINGS.add(
          Setting.oneOf("point", Insertion.OFF_CENTER, "which point repairs a bad triangle"));

  /** {@link #layout()}. */
  public static final Setting<Layout> LAYOUT =
      SETTINGS.add(
          Setting.oneOf("layout", Layout.AS_GIVEN, "how the mesh is numbered during refinement")
              .meaning(Layout.AS_GIVEN, "as in the input")
              .meaning(Layout.HILBERT, "along a Hilbert curve")
              .meaning(Layout.SHUFFLED, "at random"));

  private static final Condition IN_PHASES =
      SYNC.is(
          Synchronization.THREE_PHASES, Synchronization.TWO_STAGES, Synchronization.ATOMIC_STAGES);

  /** {@link #slice()}. */
  public static final Setting<Integer> SLICE =
      SETTINGS.add(
          Setting.whole(
                  "slice",
                  0,
                  0,
                  1 << 20,
                  "items that are marked together; with 0 the device decides")
              .onlyWith(
                  SYNC.is(Synchronization.MARKS, Synchronization.MAXIMAL_SETS).or(IN_PHASES)));

  /** {@link #overlap()}. */
  public static final Setting<Overlap> OVERLAP =
      SETTINGS.add(
          Setting.oneOf(
                  "overlap",
                  Overlap.NEIGHBORHOODS,
                  "what cavities of a step may not have in common")
              .meaning(Overlap.NEIGHBORHOODS, "a triangle of theirs, or next to them")
              .meaning(
                  Overlap.CAVITIES, "a triangle of one of them that is in or next to the other")
              .onlyWith(SYNC.is(Synchronization.MAXIMAL_SETS)));

  /** {@link #phases()}; what the settings of {@link PhasedMarkingOptions} are components of. */
  public static final Setting<PhasedMarkingOptions> PHASES =
      Setting.inJava("phases", PhasedMarkingOptions.defaults(), "how marks are set in phases");

  static {
    SETTINGS.addAll(phaseSettings());
  }

  /** {@link #batch()}. */
  public static final Setting<Double> BATCH =
      SETTINGS.add(
          Setting.decimal(
                  "batch",
                  1.0 / 256,
                  Range.above(0, 1),
                  "minimum share of the bad triangles that a launch takes, those with the shortest"
                      + " edges")
              .series(1.0 / 512, 1.0 / 16, 1.0 / 4, 1.0)
              .shown(null, "SHARE")
              .onlyWith(
                  SYNC.is(Synchronization.TRANSACTIONS, Synchronization.MARKS)
                      .or(
                          PhasedMarkingOptions.workSetting()
                              .onlyWith(IN_PHASES)
                              .is(PhasedMarkingOptions.Work.LISTS))));

  static {
    SETTINGS.add(PHASES.onlyWith(IN_PHASES));
    SETTINGS.addAll(TransactionSettings.onlyWith(SYNC.is(Synchronization.TRANSACTIONS)));
  }

  private static final RefinementOptions DEFAULTS = new RefinementOptions();

  private RefinementOptions() {}

  private RefinementOptions(Map<String, Object> values) {
    super(values);
  }

  /** The settings of {@link #phases()}. */
  public static List<Setting<?>> phaseSettings() {
    return PhasedMarkingOptions.settings().stream()
        .<Setting<?>>map(each -> each.onlyWith(IN_PHASES))
        .toList();
  }

  /** Defaults throughout. */
  public static RefinementOptions defaults() {
    return DEFAULTS;
  }

  @Override
  public List<Setting<?>> settings() {
    return SETTINGS.all();
  }

  @Override
  protected RefinementOptions copy(Map<String, Object> changed) {
    return new RefinementOptions(changed);
  }

  /**
   * The least angle of every triangle, in degrees, 0 to 33; default 30. Up to 20.7 it is proven
   * that refinement ends where segments meet at 60 degrees or more; up to 28.6 with off-centers
   * where the input allows it; beyond that it does so in practice up to 33, while at 33.5 and 34 it
   * was seen not to end on coasts of 300 segments and on points in a square.
   */
  public double minimumAngle() {
    return get(ANGLE);
  }

  /** A copy with another {@link #minimumAngle()}. */
  public RefinementOptions withMinimumAngle(double value) {
    return with(ANGLE, value);
  }

  /**
   * The largest area of a triangle; 0, the default, for no bound. Refused where there is no room
   * for so many triangles, unless {@link #maximumVertices()} or {@link #maximumSteinerPoints()}
   * says where to stop.
   */
  public double maximumArea() {
    return get(MAX_AREA);
  }

  /** A copy with another {@link #maximumArea()}. */
  public RefinementOptions withMaximumArea(double value) {
    return with(MAX_AREA, value);
  }

  /**
   * The largest area of each triangle, by where it lies and by its shape; {@link
   * TriangleAreaBound#NONE} by default. {@link #maximumArea()} and bounds of regions hold too. The
   * function is asked on the host, in passes: before the first one and after each, the mesh is
   * copied there, and it is asked about every triangle; those that are larger are then refined to a
   * quarter of their area, or to the bound if that is more. So a bound that is 4^n times smaller
   * takes some n passes, and what it asks of a triangle is not asked of those that take its place.
   * Refused for a mesh in which area bounds differ where no segment is between. Options with the
   * same function are equal.
   */
  public TriangleAreaBound areaBound() {
    return get(AREA_BOUND);
  }

  /** A copy with another {@link #areaBound()}. */
  public RefinementOptions withAreaBound(TriangleAreaBound value) {
    return with(AREA_BOUND, value);
  }

  /**
   * The number of inserted vertices, Steiner points, at which refinement stops, unfinished; -1, the
   * default, for no bound. {@link #maximumVertices()} counts the input's vertices, too. Unlike with
   * that, refinement still stops by itself where edges become too short for the input.
   */
  public int maximumSteinerPoints() {
    return get(STEINER);
  }

  /** A copy with another {@link #maximumSteinerPoints()}. */
  public RefinementOptions withMaximumSteinerPoints(int value) {
    return with(STEINER, value);
  }

  /** Whether a number of vertices is asked at which to stop. */
  boolean stopsAtVertices() {
    return maximumVertices() > 0 || maximumSteinerPoints() >= 0;
  }

  /** The number of vertices at which to stop, of a mesh that begins with some. */
  long mostVertices(int before) {
    long most = maximumVertices() > 0 ? maximumVertices() : Long.MAX_VALUE;
    return maximumSteinerPoints() < 0
        ? most
        : Math.min(most, (long) before + maximumSteinerPoints());
  }

  /**
   * Which segments may be split; default {@link Splitting#ALL}. A bad triangle whose {@linkplain
   * #insertion() repair point} is beyond a segment that stays whole, or too near it, is left as it
   * is, and counted; no other point is tried. Refinement then ends with {@link
   * RefinementReport.Outcome#SEGMENTS_KEPT}.
   */
  public Splitting splitting() {
    return get(SPLIT);
  }

  /** A copy with another {@link #splitting()}. */
  public RefinementOptions withSplitting(Splitting value) {
    return with(SPLIT, value);
  }

  /** How concurrent insertions are kept apart; default {@link Synchronization#TRANSACTIONS}. */
  public Synchronization synchronization() {
    return get(SYNC);
  }

  /** A copy with another {@link #synchronization()}. */
  public RefinementOptions withSynchronization(Synchronization value) {
    return with(SYNC, value);
  }

  /** Which point mends a bad triangle; default {@link Insertion#OFF_CENTER}. */
  public Insertion insertion() {
    return get(POINT);
  }

  /** A copy with another {@link #insertion()}. */
  public RefinementOptions withInsertion(Insertion value) {
    return with(POINT, value);
  }

  /**
   * The vertices of the mesh at which refinement stops, unfinished; 0, the default, allows any
   * number, but stops where edges become shorter than a hundredth of the input's smallest feature,
   * and of the edges that a bound on areas asks for; that is looked for from 16 vertices for each
   * of the input and 4 for each largest triangle, and 100,000 more.
   */
  public int maximumVertices() {
    return get(MAX_VERTICES);
  }

  /** A copy with another {@link #maximumVertices()}. */
  public RefinementOptions withMaximumVertices(int value) {
    return with(MAX_VERTICES, value);
  }

  /**
   * The share of the bad triangles that a launch takes at least, above 0 up to 1: those of the
   * shortest edges, in classes of a factor 1.4, provided that their edges differ by less than a
   * factor of 64; smaller shares need fewer vertices and more launches; default 1/256. Where
   * segments meet at less than 60 degrees, those that are to be split are launched first, however
   * few. Without effect in phases with {@link PhasedMarkingOptions.Work#SLOTS} and with {@link
   * Synchronization#MAXIMAL_SETS}.
   */
  public double batch() {
    return get(BATCH);
  }

  /** A copy with another {@link #batch()}. */
  public RefinementOptions withBatch(double value) {
    return with(BATCH, value);
  }

  /**
   * How many items are marked together; not with {@link Synchronization#TRANSACTIONS}; 0, the
   * default, lets the device choose.
   */
  public int slice() {
    return get(SLICE);
  }

  /** A copy with another {@link #slice()}. */
  public RefinementOptions withSlice(int value) {
    return with(SLICE, value);
  }

  /**
   * Which cavities are not filled in the same step; default {@link Overlap#NEIGHBORHOODS}. {@link
   * Synchronization#MAXIMAL_SETS} only.
   */
  public Overlap overlap() {
    return get(OVERLAP);
  }

  /** A copy with another {@link #overlap()}. */
  public RefinementOptions withOverlap(Overlap value) {
    return with(OVERLAP, value);
  }

  /**
   * How vertices and triangles are numbered while the mesh is refined; default {@link
   * Layout#AS_GIVEN}.
   */
  public Layout layout() {
    return get(LAYOUT);
  }

  /** A copy with another {@link #layout()}. */
  public RefinementOptions withLayout(Layout value) {
    return with(LAYOUT, value);
  }

  /**
   * How transactions run; {@link Synchronization#TRANSACTIONS} only. Refinement chooses the work of
   * each launch itself:
   *
   * <ul>
   *   <li>{@link StmOptions#mostRounds()} has no effect.
   *   <li>{@link StmOptions#deferral()} has losers wait for the next launch. On GPUs and in the
   *       simulator they do anyway under policies that {@linkplain
   *       io.magpie.stm.Policy.Progress#excludesLivelock() exclude livelock}.
   *   <li>{@link StmOptions#maxAttempts()} bounds the attempts of an item in one launch; after them
   *       it waits for the next, and is not given up. Where losers wait, only attempts whose wait
   *       for a lock expired, and eager ones, are followed by another.
   *   <li>{@link StmOptions#backOff()} and {@link StmOptions#backOffNanos()} are of pauses between
   *       attempts of one launch: few where losers wait.
   *   <li>{@link StmOptions#timeout()} bounds each launch, not the refinement. Items that wait and
   *       make each other fail in every launch end otherwise: after {@value
   *       io.magpie.stm.Region#IDLE_ROUNDS} launches in a row that inserted nothing and left items,
   *       one runs alone, with attempts that only the timeout bounds.
   * </ul>
   */
  public StmOptions stm() {
    return get(TransactionSettings.STM);
  }

  /** A copy with another {@link #stm()}. */
  public RefinementOptions withStm(StmOptions value) {
    return with(TransactionSettings.STM, value);
  }

  /**
   * How marks are set in phases; not with {@link Synchronization#TRANSACTIONS}, {@code MARKS} and
   * {@code MAXIMAL_SETS}.
   */
  public PhasedMarkingOptions phases() {
    return get(PHASES);
  }

  /** A copy with another {@link #phases()}. */
  public RefinementOptions withPhases(PhasedMarkingOptions value) {
    return with(PHASES, value);
  }
}
