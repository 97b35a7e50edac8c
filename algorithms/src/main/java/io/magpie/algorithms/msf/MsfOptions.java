package io.magpie.algorithms.msf;

import io.magpie.algorithms.Options;
import io.magpie.algorithms.Phase;
import io.magpie.algorithms.Setting;
import io.magpie.algorithms.SettingList;
import io.magpie.algorithms.TransactionSettings;
import io.magpie.stm.StmOptions;
import java.util.List;
import java.util.Map;

/**
 * How a minimum or maximum spanning forest is computed. Every permitted combination with the same
 * objective gives a forest of the same weight; they differ in what they synchronize by, and in
 * time.
 */
public final class MsfOptions extends Options<MsfOptions> {
  /** Which spanning forests are looked for. */
  public enum Objective {
    /** Those of least total weight. */
    MINIMUM,
    /** Those of largest total weight. */
    MAXIMUM
  }

  /** How components are united. */
  public enum Merge {
    /** One transaction for each union. */
    STM,
    /**
     * Lock-free. Edge-centric: each root is hooked by the only thread that has its least edge, with
     * plain relaxed stores. Vertex-centric: compare-exchange of the larger of two roots.
     */
    ATOMIC
  }

  /** How a component's best edge is found: the lightest, or for maximum forests the heaviest. */
  public enum Discovery {
    /** Atomic minimum at the component's root, behind a read that spares most of them. */
    ATOMIC,
    /**
     * Plain stores of lower values, repeated until nothing changes; {@link Traversal#VERTEX} only.
     */
    ATOMIC_FREE
  }

  /** Which form of Boruvka's algorithm: what a thread walks over. */
  public enum Traversal {
    /**
     * Vertices, whose arcs the threads of a warp share by segments; the graph is pruned and
     * flattened between rounds (the thesis).
     */
    VERTEX,
    /** A shrinking list of the edges that still join two components. The default, and fastest. */
    EDGE,
    /**
     * Components as sets of vertices in two maps; cycles of choices are looked for and broken at
     * their least component (Nasre, Burtscher and Pingali). Without transactions; kernels between
     * the primitives have no read-modify-write. To compare with.
     */
    CYCLE,
    /**
     * Elements of a union-find structure: one of each component represents it, and two components
     * are united at a time, in one transaction, the smaller into the larger (LonestarGPU). To
     * compare with.
     */
    COMPONENT_SPACE,
    /**
     * The arcs of a graph that is contracted after each round, by scans, segmented scans and sorts
     * (Vineet, Harish, Patidar and Narayanan). Without transactions; kernels between the primitives
     * have no read-modify-write. To compare with.
     */
    SCAN
  }

  /** Whether light edges go first, so that most heavy ones never enter the list. */
  public enum Filter {
    /**
     * On for weighted graphs of at least four arcs for each vertex. {@link StreamedForest} then
     * tests edges by the forest so far, and takes light ones first from three edges for each
     * vertex.
     */
    AUTO,
    /** Always; {@link Traversal#EDGE} only. */
    ON,
    /** Never; {@link StreamedForest} then tests no edges either. */
    OFF
  }

  /** Whether the merging transactions validate their reads. */
  public enum Reads {
    /** No attempt sees a mix of two states (opacity). */
    VALIDATED,
    /** Only the commit checks; the regions survive what they may read. {@link Merge#STM} only. */
    UNVALIDATED
  }

  private static final SettingList SETTINGS = new SettingList();

  /** {@link #traversal()}. */
  public static final Setting<Traversal> TRAVERSAL =
      SETTINGS.add(
          Setting.oneOf("traversal", Traversal.EDGE, "what threads walk over")
              .meaning(Traversal.VERTEX, "vertices and their arcs")
              .meaning(Traversal.EDGE, "a shrinking list of edges")
              .meaning(Traversal.CYCLE, "sets of vertices; cycles of choices are broken")
              .meaning(
                  Traversal.COMPONENT_SPACE, "elements; two components are locked to unite them")
              .meaning(Traversal.SCAN, "arcs of a contracted graph, by scans and sorts"));

  /** {@link #merge()}. */
  public static final Setting<Merge> MERGE =
      SETTINGS.add(
          Setting.oneOf("merge", Merge.STM, "how components are united")
              .meaning(Merge.STM, "transactions")
              .meaning(Merge.ATOMIC, "lock-free")
              .onlyWith(TRAVERSAL.is(Traversal.VERTEX, Traversal.EDGE)));

  /** {@link #discovery()}. */
  public static final Setting<Discovery> DISCOVERY =
      SETTINGS.add(
          Setting.oneOf("discovery", Discovery.ATOMIC, "how a component's best edge is found")
              .meaning(Discovery.ATOMIC, "atomic minima")
              .meaning(Discovery.ATOMIC_FREE, "repeated plain stores")
              .onlyWith(TRAVERSAL.is(Traversal.VERTEX)));

  /** {@link #filter()}. */
  public static final Setting<Filter> FILTER =
      SETTINGS.add(
          Setting.oneOf("filter", Filter.AUTO, "whether light edges go first")
              .onlyWith(TRAVERSAL.is(Traversal.EDGE)));

  /** {@link #reads()}. */
  public static final Setting<Reads> READS =
      SETTINGS.add(
          Setting.oneOf("reads", Reads.VALIDATED, "whether transactions validate their reads")
              .meaning(Reads.VALIDATED, "no attempt sees a mix of two states")
              .meaning(Reads.UNVALIDATED, "only the commit checks")
              .onlyWith(MERGE.is(Merge.STM)));

  /** {@link #objective()}. */
  public static final Setting<Objective> OBJECTIVE =
      SETTINGS.add(
          Setting.oneOf("objective", Objective.MINIMUM, "which spanning forests are computed")
              .meaning(Objective.MINIMUM, "those of least total weight")
              .meaning(Objective.MAXIMUM, "those of largest total weight"));

  /** {@link #phaseTimes()}. */
  public static final Setting<Boolean> PHASE_TIMES = SETTINGS.add(Phase.TIMES);

  static {
    SETTINGS.addAll(
        TransactionSettings.onlyWith(
            MERGE.is(Merge.STM).or(TRAVERSAL.is(Traversal.COMPONENT_SPACE))));
  }

  private static final MsfOptions DEFAULTS = new MsfOptions();

  private MsfOptions() {}

  private MsfOptions(Map<String, Object> values) {
    super(values);
  }

  /** Transactions, edge-centric, validated, filter as the graph suggests, phases timed. */
  public static MsfOptions defaults() {
    return DEFAULTS;
  }

  @Override
  public List<Setting<?>> settings() {
    return SETTINGS.all();
  }

  @Override
  protected MsfOptions copy(Map<String, Object> changed) {
    return new MsfOptions(changed).checked();
  }

  private MsfOptions checked() {
    if (traversal() != Traversal.VERTEX && discovery() == Discovery.ATOMIC_FREE) {
      throw new IllegalArgumentException(
          "discovery=atomic-free needs traversal=vertex: no other form can repeat its discovery;"
              + " the edge-centric one discovers while it shortens its list, once for each entry");
    }
    if (traversal() != Traversal.EDGE && filter() == Filter.ON) {
      throw new IllegalArgumentException(
          "filter=on needs traversal=edge: no other form has a list to keep edges from");
    }
    if (!hasEffect(MERGE) && merge() == Merge.ATOMIC) {
      throw new IllegalArgumentException(
          "merge=atomic needs "
              + MERGE.condition().inVariants()
              + ": traversal="
              + TRAVERSAL.write(traversal())
              + " has one way to unite components");
    }
    if (!hasEffect(READS) && reads() == Reads.UNVALIDATED) {
      throw new IllegalArgumentException(
          "reads=unvalidated needs "
              + READS.condition().inVariants()
              + ": no other form has a variant without validation");
    }
    return this;
  }

  /** Which spanning forests are looked for; default {@link Objective#MINIMUM}. */
  public Objective objective() {
    return get(OBJECTIVE);
  }

  /** A copy with another {@link #objective()}. */
  public MsfOptions withObjective(Objective value) {
    return with(OBJECTIVE, value);
  }

  /** How components are united; default {@link Merge#STM}. */
  public Merge merge() {
    return get(MERGE);
  }

  /** A copy with another {@link #merge()}. */
  public MsfOptions withMerge(Merge value) {
    return with(MERGE, value);
  }

  /** How a component's least edge is found; default {@link Discovery#ATOMIC}. */
  public Discovery discovery() {
    return get(DISCOVERY);
  }

  /** A copy with another {@link #discovery()}. */
  public MsfOptions withDiscovery(Discovery value) {
    return with(DISCOVERY, value);
  }

  /** Which form: what a thread walks over; default {@link Traversal#EDGE}. */
  public Traversal traversal() {
    return get(TRAVERSAL);
  }

  /** A copy with another {@link #traversal()}. */
  public MsfOptions withTraversal(Traversal value) {
    return with(TRAVERSAL, value);
  }

  /** Whether light edges go first; default {@link Filter#AUTO}. */
  public Filter filter() {
    return get(FILTER);
  }

  /** A copy with another {@link #filter()}. */
  public MsfOptions withFilter(Filter value) {
    return with(FILTER, value);
  }

  /** Whether the merging transactions validate their reads; default {@link Reads#VALIDATED}. */
  public Reads reads() {
    return get(READS);
  }

  /** A copy with another {@link #reads()}. */
  public MsfOptions withReads(Reads value) {
    return with(READS, value);
  }

  /**
   * Whether each phase is timed by itself, which waits for the device after every launch: some
   * hundredths of a millisecond each on a GPU; default true.
   */
  public boolean phaseTimes() {
    return get(PHASE_TIMES);
  }

  /** A copy with another {@link #phaseTimes()}. */
  public MsfOptions withPhaseTimes(boolean value) {
    return with(PHASE_TIMES, value);
  }

  /** How transactions run; used by {@link Merge#STM} and {@link Traversal#COMPONENT_SPACE} only. */
  public StmOptions stm() {
    return get(TransactionSettings.STM);
  }

  /** A copy with another {@link #stm()}. */
  public MsfOptions withStm(StmOptions value) {
    return with(TransactionSettings.STM, value);
  }
}
