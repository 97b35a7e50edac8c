package io.magpie.algorithms.partition;

import io.magpie.algorithms.Condition;
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
 * How a graph is partitioned. Every combination keeps the balance that is asked; they differ in the
 * cut, in what they synchronize by, and in time.
 */
public final class PartitionOptions extends Options<PartitionOptions> {
  /** Time against cut. */
  public enum Effort {
    /** Few rounds at each level. */
    FAST,
    /** Rounds until there is no progress. */
    DEFAULT,
    /**
     * Several series of rounds at each level, ever stricter about moves that raise the cut; those
     * of {@link #DEFAULT}, where they find better parts; and flows between pairs of parts, on the
     * host, see {@link PartitionOptions#flowVertices()}.
     */
    ULTRA
  }

  /** Which vertices may become one when a graph is coarsened. */
  public enum Coarsening {
    /** Any two that are matched. */
    MATCHING,
    /**
     * Two that are matched and lie in the same cluster of bounded weight, as long as that goes on
     * (Meyerhenke, Sanders, Schulz: Partitioning complex networks via size-constrained clustering,
     * SEA 2014). Pays where density varies: cuts of random geometric graphs and of nearest
     * neighbors are a tenth lower, of road networks 1 or 2 %. On meshes it gains little, on R-MAT
     * graphs nothing, and may take twice the time. Clusters depend on how threads ran.
     */
    CLUSTERS
  }

  /** How pairs of vertices are agreed on. */
  public enum Matching {
    /** Two that chose each other are a pair; the pairs do not depend on how threads ran. */
    PROPOSALS,
    /** Compare-and-swap takes both vertices, one after the other. */
    ATOMIC,
    /** A transaction takes both vertices (the thesis). */
    STM,
    /** Plain stores, of which those that were overwritten are corrected in the next launch. */
    ATOMIC_FREE
  }

  /** What makes a neighbor a good partner; ties are broken at random. */
  public enum Rating {
    /** Nothing: pairs are random. */
    RANDOM,
    /** The weight of the edge. */
    HEAVY_EDGE,
    /** The weight of the edge over the product of the vertices' weights, which keeps them even. */
    LIGHT_VERTICES
  }

  /** Among which neighbors a vertex chooses its partner. */
  public enum Candidates {
    /** Those not known to be taken. */
    FREE,
    /** All, whether taken or not: a vertex whose choice is taken stays alone (the thesis). */
    ANY
  }

  /** How the arcs of a coarser graph are summed up. */
  public enum Contraction {
    /** In a hash table for each coarse vertex. */
    HASH,
    /** By sorting each coarse vertex's arcs by target (the thesis). */
    SORT
  }

  /** How vertices change their parts. */
  public enum Refinement {
    /**
     * All at once, each move after its gain was computed again as if moves of higher gain were done
     * (Gilbert, Madduri, Boman, Rajamanickam: Jet, SIAM J. Sci. Comput. 2024).
     */
    ATOMIC,
    /**
     * A transaction moves one vertex, with its exact gain, and claims both parts in an inner one to
     * keep their weights (the thesis). It claims those neighbors that may move at the same time.
     */
    STM,
    /** The same, but no part is claimed: weights are kept by additions, which nobody waits for. */
    STM_RESERVED,
    /**
     * As {@link #ATOMIC}, but sums are formed between launches, and what leaves a part that is too
     * heavy is sorted by gain and found by prefix sums (after LaSalle, Karypis: Multi-threaded
     * graph partitioning, IPDPS 2013). No thread adds to what another one reads or adds to before
     * the launch has ended; refinement does not depend on how threads ran. All of the result does
     * not with {@link Coarsening#MATCHING}, {@link Matching#PROPOSALS} and {@link
     * Contraction#SORT}: hash tables leave arcs in an order that depends on it, and the partition
     * of the coarsest graph depends on that order.
     */
    ATOMIC_FREE;

    /** Whether its moves are transactions. */
    boolean transactional() {
      return this == STM || this == STM_RESERVED;
    }
  }

  /** What a vertex at the boundary of its part is taken to gain by leaving it. */
  public enum Gain {
    /** The weight of its edges to the part that it would go to, less that of those to its own. */
    EXACT,
    /**
     * The weight of its edges to all other parts over the root of their number, less that of those
     * to its own, rounded down (LaSalle, Karypis: Multi-threaded graph partitioning, IPDPS 2013;
     * the thesis, section 4.2.3). Decides who may move and who goes first; where a vertex goes and
     * whether its move pays is found exactly. The same as {@link #EXACT} where a vertex has
     * neighbors in one other part only.
     */
    ESTIMATED
  }

  /** Which moves of a round are transactions at the same time. */
  public enum MoveOrder {
    /** All; those of higher gain outrank the others. */
    RANKED,
    /**
     * Those of a range of gains, in the same way, and after them those of the next lower range:
     * half of the highest gain and more, then half of the highest that is left, and so on; one
     * range for moves that gain nothing, and one for those that lose (the thesis, section 4.4.3).
     */
    RANGES
  }

  private static final SettingList SETTINGS = new SettingList();

  /** {@link #parts()}. */
  public static final Setting<Integer> PARTS =
      SETTINGS.add(
          Setting.whole("parts", 64, 1, Integer.MAX_VALUE, "number of parts")
              .shown('k', "K")
              .mandatory());

  /** {@link #partWeights()}. */
  public static final Setting<PartShares> PART_WEIGHTS =
      SETTINGS.add(
          Setting.custom(
                  "part-weights",
                  PartShares.EVEN,
                  PartShares::parse,
                  PartShares::toString,
                  PartShares.expected(),
                  "even|[0-9.]+(E[+-]?[0-9]+)?(:[0-9.]+(E[+-]?[0-9]+)?)*",
                  "shares of the total weight for the parts, relative to their sum")
              .shown(null, "SHARES"));

  /** {@link #imbalance()}. */
  public static final Setting<Double> IMBALANCE =
      SETTINGS.add(
          Setting.decimal(
                  "imbalance",
                  0.03,
                  Range.closed(0, 1),
                  "share by which a part may exceed its intended weight, rounded up")
              .shown(null, "SHARE"));

  /** {@link #effort()}. */
  public static final Setting<Effort> EFFORT =
      SETTINGS.add(Setting.oneOf("effort", Effort.DEFAULT, "tradeoff of time and cut"));

  /** {@link #flowVertices()}. */
  public static final Setting<Integer> FLOW_VERTICES =
      SETTINGS.add(
          Setting.whole(
                  "flow-vertices",
                  4_000_000,
                  0,
                  Integer.MAX_VALUE,
                  "vertices that a graph may have to be refined by flows on the host, too")
              .onlyWith(EFFORT.is(Effort.ULTRA)));

  /** {@link #seed()}. */
  public static final Setting<Long> SEED =
      SETTINGS.add(
          Setting.wholeLong(
              "seed", 1, Long.MIN_VALUE, Long.MAX_VALUE, "seed of all random choices"));

  /** {@link #coarsening()}. */
  public static final Setting<Coarsening> COARSENING =
      SETTINGS.add(
          Setting.oneOf("coarsening", Coarsening.MATCHING, "which vertices may become one")
              .meaning(Coarsening.MATCHING, "any pairs")
              .meaning(
                  Coarsening.CLUSTERS,
                  "pairs within clusters while there are any: lower cuts of road networks and of"
                      + " random points"));

  /** {@link #matching()}. */
  public static final Setting<Matching> MATCHING =
      SETTINGS.add(
          Setting.oneOf("matching", Matching.PROPOSALS, "how pairs of vertices are agreed on")
              .meaning(Matching.PROPOSALS, "vertices that chose each other")
              .meaning(Matching.ATOMIC, "compare-and-swap")
              .meaning(Matching.STM, "transactions")
              .meaning(Matching.ATOMIC_FREE, "plain stores that are corrected"));

  /** {@link #rating()}. */
  public static final Setting<Rating> RATING =
      SETTINGS.add(
          Setting.oneOf("rating", Rating.LIGHT_VERTICES, "what makes a good partner")
              .meaning(Rating.RANDOM, "nothing")
              .meaning(Rating.HEAVY_EDGE, "the weight of the edge")
              .meaning(Rating.LIGHT_VERTICES, "that weight over those of the vertices"));

  /** {@link #candidates()}. */
  public static final Setting<Candidates> CANDIDATES =
      SETTINGS.add(
          Setting.oneOf("candidates", Candidates.FREE, "who may be chosen as a partner")
              .meaning(Candidates.FREE, "free neighbors")
              .meaning(
                  Candidates.ANY, "all neighbors; a vertex stays alone if its partner is taken"));

  /** {@link #contraction()}. */
  public static final Setting<Contraction> CONTRACTION =
      SETTINGS.add(
          Setting.oneOf("contraction", Contraction.HASH, "how the arcs of pairs are summed up")
              .meaning(Contraction.HASH, "hash tables")
              .meaning(Contraction.SORT, "sorting"));

  /** {@link #refinement()}. */
  public static final Setting<Refinement> REFINEMENT =
      SETTINGS.add(
          Setting.oneOf("refinement", Refinement.ATOMIC, "how vertices change their parts")
              .meaning(Refinement.ATOMIC, "all at once")
              .meaning(
                  Refinement.STM, "each by a transaction that also keeps the weights of both parts")
              .meaning(
                  Refinement.STM_RESERVED, "each by a transaction; weights are updated afterward")
              .meaning(Refinement.ATOMIC_FREE, "all at once, with sums by sorting and scans"));

  /** {@link #gain()}. */
  public static final Setting<Gain> GAIN =
      SETTINGS.add(
          Setting.oneOf("gain", Gain.EXACT, "by which gains moves are chosen and ranked")
              .meaning(Gain.EXACT, "those of the part that a vertex would go to")
              .meaning(
                  Gain.ESTIMATED,
                  "edges to all other parts together, over the root of their number"));

  /** {@link #moveOrder()}. */
  public static final Setting<MoveOrder> ORDER =
      SETTINGS.add(
          Setting.oneOf("order", MoveOrder.RANKED, "which moves are transactions at the same time")
              .meaning(MoveOrder.RANKED, "all of a round, higher gains first")
              .meaning(MoveOrder.RANGES, "those of a range of gains, one range after the other")
              .onlyWith(REFINEMENT.is(Refinement.STM, Refinement.STM_RESERVED)));

  /** {@link #phaseTimes()}. */
  public static final Setting<Boolean> PHASE_TIMES = SETTINGS.add(Phase.TIMES);

  private static final Condition TRANSACTIONAL =
      MATCHING.is(Matching.STM).or(REFINEMENT.is(Refinement.STM, Refinement.STM_RESERVED));

  static {
    SETTINGS.addAll(TransactionSettings.onlyWith(TRANSACTIONAL));
  }

  private static final PartitionOptions DEFAULTS = new PartitionOptions();

  private PartitionOptions() {}

  private PartitionOptions(Map<String, Object> values) {
    super(values);
    partWeights().requireCount(parts());
  }

  /** Defaults throughout, for 64 parts. */
  public static PartitionOptions defaults() {
    return DEFAULTS;
  }

  /**
   * The defaults for a number of parts.
   *
   * @param parts the number of parts, at least 1
   */
  public static PartitionOptions of(int parts) {
    return DEFAULTS.withParts(parts);
  }

  @Override
  public List<Setting<?>> settings() {
    return SETTINGS.all();
  }

  @Override
  protected PartitionOptions copy(Map<String, Object> changed) {
    return new PartitionOptions(changed);
  }

  /** Whether something of it runs as transactions, so that {@link #stm()} has an effect. */
  public boolean transactional() {
    return TRANSACTIONAL.holds(this);
  }

  /** The number of parts, at least 1. */
  public int parts() {
    return get(PARTS);
  }

  /**
   * A copy with another {@link #parts()}.
   *
   * @throws IllegalArgumentException if there are {@link #partWeights()} for another number
   */
  public PartitionOptions withParts(int value) {
    return with(PARTS, value);
  }

  /** The shares of the weight that the parts are to have; default {@link PartShares#EVEN}. */
  public PartShares partWeights() {
    return get(PART_WEIGHTS);
  }

  /**
   * A copy with other {@link #partWeights()}.
   *
   * @throws IllegalArgumentException if they are not for {@link #parts()} parts
   */
  public PartitionOptions withPartWeights(PartShares value) {
    return with(PART_WEIGHTS, value);
  }

  /**
   * The share by which a part may exceed the even weight, or the one that {@link #partWeights()}
   * gives it, 0 to 1; default 0.03. See {@link Balance}.
   */
  public double imbalance() {
    return get(IMBALANCE);
  }

  /** A copy with another {@link #imbalance()}. */
  public PartitionOptions withImbalance(double value) {
    return with(IMBALANCE, value);
  }

  /**
   * The seed of all random choices; default 1. Results may differ between runs with the same seed,
   * because threads race.
   */
  public long seed() {
    return get(SEED);
  }

  /** A copy with another {@link #seed()}. */
  public PartitionOptions withSeed(long value) {
    return with(SEED, value);
  }

  /** Time against cut; default {@link Effort#DEFAULT}. */
  public Effort effort() {
    return get(EFFORT);
  }

  /** A copy with another {@link #effort()}. */
  public PartitionOptions withEffort(Effort value) {
    return with(EFFORT, value);
  }

  /**
   * How many vertices a graph of the hierarchy may have, the input among them, to be refined by
   * flows between pairs of parts, too, on the cores of the host; 0 for none; default 4,000,000.
   * {@link Effort#ULTRA} only. That takes up to about 100 MB of Java's memory for each core, and 12
   * bytes a vertex and 8 an arc besides.
   */
  public int flowVertices() {
    return get(FLOW_VERTICES);
  }

  /** A copy with another {@link #flowVertices()}. */
  public PartitionOptions withFlowVertices(int value) {
    return with(FLOW_VERTICES, value);
  }

  /** Which vertices may become one; default {@link Coarsening#MATCHING}. */
  public Coarsening coarsening() {
    return get(COARSENING);
  }

  /** A copy with another {@link #coarsening()}. */
  public PartitionOptions withCoarsening(Coarsening value) {
    return with(COARSENING, value);
  }

  /**
   * How pairs of vertices are agreed on when a graph is coarsened; default {@link
   * Matching#PROPOSALS}.
   */
  public Matching matching() {
    return get(MATCHING);
  }

  /** A copy with another {@link #matching()}. */
  public PartitionOptions withMatching(Matching value) {
    return with(MATCHING, value);
  }

  /** Which neighbors are preferred there; default {@link Rating#LIGHT_VERTICES}. */
  public Rating rating() {
    return get(RATING);
  }

  /** A copy with another {@link #rating()}. */
  public PartitionOptions withRating(Rating value) {
    return with(RATING, value);
  }

  /** Among which neighbors a vertex chooses there; default {@link Candidates#FREE}. */
  public Candidates candidates() {
    return get(CANDIDATES);
  }

  /** A copy with another {@link #candidates()}. */
  public PartitionOptions withCandidates(Candidates value) {
    return with(CANDIDATES, value);
  }

  /** How the arcs of a coarser graph are summed up; default {@link Contraction#HASH}. */
  public Contraction contraction() {
    return get(CONTRACTION);
  }

  /** A copy with another {@link #contraction()}. */
  public PartitionOptions withContraction(Contraction value) {
    return with(CONTRACTION, value);
  }

  /** How vertices change their parts; default {@link Refinement#ATOMIC}. */
  public Refinement refinement() {
    return get(REFINEMENT);
  }

  /** A copy with another {@link #refinement()}. */
  public PartitionOptions withRefinement(Refinement value) {
    return with(REFINEMENT, value);
  }

  /** By which gains moves for the cut are chosen and ranked; default {@link Gain#EXACT}. */
  public Gain gain() {
    return get(GAIN);
  }

  /** A copy with another {@link #gain()}. */
  public PartitionOptions withGain(Gain value) {
    return with(GAIN, value);
  }

  /**
   * Which moves are transactions at the same time; default {@link MoveOrder#RANKED}. {@link
   * Refinement#STM} and {@link Refinement#STM_RESERVED} only.
   */
  public MoveOrder moveOrder() {
    return get(ORDER);
  }

  /** A copy with another {@link #moveOrder()}. */
  public PartitionOptions withMoveOrder(MoveOrder value) {
    return with(ORDER, value);
  }

  /**
   * Whether each phase is timed by itself, which waits for the device after every launch: some
   * hundredths of a millisecond each on a GPU; default true.
   */
  public boolean phaseTimes() {
    return get(PHASE_TIMES);
  }

  /** A copy with another {@link #phaseTimes()}. */
  public PartitionOptions withPhaseTimes(boolean value) {
    return with(PHASE_TIMES, value);
  }

  /**
   * How transactions run; used by {@link Matching#STM}, {@link Refinement#STM} and {@link
   * Refinement#STM_RESERVED}.
   */
  public StmOptions stm() {
    return get(TransactionSettings.STM);
  }

  /** A copy with another {@link #stm()}. */
  public PartitionOptions withStm(StmOptions value) {
    return with(TransactionSettings.STM, value);
  }
}
