package io.magpie.algorithms.mesh.verify;

import io.magpie.algorithms.internal.Parallel;
import io.magpie.algorithms.mesh.AngleHistogram;
import io.magpie.algorithms.mesh.TriangleAreaBound;
import io.magpie.algorithms.mesh.internal.QualityBound;

/** Looks at every triangle by itself: orientation, area, angles, and the bounds on them. */
final class TriangleScan {
  private final MeshArrays mesh;
  private final QualityBound bound;
  private final TriangleAreaBound areaBound;
  private final SegmentChains chains;

  /** What the scan finds. */
  static final class Result {
    final Findings findings = new Findings();
    final AngleHistogram angles = new AngleHistogram();
    final CompensatedSum twiceArea = new CompensatedSum();
    long triangles;

    /** Triangles that break a bound and are not excused, the first of them, and those excused. */
    long bad;

    int firstBad = -1;
    long excused;

    /** Of the bounds that depend on the triangle, besides its own; positive infinity for none. */
    double smallestAreaBound = Double.POSITIVE_INFINITY;

    double area() {
      return twiceArea.value() / 2;
    }

    private void append(Result later) {
      findings.append(later.findings);
      angles.append(later.angles);
      twiceArea.add(later.twiceArea);
      triangles += later.triangles;
      firstBad = firstBad < 0 ? later.firstBad : firstBad;
      bad += later.bad;
      excused += later.excused;
      smallestAreaBound = Math.min(smallestAreaBound, later.smallestAreaBound);
    }
  }

  private TriangleScan(
      MeshArrays mesh, QualityBound bound, TriangleAreaBound areaBound, SegmentChains chains) {
    this.mesh = mesh;
    this.bound = bound;
    this.areaBound = areaBound;
    this.chains = chains;
  }

  /** Scans a mesh whose corners are valid, without bounds. */
  static Result of(MeshArrays mesh) {
    return of(mesh, new QualityBound(0, 0), TriangleAreaBound.NONE, null);
  }

  /**
   * Scans a mesh whose corners are valid. Triangles that are not counter-clockwise are faults of
   * {@link MeshCheck#TRIANGLES} and not judged further.
   *
   * @param bound what triangles are held to, besides their own area bounds
   * @param areaBound what else their areas are held to
   * @param chains tells what is excused
   */
  static Result of(
      MeshArrays mesh, QualityBound bound, TriangleAreaBound areaBound, SegmentChains chains) {
    TriangleScan scan = new TriangleScan(mesh, bound, areaBound, chains);
    Result all = new Result();
    Parallel.map(mesh.triangleSlots(), scan::scan).forEach(all::append);
    return all;
  }

  private Result scan(int from, int to) {
    Result result = new Result();
    for (int t = from; t < to; t++) {
      if (!mesh.freeTriangle(t)) {
        result.triangles++;
        look(result, t);
      }
    }
    return result;
  }

  private void look(Result result, int t) {
    int a = mesh.corners()[3 * t];
    int b = mesh.corners()[3 * t + 1];
    int c = mesh.corners()[3 * t + 2];
    double ax = mesh.x(a);
    double ay = mesh.y(a);
    double bx = mesh.x(b);
    double by = mesh.y(b);
    double cx = mesh.x(c);
    double cy = mesh.y(c);
    result.twiceArea.add((bx - ax) * (cy - ay) - (by - ay) * (cx - ax));
    double orientation = mesh.orientation(t);
    if (!(orientation > 0)) {
      result.findings.add(
          MeshCheck.TRIANGLES,
          () ->
              "triangle "
                  + t
                  + " with corners "
                  + a
                  + ", "
                  + b
                  + ", "
                  + c
                  + " is "
                  + (orientation < 0 ? "clockwise" : "flat"));
      return;
    }
    result.angles.add(t, ax, ay, bx, by, cx, cy);
    double asked = areaBound.of(ax, ay, bx, by, cx, cy);
    result.smallestAreaBound = Math.min(result.smallestAreaBound, asked);
    double own = Math.min(asked, mesh.labels().areaBound(t));
    boolean large = bound.tooLarge(own, ax, ay, bx, by, cx, cy);
    if (large || bound.tooSharp(ax, ay, bx, by, cx, cy)) {
      if (!large && chains.excuses(t)) {
        result.excused++;
      } else {
        result.firstBad = result.bad++ == 0 ? t : result.firstBad;
      }
    }
  }
}
