package io.magpie.algorithms.mesh;

import io.magpie.stm.StmOptions;
import java.util.Objects;

/**
 * How a mesh is refined. Every combination gives a valid mesh within the same bounds; they differ
 * in how concurrent insertions are kept apart, in time, and a little in which vertices they insert.
 *
 * @param minimumAngle least angle of every triangle, in degrees, 0 to 33; default 30. Up to 20.7 it
 *     is proven that refinement ends where segments meet at 60 degrees or more; up to 28.6 with
 *     off-centers where the input allows it; beyond that it does so in practice up to 33, while at
 *     33.5 and 34 it was seen not to end on coasts of 300 segments and on points in a square
 * @param maximumArea largest area of a triangle; 0, the default, for no bound. Refused where there
 *     is no room for so many triangles, unless maximumVertices says where to stop
 * @param synchronization how concurrent insertions are kept apart
 * @param insertion which point mends a bad triangle
 * @param maximumVertices vertices of the mesh at which refinement stops, unfinished; 0, the
 *     default, allows any number, but stops where edges become shorter than a hundredth of the
 *     input's smallest feature, and of the edges that a bound on areas asks for; that is looked for
 *     from 16 vertices for each of the input and 4 for each largest triangle, and 100,000 more
 * @param batch share of the bad triangles that a launch takes at least, above 0 up to 1: those of
 *     the shortest edges, in classes of a factor 1.4, as far as their edges differ by less than a
 *     factor of 64; smaller shares need fewer vertices and more launches; default 1/256
 * @param slice items that are marked together; not with {@link Synchronization#TRANSACTIONS}; 0,
 *     the default, lets the device choose
 * @param layout how vertices and triangles are numbered while the mesh is refined
 * @param stm how transactions run; {@link Synchronization#TRANSACTIONS} only
 * @param phases how marks are set in phases; not with {@link Synchronization#TRANSACTIONS} and
 *     {@link Synchronization#MARKS}
 */
public record RefinementOptions(
    double minimumAngle,
    double maximumArea,
    Synchronization synchronization,
    Insertion insertion,
    int maximumVertices,
    double batch,
    int slice,
    Layout layout,
    StmOptions stm,
    PhaseOptions phases) {

  /** The largest bound on angles that can be asked. */
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
    ATOMIC_STAGES;

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

  /** Which point mends a bad triangle. */
  public enum Insertion {
    /** The off-center of its shortest edge (Üngör 2009), or the circumcenter if that is nearer. */
    OFF_CENTER,
    /** Its circumcenter (Ruppert 1995). */
    CIRCUMCENTER
  }

  private static final RefinementOptions DEFAULTS =
      new RefinementOptions(
          30,
          0,
          Synchronization.TRANSACTIONS,
          Insertion.OFF_CENTER,
          0,
          1.0 / 256,
          0,
          Layout.AS_GIVEN,
          StmOptions.defaults(),
          PhaseOptions.defaults());

  /** Checks the ranges. */
  public RefinementOptions {
    Objects.requireNonNull(synchronization, "synchronization");
    Objects.requireNonNull(insertion, "insertion");
    Objects.requireNonNull(layout, "layout");
    Objects.requireNonNull(stm, "stm");
    Objects.requireNonNull(phases, "phases");
    require(
        minimumAngle >= 0 && minimumAngle <= LARGEST_ANGLE,
        "minimumAngle",
        minimumAngle,
        "0 to " + LARGEST_ANGLE + " degrees");
    require(
        maximumArea >= 0 && maximumArea < Double.POSITIVE_INFINITY,
        "maximumArea",
        maximumArea,
        "at least 0, and finite");
    require(maximumVertices >= 0, "maximumVertices", maximumVertices, "at least 0");
    require(batch > 0 && batch <= 1, "batch", batch, "above 0, up to 1");
    require(slice >= 0 && slice <= 1 << 20, "slice", slice, "0 to 2^20");
  }

  private static void require(boolean holds, String name, Object value, String range) {
    if (!holds) {
      throw new IllegalArgumentException(name + " must be " + range + ", got " + value);
    }
  }

  /** The defaults, as listed for each component. */
  public static RefinementOptions defaults() {
    return DEFAULTS;
  }

  /** A copy with another {@link #minimumAngle()}. */
  public RefinementOptions withMinimumAngle(double degrees) {
    return new RefinementOptions(
        degrees,
        maximumArea,
        synchronization,
        insertion,
        maximumVertices,
        batch,
        slice,
        layout,
        stm,
        phases);
  }

  /** A copy with another {@link #maximumArea()}. */
  public RefinementOptions withMaximumArea(double area) {
    return new RefinementOptions(
        minimumAngle,
        area,
        synchronization,
        insertion,
        maximumVertices,
        batch,
        slice,
        layout,
        stm,
        phases);
  }

  /** A copy with another {@link #synchronization()}. */
  public RefinementOptions withSynchronization(Synchronization value) {
    return new RefinementOptions(
        minimumAngle,
        maximumArea,
        value,
        insertion,
        maximumVertices,
        batch,
        slice,
        layout,
        stm,
        phases);
  }

  /** A copy with another {@link #insertion()}. */
  public RefinementOptions withInsertion(Insertion value) {
    return new RefinementOptions(
        minimumAngle,
        maximumArea,
        synchronization,
        value,
        maximumVertices,
        batch,
        slice,
        layout,
        stm,
        phases);
  }

  /** A copy with another {@link #maximumVertices()}. */
  public RefinementOptions withMaximumVertices(int vertices) {
    return new RefinementOptions(
        minimumAngle,
        maximumArea,
        synchronization,
        insertion,
        vertices,
        batch,
        slice,
        layout,
        stm,
        phases);
  }

  /** A copy with another {@link #batch()}. */
  public RefinementOptions withBatch(double share) {
    return new RefinementOptions(
        minimumAngle,
        maximumArea,
        synchronization,
        insertion,
        maximumVertices,
        share,
        slice,
        layout,
        stm,
        phases);
  }

  /** A copy with another {@link #slice()}. */
  public RefinementOptions withSlice(int items) {
    return new RefinementOptions(
        minimumAngle,
        maximumArea,
        synchronization,
        insertion,
        maximumVertices,
        batch,
        items,
        layout,
        stm,
        phases);
  }

  /** A copy with another {@link #layout()}. */
  public RefinementOptions withLayout(Layout value) {
    return new RefinementOptions(
        minimumAngle,
        maximumArea,
        synchronization,
        insertion,
        maximumVertices,
        batch,
        slice,
        value,
        stm,
        phases);
  }

  /** A copy with another {@link #stm()}. */
  public RefinementOptions withStm(StmOptions value) {
    return new RefinementOptions(
        minimumAngle,
        maximumArea,
        synchronization,
        insertion,
        maximumVertices,
        batch,
        slice,
        layout,
        value,
        phases);
  }

  /** A copy with another {@link #phases()}. */
  public RefinementOptions withPhases(PhaseOptions value) {
    return new RefinementOptions(
        minimumAngle,
        maximumArea,
        synchronization,
        insertion,
        maximumVertices,
        batch,
        slice,
        layout,
        stm,
        value);
  }
}
