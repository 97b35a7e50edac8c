package io.magpie.algorithms.partition;

import io.magpie.stm.StmOptions;
import java.util.Objects;

/**
 * How a graph is partitioned. Every combination keeps the balance that is asked; they differ in the
 * cut, in what they synchronize by, and in time.
 *
 * @param parts the number of parts, at least 1
 * @param imbalance the share by which a part may exceed the even weight, 0 to 1; default 0.03. See
 *     {@link Balance}
 * @param seed of all random choices; default 1. The result may differ between runs all the same:
 *     threads race
 * @param effort time against cut; default {@link Effort#DEFAULT}
 * @param coarsening which vertices may become one; default {@link Coarsening#MATCHING}
 * @param matching how pairs of vertices are agreed on when a graph is coarsened; default {@link
 *     Matching#PROPOSALS}
 * @param rating which neighbors are preferred there; default {@link Rating#LIGHT_VERTICES}
 * @param candidates among which neighbors a vertex chooses there; default {@link Candidates#FREE}
 * @param contraction how the arcs of a coarser graph are summed up
 * @param refinement how vertices change their parts
 * @param phaseTimes whether each phase is timed by itself, which waits for the device after every
 *     launch: some hundredths of a millisecond each on a GPU; default true
 * @param stm how transactions run; used by {@link Matching#STM}, {@link Refinement#STM} and {@link
 *     Refinement#STM_RESERVED}
 */
public record PartitionOptions(
    int parts,
    double imbalance,
    long seed,
    Effort effort,
    Coarsening coarsening,
    Matching matching,
    Rating rating,
    Candidates candidates,
    Contraction contraction,
    Refinement refinement,
    boolean phaseTimes,
    StmOptions stm) {

  /** Time against cut. */
  public enum Effort {
    /** Few rounds at each level. */
    FAST,
    /** Rounds until there is no progress. */
    DEFAULT,
    /**
     * Several series of rounds at each level, ever stricter about moves that raise the cut; and
     * those of {@link #DEFAULT}, where they find better parts.
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

  /** Checks the ranges. */
  public PartitionOptions {
    Objects.requireNonNull(effort, "effort");
    Objects.requireNonNull(coarsening, "coarsening");
    Objects.requireNonNull(matching, "matching");
    Objects.requireNonNull(rating, "rating");
    Objects.requireNonNull(candidates, "candidates");
    Objects.requireNonNull(contraction, "contraction");
    Objects.requireNonNull(refinement, "refinement");
    Objects.requireNonNull(stm, "stm");
    require(parts >= 1, "parts", parts, "at least 1");
    require(imbalance >= 0 && imbalance <= 1, "imbalance", imbalance, "in [0, 1]");
  }

  private static void require(boolean holds, String name, Object value, String range) {
    if (!holds) {
      throw new IllegalArgumentException(name + " must be " + range + ", got " + value);
    }
  }

  /** Whether something of it runs as transactions, so that {@link #stm()} has an effect. */
  public boolean transactional() {
    return matching == Matching.STM || refinement.transactional();
  }

  /**
   * The defaults, as listed for each component.
   *
   * @param parts the number of parts, at least 1
   */
  public static PartitionOptions of(int parts) {
    return new PartitionOptions(
        parts,
        0.03,
        1,
        Effort.DEFAULT,
        Coarsening.MATCHING,
        Matching.PROPOSALS,
        Rating.LIGHT_VERTICES,
        Candidates.FREE,
        Contraction.HASH,
        Refinement.ATOMIC,
        true,
        StmOptions.defaults());
  }

  /** A copy with another number of {@link #parts()}. */
  public PartitionOptions withParts(int value) {
    return new PartitionOptions(
        value,
        imbalance,
        seed,
        effort,
        coarsening,
        matching,
        rating,
        candidates,
        contraction,
        refinement,
        phaseTimes,
        stm);
  }

  /** A copy with another {@link #imbalance()}. */
  public PartitionOptions withImbalance(double value) {
    return new PartitionOptions(
        parts,
        value,
        seed,
        effort,
        coarsening,
        matching,
        rating,
        candidates,
        contraction,
        refinement,
        phaseTimes,
        stm);
  }

  /** A copy with another {@link #seed()}. */
  public PartitionOptions withSeed(long value) {
    return new PartitionOptions(
        parts,
        imbalance,
        value,
        effort,
        coarsening,
        matching,
        rating,
        candidates,
        contraction,
        refinement,
        phaseTimes,
        stm);
  }

  /** A copy with another {@link #effort()}. */
  public PartitionOptions withEffort(Effort value) {
    return new PartitionOptions(
        parts,
        imbalance,
        seed,
        value,
        coarsening,
        matching,
        rating,
        candidates,
        contraction,
        refinement,
        phaseTimes,
        stm);
  }

  /** A copy with another {@link #coarsening()}. */
  public PartitionOptions withCoarsening(Coarsening value) {
    return new PartitionOptions(
        parts,
        imbalance,
        seed,
        effort,
        value,
        matching,
        rating,
        candidates,
        contraction,
        refinement,
        phaseTimes,
        stm);
  }

  /** A copy with another {@link #matching()}. */
  public PartitionOptions withMatching(Matching value) {
    return new PartitionOptions(
        parts,
        imbalance,
        seed,
        effort,
        coarsening,
        value,
        rating,
        candidates,
        contraction,
        refinement,
        phaseTimes,
        stm);
  }

  /** A copy with another {@link #rating()}. */
  public PartitionOptions withRating(Rating value) {
    return new PartitionOptions(
        parts,
        imbalance,
        seed,
        effort,
        coarsening,
        matching,
        value,
        candidates,
        contraction,
        refinement,
        phaseTimes,
        stm);
  }

  /** A copy with other {@link #candidates()}. */
  public PartitionOptions withCandidates(Candidates value) {
    return new PartitionOptions(
        parts,
        imbalance,
        seed,
        effort,
        coarsening,
        matching,
        rating,
        value,
        contraction,
        refinement,
        phaseTimes,
        stm);
  }

  /** A copy with another {@link #contraction()}. */
  public PartitionOptions withContraction(Contraction value) {
    return new PartitionOptions(
        parts,
        imbalance,
        seed,
        effort,
        coarsening,
        matching,
        rating,
        candidates,
        value,
        refinement,
        phaseTimes,
        stm);
  }

  /** A copy with another {@link #refinement()}. */
  public PartitionOptions withRefinement(Refinement value) {
    return new PartitionOptions(
        parts,
        imbalance,
        seed,
        effort,
        coarsening,
        matching,
        rating,
        candidates,
        contraction,
        value,
        phaseTimes,
        stm);
  }

  /** A copy with another {@link #phaseTimes()}. */
  public PartitionOptions withPhaseTimes(boolean value) {
    return new PartitionOptions(
        parts,
        imbalance,
        seed,
        effort,
        coarsening,
        matching,
        rating,
        candidates,
        contraction,
        refinement,
        value,
        stm);
  }

  /** A copy with other {@link #stm()}. */
  public PartitionOptions withStm(StmOptions value) {
    return new PartitionOptions(
        parts,
        imbalance,
        seed,
        effort,
        coarsening,
        matching,
        rating,
        candidates,
        contraction,
        refinement,
        phaseTimes,
        value);
  }
}
