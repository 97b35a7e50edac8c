package io.magpie.algorithms.mesh;

import java.util.Objects;

/**
 * What a refiner says about the mesh that it made, for a verifier to hold it to.
 *
 * @param minimumAngle the bound on angles, in degrees, 0 to 60; 0 for none
 * @param maximumArea the bound on areas; 0 for none
 * @param areaBound what else bounds the area of each triangle; {@link TriangleAreaBound#NONE} for
 *     nothing
 * @param splitting which segments may be split
 * @param insertedInside vertices inserted that lie on no segment; {@link #UNKNOWN} if not counted
 * @param insertedOnSegments vertices inserted that split a segment; {@link #UNKNOWN} if not counted
 * @param commits committed transactions, each of which inserts one vertex; {@link #UNKNOWN} if not
 *     counted
 * @param stoppedEarly whether it stopped at a cap, or without progress, before it was done
 * @param badLeft triangles that break a bound, are not excused, and are left; 0 unless stopped
 *     early
 * @param excused triangles under the angle bound that small angles of the input excuse; {@link
 *     #UNKNOWN} if not counted
 * @param triangleSlots slots for triangles ever handed out; {@link #UNKNOWN} if not counted
 * @param freeTriangleSlots those of them that wait to be used again
 * @param referenceTriangles the triangles of a reference program's mesh of the same input at the
 *     same bounds; {@link #UNKNOWN} if there is none
 */
public record RefinementClaim(
    double minimumAngle,
    double maximumArea,
    TriangleAreaBound areaBound,
    Splitting splitting,
    long insertedInside,
    long insertedOnSegments,
    long commits,
    boolean stoppedEarly,
    long badLeft,
    long excused,
    long triangleSlots,
    long freeTriangleSlots,
    long referenceTriangles) {

  /** Stands for a number that the refiner does not know. */
  public static final long UNKNOWN = -1;

  /** Checks the bounds. */
  public RefinementClaim {
    if (!(minimumAngle >= 0 && minimumAngle <= 60)) {
      throw new IllegalArgumentException(
          "the minimum angle must be 0 to 60 degrees, not " + minimumAngle);
    }
    if (!(maximumArea >= 0)) {
      throw new IllegalArgumentException("the maximum area must not be negative: " + maximumArea);
    }
    Objects.requireNonNull(areaBound, "areaBound");
    Objects.requireNonNull(splitting, "splitting");
  }

  /** A finished refinement to that angle, in degrees, of which nothing else is known. */
  public static RefinementClaim of(double minimumAngle) {
    return new RefinementClaim(
        minimumAngle,
        0,
        TriangleAreaBound.NONE,
        Splitting.ALL,
        UNKNOWN,
        UNKNOWN,
        UNKNOWN,
        false,
        0,
        UNKNOWN,
        UNKNOWN,
        UNKNOWN,
        UNKNOWN);
  }

  /** The same with a bound on areas. */
  public RefinementClaim withMaximumArea(double area) {
    return new RefinementClaim(
        minimumAngle,
        area,
        areaBound,
        splitting,
        insertedInside,
        insertedOnSegments,
        commits,
        stoppedEarly,
        badLeft,
        excused,
        triangleSlots,
        freeTriangleSlots,
        referenceTriangles);
  }

  /** The same with a bound on the area of each triangle, in addition to the others. */
  public RefinementClaim withAreaBound(TriangleAreaBound bound) {
    return new RefinementClaim(
        minimumAngle,
        maximumArea,
        bound,
        splitting,
        insertedInside,
        insertedOnSegments,
        commits,
        stoppedEarly,
        badLeft,
        excused,
        triangleSlots,
        freeTriangleSlots,
        referenceTriangles);
  }

  /** The same of a refiner that may split only these segments. */
  public RefinementClaim withSplitting(Splitting allowed) {
    return new RefinementClaim(
        minimumAngle,
        maximumArea,
        areaBound,
        allowed,
        insertedInside,
        insertedOnSegments,
        commits,
        stoppedEarly,
        badLeft,
        excused,
        triangleSlots,
        freeTriangleSlots,
        referenceTriangles);
  }

  /** The same with these counts of inserted vertices and of committed transactions. */
  public RefinementClaim withInserted(long inside, long onSegments, long committed) {
    return new RefinementClaim(
        minimumAngle,
        maximumArea,
        areaBound,
        splitting,
        inside,
        onSegments,
        committed,
        stoppedEarly,
        badLeft,
        excused,
        triangleSlots,
        freeTriangleSlots,
        referenceTriangles);
  }

  /** The same of a refiner that stopped early and left so many bad triangles. */
  public RefinementClaim withStop(long left) {
    return new RefinementClaim(
        minimumAngle,
        maximumArea,
        areaBound,
        splitting,
        insertedInside,
        insertedOnSegments,
        commits,
        true,
        left,
        excused,
        triangleSlots,
        freeTriangleSlots,
        referenceTriangles);
  }

  /** The same with so many triangles that small angles of the input excuse. */
  public RefinementClaim withExcused(long triangles) {
    return new RefinementClaim(
        minimumAngle,
        maximumArea,
        areaBound,
        splitting,
        insertedInside,
        insertedOnSegments,
        commits,
        stoppedEarly,
        badLeft,
        triangles,
        triangleSlots,
        freeTriangleSlots,
        referenceTriangles);
  }

  /** The same with the pool's counts of slots for triangles. */
  public RefinementClaim withSlots(long slots, long free) {
    return new RefinementClaim(
        minimumAngle,
        maximumArea,
        areaBound,
        splitting,
        insertedInside,
        insertedOnSegments,
        commits,
        stoppedEarly,
        badLeft,
        excused,
        slots,
        free,
        referenceTriangles);
  }

  /** The same with the size of a reference program's mesh. */
  public RefinementClaim withReference(long triangles) {
    return new RefinementClaim(
        minimumAngle,
        maximumArea,
        areaBound,
        splitting,
        insertedInside,
        insertedOnSegments,
        commits,
        stoppedEarly,
        badLeft,
        excused,
        triangleSlots,
        freeTriangleSlots,
        triangles);
  }
}
