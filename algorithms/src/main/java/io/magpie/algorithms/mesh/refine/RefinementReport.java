package io.magpie.algorithms.mesh.refine;

import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.RefinementClaim;
import io.magpie.stm.Device;
import io.magpie.stm.RegionReport.AbortCause;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a refinement did, and how long it took.
 *
 * @param device where it ran
 * @param options how
 * @param rounds what ran together, in order: the profile of its parallelism
 * @param outcome how it ended
 * @param triangles triangles of the input
 * @param badBefore bad triangles of the input
 * @param badLeft bad triangles of the result that are not excused; 0 if it finished
 * @param excused triangles of the result that small angles of the input excuse
 * @param insertedInside vertices inserted that lie on no segment
 * @param insertedOnSegments vertices inserted that split a segment
 * @param givenUp items given up: edges too short to be split in double precision, and triangles too
 *     flat to be mended in it, or whose repair point segments that stay whole are in the way of
 * @param triangleSlots slots for triangles that were handed out
 * @param freeTriangleSlots those of them that hold no triangle
 * @param loadMillis loading the kernels, which takes longer the first time on a device
 * @param uploadMillis copying the mesh to the device
 * @param selectMillis finding and ordering the work, on the device
 * @param refineMillis inserting vertices, in kernels; with large cavities that the host fills, and
 *     copying the mesh there and back
 * @param downloadMillis copying the mesh back, and making a {@link Mesh} of it
 * @param totalMillis everything, from the mesh in Java's memory to the result there
 */
public record RefinementReport(
    String device,
    RefinementOptions options,
    List<Round> rounds,
    Outcome outcome,
    long triangles,
    long badBefore,
    long badLeft,
    long excused,
    long insertedInside,
    long insertedOnSegments,
    long givenUp,
    long triangleSlots,
    long freeTriangleSlots,
    double loadMillis,
    double uploadMillis,
    double selectMillis,
    double refineMillis,
    double downloadMillis,
    double totalMillis) {

  /** How a refinement ended. */
  public enum Outcome {
    /** Every triangle is within the bounds, or excused. */
    FINISHED,
    /** The mesh reached the number of vertices, or of inserted ones, at which to stop. */
    VERTEX_LIMIT,
    /**
     * Edges became shorter than a hundredth of the input's smallest feature, by far more vertices
     * than usual: refinement that does not end.
     */
    NO_PROGRESS,
    /** The device had no memory for more triangles. */
    OUT_OF_MEMORY,
    /** What is left cannot be mended in double precision. */
    PRECISION,
    /**
     * What is left has its {@linkplain RefinementOptions#insertion() repair point} beyond a segment
     * that stays whole or too near it, or cannot be mended in double precision.
     */
    SEGMENTS_KEPT
  }

  /**
   * Launches that run the same items.
   *
   * @param items items that were due
   * @param waiting items left for later
   * @param inserted vertices inserted
   * @param pushed items that were made
   * @param canceled items that turned out to need nothing
   * @param aborts failed attempts, by cause; {@link AbortCause#REQUESTED} are searches that
   *     contradicted themselves: of transactions as others changed the mesh meanwhile, of marks as
   *     double precision ended, after which the item is given up; of marks {@link
   *     AbortCause#OUTRANKED}, or {@link AbortCause#STOLEN} where one was gone although no higher
   *     one was met
   * @param launches kernels launched
   * @param millis in kernels; of {@link RefinementOptions.Synchronization#MARKS} from the begin of
   *     the first to the end of the last
   * @param large whether these are items whose cavities were too large for the usual launches, and
   *     which run by themselves, after others
   */
  public record Round(
      long items,
      long waiting,
      long inserted,
      long pushed,
      long canceled,
      Map<AbortCause, Long> aborts,
      int launches,
      double millis,
      boolean large) {

    /** Checks nothing, and keeps a copy of the map. */
    public Round {
      aborts = Map.copyOf(aborts);
    }

    /** Failed attempts. */
    public long aborted() {
      return aborts.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  /** Keeps a copy of the list. */
  public RefinementReport {
    rounds = List.copyOf(rounds);
  }

  /** Of a mesh without triangles. */
  static RefinementReport ofNothing(Device device, RefinementOptions options) {
    return new RefinementReport(
        device.description().spec(),
        options,
        List.of(),
        Outcome.FINISHED,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0);
  }

  RefinementReport withTotalMillis(double millis) {
    return new RefinementReport(
        device,
        options,
        rounds,
        outcome,
        triangles,
        badBefore,
        badLeft,
        excused,
        insertedInside,
        insertedOnSegments,
        givenUp,
        triangleSlots,
        freeTriangleSlots,
        loadMillis,
        uploadMillis,
        selectMillis,
        refineMillis,
        downloadMillis,
        millis);
  }

  /** The rest of the total: launching, waiting, memory, and numbering the mesh for a layout. */
  public double otherMillis() {
    double parts = loadMillis + uploadMillis + selectMillis + refineMillis + downloadMillis;
    return Math.max(0, totalMillis - parts);
  }

  /** Vertices inserted. */
  public long inserted() {
    return insertedInside + insertedOnSegments;
  }

  /** What a verifier should hold the result to. */
  public RefinementClaim claim() {
    RefinementClaim claim =
        RefinementClaim.of(options.minimumAngle())
            .withMaximumArea(options.maximumArea())
            .withAreaBound(options.areaBound())
            .withSplitting(options.splitting())
            .withInserted(insertedInside, insertedOnSegments, inserted())
            .withSlots(triangleSlots, freeTriangleSlots);
    return outcome == Outcome.FINISHED ? claim : claim.withStop(badLeft);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%s after %d rounds on %s: %,d vertices inserted (%,d on segments), %,d bad triangles of %,d"
            + " left, %,d excused; %.1f ms in kernels, %.1f ms in all",
        outcome.name().toLowerCase(Locale.ROOT).replace('_', ' '),
        rounds.size(),
        device,
        inserted(),
        insertedOnSegments,
        badLeft,
        badBefore,
        excused,
        selectMillis + refineMillis,
        totalMillis);
  }
}
