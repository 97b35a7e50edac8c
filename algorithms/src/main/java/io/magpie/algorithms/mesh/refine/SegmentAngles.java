package io.magpie.algorithms.mesh.refine;

import io.magpie.algorithms.internal.Parallel;
import io.magpie.algorithms.mesh.Mesh;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Where segments of a mesh meet at angles for which refinement needs care.
 *
 * @param corners vertices where two segments meet at a small angle
 * @param sharp whether two meet at less than {@link #SHARP} degrees anywhere
 */
record SegmentAngles(int[] corners, boolean sharp) {
  static final double SHARP = 60;

  /**
   * Of all segments of a mesh. Cost: O(n log n) for n segments, whatever else the mesh has.
   *
   * @param cornersBelow degrees below which an angle is small; {@link #SHARP} to 120
   */
  static SegmentAngles of(Mesh mesh, double cornersBelow) {
    double cosine = cornersBelow == SHARP ? 0.5 : Math.cos(Math.toRadians(cornersBelow));
    int apart =
        (int) (360 / cornersBelow); // so many directions may all be that far from each other
    long[] joined = new long[2 * mesh.segments()]; // a vertex, and below it one it is joined to
    for (int s = 0; s < mesh.segments(); s++) {
      long start = mesh.segmentStart(s);
      long end = mesh.segmentEnd(s);
      joined[2 * s] = start << Integer.SIZE | end;
      joined[2 * s + 1] = end << Integer.SIZE | start;
    }
    Arrays.parallelSort(joined);
    List<Found> parts =
        Parallel.map(joined.length, (from, to) -> Found.in(mesh, joined, from, to, apart, cosine));
    return new SegmentAngles(
        parts.stream().flatMapToInt(Found::corners).toArray(),
        parts.stream().anyMatch(Found::sharp));
  }

  /** What was found at the vertices of a range, of which the first entry lies in it. */
  private record Found(IntStream corners, boolean sharp) {
    static Found in(Mesh mesh, long[] joined, int begin, int end, int apart, double cosine) {
      IntStream.Builder corners = IntStream.builder();
      boolean sharp = false;
      int from = begin;
      while (from < end && from > 0 && vertex(joined[from]) == vertex(joined[from - 1])) {
        from++;
      }
      while (from < end) {
        int v = vertex(joined[from]);
        int to = from + 1;
        while (to < joined.length && vertex(joined[to]) == v) {
          to++;
        }
        if (to - from > apart || anyBelow(mesh, v, joined, from, to, cosine)) {
          corners.add(v);
          // Seven directions leave two within 60 degrees.
          sharp |= to - from > 6 || anyBelow(mesh, v, joined, from, to, 0.5);
        }
        from = to;
      }
      return new Found(corners.build(), sharp);
    }
  }

  private static int vertex(long joined) {
    return (int) (joined >>> Integer.SIZE);
  }

  /** Whether two segments at a vertex make an angle of a larger cosine. */
  private static boolean anyBelow(
      Mesh mesh, int v, long[] joined, int from, int to, double cosine) {
    for (int i = from; i < to; i++) {
      int first = (int) joined[i];
      double ux = mesh.x(first) - mesh.x(v);
      double uy = mesh.y(first) - mesh.y(v);
      for (int j = i + 1; j < to; j++) {
        int second = (int) joined[j];
        double wx = mesh.x(second) - mesh.x(v);
        double wy = mesh.y(second) - mesh.y(v);
        if (ux * wx + uy * wy > cosine * Math.hypot(ux, uy) * Math.hypot(wx, wy)) {
          return true;
        }
      }
    }
    return false;
  }
}
