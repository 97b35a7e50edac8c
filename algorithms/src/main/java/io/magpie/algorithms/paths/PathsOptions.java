package io.magpie.algorithms.paths;

import io.magpie.algorithms.Options;
import io.magpie.algorithms.Phase;
import io.magpie.algorithms.Setting;
import io.magpie.algorithms.SettingList;
import io.magpie.algorithms.TransactionSettings;
import io.magpie.stm.StmOptions;
import java.util.List;
import java.util.Map;

/**
 * How shortest paths are computed. With the same {@linkplain #lengths() lengths}, every permitted
 * combination gives the same distances; they differ in what they synchronize by, in the shortest
 * path that they choose where there are several, and in time.
 */
public final class PathsOptions extends Options<PathsOptions> {
  /** How long an arc is. */
  public enum Lengths {
    /** 1: distances are numbers of arcs, by breadth-first search. */
    UNIT,
    /** As long as its weight, 0 or more: an int or a float, as the graph has them. */
    WEIGHTS
  }

  /** Which vertices relax their arcs in a round. */
  public enum Drive {
    /** All that are reached, until no distance falls. */
    TOPOLOGY,
    /** Those whose distance has fallen, or that are to be reached next. */
    DATA
  }

  /** From which end arcs are relaxed. */
  public enum Direction {
    /** Vertices offer distances along the arcs that leave them. */
    PUSH,
    /**
     * Vertices look along the arcs that enter them: one writer for each distance, and nothing is
     * synchronized.
     */
    PULL,
    /**
     * Level by level the one that promises to look at fewer arcs (Beamer, Asanovic and Patterson,
     * "Direction-optimizing breadth-first search", SC 2012). {@link Lengths#UNIT} and {@link
     * Drive#DATA} only.
     */
    AUTO
  }

  /** In which order vertices of a frontier relax their arcs. */
  public enum Order {
    /** All at once. */
    NONE,
    /**
     * The near ones first, until none is left below a threshold, which then rises (Davidson,
     * Baxter, Garland and Owens, "Work-efficient parallel GPU methods for single-source shortest
     * paths", IPDPS 2014). {@link Lengths#WEIGHTS}, {@link Drive#DATA} and {@link Direction#PUSH}
     * only.
     */
    NEAR_FAR,
    /**
     * Range by range of distances: those that are farther wait in bins, of which the first that is
     * not empty is next (Meyer and Sanders, "Delta-stepping: a parallelizable shortest path
     * algorithm", Journal of Algorithms 49, 2003). {@link Lengths#WEIGHTS}, {@link Drive#DATA} and
     * {@link Direction#PUSH} only.
     */
    BINS
  }

  /** What becomes of predecessors. */
  public enum Predecessors {
    /**
     * They change together with distances: by transactions, or in the same 64-bit word, which then
     * has 32 bits for each. A graph whose distances might need more is refused, unless there are
     * transactions.
     */
    WITH_DISTANCE,
    /** They are found from the distances, by a lock-free pass. */
    AFTERWARDS,
    /** There are none. */
    NONE
  }

  /** How a vertex takes a distance that is offered to it. */
  public enum Sync {
    /**
     * One transaction for each offer, which changes distance and predecessor: {@link
     * Predecessors#WITH_DISTANCE} only.
     */
    TRANSACTIONAL,
    /** An atomic operation of 64 bits. */
    ATOMIC,
    /** Plain stores, repeated until nothing changes. */
    ATOMIC_FREE
  }

  /** By which threads the vertices that push relax their arcs. */
  public enum Balance {
    /** Warps take equal pieces of all those arcs, wherever vertices begin and end. */
    PIECES,
    /** A lane for each vertex, however many arcs it has: no balance, to compare with. */
    NONE,
    /**
     * Vertices of more arcs than {@link #degreeBound()} are split into nodes, each with a share of
     * the arcs and a distance of its own, and there is a lane for each node (Kumar and Vadhiyar,
     * "Load balancing and dynamic parallelism for static and morph graph algorithms").
     */
    SPLIT,
    /**
     * The same with nodes that share the distance of their vertex (Nodehi Sabet, Qiu and Zhao,
     * "Tigr: transforming irregular graphs for GPU-friendly graph processing", ASPLOS 2018).
     */
    VIRTUAL_SPLIT,
    /**
     * A lane for each vertex of {@link #degreeBound()} arcs or fewer; the others are listed, and a
     * second launch in the same round cuts their arcs into equal pieces: in place of child grids
     * that threads launch.
     */
    HEAVY
  }

  /** Synchronization last: whatever comes before it goes with its default. */
  private static final SettingList SETTINGS = new SettingList();

  /** {@link #lengths()}. */
  public static final Setting<Lengths> LENGTHS =
      SETTINGS.add(
          Setting.oneOf("lengths", Lengths.UNIT, "how long an arc is")
              .meaning(Lengths.UNIT, "1: breadth-first search")
              .meaning(Lengths.WEIGHTS, "as long as its weight"));

  /** {@link #drive()}. */
  public static final Setting<Drive> DRIVE =
      SETTINGS.add(
          Setting.oneOf("drive", Drive.DATA, "which vertices relax their arcs in a round")
              .meaning(Drive.TOPOLOGY, "all that are reached")
              .meaning(Drive.DATA, "those whose distance has fallen"));

  /** {@link #direction()}. */
  public static final Setting<Direction> DIRECTION =
      SETTINGS.add(
          Setting.oneOf("direction", Direction.PUSH, "from which end arcs are relaxed")
              .meaning(Direction.PUSH, "from where they leave")
              .meaning(Direction.PULL, "from where they enter")
              .meaning(Direction.AUTO, "per level, whichever reads fewer arcs"));

  /** {@link #order()}. */
  public static final Setting<Order> ORDER =
      SETTINGS.add(
          Setting.oneOf("order", Order.NONE, "which vertices of a frontier relax first")
              .meaning(Order.NONE, "all at once")
              .meaning(Order.NEAR_FAR, "near ones before far ones")
              .meaning(Order.BINS, "range by range of distances, from bins: delta-stepping")
              .onlyWith(LENGTHS.is(Lengths.WEIGHTS)));

  /** {@link #delta()}. */
  public static final Setting<Double> DELTA =
      SETTINGS.add(
          Setting.decimal(
                  "delta",
                  0,
                  Setting.Range.atLeast(0),
                  "width of a range of distances, or step of the threshold; a fraction needs float"
                      + " weights; with 0 the mean weight times 32 over the mean degree")
              .series(1.0, 16.0, 256.0, 4096.0)
              .onlyWith(ORDER.is(Order.NEAR_FAR, Order.BINS)));

  /** {@link #balance()}. */
  public static final Setting<Balance> BALANCE =
      SETTINGS.add(
          Setting.oneOf("balance", Balance.PIECES, "which threads relax arcs")
              .meaning(Balance.PIECES, "warps, by equal pieces of all arcs")
              .meaning(Balance.NONE, "a lane for each vertex")
              .meaning(Balance.SPLIT, "a lane for each node of split vertices")
              .meaning(
                  Balance.VIRTUAL_SPLIT, "the same with one distance for all nodes of a vertex")
              .meaning(Balance.HEAVY, "lanes, and a second launch for vertices with many arcs")
              .onlyWith(DIRECTION.is(Direction.PUSH)));

  /** {@link #degreeBound()}. */
  public static final Setting<Integer> DEGREE_BOUND =
      SETTINGS.add(
          Setting.whole(
                  "degree-bound",
                  0,
                  0,
                  Integer.MAX_VALUE,
                  "maximum number of arcs of a node; with heavy, of a vertex in the first launch; with 0 a"
                      + " histogram of degrees decides")
              .series(1, 8, 64, 512)
              .onlyWith(BALANCE.is(Balance.SPLIT, Balance.VIRTUAL_SPLIT, Balance.HEAVY)));

  /** {@link #predecessors()}. */
  public static final Setting<Predecessors> PREDECESSORS =
      SETTINGS.add(
          Setting.oneOf("predecessors", Predecessors.AFTERWARDS, "how predecessors are found")
              .meaning(Predecessors.WITH_DISTANCE, "together with distances")
              .meaning(Predecessors.AFTERWARDS, "from the distances")
              .meaning(Predecessors.NONE, "not at all"));

  /** {@link #sync()}. */
  public static final Setting<Sync> SYNC =
      SETTINGS.add(
          Setting.oneOf("sync", Sync.ATOMIC, "how a vertex takes a distance that is offered to it")
              .meaning(Sync.TRANSACTIONAL, "one transaction for distance and predecessor")
              .meaning(Sync.ATOMIC, "64-bit atomics")
              .meaning(Sync.ATOMIC_FREE, "repeated plain stores")
              .onlyWith(DIRECTION.is(Direction.PUSH, Direction.AUTO)));

  /** {@link #localRounds()}. */
  public static final Setting<Integer> LOCAL_ROUNDS =
      SETTINGS.add(
          Setting.whole(
                  "local-rounds",
                  -1,
                  -1,
                  1 << 16,
                  "maximum number of rounds that a warp runs by itself, on vertices whose distance it"
                      + " has lowered, while frontiers are small; with -1 as many as suit the device")
              .series(0, 4, 16, 64)
              .onlyWith(SYNC.is(Sync.ATOMIC)));

  /** {@link #phaseTimes()}. */
  public static final Setting<Boolean> PHASE_TIMES = SETTINGS.add(Phase.TIMES);

  static {
    SETTINGS.addAll(TransactionSettings.onlyWith(SYNC.is(Sync.TRANSACTIONAL)));
  }

  private static final PathsOptions DEFAULTS = new PathsOptions();

  private PathsOptions() {}

  private PathsOptions(Map<String, Object> values) {
    super(values);
  }

  /**
   * Breadth-first search by levels, pushing, with atomics; predecessors afterwards; phases timed.
   */
  public static PathsOptions defaults() {
    return DEFAULTS;
  }

  @Override
  public List<Setting<?>> settings() {
    return SETTINGS.all();
  }

  @Override
  protected PathsOptions copy(Map<String, Object> changed) {
    return new PathsOptions(changed).checked();
  }

  private PathsOptions checked() {
    if (direction() == Direction.AUTO && (lengths() != Lengths.UNIT || drive() != Drive.DATA)) {
      throw new IllegalArgumentException(
          "direction=auto needs lengths=unit and drive=data: only in a search by levels is a vertex"
              + " done at the first arc from the last level");
    }
    if (direction() == Direction.PULL && drive() == Drive.DATA && lengths() != Lengths.UNIT) {
      throw new IllegalArgumentException(
          "direction=pull with lengths=weights needs drive=topology: any arc that enters a vertex"
              + " may be on its shortest path, so all are looked at");
    }
    if (order() != Order.NONE) {
      String order = "order=" + ORDER.write(order());
      if (lengths() != Lengths.WEIGHTS || drive() != Drive.DATA || direction() != Direction.PUSH) {
        throw new IllegalArgumentException(
            order
                + " needs lengths=weights, drive=data and direction=push: it sorts the"
                + " vertices that are to push by their distances");
      }
      if (sync() == Sync.ATOMIC_FREE) {
        throw new IllegalArgumentException(
            order
                + " needs sync=atomic or sync=transactional: plain stores may undo a"
                + " distance below the threshold");
      }
    }
    if (delta() != DELTA.byDefault() && !hasEffect(DELTA)) {
      throw new IllegalArgumentException(
          "delta="
              + DELTA.write(delta())
              + " has no effect with order="
              + ORDER.write(order())
              + "; leave it out, or use "
              + DELTA.condition().inVariants());
    }
    if (direction() == Direction.PULL && sync() != Sync.ATOMIC) {
      throw new IllegalArgumentException(
          "sync has no effect with direction=pull, where each distance has one writer; leave it"
              + " out");
    }
    checkBalance();
    if (localRounds() != LOCAL_ROUNDS.byDefault() && !mayGoOn()) {
      throw new IllegalArgumentException(
          "local-rounds="
              + localRounds()
              + " needs sync=atomic, drive=data, balance=pieces, direction=push or auto, and"
              + " order=none or near-far: the launches of such a search find out for themselves what is"
              + " next; leave it out");
    }
    if (sync() == Sync.TRANSACTIONAL && predecessors() != Predecessors.WITH_DISTANCE) {
      throw new IllegalArgumentException(
          "sync=transactional needs predecessors=with-distance: a distance alone needs no"
              + " transaction");
    }
    if (sync() == Sync.ATOMIC_FREE
        && predecessors() == Predecessors.WITH_DISTANCE
        && lengths() != Lengths.UNIT) {
      throw new IllegalArgumentException(
          "sync=atomic-free with lengths=weights needs predecessors=afterwards or none: a plain"
              + " store may undo a distance that others were derived from, and along arcs of length"
              + " 0 predecessors could then form a cycle");
    }
    return this;
  }

  /** Whether {@link #localRounds()} has an effect. */
  boolean mayGoOn() {
    return sync() == Sync.ATOMIC
        && drive() == Drive.DATA
        && balance() == Balance.PIECES
        && direction() != Direction.PULL
        && order() != Order.BINS;
  }

  private void checkBalance() {
    if (balance() != Balance.PIECES && direction() != Direction.PUSH) {
      throw new IllegalArgumentException(
          "balance has no effect with direction="
              + DIRECTION.write(direction())
              + ", where vertices look along the arcs that enter them; leave it out, or use"
              + " direction=push");
    }
    if (balance() != Balance.PIECES && sync() == Sync.TRANSACTIONAL) {
      throw new IllegalArgumentException(
          "balance="
              + BALANCE.write(balance())
              + " needs sync=atomic or atomic-free: transactions take offers from a list, which lanes"
              + " share evenly; leave balance out");
    }
    if (degreeBound() != DEGREE_BOUND.byDefault() && !hasEffect(DEGREE_BOUND)) {
      throw new IllegalArgumentException(
          "degree-bound="
              + degreeBound()
              + " has no effect with balance="
              + BALANCE.write(balance())
              + "; leave it out, or use "
              + DEGREE_BOUND.condition().inVariants());
    }
  }

  /** How long an arc is; default {@link Lengths#UNIT}. */
  public Lengths lengths() {
    return get(LENGTHS);
  }

  /** A copy with other {@link #lengths()}. */
  public PathsOptions withLengths(Lengths value) {
    return with(LENGTHS, value);
  }

  /** Which vertices relax their arcs in a round; default {@link Drive#DATA}. */
  public Drive drive() {
    return get(DRIVE);
  }

  /** A copy with another {@link #drive()}. */
  public PathsOptions withDrive(Drive value) {
    return with(DRIVE, value);
  }

  /** From which end arcs are relaxed; default {@link Direction#PUSH}. */
  public Direction direction() {
    return get(DIRECTION);
  }

  /** A copy with another {@link #direction()}. */
  public PathsOptions withDirection(Direction value) {
    return with(DIRECTION, value);
  }

  /** Which vertices of a frontier go first; default {@link Order#NONE}. */
  public Order order() {
    return get(ORDER);
  }

  /** A copy with another {@link #order()}. */
  public PathsOptions withOrder(Order value) {
    return with(ORDER, value);
  }

  /**
   * How wide a range of distances is with {@link Order#BINS}, or a step of the threshold with
   * {@link Order#NEAR_FAR}: a whole number of 1 or more, up to 2^31 - 1, where weights are ints;
   * with 0, the default, the mean weight times 32 over the mean degree, as Davidson et al. choose
   * it. Where weights are floats, 2^-50 of the largest distance that there could be is the least.
   */
  public double delta() {
    return get(DELTA);
  }

  /** A copy with another {@link #delta()}. */
  public PathsOptions withDelta(double value) {
    return with(DELTA, value);
  }

  /** By which threads arcs are relaxed; default {@link Balance#PIECES}. */
  public Balance balance() {
    return get(BALANCE);
  }

  /** A copy with another {@link #balance()}. */
  public PathsOptions withBalance(Balance value) {
    return with(BALANCE, value);
  }

  /**
   * The most arcs of a node, or with {@link Balance#HEAVY} of a vertex in the first launch, 1 or
   * more; with 0, the default, the largest degree in the fullest of ten equal buckets from 0 to the
   * largest degree of all, or in the first of equally full ones. It has an effect with {@link
   * Balance#SPLIT}, {@link Balance#VIRTUAL_SPLIT} and {@link Balance#HEAVY}.
   */
  public int degreeBound() {
    return get(DEGREE_BOUND);
  }

  /** A copy with another {@link #degreeBound()}. */
  public PathsOptions withDegreeBound(int value) {
    return with(DEGREE_BOUND, value);
  }

  /** How predecessors are found; default {@link Predecessors#AFTERWARDS}. */
  public Predecessors predecessors() {
    return get(PREDECESSORS);
  }

  /** A copy with other {@link #predecessors()}. */
  public PathsOptions withPredecessors(Predecessors value) {
    return with(PREDECESSORS, value);
  }

  /** How a vertex takes a distance; default {@link Sync#ATOMIC}. */
  public Sync sync() {
    return get(SYNC);
  }

  /** A copy with another {@link #sync()}. */
  public PathsOptions withSync(Sync value) {
    return with(SYNC, value);
  }

  /**
   * For how many rounds at most a warp goes on by itself, relaxing the arcs of vertices whose
   * distance it has lowered, before they join a frontier; 0 to 65,536, or -1, the default, for 16
   * on a GPU, with {@link Direction#AUTO} only where vertices have at most 8 arcs on average, and
   * none elsewhere. It does so while frontiers are small, once a search has had 32 of them, on
   * graphs without vertices of more arcs than two warps have lanes; {@link PathsReport#localRounds}
   * says whether it might. Distances of levels may then fall more than once, and with {@link
   * Direction#AUTO} vertices only push from then on. It needs {@link Sync#ATOMIC}, {@link
   * Drive#DATA}, {@link Balance#PIECES}, {@link Direction#PUSH} or {@link Direction#AUTO}, and no
   * bins; more than 0 needs warps of more than one lane.
   */
  public int localRounds() {
    return get(LOCAL_ROUNDS);
  }

  /** A copy with other {@link #localRounds()}. */
  public PathsOptions withLocalRounds(int value) {
    return with(LOCAL_ROUNDS, value);
  }

  /**
   * Whether each phase is timed by itself, which waits for the device after every launch: some
   * hundredths of a millisecond each on a GPU; default true.
   */
  public boolean phaseTimes() {
    return get(PHASE_TIMES);
  }

  /** A copy with another {@link #phaseTimes()}. */
  public PathsOptions withPhaseTimes(boolean value) {
    return with(PHASE_TIMES, value);
  }

  /** How transactions run; used by {@link Sync#TRANSACTIONAL} only. */
  public StmOptions stm() {
    return get(TransactionSettings.STM);
  }

  /** A copy with another {@link #stm()}. */
  public PathsOptions withStm(StmOptions value) {
    return with(TransactionSettings.STM, value);
  }
}
