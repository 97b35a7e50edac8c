package io.magpie.algorithms.msf;

import io.magpie.stm.StmOptions;
import java.util.Objects;

/**
 * How a minimum spanning forest is computed. Every permitted combination gives a forest of the same
 * weight; they differ in what they synchronize by, and in time.
 *
 * @param merge how components are united
 * @param discovery how a component's least edge is found
 * @param traversal what a thread walks over
 * @param filter whether light edges go first
 * @param reads whether the merging transactions validate their reads
 * @param phaseTimes whether each phase is timed by itself, which waits for the device after every
 *     launch: some hundredths of a millisecond each on a GPU
 * @param stm how transactions run; used by {@link Merge#STM} only
 */
public record MsfOptions(
    Merge merge,
    Discovery discovery,
    Traversal traversal,
    Filter filter,
    Reads reads,
    boolean phaseTimes,
    StmOptions stm) {

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

  /** How a component's least edge is found. */
  public enum Discovery {
    /** Atomic minimum at the component's root, behind a read that spares most of them. */
    ATOMIC,
    /**
     * Plain stores of lower values, repeated until nothing changes; {@link Traversal#VERTEX} only.
     */
    ATOMIC_FREE
  }

  /** What a thread walks over. */
  public enum Traversal {
    /**
     * Vertices, whose arcs the threads of a warp share by segments; the graph is pruned and
     * flattened between rounds (the thesis).
     */
    VERTEX,
    /** A shrinking list of the edges that still join two components. The default, and fastest. */
    EDGE
  }

  /** Whether light edges go first, so that most heavy ones never enter the list. */
  public enum Filter {
    /** On for weighted graphs of at least four arcs for each vertex. */
    AUTO,
    /** Always; {@link Traversal#EDGE} only. */
    ON,
    /** Never. */
    OFF
  }

  /** Whether the merging transactions validate their reads. */
  public enum Reads {
    /** No attempt sees a mix of two states (opacity). */
    VALIDATED,
    /** Only the commit checks; the regions survive what they may read. {@link Merge#STM} only. */
    UNVALIDATED
  }

  private static final MsfOptions DEFAULTS =
      new MsfOptions(
          Merge.STM,
          Discovery.ATOMIC,
          Traversal.EDGE,
          Filter.AUTO,
          Reads.VALIDATED,
          true,
          StmOptions.defaults());

  /**
   * Checks the combination.
   *
   * @throws IllegalArgumentException if the options contradict each other; the message names them
   */
  public MsfOptions {
    Objects.requireNonNull(merge, "merge");
    Objects.requireNonNull(discovery, "discovery");
    Objects.requireNonNull(traversal, "traversal");
    Objects.requireNonNull(filter, "filter");
    Objects.requireNonNull(reads, "reads");
    Objects.requireNonNull(stm, "stm");
    if (traversal == Traversal.EDGE && discovery == Discovery.ATOMIC_FREE) {
      throw new IllegalArgumentException(
          "discovery=ATOMIC_FREE needs traversal=VERTEX: the edge-centric form discovers while it"
              + " shortens its list, once for each entry, and cannot repeat it");
    }
    if (traversal == Traversal.VERTEX && filter == Filter.ON) {
      throw new IllegalArgumentException(
          "filter=ON needs traversal=EDGE: the vertex-centric form has no list to keep edges from");
    }
    if (merge == Merge.ATOMIC && reads == Reads.UNVALIDATED) {
      throw new IllegalArgumentException(
          "reads=UNVALIDATED needs merge=STM: merge=ATOMIC has no transactions");
    }
  }

  /** Transactions, edge-centric, validated, filter as the graph suggests, phases timed. */
  public static MsfOptions defaults() {
    return DEFAULTS;
  }

  /** A copy with another {@link #merge()}. */
  public MsfOptions withMerge(Merge value) {
    return new MsfOptions(value, discovery, traversal, filter, reads, phaseTimes, stm);
  }

  /** A copy with another {@link #discovery()}. */
  public MsfOptions withDiscovery(Discovery value) {
    return new MsfOptions(merge, value, traversal, filter, reads, phaseTimes, stm);
  }

  /** A copy with another {@link #traversal()}. */
  public MsfOptions withTraversal(Traversal value) {
    return new MsfOptions(merge, discovery, value, filter, reads, phaseTimes, stm);
  }

  /** A copy with another {@link #filter()}. */
  public MsfOptions withFilter(Filter value) {
    return new MsfOptions(merge, discovery, traversal, value, reads, phaseTimes, stm);
  }

  /** A copy with other {@link #reads()}. */
  public MsfOptions withReads(Reads value) {
    return new MsfOptions(merge, discovery, traversal, filter, value, phaseTimes, stm);
  }

  /** A copy with another {@link #phaseTimes()}. */
  public MsfOptions withPhaseTimes(boolean value) {
    return new MsfOptions(merge, discovery, traversal, filter, reads, value, stm);
  }

  /** A copy with other {@link #stm()}. */
  public MsfOptions withStm(StmOptions value) {
    return new MsfOptions(merge, discovery, traversal, filter, reads, phaseTimes, value);
  }
}
